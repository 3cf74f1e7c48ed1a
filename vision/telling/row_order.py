"""Discards that lie in rows lie in the order in which they were made."""

from __future__ import annotations

from typing import Final

from engine.events import Discard, HandStart
from vision.table.view import HEIGHT_SHARE, to_seat
from vision.telling.scene import TableEvidence
from vision.telling.story import Story

OUT_OF_ROW: Final = 2.5
"""A discard lies before one that was made sooner, or after one that was made later, ..."""
MOST: Final = 5.0
"""... and what this costs at most."""
ANOTHER_ROW: Final = 0.6
"""Rows are farther apart than this share of a tile's height."""


def out_of_row(tile: int, seat: int, place: int, story: Story, scene: TableEvidence) -> float:
    """What it costs that a tile is the discard of a seat in this place of the story."""
    if scene.layout.river != "rows":
        return 0.0
    wrong = 0
    for at in range(len(story.told) - 1, -1, -1):
        told = story.told[at]
        if isinstance(told.event, HandStart):
            break
        known = told.tile is not None and told.tile != tile and told.tile in scene.present
        if known and at != place and isinstance(told.event, Discard) and told.event.seat == seat:
            assert told.tile is not None, "only tiles that are known are compared"
            wrong += _lies_before(told.tile, tile, seat, scene) != (at < place)
    return min(MOST, OUT_OF_ROW * wrong)


def _lies_before(one: int, other: int, seat: int, scene: TableEvidence) -> bool:
    """Whether one tile lies before the other: farther left in a row, or in a row farther in."""
    if one not in scene.tiles or other not in scene.tiles:
        return False
    u, v = to_seat(scene.tiles[one].xy_mm - scene.tiles[other].xy_mm, seat)
    same_row = abs(float(v)) < ANOTHER_ROW * HEIGHT_SHARE * scene.tile_mm
    return bool(u < 0 if same_row else v < 0)
