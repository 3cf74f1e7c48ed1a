"""The scale at which a picture is read, with made-up boxes."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Floats
from vision.tiles.boxes import Boxes
from vision.tiles.finder import TILE_PX
from vision.tiles.scale import find_any_size

FACE, BACK, STANDING = 0, 1, 2
PICTURE_PX = 1920


class Scene:
    """A picture of known boxes; a look shows those of a size that the finder sees."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, float, float, int, float, float]] = []
        self.scales: list[float] = []

    def put(
        self,
        count: int,
        size_px: float,
        trust: float,
        *,
        side: int = FACE,
        score: float = 0.9,
        at: float = 0.0,
    ) -> Scene:
        """A row of boxes at intervals of 1.1 sizes, with centres ``at`` pixels down."""
        for place in range(count):
            x = (place + 0.5) * 1.1 * size_px
            self.rows.append((x, at + size_px, size_px, side, score, trust))
        return self

    def look(self, scale: float) -> Boxes:
        self.scales.append(scale)
        shown = [row for row in self.rows if 0.4 < row[2] * scale / TILE_PX < 2.2]
        x, y, size, side, score, _ = np.array(shown, np.float32).reshape(-1, 6).T
        xywhr = np.stack([x, y, size, size * 1.33, np.zeros_like(x)], axis=1)
        return Boxes(xywhr, score, side.astype(np.int64))

    def trust(self, boxes: Boxes) -> Floats:
        known = {(row[0], row[1]): row[5] for row in self.rows}
        keys = [tuple(np.float32(v) for v in row) for row in boxes.xywhr[:, :2]]
        by_float = {(np.float32(x), np.float32(y)): value for (x, y), value in known.items()}
        return np.array([by_float[x, y] for x, y in keys], np.float32)

    def read(self) -> list[int]:
        """Sizes of the boxes found, in pixels, smallest first."""
        found = find_any_size(PICTURE_PX, self.look, self.trust)
        return sorted(round(float(size)) for size in found.short_px)


def test_chairs_do_not_outweigh_tiles_by_their_size() -> None:
    scene = Scene().put(12, 30, 0.97).put(4, 320, 0.1, score=0.95, at=300)
    assert scene.read() == [30] * 12


def test_marks_on_tiles_do_not_outweigh_tiles_by_their_number() -> None:
    scene = Scene().put(7, 120, 0.98, at=400).put(60, 20, 0.05)
    assert scene.read() == [120] * 7


@pytest.mark.parametrize("side", [BACK, STANDING])
def test_where_no_face_is_up_many_of_one_size_decide(side: int) -> None:
    scene = Scene().put(40, 30, 0.0, side=side, score=0.8)
    scene.put(3, 400, 0.0, side=BACK, score=0.9, at=300)
    assert scene.read() == [30] * 40


def test_tiles_of_two_sizes_are_both_read() -> None:
    scene = Scene().put(14, 90, 0.98, at=300).put(20, 38, 0.97)
    assert scene.read() == [38] * 20 + [90] * 14


def test_a_single_sure_mistake_of_another_size_is_no_second_set() -> None:
    scene = Scene().put(14, 90, 0.98, at=300).put(1, 18, 0.97)
    assert scene.read() == [90] * 14


def test_two_large_tiles_are_read_beside_many_small_squares() -> None:
    scene = Scene().put(2, 120, 0.98, at=400).put(60, 36, 0.0, side=BACK, score=0.82)
    assert scene.read() == [36] * 60 + [120] * 2


def test_a_console_that_looks_like_a_face_is_no_second_set() -> None:
    scene = Scene().put(12, 36, 0.98).put(1, 120, 0.97, at=400)
    assert scene.read() == [36] * 12


def test_circles_on_a_large_tile_do_not_hide_it() -> None:
    scene = Scene().put(1, 120, 0.98).put(5, 20, 0.95, at=60)
    assert scene.read() == [120]


def test_tiles_within_a_less_sure_outline_stay() -> None:
    scene = Scene().put(1, 120, 0.93).put(5, 20, 0.97, at=60)
    assert scene.read() == [20] * 5


def test_no_finer_look_is_taken_once_the_tiles_are_read() -> None:
    scene = Scene().put(20, 90, 0.98)
    scene.read()
    assert max(scene.scales) * 90 < 2 * TILE_PX


def test_nothing_is_found_where_nothing_is() -> None:
    assert Scene().read() == []
