"""The tiles that a training draws from, kept where it runs: its batches are made there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from recogniser.data import NONSENSE, PATCH_H, PATCH_W, Patches
from recogniser.wear import Chances
from recogniser.windows import NONSENSE_SHARE, WindowMaker
from torch import Tensor

from vision.tiles.classes import FACE_INDEX, FACES

OFTEN = {"5z": 2.0, "1f": 1.6, "9p": 1.6, "1s": 1.3, "8s": 1.2}
"""Faces that real pictures leave in doubt."""
AT_ONCE = 3072
"""Windows made in one go: about 2 GB."""


@dataclass(frozen=True, eq=False)
class Batch:
    images: Tensor
    """(n, 3, INPUT_H, INPUT_W) RGB, floats 0..1."""
    faces: Tensor
    """(n,) indices into ``FACES``, or ``NONSENSE``."""
    first: Tensor
    """(n,) the corner of the window at the tile's own top left, 0..3; -1 if unknown."""
    outlines: Tensor
    """(n, 8) the tile's corners, as in RecogniserNet; 0 where ``first`` is -1."""


class Bank:
    """Tiles of one source. Where it is full, new ones take the place of the oldest."""

    def __init__(self, room: int, device: torch.device, enough: int = 1) -> None:
        """With fewer than ``enough`` tiles it is drawn from less, or they are learnt by heart."""
        self._enough = enough
        self._images = torch.empty(room, PATCH_H, PATCH_W, 3, dtype=torch.uint8, device=device)
        self._faces = torch.empty(room, dtype=torch.long, device=device)
        self._upright = torch.empty(room, dtype=torch.bool, device=device)
        self.added = 0
        self._chances: Tensor | None = None

    def __len__(self) -> int:
        return min(self.added, len(self._faces))

    @property
    def filled(self) -> float:
        """How much of its share is drawn from it, 0..1."""
        return min(1.0, len(self) / self._enough)

    def add(self, patches: Patches) -> None:
        places = (torch.arange(len(patches)) + self.added) % len(self._faces)
        at = places.to(self._faces.device)
        self._images[at] = torch.from_numpy(patches.images).to(at.device)
        self._faces[at] = torch.from_numpy(patches.faces).to(at.device)
        self._upright[at] = torch.from_numpy(patches.upright).to(at.device)
        self.added += len(patches)
        self._chances = None

    def draw(self, count: int, by: Chances) -> tuple[Tensor, Tensor, Tensor]:
        """Return images, faces and whether they are upright; rare faces by the root of their
        rarity more often."""
        if self._chances is None:
            faces = self._faces[: len(self)] - NONSENSE
            often = torch.ones(len(FACES) - NONSENSE, device=faces.device)
            for face, times in OFTEN.items():
                often[FACE_INDEX[face] - NONSENSE] = times
            common = torch.bincount(faces, minlength=len(often)).clamp(min=1)
            self._chances = (often / common.sqrt())[faces].double().cumsum(0)
        at = torch.searchsorted(self._chances, by.even(count).double() * self._chances[-1])
        rows = at.clamp(max=len(self) - 1)
        return self._images[rows], self._faces[rows], self._upright[rows]


class Sampler:
    """Draws batches from banks by their shares; the seed fixes the sequence."""

    def __init__(
        self, banks: Mapping[str, tuple[Bank, float]], seed: int, device: torch.device
    ) -> None:
        self._banks = banks
        self._chances = Chances(device, seed)
        self._windows = WindowMaker(device, seed + 1)

    @classmethod
    def of(cls, sources: Sequence[tuple[Patches, float]], seed: int) -> Sampler:
        """From tiles in memory, each source with its share, on the processor."""
        device = torch.device("cpu")
        banks = {}
        for number, (patches, share) in enumerate(sources):
            bank = Bank(len(patches), device)
            bank.add(patches)
            banks[str(number)] = bank, share
        return cls(banks, seed, device)

    def batch(self, size: int, nonsense: float = NONSENSE_SHARE) -> Batch:
        parts = []
        while size > 0:
            parts.append(self._batch(min(size, AT_ONCE), nonsense))
            size -= AT_ONCE
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        return Batch(*(torch.cat(column) for column in columns))

    def _batch(self, size: int, nonsense: float) -> Batch:
        filled = {bank: share for bank, share in self._banks.values() if len(bank)}
        weights = [share * bank.filled for bank, share in filled.items()]
        drawn, left, rest = [], size, sum(weights)
        for bank, weight in zip(filled, weights, strict=True):
            count = round(left * weight / rest)
            drawn.append(bank.draw(count, self._chances))
            left, rest = left - count, rest - weight
        images, faces, upright = (torch.cat(column) for column in zip(*drawn, strict=True))
        made = self._windows.make(images, nonsense)
        faces = torch.where(made.nothing, NONSENSE, faces)
        first = torch.where(upright & (faces != NONSENSE), made.first, -1)
        return Batch(made.images, faces, first, made.outlines * (first >= 0)[:, None])
