"""The recogniser's net: a small plain CNN with a head for the face and one for its direction."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.classes import FACES
from vision.rectify import CROP_PX

TURNS = 4
ARCHITECTURE = "plain residual CNN: 24-48-96-160 channels at 1/2, 1/4, 1/8 and 1/16; no pretraining"


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
    """(n, 3, 64, 48) RGB 0..1 to (n, 42): face logits, then direction logits.

    The direction is which corner of the crop is the tile's own top left, 0..3.
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
        self.head = nn.Linear(160 * (CROP_PX[0] // 16) * (CROP_PX[1] // 16), len(FACES) + TURNS)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body(x * 4 - 2))
        return out
