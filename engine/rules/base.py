"""What a rule set is: a frozen table of values and a few functions from one state to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.announce import Announcement, HandResult, Payout, Problem, Wait
from engine.events import Entry, Event, Seat, Win
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class Option:
    """A house rule that a ``game_start`` may set."""

    name: str
    default: object
    values: tuple[object, ...]
    """What it may be; empty for any value of the default's type."""
    source: str


@dataclass(frozen=True)
class Step:
    """What one event does: the next state and what the engine says about it."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    taken: bool = True
    """False for an impossible event: the state is unchanged."""


class RuleSet(Protocol):
    """Stateless; the same object serves every table."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def source(self) -> str: ...

    @property
    def wall(self) -> Mapping[Tile, int]:
        """Copies of each tile in play, red fives apart from plain fives."""
        ...

    @property
    def hand_size(self) -> int:
        """Tiles that a player who is not dealer is dealt."""
        ...

    @property
    def options(self) -> Sequence[Option]: ...

    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event; irregular ones are taken and flagged, impossible ones only flagged."""
        ...

    def legal(self, state: State) -> tuple[Event, ...]:
        """Every regular event that may come next; hidden tiles stand as ``?``."""
        ...

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Tiles that complete the seat's hand under these rules; None when the hand is hidden."""
        ...

    def wild(self, state: State) -> frozenset[Tile]:
        """Kinds that stand for any tile in a concealed hand; empty where the game has none."""
        ...

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """What is paid for these wins (none: a drawn hand), deposits and liabilities included."""
        ...

    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]:
        """Why the rules refuse this win; empty when it stands or cannot be told yet."""
        ...

    def next_hand(self, state: State) -> HandResult:
        """Dealer, round and counters of the hand that follows a settled one."""
        ...
