"""A code on a page, read as a phone's camera reads it: it looks until it has it."""

from __future__ import annotations

import time
from typing import Final

import cv2
import numpy as np
from playwright.sync_api import Locator, expect

from tests.support.patience import PATIENCE_S

QUIET_PX: Final = 40
"""White around the code, which the detector needs and a tight picture of it lacks."""


def scanned(code: Locator) -> str:
    """What the code says; a page that is still being drawn is looked at again."""
    expect(code).to_be_visible()
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        for by in (1, 2, 3):
            larger = cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_NEAREST)
            border = (QUIET_PX,) * 4
            framed = cv2.copyMakeBorder(larger, *border, cv2.BORDER_CONSTANT, value=255.0)
            said, _, _ = cv2.QRCodeDetectorAruco().detectAndDecode(framed)
            if said:
                return said
    raise AssertionError("the code cannot be read")
