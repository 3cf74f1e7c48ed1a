"""The dice net: finds dice in a part of the table and tells their pips."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.arrays import Bytes, Doubles, Floats
from vision.errors import WeightsError
from vision.table.view import TableView
from vision.tiles.shared_net import compile_net, runtime, settings

WEIGHTS: Final = Path(__file__).parents[1] / "weights" / "dice.onnx"
PER_MM: Final = 1.5
"""Resolution of the net's input, in pixels per millimetre."""
CELL_PX: Final = 4
"""Side of the square that one cell of the output stands for."""
HEIGHT_MM: Final = 14.0
"""Height above the felt of the plane that is shown: about that of a die's upper face."""
USUAL_MM: Final = 15.0
"""Side of a die for which the net tells 0: it tells the logarithm of the ratio."""

PRESENT: Final = 0
OFFSET: Final = slice(1, 3)
VALUE: Final = slice(3, 9)
SIDE: Final = 9
TURN: Final = slice(10, 12)
OUTPUTS: Final = 12
"""Channels of the output, for each cell: the log-odds that a die's centre lies in it; the way to
that centre, in cells; log-odds of the six values; the side; cosine and sine of four times the turn.
"""
APART: Final = 0.6
"""Least distance between the centres of two dice, relative to their sides."""


@dataclass(frozen=True, eq=False)
class Die:
    """A die as one picture shows it."""

    x_mm: float
    y_mm: float
    side_mm: float
    turn_deg: float
    """Orientation of its sides, clockwise, 0..90."""
    present: float
    """Probability that a die is there, 0..1."""
    values: Doubles
    """(6,) probabilities of its values, from one pip on."""
    fresh: bool = True
    """Whether its place looked different a moment ago."""

    @property
    def value(self) -> int:
        """The likeliest one."""
        return int(self.values.argmax()) + 1


class DiceFinder:
    """Finds the dice of one picture; safe to use from any thread."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the net and the .json beside it; raises ``WeightsError``.

        It computes in 32-bit floats: the threads are the callers'.
        """
        core = runtime()
        try:
            about = json.loads(weights.with_suffix(".json").read_text("utf-8"))
            self.least_present = float(about["least_present"])
            self.least_sure = float(about["least_sure"])
            model = core.read_model(weights)
            channels = int(model.output(0).partial_shape[1].get_length())
            if channels != OUTPUTS:
                raise ValueError(f"{channels} outputs instead of {OUTPUTS}")
            self._net: Callable[[Floats], Any] = compile_net(core, model, settings(1, 0, True))
        except Exception as error:  # the runtime raises RuntimeError, or others for odd files
            raise WeightsError(weights, error) from error

    def find(
        self,
        image_bgr: Bytes,
        view: TableView,
        low_mm: tuple[float, float],
        high_mm: tuple[float, float],
    ) -> list[Die]:
        """The dice that lie whole in a part of the table, the surest first."""
        part = view.from_above(image_bgr, low_mm, high_mm, PER_MM, cv2.BORDER_REPLICATE, HEIGHT_MM)
        return self.read(part, low_mm, high_mm)

    def read(
        self, part: Bytes, low_mm: tuple[float, float], high_mm: tuple[float, float]
    ) -> list[Die]:
        """The dice of a part that is seen from above with ``PER_MM`` pixels per millimetre."""
        cells = self._net(_tensor(part))[0][0]
        places, told = _peaks(np.asarray(cells, np.float64), self.least_present)
        centres = np.array(low_mm) + places * CELL_PX / PER_MM
        found: list[Die] = []
        for (x, y), cell in zip(centres, told, strict=True):
            side = float(USUAL_MM * np.exp(np.clip(cell[SIDE], -1, 1)))
            edge = min(x - low_mm[0], y - low_mm[1], high_mm[0] - x, high_mm[1] - y)
            near = (np.hypot(x - one.x_mm, y - one.y_mm) < APART * side for one in found)
            if edge < side / 2 or any(near):
                continue
            odds = np.exp(cell[VALUE] - cell[VALUE].max())
            cos, sin = cell[TURN]
            turn = float(np.rad2deg(np.arctan2(sin, cos)) / 4 % 90)
            present = float(1 / (1 + np.exp(-cell[PRESENT])))
            found.append(Die(float(x), float(y), side, turn, present, odds / odds.sum()))
        return found


@cache
def shipped() -> DiceFinder:
    """The net that ships, loaded once: whoever looks for no dice does not pay for it."""
    return DiceFinder()


def _tensor(part_bgr: Bytes) -> Floats:
    """(1, 3, h, w) RGB 0..1, in whole cells."""
    height, width = part_bgr.shape[:2]
    more = (-height % CELL_PX, -width % CELL_PX)
    whole = cv2.copyMakeBorder(part_bgr, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE)
    rgb = whole[..., ::-1].transpose(2, 0, 1)[None]
    return np.ascontiguousarray(rgb, np.float32) / np.float32(255)


def _peaks(cells: Doubles, least: float) -> tuple[Doubles, Doubles]:
    """(n, 2) places in cells and (n, OUTPUTS) what is told there, the likeliest first."""
    odds = cells[PRESENT].astype(np.float32)
    highest = cv2.dilate(odds, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((odds >= highest) & (odds > np.log(least / (1 - least))))
    order = np.argsort(-odds[rows, columns])
    told = cells[:, rows[order], columns[order]].T
    middles = np.column_stack([columns[order], rows[order]]) + 0.5
    return middles + told[:, OFFSET], told
