"""The whole way of one table, with pictures of felt and a detector that knows what lies there."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.events import Discard, HandStart
from engine.tiles import Tile
from tests.vision.tables import VIEW, Read, read_at
from vision.calibrate import NoTable
from vision.classes import Side
from vision.detect import Detection
from vision.frames import Frame
from vision.motion import Region
from vision.pictures import Picture, SourceError
from vision.pipeline import TableReader
from vision.table import from_seat

FPS = 5
PLAIN = np.full((1080, 1920, 3), (70, 110, 60), np.uint8)


def hand(seat: int, count: int) -> list[Read]:
    row = [from_seat(np.array([-200 + 30.5 * place, 345.0]), seat) for place in range(count)]
    return [_turned(read_at(0, 0, side=Side.STANDING), seat, x, y) for x, y in row]


def _turned(tile: Read, seat: int, x: float, y: float) -> Read:
    own = VIEW.to_table(tile.corners_px.astype(float), VIEW.standing_mm)
    corners = VIEW.to_image(from_seat(own, seat) + np.array([x, y]), VIEW.standing_mm)
    return Read(tile.side, corners.astype(np.float32), tile.score, tile.probabilities)


HANDS = [tile for seat in range(4) for tile in hand(seat, 14 if seat == 0 else 13)]


class Film:
    """Frames of a table on which tiles appear one after the other, and a detector of them."""

    def __init__(self, arrivals: dict[float, Read], lasts_s: float) -> None:
        self.arrivals, self.lasts_s = arrivals, lasts_s
        self.reads: list[Region | None] = []
        self._time_s = 0.0

    def frames(self) -> Iterator[Frame]:
        for index in range(round(self.lasts_s * FPS)):
            self._time_s = index / FPS
            yield Frame(self._picture(), self._time_s, index)

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        self.reads.append(region)
        x0, y0, x1, y1 = region or (0, 0, 1920, 1080)
        found = []
        for tile in self._lying():
            x, y = tile.corners_px.mean(axis=0)
            if x0 <= x < x1 and y0 <= y < y1:
                found.append(
                    Detection(tile.side, tile.corners_px, tile.score, tile.probabilities, 0.5)
                )
        return found

    def _lying(self) -> list[Read]:
        return HANDS + [tile for time_s, tile in self.arrivals.items() if time_s <= self._time_s]

    def _picture(self) -> Picture:
        picture = PLAIN.copy()
        for tile in self._lying():
            cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), (230, 235, 235))
        return picture


def test_discards_are_read_from_pictures() -> None:
    film = Film({3.0: read_at(0, 120, "3s"), 5.0: read_at(120, 0, "9p")}, 8.0)
    entries = [
        entry
        for reading in TableReader(film, "harbin-hlr", VIEW).read(film.frames())
        for entry in reading.entries
    ]
    events = [entry.event for entry in entries]
    assert events[1] == HandStart(dealer=0)
    assert events[2:] == [Discard(0, Tile("3s")), Discard(1, Tile("9p"))]
    assert [entry.t for entry in entries[2:]] == pytest.approx([3.0, 5.0], abs=1.0)
    assert all(entry.evidence is not None for entry in entries if entry.event in events[2:])


def test_a_still_table_is_not_read_again() -> None:
    film = Film({}, 12.0)
    for reading in TableReader(film, "harbin-hlr", VIEW).read(film.frames()):
        if reading.frame.time_s < 2.0:
            before = len(film.reads)
    assert len(film.reads) == before


def test_the_last_detections_stay_while_nothing_changes() -> None:
    film = Film({}, 4.0)
    readings = list(TableReader(film, "harbin-hlr", VIEW).read(film.frames()))
    assert len(readings[-1].detections) == len(HANDS)


def test_pictures_without_a_table_are_refused() -> None:
    film = Film({}, 0)
    grey = np.full((270, 480, 3), 90, np.uint8)
    frames = (Frame(grey, index / FPS, index) for index in range(3))
    with pytest.raises(NoTable, match="no table"):
        list(TableReader(film, "harbin-hlr").read(frames))


def test_a_source_without_pictures_is_refused() -> None:
    with pytest.raises(SourceError, match="not one picture"):
        list(TableReader(Film({}, 0), "harbin-hlr", VIEW).read(iter(())))
