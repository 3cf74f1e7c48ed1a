"""Which moments of a record are shown again: the steps of one hand, the best wins of an evening.

They are chosen from what everybody sees alone, so that no choice can tell of a hidden tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.events import (
    Chow,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Flower,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Seat,
    Win,
)
from engine.stories import GameStory, HandStory, StoryEvent, impossible

MOST_STEPS: Final = 6
"""Steps of one hand."""
MOST_ENDS: Final = 5
"""Of many wins in one hand the first ones, and what came last."""
_END, _DEALT, _DECISIVE, _READY, _KONG, _CLAIM, _LATER_END = range(7)
"""What a step is shown for; where there are too many, the first of these stay."""
SHARES: Final = 1_000_000
"""Wins by different rules are compared in so many shares of the largest one."""
_AFTER_KONG: Final = (Draw, Indicator, Flower, Dice)
"""What lies between a kong and the win by its tile."""


def steps_of_hand(hand: HandStory) -> tuple[int, ...]:
    """Indices in ``happened`` of at most six events that tell the hand, in the order of play.

    The deal once it is done, who became ready, kongs and claims, what decided the hand, its end.
    """
    ranks: dict[int, int] = {}
    for at, rank in _ranked(hand.happened):
        ranks[at] = min(rank, ranks.get(at, rank))
    ends = sorted(at for at, rank in ranks.items() if rank == _END)
    ranks |= dict.fromkeys(ends[MOST_ENDS - 1 : -1], _LATER_END)
    kept = sorted(ranks, key=lambda at: (ranks[at], at))[:MOST_STEPS]
    return tuple(sorted(kept))


def _ranked(happened: Sequence[StoryEvent]) -> Iterator[tuple[int, int]]:
    dealt: int | None = None
    last_discard: int | None = None
    over = False
    for at, event in enumerate(happened):
        if impossible(event):
            continue
        match event.entry.event:
            case HandStart() | Deal() | Position():
                dealt = at
            case Win() as win:
                over = True
                yield at, _END
                if (decisive := _decisive(happened, at, win)) is not None:
                    yield decisive, _DECISIVE
            case DrawnHand():
                over = True
                yield at, _END
                if last_discard is not None:
                    yield last_discard, _DECISIVE
            case Discard(ready=ready):
                last_discard = at
                if ready:
                    yield at, _READY
            case Chow(ready=ready) | Pung(ready=ready):
                yield at, _READY if ready else _CLAIM
            case Kong():
                yield at, _KONG
            case _:
                pass
    if dealt is not None:
        yield dealt, _DEALT
    if not over and last_discard is not None:
        yield last_discard, _DECISIVE


def _decisive(happened: Sequence[StoryEvent], end: int, win: Win) -> int | None:
    """What the winning tile came by: a draw, a discard, or a kong that was robbed."""
    kinds = (Draw,) if win.seat == win.from_seat else (Discard, Kong)
    for at in range(end - 1, -1, -1):
        event = happened[at].entry.event
        if isinstance(event, kinds) and event.seat == win.from_seat:
            return None if impossible(happened[at]) else at
    return None


class WinReason(Enum):
    """Why a win is among the best ones."""

    LARGEST = "largest"
    """Of several wins by these rules none brought more."""
    KONG = "kong"
    """Its tile came after a kong, or was robbed from one."""
    LEAD = "lead"
    """It put its winner in front until that game was over."""


@dataclass(frozen=True)
class BestWin:
    game: GameStory
    hand: HandStory
    event: StoryEvent
    """The win; of several in one hand the one that brought most."""
    win: Win
    points: int
    """What the hand brought its winner."""
    reasons: tuple[WinReason, ...] = ()


def _any(event: StoryEvent) -> bool:
    return True


def best_wins(
    games: Sequence[GameStory], most: int, may_show: Callable[[StoryEvent], bool] = _any
) -> tuple[BestWin, ...]:
    """The wins of an evening that are worth most, in the order of play.

    What a win brought counts beside the largest one by the same rules; that it was by a kong, or
    decided who leads, counts as half of that. Of level ones the earlier is taken. What may not be
    shown is not chosen, but the others are still compared with it.
    """
    wins = [won for game in games for won in _wins_of(game)]
    largest: dict[str, int] = {}
    several = Counter(won.game.rules for won in wins)
    for won in wins:
        largest[won.game.rules] = max(largest.get(won.game.rules, 1), won.points)
    weighed: list[tuple[int, int, tuple[WinReason, ...]]] = []
    for at, won in enumerate(wins):
        of = largest[won.game.rules]
        is_largest = won.points == of and several[won.game.rules] > 1
        reasons = ((WinReason.LARGEST,) if is_largest else ()) + won.reasons
        weight = 2 * won.points + of * len(won.reasons)
        if may_show(won.event):
            weighed.append((weight * SHARES // (2 * of), -at, reasons))
    taken = sorted(weighed, key=lambda one: one[:2], reverse=True)[:most]
    chosen = sorted(((-back, reasons) for _, back, reasons in taken), key=lambda one: one[0])
    return tuple(replace(wins[at], reasons=reasons) for at, reasons in chosen)


def _wins_of(game: GameStory) -> Iterator[BestWin]:
    leads = _last_lead(game)
    for at, hand in enumerate(game.hands):
        found = [
            (hand.deltas[event.entry.event.seat], place)
            for place, event in enumerate(hand.happened)
            if isinstance(event.entry.event, Win)
            and event.entry.event in hand.wins
            and not impossible(event)
        ]
        if not found:
            continue
        points, place = max(found, key=lambda one: (one[0], -one[1]))
        event = hand.happened[place]
        win = event.entry.event
        assert isinstance(win, Win)
        reasons = [WinReason.KONG] if _by_kong(hand.happened, place, win) else []
        if leads == (at, win.seat):
            reasons.append(WinReason.LEAD)
        yield BestWin(game, hand, event, win, max(points, 0), tuple(reasons))


def _by_kong(happened: Sequence[StoryEvent], end: int, win: Win) -> bool:
    for event in reversed(happened[:end]):
        match event.entry.event:
            case Kong(seat=seat):
                return seat == win.from_seat
            case Win():
                continue  # of another winner by the same tile
            case one if not isinstance(one, _AFTER_KONG):
                return False
    return False


def _last_lead(game: GameStory) -> tuple[int, Seat] | None:
    """The last hand of a finished game after which somebody else led alone, and who."""
    if not game.ended:
        return None
    found: tuple[int, Seat] | None = None
    before = _leader(game.happened[0].state.points)
    for at, hand in enumerate(game.hands):
        now = _leader(hand.points)
        if now is not None and now != before:
            found = at, now
        before = now
    return found


def _leader(points: Sequence[int]) -> Seat | None:
    most = max(points)
    return points.index(most) if list(points).count(most) == 1 else None
