"""A row of standing tiles is found in a picture, straightened, and read from left to right."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats
from vision.detect import Detector
from vision.seat_camera.row_reader import FACE, DetectorNets, RowReader, StandingRow
from vision.seat_camera.strip import row_of, strip_of, upright
from vision.tiles.boxes import Boxes
from vision.tiles.classes import FACE_INDEX, FACES
from vision.tiles.finder import Finder
from vision.tiles.recogniser import Recognition

PICTURE = Path(__file__).parent / "standing_hand.jpg"
"""Frame 58 of a simulated film: riichi, seed 22, the hand of seat 1."""
HELD = "3m 5m 6m 4p 7p 8p 9p 1s 3s 4s 5s 6s 8s"


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    image = cv2.imread(str(PICTURE))
    assert image is not None
    return np.asarray(image, np.uint8)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load()


@pytest.fixture
def reader(detector: Detector) -> RowReader:
    return RowReader(detector)


def named(row: StandingRow | None) -> list[str]:
    assert row is not None
    return [FACES[int(shares.argmax())] for shares in row.probabilities]


def test_the_own_hand_alone_is_read(precise: bool, picture: NDArray[np.uint8]) -> None:
    read = named(RowReader(Detector.load(precise=precise)).read(picture))
    assert len(read) == len(HELD.split())
    assert sum(one == other for one, other in zip(read, HELD.split(), strict=True)) >= 12


@pytest.mark.parametrize("turn_deg", [-8.0, 8.0])
def test_a_camera_that_is_held_askew_reads_the_same(
    reader: RowReader, picture: NDArray[np.uint8], turn_deg: float
) -> None:
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 0.9)
    turned = np.asarray(cv2.warpAffine(picture, matrix, (width, height)), np.uint8)
    read = named(reader.read(turned))
    # A pale tile at the far end may be missed, but none may be invented.
    assert len(read) >= 11
    assert read == HELD.split()[-len(read) :]


class FindsFew:
    """A finder that finds only the last tiles of a row."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder

    def find(self, image_bgr: Bytes, tile_px: float, least: float) -> Boxes:
        boxes = self._finder.find(image_bgr, tile_px, least)
        (faces,) = np.nonzero(boxes.classes == FACE)
        return boxes.take(faces[np.argsort(boxes.xywhr[faces, 0])][-5:])


def test_a_row_is_read_to_its_end_however_few_of_its_tiles_were_found(
    detector: Detector, picture: NDArray[np.uint8]
) -> None:
    nets = cast(
        DetectorNets,
        SimpleNamespace(finder=FindsFew(detector.finder), recogniser=detector.recogniser),
    )
    assert named(RowReader(nets).read(picture)) == HELD.split()


def test_a_five_that_may_be_red_is_a_tile_of_the_row(
    detector: Detector, picture: NDArray[np.uint8], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was left out where both faces were as likely, and with it all tiles beyond it."""
    read = detector.recogniser.read

    def doubtful(image_bgr: Bytes, corners_px: Floats) -> Recognition:
        known = read(image_bgr, corners_px)
        red, plain = FACE_INDEX["0m"], FACE_INDEX["5m"]
        both = known.probabilities[:, red] + known.probabilities[:, plain]
        known.probabilities[:, red], known.probabilities[:, plain] = 0.75 * both, 0.25 * both
        return known

    monkeypatch.setattr(detector.recogniser, "read", doubtful)
    row = RowReader(detector).read(picture)
    assert [face.replace("0", "5") for face in named(row)] == HELD.split()


def test_an_empty_table_shows_no_hand(reader: RowReader) -> None:
    felt = np.full((720, 1280, 3), (60, 110, 40), np.uint8)
    assert reader.read(felt) is None


def test_outlines_begin_at_the_top_left_whichever_way_they_came() -> None:
    quad = np.array([[10, 10], [50, 12], [49, 70], [9, 68]], float)
    for turn in range(4):
        assert np.array_equal(upright(np.roll(quad, turn, axis=0)[None])[0], quad)


def slanted(count: int) -> NDArray[np.float64]:
    """A row that runs away from the camera to the right."""
    quads = []
    for place in range(count):
        size, x = 60 * 0.97**place, 100 + 55 * place
        quads.append(np.array([[0, 0], [0.9, 0.1], [0.85, 1.3], [-0.05, 1.2]]) * size + (x, 300))
    return np.array(quads)


def test_stray_outlines_belong_to_no_row() -> None:
    stray = slanted(2) + np.array([20.0, -240.0])
    quads = np.concatenate([slanted(9), stray])
    chosen = row_of(quads, np.ones(len(quads)))
    assert chosen.tolist() == [True] * 9 + [False] * 2


def test_three_tiles_are_no_row() -> None:
    assert not row_of(slanted(3), np.ones(3)).any()
    assert strip_of(slanted(3)) is None


def test_a_strip_shows_all_tiles_upright_and_of_one_size() -> None:
    quads = slanted(9)
    strip = strip_of(quads)
    assert strip is not None
    flat = cv2.perspectiveTransform(quads.reshape(1, -1, 2), strip.to_strip).reshape(-1, 4, 2)
    heights = np.linalg.norm(flat[:, 3] - flat[:, 0], axis=1)
    assert heights.max() < 1.1 * heights.min()
    assert np.abs(flat[:, 0, 0] - flat[:, 3, 0]).max() < 0.25 * heights.mean()
    assert strip.in_picture(np.asarray(flat, np.float64)) == pytest.approx(quads, abs=1e-3)
