"""Sheets of swatches: the material is used, the paper and the captions are not."""

from __future__ import annotations

import cv2
import numpy as np

from studio.materials.swatches import swatches_of


def test_the_captions_of_a_sheet_are_cut_off() -> None:
    sheet = np.full((200, 420, 3), 255, np.uint8)
    sheet[14:154, 20:160] = (40, 60, 90)
    sheet[14:154, 200:340] = (90, 60, 40)
    for left in (60, 240):
        cv2.putText(sheet, "Rust003", (left, 180), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0))
    first, second = sorted(swatches_of(sheet), key=lambda part: int(part[0, 0, 0]))
    assert (first == (40, 60, 90)).all()
    assert (second == (90, 60, 40)).all()


def test_a_picture_that_is_no_sheet_stays_whole() -> None:
    (part,) = swatches_of(np.full((64, 96, 3), 120, np.uint8))
    assert part.shape == (64, 96, 3)
