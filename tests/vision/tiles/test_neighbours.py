"""What the sure faces beside an outline tell: half of a tile is no tile, and two are not one."""

from __future__ import annotations

from collections import Counter
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from studio.faces import FaceSet, draw_faces
from vision.arrays import Bytes, Floats
from vision.detect import SHIPPED, Detector
from vision.tiles.boxes import Boxes
from vision.tiles.classes import FACE_INDEX, FACES
from vision.tiles.neighbours import (
    HALVES,
    LIKE,
    beside,
    cut,
    has_part,
    more_alike,
    parted,
    usual,
)
from vision.tiles.parts import areas
from vision.tiles.recogniser import Recogniser

W, H = 60, 80
CLOTH = (60, 110, 50)
LEFT, TOP = 30, 40
ROW = ("6m", "4s", "7p", "3z", "4p", "8p", "2p", "5m")


@cache
def drawn(seed: int) -> FaceSet:
    return draw_faces(seed)


@pytest.fixture(scope="module")
def recogniser(precise: bool) -> Recogniser:
    return Recogniser(SHIPPED / "recogniser.onnx", threads=1, precise=precise)


def row(faces: tuple[str, ...]) -> Bytes:
    """Drawn tiles that touch, on a green cloth."""
    picture = np.full((H + 2 * TOP, len(faces) * W + 2 * LEFT, 3), CLOTH, np.uint8)
    for place, face in enumerate(faces):
        x = LEFT + place * W
        picture[TOP : TOP + H, x : x + W] = (215, 230, 235)
        image = cv2.resize(drawn(9001).images[face], (W - 8, H - 10), interpolation=cv2.INTER_AREA)
        share = image[:, :, 3:].astype(np.float32) / 255
        there = picture[TOP + 5 : TOP + H - 5, x + 4 : x + W - 4]
        there[:] = (there * (1 - share) + image[:, :, 2::-1] * share).astype(np.uint8)
        cv2.rectangle(picture, (x, TOP), (x + W, TOP + H), (120, 130, 130), 1)
    return picture


def box(place: float, high: tuple[float, float] = (0.0, 1.0), wide: float = 1.0) -> list[float]:
    """A part of the row, in tiles from its left end and from top to bottom."""
    x, y = LEFT + (place + wide / 2) * W, TOP + sum(high) / 2 * H
    return [x, y, wide * W, (high[1] - high[0]) * H, 0.0]


def named(recogniser: Recogniser, boxes: list[list[float]], faces: tuple[str, ...]) -> list[str]:
    """What is named where a finder outlines these boxes, from left to right."""
    return names(recogniser, boxes, row(faces))


def names(recogniser: Recogniser, boxes: list[list[float]], picture: Bytes) -> list[str]:
    found = Boxes(
        np.array(boxes, np.float32), np.full(len(boxes), 0.8, np.float32), np.zeros(len(boxes), int)
    )
    finder = SimpleNamespace(find=lambda *_: found)
    read = Detector(cast(Any, finder), recogniser).read(picture, tile_px=float(W))
    read.sort(key=lambda tile: float(tile.corners_px[:, 0].mean()))
    return [str(tile.tile) for tile in read]


@pytest.mark.parametrize("high", [(0.0, 0.52), (0.48, 1.0)])
def test_half_of_a_tile_beside_a_whole_one_is_read_whole(
    recogniser: Recogniser, high: tuple[float, float]
) -> None:
    boxes = [box(0), box(1, high), box(2)]
    assert named(recogniser, boxes, ROW[:3]) == list(ROW[:3])


def test_a_tile_that_was_found_as_its_two_halves_is_one(recogniser: Recogniser) -> None:
    boxes = [box(0), box(1, (0.0, 0.52)), box(1, (0.48, 1.0)), box(2)]
    assert named(recogniser, boxes, ROW[:3]) == list(ROW[:3])


TWO_ALIKE = ("6m", "7p", "3z", "2p", "2p", "8p", "5m")


@pytest.mark.parametrize(
    ("others", "read"),
    [
        ((), ["4p"]),
        ((0, 1, 2, 5, 6), ["6m", "7p", "3z", "2p", "8p", "5m"]),
    ],
    ids=["alone", "beside others"],
)
def test_a_tile_with_more_than_half_of_the_next_one_is_cut_to_the_size_of_those_beside_it(
    recogniser: Recogniser, others: tuple[int, ...], read: list[str]
) -> None:
    """A 2p and the left dots of another one look like a 4p."""
    boxes = [*(box(place) for place in others), box(3.06, wide=1.6)]
    assert named(recogniser, boxes, TWO_ALIKE) == read


@pytest.mark.parametrize("face", ["4p", "6p", "8p", "2s", "4s", "6s", "7s", "5m", "1z"])
def test_a_large_front_before_a_row_of_lying_tiles_keeps_its_name(
    recogniser: Recogniser, face: str
) -> None:
    """Cut to the size of those behind it, the front of a 4p is surely a 2p."""
    faces = ("6m", "3z", "7p", "8m", "9s", "2z")
    tile = row((face,))[TOP : TOP + H + 1, LEFT : LEFT + W + 1]
    front = cv2.resize(tile, (3 * W // 2, 3 * H // 2), interpolation=cv2.INTER_AREA)
    picture = np.concatenate([row(faces), np.full((3 * H // 2, 6 * W + 2 * LEFT, 3), CLOTH)])
    x, y = LEFT + 2 * W, TOP + H + 6
    picture[y : y + len(front), x : x + front.shape[1]] = front
    boxes = [box(place) for place in range(6)]
    boxes.append([x + 0.75 * W, y + 0.75 * H, 1.5 * W, 1.5 * H, 0.0])
    assert Counter(names(recogniser, boxes, picture.astype(np.uint8))) == Counter((*faces, face))


@pytest.mark.parametrize("two", [("2p", "2p"), ("2s", "2s"), ("4s", "4s")])
def test_two_tiles_alike_in_one_sure_outline_are_not_one_of_twice_the_marks(
    recogniser: Recogniser, two: tuple[str, str]
) -> None:
    boxes = [*(box(place) for place in (0, 1, 2, 5, 6)), box(3.06, wide=1.6)]
    faces = ("6m", "7p", "3z", *two, "8p", "5m")
    assert named(recogniser, boxes, faces) == ["6m", "7p", "3z", two[0], "8p", "5m"]


def test_two_tiles_in_one_outline_are_two(recogniser: Recogniser) -> None:
    boxes = [box(0), box(1), box(2, wide=2.0), box(4), box(5)]
    assert named(recogniser, boxes, ROW[:6]) == list(ROW[:6])


def test_whole_tiles_stay_as_they_are(recogniser: Recogniser) -> None:
    assert named(recogniser, [box(place) for place in range(8)], ROW) == list(ROW)


def outlines(sizes: list[tuple[float, float]]) -> Floats:
    """Tiles in a row, each with its left edge and its width."""
    return np.array(
        [[[x, 0], [x + w, 0], [x + w, w * 4 / 3], [x, w * 4 / 3]] for x, w in sizes], np.float32
    )


def test_only_sure_faces_that_may_be_of_one_table_tell_of_a_tile_beside_them() -> None:
    wide = 30 * (LIKE + 0.1) ** 0.5
    corners = outlines([(0, 30), (31, 36), (70, 30), (-31, 30), (-40 - wide, wide)])
    shares = beside(corners, np.array([0.5, 0.95, 0.95, 0.8, 0.95], np.float32))
    assert shares[0].round(2).tolist() == [0, 1.44, 0, 0, 0], "far, doubtful, too large"


def test_an_outline_is_parted_both_ways_and_each_part_begins_with_a_short_side() -> None:
    (outline,) = outlines([(0, 60)])
    for two in parted(outline):
        assert areas(two).round(3).tolist() == [2400, 2400]
        for one in two:
            edges = np.linalg.norm(np.roll(one, -1, axis=0) - one, axis=1)
            assert edges[0] <= edges[1]
    below, across = parted(outline)
    assert np.ptp(below[..., 0]) == 60
    assert {float(part[:, 0].mean()) for part in across} == {15.0, 45.0}


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("4s", {"2s", "3s"}),
        ("6s", {"2s", "3s", "4s"}),
        ("4p", {"1p", "2p", "3p"}),
        ("0p", {"1p", "2p", "3p", "4p"}),
        ("1p", set()),
        ("9m", set()),
        ("7z", set()),
    ],
)
def test_a_face_has_as_parts_those_of_fewer_marks_that_halves_look_like(
    whole: str, parts: set[str]
) -> None:
    found = {FACES[face] for face in HALVES if has_part(FACE_INDEX[whole], face)}
    assert found == parts
    assert not has_part(FACE_INDEX["9s"], FACE_INDEX["8s"]), "no half looks like an 8s"


def test_only_two_tiles_are_more_like_one_when_cut() -> None:
    others = outlines([(0, 30), (31, 30), (62, 31)])
    two = np.array([[0, 0], [48, 0], [48, 40], [0, 40]], np.float32)
    assert len(more_alike(cut(two, 1 / 1.6), two, others)) == 2, "from either end"
    (front,) = outlines([(0, 45)])
    assert len(more_alike(cut(front, 1 / 2.25), front, others)) == 0


@pytest.mark.parametrize(
    ("row", "told", "why"),
    [
        ([0.0, 0.0, 0.0, 0.0], 0.0, "no face lies beside"),
        ([0.0, 2.0, 1.0, 0.0], 2.0, "one of two may be the other half"),
        ([1.0, 1.1, 1.4, 0.0], 1.1, "one of many is outlined loosely"),
    ],
)
def test_the_usual_area_of_many_faces_is_not_that_of_the_largest(
    row: list[float], told: float, why: str
) -> None:
    assert usual(np.array([row]))[0] == told, why
