"""What is judged of a seat's decisions: each once, as the record of a table only grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.drill import Decision, Mistake, decisions, mistakes_among
from engine.events import Seat, Win
from engine.review import Reviewed, weighed
from engine.stories import GameStory, happened_in


@dataclass(frozen=True)
class Judged:
    decision: Decision
    mistake: Mistake | None
    reviewed: Reviewed | None


@dataclass
class JudgedSeat:
    """What was judged of one seat's decisions: each once, as a table's record only grows."""

    _kept: dict[tuple[object, ...], Judged] = field(default_factory=dict)

    def of(self, games: Sequence[GameStory], seat: Seat, whose: str, since: int) -> list[Judged]:
        """All decisions of this player; a new one takes up to a tenth of a second."""
        found: dict[tuple[object, ...], Judged] = {}
        for decision in decisions(games, seat, whose, since):
            # By the identity of a state that is kept beside it.
            key = id(decision.before), decision.step, decision.name, decision.own_turn
            found[key] = self._kept.get(key) or _judge(decision, seat)
        self._kept = found
        return list(found.values())


def _judge(decision: Decision, seat: Seat) -> Judged:
    mistake = next(iter(mistakes_among((decision,), seat)), None)
    return Judged(decision, mistake, weighed(decision, seat))


def wins_of(games: Sequence[GameStory], seat: Seat, whose: str) -> int:
    """The hands that a player of this name has won at a seat."""
    return sum(
        isinstance(event.entry.event, Win)
        and event.entry.event.seat == seat
        and seat in event.state.winners
        and event.state.names[seat] == whose
        for event in happened_in(games)
    )
