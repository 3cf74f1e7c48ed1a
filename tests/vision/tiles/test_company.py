"""Tiles near sure faces of like size are in company."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats
from vision.tiles.company import in_company

WIDE, HIGH = 30.0, 40.0


def row(lefts: list[float], wide: float = WIDE, high: float = HIGH) -> Floats:
    """Upright outlines with these left edges."""
    return np.array(
        [[[x, 0], [x + wide, 0], [x + wide, high], [x, high]] for x in lefts], np.float32
    )


def sure(*values: float) -> Floats:
    return np.array(values, np.float32)


def test_a_doubtful_tile_in_a_row_of_sure_ones_is_in_company() -> None:
    tiles = row([0, 31, 62, 93])
    assert in_company(tiles, sure(0.99, 0.6, 0.99, 0.99))[1]


def test_the_last_of_a_row_is_in_company() -> None:
    assert in_company(row([0, 31, 62]), sure(0.6, 0.99, 0.99))[0]


def test_doubtful_neighbours_are_no_company() -> None:
    assert not in_company(row([0, 31, 62]), sure(0.6, 0.89, 0.89)).any()


def test_one_neighbour_is_no_company() -> None:
    assert not in_company(row([0, 31]), sure(0.6, 0.99)).any()


def test_what_stands_apart_is_alone() -> None:
    assert in_company(row([0, 31, 62, 500]), sure(0.99, 0.99, 0.99, 0.6)).tolist() == [
        True,
        True,
        True,
        False,
    ]


def test_what_is_larger_is_alone() -> None:
    tiles = np.concatenate([row([0, 31, 62]), row([100], 2 * WIDE, 2 * HIGH)])
    assert not in_company(tiles, sure(0.99, 0.99, 0.99, 0.6))[3]


def test_no_tiles() -> None:
    assert in_company(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)).shape == (0,)
