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
    """Whether the game may have gone on in what was passed over before this frame."""
    view: TableView | None = None
    """Where the table lies from now on, where that has changed."""


class EditedFilm:
    """Takes every frame in order, from the first that shows the table."""

    def __init__(self) -> None:
        self._shots = ShotWatch()
        self._others = OtherView()
        self._away_s: float | None = None
        """Since when another scene or a replay has been shown."""

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
        if shown in ("elsewhere", "replay") and self._away_s is None:
            self._away_s = frame.time_s
        if shown != "table":
            return Scene(shown)
        away_s, self._away_s = self._away_s, None
        long = away_s is not None and frame.time_s - away_s >= LEAST_S
        return Scene(shown, long, found)

    def notices(self, end_s: float | None = None) -> tuple[Notice, ...]:
        """The notices since the last call; ``end_s``: the film ends here."""
        if end_s is not None:
            self._shots.close(end_s)
        notices, self._shots.notices = tuple(self._shots.notices), []
        return notices
