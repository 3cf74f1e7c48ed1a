"""Finds the table in another scene: its camera may have been moved during a cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from vision.camera.frames import Frame
from vision.shots.watch import OtherScene
from vision.table.placed_tile import PlacedTile
from vision.table.relocate import found_turned
from vision.table.search import Search
from vision.table.view import TableView, differ

FIRST_S, SETTLED_S = 2.0, 8.0
"""What one camera shows is searched when it has lasted so long: before a game has begun, and later.

Once the table is read in another view, the way back takes as long."""
PATIENCE_S: Final = 20.0
"""Most scenes are shorter; once a game has begun, only longer ones are searched again."""
AGAIN_S: Final = 5.0
"""Interval between two searches."""
ANOTHER_S: Final = 120.0
"""A table that one camera shows for longer is the table from now on."""


class OtherView:
    """Searches one scene after the other for the table."""

    def __init__(self) -> None:
        self._searched_s = -np.inf
        self._seen: TableView | None = None
        """A table that was found once."""

    def look(
        self,
        frame: Frame,
        scene: OtherScene,
        view: TableView,
        placed: Sequence[PlacedTile] | None,
        search: Callable[[Frame], Search],
    ) -> TableView | None:
        """Return where the table lies in this scene, once that is certain enough.

        ``view``: where the table lay before. ``placed``: the tiles that lay on it; None while no
        game has begun.
        """
        shown_s = frame.time_s - scene.shot_s
        if not self._due(frame.time_s, scene.shot_s, begun=placed is not None):
            return None
        self._searched_s = frame.time_s
        found = search(frame)
        before, self._seen = self._seen, found.view
        if found.view is None:
            return None
        if not differ(view, found.view):
            return view
        again = found_turned(view, found.view, placed, found.readings) if placed else None
        if again is not None:
            return again
        if before is None or differ(before, found.view):
            return None
        if placed is None:
            return found.view
        # Without tiles that tell who sits where, everybody sits at the same side as before.
        return found_turned(view, found.view, (), ()) if shown_s > ANOTHER_S else None

    def _due(self, time_s: float, shot_s: float, begun: bool) -> bool:
        """Whether to search now; ``begun``: a game has begun."""
        if time_s - shot_s < (SETTLED_S if begun else FIRST_S):
            return False
        often = not begun or time_s - shot_s > PATIENCE_S
        return self._searched_s < shot_s or (often and time_s - self._searched_s >= AGAIN_S)
