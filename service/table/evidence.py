"""Which tiles of a picture an event is about, and how a person is shown them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import numpy as np

from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    DrawnHand,
    Event,
    Flower,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.tiles import Tile
from vision.camera.pictures import Picture
from vision.draw import DrawableTile, around, overlay, resized
from vision.tiles.classes import ANY_FLOWER, Side

STILL_PX: Final = 2.0

Shown = TypeVar("Shown")

_NOT_SEEN: Final = (Draw, Deal, HandEnd, GameStart, GameEnd)
"""Events of which no picture is kept."""


def may_show(event: Event) -> bool:
    """Whether a picture can show an event at all."""
    return not isinstance(event, _NOT_SEEN)


def clearest(
    event: Event,
    before: Sequence[DrawableTile],
    looks: Iterable[tuple[Shown, Sequence[DrawableTile]]],
    enough: int,
) -> tuple[Shown, tuple[int, ...]]:
    """The first look that shows ``enough`` of an event's tiles, and their indices; else the one
    that shows most of them. At least one look is given."""
    found: list[tuple[Shown, tuple[int, ...]]] = []
    for shown, tiles in looks:
        found.append((shown, changed(event, before, tiles)))
        if len(found[-1][1]) >= enough:
            break
    return max(found, key=lambda each: len(each[1]))


def changed(
    event: Event, before: Sequence[DrawableTile], after: Sequence[DrawableTile]
) -> tuple[int, ...]:
    """Indices in ``after`` of the event's tiles; only of new ones if there are any."""
    wanted = {_face(tile) for tile in event_tiles(event)}
    named = [
        place
        for place, tile in enumerate(after)
        if tile.side is Side.FACE and (not wanted or _face(tile.tile) in wanted)
    ]
    new = tuple(place for place in named if not _was_there(after[place], before))
    if new or not isinstance(event, Chow | Pung | Kong | Win):
        return new
    return tuple(named) if len(named) <= 4 else ()


def event_tiles(event: Event) -> tuple[Tile, ...]:
    """The tiles that an event shows; one for all four of a kong."""
    match event:
        case Discard(tile=tile) | Indicator(tile=tile):
            return (tile,)
        case Chow(tile=tile, own=own) | Pung(tile=tile, own=own):
            return (tile, *own)
        case Kong(tile=tile):
            return (tile,)
        case Flower(tile=tile):
            return (tile if tile.known else Tile(ANY_FLOWER),)
        case Win(tile=tile, hand=hand):
            return (tile, *(hand or ()))
        case Reveal(tiles=tiles):
            return tiles
        case HandStart() | DrawnHand() | _:
            return ()


def _face(tile: Tile) -> str:
    return ANY_FLOWER if tile.suit == "f" else str(tile)


def _was_there(tile: DrawableTile, before: Sequence[DrawableTile]) -> bool:
    middle = tile.corners_px.mean(axis=0)
    near_px = float(np.linalg.norm(tile.corners_px[1] - tile.corners_px[0])) / 2
    return any(
        other.side is Side.FACE
        # An unknown face says nothing about which tile it is.
        and (other.tile == tile.tile or not tile.tile.known)
        and float(np.linalg.norm(other.corners_px.mean(axis=0) - middle)) < near_px
        for other in before
    )


def shows_the_same(
    one: Sequence[DrawableTile], other: Sequence[DrawableTile], scale: float = 1.0
) -> bool:
    """Whether the same tiles are at the same places, in pictures of this scale."""
    if len(one) != len(other):
        return False
    still_px = STILL_PX * scale
    return all(
        a is b or (a.tile == b.tile and float(np.abs(a.corners_px - b.corners_px).max()) < still_px)
        for a, b in zip(one, other, strict=True)
    )


def outlined(
    image: Picture, tiles: Sequence[DrawableTile], marked: Sequence[int], part_px: int
) -> tuple[Picture, Picture]:
    """The picture with every tile outlined and those of an event ringed, and the part around these.

    Without ringed tiles, the part is all of it; it is no wider than ``part_px``.
    """
    part = drawn = overlay(image, tiles, marked)
    if marked:
        corners = [tiles[place].corners_px for place in marked]
        part = around(drawn, corners, margin_px=drawn.shape[1] / 11)
    return drawn, resized(part, min(1.0, part_px / part.shape[1]))
