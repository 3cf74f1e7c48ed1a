"""A film of a hand that is won, a first reader that may misread a tile of it, and a second one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.tiles import parse
from service.table.reader_maker import MakeReader
from tests.support.evening import COLOURS_BGR, ByColour, Lies, write
from tests.support.felt_film import HANDS
from tests.support.tables import SMALL_VIEW, Finds, Read, read_at
from vision.attention.schedule import RECORDED
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.pipeline import ReaderSettings, TableReader
from vision.second_reading import Shown
from vision.table.view import from_seat
from vision.tiles.classes import Side

RULES: Final = "hong-kong"
TRUE: Final = "234m 345p 678s 567s 22p"
"""The hand as it lies there: drawn, and all of it concealed; each other pays 16."""
MISREAD: Final = "534m 345p 678s 567s 22p"
"""Its first tile is taken for another one, and it wins all the same."""
OPEN_S, CLEAR_S, LASTS_S = 9.0, 17.0, 21.0
APART_MM, DRAWN_MM = 31.0, 30.0
"""Between two tiles of the hand, and what the drawn one lies apart besides."""


def lies(read_as: str) -> list[Lies]:
    """What lies there, with the hand as the first reader names it."""
    found = []
    for at, tile in enumerate(HANDS):
        until_s = OPEN_S if at < 14 else CLEAR_S
        found.append(Lies(tile.seen_in(SMALL_VIEW), 0.6, until_s))
    for turn, face in enumerate(("9m", "1s", "9s", "1p")):
        x, y = from_seat(np.array([-60.0, 110.0]), turn)
        tile = read_at(float(x), float(y), face).seen_in(SMALL_VIEW)
        found.append(Lies(tile, 3.0 + 1.2 * turn, CLEAR_S))
    for place, face in enumerate(parse(read_as)):
        x = -215 + APART_MM * place + (DRAWN_MM if place == 13 else 0.0)
        tile = read_at(x, 345.0, str(face)).seen_in(SMALL_VIEW)
        found.append(Lies(tile, OPEN_S, CLEAR_S, COLOURS_BGR[1 + place % 2]))
    return found


def film_at(path: Path) -> Path:
    return write(path, lies(TRUE), LASTS_S)


def pictures(count: int) -> Iterator[Shown]:
    """So many pictures of the hand that lies open."""
    lying = [one for one in lies(TRUE) if one.from_s <= OPEN_S < one.until_s]
    picture = np.full((SMALL_VIEW.picture_px[1], SMALL_VIEW.picture_px[0], 3), 90, np.uint8)
    for one in lying:
        cv2.fillConvexPoly(picture, np.rint(one.tile.corners_px).astype(np.int32), one.colour)
    corners = np.stack([one.tile.corners_px for one in lying[-14:]])
    for _ in range(count):
        yield Shown(picture, corners)


def first_reader(read_as: str) -> MakeReader:
    nets = ByColour(lies(read_as))
    return lambda: TableReader(nets, RULES, ReaderSettings(SMALL_VIEW, schedule=RECORDED))


class ByPlace(Finds):
    """Finds the tiles of the open hand by their colours, from left to right, at any scale."""

    def __init__(self, faces: str = TRUE) -> None:
        self.faces: Sequence[str] = [*map(str, parse(faces))]
        self.read_px: list[tuple[int, int]] = []
        """How large each picture was that was read."""

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        self.read_px.append((region[2] - region[0], region[3] - region[1]))
        outlines = []
        for colour in COLOURS_BGR[1:3]:
            alike = np.abs(image_bgr.astype(int) - colour).max(axis=2) < 60
            count, _, boxes, _ = cv2.connectedComponentsWithStats(alike.astype(np.uint8))
            outlines += [boxes[at] for at in range(1, count) if boxes[at][4] > 20]
        outlines.sort(key=lambda box: int(box[0]))
        if len(outlines) != len(self.faces):
            return []
        return [
            _at(box, face) for box, face in zip(outlines, self.faces, strict=True) if face != "?"
        ]


def _at(box: Sequence[int], face: str) -> Detection:
    x, y, width, height = (float(each) for each in box[:4])
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    tile = replace(read_at(0, 0, face), corners_px=corners.astype(np.float32))
    assert isinstance(tile, Read)
    assert tile.side is Side.FACE
    return tile.detected()
