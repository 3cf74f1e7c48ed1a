"""The shipped detector on a picture of the recorded hand, and its confidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine import read_record
from engine.events import Chow, Discard, Kong, Pung
from engine.tiles import UNKNOWN
from tests.support.paths import FILM, SAMPLES
from vision.camera.video_file import VideoFile
from vision.detect import SHIPPED, Detection, Detector
from vision.errors import WeightsError
from vision.tiles.boxes import Boxes
from vision.tiles.classes import FACES, Side
from vision.tiles.finder import SIDES_PX, WINDOW_PX, Finder, Net

LATE_S = 96.0
"""A moment of the recording at which no hand is over the table."""


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load(threads=1)


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    for frame in VideoFile(FILM).frames():
        if frame.time_s >= LATE_S:
            return frame.image_bgr
    raise AssertionError("the recorded hand is shorter than it was")


@pytest.fixture(scope="module")
def detections(detector: Detector, picture: NDArray[np.uint8]) -> list[Detection]:
    return detector.read(picture)


def lying() -> Counter[str]:
    """Faces on the table by the true record: discards and claimed sets."""
    faces: Counter[str] = Counter()
    for entry in read_record((SAMPLES / "harbin.seen.jsonl").read_text()):
        if entry.t is not None and entry.t > LATE_S:
            break
        match entry.event:
            case Discard(tile=tile):
                faces[str(tile)] += 1
            case Chow(own=own) | Pung(own=own):
                faces.update(str(tile) for tile in own)
            case Kong(own=own) if own:
                faces.update(str(tile) for tile in own)
    return faces


def test_the_faces_on_the_table_are_read(detections: list[Detection]) -> None:
    read = Counter(str(found.tile) for found in detections if found.tile.known)
    true = lying()
    right = (read & true).total()
    assert right >= 0.75 * true.total()
    assert right >= 0.85 * read.total()


def test_backs_and_standing_tiles_are_told_from_faces(detections: list[Detection]) -> None:
    sides = Counter(found.side for found in detections)
    assert sides[Side.BACK] >= 15
    assert sides[Side.STANDING] >= 15
    assert all(found.tile == UNKNOWN for found in detections if found.side is not Side.FACE)


def room(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The table in the middle of a larger picture, with four chairs."""
    around = np.full((1080, 1920, 3), (48, 60, 78), np.uint8)
    around[180:900, 320:1600] = picture
    for left, top, colour in (
        (20, 300, (210, 180, 150)),
        (1630, 380, (230, 235, 235)),
        (700, 910, (60, 60, 200)),
        (820, -60, (235, 230, 220)),
    ):
        seat = cv2.boxPoints(((left + 135.0, top + 180.0), (262.0, 342.0), 8.0))
        cv2.fillPoly(around, [seat.astype(np.int32)], colour)
    return around


def test_chairs_are_not_taken_for_huge_tiles(
    detector: Detector, picture: NDArray[np.uint8]
) -> None:
    seen = room(picture)
    known = len(detector.read(seen, tile_px=22.0))
    found = detector.read(seen)
    assert len(found) >= 0.95 * known
    assert np.median([one.width_px for one in found]) == pytest.approx(21, abs=3)


class PartFinder:
    """A finder whose outline of one tile shows six tenths of it."""

    def __init__(self, boxes: Boxes, cut: int) -> None:
        self._boxes, self._cut = boxes, cut

    def find(self, image_bgr: NDArray[np.uint8], tile_px: float) -> Boxes:
        x, y, width, height, angle = self._boxes.xywhr[self._cut].astype(float)
        along = np.array([np.cos(angle), np.sin(angle)])
        if width > height:
            x, y = (x, y) + 0.2 * width * along
            width *= 0.6
        else:
            x, y = (x, y) + 0.2 * height * np.array([-along[1], along[0]])
            height *= 0.6
        xywhr = self._boxes.xywhr.copy()
        xywhr[self._cut] = x, y, width, height, angle
        return replace(self._boxes, xywhr=xywhr)


def test_a_tile_is_read_whole_where_only_a_part_of_it_was_outlined(
    detector: Detector, picture: NDArray[np.uint8], detections: list[Detection]
) -> None:
    tile_px = float(np.median([tile.width_px for tile in detections if tile.tile.known]))
    boxes = detector.finder.find(picture, tile_px)
    whole = detector.read(picture, tile_px=tile_px)
    sure = [place for place, tile in enumerate(whole) if tile.tile.known]
    assert len(sure) > 10
    named = 0
    for cut in sure:
        finder = cast(Finder, PartFinder(boxes, cut))
        read = Detector(finder, detector.recogniser).read(picture, tile_px=tile_px)[cut]
        named += read.tile == whole[cut].tile
        assert read.tile in (whole[cut].tile, UNKNOWN)
    assert named > 0.7 * len(sure)


def test_tiles_elsewhere_tell_how_large_the_only_tile_of_a_region_is(
    detector: Detector, picture: NDArray[np.uint8], detections: list[Detection]
) -> None:
    tile_px = float(np.median([tile.width_px for tile in detections if tile.tile.known]))
    boxes = detector.finder.find(picture, tile_px)
    whole = detector.read(picture, tile_px=tile_px)
    named = {True: 0, False: 0}
    sure = [place for place, tile in enumerate(whole) if tile.tile.known]
    for cut in sure:
        alone = Boxes(*(column[cut : cut + 1] for column in vars(boxes).values()))
        reader = Detector(cast(Finder, PartFinder(alone, 0)), detector.recogniser)
        others = [tile for place, tile in enumerate(whole) if place != cut]
        for helped in named:
            (read,) = reader.read(picture, None, tile_px, others if helped else ())
            named[helped] += read.tile == whole[cut].tile
    assert named[True] > 0.7 * len(sure) > named[False]


def test_corners_go_clockwise_around_a_tile(detections: list[Detection]) -> None:
    for found in detections:
        assert cv2.contourArea(found.corners_px, oriented=True) > 0


def test_a_region_is_read_alone(detector: Detector, picture: NDArray[np.uint8]) -> None:
    region = (480, 150, 800, 500)
    found = detector.read(picture, region, tile_px=22)
    assert len(found) >= 10
    middles = np.array([one.corners_px.mean(axis=0) for one in found])
    assert (middles >= (480, 150)).all()
    assert (middles <= (800, 500)).all()


@pytest.mark.parametrize(
    "image",
    [np.zeros((720, 1280, 3), np.uint8), np.full((300, 200, 3), 127, np.uint8)],
    ids=["black", "grey, small"],
)
def test_nothing_is_found_where_nothing_is(detector: Detector, image: NDArray[np.uint8]) -> None:
    assert detector.read(image) == []


def test_a_doubtful_face_is_unknown() -> None:
    probabilities = np.zeros(len(FACES), np.float32)
    probabilities[:2] = 0.6, 0.4
    corners = np.zeros((4, 2), np.float32)
    doubtful = Detection(Side.FACE, corners, 0.9, probabilities, threshold=0.7)
    assert doubtful.tile == UNKNOWN
    assert doubtful.confidence == pytest.approx(0.6)
    assert Detection(Side.FACE, corners, 0.9, probabilities, threshold=0.5).tile == FACES[0]


def test_missing_weights_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"^cannot load the weights .*no such file.*$"):
        Detector.load(tmp_path)


def test_damaged_weights_are_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "finder.onnx").write_bytes(b"no net")
    with pytest.raises(WeightsError, match=r"^cannot load the weights .*damaged.*$"):
        Detector.load(tmp_path)


@pytest.mark.parametrize("whole", [True, False])
def test_the_size_of_tiles_is_told_by_whole_windows_alone(whole: bool) -> None:
    finder = Finder(SHIPPED / "finder.onnx", threads=1)
    net_of, sides = finder.net_of, set[int]()

    def noted(side_px: int) -> Net:
        sides.add(side_px)
        return net_of(side_px)

    finder.net_of = noted
    image = np.full((200, 200, 3), 90, np.uint8)
    if whole:
        finder.look(image, 1.0)
    else:
        finder.find(image, 30.0)
    assert sides == ({WINDOW_PX} if whole else {SIDES_PX[0]})
