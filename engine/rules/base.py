"""What a rule set is: a frozen table of values and a few functions from one state to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from engine.announce import Announcement, HandResult, Hint, Payout, Problem, Wait
from engine.events import Entry, Event, Seat, Win
from engine.rules.layout import TableLayout
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class Option:
    """A house rule that a ``game_start`` may set."""

    name: str
    default: object
    values: tuple[object, ...]
    """What it may be; empty for any value of the default's type, a list for one as long."""
    source: str
    numbers: bool = False
    """Any other whole number above zero may stand there too."""


@dataclass(frozen=True)
class Ruling:
    """What stands behind the code of a problem."""

    source: str
    """Document and section, such as ``000, 2.2``."""
    follows: str
    """Key of the sentence that says what must follow."""


@dataclass(frozen=True)
class PageNeeds:
    """What a page shows of a game besides tiles and points."""

    ready_word: str = "ready"
    """``badge.WORD`` is what stands on the badge of a ready seat."""
    round: bool = False
    """Whether the round wind is shown."""
    honba: bool = False
    staying_from: int = 2
    """The staying count is shown from this number on."""
    exports: tuple[str, ...] = ()
    """Formats of public viewers that a record of this game can be saved in."""


IMPOSSIBLE_CODES: Final = (
    "out_of_turn",
    "fifth_copy",
    "tile_not_held",
    "nothing_to_claim",
    "hand_over",
    "contradicts",
)
"""What cannot be; these mean the same in every rule set."""


Said = list[Announcement]
"""What the engine says of one event, in this order."""


@dataclass(frozen=True)
class Step:
    """What one event does: the next state and what the engine says about it."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    taken: bool = True
    """False for an impossible event: the state is unchanged."""


@runtime_checkable
class RuleSet(Protocol):
    """Stateless; the same object serves every table."""

    @property
    def id(self) -> str: ...

    @property
    def words(self) -> str:
        """The package whose folder ``words`` has the texts of this rule set, a file a language.

        They are its title (``rules.ID.title``), its options (``option.NAME``), and what only its
        own codes and terms need. A text that is not in a language is shown in English.
        """
        ...

    @property
    def glossary(self) -> Sequence[str]:
        """Terms that its players look up: ``glossary.TERM.name`` and ``glossary.TERM.text``."""
        ...

    @property
    def source(self) -> str: ...

    @property
    def wall(self) -> Mapping[Tile, int]:
        """Copies of each tile in play by the default options, red fives apart from plain fives."""
        ...

    @property
    def layout(self) -> TableLayout:
        """How its players put their tiles on the table."""
        ...

    @property
    def page(self) -> PageNeeds: ...

    @property
    def hand_size(self) -> int:
        """Tiles that a player who is not dealer is dealt."""
        ...

    @property
    def options(self) -> Sequence[Option]: ...

    @property
    def problems(self) -> Mapping[str, Ruling]:
        """Every code that this rule set may announce."""
        ...

    @property
    def payments(self) -> Sequence[str]:
        """Names of the rows of its payment table, as payout items carry them."""
        ...

    def tiles(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        """The wall under these options (``red_fives``)."""
        ...

    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event; irregular ones are taken and flagged, impossible ones only flagged."""
        ...

    def attempt(self, state: State, entry: Entry, number: int) -> Step | None:
        """The same, and None for an impossible one: nobody asks what was meant instead."""
        ...

    def legal(self, state: State) -> tuple[Event, ...]:
        """Every regular event of play that may come next; hidden tiles stand as ``?``.

        A claim from a hidden hand stands once for each combination of own tiles that can still be
        in it. What may come at any time (reveal, foul, dice) is not listed.
        """
        ...

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Tiles that complete the seat's hand under these rules; None when the hand is hidden.

        Tiles that the rules refuse (a condition, no yaku, furiten) are listed with the code.
        """
        ...

    def wild(self, state: State) -> frozenset[Tile]:
        """Kinds that stand for any tile in a concealed hand; empty where the game has none."""
        ...

    def indicator_visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        """Whether this seat (None: everybody) may know indicators of this kind (000, 3.2).

        ``state`` is the last one of the hand that they belong to. Nothing else decides it: pages,
        files and announcements all ask here.
        """
        ...

    def winners_allowed(self, state: State) -> int:
        """How many may win on one discard under the options of this game."""
        ...

    def next_seat(self, state: State, seat: Seat) -> Seat:
        """Who plays after this seat."""
        ...

    def must_open(self, state: State, seat: Seat) -> bool:
        """Whether drawing alone cannot make this hand ready."""
        ...

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """What is paid for these wins (none: a drawn hand), deposits and liabilities included.

        ``state`` is the one that the wins led to. Several wins are one payout, and what lies in
        ``state.pot`` is part of it.
        """
        ...

    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]:
        """Why the rules refuse this win; empty when it stands or cannot be told yet.

        ``state`` is the one that the win led to.
        """
        ...

    def hint(self, state: State, seat: Seat) -> Hint:
        """What the seat should discard or claim, from what it may know; for that seat alone."""
        ...

    def next_hand(self, state: State) -> HandResult:
        """Dealer, round and counters of the hand that follows a settled one."""
        ...
