"""Faces and backs are told apart by the colours of the set, as far as these differ."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Bytes, Floats
from vision.tiles.own_colours import misjudged

IVORY, GREEN, CREAM = (205, 225, 235), (80, 140, 40), (190, 218, 232)
FACES, BACKS = 4, 4


def table(back_bgr: tuple[int, int, int]) -> tuple[Bytes, Floats]:
    """Four printed faces, four backs, a blank face and a bare back, in light from the left."""
    picture = np.full((200, 420, 3), (60, 80, 50), np.uint8)
    corners = []
    for place in range(FACES + BACKS + 2):
        x, y = 10 + 80 * (place % 5), 20 + 90 * (place // 5)
        back = place in range(FACES, FACES + BACKS) or place == FACES + BACKS + 1
        picture[y : y + 64, x : x + 48] = back_bgr if back else IVORY
        if place < FACES:
            cv2.circle(picture, (x + 24, y + 32), 14, (40, 30, 150), -1)
        corners.append([[x, y], [x + 48, y], [x + 48, y + 64], [x, y + 64]])
    shade = np.linspace(1.0, 0.75, 420)[None, :, None]
    return (picture * shade).astype(np.uint8), np.array(corners, np.float32)


def judged(back_bgr: tuple[int, int, int], faces: int = FACES) -> tuple[list[int], list[int]]:
    """What is doubted where the blank face is told as a back, and the last back as a face."""
    picture, corners = table(back_bgr)
    index = np.arange(len(corners))
    backs = (index >= FACES) & (index <= FACES + BACKS)
    wrong = misjudged(picture, corners, index < faces, backs, index >= FACES)
    return wrong.as_backs, wrong.as_faces


def test_a_blank_face_and_a_bare_back_are_told_by_the_colours_of_the_others() -> None:
    assert judged(GREEN) == ([FACES + BACKS], [FACES + BACKS + 1])


@pytest.mark.parametrize(("back_bgr", "faces"), [(CREAM, FACES), (GREEN, 2)])
def test_pale_backs_and_too_few_faces_tell_nothing(
    back_bgr: tuple[int, int, int], faces: int
) -> None:
    assert judged(back_bgr, faces) == ([], [])


def test_tiles_that_reach_beyond_the_picture_are_judged_by_what_is_seen() -> None:
    picture, corners = table(GREEN)
    corners[-1] += np.float32(60)
    index = np.arange(len(corners))
    backs = (index >= FACES) & (index < len(corners) - 1)
    assert misjudged(picture, corners, index < FACES, backs, index >= FACES).as_backs
