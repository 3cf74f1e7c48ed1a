"""Where the marks of a face lie, and how they differ from each other.

Print repeats one mark in the places of the layout. Painters, carvers and other makers move the
rows, choose other colours for a rank, and no two marks of a brush are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from studio.faces.canvas import HEIGHT, WIDTH, InkColour
from studio.faces.motif import Motif
from studio.faces.outlines import CurvePoints

FACE = np.array([WIDTH, HEIGHT]) / 2 - 2
"""How far marks may reach from the middle of the face."""


@dataclass(frozen=True)
class MarkArrangement:
    """How a set departs from the usual layouts; the defaults are print."""

    seed: int = 0
    columns: float = 0.0
    """How much wider or narrower than usual a rank may be, as a logarithm."""
    rows: float = 0.0
    """The same for its height."""
    sizes: float = 0.0
    """Spread of the size of the marks of a rank."""
    inks: float = 0.0
    """Share of the ranks whose colours change places, or are one."""
    brush: float = 0.0
    """How unlike each other the marks of one face are."""

    def rank(self, rank: int, suit: str) -> RankMarks:
        """Return the marks of one rank; the same set always gives the same ones."""
        return RankMarks(self, rank, np.random.default_rng([self.seed, rank, ord(suit)]))


USUAL = MarkArrangement()


class RankMarks:
    """The marks of one rank, in the order in which they are drawn."""

    def __init__(self, of: MarkArrangement, rank: int, rng: np.random.Generator) -> None:
        self._of, self._rng = of, rng
        self._keeps_inks = rank == 5 or rng.random() >= of.inks
        self._room = np.exp(rng.uniform(-1, 1, 2) * (of.columns, of.rows))
        self.size = float(np.exp(rng.normal(0, 1) * of.sizes))
        """Size of the rank's marks, as a share of the usual one."""

    def inks(self, inks: Mapping[str, InkColour]) -> Mapping[str, InkColour]:
        """Return the rank's colours: now and then others than the layout's.

        The five keeps its own, because all in red it is the red five.
        """
        if self._keeps_inks:
            return inks
        paints = list(dict.fromkeys(inks.values()))
        if self._rng.random() < 0.4:
            paints = [paints[int(self._rng.integers(len(paints)))]]
        picked = self._rng.integers(len(paints), size=len(inks))
        return {name: paints[int(pick)] for name, pick in zip(inks, picked, strict=True)}

    def places(self, marks: CurvePoints, reach: float, apart: float = 0.0) -> CurvePoints:
        """Return where marks lie, in tile units, of which points (n, k, 2) are given.

        They stay on the face with ``reach`` around them, and columns stay ``apart``.
        """
        if self._of == USUAL:
            return marks
        room = np.minimum(self._room, (FACE - reach) / np.abs(marks).max(axis=(0, 1)).clip(1))
        columns = np.diff(np.unique(marks[:, :, 0].mean(axis=1).round(1)))
        if len(columns):
            room[0] = max(room[0], min(1.0, apart / columns.min()))
        moved = self._of.brush * self._rng.normal(0, 1.0, (len(marks), 1, 2)).clip(-2, 2)
        return np.asarray(marks * room + moved)

    def turn_deg(self) -> float:
        """Return how far the next mark is turned."""
        return float(self._of.brush * self._rng.normal(0, 4))

    def mark(self, motif: Motif) -> Motif:
        """Return the motif as the brush leaves it once: thicker here, bent there."""
        if not self._of.brush:
            return motif
        half = motif.size / 2
        waves = self._of.brush * self._rng.normal(0, 0.045, (2, 3, 2))
        wide = np.exp(self._of.brush * self._rng.normal(0, 0.07, 2))

        def brushed(points: CurvePoints) -> CurvePoints:
            share = points / half
            angle = np.pi * share[:, ::-1, None] * np.arange(1, 4)
            bend = (waves[..., 0] * np.sin(angle) + waves[..., 1] * np.cos(angle)).sum(axis=2)
            return np.asarray((share * wide + bend) * half)

        return motif.changed(brushed)
