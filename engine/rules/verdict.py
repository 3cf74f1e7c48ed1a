"""The rules that an event breaks, and the one verdict about a win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Final, NamedTuple

from engine.events import Chow, Correct, Discard, Entry, Pung, Win
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class Ruling:
    """The rule behind a problem code, and its consequence."""

    source: str
    """Document and section, such as ``000, 2.2``."""
    follows: str
    """Key of the sentence that says what follows."""


PEOPLE_DECIDE: Final = Ruling("record, codes of problems", "people_decide")
"""For offences that people rule on and the rule set does not mention."""


@dataclass(frozen=True)
class Fault:
    """A rule that an event breaks."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    """Values for the gaps of the sentence that tells of the fault."""
    ruling: Ruling | None = None
    """Set where the code has several rulings."""
    ways: tuple[tuple[Entry, ...], ...] = ()
    """What may really have happened, best first."""


class ReadyCalls(IntEnum):
    """Whether players claim ready."""

    NONE = 0
    """Such a call is flagged and otherwise ignored."""
    ALLOWED = 1
    NEEDED = 2
    """Only who has claimed ready may win."""


@dataclass(frozen=True)
class Verdict:
    """Whether a win counts as it was declared."""

    fault: Fault | None = None
    """The rule that refuses it. None where it counts, for all that is known."""
    certain: bool = True
    """False where it counts only because some fact is unknown."""


COUNTS: Final = Verdict()
UNPROVEN: Final = Verdict(certain=False)


def refused(code: str, values: Mapping[str, object] | None = None) -> Verdict:
    """The verdict that the rule with this code refuses the win."""
    return Verdict(Fault(code, values or {}))


def no_win(tile: Tile) -> Verdict:
    """The verdict that the hand is not complete with this tile."""
    return refused("not_a_win", {"tile": tile})


class How(NamedTuple):
    """How a hand gets the tile that may win."""

    drawn: bool
    """By own draw, else from another seat."""
    win: Win | None = None
    """The win as it was declared, with the luck of its moment; the state is the one that it led to.
    None where the tile may come at any time."""


BY_DRAW: Final = How(drawn=True)
BY_CLAIM: Final = How(drawn=False)


MOST_WAYS: Final = 3


def unheard_call(state: State, win: Win) -> Verdict:
    """The verdict on a win without the call of ready that it needs.

    Nobody may have seen the call, so the corrections add it to one of the winner's last discards or
    claims. They replace the win, so each ends with the win again.
    """
    ways = []
    for number, entry in reversed(state.history.entries):
        event = entry.event
        if isinstance(event, Discard | Chow | Pung) and event.seat == win.seat:
            ready = replace(entry, event=replace(event, ready=True))
            same = tuple(
                ready if other is entry else other
                for at, other in state.history.entries
                if at == number
            )
            ways.append((Entry(Correct(number, same)), Entry(win)))
    return Verdict(Fault("not_ready", ways=tuple(ways[:MOST_WAYS])))
