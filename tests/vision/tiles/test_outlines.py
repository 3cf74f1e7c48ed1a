"""Outlines of tiles: their corners, doubles, parts, and the scale and shape of a picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.tiles.boxes import Boxes, corners_of, decode, join, without_doubles
from vision.tiles.doubles import shared, singles
from vision.tiles.finder import TILE_PX
from vision.tiles.parts import LEAST_OTHERS, PART, areas, extended, usual_areas
from vision.tiles.proportion import scaled, squeezed
from vision.tiles.scale import find_any_size


def boxes(*rows: tuple[float, ...], scores: tuple[float, ...] | None = None) -> Boxes:
    xywhr = np.array(rows, np.float32).reshape(-1, 5)
    given = scores or (0.9,) * len(rows)
    return Boxes(xywhr, np.array(given, np.float32), np.zeros(len(rows), np.int64))


@pytest.mark.parametrize("angle", [-0.7, 0.0, 0.4, np.pi / 2, 2.3])
@pytest.mark.parametrize(("width", "height"), [(40, 30), (30, 40), (33, 33)])
def test_corners_are_those_of_a_turned_box(angle: float, width: float, height: float) -> None:
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


# --- parts of tiles are refuted by the area of the others ---


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


# --- pictures that were stretched to a square ---


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


# --- the scale at which a picture is read ---


FACE, BACK, STANDING = 0, 1, 2
PICTURE_PX = 1920


class Scene:
    """A picture of known boxes; a look shows those of a size that the finder sees."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, ...]] = []
        self.scales: list[float] = []

    def put(
        self,
        count: int,
        size_px: float,
        trust: float,
        at: float = 0.0,
        side: float = FACE,
        score: float = 0.9,
    ) -> None:
        """A row of boxes at intervals of 1.1 sizes, with centres ``at`` pixels down."""
        for place in range(count):
            x = (place + 0.5) * 1.1 * size_px
            self.rows.append((x, at + size_px, size_px, side, score, trust))

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


Row = tuple[float, ...]
SCENES: dict[str, tuple[list[Row], list[int]]] = {
    "chairs": ([(12, 30, 0.97), (4, 320, 0.1, 300, FACE, 0.95)], [30] * 12),
    "marks on tiles": ([(7, 120, 0.98, 400), (60, 20, 0.05)], [120] * 7),
    "many backs": ([(40, 30, 0, 0, BACK, 0.8), (3, 400, 0, 300, BACK)], [30] * 40),
    "many that stand": ([(40, 30, 0, 0, STANDING, 0.8), (3, 400, 0, 300, BACK)], [30] * 40),
    "tiles of two sizes": ([(14, 90, 0.98, 300), (20, 38, 0.97)], [38] * 20 + [90] * 14),
    "a single mistake": ([(14, 90, 0.98, 300), (1, 18, 0.97)], [90] * 14),
    "large tiles": ([(2, 120, 0.98, 400), (60, 36, 0, 0, BACK, 0.82)], [36] * 60 + [120] * 2),
    "a console like a face": ([(12, 36, 0.98), (1, 120, 0.97, 400)], [36] * 12),
    "circles on a large tile": ([(1, 120, 0.98), (5, 20, 0.95, 60)], [120]),
    "tiles within a less sure outline": ([(1, 120, 0.93), (5, 20, 0.97, 60)], [20] * 5),
    "nothing": ([], []),
}
"""Rows of boxes, and the sizes of those that are tiles."""


@pytest.mark.parametrize("name", SCENES)
def test_tiles_are_told_by_their_size_and_trust(name: str) -> None:
    scene = Scene()
    rows, sizes = SCENES[name]
    for count, size_px, trust, *rest in rows:
        scene.put(round(count), size_px, trust, *rest)
    assert scene.read() == sizes


def test_no_finer_look_is_taken_once_the_tiles_are_read() -> None:
    scene = Scene()
    scene.put(20, 90, 0.98)
    scene.read()
    assert max(scene.scales) * 90 < 2 * TILE_PX


# --- one tile that is found twice ---


WHOLE, NEIGHBOUR, HALF, AGAIN = corners_of(
    np.array(
        [
            [100, 100, 30, 40, 0],
            [131, 100, 30, 40, 0],
            [100, 90, 30, 20, 0],
            [101, 101, 31, 40, 0.03],
        ],
        np.float32,
    )
)


def test_how_much_two_outlines_share() -> None:
    of_whole = shared(WHOLE[None], np.stack([WHOLE, HALF, NEIGHBOUR]))
    np.testing.assert_allclose(of_whole, [[1, 1, 0]], atol=1e-5)
    assert shared(WHOLE[None], np.zeros((0, 4, 2), np.float32)).shape == (1, 0)


@pytest.mark.parametrize(
    ("tiles", "worth", "stay"),
    [
        ([WHOLE, AGAIN], [0.9, 0.5], [True, False]),
        ([WHOLE, AGAIN], [0.5, 0.9], [False, True]),
        ([WHOLE, HALF], [0.9, 0.5], [True, False]),
        ([WHOLE, NEIGHBOUR], [0.9, 0.5], [True, True]),
        ([AGAIN, HALF, WHOLE, NEIGHBOUR], [0.5, 0.6, 0.9, 0.1], [False, False, True, True]),
    ],
)
def test_a_tile_that_is_found_twice_is_one(
    tiles: list[Floats], worth: list[float], stay: list[bool]
) -> None:
    assert singles(np.stack(tiles), np.array(worth, np.float32)).tolist() == stay
