"""Pictures that were stretched to a square."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.boxes import Boxes
from vision.tiles.proportion import scaled, squeezed

TILE = (30, 40)
"""The size of the white rectangles that count as tiles here."""


def row(count: int) -> NDArray[np.uint8]:
    """``count`` white tiles side by side on green."""
    picture = np.full((TILE[1] + 8, count * (TILE[0] + 4) + 4, 3), (40, 120, 40), np.uint8)
    for place in range(count):
        left = 4 + place * (TILE[0] + 4)
        picture[4 : 4 + TILE[1], left : left + TILE[0]] = 255
    return picture


def stretch(picture: NDArray[np.uint8], size: tuple[int, int] = (640, 640)) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def find(picture: NDArray[np.uint8]) -> Boxes:
    """White rectangles with sides within a factor of 1.6 of a tile's."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((picture[..., 0] > 128).astype(np.uint8))
    boxes = []
    for x, y, wide, high, _ in stats[1:].tolist():
        if 0.75 / 1.6 < wide / high < 0.75 * 1.6 or 0.75 / 1.6 < high / wide < 0.75 * 1.6:
            boxes.append((x + wide / 2, y + high / 2, wide, high, 0.0))
    xywhr = np.array(boxes, np.float32).reshape(-1, 5)
    return Boxes(xywhr, np.full(len(xywhr), 0.9, np.float32), np.zeros(len(xywhr), np.int64))


@pytest.mark.parametrize("count", [8, 11, 14])
@pytest.mark.parametrize("standing", [False, True])
def test_a_row_stretched_to_a_square_gets_its_true_shape(count: int, standing: bool) -> None:
    picture = np.rot90(row(count)).copy() if standing else row(count)
    stretched = stretch(picture)
    scales = squeezed(stretched, find, find(stretched))
    true = picture.shape[1] / picture.shape[0]
    assert scales[0] / scales[1] == pytest.approx(true, rel=0.25)
    assert len(find(scaled(stretched, scales))) == count


@pytest.mark.parametrize("count", [1, 4])
def test_so_few_tiles_are_no_reason_to_doubt_a_picture(count: int) -> None:
    stretched = stretch(row(count))
    assert squeezed(stretched, find, find(stretched)) == (1.0, 1.0)


def test_a_picture_that_is_no_square_is_as_a_camera_made_it() -> None:
    stretched = stretch(row(14), (640, 480))
    assert squeezed(stretched, find, find(stretched)) == (1.0, 1.0)


def test_a_square_picture_with_few_small_tiles_stays_as_it_is() -> None:
    table = np.full((640, 640, 3), (40, 120, 40), np.uint8)
    tiles = row(14)
    table[300 : 300 + tiles.shape[0], 60 : 60 + tiles.shape[1]] = tiles
    assert squeezed(table, find, find(table)) == (1.0, 1.0)
