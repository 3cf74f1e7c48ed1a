"""What a rule set is: stateless values and functions that map a game state to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Hint,
    Payout,
    Problem,
    Reason,
    Wait,
)
from engine.declare import opens_hand
from engine.events import Claim, Entry, Event, GameEnd, HandStart, Seat, Win
from engine.hands.goals import ANY_HAND, Goal
from engine.rules.layout import TableLayout
from engine.state import Meld, State
from engine.tiles import Tile


@dataclass(frozen=True)
class Option:
    """A house rule that a ``game_start`` may set."""

    name: str
    default: object
    values: tuple[object, ...]
    """Allowed values. Empty: any value of the default's type, or a list of the default's length."""
    source: str
    numbers: bool = False
    """Any other whole number above zero is allowed too."""
    zero_sum: bool = False
    """The numbers of the list must sum to zero."""


@dataclass(frozen=True)
class Ruling:
    """The rule behind a problem code, and its consequence."""

    source: str
    """Document and section, such as ``000, 2.2``."""
    follows: str
    """Key of the sentence that says what follows."""


@dataclass(frozen=True)
class PageNeeds:
    """What a page shows of a game besides tiles and points."""

    ready_word: str = "ready"
    """Key of the word on a ready seat's badge (``badge.WORD``)."""
    vocabulary: str = ""
    """Whose own words are said: a text ``VOCABULARY:KEY`` takes the place of the text ``KEY``."""
    round: bool = False
    """Whether the round wind is shown."""
    honba: bool = False
    staying_from: int = 2
    """The staying count is shown from this number on."""
    exports: tuple[str, ...] = ()
    """Formats of public viewers that a record of this game can be saved in."""


@dataclass(frozen=True)
class Teaching:
    """What hints work towards in a game."""

    closed: tuple[Goal, ...] = (ANY_HAND,)
    """Kinds of hand that win; only the first where a set is declared."""
    cost_of_opening: str | None = None
    """Code of what the first claimed set costs beside tiles."""
    odds: str = ""
    """Name of the curves that were fitted to this game; empty for none."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        """Kinds of hand that this seat can win with when these sets are declared."""
        return self.closed[: 1 if melds else None]

    def barred(self, state: State, seat: Seat) -> frozenset[Tile]:
        """Kinds that, as everybody knows, this seat may not win on by a claim now."""
        return frozenset()

    def bonus(self, state: State) -> Mapping[Tile, int]:
        """Kinds that make any win worth more (dora), as far as everybody sees them."""
        return {}

    def shape(self, melds: tuple[Meld, ...]) -> Goal:
        """Sets and a pair of the tiles in play, without the other conditions."""
        return ANY_HAND

    def must_open(self, state: State, seat: Seat) -> bool:
        """Whether drawing alone cannot make this hand ready."""
        return False

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        """Conditions of a win, beside sets and a pair, that these tiles do not meet yet."""
        return ()

    def price_of_claim(self, state: State, claim: Claim) -> tuple[Reason, ...]:
        """What else this claim brings or costs the seat."""
        if self.cost_of_opening is None or not opens_hand(state, claim):
            return ()
        return (Reason(self.cost_of_opening),)


@dataclass(frozen=True)
class BetweenHands:
    """What one hand carries over to the next, and leaves to be settled."""

    fixed: tuple[str, ...] = ("dealer", "honba", "deposits")
    """Fields of ``hand_start`` that follow from the hand before."""

    def expected(self, state: State) -> Mapping[str, object]:
        """The fields that follow from the hand before, with their required values."""
        return {name: state.pot if name == "deposits" else vars(state)[name] for name in self.fixed}

    def started(self, state: State, event: HandStart) -> State:
        """Add what else a hand begins with, such as deposits on the table."""
        return state

    def owes_at_end(self, state: State) -> bool:
        """Whether the end of the hand must pay something that is still unpaid."""
        return False

    def left_undone(self, state: State) -> Sequence[tuple[str, Seat]]:
        """Codes and seats of what people still had to do when a hand ends."""
        return ()

    def ended(self, state: State) -> State:
        """Apply what else the end of a settled hand changes."""
        return state

    def final(self, state: State, event: GameEnd) -> GameResult:
        """Points and places at the end of the game."""
        places = tuple(1 + sum(other > own for other in state.points) for own in state.points)
        return GameResult(state.points, places)


IMPOSSIBLE_CODES: Final = (
    "out_of_turn",
    "fifth_copy",
    "tile_not_held",
    "nothing_to_claim",
    "hand_over",
    "contradicts",
)
"""Codes of impossible events; they mean the same in every rule set."""


Announcements = list[Announcement]
"""Announcements about one event, in order."""


@dataclass(frozen=True)
class Step:
    """The effect of one event: the next state and the announcements."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    taken: bool = True
    """False for an impossible event, which leaves the state unchanged."""


@runtime_checkable
class RuleSet(Protocol):
    """One game with its rules. It is stateless, so one object serves every table."""

    @property
    def id(self) -> str: ...

    @property
    def words(self) -> str:
        """The package whose folder ``words`` has the texts of this rule set, a file for each
        language.

        The texts are its title (``rules.ID.title``), its options (``option.NAME``), and those of
        its own codes and terms. A text missing in a language is shown in English.
        """
        ...

    @property
    def glossary(self) -> Sequence[str]:
        """Terms that players look up: ``glossary.TERM.name`` and ``glossary.TERM.text``."""
        ...

    @property
    def source(self) -> str: ...

    @property
    def wall(self) -> Mapping[Tile, int]:
        """Copies of each tile under the default options, red fives apart from plain fives."""
        ...

    @property
    def layout(self) -> TableLayout:
        """How players put their tiles on the table."""
        ...

    @property
    def page(self) -> PageNeeds: ...

    @property
    def teaching(self) -> Teaching: ...

    @property
    def hand_size(self) -> int:
        """Tiles dealt to each player but the dealer."""
        ...

    @property
    def options(self) -> Sequence[Option]: ...

    @property
    def problems(self) -> Mapping[str, Ruling]:
        """Every code that this rule set may announce."""
        ...

    @property
    def payments(self) -> Sequence[str]:
        """Names of the rows of the payment table, as payout items carry them."""
        ...

    def tiles(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        """The wall under these options (``red_fives``)."""
        ...

    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event. Irregular events are taken and flagged, impossible ones only flagged."""
        ...

    def attempt(self, state: State, entry: Entry, number: int) -> Step | None:
        """Take one event; return None for an impossible one, without looking for corrections."""
        ...

    def takers(self, state: State, claims: Iterable[Claim | Win]) -> tuple[Claim | Win, ...]:
        """Which of these claims get the last discard: several wins, where several may win."""
        ...

    def legal(self, state: State) -> tuple[Event, ...]:
        """Every regular event of play that may come next; hidden tiles stand as ``?``.

        A claim from a hidden hand appears once for each combination of own tiles that it may hold.
        Events that may come at any time (reveal, foul, dice) are not listed.
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

        ``state`` is the last one of the indicators' hand. Only this method decides it: pages, files
        and announcements all call it.
        """
        ...

    def live_wall(self, state: State) -> int:
        """Tiles that may still be drawn; zero or fewer where nobody may draw."""
        ...

    def winners_allowed(self, state: State) -> int:
        """How many may win on one discard under the options of this game."""
        ...

    def next_seat(self, state: State, seat: Seat) -> Seat:
        """Who plays after this seat."""
        ...

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """Payments for these wins (none: a drawn hand), with deposits and liabilities.

        ``state`` is the one that the wins led to. Several wins are one payout, and ``state.pot`` is
        part of it.
        """
        ...

    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]:
        """Why the rules refuse this win; empty when it stands or is uncertain.

        ``state`` is the one that the win led to.
        """
        ...

    def hint(self, state: State, seat: Seat) -> Hint:
        """What the seat should discard or claim, judged by what it can see; private to the seat."""
        ...

    def next_hand(self, state: State) -> HandResult:
        """Dealer, round and counters of the hand after a settled one."""
        ...
