"""A riichi hand at which one seat has a camera of its own."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import cast

from engine.codec import read_record
from engine.game import Game, replay
from service.phone.seat_cameras import SeatCameras
from service.table.live_table import LiveTable, TableSettings
from tests.support.live_table import KeptLines, frames
from tests.support.rows import watched
from tests.support.told_reader import ToldReader
from vision.seat_camera.row_reader import DetectorNets
from vision.seat_camera.witness import SeatWitness, Witness
from vision.tiles.boxes import Boxes, join

SEAT = 1
HAND = "123m 456p 78s 999p 11z"
"""It waits."""
RECORD = """
{"type":"game_start","rules":"riichi","players":["Anna","Bo","Chen","Dana"],"t":0}
{"type":"hand_start","t":1}
{"type":"discard","seat":0,"tile":"9m","t":10}
{"type":"discard","seat":1,"tile":"3z","t":14}
{"type":"discard","seat":2,"tile":"9m","t":18}
{"type":"discard","seat":3,"tile":"1m","t":22}
{"type":"discard","seat":0,"tile":"2z","t":26}
{"type":"discard","seat":1,"tile":"4z","t":30}
"""


def game(more: str = "") -> Game:
    return replay(read_record(RECORD.strip() + more))


class SeesNothing:
    """A finder before whose camera there are no tiles."""

    def __init__(self) -> None:
        self.looked = threading.Event()

    def find(self, image_bgr: object, tile_px: float | None = None, least: float = 0.0) -> Boxes:
        self.looked.set()
        return join([])


def no_tiles(finder: SeesNothing | None = None) -> DetectorNets:
    return cast(DetectorNets, SimpleNamespace(finder=finder or SeesNothing(), recogniser=None))


def known() -> Witness:
    """Seat 1 is watched, and holds a hand that waits."""
    return Witness({SEAT: SeatWitness(watched((31, 40, HAND)))})


def with_camera(lines: KeptLines, seen: bool = True) -> LiveTable:
    settings = TableSettings("riichi", "game.mp4")
    table = LiveTable(ToldReader(read_record(RECORD)), frames(), lines, settings)
    table.seat_cameras = SeatCameras(no_tiles, "127.0.0.1")
    if seen:
        table.seat_cameras.witness.seats.update(known().seats)
    return table
