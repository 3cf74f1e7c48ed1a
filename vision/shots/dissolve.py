"""Tell a dissolve: one picture fades into another, and tiles of both are seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.light import light_between, lit
from vision.shots.small import blocks_over, blocks_with, count_over, not_light

FRAMES: Final = 4
"""Frames that are compared; the edge of a slow hand fades evenly over three of them."""
CHANGED_GREY: Final = 16
"""Least change of a pixel over these frames that counts."""
LEAST_GREY: Final = 12
"""Least part of that change that no other light explains."""
LEAST_LEFT: Final = 0.2
"""Least share of the changed pixels that differ in one light, too."""
SAME_SHARE: Final = 0.1
"""In a dissolve every pixel has changed by the same share of its way, with this error."""
LEAST_STEP: Final = 0.1
"""Least share of the way from each frame to the next; light that hunts comes back on its way."""
SHARE: Final = 0.85
"""Least share of pixels that keep to it: 1.0 in dissolves, at most 0.77 where hands move."""
LEAST_PX: Final = 40
"""Least number of changed pixels in a small picture."""
LEAST_BLOCKS: Final = 0.125
"""Least share of the blocks in which they lie: a hand that a long exposure smears fades in 0.08 of
them, another picture in 0.2."""


def dissolves(frames: Sequence[Bytes]) -> bool:
    """Whether another picture comes up everywhere at the same pace in four small pictures."""
    change = cv2.absdiff(frames[0], frames[3])
    most = count_over(change, CHANGED_GREY)
    if most < LEAST_PX or blocks_over(change, LEAST_GREY // 2) < LEAST_BLOCKS:
        return False
    last = not_light(frames[0], frames[3])
    changed = np.abs(last) > LEAST_GREY
    if int(changed.sum()) < LEAST_PX or blocks_with(changed) < LEAST_BLOCKS:
        return False
    pace, even = 0.0, np.ones(int(changed.sum()), bool)
    for frame in frames[1:3]:
        shares = not_light(frames[0], frame)[changed] / last[changed]
        before, pace = pace, float(np.median(shares))
        if min(pace - before, 1.0 - pace) < LEAST_STEP:
            return False
        even &= np.abs(shares - pace) < SAME_SHARE
    if float(even.mean()) < SHARE:
        return False
    # Last, because it costs most: lamps, bands and exposure fade evenly, too.
    relit = lit(frames[3], light_between(frames[3], frames[0]))
    return count_over(cv2.absdiff(frames[0], relit), CHANGED_GREY) >= LEAST_LEFT * most
