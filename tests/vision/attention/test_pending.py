"""Looks: what rests and was read surely is not read again."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from tests.support.tables import VIEW, read_at
from vision.attention.motion import MotionMap
from vision.attention.pending import LATER_S, LookReader
from vision.attention.regions import selected, within
from vision.attention.schedule import LIVE, RECORDED
from vision.attention.tint import TintWatch
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Region
from vision.detect import Detection
from vision.tiles.classes import Side

FELT = np.full((1080, 1920, 3), 110, np.uint8)
PLACES = VIEW.to_image(np.array([[100.0, 60.0], [-100.0, 60.0]]), VIEW.lying_mm)
MIDDLE = PLACES[0]
OUTLINE = (np.array([[-19, -25], [19, -25], [19, 25], [-19, 25]]) + MIDDLE).astype(np.float32)
SURE = replace(read_at(100, 60, "5p").detected(), corners_px=OUTLINE)
"""A face that is told, ..."""
UNSURE = replace(SURE, score=0.3)
"""... an outline that may be no tile, ..."""
UNNAMED = replace(SURE, trust=0.1)
"""... and a tile whose face is not told."""


class Counting:
    """A detector that sees one tile, and counts how often it is asked."""

    def __init__(self, tile: Detection) -> None:
        self.tile, self.reads = tile, 0

    def read(self, *_: object) -> list[Detection]:
        self.reads += 1
        return [self.tile]


class Both:
    """A detector that sees these tiles, and keeps where it was asked to look."""

    def __init__(self, tiles: list[Detection]) -> None:
        self.tiles, self.regions = tiles, list[Region]()

    def read(self, *given: Any) -> list[Detection]:
        self.regions.append(given[1])
        return selected(self.tiles, within(self.tiles, [given[1]]))


def parts(tile: Detection) -> list[Any]:
    return [getattr(tile, field.name) for field in fields(tile)]


@pytest.mark.parametrize(
    ("tile", "between", "reads"),
    [
        (SURE, "", 1),
        (UNSURE, "", 2),
        (UNNAMED, "", 2),
        (replace(UNNAMED, side=Side.BACK), "", 1),
        (SURE, "a hand passed", 1),
        (SURE, "a tile was laid", 2),
        (SURE, "another tile should lie there", 2),
        (SURE, "told to read anew", 2),
    ],
)
def test_a_second_look_is_read_only_where_it_may_tell_more(
    tile: Detection, between: str, reads: int
) -> None:
    motion, detector = MotionMap(VIEW), Counting(tile)
    looks = LookReader(detector, TintWatch(), NoiseWatch())
    (x0, y0), (x1, y1) = (PLACES.min(axis=0) - 200).tolist(), (PLACES.max(axis=0) + 200).tolist()
    region = int(x0), int(y0), int(x1), int(y1)
    lying_px = MIDDLE[None]
    answers: list[list[list[Detection]]] = []
    for time_s in (0.0, 1.0, 2.0, 3.0, 4.0):
        passed = time_s == 2.0 and between == "a hand passed"
        picture = FELT.copy()
        if passed or (time_s >= 2.0 and between == "a tile was laid"):
            x, y = MIDDLE.astype(int)
            picture[y - 40 : y + 40, x - 40 : x + 40] = 220
        frame = Frame(picture, time_s, 0)
        motion.update(frame)
        if time_s in (1.0, 4.0):
            state = motion.state()
            known = answers[-1][0] if answers else ()
            look = looks.start(frame, [region], VIEW.tile_px, known, state, lying_px)
            answers.append(look.tiles(known))
        if time_s == 1.0 and between == "told to read anew":
            looks.forget()
        if time_s == 1.0 and between == "another tile should lie there":
            lying_px = PLACES
    (first,), (second,) = (answer[0] for answer in answers)
    assert first is tile
    assert all(
        np.array_equal(now, then) for now, then in zip(parts(second), parts(tile), strict=True)
    )
    assert detector.reads == reads


@pytest.mark.parametrize("tile", [UNSURE, UNNAMED])
def test_what_stays_doubtful_is_read_twice_at_once_and_again_much_later(tile: Detection) -> None:
    motion, detector = MotionMap(VIEW), Counting(tile)
    looks = LookReader(detector, TintWatch(), NoiseWatch())
    (x0, y0), (x1, y1) = (MIDDLE - 200).tolist(), (MIDDLE + 200).tolist()
    region = int(x0), int(y0), int(x1), int(y1)
    reads, passes_s = [], 1.5
    for time_s in (0.0, 0.3, 0.6, 0.9, 1.2, passes_s, 1.8, 2.1, 2.4, 2.4 + LATER_S):
        picture = FELT.copy()
        if time_s == passes_s:  # a hand
            x, y = MIDDLE.astype(int)
            picture[y - 40 : y + 40, x - 40 : x + 40] = 220
        frame = Frame(picture, time_s, 0)
        motion.update(frame)
        look = looks.start(frame, [region], VIEW.tile_px, (), motion.state())
        (tiles,) = look.tiles(())
        assert len(tiles) == 1 or passes_s <= time_s <= 1.8
        reads.append(detector.reads)
    assert reads == [1, *[2] * 8, 3]


@pytest.mark.parametrize(("tile", "reads"), [(SURE, 0), (UNNAMED, 1)])
def test_a_frame_that_was_read_as_a_whole_is_read_again_only_where_that_is_doubtful(
    tile: Detection, reads: int
) -> None:
    motion, detector = MotionMap(VIEW), Counting(tile)
    looks = LookReader(detector, TintWatch(), NoiseWatch())
    frame = Frame(FELT, 1.0, 0)
    motion.update(frame)
    looks.know(frame, [tile], motion.state())
    region = (*(MIDDLE - 200).astype(int), *(MIDDLE + 200).astype(int))
    (tiles,) = looks.start(frame, [region], VIEW.tile_px, (), motion.state()).tiles(())
    assert [parts(one) for one in tiles] == [parts(tile)]
    assert detector.reads == reads


def test_of_a_region_only_what_was_read_with_doubt_is_read_again() -> None:
    beside = replace(UNSURE, corners_px=OUTLINE - MIDDLE + PLACES[1])
    motion, reader = MotionMap(VIEW), Both([SURE, beside])
    looks = LookReader(reader, TintWatch(), NoiseWatch())
    region = (*(PLACES.min(axis=0) - 200).astype(int), *(PLACES.max(axis=0) + 200).astype(int))
    for time_s in (0.0, 1.0):
        motion.update(Frame(FELT, time_s, 0))
    for time_s in (1.0, 1.2):
        look = looks.start(Frame(FELT, time_s, 0), [region], VIEW.tile_px, (), motion.state())
        (tiles,) = look.tiles(())
        assert sorted(tile.score for tile in tiles) == [UNSURE.score, SURE.score]
    whole, (x0, y0, x1, y1) = reader.regions
    assert whole == region
    x, y = PLACES[1]
    assert x0 < x < x1 < MIDDLE[0]
    assert y0 < y < y1


def test_a_smaller_frame_is_read_in_its_own_pixels() -> None:
    half = np.diag([0.5, 0.5, 1.0])
    smaller = replace(SURE, corners_px=OUTLINE / 2)
    asked: list[tuple[Region, float]] = []

    class Reader:
        def read(self, *given: Any) -> list[Detection]:
            asked.append(given[1:3])
            return [smaller]

    looks = LookReader(Reader(), TintWatch(), NoiseWatch())
    frame = Frame(FELT[::2, ::2], 1.0, 0, shift=half)
    region = (200, 100, 1000, 900)
    (tiles,) = looks.start(frame, [region], VIEW.tile_px, ()).tiles(())
    ((seen, tile_px),) = asked
    assert seen == (100, 50, 500, 450)
    assert tile_px == pytest.approx(VIEW.tile_px / 2)
    np.testing.assert_allclose(tiles[0].corners_px, OUTLINE, rtol=1e-5)


def test_large_frames_pend_in_smaller_numbers() -> None:
    sizes_px = (1280, 720), (1920, 1080), (3840, 2160)
    assert [RECORDED.pending(size_px) for size_px in sizes_px] == [16, 11, 4]
    assert LIVE.pending((1920, 1080)) == 0


def test_a_look_at_a_live_table_is_always_read() -> None:
    detector = Counting(SURE)
    looks = LookReader(detector, TintWatch(), NoiseWatch())
    for time_s in (0.0, 1.0):
        looks.start(Frame(FELT, time_s, 0), [(0, 0, 640, 640)], VIEW.tile_px, ()).tiles(())
    assert detector.reads == 2
