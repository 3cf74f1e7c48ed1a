"""What a seat did in a game, counted hand by hand."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import HandEnd, Seat
from service.report.story import GameStory, HandStory


@dataclass(frozen=True)
class SeatCounts:
    """One seat in one finished game, or one person in all of theirs."""

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
        return SeatCounts(*(getattr(self, each) + getattr(other, each) for each in COUNTED))


COUNTED = tuple(SeatCounts.__dataclass_fields__)


def seat_counts(game: GameStory, seat: Seat) -> SeatCounts:
    """Count the hands that are over."""
    return sum((_hand(hand, seat) for hand in game.hands if _over(hand)), SeatCounts())


def _over(hand: HandStory) -> bool:
    return any(isinstance(one.entry.event, HandEnd) for one in hand.happened)


def _hand(hand: HandStory, seat: Seat) -> SeatCounts:
    won = [win for win in hand.wins if win.seat == seat]
    dealt_in = any(win.from_seat == seat != win.seat for win in hand.wins)
    player = hand.happened[-1].state.players[seat]
    moved = hand.deltas[seat]
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
