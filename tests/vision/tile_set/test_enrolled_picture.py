"""What the pictures of an enrolled set change in a picture of a table."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from engine.tiles import UNKNOWN, Tile
from tests.support.paths import FILM
from vision.arrays import Bytes, Floats
from vision.camera.video_file import VideoFile
from vision.detect import Detection, Detector
from vision.tile_set.profile import Profile, patch_of
from vision.tile_set.set_corrector import fit
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tiles.doubles import ONE, shared

LATE_S = 96.0
"""A moment of the recording at which no hand is over the table."""
TILE_PX = 20.5
PAINTED = 5
"""White dragons in the picture: the profile knows the first, and the others are read."""
ENROLLED = 4
"""Kinds that the profile knows besides."""
FACE_PX = (90, 120)
WHITE = Tile("5z")


@pytest.fixture(scope="module")
def picture() -> Bytes:
    for frame in VideoFile(FILM).frames():
        if frame.time_s >= LATE_S:
            return frame.image_bgr
    raise AssertionError("the recorded hand is shorter than it was")


def white(face_bgr: Bytes, framed: bool) -> Bytes:
    """The face without its print, in its own light; with a blue frame if ``framed``."""
    ground = cv2.morphologyEx(face_bgr, cv2.MORPH_CLOSE, np.ones((41, 41), np.uint8))
    out = np.asarray(cv2.GaussianBlur(ground, (0, 0), 9), np.uint8)
    if framed:
        width, height = FACE_PX
        cv2.rectangle(out, (20, 24), (width - 20, height - 24), (140, 70, 40), 5, cv2.LINE_AA)
    return out


def painted(image_bgr: Bytes, corners_px: Floats, framed: bool) -> Bytes:
    """The picture with a white dragon in place of the face with these corners."""
    width, height = FACE_PX
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    there = cv2.getPerspectiveTransform(upright, corners_px.astype(np.float32))
    face = cv2.warpPerspective(image_bgr, np.linalg.inv(there), FACE_PX)
    inner = np.zeros((height, width), np.uint8)
    inner[12:-12, 10:-10] = 255  # its edge stays
    size = image_bgr.shape[1::-1]
    blank = cv2.warpPerspective(white(np.asarray(face, np.uint8), framed), there, size)
    share = cv2.GaussianBlur(cv2.warpPerspective(inner, there, size), (0, 0), 0.8)[..., None] / 255
    return np.asarray(image_bgr * (1 - share) + blank * share, np.uint8)


def place(found: list[Detection], at: Detection) -> Detection:
    """What was found where a tile lies."""
    corners = np.stack([tile.corners_px for tile in found])
    shares = shared(at.corners_px[None], corners)[0]
    assert shares.max() > ONE, "nothing was found there"
    return found[int(shares.argmax())]


# --- white dragons: the recorded hand has none, so they are painted over other tiles ---


@pytest.mark.parametrize("framed", [False, True], ids=["blank", "framed"])
def test_a_white_dragon_of_an_enrolled_set_is_no_back(picture: Bytes, framed: bool) -> None:
    detector = Detector.load(threads=1)
    before = detector.read(picture, tile_px=TILE_PX)
    backs = [tile for tile in before if tile.side is Side.BACK]
    faces = [tile for tile in before if tile.tile != UNKNOWN]
    chosen, others = faces[:PAINTED], faces[PAINTED:]
    image = picture
    for tile in chosen:
        image = painted(image, tile.corners_px, framed)
    enrolled = {str(tile.tile): tile for tile in others[:ENROLLED]} | {str(WHITE): chosen[0]}
    patches = [patch_of(image, tile.corners_px) for tile in enrolled.values()]
    known = np.array([FACE_INDEX[name] for name in enrolled], np.int64)
    fit(detector.recogniser, Profile(np.stack(patches), known))

    found = detector.read(image, tile_px=TILE_PX)
    assert [place(found, tile).tile for tile in chosen[1:]] == [WHITE] * (PAINTED - 1)
    assert all(place(found, tile).side is Side.BACK for tile in backs if tile.score > 0.9)
    assert sum(tile.tile == WHITE for tile in found) == PAINTED


# --- the net alone ---


@dataclass(frozen=True)
class Hesitant:
    """Gives each face but a third of its probability, and each ``moved`` by so many classes."""

    moved: int = 0

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        faces = np.roll(probabilities, self.moved, axis=1)
        return np.asarray(faces / 3 + 2 / 3 / len(FACES), np.float32)


def test_a_face_in_doubt_is_named_where_the_net_alone_is_sure_of_the_same(picture: Bytes) -> None:
    detector = Detector.load(threads=1)
    plain = [tile for tile in detector.read(picture, tile_px=TILE_PX) if tile.tile != UNKNOWN]
    detector.recogniser.corrected(Hesitant())
    found = detector.read(picture, tile_px=TILE_PX)
    assert [place(found, tile).tile for tile in plain] == [tile.tile for tile in plain]
    detector.recogniser.corrected(Hesitant(moved=1))
    other = detector.read(picture, tile_px=TILE_PX)
    assert {place(other, tile).tile for tile in plain} == {UNKNOWN}
