"""The recogniser's net: a small CNN for face, direction and outline."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.tiles.classes import FACES
from vision.tiles.rectify import CROP_PX

TURNS = 4
OUTLINE = 8
HIDDEN = 64
ARCHITECTURE = (
    "plain residual CNN: 24-48-96-160 channels at 1/2, 1/4, 1/8 and 1/16, "
    "one layer for face and direction, two each for the outline and for whether it is a tile; "
    "no pretraining"
)


class _Conv(nn.Sequential):
    def __init__(self, before: int, after: int, kernel: int = 3, stride: int = 1) -> None:
        super().__init__(
            nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
        )


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _Conv(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class RecogniserNet(nn.Module):
    """(n, 3, 64, 48) RGB 0..1 to (n, 50): face logits, direction logits, outline.

    The direction is the corner of the crop at the tile's own top left, 0..3. The outline is the
    offset of each corner of the tile from its place in a perfect crop, clockwise from the crop's
    top left (x, y four times), relative to the crop's sides. ``tile`` is fitted afterwards
    (tile_head.py).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _Conv(3, 24, 5, 2),
            _Conv(24, 48, 3, 2),
            _Residual(48),
            _Conv(48, 96, 3, 2),
            _Residual(96),
            _Conv(96, 160, 3, 2),
            nn.Flatten(),
            nn.Dropout(0.2),
        )
        seen = 160 * (CROP_PX[0] // 16) * (CROP_PX[1] // 16)
        self.head = nn.Linear(seen, len(FACES) + TURNS)
        self.outline = nn.Sequential(
            nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Linear(HIDDEN, OUTLINE)
        )
        self.tile = nn.Sequential(
            nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Linear(HIDDEN, 1)
        )
        for value in self.tile[-1].parameters():
            nn.init.zeros_(value)  # before it is fitted it says nothing

    def forward(self, x: Tensor) -> Tensor:
        seen = self.body(x * 4 - 2)
        return torch.cat([self.head(seen), self.outline(seen)], 1)
