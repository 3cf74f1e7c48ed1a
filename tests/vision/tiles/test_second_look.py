"""A second look at doubtful tiles: where it is taken, and which reading stays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from vision.arrays import Bytes, Floats
from vision.detect import Detector
from vision.tiles.boxes import Boxes, corners_of
from vision.tiles.classes import FACES
from vision.tiles.finder import TILE_PX
from vision.tiles.recogniser import Recognition
from vision.tiles.second_look import AROUND, regions


def outlines(*middles: tuple[float, float], width: float = 30.0) -> Floats:
    """Upright tiles of this width with these middles."""
    rows = [(x, y, width, width * 4 / 3, 0.0) for x, y in middles]
    return corners_of(np.array(rows, np.float32).reshape(-1, 5))


def test_tiles_that_lie_together_are_looked_at_together_and_far_ones_apart() -> None:
    parts = regions(outlines((100, 100), (140, 100), (500, 400)), (640, 480))
    assert len(parts) == 2
    assert sorted(x0 < 100 for x0, *_ in parts) == [False, True]


def test_a_part_holds_the_surroundings_of_its_tiles_and_stays_within_the_picture() -> None:
    ((x0, y0, x1, y1),) = regions(outlines((20, 240)), (640, 480))
    assert x0 == 0
    assert x1 - 35 == pytest.approx(AROUND * np.sqrt(1200), abs=1.5)
    assert 240 - y0 == pytest.approx(y1 - 240, abs=1.5)


def test_parts_that_meet_only_through_a_third_one_are_one() -> None:
    assert len(regions(outlines((100, 100), (340, 100), (220, 100)), (640, 480))) == 1


def test_nothing_doubtful_asks_for_no_look() -> None:
    assert regions(outlines(), (640, 480)) == []


class Scene:
    """Finds tiles at fixed places; how sure each face is depends on the size that is looked for."""

    def __init__(self, sure: dict[float, list[float]]) -> None:
        self.sure = sure
        """By how much larger the tiles are shown than at first."""
        self.middles = np.array(
            [(60, 60), (60, 120), (120, 60), (300, 200), (560, 400), (560, 340)], np.float32
        )
        self.asked: list[tuple[tuple[int, ...], float]] = []
        self.now = 1.0

    def look(self, image_bgr: Bytes, _: float) -> Boxes:
        return self._boxes(image_bgr, TILE_PX)

    def find(self, image_bgr: Bytes, tile_px: float) -> Boxes:
        self.asked.append((image_bgr.shape[:2], tile_px))
        return self._boxes(image_bgr, tile_px)

    def _boxes(self, image_bgr: Bytes, tile_px: float) -> Boxes:
        self.now = min(self.sure, key=lambda size: abs(np.log(size * tile_px / TILE_PX)))
        # The part that is looked at is found again by the colour of its corner.
        x0, y0 = (int(value) for value in image_bgr[0, 0, :2])
        inside = self.middles - (2 * x0, 2 * y0)
        rows = [(x, y, 30, 40, 0.0) for x, y in inside if 0 < x < image_bgr.shape[1] and y > 0]
        found = np.array(rows, np.float32).reshape(-1, 5)
        return Boxes(found, np.full(len(found), 0.9, np.float32), np.zeros(len(found), np.int64))

    def read(self, _: Bytes, corners_px: Floats) -> Recognition:
        middles = corners_px.mean(axis=1)
        near = np.linalg.norm(middles[:, None] - self.middles[None], axis=2).argmin(axis=1)
        shares = np.zeros((len(middles), len(FACES)), np.float32)
        shares[:, 3] = np.array(self.sure[self.now], np.float32)[near]
        shares[:, 4] = 1 - shares[:, 3]
        more = np.full(len(middles), 5.0, np.float32)
        return Recognition(shares, np.zeros(len(middles), np.int64), corners_px, more, more)


def named(scene: Any, picture: Bytes) -> list[str]:
    recogniser = SimpleNamespace(
        threshold=0.9, threshold_in_company=0.9, confidence=None, read=scene.read
    )
    tiles = Detector(cast(Any, scene), cast(Any, recogniser)).read(picture)
    return [str(tile.tile) for tile in sorted(tiles, key=lambda tile: tile.corners_px[0, 0])]


def numbered() -> Bytes:
    """A picture whose colours tell where they are."""
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[..., 0] = np.arange(640)[None] // 2 % 256
    picture[..., 1] = np.arange(480)[:, None] // 2
    return picture


NAME = FACES[3]


def sure(middle: float, others: float = 0.95) -> list[float]:
    """Of each tile; the fourth one lies alone in the middle."""
    return [others] * 3 + [middle] + [others] * 2


def test_a_doubtful_tile_is_named_as_a_larger_look_reads_it() -> None:
    scene = Scene({1.0: sure(0.6), 1.5: sure(0.97, 0.5), 0.67: sure(0.5, 0.5)})
    assert named(scene, numbered()) == [NAME] * 6
    ((size, tile_px),) = scene.asked
    assert max(size) < 300
    assert tile_px == pytest.approx(30 / 1.5, rel=0.05)


def test_what_no_look_is_sure_of_stays_doubtful() -> None:
    scene = Scene({1.0: sure(0.6), 1.5: sure(0.5), 0.67: sure(0.7)})
    assert sorted(named(scene, numbered())) == sorted([NAME] * 5 + ["?"])
    assert len(scene.asked) == 2


@pytest.mark.parametrize(
    ("first", "read"),
    [
        (sure(0.95), [NAME] * 6),  # nothing is doubtful
        (sure(0.95, 0.6), [NAME] + ["?"] * 5),  # few faces are sure: it may be no table
    ],
)
def test_other_pictures_are_looked_at_once(first: list[float], read: list[str]) -> None:
    scene = Scene({1.0: first, 1.5: sure(0.99, 0.99), 0.67: sure(0.99, 0.99)})
    assert sorted(named(scene, numbered())) == sorted(read)
    assert scene.asked == []


class Stretched:
    """Six tiles of a picture with this shape; its faces are sure only in that shape."""

    def __init__(self, shape: float, out_of_shape: float = 0.6) -> None:
        self.shape, self.out_of_shape = shape, out_of_shape
        self.looked = 0

    def find(self, image_bgr: Bytes, _: float) -> Boxes:
        self.looked += 1
        height, width = image_bgr.shape[:2]
        rows = [((i + 0.5) * width / 6, height / 2, 30, 40, 0.0) for i in range(6)]
        return Boxes(np.array(rows, np.float32), np.full(6, 0.9, np.float32), np.zeros(6, np.int64))

    def look(self, image_bgr: Bytes, _: float) -> Boxes:
        self.looked -= 1
        return self.find(image_bgr, TILE_PX)

    def read(self, image_bgr: Bytes, corners_px: Floats) -> Recognition:
        height, width = image_bgr.shape[:2]
        off = abs(np.log(width / height / self.shape)) > 0.05
        shares = np.zeros((len(corners_px), len(FACES)), np.float32)
        shares[:, 3] = self.out_of_shape if off else 0.97
        shares[:, 4] = 1 - shares[:, 3]
        more = np.full(len(corners_px), 5.0, np.float32)
        return Recognition(shares, np.zeros(len(corners_px), np.int64), corners_px, more, more)


@pytest.mark.parametrize("shape", [4 / 3, 3 / 4, 16 / 9, 9 / 16])
def test_a_picture_stretched_to_a_square_is_read_in_its_own_shape(shape: float) -> None:
    square = np.zeros((480, 480, 3), np.uint8)
    assert named(Stretched(shape), square) == [NAME] * 6


def test_tiles_read_in_another_shape_lie_where_they_are_in_the_picture() -> None:
    scene = Stretched(4 / 3)
    recogniser = SimpleNamespace(
        threshold=0.9, threshold_in_company=0.9, confidence=None, read=scene.read
    )
    tiles = Detector(cast(Any, scene), cast(Any, recogniser)).read(
        np.zeros((480, 480, 3), np.uint8)
    )
    middles = sorted(tile.corners_px.mean(axis=0).tolist() for tile in tiles)
    assert middles[0] == pytest.approx([40, 240], abs=1)


@pytest.mark.parametrize(
    ("shape", "out_of_shape", "size"),
    [
        (4 / 3, 0.6, (480, 640)),  # no square
        (1.0, 0.6, (480, 480)),  # all is sure
        (4 / 3, 0.95, (480, 480)),
    ],
)
def test_other_pictures_keep_their_shape(
    shape: float, out_of_shape: float, size: tuple[int, int]
) -> None:
    scene = Stretched(shape, out_of_shape)
    assert named(scene, np.zeros((*size, 3), np.uint8)) == [NAME] * 6
    assert scene.looked == 0
