"""Measure how far the clock of a recorded seat camera is off.

The hand in the recording loses tiles at certain times. They are compared with the discards of that
seat that are known from the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from engine.tiles import Tile
from vision.seat_camera.standing_hand import StandingHand
from vision.seat_camera.witness import COMES_S, LEAVES_S, LONGEST_S, lost_between, partly_hidden
from vision.tiles.classes import FACE_INDEX, FACES, face_class

FARTHEST_S: Final = 300.0
"""Largest difference between the starts of two cameras."""
STEP_S: Final = 0.1
TOLD_APART: Final = 3.0
"""Most that one discard contributes: e^3 times likelier than at any other moment."""
DECIDED: Final = 7.0
"""Least total gain of a shift; three discards in their places reach it."""
MARGIN: Final = 3.0
"""Least lead over any shift that is not close by."""
NEXT_TO_S: Final = 2.5
COMPARED: Final = 60
"""Most discards that are compared, the latest ones; more would not help."""


@dataclass(frozen=True)
class PutDown:
    """A certain discard of the seat."""

    time_s: float
    tile: Tile


def shift_between(put_down: Sequence[PutDown], stood: Sequence[StandingHand]) -> float | None:
    """What to add to the times of the hands; None while it is unclear."""
    steps = round(2 * FARTHEST_S / STEP_S) + 1
    gains = np.zeros(steps)
    whole = [hand for place, hand in enumerate(stood) if not partly_hidden(stood, place)]
    losses = [
        (before.to_s, after.from_s, lost_between(before, after))
        for before, after in pairwise(whole)
        if 0 <= len(before) - len(after) <= 1 and after.from_s - before.to_s <= LONGEST_S
    ]
    for discard in put_down[-COMPARED:]:
        face = face_class(discard.tile)
        if face is None:
            continue
        # A discard counts once, wherever the hand may have lost it.
        best = np.zeros(steps)
        for left_s, came_s, lost in losses:
            first_s = discard.time_s - came_s - COMES_S
            last_s = discard.time_s - left_s + LEAVES_S
            if last_s < -FARTHEST_S or first_s > FARTHEST_S:
                continue
            gain = float(np.clip(np.log(lost[FACE_INDEX[face]] * len(FACES)), 0.0, TOLD_APART))
            low = int(np.ceil((first_s + FARTHEST_S) / STEP_S))
            high = int(np.floor((last_s + FARTHEST_S) / STEP_S)) + 1
            part = slice(max(0, low), max(0, high))
            best[part] = np.maximum(best[part], gain)
        gains += best
    most = float(gains.max())
    if most < DECIDED:
        return None
    places = np.flatnonzero(gains >= most - 1e-6)
    near = round(NEXT_TO_S / STEP_S)
    others = gains.copy()
    others[max(0, int(places[0]) - near) : int(places[-1]) + near + 1] = 0.0
    if most - float(others.max()) < MARGIN:
        return None
    return round(float(places.mean()) * STEP_S - FARTHEST_S, 2)
