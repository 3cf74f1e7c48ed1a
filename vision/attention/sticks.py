"""Notice the stick that a player of riichi lays before the own river with the claim of ready."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Floats
from vision.camera.pictures import Region
from vision.table.placed_tile import PlacedTile
from vision.table.view import HEIGHT_SHARE, Points, TableView, from_seat, to_seat
from vision.tiles.classes import Side

# Each was halved and doubled on tables drawn like those of its tests. Of 60 sticks, 24 in the
# middle and 36 anywhere in the strip, 51 are found; of 24 other things 6 are taken for one, all of
# them bars as wide as a stick and 50 or 120 mm long; of 6 knocks and 5 other lights none is. Where
# these say nothing of a number, tables on which it matters were drawn too.
LONG_MM: Final = (66.0, 80.0, 92.0)
"""80 alone: 48 sticks, 4 others. Without 80, or with 73 and 86 too: the same."""
WIDE_MM: Final = 7.0
"""3.5: 42 sticks, 4 others; 14: 21 and 1."""
TURNED_DEG: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
"""0 alone: 29 sticks, 5 others; without 4: 48 and 6; half as far: 51 and 7. Twice as far, no
stick of full length fits in the strip."""
AROUND_MM: Final = 7.0
"""A stick has so much cloth around it, of which nothing changes. 3.5: 52 sticks, 8 others, and none
between a dark console and bright cloth. 14: none fits in the strip."""
ALONG_MM: Final = 80
"""A stick lies within so far of the middle of its player's side, ... 40: none fits in the strip;
160: 51 sticks, 7 others, in twice the time."""
INSIDE_MM: Final = 30
"""... so near to the own river, ... 15: none fits; 60: 60 sticks, 8 others, in twice the time."""
BEYOND_MM: Final = 12
"""... which may begin so much nearer to the table's middle than its first tiles. 6: 42 sticks; 24:
the same."""
RIVER: Final = 6.5
"""Discards lie within so many widths of the table's middle, and walls farther out. 3.25: no river
is found; 13: the same."""
NEARER_MM: Final = 10.0
"""A tile that lies so much nearer to the middle than the first ones is where the river begins. Of 9
sticks that come while the first tile moves by 2 to 22 mm, 5 are found; 5: 2; 20: 8."""
LIKE: Final = 0.7
"""On rendered tables 175 comparisons with a stick give 0.70 to 0.97, and 2,092 without one at most
0.65; where the camera was knocked meanwhile, one of these in 100 gives up to 0.87."""
UNLIKE: Final = 0.55
"""Of 5 sticks that are half covered for a look 4 are told right after it; 0.275: 5; 0.7: 2."""
HELD_MM: Final = 2
"""So far the camera may have moved meanwhile without that anybody has noticed. 0, 1, 4: no change,
nor on 160 tables with lines, a card or tiles in the strip that were moved by up to 3 mm."""
RELIT: Final = 0.2
"""The logarithm of how much brighter the cloth is in another light. Of 18 sticks that come with
another light 5 are found; 0.1: 3; 0.4: 10. None of these lights alone makes one."""
BRIGHTER: Final = 30.0
"""How much brighter a stick is than the cloth, of 255. Of 24 that are 10 to 80 brighter 12 are
found; 15: 21; 60: 3."""
EVERY: Final = 7
"""Of so many places of a strip one is asked whether anything moves there. 4, 14: no change."""
RESTS_S: Final = 0.3
"""A stick is seen for so long. 0.15: no change; 0.6: none is told within the 0.6 s of the tests."""
LEAST_PER_MM: Final = 0.6
"""Least resolution at which a stick can be told from a line, in pixels per millimetre. At 0.3 to
1.0, 9 of 18 sticks are found, and 2 of 24 other things taken for one; 0.3: 18 and 5; 1.2: none."""


@dataclass
class _River:
    """What lies before one river of this hand."""

    places_px: Points
    """(42 * 160, 2)."""
    begins_mm: float
    first: Bytes | None = None
    """As it was seen first."""
    since_s: float = math.inf
    """Since when a stick is seen there."""
    lies: bool = False
    """A stick was seen for long enough: nobody takes it back before the hand is over."""


class StickWatch:
    """Compares what lies before each river with what lay there first in the hand."""

    def __init__(self, view: TableView) -> None:
        self._view = view
        self._rivers: dict[int, _River] = {}
        self._judged: set[int] = set()
        """The seats of whose rivers the last look has told something."""

    def forget(self) -> None:
        """The hand is over, and its sticks are taken away."""
        self._rivers.clear()

    def look(
        self,
        time_s: float,
        picture: Callable[[Sequence[Region]], Bytes],
        placed: Sequence[PlacedTile],
        clear: Callable[[Points], Bools],
    ) -> frozenset[int]:
        """The seats before whose rivers a stick lies that did not lie there at first.

        ``picture``: the frame (H, W, 3), BGR, with at least these regions. ``placed``: the tiles on
        the table. ``clear``: at which pixels nothing moves.
        """
        self._find_rivers(placed)
        open_ = {
            seat: one
            for seat, one in self._rivers.items()
            if not one.lies and clear(one.places_px[::EVERY]).all()
        }
        if not open_:
            self._judged.clear()
            return self._lie()
        image_bgr = picture([_around(river.places_px) for river in open_.values()])
        new = []
        for seat, river in open_.items():
            now = _light(image_bgr, river.places_px)
            if river.first is None or relit(river.first, now):
                river.first = now
            like = likeness(river.first, now)
            if like >= LIKE and river.since_s == math.inf:
                river.since_s = time_s
                new.append(seat)
            elif like < UNLIKE:
                river.since_s = math.inf
            river.lies = like >= LIKE and time_s - river.since_s >= RESTS_S
        if len(new) > 1 and self._judged.issuperset(new):
            # The camera was knocked: nobody lays two sticks at once.
            self._rivers.clear()
        self._judged = set(open_)
        return self._lie()

    def _lie(self) -> frozenset[int]:
        return frozenset(seat for seat, river in self._rivers.items() if river.lies)

    def _find_rivers(self, placed: Sequence[PlacedTile]) -> None:
        view = self._view
        for seat in range(4) if view.tile_px / view.tile_mm >= LEAST_PER_MM else ():
            begins_mm, known = river_begins(placed, seat, view.tile_mm), self._rivers.get(seat)
            if begins_mm is None:
                continue
            if known is None or begins_mm < known.begins_mm - NEARER_MM:
                places_px = view.to_image(strip_before(seat, begins_mm).reshape(-1, 2))
                self._rivers[seat] = _River(places_px, begins_mm)


def river_begins(placed: Sequence[PlacedTile], seat: int, tile_mm: float) -> float | None:
    """How far from the table's middle a seat's discards begin, in mm; None without any."""
    own = [to_seat(tile.xy_mm, seat) for tile in placed if tile.side is Side.FACE]
    rows = [float(v) for u, v in own if abs(u) < v < RIVER * tile_mm]
    return min(rows) - HEIGHT_SHARE * tile_mm / 2 if rows else None


def strip_before(seat: int, begins_mm: float) -> Points:
    """(42, 160, 2): places before a river on the table, in mm, one a millimetre."""
    along = np.arange(-ALONG_MM, ALONG_MM, dtype=np.float64)
    out = np.arange(-INSIDE_MM, BEYOND_MM, dtype=np.float64) + begins_mm
    return from_seat(np.stack(np.meshgrid(along, out), axis=2), seat)


def likeness(before: Bytes, now: Bytes) -> float:
    """How like a stick the likest part is that became brighter in a strip, 0..1."""
    # An edge that has moved is no stick.
    brightest = cv2.dilate(before, np.ones((2 * HELD_MM + 1,) * 2, np.uint8))
    brighter = now.astype(np.float32) - brightest
    brighter = np.maximum(brighter - np.median(brighter), 0).astype(np.float32)
    if brighter.max() < BRIGHTER:
        return 0.0
    best = 0.0
    for template in _templates():
        like = cv2.matchTemplate(brighter, template, cv2.TM_CCOEFF_NORMED)
        y, x = np.unravel_index(int(like.argmax()), like.shape)
        height, width = template.shape
        bar = brighter[y : y + height, x : x + width][template > 0.5]
        if like[y, x] > best and bar.mean() >= BRIGHTER:
            best = float(like[y, x])
    return best


def relit(before: Bytes, now: Bytes) -> bool:
    """Whether the light is another one: then what is bright differs most."""
    some = (slice(None, None, 4), slice(None, None, 4))
    gain = np.median(
        np.log1p(now[some].astype(np.float32)) - np.log1p(before[some].astype(np.float32))
    )
    return bool(abs(gain) > RELIT)


def _around(places_px: Points) -> Region:
    """The part of the picture that holds these places."""
    (x0, y0), (x1, y1) = np.floor(places_px.min(axis=0)), np.ceil(places_px.max(axis=0)) + 1
    return int(x0), int(y0), int(x1), int(y1)


def _light(image_bgr: Bytes, places_px: Points) -> Bytes:
    """(42, 160): the least colour of each place, which is high where it is white."""
    x, y = places_px.astype(np.float32).T.reshape(2, -1, 2 * ALONG_MM)
    blue, green, red = cv2.split(cv2.remap(image_bgr, x, y, cv2.INTER_LINEAR))
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


@cache
def _templates() -> list[Floats]:
    """A bar of 1 on cloth of 0, of each length and turn."""
    found = []
    for long_mm in LONG_MM:
        for turned_deg in TURNED_DEG:
            slant_mm = long_mm * abs(float(np.sin(np.radians(turned_deg))))
            width, height = long_mm + 2 * AROUND_MM, WIDE_MM + 2 * AROUND_MM + slant_mm
            picture = np.zeros((round(height), round(width)), np.float32)
            box = cv2.boxPoints(((width / 2, height / 2), (long_mm, WIDE_MM), turned_deg))
            cv2.fillPoly(picture, [np.round(box).astype(np.int32)], (1.0,))
            found.append(np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.float32))
    return found
