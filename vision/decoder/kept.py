"""Which hypotheses are carried on, and what others cost too much to be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.tiles import COPIES
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import COSTS, Charges, price

KEPT: Final = 6
"""Hypotheses that are carried on. Of 5,435 stored events 314 are wrong with 6, 320 with 8, 346 with
12, for 0.67, 0.78 and 1 of the time."""
FEW: Final = 2
"""So many of one future: beside the cheapest another one, for questions. So many ways are tried of
what a proposal cannot tell apart: 1 or 4 of each change none of nine films."""
WORST: Final = 25.0
"""A hypothesis that costs so much more than the best one is dropped."""
MENDED: Final = COSTS["irregular"]
"""A later step may take back this charge for a broken rule."""
SAVED: Final = COSTS["copies"] * COPIES * math.log(2)
"""What a win may save: the tile that it takes counts as one that may still be laid open."""


class CostLimit:
    """The threshold of the beam: what a hypothesis may cost beside those of the same change."""

    def __init__(self) -> None:
        self._most = self._best = math.inf
        self._known: dict[object, list[float]] = {}
        """The least costs of those with one future."""
        self._hand: tuple[Explained, ...] = ()
        self._shown = 0.0

    def extend(self, before: Hypothesis, shown: float) -> None:
        """From now on the ways that extend this hypothesis are asked for.

        ``shown``: the least that the table adds to the cost of its steps.
        """
        self._hand, self._shown = before.hand, shown

    def allows(
        self,
        hypothesis: Hypothesis,
        charges: Charges | None = None,
        saved: float = 0.0,
        read_otherwise: bool = False,
    ) -> bool:
        """Whether a hypothesis may be kept, or one more step with these charges, by a lower bound.

        ``saved``: what further steps may save. ``read_otherwise``: one of its tiles will get
        another face, which may cost less.
        """
        least = hypothesis.paid + (price(charges) if charges else 0.0) - saved
        kept = not read_otherwise and hypothesis.hand[: len(self._hand)] == self._hand
        if least <= self._most and kept:
            least += self._shown
        return least <= self._most

    def take(self, found: Hypothesis) -> None:
        """Know a hypothesis, which is at its cost now."""
        if found.cost > self._most:
            return
        self._best = min(self._best, found.cost)
        alike = self._known.setdefault(found.future, [])
        alike.append(found.cost)
        alike.sort()
        del alike[FEW:]
        costs = sorted(cost for alike in self._known.values() for cost in alike)
        most = costs[KEPT - 1] - self._best if len(costs) >= KEPT else WORST
        self._most = self._best + min(most, WORST) + SAVED


def distinct(found: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The best few hypotheses in the order of their costs.

    What comes later costs the same for all that have one future: the cheapest of them goes on, and
    one with other events beside it.
    """
    kept: list[Hypothesis] = []
    known: dict[object, list[Hypothesis]] = {}
    for hypothesis in found:
        if hypothesis.cost >= found[0].cost + WORST or len(kept) == KEPT:
            break
        alike = known.setdefault(hypothesis.future, [])
        if len(alike) < FEW and all(
            _events(hypothesis, other) != _events(other, hypothesis) for other in alike
        ):
            alike.append(hypothesis)
            kept.append(hypothesis)
    # Costs are differences: the best hypothesis of every node costs nothing.
    return tuple(
        hypothesis.costing(settled=hypothesis.settled - found[0].cost) for hypothesis in kept
    )


def _events(one: Hypothesis, other: Hypothesis) -> frozenset[int]:
    """The events of the first hypothesis with their changes, but for hands that both share."""
    if one.earlier is other.earlier:
        return one.marks
    return one.marks.union(step.mark for step, _ in one.earlier)
