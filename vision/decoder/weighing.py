"""What was weighed when one change of the table was explained, for people who look for an error."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Event
from vision.decoder.emission import charges_now
from vision.decoder.explained import BEFORE
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import COSTS, TEMPERATURE
from vision.decoder.names import named
from vision.decoder.question import EventPlace, QuestionTile
from vision.decoder.search import BeamSearch
from vision.decoder.table_evidence import TableEvidence

SHOWN: Final = 5
LEAST_NATS: Final = 0.05
"""Smaller differences of cost between hypotheses are not printed."""


@dataclass(frozen=True)
class Weighed:
    """One hypothesis after a change."""

    events: tuple[Event, ...]
    """What the change was; none where nothing was meant by it."""
    elsewhere: tuple[Event, ...]
    """The events by which it explains other changes in another way than the likeliest hypothesis.
    """
    share: float
    """How likely it was when the change was explained, 0..1."""
    later: float
    """The same by what has come since, 0..1."""
    pays: dict[str, float]
    """Nats for each kind of cost, beyond what the cheapest of those that are shown pays for it."""


@dataclass(frozen=True)
class Weighing:
    """A change, and what was weighed to explain it."""

    place: EventPlace
    tiles: tuple[QuestionTile, ...]
    hypotheses: tuple[Weighed, ...]
    """The best few, the likeliest first."""


def weighed(search: BeamSearch, table: TableEvidence, change: int) -> tuple[Weighed, ...]:
    """The best few hypotheses after a change, the likeliest first."""
    node = next(node for node in search.nodes if node.change.id == change)
    table = replace(table, present=node.present)
    shown = [named(hypothesis, table) for hypothesis in node.hypotheses[:SHOWN]]
    weights = [math.exp(-hypothesis.cost / TEMPERATURE) for hypothesis in node.hypotheses]
    priced = [_nats(hypothesis, table) for hypothesis in shown]
    acts = [_acts(hypothesis) for hypothesis in shown]
    apart = {change, *(at for other in acts for at in _unlike(other, acts[0]))}
    now = [(_of(_acts(hypothesis), apart), share) for hypothesis, share in search.shares()]
    found = []
    for own, weight, nats in zip(acts, weights, priced, strict=False):
        others = _unlike(own, acts[0]) - {change}
        more = {name: nats.get(name, 0.0) - min(one.get(name, 0.0) for one in priced)
                for name in nats}  # fmt: skip
        found.append(
            Weighed(
                tuple(own.get(change, ())),
                tuple(event for at in sorted(others) for event in own.get(at, ())),
                weight / sum(weights),
                sum(share for other, share in now if other == _of(own, apart)),
                {name: nats for name, nats in more.items() if nats > LEAST_NATS},
            )
        )
    return tuple(found)


def _nats(hypothesis: Hypothesis, table: TableEvidence) -> dict[str, float]:
    return {name: COSTS[name] * far for name, far in charges_now(hypothesis, table).items()}


_Acts = dict[int, list[Event]]
"""The events of a hand by their changes."""


def _acts(hypothesis: Hypothesis) -> _Acts:
    found: _Acts = {}
    for step in hypothesis.hand:
        if step.event is not None and step.change > BEFORE:
            found.setdefault(step.change, []).append(step.event)
    return found


def _unlike(one: _Acts, other: _Acts) -> set[int]:
    return {at for at in one.keys() | other.keys() if one.get(at) != other.get(at)}


def _of(acts: _Acts, changes: Collection[int]) -> dict[int, Sequence[Event]]:
    return {at: acts[at] for at in changes if at in acts}
