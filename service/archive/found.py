"""What one reading of a film found: rows for the database of an archive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.events import Entry
from service.report.gaps import Gap, gaps_in
from service.report.public import Json
from service.report.story import GameStory, HandStory, tell

Columns = Mapping[str, Any]


@dataclass(frozen=True)
class Found:
    """The result of a reading."""

    made_with: Mapping[str, str]
    """Fingerprints of all that decided it."""
    duration_s: float
    hands: Sequence[Columns]
    seats: Sequence[Columns]
    """Four for each hand."""
    questions: Sequence[Json]
    remark: str | None = None
    """Why there is nothing, in one line."""


def found_in(
    stood: Sequence[Entry],
    questions: Sequence[Json],
    made_with: Mapping[str, str],
    read_s: float,
    gaps: Sequence[Gap] = (),
) -> Found:
    """The rows of a record; ``questions`` as ``questions.json`` has them.

    ``gaps``: what was noticed to be missing in the film.
    """
    hands: list[Columns] = []
    seats: list[Columns] = []
    for number, (at, game, hand) in enumerate(_hands(tell(stood))):
        hands.append(_hand(number, at, game, hand, questions, gaps))
        seats += (_seat(number, seat, game, hand) for seat in range(4))
    return Found(made_with, read_s, hands, seats, questions)


def _hands(games: Sequence[GameStory]) -> Iterator[tuple[int, GameStory, HandStory]]:
    for number, game in enumerate(games, start=1):
        for hand in game.hands:
            yield number, game, hand


def _hand(
    number: int,
    at: int,
    game: GameStory,
    hand: HandStory,
    questions: Sequence[Json],
    gaps: Sequence[Gap],
) -> Columns:
    numbers = {event.number for event in hand.happened}
    times_s = [event.entry.t for event in hand.happened if event.entry.t is not None]
    outcome = "win" if hand.wins else "draw" if hand.drawn is not None else "cut"
    return {
        "number": number,
        "game": at,
        "rules": game.rules,
        "hand": hand.number,
        "round": str(hand.round),
        "dealer": hand.dealer,
        "begun_s": min(times_s, default=None),
        "ended_s": max(times_s, default=None),
        "outcome": outcome,
        "reason": hand.drawn,
        "problems": len(hand.problems),
        "questions": sum(question["number"] in numbers for question in questions),
        "gaps": len(gaps_in(hand, gaps)),
    }


def _seat(number: int, seat: int, game: GameStory, hand: HandStory) -> Columns:
    won = any(win.seat == seat for win in hand.wins)
    paid = (item for payout in hand.payouts if payout.seat == seat for item in payout.items)
    names = dict.fromkeys(item.name for item in paid if won and item in hand.items)
    return {
        "number": number,
        "seat": seat,
        "player": game.happened[-1].state.names[seat] or None,
        "points": hand.deltas[seat],
        "won": won,
        "patterns": f" {' '.join(names)} " if names else "",
    }
