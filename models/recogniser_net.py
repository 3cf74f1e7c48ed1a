"""The recogniser's net: a small plain CNN over rectified tile crops."""

from __future__ import annotations

from typing import Final

import torch
from torch import nn

from vision.classes import FACES

INPUT: Final = (48, 64)
"""Width and height of a crop in pixels."""
TURNS: Final = 4


class RecogniserNet(nn.Module):
    """Crops (B, 3, 64, 48) to logits (B, 38) of the face and (B, 4) of its quarter turns."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 24, 2),
            _conv(24, 40, 1),
            _conv(40, 64, 2),
            _Residual(64),
            _conv(64, 96, 2),
            _Residual(96),
            _Residual(96),
            _conv(96, 160, 2),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.1)
        self.face = nn.Linear(160, len(FACES))
        self.turn = nn.Linear(160, TURNS)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.drop(self.body(crops))
        return self.face(features), self.turn(features)


def _conv(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.SiLU(inplace=True),
    )


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _conv(channels, channels, 1)
        self.second = _conv(channels, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = x + self.second(self.first(x))
        return out
