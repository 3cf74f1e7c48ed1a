"""Outlines of parts of tiles are refuted by the area of the other tiles."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.parts import LEAST_OTHERS, PART, areas, extended, usual_areas

WIDTH, HEIGHT = 30.0, 40.0


def rectangle(
    x: float, y: float, turned_deg: float = 0.0, height: float = HEIGHT
) -> NDArray[np.float32]:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (WIDTH / 2, height / 2)
    angle = np.radians(turned_deg)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(half @ turn + (x, y), np.float32)


def table(*odd: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tiles in all directions, and what else lies there, seen from one side."""
    lying = [rectangle(60 * x, 60 * y, 17 * (x + 3 * y)) for x in range(6) for y in range(4)]
    tilted = np.array([[1, 0.1, 0], [0, 0.8, 0], [0, 0.0012, 1]], np.float32)
    corners = np.concatenate([*lying, *odd]).reshape(1, -1, 2)
    return np.asarray(cv2.perspectiveTransform(corners, tilted).reshape(-1, 4, 2), np.float32)


def shares(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """Area of each outline as a share of the usual one there."""
    weights = np.full(len(corners), 0.9, np.float32)
    return areas(corners) / usual_areas(corners, weights, range(len(corners)))


def test_whole_tiles_have_the_usual_area_in_any_direction_and_at_any_distance() -> None:
    assert np.abs(np.log(shares(table()))).max() < 0.1


@pytest.mark.parametrize("height", [0.5 * HEIGHT, 0.62 * HEIGHT, 0.7 * HEIGHT])
@pytest.mark.parametrize("place", [(90.0, 30.0), (330.0, 90.0), (30.0, 210.0)])
def test_a_part_of_a_tile_is_refuted(height: float, place: tuple[float, float]) -> None:
    found = shares(table(rectangle(*place, 40.0, height)))
    assert found[-1] < PART
    assert found[:-1].min() > PART, "the others are not drawn down by it"


def test_a_few_tiles_refute_nothing() -> None:
    few = table()[:LEAST_OTHERS]
    assert np.isnan(shares(few)).all()


@pytest.mark.parametrize("turned_deg", [0.0, 35.0, 90.0, 200.0])
@pytest.mark.parametrize("upper", [True, False])
def test_the_whole_tile_is_among_the_extended_outlines(turned_deg: float, upper: bool) -> None:
    whole = rectangle(100, 80, turned_deg)
    share = 0.6
    part = whole.copy()
    if upper:
        part[2:] = whole[:2][::-1] + share * (whole[2:] - whole[:2][::-1])
    else:
        part[:2] = whole[2:][::-1] + share * (whole[:2] - whole[2:][::-1])
    found = extended(part, WIDTH * HEIGHT)
    assert areas(found) == pytest.approx(WIDTH * HEIGHT)
    edges = np.linalg.norm(np.roll(found, -1, axis=1) - found, axis=2)
    assert (edges[:, 0] < edges[:, 1]).all(), "a short side first"
    middles = np.linalg.norm(found.mean(axis=1) - whole.mean(axis=0), axis=1)
    assert middles.min() < 0.01 * WIDTH
