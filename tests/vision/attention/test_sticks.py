"""The stick of a ready player is seen where it came to lie, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.tables import VIEW, Stage
from vision.arrays import Bools, Bytes
from vision.attention.sticks import StickWatch
from vision.camera.pictures import Region
from vision.table.view import Points, from_seat

BEGINS_MM = 80.0
"""Where the rivers of these tables begin."""


@cache
def felt() -> Bytes:
    noise = np.random.default_rng(7).normal((60, 90, 40), 4.0, (1080, 1920, 3))
    return noise.clip(0, 255).astype(np.uint8)


class Cloth:
    """A felt table with a console, a first discard before each player, and what is drawn on it."""

    def __init__(self) -> None:
        self.image_bgr = felt().copy()
        self.stage = Stage()
        for seat in range(4):
            self.stage.put(seat, -60, BEGINS_MM + 20, "1z")
            self.draw(seat, (-60, BEGINS_MM + 20), (30, 40), (225, 230, 230))
        self.draw(0, (0, 0), (110, 110), (30, 30, 30))

    def draw(
        self, seat: int, at_mm: tuple[float, float], size_mm: tuple[float, float],
        colour: tuple[int, int, int], turned_deg: float = 0.0,
    ) -> None:  # fmt: skip
        box = cv2.boxPoints((at_mm, size_mm, turned_deg)).astype(np.float64)
        corners = VIEW.to_image(from_seat(box, seat))
        cv2.fillPoly(self.image_bgr, [np.round(corners).astype(np.int32)], colour)

    def look(self, watch: StickWatch, clear: bool = True, times: int = 3) -> frozenset[int]:
        def picture(parts: Sequence[Region]) -> Bytes:
            return self.image_bgr

        def still(points_px: Points) -> Bools:
            return np.full(len(points_px), clear)

        found = frozenset[int]()
        for seen in self.stage.shown(0.2 * times):
            found = watch.look(seen.time_s, picture, seen.placed, still)
        return found


IVORY = (205, 225, 230)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("size_mm", [(66, 6), (90, 9)])
@pytest.mark.parametrize("turned_deg", [-6, 0, 5])
def test_a_stick_before_a_river(seat: int, size_mm: tuple[int, int], turned_deg: int) -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    assert table.look(watch) == set()
    table.draw(seat, (8, BEGINS_MM - 10), size_mm, IVORY, turned_deg)
    assert table.look(watch, times=1) == set()
    assert table.look(watch) == {seat}


@pytest.mark.parametrize(
    ("at_mm", "size_mm"),
    [
        ((-30, BEGINS_MM + 20), (30, 40)),  # the next discard
        ((0, BEGINS_MM - 10), (20, 20)),  # a die
        ((0, BEGINS_MM - 10), (70, 26)),  # a card
        ((0, BEGINS_MM - 12), (8, 40)),  # a stick that points to its player
    ],
)
def test_other_things_are_no_sticks(
    at_mm: tuple[float, float], size_mm: tuple[float, float]
) -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.look(watch)
    table.draw(1, at_mm, size_mm, IVORY)
    assert table.look(watch) == set()


def test_another_light_and_what_lay_there_before_say_nothing() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.draw(2, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch) == set()
    table.image_bgr = np.minimum(table.image_bgr.astype(int) * 3 // 2 + 30, 255).astype(np.uint8)
    assert table.look(watch) == set()


def test_what_is_covered_is_not_judged_and_the_next_hand_begins_anew() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.look(watch)
    table.draw(3, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch, clear=False) == set()
    assert table.look(watch) == {3}
    watch.forget()
    assert table.look(watch) == set()


def test_a_knocked_camera_lays_no_sticks() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.look(watch)
    for seat in (1, 2):
        table.draw(seat, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch) == set()
    table.draw(3, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch) == {3}


def test_a_sleeve_that_rests_there_hides_no_stick_and_makes_none() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.look(watch)
    bare = table.image_bgr.copy()
    for colour in ((240, 240, 240), (20, 20, 20)):
        table.draw(1, (20, BEGINS_MM - 10), (60, 90), colour)
        table.look(watch, times=1)
        table.image_bgr = bare.copy()
        assert table.look(watch) == set()
    table.draw(1, (20, BEGINS_MM - 10), (60, 90), (240, 240, 240))
    table.look(watch)
    table.image_bgr = bare
    table.draw(1, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch) == {1}


def test_an_indicator_in_the_wall_is_no_river() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.stage.clear()
    table.stage.put(1, 40, 234, "3p")
    assert table.look(watch) == set()
    table.stage.put(1, -60, BEGINS_MM + 20, "1z")
    table.look(watch)
    table.draw(1, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch) == {1}


def test_a_stick_between_a_dark_console_and_bright_cloth() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.image_bgr = np.full_like(table.image_bgr, 150)
    table.draw(1, (0, 0), (300, 2 * BEGINS_MM - 18), (30, 30, 30))
    table.look(watch)
    table.draw(1, (0, BEGINS_MM - 8), (90, 9), (225, 230, 230))
    assert table.look(watch) == {1}


def test_a_stick_that_was_seen_once_and_is_covered_is_not_told_yet() -> None:
    table, watch = Cloth(), StickWatch(VIEW)
    table.look(watch)
    table.draw(2, (0, BEGINS_MM - 10), (80, 8), IVORY)
    assert table.look(watch, times=1) == set()
    assert table.look(watch, clear=False) == set()
    assert table.look(watch, times=1) == {2}
