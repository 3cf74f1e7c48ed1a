"""Collect pictures of the tiles that lay face up during a game.

The tracker tells tiles apart over time. A few pictures of each are kept, from different moments,
because an arm may lie over a tile once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.arrays import Bools, Bytes, Floats
from vision.camera.pictures import Picture
from vision.decoder.decoding import Decoding
from vision.detect import Detection
from vision.table.view import TableView
from vision.tile_set.profile import patch_of
from vision.tiles.classes import Side
from vision.tracking.observe import Look, Observation
from vision.tracking.track import NEAR, Tracker

MOST_PATCHES: Final = 5
"""Most pictures of one tile."""
APART_S: Final = 1.0
"""Least time between two of them, because a tile is read several times in a row."""
LEAST_LOOKS: Final = 3
"""Tiles with fewer looks were on their way elsewhere."""
MOMENT_S: Final = 2.0
"""Interval at which the tiles on the table are noted together."""


class TrackedTiles:
    """Follows tiles in place of a decoder, without any rules."""

    def __init__(self, view: TableView) -> None:
        self._tracker = Tracker(view)
        self.observation: Observation | None = None

    def look(self, look: Look) -> None:
        self.observation = self._tracker.update(look)

    @property
    def dice_may_roll(self) -> bool:
        """Dice are not needed here."""
        return False

    @property
    def sticks_may_lie(self) -> bool:
        """Nor are sticks."""
        return False

    @property
    def holds_back(self) -> bool:
        """Nothing is told."""
        return False

    def moved(self, view: TableView) -> None:
        self._tracker.moved(view)

    def close(self) -> Decoding:
        return Decoding()


@dataclass(frozen=True, eq=False)
class GatheredTile:
    """One tile while it lay still with its face up."""

    patches_bgr: Bytes
    """(n, 96, 72, 3) pictures as a profile keeps them, best first."""
    probabilities: Floats
    """(38,) over ``FACES``, summed over all looks."""


@dataclass(frozen=True, eq=False)
class Gathered:
    """The tiles that a game showed."""

    tiles: tuple[GatheredTile, ...]
    together: Bools
    """(m, n): which tiles lay on the table at each moment."""

    @classmethod
    def none(cls) -> Gathered:
        return cls((), np.zeros((0, 0), bool))

    def and_then(self, other: Gathered) -> Gathered:
        """Join the tiles of two recordings of the same set."""
        (m, n), (more_m, more_n) = self.together.shape, other.together.shape
        together = np.zeros((m + more_m, n + more_n), bool)
        together[:m, :n], together[m:, n:] = self.together, other.together
        return Gathered((*self.tiles, *other.tiles), together)


@dataclass(eq=False)
class _Kept:
    probabilities: Floats
    looks: int
    patches: list[tuple[float, float, Bytes]] = field(default_factory=list)
    """Score, time and picture."""


class Gatherer:
    """Takes the results of a ``TableReader`` with ``TrackedTiles``, frame by frame."""

    def __init__(self) -> None:
        self._kept: dict[int, _Kept] = {}
        self._before: Sequence[Detection] = ()
        self._moments: list[frozenset[int]] = []
        self._noted_s = -np.inf

    def see(
        self,
        image_bgr: Picture,
        detections: Sequence[Detection],
        view: TableView,
        observation: Observation,
    ) -> None:
        """Keep what was newly read in this picture; ``detections`` as in ``FrameResult``."""
        # Older detections belong to an earlier picture.
        known = {id(tile) for tile in self._before}
        fresh = [tile for tile in detections if tile.side is Side.FACE and id(tile) not in known]
        self._before = detections
        faces = [placed for placed in observation.placed if placed.side is Side.FACE]
        if fresh and faces:
            middles = np.array([tile.corners_px.mean(axis=0) for tile in fresh], np.float64)
            places = view.to_table(middles, view.lying_mm)
            far = np.linalg.norm(
                places[:, None] - np.array([placed.xy_mm for placed in faces])[None], axis=2
            )
            for tile, row in zip(fresh, far, strict=True):
                nearest = int(row.argmin())
                if row[nearest] < NEAR * view.tile_mm:
                    placed = faces[nearest]
                    kept = self._kept.setdefault(
                        placed.id, _Kept(placed.probabilities.astype(np.float32), 0)
                    )
                    _keep(kept, image_bgr, tile, observation.time_s)
        for placed in faces:
            if placed.id in self._kept:
                kept = self._kept[placed.id]
                kept.probabilities = placed.probabilities.astype(np.float32)
                kept.looks = max(kept.looks, placed.looks)
        calm = not observation.busy and not observation.unrest
        if calm and observation.time_s - self._noted_s >= MOMENT_S:
            self._noted_s = observation.time_s
            self._moments.append(frozenset(placed.id for placed in faces))

    def gathered(self) -> Gathered:
        """The tiles that lay still long enough."""
        ids = [key for key, kept in self._kept.items() if kept.looks >= LEAST_LOOKS]
        tiles = []
        for key in ids:
            kept = self._kept[key]
            patches = np.stack(
                [patch for _, _, patch in sorted(kept.patches, key=lambda one: -one[0])]
            )
            tiles.append(GatheredTile(patches, kept.probabilities))
        place = {key: column for column, key in enumerate(ids)}
        moments = {
            moment: None
            for moment in (moment & frozenset(place) for moment in self._moments)
            if moment
        }
        together = np.zeros((len(moments), len(ids)), bool)
        for row, moment in enumerate(moments):
            together[row, [place[key] for key in moment]] = True
        return Gathered(tuple(tiles), together)


def _keep(kept: _Kept, image_bgr: Picture, tile: Detection, time_s: float) -> None:
    """Keep the picture if it is among the best; of each moment only the best."""
    near = [row for row, (_, when, _) in enumerate(kept.patches) if time_s - when < APART_S]
    if near and kept.patches[near[0]][0] >= tile.score:
        return
    if not near and len(kept.patches) >= MOST_PATCHES:
        worst = min(range(len(kept.patches)), key=lambda row: kept.patches[row][0])
        if kept.patches[worst][0] >= tile.score:
            return
        near = [worst]
    if near:
        del kept.patches[near[0]]
    kept.patches.append((tile.score, time_s, patch_of(image_bgr, tile.corners_px)))
