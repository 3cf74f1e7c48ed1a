"""What a rule set is: stateless values and functions that map a game state to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from engine.announce import Hint, Problem, Wait
from engine.events import Discard, Entry, Event, HandEnd, HandStart, Seat
from engine.rules import flow, hints, waits
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import CLAIMS, PLAIN_CLAIMS, ClaimRules
from engine.rules.flow import Step
from engine.rules.indicators import NO_INDICATORS, Indicators
from engine.rules.layout import PLAIN, TableLayout
from engine.rules.legal_events import regular_events
from engine.rules.payment import Payment
from engine.rules.teaching import PLAIN_TEACHING, Teaching
from engine.rules.turns import PLAIN_TURNS, Turns
from engine.rules.verdict import ANY_COMPLETE, PEOPLE_DECIDE, Fault, Judge, Ruling
from engine.rules.wall import Wall
from engine.state import State


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
    follows: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """By its values, the consequences of problems that replace those of the rulings."""


def option_number(options: Mapping[str, object], name: str) -> int:
    """The value of an option that is a number."""
    value = options[name]
    assert isinstance(value, int), f"{name} is a number"
    return value


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


IMPOSSIBLE_CODES: Final = (
    "out_of_turn",
    "fifth_copy",
    "tile_not_held",
    "nothing_to_claim",
    "hand_over",
    "contradicts",
)
"""Codes of impossible events; they mean the same in every rule set."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleSet:
    """One game with its rules. It is stateless, so one object serves every table.

    Each part says one thing of the game; a part that is left out is that of a plain game: nobody
    calls ready, a hand wins when it is complete and not barred, and a win ends the hand.
    """

    # --- what it is called, and how it looks on a table and on a page ---

    id: str
    texts: str
    """The package whose folder ``texts`` has the texts of this rule set, a file for each language.

    The texts are its title (``rules.ID.title``), its options (``option.NAME``), and those of its
    own codes and terms. A text missing in a language is shown in English.
    """
    source: str
    glossary: Sequence[str] = ()
    """Terms that players look up: ``glossary.TERM.name`` and ``glossary.TERM.text``."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """Tiles that show a term, group by group: ``"limiting_conditions": "123p 999m"``."""
    explains: Mapping[str, str] = field(default_factory=dict)
    """The term that explains what is announced: by its kind (``payout``, ``ready``,
    ``hand_result``), by the code of a problem, or by the event that broke a rule (``Win``)."""
    layout: TableLayout = PLAIN
    page: PageNeeds = PageNeeds()
    teaching: Teaching = PLAIN_TEACHING
    options: Sequence[Option] = ()
    problems: Mapping[str, Ruling]
    """Every code that this rule set may announce."""

    # --- what the rules say ---

    wall: Wall
    turns: Turns = PLAIN_TURNS
    claims: ClaimRules = PLAIN_CLAIMS
    judge: Judge = ANY_COMPLETE
    indicators: Indicators = NO_INDICATORS
    payment: Payment
    hands: BetweenHands
    tells: bool = True
    """Whether turns and ready hands are announced; the copy that tries events is silent."""

    # --- what follows from it ---

    def all_options(self, told: Mapping[str, object] = {}) -> dict[str, object]:
        """Every option of a game with its value: what was told, else the default."""
        return {option.name: told.get(option.name, option.default) for option in self.options}

    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        """The rules that the event breaks. ``state``: before the event, with the draws that it
        implies."""
        if isinstance(event, Discard):
            return self.turns.faults(state, event)
        if isinstance(event, CLAIMS):
            ended = self.wall.used_up(state) or self.wall.last_turn(state)
            return self.claims.faults(state, event, ended=ended)
        if isinstance(event, HandStart | HandEnd):
            return self.hands.faults(state, event)
        return ()

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Tiles that complete the seat's hand under these rules; None when the hand is hidden."""
        return waits.waits(self, state, seat)

    def legal(self, state: State) -> tuple[Event, ...]:
        """Every regular event of play that may come next; hidden tiles stand as ``?``.

        A claim from a hidden hand appears once for each combination of own tiles that it may hold.
        Events that may come at any time (reveal, foul, dice) are not listed.
        """
        events = (*self.indicators.due(state), *regular_events(self, state))
        return self.turns.legal(state, events)

    def hint(self, state: State, seat: Seat) -> Hint:
        """What the seat should discard or claim, judged by what it can see; private to the seat."""
        return hints.hint(self, state, seat)

    # --- problems ---

    def problem(
        self, broken: Fault | str, seat: Seat | None, values: Mapping[str, object] | None = None
    ) -> Problem:
        """Announce that this rule is broken; a code stands for a fault with these values."""
        fault = Fault(broken, values or {}) if isinstance(broken, str) else broken
        ruling = fault.ruling or self.problems.get(fault.code, PEOPLE_DECIDE)
        source, follows, values = ruling.source, ruling.follows, fault.values or None
        seat = seat if fault.seat is None else fault.seat
        return Problem(fault.code, seat, False, source, follows, fault.ways, values)

    # --- taking events ---

    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event. Irregular events are taken and flagged, impossible ones only flagged."""
        return flow.apply(self, state, entry, number)

    def attempt(
        self, state: State, entry: Entry, number: int, *, tells: bool = True
    ) -> Step | None:
        """Take one event; return None for an impossible one, without looking for corrections.

        ``tells``: false for who asks for the next state and problems alone. Turns, ready hands and
        waits may then be left out, which cost as much as all the rest.
        """
        return flow.attempt(self if tells else self._silent, state, entry, number)

    @cached_property
    def _silent(self) -> RuleSet:
        return replace(self, tells=False)
