"""Look for dice where something has changed in the middle of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Bytes
from vision.camera.pictures import Region
from vision.dice.cloth import Cloth, ClothPart
from vision.dice.finder import HEIGHT_MM, Die, shipped
from vision.dice.rolls import DiceWatch, Roll
from vision.table.view import Points, TableView, rectangle

MIDDLE: Final = 0.42
"""Distance from the middle within which dice are rolled, relative to half the field."""
MARGIN_MM: Final = 40.0
LEAST_MM: Final = 40.0
"""A narrower part of the table cannot show a whole die with cloth around it."""
LEAST_PER_MM: Final = 0.6
"""Least resolution at which pips can be told apart, in pixels per millimetre."""


class DiceReader:
    """Finds and reads the dice of one table."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._watch = DiceWatch()
        self._cloth = Cloth(MIDDLE * min(view.half_mm) + MARGIN_MM)

    def pause(self) -> None:
        """Stop looking for dice until ``look`` is called again."""
        self._watch.pause()

    def look(
        self,
        time_s: float,
        image_bgr: Bytes,
        regions: Sequence[Region],
        tiles_px: Sequence[NDArray[np.floating]],
        clear: Callable[[Points], Bools],
    ) -> Roll | None:
        """Look at parts of the picture; return the dice that were rolled and now lie still.

        ``tiles_px``: outlines of all tiles; what lies within one is no die. ``clear``: which pixels
        were read while nothing moved there.
        """
        view = self._view
        parts = [part for region in regions if (part := _part(view, region)) is not None]
        if not parts or view.tile_px / view.tile_mm < LEAST_PER_MM:
            return None

        def looked_at(points_mm: Points) -> Bools:
            return clear(view.to_image(points_mm))

        self._cloth.look(time_s, image_bgr, view, parts, looked_at)
        dice: list[Die] = []
        finder = shipped()
        for left, top, right, bottom in parts:
            found = finder.find(image_bgr, view, (left, top), (right, bottom))
            still = looked_at(np.array([(die.x_mm, die.y_mm) for die in found]).reshape(-1, 2))
            for die, at_rest in zip(found, still, strict=True):
                if at_rest and not _on_tile(view, die, tiles_px):
                    fresh = self._cloth.changed(die.x_mm, die.y_mm)
                    dice.append(replace(die, fresh=fresh))
        return self._watch.look(time_s, dice, looked_at, finder.least_sure)


def _on_tile(view: TableView, die: Die, tiles_px: Sequence[NDArray[np.floating]]) -> bool:
    x, y = view.to_image(np.array([(die.x_mm, die.y_mm)]), HEIGHT_MM)[0]
    outlines = (np.asarray(corners, np.float32) for corners in tiles_px)
    return any(cv2.pointPolygonTest(one, (float(x), float(y)), False) >= 0 for one in outlines)


def _part(view: TableView, region: Region) -> ClothPart | None:
    """The part of the table's middle that a region shows, in millimetres; None if there is none."""
    corners = view.to_table(rectangle(region[:2], region[2:]))
    reach = MIDDLE * np.array(view.half_mm)
    low = np.maximum(corners.min(axis=0), -reach)
    high = np.minimum(corners.max(axis=0), reach)
    if (high - low).min() < LEAST_MM:
        return None
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
