"""Dice that were seen to roll, added to the events: no hypothesis depends on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import Final

from engine.events import Deal, Dice, DrawnHand, HandEnd, HandStart, Indicator, Reveal, Win
from vision.decoder.explained import Explained
from vision.dice.rolls import Roll

HELD_S: Final = 2.6
"""Dice are written so long after they rolled, when what was done before is known."""
OPENING: Final = HandStart | Deal | Indicator | Reveal
"""What may be known of a hand before anybody has played."""
OVER: Final = Win | DrawnHand | HandEnd


def with_dice(
    steps: tuple[Explained, ...], rolls: Sequence[Roll], time_s: float = inf
) -> tuple[Explained, ...]:
    """The events of a game, with the rolls until a moment.

    The last roll before anybody plays belongs to the hand's start: it breaks the wall. Those
    between two hands wait for the next one.
    """
    ripe = [roll for roll in rolls if roll.time_s + HELD_S <= time_s]
    if not ripe or not steps:
        return steps
    whole = list(steps)
    times = [step.time_s for step in steps]
    starts: set[int] = set()
    # From the last on: what is put in moves nothing that comes before it.
    for roll in reversed(ripe):
        after = bisect_right(times, roll.time_s)
        start = _start_for(steps, after)
        if start is None:
            continue
        begun = steps[start]
        if any(not isinstance(step.event, OPENING) for step in steps[start:after]):
            rolled = Explained(
                roll.time_s, steps[after - 1].change, Dice(roll.values), sure=roll.sure
            )
            whole.insert(after, rolled)
        elif isinstance(begun.event, HandStart) and not begun.by_person and start not in starts:
            starts.add(start)
            whole[start] = replace(begun, event=replace(begun.event, dice=roll.values))
    return tuple(whole)


def _start_for(whole: Sequence[Explained], after: int) -> int | None:
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
