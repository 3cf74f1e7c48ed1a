"""Find the tiles of a picture whose tile size is unknown.

At a wrong scale a chair, or a circle on a tile, can have the outline of a tile, but not its face.
So the picture is searched at several scales, and the faces that the recogniser is sure of choose
the working scale. Backs and standing tiles count little each; where no face is up, their number
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.tiles.boxes import Boxes, distinct, join
from vision.tiles.classes import SIDES, Side
from vision.tiles.finder import TILE_PX, WINDOW_PX

LookAt = Callable[[float], Boxes]
"""The boxes found in the picture at this scale, in the picture's own pixels."""
Trust = Callable[[Boxes], Floats]
"""(n,) confidence that each box is a rightly named face; 0 for backs and standing tiles."""

COARSEST: Final = WINDOW_PX / 4
"""Longer side of the picture at the first scale, in pixels; each further scale doubles it."""
MOST_ENLARGED: Final = 2.0
"""Largest scale; more shows nothing new."""
IN_RANGE: Final = (0.55, 1.9)
"""Sizes that the finder sees well, as shares of ``TILE_PX``."""
HIDDEN_WEIGHT: Final = 0.2
"""Weight of a back or a standing tile for the size; a face has 1."""
DOUBTFUL: Final = 4
"""Exponent of confidence or score in a weight, so that many doubtful boxes do not outweigh a few
sure ones.

Where half a tile is taken for a tile, there are twice as many boxes with low scores.
"""
SPREAD_OCTAVES: Final = 0.45
"""Standard deviation of the sizes that one scale serves."""
SURE: Final = 0.9
"""Least confidence of a face that is accepted whatever its size."""
SETTLED: Final = 8
"""With this many sure faces that are not small, no finer scale is searched."""
NOT_SMALL: Final = 0.7
"""Least size of those faces, as a share of ``TILE_PX``."""
SMALL: Final = 4
"""With this many boxes too small to read, a finer scale is searched all the same."""
NEAR: Final = 1.1
"""A scale within this factor of the right one is used again."""
LIKE: Final = (0.3, 2.5)
"""Sizes within one set of tiles in one picture, as shares of their usual size."""
SECOND: Final = 4
"""This many sure faces that the working scale does not show are a second set of tiles."""
DETAIL: Final = 2.0
"""A box inside a sure face that is larger by this factor is a detail of it, such as a circle."""
ALIKE: Final = 1.4
"""Within this factor two outlines have one size."""


@dataclass(frozen=True, eq=False)
class _Look:
    """The boxes at one scale, with the confidence of each as a face."""

    scale: float
    boxes: Boxes
    trust: Floats
    """(n,)"""

    @property
    def working_px(self) -> Floats:
        """(n,) sizes at this look's scale."""
        return self.boxes.short_px * np.float32(self.scale)

    @property
    def weights(self) -> Floats:
        """(n,) weight of each box for the size of tiles."""
        hidden = self.boxes.classes != SIDES.index(Side.FACE)
        sure = np.where(hidden, self.boxes.scores, self.trust) ** DOUBTFUL
        return np.asarray(sure * np.where(hidden, HIDDEN_WEIGHT, 1.0), np.float32)

    def take(self, rows: Bools | Ints) -> _Look:
        return replace(self, boxes=self.boxes.take(rows), trust=self.trust[rows])

    def of_size(self, limits: tuple[float, float]) -> Bools:
        """(n,) whether the size at this scale is within these shares of ``TILE_PX``."""
        size = self.working_px / TILE_PX
        return (size > limits[0]) & (size < limits[1])


def find_any_size(longer_side_px: int, look_at: LookAt, trust: Trust) -> Boxes:
    """Find the tiles of a picture by the size that most of them have.

    A second set of another size is read at a scale of its own.
    """

    def look(scale: float) -> _Look:
        boxes = look_at(scale)
        return _Look(scale, boxes, trust(boxes))

    looks = _coarse_to_fine(look, longer_side_px)
    seen = _joined([one.take(one.of_size(IN_RANGE)) for one in looks])
    seen = seen.take(~_details(seen, seen))
    if not len(seen.boxes):
        return seen.boxes
    first = _at_best_scale(look, looks, seen)
    first = first.take(~_details(first, seen))
    missed = (seen.trust >= SURE) & ~_overlaid(seen.boxes, first.boxes)
    if missed.sum() < SECOND:
        # A few large tiles on a mat of squares that look like many small backs.
        usual = float(np.median(first.boxes.short_px)) if len(first.boxes) else 0.0
        missed &= (seen.boxes.short_px > DETAIL * usual) & _seen_twice(seen, looks)
        # Beside tiles that are surely read, one large face is a console or a print.
        if missed.sum() <= (first.trust >= SURE).sum():
            return first.boxes
    second = _at_best_scale(look, looks, seen.take(missed))
    return _joined([first, second.take(~_overlaid(second.boxes, first.boxes))]).boxes


def _details(boxes: _Look, seen: _Look) -> Bools:
    """(n,) whether a box is a part of a larger face that is more surely read."""
    sure = seen.take(seen.trust >= SURE)
    larger = sure.boxes.short_px[:, None] > DETAIL * boxes.boxes.short_px[None]
    surer = sure.trust[:, None] > boxes.trust[None]
    within = _middles_in(boxes.boxes, sure.boxes)
    return np.asarray((larger & surer & within).any(axis=0))


def _seen_twice(seen: _Look, looks: Sequence[_Look]) -> Bools:
    """(n,) whether two scales are sure of a face of this size there."""
    times = np.zeros(len(seen.boxes), np.int64)
    for look in looks:
        sure = look.boxes.take(look.trust >= SURE)
        off = np.abs(np.log(sure.short_px[:, None] / seen.boxes.short_px[None]))
        times += (_middles_in(seen.boxes, sure) & (off < np.log(ALIKE))).any(axis=0)
    return np.asarray(times >= 2)


def _coarse_to_fine(look: Callable[[float], _Look], longer_side_px: int) -> list[_Look]:
    """Search doubled scales until faces are sure and nothing small is left to read."""
    looks: list[_Look] = []
    scale = COARSEST / longer_side_px
    while not looks or scale <= MOST_ENLARGED:
        looks.append(look(scale))
        sure = (looks[-1].trust >= SURE) & looks[-1].of_size((NOT_SMALL, IN_RANGE[1]))
        standing = looks[-1].boxes.classes == SIDES.index(Side.STANDING)
        small = looks[-1].of_size((0.0, IN_RANGE[0])) & ~standing
        if sure.sum() >= SETTLED and small.sum() < SMALL:
            break
        scale *= 2
    return looks


def _at_best_scale(look: Callable[[float], _Look], looks: Sequence[_Look], seen: _Look) -> _Look:
    """Search at the scale that suits most boxes, and drop boxes of unlikely size."""
    octaves = np.log2(TILE_PX / seen.boxes.short_px)
    tried = np.arange(octaves.min(), octaves.max() + 0.1, 0.1)
    off = (tried[:, None] - octaves[None]) / SPREAD_OCTAVES
    best = float(tried[int((np.exp(-(off**2) / 2) @ seen.weights).argmax())])
    scale = min(2.0**best, MOST_ENLARGED)
    near = min(looks, key=lambda one: abs(np.log(one.scale / scale)))
    chosen = near if 1 / NEAR < near.scale / scale < NEAR else look(scale)
    return chosen.take(replace(chosen, scale=scale).of_size(LIKE) | (chosen.trust >= SURE))


def _joined(looks: Sequence[_Look]) -> _Look:
    """Join the boxes of several scales, keeping the most trusted of each tile."""
    boxes = join([look.boxes for look in looks])
    both = _Look(1.0, boxes, np.concatenate([look.trust for look in looks]))
    return both.take(distinct(boxes.xywhr, both.weights))


def _overlaid(boxes: Boxes, by: Boxes) -> Bools:
    """(n,) whether the centre of a box lies in one of these boxes, or the centre of one of them in
    it."""
    return np.asarray(_middles_in(boxes, by).any(axis=0) | _middles_in(by, boxes).any(axis=1))


def _middles_in(boxes: Boxes, areas: Boxes) -> Bools:
    """(areas, boxes): whether the centre of each box lies in each area."""
    x, y, w, h, r = (column[:, None] for column in areas.xywhr.T)
    dx, dy = boxes.xywhr[None, :, 0] - x, boxes.xywhr[None, :, 1] - y
    across = np.abs(dx * np.cos(r) + dy * np.sin(r)) < w / 2
    return np.asarray(across & (np.abs(dy * np.cos(r) - dx * np.sin(r)) < h / 2), bool)
