"""Compares what a log paid for each hand with what its rules pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import HandEnd
from engine.game import Game
from engine.logs.record_writer import RecordWriter
from engine.state import HandPlace

MOST_NAMED: Final = 3
"""Hands that one line names; it counts the others."""
_WINDS: Final = "ESWN"


@dataclass(frozen=True)
class PaidOtherwise:
    """One hand for which the log moved other points than its rules do."""

    place: HandPlace
    rules: str
    logged: Sequence[int]
    due: Sequence[int]


def paid_otherwise(record: RecordWriter) -> Iterator[PaidOtherwise]:
    """The hands of a log that were not paid as its rules say."""
    game = Game()
    logged = iter(record.payments)
    for entry in record.entries:
        place = game.state.place
        game.submit(entry)
        if not isinstance(entry.event, HandEnd):
            continue
        paid, due = next(logged), game.state.paid
        if paid is not None and tuple(paid) != due:
            yield PaidOtherwise(place, game.state.rules, paid, due)


def remarks_on(record: RecordWriter) -> list[str]:
    """What to tell about a log that was read: one line for each thing."""
    others = list(paid_otherwise(record))
    if not others:
        return record.remarks
    named = "; ".join(map(_told, others[:MOST_NAMED]))
    more = f"; and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    hands = f"{len(others)} of {len(record.payments)} hands"
    said = f"the log paid otherwise than {others[0].rules} in {hands}: {named}{more}"
    return [*record.remarks, said]


def _told(hand: PaidOtherwise) -> str:
    at = hand.place
    where = f"{_WINDS[at.round.rank - 1]} with dealer {at.dealer}, counters {at.honba}"
    return f"{where}: paid {_points(hand.logged)}, due {_points(hand.due)}"


def _points(deltas: Sequence[int]) -> str:
    return " ".join(f"{delta:+d}" if delta else "0" for delta in deltas)
