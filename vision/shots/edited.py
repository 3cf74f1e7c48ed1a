"""Follows a table through an edited film: passes over all that does not show the game go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.camera.frames import Frame
from vision.notice import Notice
from vision.shots.other_view import OtherView
from vision.shots.watch import LEAST_S, SceneKind, ShotWatch
from vision.table.placed_tile import PlacedTile
from vision.table.search import Search
from vision.table.view import TableView


@dataclass(frozen=True)
class Scene:
    """What a frame shows."""

    shown: SceneKind
    back: bool = False
    """Whether much before this frame was passed over."""
    view: TableView | None = None
    """Where the table lies from now on, where that has changed."""


class EditedFilm:
    """Takes every frame in order, from the first that shows the table."""

    def __init__(self) -> None:
        self._shots = ShotWatch()
        self._others = OtherView()
        self._passed_s: float | None = None
        """Since when frames have been passed over."""

    def update(
        self,
        frame: Frame,
        view: TableView,
        placed: Sequence[PlacedTile] | None,
        search: Callable[[Frame], Search],
    ) -> Scene:
        """Look at a frame; arguments as those of ``OtherView.look``."""
        shown = self._shots.update(frame, view)
        found = None
        if self._shots.scene is not None:
            found = self._others.look(frame, self._shots.scene, view, placed, search)
            if found is not None:
                self._shots.restart(frame)
                shown = "table"
        if shown != "table":
            self._passed_s = frame.time_s if self._passed_s is None else self._passed_s
            return Scene(shown)
        passed_s, self._passed_s = self._passed_s, None
        long = passed_s is not None and frame.time_s - passed_s >= LEAST_S
        return Scene(shown, long, found)

    def notices(self, end_s: float | None = None) -> tuple[Notice, ...]:
        """The notices since the last call; ``end_s``: the film ends here."""
        if end_s is not None:
            self._shots.close(end_s)
        told, self._shots.notices = tuple(self._shots.notices), []
        return told
