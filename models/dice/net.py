"""The dice net: a small fully convolutional net."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from vision.dice.finder import OUTPUTS

NARROW, WIDE, BLOCKS = 16, 32, 3


def _conv(before: int, after: int, stride: int = 1) -> list[nn.Module]:
    return [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after)]


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        first, second = _conv(channels, channels), _conv(channels, channels)
        self.body = nn.Sequential(*first, nn.ReLU(inplace=True), *second)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class DiceNet(nn.Module):
    """(n, 3, h, w) RGB 0..1 to (n, OUTPUTS, h / 4, w / 4), as ``vision.dice.finder`` reads it."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_conv(3, NARROW, 2), nn.ReLU(inplace=True),
            *_conv(NARROW, NARROW), nn.ReLU(inplace=True),
            *_conv(NARROW, WIDE, 2), nn.ReLU(inplace=True),
            *(_Residual(WIDE) for _ in range(BLOCKS)),
            *_conv(WIDE, WIDE), nn.ReLU(inplace=True),
        )  # fmt: skip
        self.head = nn.Conv2d(WIDE, OUTPUTS, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        assert self.head.bias is not None
        self.head.bias.data[0] = -4.0  # few cells hold a die's centre

    @property
    def architecture(self) -> str:
        """In words, for the metadata."""
        return f"CNN {NARROW}-{NARROW}-{WIDE} to a quarter, {BLOCKS} residual blocks, one head"

    def forward(self, pictures: Tensor) -> Tensor:
        return cast(Tensor, self.head(self.body(pictures)))
