"""What each hand of an evening begins with, what it pays, and what stands at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Entry, HandStart
from engine.game import replay
from engine.state import State
from vision.compare import hand_payments

Told = Mapping[str, Any]
"""What is true and what was read, by ``true`` and ``read``; the second is None for no such hand."""

DEALER: Final = ("dealer",)
COUNTERS: Final = ("round", "honba", "staying", "pot")
CARRIED: Final = ("points",)


@dataclass(frozen=True)
class Evening:
    """The hands of one film, as they are and as they were told."""

    begun: Sequence[Told]
    """Of each hand: dealer, counters and the points that everybody has as it begins."""
    standing: Told
    """The points at the end."""
    wrong_unasked: int
    """Hands told with other payments than the true ones, and no question about how they end."""

    def wrong(self, of: Sequence[str]) -> int:
        """How many hands begin with any of these wrong, or are missing or made up."""
        return sum(
            one["true"] is None
            or one["read"] is None
            or any(one["true"][name] != one["read"][name] for name in of)
            for one in self.begun
        )


def evening(true: Sequence[Entry], read: Sequence[Entry], asked_s: Sequence[float]) -> Evening:
    """Compare two records of one film, hand by hand.

    ``asked_s``: the times of the questions about how a hand ends.
    """
    first, second = _begun(true), _begun(read)
    hands = max(len(first), len(second))
    pairs = zip(_filled(first, hands), _filled(second, hands), strict=True)
    begun = [{"true": one and one[1], "read": two and two[1]} for one, two in pairs]
    ends = [{"points": list(replay(lines).state.points)} for lines in (true, read)]
    paid = [hand_payments(lines) for lines in (true, read)]
    starts_s = [time_s for time_s, _ in second]
    wrong = 0
    for at, deltas in enumerate(paid[1]):
        right = paid[0][at] if at < len(paid[0]) else (0, 0, 0, 0)
        until_s = starts_s[at + 1] if at + 1 < len(starts_s) else float("inf")
        asked = any(starts_s[at] <= time_s < until_s for time_s in asked_s)
        wrong += deltas != right and not asked
    return Evening(begun, {"true": ends[0]["points"], "read": ends[1]["points"]}, wrong)


def _begun(lines: Sequence[Entry]) -> list[tuple[float, dict[str, Any]]]:
    """When each hand begins, and with what."""
    return [
        (one.event.entry.t or 0.0, _values(one.state))
        for one in replay(lines).played
        if isinstance(one.event.entry.event, HandStart)
    ]


def _values(state: State) -> dict[str, Any]:
    return {
        "dealer": state.dealer,
        "round": str(state.round),
        "honba": state.honba,
        "staying": state.staying,
        "pot": state.pot,
        "points": list(state.points),
    }


def _filled(
    hands: Sequence[tuple[float, dict[str, Any]]], count: int
) -> list[tuple[float, dict[str, Any]] | None]:
    return [*hands, *([None] * (count - len(hands)))]
