"""What a rule set is: stateless values and functions that map a game state to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine import hands
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
from engine.events import (
    Chow,
    Claim,
    Entry,
    Event,
    Foul,
    GameEnd,
    HandStart,
    Indicator,
    Kong,
    Seat,
    Win,
)
from engine.evolve import evolve
from engine.hands import SETS_ONLY, HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.places import places_of
from engine.play import barred
from engine.rules.claims import CLAIMS, ClaimRules
from engine.rules.layout import PLAIN, TableLayout
from engine.rules.verdict import (
    BY_CLAIM,
    BY_DRAW,
    COUNTS,
    PEOPLE_DECIDE,
    Fault,
    How,
    ReadyCalls,
    Ruling,
    Verdict,
    no_win,
    refused,
    unheard_call,
)
from engine.state import Meld, Player, State
from engine.tile_counts import tiles_seen
from engine.tiles import WINDS, Tile, faces_of


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


@dataclass(frozen=True)
class Teaching:
    """What hints work towards in a game."""

    closed: tuple[Goal, ...] = (ANY_HAND,)
    """Kinds of hand that win; only the first where a set is declared."""
    cost_of_opening: str | None = None
    """Code of what the player gives up with the first claimed set, besides tiles."""
    lacks_worth: str | None = None
    """Code of what a hand lacks that is complete and worth too little to win."""
    odds: str = ""
    """Name of the curves that were fitted to this game; empty for none."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        """Kinds of hand that this seat can win with when these sets are declared."""
        return self.closed[: 1 if melds else None]

    def barred(self, state: State, seat: Seat) -> frozenset[Tile]:
        """Kinds on whose discard this seat may surely not win, if the seat in turn discards them
        now."""
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
        return GameResult(state.points, self.places(state))

    def places(self, state: State) -> tuple[int, ...]:
        """Who stands where by the points so far; by default level seats share a place."""
        return places_of(state.points)


class Indicators:
    """The indicators of a game: which it has, who sees them, when one is due, what they make wild.

    By default it has none.
    """

    kinds: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    """Kinds that lie face up. By default any other kind is secret until the hand is over."""
    ready_may_look: bool = False
    """Whether players who have claimed ready may look at the others (000, 3.2)."""

    def visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        looks = self.ready_may_look and seat is not None and state.players[seat].ready
        return kind in self.open or (kind in self.kinds and (looks or state.hand_over))

    def due(self, state: State) -> tuple[Indicator, ...]:
        """The indicator that is to be turned up or looked at now, with the tile ``?``."""
        return ()

    def turned_up(self, state: State, event: Indicator) -> State:
        """Turn up an indicator; raise ``IllegalEvent`` for an impossible one."""
        return evolve(state, indicators=(*state.indicators, event))

    def with_wild(self, state: State) -> State:
        """The state with the wild kinds and stand-ins that the indicators and options make."""
        return state


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


class Step(NamedTuple):
    """The effect of one event: the next state and the announcements."""

    state: State
    announcements: tuple[Announcement, ...] = ()
    taken: bool = True
    """False for an impossible event, which leaves the state unchanged."""


class RuleSet(ABC):
    """One game with its rules. It is stateless, so one object serves every table.

    The defaults are those of a plain game: nobody calls ready, a hand wins when it is complete and
    not barred, a win ends the hand, and no tile is left over in the wall.
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
    layout: TableLayout = PLAIN
    page: PageNeeds = PageNeeds()
    teaching: Teaching = Teaching()
    options: Sequence[Option] = ()
    problems: Mapping[str, Ruling]
    """Every code that this rule set may announce."""
    follows: tuple[str, Mapping[str, Mapping[str, str]]] = ("", {})
    """The name of an option and, by its values, the consequences of problems that replace those of
    the rulings."""
    payments: Sequence[str]
    """Names of the rows of the payment table, as payout items carry them."""

    # --- the wall ---

    wall: Mapping[Tile, int]
    """Copies of each tile under the default options, red fives apart from plain fives."""
    walls: Mapping[object, Mapping[Tile, int]] = {}
    """Other walls, by the option ``red_fives``."""
    hand_size: int = 13
    """Tiles dealt to each player but the dealer."""
    never_drawn: int = 0
    """Tiles that stay in the wall."""
    last_turn_left: int | None = None
    """The last draws, without discards, begin with this many undealt tiles."""
    drawn_reasons: frozenset[str] = frozenset({"exhausted"})

    def tiles(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        """The wall under these options."""
        walls = self.walls
        return walls.get(options.get("red_fives"), self.wall) if walls else self.wall

    def live_wall(self, state: State) -> int:
        """Tiles that may still be drawn; below zero where the rules keep more than is left."""
        return state.wall_left - self.never_drawn

    def wall_used_up(self, state: State) -> bool:
        """Whether nobody may draw any more."""
        return self.live_wall(state) <= 0

    def last_turn(self, state: State) -> bool:
        """Whether a draw now is one of the last draws, without a discard."""
        return self.last_turn_left is not None and state.wall_left <= self.last_turn_left

    indicators: Indicators = Indicators()

    def indicator_visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        """Whether this seat (None: everybody) may know indicators of this kind.

        ``state`` is the last one of the indicators' hand. Only this decides it: pages, files and
        announcements all ask it.
        """
        return self.indicators.visible_to(state, kind, seat)

    # --- claims and other acts of play ---

    ready_calls: ReadyCalls = ReadyCalls.NONE
    claims: ClaimRules = ClaimRules()

    def next_seat(self, state: State, seat: Seat) -> Seat:
        """Who plays after this seat; a hand that goes on skips its winners."""
        retired, following = state.retired, (seat + 1) % 4
        while following in retired:
            following = (following + 1) % 4
        return following

    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        """The rules that the event breaks. ``state``: before the event, with the draws that it
        implies."""
        if not isinstance(event, CLAIMS):
            return ()
        if isinstance(event, Chow) and not self.claims.chows:
            return (Fault("no_chow_here"),)
        return tuple([Fault(code) for code in self.faults_of_claim(state, event)])

    def faults_of_claim(self, state: State, claim: Claim) -> list[str]:
        """Codes of the rules that a claim breaks."""
        return self.claims.faults(
            state,
            claim,
            ended=self.wall_used_up(state) or self.last_turn(state),
            keeps_hand=isinstance(claim, Kong) and self.kong_keeps_hand(state, claim),
        )

    def kong_keeps_hand(self, state: State, kong: Kong) -> bool:
        """Whether a ready player may declare this kong, as far as the hand is known."""
        return False

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

    def too_late(self, state: State, event: Claim | Win, holder: Claim | Win) -> Ruling | None:
        """The rule by which a better claim came too late, after ``holder`` had the tile.

        ``state``: before both claims. None where precedence alone decides.
        """
        return None

    def ruled(self, state: State, event: Foul) -> tuple[State, Announcements]:
        """Take an offence that people rule or the camera saw, under its own name."""
        return barred(state, event.seat, event.offence), [self.problem(event.offence, event.seat)]

    def follow(self, before: State, after: State, event: Event) -> tuple[State, Announcements]:
        """Apply what else this event changes: deposits, fouls that cost points, ends of floats."""
        return after, []

    def lying_open(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Tiles of a concealed hand that everybody sees."""
        return ()

    # --- what a hand waits for ---

    forms: frozenset[HandForm] = SETS_ONLY
    """Forms that a complete hand may have."""
    waits_when_barred: bool = False
    """Whether a barred seat is told its waits as if it were not; else each is refused."""
    draws_win: bool = False
    """Whether wins come by own draw as a rule, so that a tile which only wins so is not called
    refused."""

    def waits(self, state: State, seat: Seat) -> tuple[Wait, ...] | None:
        """Tiles that complete the seat's hand under these rules; None when the hand is hidden.

        Tiles that the rules refuse (a condition, no yaku, furiten) are listed with the code.
        """
        hand = state.players[seat].waiting
        waits = None if hand is None else self.waits_of(state, seat, hand)
        if not waits:
            return waits
        wall, seen = self.tiles(state.options), self._tiles_seen(state, seat)
        told = []
        for wait in waits:
            faces = faces_of(wait.tile)
            copies = sum([wall.get(face, 0) for face in faces]) - sum(map(seen.count, faces))
            told.append(evolve(wait, left=max(copies, 0)))
        return tuple(told)

    def waits_of(self, state: State, seat: Seat, hand: tuple[Tile, ...]) -> tuple[Wait, ...] | None:
        """As ``waits``, before the copies that are left are counted."""
        complete = self.completing(state, seat, hand)
        if not complete:
            return None if complete is None else ()
        barring = None if self.waits_when_barred else self.bar(state.players[seat])
        if barring:
            return tuple(Wait(kind, 0, barring) for kind in complete)
        return tuple(self._wait(state, seat, hand, kind) for kind in complete)

    def _wait(self, state: State, seat: Seat, hand: tuple[Tile, ...], kind: Tile) -> Wait:
        """A claim may be refused where an own draw still wins. Where that does not win either, this
        is told first."""
        claimed = self.judge(state, seat, hand, kind, BY_CLAIM).fault
        if claimed is None:
            return Wait(kind, 0)
        drawn = self.judge(state, seat, hand, kind, BY_DRAW).fault
        if drawn is not None:
            return Wait(kind, 0, drawn.code)
        return Wait(kind, 0, None if self.draws_win else claimed.code, claimed.code)

    def completing(
        self, state: State, seat: Seat, hand: tuple[Tile, ...]
    ) -> tuple[Tile, ...] | None:
        """Kinds that make the waiting hand whole, whatever else the rules ask of a win, without
        those of which the seat holds every copy. None where nobody knows them yet."""
        complete = _completing(hand, self.forms)
        if not complete:
            return ()
        melds = state.players[seat].melds
        own = Counter((*hand, *(tile for meld in melds for tile in meld.tiles)))
        return tuple(kind for kind in complete if own[kind] < self.wall.get(kind, 0))

    def copies_left(self, state: State, seat: Seat) -> Counter[Tile]:
        """The copies of each kind that are unseen: by this seat, or by everybody if its hand is
        shown."""
        kinds: dict[Tile, int] = {}
        for tile, copies in self.tiles(state.options).items():
            kinds[tile.kind] = kinds.get(tile.kind, 0) + copies
        seen = Counter([tile.kind for tile in self._tiles_seen(state, seat)])
        return Counter({kind: max(copies - seen[kind], 0) for kind, copies in kinds.items()})

    def _tiles_seen(self, state: State, seat: Seat) -> list[Tile]:
        viewer = None if state.players[seat].shown else seat
        hidden = [
            kind
            for kind in self.indicators.kinds
            if state.indicators and not self.indicator_visible_to(state, kind, viewer)
        ]
        seen = tiles_seen(state, viewer, hidden)
        for other, player in enumerate(state.players):
            if other != seat and not player.shown:
                seen += self.lying_open(state, other)
        return seen

    def missing(self, state: State, seat: Seat) -> tuple[str, ...] | None:
        """What a claim of being ready lacks; empty when it is good, None when unknown."""
        return ("no_ready_call",)

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Kinds that win when drawn, whatever the hand waits for; only this seat may know them."""
        return ()

    # --- wins ---

    most_winners: int = 1
    """How many may win on one discard. With more than one, ``hand_end`` settles."""
    wins_to_end: int = 1
    """How many wins end the hand. If more than one, each is paid at once, and its winner leaves."""
    pays_first_winner: bool = False
    """Where several may win, pay the first winner at once. A second winner cancels that payment."""
    robs_closed_kongs: bool = False
    """Whether a win on the tile of a closed kong is judged like any other."""
    barring: Sequence[str] = ("wrong_tile_count", "dead_hand")
    """Codes that keep a seat from winning for the rest of the hand; the first one is announced."""

    def winners_allowed(self, state: State) -> int:
        """How many may win on one discard under the options of this game."""
        return self.most_winners

    def winners_paid(self, state: State) -> int:
        """How many of them are paid."""
        return self.winners_allowed(state)

    def called_off_at(self, state: State) -> int | None:
        """With how many wins on one discard the hand is drawn and nobody is paid. None: never."""
        return None

    def bar(self, player: Player) -> str | None:
        """The code that keeps this player from winning for the rest of the hand, if any."""
        return next((code for code in self.barring if code in player.irregular), None)

    def may_win(self, state: State, seat: Seat) -> bool:
        """A quick test whether a win of this seat is worth judging."""
        player = state.players[seat]
        if self.bar(player) is not None or self._lacks_call(player):
            return False
        hand = None if player.holds_extra else player.waiting
        # No tile of another seat completes a hand that waits for none.
        return hand is None or self.completing(state, seat, hand) != ()

    def verdict(self, state: State, win: Win) -> Verdict:
        """Whether this win counts; everything about wins asks here.

        ``state`` is the one that the win led to.
        """
        player = state.players[win.seat]
        if len(player.hand) != self.hand_size + 1 - 3 * len(player.melds):
            return refused("wrong_tile_count")
        if self._lacks_call(player):
            return unheard_call(state, win)
        barring = self.bar(player)
        if barring is not None:
            return refused(barring)
        how = How(win.seat == win.from_seat, win)
        return self.judge(state, win.seat, player.waiting, win.tile, how)

    def _lacks_call(self, player: Player) -> bool:
        needed = self.ready_calls is ReadyCalls.NEEDED
        return needed and not player.ready and player.ready_certain

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        """Whether this tile wins with this waiting hand: all that a game says of wins and waits.

        ``hand`` is None where some tile or set of it is hidden. It has the right number of tiles.
        """
        if hand is None or tile.kind in _completing(hand, self.forms):
            return COUNTS
        return no_win(tile)

    def lend(self, state: State, win: Win) -> State | None:
        """The state in which the seat holds a winning tile that it has not drawn. None if not
        allowed.
        """
        return None

    def outright(self, state: State, win: Win) -> bool:
        """Whether this wins now whatever the hand holds."""
        return False

    def more_wins(self, state: State) -> tuple[Win, ...]:
        """Wins that the rules allow now beside own draws and claims of the last discard."""
        return ()

    def in_mid_play(self, state: State) -> State:
        """The state without what only this moment would add to a win."""
        return state

    # --- payment and the next hand ---

    points_option: str = "start_points"
    """The option that gives the points that each player begins with."""
    between_hands: BetweenHands = BetweenHands()

    @abstractmethod
    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """Payments for these wins (none: a drawn hand), with deposits and liabilities.

        ``state`` is the one that the wins led to. Several wins are one payout, and ``state.pot`` is
        part of it.
        """

    @abstractmethod
    def next_hand(self, state: State) -> HandResult:
        """Dealer, round and counters of the hand after a settled one."""

    # --- problems ---

    def problem(
        self, code: str, seat: Seat | None, values: Mapping[str, object] | None = None
    ) -> Problem:
        """Announce that this rule is broken."""
        return self.problem_of(Fault(code, values or {}), seat)

    def problem_of(self, fault: Fault, seat: Seat | None) -> Problem:
        ruling = fault.ruling or self.problems.get(fault.code, PEOPLE_DECIDE)
        source, follows, values = ruling.source, ruling.follows, fault.values or None
        return Problem(fault.code, seat, False, source, follows, fault.ways, values)

    # --- taking events ---

    @abstractmethod
    def apply(self, state: State, entry: Entry, number: int) -> Step:
        """Take one event. Irregular events are taken and flagged, impossible ones only flagged."""

    @abstractmethod
    def attempt(self, state: State, entry: Entry, number: int) -> Step | None:
        """Take one event; return None for an impossible one, without looking for corrections."""

    tells: bool = True
    """Whether turns and ready hands are announced; the copy that tries events is silent."""

    def trial(self, state: State, entry: Entry, number: int) -> Step | None:
        """As ``attempt``, for who asks for the next state and problems alone: it may leave out
        turns, ready hands and waits, which cost as much as all the rest."""
        return self.attempt(state, entry, number)

    @abstractmethod
    def takers(self, state: State, claims: Iterable[Claim | Win]) -> tuple[Claim | Win, ...]:
        """Which of these claims get the last discard: several wins, where several may win."""

    @abstractmethod
    def legal(self, state: State) -> tuple[Event, ...]:
        """Every regular event of play that may come next; hidden tiles stand as ``?``.

        A claim from a hidden hand appears once for each combination of own tiles that it may hold.
        Events that may come at any time (reveal, foul, dice) are not listed.
        """

    @abstractmethod
    def hint(self, state: State, seat: Seat) -> Hint:
        """What the seat should discard or claim, judged by what it can see; private to the seat."""


@lru_cache(maxsize=1 << 14)
def _completing(hand: tuple[Tile, ...], forms: frozenset[HandForm]) -> tuple[Tile, ...]:
    """Tried events come back to the same hands again and again."""
    return hands.waits(hand, forms=forms)


# --- games of four rounds ---


def round_ends(state: State) -> bool:
    return (state.dealer + 1) % 4 == state.first_dealer


def is_last_deal(state: State) -> bool:
    """Whether the last dealer of the North round deals."""
    return state.round == WINDS[-1] and round_ends(state)


def deal_passed(state: State) -> HandResult:
    """The next player deals, from the first dealer on in the next round."""
    place = WINDS.index(state.round) if state.round in WINDS else 0
    wind = WINDS[(place + round_ends(state)) % len(WINDS)]
    return HandResult((state.dealer + 1) % 4, wind, 0, 0, 1)
