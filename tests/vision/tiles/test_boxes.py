"""Oriented boxes: corners, decoding, and doubles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tiles.boxes import Boxes, corners_of, decode, join, without_doubles


def boxes(*rows: tuple[float, ...], scores: tuple[float, ...] | None = None) -> Boxes:
    xywhr = np.array(rows, np.float32).reshape(-1, 5)
    given = scores or (0.9,) * len(rows)
    return Boxes(xywhr, np.array(given, np.float32), np.zeros(len(rows), np.int64))


@pytest.mark.parametrize("angle", [-0.7, 0.0, 0.4, np.pi / 2, 2.3])
@pytest.mark.parametrize(("width", "height"), [(40, 30), (30, 40), (33, 33)])
def test_corners_are_those_of_the_rotated_rectangle(
    angle: float, width: float, height: float
) -> None:
    corners = corners_of(np.array([[100, 80, width, height, angle]], np.float32))[0]
    expected = cv2.boxPoints(((100, 80), (width, height), float(np.rad2deg(angle))))
    for corner in corners:
        assert np.linalg.norm(expected - corner, axis=1).min() < 1e-3


def test_corners_go_clockwise_and_begin_with_a_short_side() -> None:
    a, b, c, _ = corners_of(np.array([[0, 0, 40, 30, 0.3]], np.float32))[0]
    assert np.linalg.norm(b - a) == pytest.approx(30, abs=1e-3)
    turn = (b - a)[0] * (c - b)[1] - (b - a)[1] * (c - b)[0]
    assert turn > 0  # y grows downwards, so clockwise on the screen


def test_decoding_keeps_only_what_is_sure_enough() -> None:
    output = np.zeros((4 + 3 + 1, 5), np.float32)
    output[:4, 2] = 10, 20, 30, 40
    output[5, 2] = 0.8  # second class
    output[-1, 2] = 0.25
    found = decode(output, 0.5)
    assert len(found) == 1
    assert found.classes.tolist() == [1]
    assert found.xywhr[0].tolist() == [10, 20, 30, 40, 0.25]


def test_the_better_of_two_boxes_on_one_tile_stays() -> None:
    doubled = boxes((50, 50, 40, 30, 0.0), (52, 51, 40, 30, 0.05), scores=(0.6, 0.9))
    assert without_doubles(doubled).scores.tolist() == pytest.approx([0.9])


def test_the_same_tile_seen_along_and_across_is_one() -> None:
    doubled = boxes((50, 50, 40, 30, 0.0), (50, 50, 30, 40, np.pi / 2), scores=(0.9, 0.8))
    assert len(without_doubles(doubled)) == 1


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.1])
def test_tiles_that_touch_are_two(angle: float) -> None:
    step = 30 * np.array([np.cos(angle + np.pi / 2), np.sin(angle + np.pi / 2)])
    row = boxes(*[(*(100 + i * step), 40.0, 30.0, angle) for i in range(4)])
    assert len(without_doubles(row)) == 4


def test_moving_scales_places_and_sizes_but_not_angles() -> None:
    moved = boxes((10, 20, 40, 30, 0.5)).moved(2.0, (5, 7))
    assert moved.xywhr[0].tolist() == [25, 47, 80, 60, 0.5]


def test_joining_nothing_gives_no_boxes() -> None:
    assert len(join([])) == 0
