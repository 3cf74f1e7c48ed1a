"""One hypothesis: events that the engine has taken, and which track each of them explains."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np

from engine.announce import Problem
from engine.events import (
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandStart,
    Indicator,
    Seat,
)
from engine.rules.base import RuleSet
from engine.rules.flow import Step
from engine.state import EAST, Phase, State
from engine.tile_counts import copies_named
from engine.tiles import COPIES, UNKNOWN, Tile
from vision.arrays import Doubles
from vision.decoder.explained import BEFORE, FLAWS, Explained
from vision.decoder.likelihood import COSTS, TILES, Charges
from vision.decoder.rivers import RiverTile, extended, river_tiles
from vision.decoder.snapshot import NOTHING, Snapshot
from vision.tiles.classes import FACE_INDEX, FACES, face_class

WINDS_READ: Final = 2
"""So many of four first discards are read as one wind where the others may be it too."""
LAST_DRAWS: Final = 12
"""At most so many draws are supplied before a drawn hand."""
COMPUTED: Final = (
    "cost", "of_steps", "rivers", "lying_apart", "shown", "marks", "by_change", "may_be_drawn_out",
    "future", "events",
)  # fmt: skip
"""Names under which a hypothesis keeps what was computed of it."""


class KnownSteps:
    """What the rules make of the states of a hand: its hypotheses often ask for the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Event], tuple[State, Follows | None]] = {}
        self._copies: dict[int, tuple[State, Counter[Tile], Counter[Tile]]] = {}
        self._shares: dict[int, tuple[State, Doubles]] = {}
        self._prices: dict[int, tuple[State, dict[Tile, float]]] = {}

    def attempt(self, rules: RuleSet, state: State, event: Event) -> Follows | None:
        """What follows from an event; None if the engine holds it for impossible."""
        if isinstance(event, GameStart):
            # Its options cannot be looked up.
            return _follows(rules.attempt(state, Entry(event), 0, tells=False))
        known = self._known.get((id(state), event))
        if known is not None and known[0] is state:
            return known[1]
        number = 0 if isinstance(event, HandStart) else len(state.history.entries)
        done = _follows(rules.attempt(state, Entry(event), number, tells=False))
        self._known[id(state), event] = state, done
        return done

    def copies(self, rules: RuleSet, state: State) -> tuple[Counter[Tile], Counter[Tile]]:
        """How many of each face a state names, and how many do not lie open."""
        found = self._copies.get(id(state))
        if found is None or found[0] is not state:
            named, left = copies_named(state), Counter(rules.wall.under(state.options))
            left.subtract(named)
            left.update(tile for player in state.players for tile in player.hand)
            found = self._copies[id(state)] = state, named, left
        return found[1:]

    def shares_left(self, rules: RuleSet, state: State) -> Doubles:
        """(38,) the share of the copies of each face that do not lie open, 0..1."""
        found = self._shares.get(id(state))
        if found is None or found[0] is not state:
            left = self.copies(rules, state)[1]
            shares = np.zeros(len(FACES))
            for face, count in left.items():
                name = face_class(face)
                if name is not None and count > 0:
                    shares[FACE_INDEX[name]] = count / COPIES
            found = self._shares[id(state)] = state, shares
        return found[1]

    def copy_prices(self, rules: RuleSet, state: State) -> Mapping[Tile, float]:
        """What each face costs where a tile shows it, by how many do not lie open."""
        found = self._prices.get(id(state))
        if found is None or found[0] is not state:
            prices = _CopyPrices()
            for face, count in self.copies(rules, state)[1].items():
                prices[face] = _of_copies(count)
            found = self._prices[id(state)] = state, prices
        return found[1]


class Follows(NamedTuple):
    """What the engine makes of one event."""

    state: State
    flaws: Mapping[str, float]
    """Charges for the rules that it breaks."""


def _follows(step: Step | None) -> Follows | None:
    if step is None:
        return None
    flaws: dict[str, float] = {}
    for problem in step.announcements:
        if isinstance(problem, Problem):
            name = problem.code if problem.code in COSTS else "irregular"
            flaws[name] = flaws.get(name, 0.0) + 1.0
    return Follows(step.state, flaws)


class _CopyPrices(dict[Tile, float]):
    """Prices of faces; of one that is not in the game none are left."""

    def __missing__(self, face: Tile) -> float:
        return _of_copies(0)


@cache
def _of_copies(left: int) -> float:
    return -math.log((left + 1) / COPIES) if left >= 0 else TILES["none_left"]


class ShownSteps(NamedTuple):
    """The steps of a hand that cost by what is known of their tiles."""

    events: tuple[Explained, ...] = ()
    """Those that one tile shows."""
    faces: tuple[Tile, ...] = ()
    """The faces of these tiles, but for unknown ones."""
    nothing: tuple[Explained, ...] = ()
    """Those in which a tile is none of the game."""
    lost: tuple[Explained, ...] = ()
    """Those in which a discard was lost."""
    unnamed: tuple[Explained, ...] = ()
    """Those events of which the tile has no name yet."""

    def followed_by(self, step: Explained) -> ShownSteps:
        events, faces, nothing, lost, unnamed = self
        if "lost" in step.charges:
            lost = (*lost, step)
        if step.tile is not None and not step.by_person:
            if step.event is None:
                nothing = (*nothing, step)
            else:
                events = (*events, step)
                if step.face.known:
                    faces = (*faces, step.face)
                else:
                    unnamed = (*unnamed, step)
        elif lost is self.lost:
            return self
        return ShownSteps(events, faces, nothing, lost, unnamed)

    @classmethod
    def of(cls, hand: Sequence[Explained]) -> ShownSteps:
        shown = [step for step in hand if step.tile is not None and not step.by_person]
        events = tuple(step for step in shown if step.event is not None)
        return cls(
            events,
            tuple(step.face for step in events if step.face.known),
            tuple(step for step in shown if step.event is None),
            tuple(step for step in hand if "lost" in step.charges),
            tuple(step for step in events if not step.face.known),
        )


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """Steps with the states before them."""

    rules: RuleSet
    state: State
    hand: tuple[Explained, ...] = ()
    """The steps of the last hand, from its start on."""
    before: tuple[State, ...] = field(default=(), repr=False)
    """The states before them."""
    earlier: tuple[tuple[Explained, State], ...] = field(default=(), repr=False)
    """The steps of the hands that are over, with the states before them.

    Hypotheses share it: with a copy each, their memory would grow with the length of the game."""
    settled: float = 0.0
    """What the hands before this one have cost, relative to the other hypotheses."""
    seen: float = 0.0
    """What the table as it was seen last adds to what the steps of this hand cost."""
    found: Snapshot = NOTHING
    """What lay there when the table was found in this hand, discards as its position has them."""
    undone: int = 0
    """Number of events that players took back."""
    first_dealer: Seat | None = None
    """Who dealt the first hand of the game, where a person said so."""
    options: Mapping[str, object] = field(default_factory=dict)
    """With which a game is played that begins without a word of a person."""
    known: KnownSteps = field(default_factory=KnownSteps, repr=False)

    # --- growing ---

    def then(self, step: Explained) -> Hypothesis | None:
        """The hypothesis with one more step; None if the engine holds it for impossible."""
        event = step.event
        if event is None:
            return self._with(step, self.state)
        if self.state.phase is Phase.BEFORE_GAME and not isinstance(event, GameStart):
            return None  # without a game there are no rules to ask
        done = self.known.attempt(self.rules, self.state, event)
        if done is None:
            return None
        past = self
        if isinstance(event, HandStart):
            past = self._but(
                earlier=self.played, hand=(), before=(), found=NOTHING,
                settled=self.cost, seen=0.0, known=KnownSteps(),
            )  # fmt: skip
        elif isinstance(event, GameStart | GameEnd):
            # Who dealt first in one game says nothing of the next one.
            past = self._but(first_dealer=getattr(event, "first_dealer", None))
        return past._with(_judged(step, done), done.state)

    def _with(self, step: Explained, after: State) -> Hypothesis:
        hand, before = (*self.hand, step), (*self.before, self.state)
        grown = self._but(state=after, hand=hand, before=before)
        held = grown.__dict__
        if "rivers" in self.__dict__:
            held["rivers"] = extended(self.rivers, step, len(self.hand), self.found.rivers)
            if step.event is None and "lying_apart" in self.__dict__:
                held["lying_apart"] = self.lying_apart
        if "shown" in self.__dict__:
            held["shown"] = self.shown.followed_by(step)
        held["of_steps"] = self.of_steps + step.cost
        return grown

    def _but(self, **changes: object) -> Hypothesis:
        """A copy with changes, like ``dataclasses.replace`` but faster."""
        copy = object.__new__(Hypothesis)
        held = copy.__dict__
        held.update(self.__dict__)
        for name in COMPUTED:
            held.pop(name, None)
        held.update(changes)
        return copy

    def all(self, steps: Sequence[Explained]) -> Hypothesis | None:
        """The hypothesis with more steps; None if the engine holds one for impossible."""
        if any(isinstance(step.event, GameStart | GameEnd | HandStart) for step in steps):
            hypothesis: Hypothesis | None = self
            for step in steps:
                hypothesis = hypothesis.then(step) if hypothesis is not None else None
            return hypothesis
        state, hand, before, cost = self.state, list(self.hand), list(self.before), self.of_steps
        if state.phase is Phase.BEFORE_GAME and any(step.event is not None for step in steps):
            return None
        for step in steps:
            before.append(state)
            if step.event is not None:
                done = self.known.attempt(self.rules, state, step.event)
                if done is None:
                    return None
                step, state = _judged(step, done), done.state
            hand.append(step)
            cost += step.cost
        grown = self._but(state=state, hand=tuple(hand), before=tuple(before))
        grown.__dict__["of_steps"] = cost
        return grown

    def charged(self, charges: Charges) -> Hypothesis:
        """The hypothesis with further costs of its last step."""
        amounts = {name: amount for name, amount in charges.items() if amount}
        if not amounts or not self.hand:
            return self
        charged = self._but(hand=(*self.hand[:-1], self.hand[-1].charged(amounts)))
        if "rivers" in self.__dict__:
            charged.__dict__["rivers"] = self.rivers
        return charged

    @cached_property
    def cost(self) -> float:
        """Negative log-likelihood, relative to the other hypotheses."""
        return self.paid + self.seen

    @property
    def paid(self) -> float:
        """The cost without what the table adds; it grows with every step."""
        return self.settled + self.of_steps

    @cached_property
    def of_steps(self) -> float:
        """What the steps of this hand cost."""
        return sum(step.cost for step in self.hand)

    def costing(self, **beside_steps: float) -> Hypothesis:
        """The same with another ``settled`` or ``seen``; what was computed of it is kept."""
        kept = {name: self.__dict__[name] for name in COMPUTED if name in self.__dict__}
        kept.pop("cost", None)
        return self._but(**kept, **beside_steps)

    def __getstate__(self) -> dict[str, object]:
        """What is kept in checkpoints: what was computed of it is computed again."""
        kept = {field.name: getattr(self, field.name) for field in fields(self)}
        return kept | {"known": KnownSteps()}

    # --- changing what was said ---

    def until(self, place: int) -> Hypothesis:
        """The hypothesis before one of the steps of its hand."""
        return self._but(
            state=self.before[place] if place < len(self.before) else self.state,
            hand=self.hand[:place],
            before=self.before[:place],
        )

    def with_step(self, place: int, *new: Explained) -> Hypothesis | None:
        """The hypothesis with other steps in one place; None where what follows cannot be."""
        was = self.hand[place]
        if was.by_person and any(step.face != was.face for step in new):
            return None
        return self.until(place).all((*new, *self.hand[place + 1 :]))

    def relinked(self, place: int, step: Explained) -> Hypothesis:
        """The hypothesis with the same event explained by other tracks."""
        return self._but(hand=(*self.hand[:place], step, *self.hand[place + 1 :]))

    # --- looking back ---

    @property
    def played(self) -> tuple[tuple[Explained, State], ...]:
        """The steps of all hands, with the states before them."""
        return (*self.earlier, *zip(self.hand, self.before, strict=True))

    @property
    def steps(self) -> tuple[Explained, ...]:
        """The steps of all hands."""
        return (*(step for step, _ in self.earlier), *self.hand)

    def last_event(self) -> tuple[int, Explained] | None:
        """Place and step of the last event of this hand."""
        places = range(len(self.hand) - 1, -1, -1)
        return next(((at, self.hand[at]) for at in places if self.hand[at].event), None)

    @property
    def last_tile(self) -> int | None:
        """Track of the tile that may be claimed now."""
        last = self.state.last_discard
        if last is None or last.added_kong:
            return None
        for step in reversed(self.hand):
            if isinstance(step.event, Discard):
                return step.tile
        return None

    @cached_property
    def future(self) -> object:
        """What decides how changes that come later are explained, and what they cost."""
        state = self.state
        players = tuple(
            (len(player.river), tuple((meld.kind, meld.from_seat) for meld in player.melds),
             player.ready, player.irregular)
            for player in state.players
        )  # fmt: skip
        last = state.last_discard
        return (
            state.phase, state.hand_number, state.dealer, state.turn, players,
            last and (last.seat, last.added_kong), self.last_tile, len(state.indicators),
            state.winners, state.wins, state.paid, self.undone,
        )  # fmt: skip

    @cached_property
    def events(self) -> tuple[Explained, ...]:
        """The steps that are events."""
        return tuple(step for step in self.steps if step.event is not None)

    @property
    def playing(self) -> bool:
        return self.state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD)

    @cached_property
    def rivers(self) -> tuple[RiverTile, ...]:
        """The discards of this hand, in the order of play."""
        return river_tiles(self.hand, self.found.rivers)

    @cached_property
    def lying_apart(self) -> tuple[frozenset[int], frozenset[int]]:
        """Tracks of the discards that nobody took, and of those that were claimed."""
        lying, claimed = set[int](), set[int]()
        for discard in self.rivers:
            if discard.track is not None and not discard.won:
                (claimed if discard.claimed else lying).add(discard.track)
            elif discard.track is not None and discard.claimed:
                claimed.add(discard.track)
        return frozenset(lying), frozenset(claimed)

    @cached_property
    def shown(self) -> ShownSteps:
        """The steps of this hand that cost by what is known of their tiles."""
        return ShownSteps.of(self.hand)

    @cached_property
    def marks(self) -> frozenset[int]:
        """The events of this hand with their changes."""
        return frozenset((0, *(step.mark for step in self.hand)))

    @cached_property
    def by_change(self) -> Mapping[int, tuple[Event, ...]]:
        """The events of this hand by their changes; draws are not seen."""
        found: dict[int, tuple[Event, ...]] = {}
        for step in self.hand:
            if step.event is not None and not isinstance(step.event, Draw):
                found[step.change] = (*found.get(step.change, ()), step.event)
        return found

    @property
    def copy_prices(self) -> Mapping[Tile, float]:
        """What each face costs where a tile shows it."""
        return self.known.copy_prices(self.rules, self.state)

    @property
    def named(self) -> Counter[Tile]:
        """How many copies of each face the record names."""
        return self.known.copies(self.rules, self.state)[0]

    @property
    def left_to_lay(self) -> Counter[Tile]:
        """Copies of each face that lie nowhere.

        A hand that is shown at the end has some, and one that is left out has none.
        """
        return self.known.copies(self.rules, self.state)[1]

    @property
    def shares_left(self) -> Doubles:
        """(38,) the share of the copies of each face that lie nowhere, 0..1."""
        return self.known.shares_left(self.rules, self.state)

    def waiting(self, seat: Seat) -> int:
        """Tiles that the seat holds while it waits, beside its declared sets."""
        return self.rules.wall.waiting(len(self.state.players[seat].melds))

    def turned_up(self) -> list[int]:
        """Tracks of the indicators of this hand."""
        shown = (step.tile for step in self.hand if isinstance(step.event, Indicator))
        return [*self.found.turned_up, *(tile for tile in shown if tile is not None)]

    # --- what the rules supply ---

    @property
    def played_with(self) -> Mapping[str, object]:
        """The options of the game under way, or of the one that begins next."""
        between = self.state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME)
        return self.options if between else self.state.options

    @property
    def passed_on(self) -> object:
        """What the next hand takes over from those before: who deals, counters, points, sticks."""
        state = self.state
        return (
            state.phase, state.hand_number, state.round, state.dealer, state.first_dealer,
            state.may_deal, state.honba, state.staying, state.points, state.pot, state.kept,
        )  # fmt: skip

    def begun(self, time_s: float, change: int) -> Hypothesis:
        """The hypothesis with a game begun."""
        start = GameStart(self.rules.id, self.options, first_dealer=self.first_dealer)
        hypothesis = self.then(Explained(time_s, change, start))
        assert hypothesis is not None, "a game may always start"
        return hypothesis

    def first_hand(self, dealer: int, deposits: int | None = None) -> HandStart:
        """How the first hand of the record begins.

        Without a round its dealer is the first of the game. Where somebody said that another seat
        was, a round has to be named, and nobody knows better than that it is the first.
        """
        joined = self.first_dealer not in (None, dealer)
        return HandStart(dealer, EAST if joined else None, deposits=deposits)

    def next_hand(self, dealer: int) -> HandStart:
        """How the next hand begins; its dealer is told where only the table can tell it."""
        return HandStart(dealer if self.state.may_deal else None)

    def discards_until(self, seat: Seat) -> list[Discard]:
        """One discard that nobody saw of each player who acts before this seat does."""
        turn, missed = self.state.turn, list[Discard]()
        while turn != seat and len(missed) < 3:
            missed.append(Discard(turn, UNKNOWN))
            turn = self.rules.turns.next_seat(self.state, turn)
        return missed

    @cached_property
    def may_be_drawn_out(self) -> bool:
        """Whether the hand may be over without anybody winning."""
        return self.drawn_out(0.0, BEFORE) is not None

    def drawn_out(self, time_s: float, change: int) -> Hypothesis | None:
        """The hypothesis with the last draws that nobody won with, and the drawn hand.

        A draw that the rules call before the wall is used up needs no more draws.
        """
        hypothesis: Hypothesis | None = self
        for _ in range(LAST_DRAWS):
            if hypothesis is None or hypothesis.state.phase is not Phase.TO_DRAW:
                break
            for event in self.rules.legal(hypothesis.state):
                if isinstance(event, DrawnHand) and _is_shown(event, hypothesis.state):
                    return hypothesis.then(Explained(time_s, change, event))
            hypothesis = hypothesis.then(
                Explained(time_s, change, Draw(hypothesis.state.turn, UNKNOWN))
            )
            if hypothesis is not None and hypothesis.state.phase is Phase.TO_DISCARD:
                return None  # the wall is not used up
        return None


def _judged(step: Explained, done: Follows) -> Explained:
    """The step with the charges for the rules that it breaks, and no others of that kind."""
    flaws = {} if step.by_person else done.flaws
    if not flaws and FLAWS.isdisjoint(step.charges):
        return step
    kept = {name: amount for name, amount in step.charges.items() if name not in FLAWS}
    return step.but(charges={**kept, **flaws})


def _is_shown(drawn: DrawnHand, state: State) -> bool:
    """Whether what was read speaks for a draw: the rules allow it as well where nothing was."""
    thrown = [discard.tile for player in state.players for discard in player.river]
    return drawn.reason != "four_winds" or sum(tile.known for tile in thrown) >= WINDS_READ


def some(*found: Hypothesis | None) -> Iterator[Hypothesis]:
    """Those that there are."""
    yield from (hypothesis for hypothesis in found if hypothesis is not None)
