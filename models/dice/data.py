"""Training samples of the dice net: drawn pictures, and what the net is to tell of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from dice.drawing import MOST_DICE, PATCH_PX, DrawnDie, Picture, draw_picture
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from training import Tensors

from vision.dice.finder import CELL_PX, OFFSET, PER_MM, PRESENT, SIDE, TURN, USUAL_MM, VALUE

CELLS = PATCH_PX // CELL_PX
SPREAD_CELLS = 1.0
"""Width of the hill around a die's centre that the presence is to show."""
LEAST_NEAR = 0.3
"""Height of that hill above which a cell tells the die's value and place too."""
FRESH = 0.15
"""Share of a batch that is drawn for it; the others were drawn before, and are turned."""

Dice = NDArray[np.float32]
"""(MOST_DICE, 6): x and y in cells, value, side in mm, turn, whether it is clear; value 0: none."""


class DrawnSamples:
    """Drawn pictures, of which new ones replace the oldest."""

    def __init__(self, count: int, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._count = count
        self._drawn: list[tuple[Picture, Dice]] = []

    def batches(self, size: int) -> Iterator[Tensors]:
        """Yield (size, P, P, 3) BGR bytes and (size, MOST_DICE, 6) dice without end."""
        rng, drawn, number = self._rng, self._drawn, 0
        while True:
            fresh = max(size - len(drawn), round(FRESH * size))
            rows = [drawn[int(rng.integers(len(drawn)))] for _ in range(size - fresh)]
            for _ in range(fresh):
                image, dice = draw_picture(rng)
                rows.append((image, as_rows(dice)))
                if len(drawn) < self._count:
                    drawn.append(rows[-1])
                else:
                    drawn[number % self._count] = rows[-1]
                number += 1
            turned = [_turned(image, dice, int(rng.integers(8))) for image, dice in rows]
            images = _coloured([image for image, _ in turned], rng)
            yield torch.from_numpy(images), torch.from_numpy(np.stack([one for _, one in turned]))


def as_rows(dice: Sequence[DrawnDie]) -> Dice:
    rows = np.zeros((MOST_DICE, 6), np.float32)
    for row, die in zip(rows, dice, strict=False):
        x, y = (at * PER_MM / CELL_PX for at in (die.x_mm, die.y_mm))
        row[:] = x, y, die.value, die.side_mm, np.deg2rad(die.turn_deg), die.clear
    return rows


def _turned(image: Picture, dice: Dice, how: int) -> tuple[Picture, Dice]:
    """One of the eight ways to turn and mirror a picture: no face of a die changes its value."""
    dice = dice.copy()
    if how & 1:
        image, dice[:, 0], dice[:, 4] = image[:, ::-1], CELLS - dice[:, 0], -dice[:, 4]
    if how & 2:
        image, dice[:, 1], dice[:, 4] = image[::-1], CELLS - dice[:, 1], -dice[:, 4]
    if how & 4:
        image, dice[:, :2], dice[:, 4] = image.transpose(1, 0, 2), dice[:, 1::-1], -dice[:, 4]
    return image, dice


def _coloured(images: Sequence[Picture], rng: np.random.Generator) -> Picture:
    """Change the light of each picture, and exchange the channels of some."""
    count = len(images)
    mix = np.tile(np.eye(3, dtype=np.float32), (count, 1, 1))
    swapped = rng.random(count) < 0.3
    for row in np.flatnonzero(swapped):
        mix[row] = mix[row][rng.permutation(3)]
    gains = np.exp(rng.normal(0, 0.12, (count, 1, 3))) * np.exp(rng.normal(0, 0.15, (count, 1, 1)))
    bias = rng.normal(0, 8, (count, 3))
    out = [
        cv2.transform(image, np.column_stack([one * gain.T, add]).astype(np.float32))
        for image, one, gain, add in zip(images, mix, gains, bias, strict=True)
    ]
    return np.asarray(np.stack(out), np.uint8)


def net_input(images_bgr: Tensor) -> Tensor:
    pictures = images_bgr.permute(0, 3, 1, 2).flip(1).float() / 255
    return pictures.contiguous(memory_format=torch.channels_last)


def losses(output: Tensor, dice: Tensor) -> dict[str, Tensor]:
    """The parts of the loss: where dice are (focal), values, places, sizes and turns."""
    cells = torch.arange(CELLS, device=output.device) + 0.5
    x, y, value, side, turn, clear = (part[..., None, None] for part in dice.unbind(-1))
    far_x, far_y = x - cells[None, None, None, :], y - cells[None, None, :, None]
    square = far_x**2 + far_y**2
    hill = torch.exp(-square / (2 * SPREAD_CELLS**2)) * (value > 0)
    there, forgiven = hill * (clear > 0), hill * (clear == 0)
    wanted = there.amax(1)
    centre = (far_x.abs() <= 0.5) & (far_y.abs() <= 0.5) & (value > 0) & (clear > 0)
    peak = centre.any(1)
    count = peak.sum().clamp(min=1)
    # Around dice that nobody could read, nothing is asked for: 2.2 cells are half a small die.
    reach = 0.5 * side * PER_MM / CELL_PX
    unasked = ((square < reach**2) & (forgiven > 0)).any(1) & ~peak
    logit = output[:, PRESENT]
    sure = torch.sigmoid(logit)
    hit = -functional.logsigmoid(logit) * (1 - sure) ** 2 * peak
    miss = -functional.logsigmoid(-logit) * sure**2 * (1 - wanted) ** 4 * ~peak * ~unasked
    # Each cell near a die tells that die.
    nearest = there.argmax(1, keepdim=True)
    near = wanted * (wanted > LEAST_NEAR)

    def of_nearest(part: Tensor) -> Tensor:
        whole = part.expand(-1, -1, CELLS, CELLS)
        return torch.gather(whole, 1, nearest)[:, 0]

    total = near.sum().clamp(min=1)
    values = functional.cross_entropy(
        output[:, VALUE], (of_nearest(value).long() - 1).clamp(min=0), reduction="none"
    )
    place = torch.stack([of_nearest(far_x), of_nearest(far_y)], 1)
    off = functional.smooth_l1_loss(output[:, OFFSET], place, reduction="none").sum(1)
    size = of_nearest(torch.log(side.clamp(min=1) / USUAL_MM))
    large = functional.smooth_l1_loss(output[:, SIDE], size, reduction="none", beta=0.1)
    way = torch.stack([torch.cos(4 * of_nearest(turn)), torch.sin(4 * of_nearest(turn))], 1)
    turned = functional.smooth_l1_loss(output[:, TURN], way, reduction="none").sum(1)

    def mean(part: Tensor) -> Tensor:
        return (part * near).sum() / total

    return {
        "presence": (hit + miss).sum() / count,
        "value": mean(values),
        "place": mean(off),
        "side": mean(large),
        "turn": 0.3 * mean(turned),
    }
