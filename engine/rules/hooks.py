"""The hooks of a rule set, with the behaviour that most games share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.announce import HandResult, Payout, Problem, Wait
from engine.events import Chow, Claim, Event, Indicator, Seat, Win
from engine.rules.base import Announcements, BetweenHands, Option, PageNeeds, Ruling, Teaching
from engine.rules.layout import PLAIN, TableLayout
from engine.state import Player, State
from engine.tiles import Tile

Fault = tuple[str, Mapping[str, object]]
"""A problem code and the values that its sentence names."""


class Hooks(ABC):
    """Values and functions in which games differ; the defaults suit most games."""

    id: str
    words: str
    """The package with its texts."""
    glossary: Sequence[str] = ()
    source: str
    wall: Mapping[Tile, int]
    layout: TableLayout = PLAIN
    page: PageNeeds = PageNeeds()
    teaching: Teaching = Teaching()
    between_hands: BetweenHands = BetweenHands()
    hand_size: int = 13
    options: Sequence[Option] = ()
    problems: Mapping[str, Ruling]
    payments: Sequence[str]
    """Names of the rows of the payment table."""
    indicator_kinds: frozenset[str] = frozenset()
    open_indicators: frozenset[str] = frozenset()
    """Kinds that lie face up. By default any other kind is secret until the hand is over."""
    drawn_reasons: frozenset[str] = frozenset({"exhausted"})

    most_winners: int = 1
    """How many may win on one discard. With more than one, ``hand_end`` settles."""
    pays_first_winner: bool = False
    """Where several may win, pay the first winner at once. A second winner cancels that payment."""
    pays_every_win: bool = False
    """Pay each win at once, however many win on one tile; for hands that go on."""
    ready_by_discard: bool = True
    """Whether ready may be claimed with a discard."""
    barring: Sequence[str] = ("wrong_tile_count", "dead_hand")
    """Codes that keep a seat from winning for the rest of the hand; the first one is announced."""
    ready_calls: bool = True
    """Whether players claim ready. If not, such a call is flagged and otherwise ignored."""

    def next_seat(self, state: State, seat: Seat) -> Seat:
        """Who plays after this seat; a hand that goes on skips its winners."""
        retired = state.retired
        seats = ((seat + step) % 4 for step in (1, 2, 3, 4))
        return next(seat for seat in seats if seat not in retired)

    def ends_hand(self, state: State) -> bool:
        """Whether the standing wins end the hand; otherwise play goes on without the winners.

        ``state`` is the one that the newest win led to.
        """
        return True

    @abstractmethod
    def may_win(self, state: State, seat: Seat) -> bool:
        """A quick test whether a win of this seat is worth judging."""

    def bar(self, player: Player) -> str | None:
        """The code that keeps this player from winning for the rest of the hand, if any."""
        return next((code for code in self.barring if code in player.irregular), None)

    def miscounted(self, player: Player) -> bool:
        """Whether a winner, with the winning tile, holds a tile too many or too few."""
        return len(player.hand) != self.hand_size + 1 - 3 * len(player.melds)

    def in_doubt(self, state: State, win: Win) -> bool:
        """Whether a win counts only because some fact is unknown."""
        return False

    def winners_allowed(self, state: State) -> int:
        """How many may win on one discard under the options of this game."""
        return self.most_winners

    def may_rob(self, state: State, win: Win) -> bool:
        """Whether this hand may win on the tile of a kong that is not an added one."""
        return False

    def lend(self, state: State, win: Win) -> State | None:
        """The state in which the seat holds a winning tile that it has not drawn. None if not
        allowed.
        """
        return None

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Kinds that win when drawn, whatever the hand waits for; only this seat may know them."""
        return ()

    def more_wins(self, state: State) -> tuple[Win, ...]:
        """Wins that the rules allow now beside own draws and claims of the last discard."""
        return ()

    def claim_rank(self, state: State, event: Claim | Win) -> int:
        """Precedence of a claim of the last discard; 0 for a forbidden claim.

        In most games a win comes first, then a kong or pung, then a chow (002, Win; Pung; Kong;
        003; 004, 3.3.1).
        """
        if isinstance(event, Win):
            return 3
        if self.faults(state, event):
            return 0
        return 1 if isinstance(event, Chow) else 2

    @abstractmethod
    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        """Rules that the event breaks, judged before it is taken but after supplied draws."""

    def ruling(self, code: str, values: Mapping[str, object]) -> Ruling | None:
        """The ruling behind a code; the values may select one of several."""
        return self.problems.get(code)

    def follows(self, state: State, problem: Problem) -> str:
        """Key of what follows from a problem under the options of this game."""
        return problem.follows

    def regular_readings(self, state: State, event: Event, code: str) -> tuple[Event, ...]:
        """What may really have happened where an event broke this rule, best first."""
        return ()

    def last_turn(self, state: State) -> bool:
        """Whether a draw now is one of the last draws, without a discard."""
        return False

    @abstractmethod
    def live_wall(self, state: State) -> int:
        """Tiles that may still be drawn; below zero where the rules keep more than is left."""

    def wall_used_up(self, state: State) -> bool:
        """Whether nobody may draw any more."""
        return self.live_wall(state) <= 0

    @abstractmethod
    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """What a claim of being ready lacks; empty when it is good, None when unknown."""

    @abstractmethod
    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None: ...

    @abstractmethod
    def problems_of_win(self, state: State, win: Win) -> tuple[Problem, ...]: ...

    @abstractmethod
    def settle(self, state: State, wins: Sequence[Win]) -> Payout: ...

    @abstractmethod
    def next_hand(self, state: State) -> HandResult: ...

    def points_at_start(self, options: Mapping[str, object]) -> int:
        points = options.get("start_points", 0)
        assert isinstance(points, int), "its values are integers"
        return points

    def completed(self, state: State, event: Event) -> Event:
        """The event, with parts that it leaves out filled in where the tiles make them certain."""
        return event

    def follow(self, before: State, after: State, event: Event) -> tuple[State, Announcements]:
        """Apply what else this event changes: deposits, fouls that cost points, ends of floats."""
        return after, []

    def indicate(self, state: State, event: Indicator) -> State:
        """Turn up an indicator; raise ``IllegalEvent`` for an impossible one."""
        return replace(state, indicators=(*state.indicators, event))

    def indicators_due(self, state: State) -> tuple[Indicator, ...]:
        """The indicator that is to be turned up or looked at now, with the tile ``?``."""
        return ()

    def positioned(self, state: State) -> State:
        """Apply the indicators of a situation in mid-hand."""
        return state

    def tiles(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        return self.wall

    def wild(self, state: State) -> frozenset[Tile]:
        return state.wild

    def indicator_visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        return kind in self.open_indicators or (kind in self.indicator_kinds and state.hand_over)

    def lying_open(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Tiles of a concealed hand that everybody sees."""
        return ()
