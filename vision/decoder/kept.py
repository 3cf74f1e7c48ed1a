"""Which hypotheses are carried on, and what others cost too much to be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from engine.tiles import COPIES
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import COSTS, Charges, price

KEPT: Final = 12
"""Hypotheses that are carried on."""
SPARE: Final = 10
"""So many more are kept, if each explains some change in a way that no better one does."""
MAY_BE: Final = 10.0
"""A spare hypothesis may cost at most this much more than the best one."""
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
        self._first: Hypothesis | None = None
        self._known: dict[object, float] = {}
        """The least cost of each distinct set of events."""
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

    def may_cost(self, cost: float) -> bool:
        """Whether a hypothesis that costs about so much may be kept."""
        return cost <= self._most

    def take(self, found: Hypothesis) -> None:
        """Know a hypothesis, which is at its cost now."""
        if found.cost > self._most:
            return
        self._first, self._best = self._first or found, min(self._best, found.cost)
        mark = _events(found, self._first)
        self._known[mark] = min(found.cost, self._known.get(mark, math.inf))
        most = WORST
        if len(self._known) >= KEPT:
            most = min(most, max(MAY_BE, sorted(self._known.values())[KEPT - 1] - self._best))
        self._most = self._best + most + SAVED


def distinct(found: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The best few hypotheses in the order of their costs, only one of those with the same events.

    Some more are kept if they explain a change by other acts and may still turn out to be right.
    Without them, several doubts at the same time would crowd each other out.
    """
    kept: dict[object, Hypothesis] = {}
    spare = 0
    otherwise: set[object] = set()
    for hypothesis in found:
        if hypothesis.cost >= found[0].cost + WORST:
            break
        mark = _events(hypothesis, found[0])
        if mark in kept:
            continue
        differs = _ways(hypothesis, found[0])
        if len(kept) - spare == KEPT:
            if spare == SPARE or hypothesis.cost >= found[0].cost + MAY_BE:
                break
            if differs <= otherwise:
                continue
            spare += 1
        kept[mark] = hypothesis
        otherwise |= differs
    # Costs are differences: the best hypothesis of every node costs nothing.
    return tuple(
        hypothesis.costing(settled=hypothesis.settled - found[0].cost)
        for hypothesis in kept.values()
    )


def _events(one: Hypothesis, best: Hypothesis) -> frozenset[int]:
    """The events of a hypothesis with their changes, as far as not both must have them."""
    if one.earlier is best.earlier:
        return one.marks
    return one.marks.union(step.mark for step, _ in one.earlier)


def _ways(one: Hypothesis, best: Hypothesis) -> set[object]:
    """Who did what, whatever the faces, in the changes of this hand that the best one explains
    otherwise."""
    apart = one.marks ^ best.marks
    steps = (*one.hand, *best.hand)
    done: dict[int, list[object]] = {s.change: [] for s in steps if s.mark in apart}
    for step in one.hand:
        if step.change in done and step.event is not None:
            who = (getattr(step.event, name, None) for name in ("seat", "from_seat"))
            done[step.change].append((type(step.event), *who))
    return {(change, tuple(events)) for change, events in done.items()}
