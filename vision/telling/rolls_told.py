"""Dice that were seen to roll, put into what is told: no story depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Final

from engine.events import Deal, Dice, DrawnHand, HandEnd, HandStart, Indicator, Reveal, Win
from vision.dice.rolls import Roll
from vision.telling.story import Told

HELD_S: Final = 2.6
"""Dice are told so long after they rolled, when what was done before is known."""
OPENING: Final = HandStart | Deal | Indicator | Reveal
"""What may be told of a hand before anybody has played."""
OVER: Final = Win | DrawnHand | HandEnd


def with_dice(
    told: tuple[Told, ...], rolls: Sequence[Roll], time_s: float = inf
) -> tuple[Told, ...]:
    """What is told of a game, with the rolls until a moment.

    The last roll before anybody plays belongs to the hand's start: it breaks the wall. Those
    between two hands wait for the next one.
    """
    ripe = [roll for roll in rolls if roll.time_s + HELD_S <= time_s]
    if not ripe or not told:
        return told
    whole = list(told)
    for roll in ripe:
        _tell(whole, roll)
    return tuple(whole)


def _tell(whole: list[Told], roll: Roll) -> None:
    """Put one roll in its place; one after which no hand has begun yet has none."""
    after = len(whole)
    while after and whole[after - 1].time_s > roll.time_s:
        after -= 1
    start = _start_for(whole, after)
    if start is None:
        return
    begun = whole[start]
    if start < after and any(not isinstance(one.event, OPENING) for one in whole[start:after]):
        rolled = Told(Dice(roll.values), roll.time_s, whole[after - 1].cause, roll.sure)
        whole.insert(after, rolled)
    elif isinstance(begun.event, HandStart):
        whole[start] = replace(begun, event=replace(begun.event, dice=roll.values))


def _start_for(whole: Sequence[Told], after: int) -> int | None:
    """Place of the start of the hand that a roll belongs to, ``after`` events before it."""
    for at in range(after - 1, -1, -1):
        event = whole[at].event
        if isinstance(event, HandStart):
            return at
        if isinstance(event, OVER):
            break
    return next(
        (at for at in range(after, len(whole)) if isinstance(whole[at].event, HandStart)), None
    )
