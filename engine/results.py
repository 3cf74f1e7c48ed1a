"""What a record adds up to: its games, their hands, and the part of each seat, as rows.

Standings, leagues, figures of people and the table of an archive's hands read or add up these
rows; nobody else derives who won what.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal

from engine.events import HandEnd, Seat
from engine.stories import GameStory, HandStory

Outcome = Literal["win", "draw", "cut"]
"""``cut``: the record does not say how the hand ended."""


@dataclass(frozen=True)
class SeatCounts:
    """One seat in one hand that is over, or in several."""

    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    """Wins by the seat's own draw."""
    dealt_in: int = 0
    """Hands in which others won by its discard."""
    won_points: int = 0
    """What the hands that it won brought."""
    paid_points: int = 0
    """What the hands in which it dealt in cost."""
    called: int = 0
    """Hands in which it claimed a discard for a set."""
    ready: int = 0
    """Hands in which it called ready."""

    def __add__(self, other: SeatCounts) -> SeatCounts:
        return SeatCounts(*(getattr(self, name) + getattr(other, name) for name in COUNTED))


COUNTED = tuple(field.name for field in fields(SeatCounts))


@dataclass(frozen=True)
class SeatOfHand:
    """What one seat did in a hand."""

    seat: Seat
    points: int
    """Won or lost."""
    won: bool
    patterns: tuple[str, ...]
    """Names of what its win was paid for."""
    counts: SeatCounts
    """Zeros while the hand is not over."""


@dataclass(frozen=True)
class PlayedHand:
    """One hand of a game."""

    number: int
    """As the rules count hands, from 1."""
    round: str
    dealer: Seat
    begun_s: float | None
    """Seconds of the record; None where its lines have no times."""
    ended_s: float | None
    outcome: Outcome
    reason: str | None
    """Why it was drawn."""
    problems: int
    lines: frozenset[int]
    """Numbers of the lines that tell it."""
    seats: tuple[SeatOfHand, ...]
    """Four."""


@dataclass(frozen=True)
class SeatOfGame:
    """What one seat did in a game."""

    seat: Seat
    name: str
    """Who sat there at the start; empty for nobody."""
    place: int | None
    """None while the game is not over."""
    points: int
    """Won or lost since the start, with all that the rules add at the end."""
    counts: SeatCounts
    """Of the hands that are over."""


@dataclass(frozen=True)
class PlayedGame:
    """One game of a record, over or not."""

    rules: str
    last_line: int
    seats: tuple[SeatOfGame, ...]
    """Four."""
    hands: tuple[PlayedHand, ...]

    @property
    def is_over(self) -> bool:
        return self.seats[0].place is not None


def played_games(games: Iterable[GameStory]) -> tuple[PlayedGame, ...]:
    """The rows of a record that is split into games."""
    return tuple(map(played_game, games))


def played_game(game: GameStory) -> PlayedGame:
    """The rows of one game."""
    hands, start, points = tuple(map(_hand, game.hands)), game.happened[0].state, game.points
    places = (None,) * 4 if game.result is None else game.result.places
    seats = tuple(
        SeatOfGame(
            seat,
            start.names[seat],
            places[seat],
            points[seat] - start.points[seat],
            sum((hand.seats[seat].counts for hand in hands), SeatCounts()),
        )
        for seat in range(4)
    )
    return PlayedGame(game.rules, game.happened[-1].number, seats, hands)


def _hand(hand: HandStory) -> PlayedHand:
    times_s = [event.entry.t for event in hand.happened if event.entry.t is not None]
    drawn = hand.drawn
    is_over = any(isinstance(event.entry.event, HandEnd) for event in hand.happened)
    return PlayedHand(
        hand.number,
        str(hand.round),
        hand.dealer,
        min(times_s, default=None),
        max(times_s, default=None),
        "win" if hand.wins else "draw" if drawn is not None else "cut",
        drawn,
        len(hand.problems),
        frozenset(event.number for event in hand.happened),
        tuple(_seat(hand, seat, is_over) for seat in range(4)),
    )


def _seat(hand: HandStory, seat: Seat, is_over: bool) -> SeatOfHand:
    won = any(win.seat == seat for win in hand.wins)
    paid = (item for payout in hand.payouts if payout.seat == seat for item in payout.items)
    names = dict.fromkeys(item.name for item in paid if won and item in hand.items)
    counts = _counts(hand, seat) if is_over else SeatCounts()
    return SeatOfHand(seat, hand.deltas[seat], won, tuple(names), counts)


def _counts(hand: HandStory, seat: Seat) -> SeatCounts:
    won = [win for win in hand.wins if win.seat == seat]
    dealt_in = any(win.from_seat == seat != win.seat for win in hand.wins)
    player, moved = hand.happened[-1].state.players[seat], hand.deltas[seat]
    return SeatCounts(
        hands=1,
        wins=len(won),
        self_draws=sum(win.from_seat in (None, seat) for win in won),
        dealt_in=int(dealt_in),
        won_points=moved if won else 0,
        paid_points=-moved if dealt_in else 0,
        called=int(any(meld.is_open for meld in player.melds)),
        ready=int(player.ready),
    )
