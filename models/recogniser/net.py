"""The recogniser's net: a small CNN for face, direction and outline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from vision.tiles.classes import FACES
from vision.tiles.rectify import CROP_PX

TURNS = 4
OUTLINE = 8
HIDDEN = 64


@dataclass(frozen=True)
class Stage:
    """What one halving of the picture's sides begins."""

    channels: int
    blocks: int
    """Residual blocks after it."""


STAGES = (Stage(32, 0), Stage(64, 1), Stage(128, 2), Stage(224, 0))
"""Of the recogniser that is trained from random weights."""


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

    def __init__(self, stages: Sequence[Stage] = STAGES) -> None:
        super().__init__()
        self.stages = tuple(stages)
        layers: list[nn.Module] = []
        before, kernel = 3, 5
        for stage in stages:
            layers.append(_Conv(before, stage.channels, kernel, 2))
            layers += [_Residual(stage.channels) for _ in range(stage.blocks)]
            before, kernel = stage.channels, 3
        self.body = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.25))
        smaller = 2 ** len(stages)
        seen = before * (CROP_PX[0] // smaller) * (CROP_PX[1] // smaller)
        self.head = nn.Linear(seen, len(FACES) + TURNS)
        self.outline = nn.Sequential(
            nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Linear(HIDDEN, OUTLINE)
        )
        self.tile = nn.Sequential(
            nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Linear(HIDDEN, 1)
        )
        for value in self.tile[-1].parameters():
            nn.init.zeros_(value)  # before it is fitted it says nothing

    @classmethod
    def of(cls, weights: Mapping[str, Tensor]) -> RecogniserNet:
        """Return the net that these weights belong to, with them.

        What was trained before whether it is a tile was told knows no ``tile``.
        """
        net = cls(_stages(weights))
        net.load_state_dict(dict(weights), strict=False)
        return net

    @property
    def architecture(self) -> str:
        """In words, for the metadata."""
        channels = "-".join(str(stage.channels) for stage in self.stages)
        blocks = "-".join(str(stage.blocks) for stage in self.stages)
        return (
            f"plain residual CNN: {channels} channels at 1/2, 1/4, 1/8 and 1/16 with {blocks} "
            "residual blocks, one layer for face and direction, two each for the outline and for "
            "whether it is a tile; no pretraining"
        )

    def forward(self, x: Tensor) -> Tensor:
        seen = self.body(x * 4 - 2)
        return torch.cat([self.head(seen), self.outline(seen)], 1)


def _stages(weights: Mapping[str, Tensor]) -> tuple[Stage, ...]:
    """Return the shape of the body that these weights belong to."""
    found: list[Stage] = []
    layers = (re.fullmatch(r"body\.(\d+)\.(0|first\.0)\.weight", name) for name in weights)
    for layer in sorted((m for m in layers if m), key=lambda m: int(m[1])):
        if layer[2] == "0":
            found.append(Stage(len(weights[layer[0]]), 0))
        else:
            found[-1] = replace(found[-1], blocks=found[-1].blocks + 1)
    return tuple(found)
