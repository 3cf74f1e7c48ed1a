"""A hand of the learner against three simple players, from a wall that somebody else has shuffled.

The simple players win when they may, else do what a hint calls best: they know what their own seat
sees, and nothing of the wall or of other hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.announce import HintClaim, Problem
from engine.events import (
    Chow,
    Claim,
    Deal,
    Dice,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    Flower,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.hints import must_open
from engine.state import Phase, State
from engine.tiles import Tile

PASS: Final = "pass"
WIN: Final = "win"
READY: Final = "ready-"
"""Before the tile of a discard with a call of ready."""
_DEAD: Final = 14
"""Tiles from the end of the wall at which the first indicator lies, as far from it as any lies."""


def tiles_to_shuffle(rules: str, told: Mapping[str, object] = {}) -> list[Tile]:
    """All tiles of a game, in order. ``told``: its house rules."""
    wall = RULE_SETS[rules].wall.under(RULE_SETS[rules].all_options(told))
    return [tile for tile, count in wall.items() for _ in range(count)]


@dataclass
class PracticeHand:
    """One hand that is played; a learner's choice takes it to the learner's next choice."""

    rules: RuleSet
    wall: list[Tile]
    """What is left of it: tiles are drawn from its head, in place of flowers from its tail."""
    seat: Seat
    """Of the learner."""
    dice: int = 1
    """What is rolled where a game rolls dice in play: a column of the wall, from its tail."""
    game: Game = field(default_factory=Game)
    ended: State | None = None
    """The table with all hands shown, once the hand is over."""
    passed: int = -1
    """How many events there were when the learner let a discard pass."""

    @classmethod
    def dealt(
        cls,
        rules: str,
        wall: Sequence[Tile],
        seat: Seat,
        dealer: Seat,
        dice: int = 1,
        told: Mapping[str, object] = {},
    ) -> PracticeHand:
        """Deal from a shuffled wall, and play up to the learner's first choice.

        ``told``: the house rules.
        """
        hand = cls(RULE_SETS[rules], list(wall), seat, dice)
        hand._submit(GameStart(rules, options=told))
        hand._submit(HandStart(dealer=dealer))
        size = hand.rules.wall.hand_size
        for at in range(4):
            count = size + (at == dealer)
            hand._submit(Deal(at, tuple(sorted(hand.wall[:count]))))
            del hand.wall[:count]
        if hand.rules.layout.indicator_at == "wall":
            hand._turn_up(Indicator(hand.wall[-1], hand.rules.layout.indicator_kinds[0]))
        hand._go_on()
        return hand

    @property
    def over(self) -> bool:
        return self.game.state.phase not in IN_PLAY

    @property
    def state(self) -> State:
        """The table as it lies: of a hand that is over, as it ended."""
        return self.ended or self.game.state

    def choices(self) -> dict[str, Event | None]:
        """What the learner may do now, by name; None lets a discard pass. Empty once it is over."""
        if self.over:
            return {}
        mine = [event for event in self.game.legal(self.seat) if not isinstance(event, Draw)]
        own_turn = self.game.state.phase is Phase.TO_DISCARD and self.game.state.turn == self.seat
        if not own_turn and len(self.game.entries) == self.passed:
            return {}
        found: dict[str, Event | None] = {}
        for event in mine:
            match event:
                case Win():
                    found.setdefault(WIN, event)
                case Discard():
                    name = f"{READY}{event.tile}" if event.ready else str(event.tile)
                    found[name] = self._with_drawn(event)
                case Chow() | Pung() | Kong():
                    found[str(sum(name.isdecimal() for name in found))] = event
        if found and not own_turn:
            found[PASS] = None
        return found

    def choose(self, name: str) -> None:
        """Do what is offered under this name, and play up to the learner's next choice.

        Raises ``KeyError`` for what is not offered.
        """
        event = self.choices()[name]
        if event is None:
            self.passed = len(self.game.entries)
            self._go_on()
        elif self.game.state.phase is Phase.TO_DRAW and self.game.state.last_discard is not None:
            self._go_on(event)
        else:
            self._submit(event)
            self._go_on()

    # --- what happens without the learner ---

    def _go_on(self, claimed: Event | None = None) -> None:
        """Play until the learner has a choice, or the hand is over."""
        while not self.over:
            following = self._next(claimed)
            if following is None:
                return
            claimed = None
            for each in following:
                self._submit(each)
        shown: tuple[Event, ...] = (*self._under_indicators(), *self._hands())
        for each in shown:
            self.game.submit(Entry(each))
        self.ended = self.game.state
        if self.game.state.phase is Phase.SETTLED:
            self._submit(HandEnd())

    def _next(self, claimed: Event | None) -> Sequence[Event] | None:
        """The events that come next; None where the learner is asked."""
        state, legal = self.game.state, self.game.legal()
        due = next((event for event in legal if isinstance(event, Indicator)), None)
        if due is not None and (turned := self._turned_up(due)):
            return turned
        flower = next((event for event in legal if isinstance(event, Flower)), None)
        if flower is not None:
            tile = self.wall.pop() if self.wall else flower.drawn
            return (replace(flower, drawn=tile),)
        if claimed is None and self.choices():
            return None
        if state.phase is Phase.TO_DISCARD:
            return (self._own_turn(legal),)
        taken = self.game.ask(lambda seat, offered: self._answer(seat, offered, claimed))
        return taken or (self._drawn(legal),)

    def _turned_up(self, due: Indicator) -> Sequence[Event]:
        """An indicator that is due, from the end of the wall; the dice say where, in some games."""
        if self.rules.layout.indicator_at == "column":
            if len(self.wall) < 2 * self.dice:
                return ()
            return Dice((self.dice,)), replace(due, tile=self.wall.pop(-2 * self.dice))
        return (replace(due, tile=self.wall[-1 - len(self.game.state.indicators)]),)

    def _turn_up(self, first: Indicator) -> None:
        """The indicator of the deal; under some house rules there is none."""
        said = self.game.with_lines(Entry(first)).played[-1].announcements
        if not any(isinstance(each, Problem) and each.impossible for each in said):
            self._submit(first)

    def _under_indicators(self) -> Iterator[Indicator]:
        """What a winner who called ready turns up, where a game has it."""
        under, state = self.rules.layout.under_kind, self.game.state
        if under is None or state.phase is not Phase.SETTLED:
            return
        if any(state.players[seat].ready for seat in state.winners):
            for at in range(len(state.indicators)):
                yield Indicator(self.wall[-_DEAD // 2 - 1 - at], under)

    def _hands(self) -> Iterator[Reveal]:
        """Everybody shows the hand when it is over: so a learner sees what the others had."""
        state = self.game.state
        for seat, player in enumerate(state.players):
            if seat not in state.winners and player.hand:
                yield Reveal(seat, player.hand)

    def _drawn(self, legal: Sequence[Event]) -> Event:
        """The next draw, or how the hand ends without one."""
        draw = next((event for event in legal if isinstance(event, Draw)), None)
        if draw is None or not self.wall:
            return next(event for event in legal if isinstance(event, DrawnHand))
        return replace(draw, tile=self.wall.pop(0))

    def _answer(
        self, seat: Seat, offered: Sequence[Claim | Win], claimed: Event | None
    ) -> Claim | Win | None:
        """What a seat does about the last discard."""
        if seat == self.seat:
            return claimed if isinstance(claimed, Win | Chow | Pung | Kong) else None
        win = next((event for event in offered if isinstance(event, Win)), None)
        return win or self._wanted(seat, [each for each in offered if not isinstance(each, Win)])

    def _wanted(self, seat: Seat, offered: Sequence[Claim]) -> Claim | None:
        """The claim that brings a simple player nearer; none that costs more than it is worth."""
        hint = self.rules.hint(self.game.state, seat)
        if not offered or hint.now is None or hint.now.distance is None:
            return None
        costs = self.rules.teaching.cost_of_opening is not None
        closed = not self.game.state.players[seat].melds
        if costs and closed and not must_open(self.rules, self.game.state, seat):
            return None
        nearer = (row for row in hint.claims if _is_nearer(row, hint.now.distance))
        return next((row.claim for row in nearer if row.claim in offered), None)

    def _own_turn(self, legal: Sequence[Event]) -> Event:
        """A simple player's own turn: a win, a kong that costs nothing, else the best discard."""
        seat = self.game.state.turn
        for event in legal:
            if isinstance(event, Win) and event.seat == seat:
                return event
        hint = self.rules.hint(self.game.state, seat)
        discards = [event for event in legal if isinstance(event, Discard)]
        best = hint.discards[0] if hint.discards else None
        for row in hint.claims:
            far = None if best is None else best.distance
            if row.claim in legal and not row.forbidden and row.distance == far:
                return row.claim
        if not discards:
            return next(event for event in legal if isinstance(event, DrawnHand | Draw))
        order = [row.tile for row in hint.discards]
        chosen = min(
            discards,
            key=lambda event: (
                order.index(event.tile) if event.tile in order else len(order),
                not event.ready,
            ),
        )
        return self._with_drawn(chosen)

    def _with_drawn(self, event: Discard) -> Discard:
        """The discard, with whether it is the tile that was just drawn."""
        drawn = self.game.state.players[event.seat].drawn
        if event.drawn is not None or drawn is None:
            return event
        return replace(event, drawn=event.tile == drawn)

    def _submit(self, event: Event) -> None:
        said = self.game.submit(Entry(event))
        wrong = next((each for each in said if isinstance(each, Problem)), None)
        assert wrong is None or wrong.seat == self.seat, f"{event} breaks a rule: {wrong}"


def _is_nearer(row: HintClaim, distance: int) -> bool:
    return not row.forbidden and row.distance is not None and row.distance < distance
