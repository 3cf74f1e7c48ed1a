"""Frames of felt on which tiles appear, and a detector that knows what lies there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.events import Discard, Event, GameStart, HandStart
from engine.tiles import Tile
from tests.support.tables import SMALL_VIEW, VIEW, Finds, Read, read_at
from tests.support.told_reader import lines_of
from vision.attention.schedule import LIVE
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.notice import Notice
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import HEIGHT_SHARE, THICKNESS_SHARE, TableView, from_seat
from vision.tiles.classes import Side

FPS = 5
FELT_BGR = (70, 110, 60)


def hand(seat: int, count: int) -> list[Read]:
    row = [from_seat(np.array([-200 + 30.5 * place, 345.0]), seat) for place in range(count)]
    return [_turned(read_at(0, 0, side=Side.STANDING), seat, x, y) for x, y in row]


def _turned(tile: Read, seat: int, x: float, y: float) -> Read:
    own = VIEW.to_table(tile.corners_px.astype(float), VIEW.standing_mm)
    own *= np.array([1.0, THICKNESS_SHARE / HEIGHT_SHARE])  # its upper edge, not its face
    corners = VIEW.to_image(from_seat(own, seat) + np.array([x, y]), VIEW.standing_mm)
    return Read(tile.side, corners.astype(np.float32), tile.score, tile.probabilities)


HANDS = [tile for seat in range(4) for tile in hand(seat, 14 if seat == 0 else 13)]


class Film(Finds):
    """Frames of a table on which tiles appear one after the other, and a detector of them."""

    def __init__(
        self, arrivals: dict[float, Read], lasts_s: float, view: TableView = SMALL_VIEW
    ) -> None:
        self.arrivals, self.lasts_s, self.view = arrivals, lasts_s, view
        self.reads: list[Region] = []
        self._time_s = 0.0
        self._ground = plain(FELT_BGR, view)
        self._drawn: tuple[object, Picture] = (None, self._ground)
        """The last picture, and what it shows: most frames show the same."""

    def frames(self) -> Iterator[Frame]:
        frame: Frame | None = None
        for index in range(round(self.lasts_s * FPS)):
            self._time_s = index / FPS
            picture = self._picture()
            if frame is None or picture is not frame.pixels:
                frame = Frame(picture, self._time_s, index)
            # A frame of the same picture keeps what was made smaller of it.
            yield (frame := replace(frame, time_s=self._time_s, index=index))

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        self.reads.append(region)
        x0, y0, x1, y1 = region
        found = []
        for tile in map(self._seen, self._shown()):
            x, y = tile.corners_px.mean(axis=0)
            if x0 <= x < x1 and y0 <= y < y1:
                found.append(tile.detected())
        return found

    def _seen(self, tile: Read) -> Read:
        """A tile as it is seen from where the camera stands now."""
        return tile

    def _lying(self) -> list[Read]:
        return HANDS + [tile for time_s, tile in self.arrivals.items() if time_s <= self._time_s]

    def _shown(self) -> list[Read]:
        """What lies there, as the first picture shows it."""
        return [tile.seen_in(self.view) for tile in self._lying()]

    def _picture(self) -> Picture:
        lying = self._shown()
        shows = b"".join(tile.corners_px.tobytes() for tile in lying)
        if shows != self._drawn[0]:
            self._drawn = shows, with_tiles(self._ground, lying)
        return self._drawn[1]


def plain(colour_bgr: tuple[int, int, int], view: TableView = SMALL_VIEW) -> Picture:
    width, height = view.picture_px
    return np.full((height, width, 3), colour_bgr, np.uint8)


def with_tiles(ground: Picture, lying: Iterable[Read]) -> Picture:
    picture = ground.copy()
    for tile in lying:
        cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), (230, 235, 235))
    return picture


RIVER = {3.0: read_at(0, 120, "3s"), 6.0: read_at(120, 0, "9p"), 13.0: read_at(0, -120, "1m")}
EVENTS = [Discard(0, Tile("3s")), Discard(1, Tile("9p")), Discard(2, Tile("1m"))]
LASTS_S = 15.5
KNOCKED_S = (8.0, 8.6)
TO = np.array([[0.998, -0.035, 31.0], [0.035, 0.998, -20.5], [0.0, 0.0, 1.0]])
"""A knock that turns the picture by two degrees and moves it by two tiles."""


def floor(view: TableView = VIEW) -> Picture:
    """What lies around the table, with patterns that can be found again."""
    rng = np.random.default_rng(8)
    coarse = rng.integers(40, 160, (54, 96, 3)).astype(np.uint8)
    fine = cv2.resize(coarse, view.picture_px, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine, np.uint8)


def laid_table() -> Picture:
    """Walls and rivers of faces and backs on a patterned floor."""
    picture = floor()
    cv2.fillConvexPoly(picture, np.rint(VIEW.field_px).astype(np.int32), FELT_BGR)
    for row in range(9):
        for column in range(16):
            x, y = 600 + 45 * column, 180 + 80 * row
            face = (row + column) % 3
            colour = (225, 240, 242) if face else (60, 160, 90)
            cv2.rectangle(picture, (x, y), (x + 36, y + 50), colour, -1)
            if face:
                cv2.circle(picture, (x + 18, y + 25), 9, (30, 40, 160 * face), -1)
    return picture


def small_table(size_px: tuple[int, int] = (640, 360)) -> Picture:
    small = cv2.resize(laid_table(), size_px, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class Knocked(Film):
    """A film whose camera is knocked and stands differently afterwards."""

    def __init__(self, to: NDArray[np.float64] = TO) -> None:
        super().__init__(RIVER, LASTS_S)
        self._to = to
        self._ground = floor(self.view)
        field = np.rint(self.view.field_px).astype(np.int32)
        cv2.fillConvexPoly(self._ground, field, FELT_BGR)

    def _seen(self, tile: Read) -> Read:
        corners = cv2.perspectiveTransform(tile.corners_px[None].astype(np.float64), self._pose())
        return replace(tile, corners_px=corners[0].astype(np.float32))

    def _pose(self) -> NDArray[np.float64]:
        begun, ended = KNOCKED_S
        share = float(np.clip((self._time_s - begun) / (ended - begun), 0, 1))
        swing = 12.5 * np.sin(37 * self._time_s) if 0 < share < 1 else 0.0
        pose = np.eye(3) + share * (self._to - np.eye(3))
        pose[:2, 2] += swing
        return np.asarray(pose, np.float64)

    def _picture(self) -> Picture:
        lying, pose = self._shown(), self._pose()
        shows = (len(lying), pose.tobytes())
        if shows != self._drawn[0]:
            picture = with_tiles(self._ground, lying)
            seen = cv2.warpPerspective(picture, pose, self.view.picture_px)
            self._drawn = (shows, np.asarray(seen, np.uint8))
        return self._drawn[1]


def told(
    film: Film, frames: Iterable[Frame] | None = None, edited: bool = False
) -> tuple[list[Event], list[Notice], TableReader]:
    """What is played in a film, and what is said of its camera; it ends in mid-hand."""
    settings = ReaderSettings(film.view, schedule=replace(LIVE, edited=edited))
    reader = TableReader(film, "harbin-hlr", settings)
    readings = list(reader.read(film.frames() if frames is None else frames))
    events = [entry.event for entry in lines_of(readings)]
    notices = [notice for reading in readings for notice in reading.notices]
    return (
        [event for event in events if not isinstance(event, GameStart | HandStart)],
        [notice for notice in notices if notice.kind != "unseen"],
        reader,
    )


def assert_stands(reader: TableReader, to: NDArray[np.float64], atol_px: float = 2.0) -> None:
    """The table is seen where a camera that was moved shows it."""
    true = cv2.perspectiveTransform(SMALL_VIEW.field_px[None].astype(np.float64), to)[0]
    assert reader.view is not None
    np.testing.assert_allclose(reader.view.field_px, true, atol=atol_px)
