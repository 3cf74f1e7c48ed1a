"""The shipped detector on a picture of the recorded hand, and what is made of its detections."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine import read_record
from engine.events import Chow, Discard, Kong, Pung
from engine.tiles import UNKNOWN, Tile
from tests.support.detectors import LeftDark
from tests.support.paths import FILM, SAMPLES
from tests.support.placed_tiles import Lying
from vision.arrays import Floats
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.detect import SHIPPED, Detection, Detector
from vision.draw import around, overlay, with_crops
from vision.errors import WeightsError
from vision.source_check import READ_EACH_S, SourceCheck
from vision.tiles.boxes import Boxes
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tiles.finder import (
    SIDES_PX,
    TILE_PX,
    WINDOW_PX,
    Finder,
    Net,
)
from vision.tiles.recogniser import Recognition
from vision.to_supervision import from_supervision, supervision_fields

LATE_S = 96.0
"""A moment of the recording at which no hand is over the table."""


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load(threads=1)


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    frame = VideoFile(FILM).frame_at(LATE_S)
    assert frame is not None, "the recorded hand is shorter than it was"
    return frame.image_bgr


@pytest.fixture(scope="module")
def detections(precise: bool, picture: NDArray[np.uint8]) -> list[Detection]:
    return Detector.load(threads=1, precise=precise).read(picture)


@pytest.fixture(scope="module")
def tile_px(detector: Detector, picture: NDArray[np.uint8]) -> float:
    """How wide a tile of the picture is."""
    read = detector.read(picture)
    return float(np.median([tile.width_px for tile in read if tile.tile.known]))


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
    assert all(cv2.contourArea(found.corners_px, oriented=True) > 0 for found in detections)


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


def test_chairs_are_not_taken_for_tiles(detector: Detector, picture: NDArray[np.uint8]) -> None:
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
    detector: Detector, picture: NDArray[np.uint8], tile_px: float
) -> None:
    boxes = detector.finder.find(picture, tile_px)
    whole = detector.read(picture, tile_px=tile_px)
    sure = [place for place, tile in enumerate(whole) if tile.tile.known][::3]
    assert len(sure) > 5
    named = 0
    for cut in sure:
        finder = cast(Finder, PartFinder(boxes, cut))
        read = Detector(finder, detector.recogniser).read(picture, tile_px=tile_px)[cut]
        named += read.tile == whole[cut].tile
        assert read.tile in (whole[cut].tile, UNKNOWN)
    assert named > 0.7 * len(sure)


def test_tiles_elsewhere_tell_how_large_the_only_tile_of_a_region_is(
    detector: Detector, picture: NDArray[np.uint8], tile_px: float
) -> None:
    boxes = detector.finder.find(picture, tile_px)
    whole = detector.read(picture, tile_px=tile_px)
    named = {True: 0, False: 0}
    sure = [place for place, tile in enumerate(whole) if tile.tile.known][::3]
    for cut in sure:
        alone = Boxes(*(column[cut : cut + 1] for column in vars(boxes).values()))
        reader = Detector(cast(Finder, PartFinder(alone, 0)), detector.recogniser)
        others = [tile for place, tile in enumerate(whole) if place != cut]
        for helped in named:
            (read,) = reader.read(picture, None, tile_px, others if helped else ())
            named[helped] += read.tile == whole[cut].tile
    assert named[True] > 0.7 * len(sure) > named[False]


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


@pytest.mark.parametrize(("content", "said"), [(None, "no such file"), (b"no net", "damaged")])
def test_weights_that_are_missing_or_damaged_are_one_clear_line(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "finder.onnx").write_bytes(content)
    with pytest.raises(WeightsError, match=rf"^cannot load the weights .*{said}.*$"):
        Detector.load(tmp_path)


@pytest.mark.parametrize(
    ("whole", "readers", "size_px", "sides_px"),
    [
        (True, 0, (200, 200), [WINDOW_PX]),
        (False, 0, (200, 200), [SIDES_PX[0]]),
        (False, 0, (520, 200), [WINDOW_PX]),
        (False, 1, (520, 200), [SIDES_PX[1]] * 2),
        (False, 1, (600, 500), [WINDOW_PX]),
        (True, 1, (200, 200), [WINDOW_PX]),
    ],
)
def test_smaller_windows_are_used_where_they_cost_less_and_the_size_of_tiles_is_known(
    whole: bool, readers: int, size_px: tuple[int, int], sides_px: list[int]
) -> None:
    finder = Finder(SHIPPED / "finder.onnx", threads=1, readers=readers)
    net_of, used, here = finder.net_of, [], threading.get_ident()

    def noted(side_px: int) -> Net:
        if threading.get_ident() == here:  # others load nets
            used.append(side_px)
        return net_of(side_px)

    finder.net_of = noted
    image = np.full((size_px[1], size_px[0], 3), 90, np.uint8)
    if whole:
        finder.look(image, 1.0)
    else:
        finder.find(image, TILE_PX)
    assert used == sides_px


# --- overlays show what was read without hiding it ---


def placed(side: Side = Side.FACE, tile: Tile = UNKNOWN) -> Lying:
    corners = np.array([[100, 100], [130, 100], [130, 140], [100, 140]], np.float32)
    return Lying(side, corners, tile)


BLANK = np.zeros((240, 320, 3), np.uint8)


@pytest.mark.parametrize("side", list(Side))
def test_a_tile_is_outlined_and_its_face_stays_open_to_the_eye(side: Side) -> None:
    drawn = overlay(BLANK, [placed(side, Tile("5m") if side is Side.FACE else UNKNOWN)])
    assert drawn[120, 99:102].any()
    assert not drawn[105:135, 105:125].any()


def test_the_picture_itself_is_left_as_it_was() -> None:
    image = BLANK.copy()
    overlay(image, [placed()])
    assert not image.any()


def test_marked_tiles_are_pointed_at() -> None:
    plain, marked = overlay(BLANK, [placed()]), overlay(BLANK, [placed()], marked=[0])
    assert (plain != marked).any()


def test_an_overlay_can_be_smaller_than_the_picture() -> None:
    drawn = overlay(BLANK, [placed()], scale=0.5)
    assert drawn.shape == (120, 160, 3)
    assert drawn[60, 49:52].any()


def test_the_part_around_tiles_stays_inside_the_picture() -> None:
    corners = placed().corners_px
    assert around(BLANK, [corners], 10).shape == (60, 50, 3)
    assert around(BLANK, [corners], 1000).shape == BLANK.shape


def test_crops_are_shown_whole_below_the_picture() -> None:
    crops = [np.full((64, 48, 3), 10 * place, np.uint8) for place in range(5)]
    shown = with_crops(BLANK, crops, ["1 1m", "2 2m", "3 3m", "4 4m", "5 5m"], [4])
    assert (shown[: len(BLANK)] == BLANK).all()
    below = shown[len(BLANK) :]
    assert all((below == crop[0, 0]).all(axis=2).sum() >= 96 * 128 for crop in crops[1:])


# --- to the supervision package and back ---


def tile(face: str, confidence: float, side: Side = Side.FACE, turn_deg: float = 30) -> Detection:
    turn = np.deg2rad(turn_deg)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-15, -20], [15, -20], [15, 20], [-15, 20]]) @ turned + 100
    probabilities = np.zeros(len(FACES), np.float32)
    if side is Side.FACE:
        probabilities[FACE_INDEX[face]] = confidence
    return Detection(side, corners.astype(np.float32), 0.8, probabilities, 0.6)


TILES = [
    tile("5m", 0.9),
    tile("7z", 0.4),
    tile("1m", 0.7, Side.BACK),
    Detection(
        Side.FACE, np.eye(4, 2, dtype=np.float32), 0.7, np.full(38, 1 / 38, np.float32), 0.6, 0.95
    ),
]


def same(one: Detection, other: Detection) -> bool:
    return (
        (one.side, one.score, one.threshold, one.trust, one.tile)
        == (other.side, other.score, other.threshold, other.trust, other.tile)
        and np.array_equal(one.corners_px, other.corners_px)
        and np.array_equal(one.probabilities, other.probabilities)
    )


@pytest.mark.parametrize("tiles", [TILES, []])
def test_the_package_takes_them_and_nothing_is_lost(tiles: list[Detection]) -> None:
    supervision: Any = pytest.importorskip("supervision")
    shown = supervision.Detections(**supervision_fields(tiles))
    assert len(shown) == len(tiles)
    back = from_supervision(shown)
    assert all(same(*pair) for pair in zip(tiles, back, strict=True))


def test_the_package_s_own_tools_work_on_them() -> None:
    supervision: Any = pytest.importorskip("supervision")
    shown = supervision.Detections(**supervision_fields(TILES))
    faces = shown[shown.class_id < len(FACES)]
    assert [str(name) for name in faces.data["class_name"]] == ["5m", "1m"]
    # Filtering keeps all fields together.
    assert same(from_supervision(faces)[0], TILES[0])
    picture = np.zeros((200, 200, 3), np.uint8)
    drawn = supervision.OrientedBoxAnnotator().annotate(picture.copy(), shown[:1])
    ys, xs = np.nonzero(drawn.any(axis=2))
    x0, y0, x1, y1 = shown.xyxy[0]
    assert (abs(np.array([xs.min(), ys.min(), xs.max(), ys.max()]) - [x0, y0, x1, y1]) < 3).all()


def test_oriented_boxes_of_another_program_become_tiles() -> None:
    corners = np.stack([TILES[0].corners_px, TILES[2].corners_px])
    theirs = SimpleNamespace(
        confidence=np.array([0.7, 0.9]),
        data={"xyxyxyxy": corners, "class_name": np.array(["0p", "back"])},
    )
    face, back = from_supervision(theirs, threshold=0.6)
    assert (str(face.tile), face.side) == ("0p", Side.FACE)
    assert face.confidence == pytest.approx(0.7)
    assert (back.side, back.score) == (Side.BACK, 0.9)
    assert str(from_supervision(theirs, threshold=0.8)[0].tile) == "?"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "expected oriented boxes"),
        ({"xyxyxyxy": np.zeros((1, 4, 2)), "class_name": ["ship"]}, "'ship' is no class of tiles"),
    ],
)
def test_other_detections_are_refused(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        from_supervision(SimpleNamespace(confidence=None, data=data))


# --- what is seen of a camera before a game ---


def felt(low_end: int) -> Picture:
    picture = np.full((720, 1280, 3), (40, 60, 90), np.uint8)
    cv2.rectangle(picture, (360, 80), (920, low_end), (60, 120, 40), -1)
    return picture


@pytest.mark.parametrize(("later", "grade"), [(640, "good"), (716, "bad")])
def test_a_corner_that_lay_outside_one_picture_is_looked_for_again(later: int, grade: str) -> None:
    check = SourceCheck(cast(Detector, LeftDark()), None, None)
    for step, low_end in enumerate((716, 716, later)):
        check.take(Frame(felt(low_end), step * READ_EACH_S, step))
    corners = [finding.grade for finding in check.findings() if finding.name == "corners"]
    assert corners == [grade]


def row_of(lefts: Sequence[int], sure: Sequence[float]) -> tuple[Detector, Picture]:
    """A detector that finds upright tiles with these left edges, and is so sure of each."""
    tiles = [[left + 16, 60, 30, 40, 0] for left in lefts]
    boxes = Boxes(
        np.array(tiles, np.float32), np.full(len(lefts), 0.9, np.float32), np.zeros(len(lefts), int)
    )
    shares = np.zeros((len(lefts), len(FACES)), np.float32)
    shares[:, 3], shares[:, 4] = sure, 1 - np.array(sure)

    def read(_: Picture, corners_px: Floats) -> Recognition:
        count = len(corners_px)
        more = np.full(count, 5.0, np.float32)
        return Recognition(shares[:count], np.zeros(count, int), corners_px, more, more)

    recogniser = SimpleNamespace(
        threshold=0.9, threshold_in_company=0.7, confidence=None, read=read
    )
    finder = SimpleNamespace(find=lambda *_: boxes)
    return Detector(cast(Any, finder), cast(Any, recogniser)), np.zeros((120, 700, 3), np.uint8)


def test_a_doubtful_face_in_a_row_of_sure_ones_is_named_and_one_alone_is_not() -> None:
    reader, picture = row_of([0, 31, 62, 600], [0.97, 0.8, 0.97, 0.8])
    named = [str(tile.tile) for tile in reader.read(picture, tile_px=30.0)]
    assert named == [FACES[3], FACES[3], FACES[3], "?"]


def test_a_face_that_is_too_doubtful_for_a_row_stays_unnamed() -> None:
    reader, picture = row_of([0, 31, 62], [0.97, 0.65, 0.97])
    named = [str(tile.tile) for tile in reader.read(picture, tile_px=30.0)]
    assert named == [FACES[3], "?", FACES[3]]


def test_a_tile_that_is_outlined_twice_is_read_once_and_is_no_company() -> None:
    reader, picture = row_of([0, 3, 31], [0.97, 0.95, 0.8])
    named = [str(tile.tile) for tile in reader.read(picture, tile_px=30.0)]
    assert named == [FACES[3], "?"]
