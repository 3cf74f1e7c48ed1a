"""What the pictures of an enrolled set change in a picture of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from engine.tiles import UNKNOWN, Tile
from tests.support.paths import FILM
from vision.arrays import Bytes, Floats
from vision.camera.video_file import VideoFile
from vision.detect import Detection, Detector
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tiles.doubles import ONE, shared

LATE_S = 96.0
"""A moment of the recording at which no hand is over the table."""
TILE_PX = 20.5
FACE_PX = (90, 120)
CLOTH_PX = (553.0, 521.0)
"""A spot of bare cloth, where the finder takes a slip of paper for a tile."""
WHITE = Tile("5z")
EVERY = range(len(FACES))


@dataclass(frozen=True)
class Sharpened:
    """Makes what is likely likelier, as the pictures of a set do, but nothing certain."""

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        sharp = probabilities**4
        sharp = sharp / sharp.sum(axis=1, keepdims=True)
        return np.asarray(0.99 * sharp + 0.01 / len(FACES), np.float32)


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector.load(threads=1)


@pytest.fixture(scope="module")
def picture() -> Bytes:
    frame = VideoFile(FILM).frame_at(LATE_S)
    assert frame is not None, "the recorded hand is shorter than it was"
    return frame.image_bgr


@pytest.fixture(scope="module")
def plain(picture: Bytes) -> list[Detection]:
    """What is read before anything is enrolled."""
    return Detector.load(threads=1).read(picture, tile_px=TILE_PX)


def painted(image_bgr: Bytes, places: Sequence[Floats], like: Floats) -> Bytes:
    """The picture with a tile without print at each place, on the ground of the face ``like``."""
    width, height = FACE_PX
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inner = np.zeros((height, width), np.uint8)
    inner[12:-12, 10:-10] = 255  # the edge stays
    size = image_bgr.shape[1::-1]
    of_face = cv2.getPerspectiveTransform(upright, like.astype(np.float32))
    face = cv2.warpPerspective(image_bgr, np.linalg.inv(of_face), FACE_PX)
    ground = cv2.morphologyEx(face, cv2.MORPH_CLOSE, np.ones((41, 41), np.uint8))
    bare = cv2.GaussianBlur(ground, (0, 0), 9)
    image = np.asarray(image_bgr, np.float64)
    for corners in places:
        there = cv2.getPerspectiveTransform(upright, corners.astype(np.float32))
        share = cv2.GaussianBlur(cv2.warpPerspective(inner, there, size), (0, 0), 0.8)[..., None]
        blank = cv2.warpPerspective(bare, there, size)
        image = image * (1 - share / 255.0) + blank * (share / 255.0)
    return np.asarray(image, np.uint8)


def place(found: list[Detection], at: Detection) -> Detection:
    """What was found where a tile lies."""
    corners = np.stack([tile.corners_px for tile in found])
    shares = shared(at.corners_px[None], corners)[0]
    assert shares.max() > ONE, "nothing was found there"
    return found[int(shares.argmax())]


def white_dragons(
    detector: Detector,
    picture: Bytes,
    bare: Sequence[Detection],
    like: Detection,
    enrolled: Sequence[int] = EVERY,
) -> list[Detection]:
    """The white dragons that an enrolled set has in the picture with ``bare`` tiles painted."""
    detector.recogniser.corrected(Sharpened(), enrolled)
    image = painted(picture, [tile.corners_px for tile in bare], like.corners_px)
    return [tile for tile in detector.read(image, tile_px=TILE_PX) if tile.tile == WHITE]


# --- white dragons: the recorded hand has none, so they are painted over other tiles ---


def named(plain: list[Detection]) -> list[Detection]:
    return [tile for tile in plain if tile.tile != UNKNOWN]


def test_up_to_four_bare_tiles_among_faces_are_white_dragons(
    detector: Detector, picture: Bytes, plain: list[Detection]
) -> None:
    chosen = named(plain)[2:10:2]
    white = white_dragons(detector, picture, chosen, named(plain)[-1])
    assert [place(white, tile).tile for tile in chosen] == [WHITE] * 4
    assert len(white) == 4


def test_more_bare_tiles_than_a_set_has_white_dragons_are_none(
    detector: Detector, picture: Bytes, plain: list[Detection]
) -> None:
    assert not white_dragons(detector, picture, named(plain)[:10:2], named(plain)[-1])


def test_bare_tiles_are_no_white_dragons_where_the_set_was_enrolled_without_any(
    detector: Detector, picture: Bytes, plain: list[Detection]
) -> None:
    others = [face for face in EVERY if face != FACE_INDEX[str(WHITE)]]
    chosen = named(plain)[2:10:2]
    assert not white_dragons(detector, picture, chosen, named(plain)[-1], others)


def test_backs_as_pale_as_a_face_are_no_white_dragons(
    detector: Detector, picture: Bytes, plain: list[Detection]
) -> None:
    backs = [tile for tile in plain if tile.side is Side.BACK][:3]
    assert len(backs) == 3
    assert not white_dragons(detector, picture, backs, named(plain)[-1])


def test_a_slip_of_paper_on_the_cloth_is_no_white_dragon(
    detector: Detector, picture: Bytes, plain: list[Detection]
) -> None:
    tile = named(plain)[0]
    there = tile.corners_px - tile.corners_px.mean(axis=0) + np.array(CLOTH_PX, np.float32)
    slip = replace(tile, corners_px=there)
    assert not white_dragons(detector, picture, [slip], named(plain)[-1])
