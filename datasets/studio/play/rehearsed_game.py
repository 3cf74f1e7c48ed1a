"""Plays a rehearsal: what its cards ask for, whatever the game.

The tiles help: nobody sees what lies in the wall, so that a tile of which a claim, a call or a win
can be made is drawn when a card needs it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine.events import Entry
from engine.hands import useful
from engine.rehearsal import READY, RehearsalCard, kinds_of
from engine.rules.hints import must_open
from engine.rules.sichuan.play import SichuanJudge
from engine.state import Phase, State
from engine.tiles import Tile
from studio.play.manner import Gesture, Manner
from studio.play.played_hand import SimulatedHand
from studio.play.players import SimulatedGame

OVER: Final = "over"
"""Takes the place of a card once the last one is done."""
SEATS: Final[tuple[ev.Seat, ...]] = (0, 1, 2, 3)
QUIET: Final[Mapping[str, tuple[Gesture, ...]]] = {
    "arms": (Gesture("cover_middle", for_s=5.0),),
    "river": (*(Gesture("straighten", seat) for seat in SEATS), Gesture("wait", for_s=1.5)),
}
"""What is done where a card asks for no event; else everybody just sits there."""
SITS: Final = (Gesture("wait", for_s=5.0),)
LOOKED: Final = Gesture("wait", for_s=2.0)
"""Everybody looks at the hand that was laid open before the last cards."""
LEAST: Final = "minimum_faan"
"""The house rule of a game in which a plain hand pays too little to win."""
ONE_SUIT: Final = frozenset("sz")
"""What a hand is made of there."""
OFF_COST: Final = 0.9
"""What a tile of another suit adds to the distance of such a hand."""
WATCHED_S: Final = 8.0
"""How long the table is filmed once the cards are done."""
UNDRAWN: Final = 24
"""Tiles at the end of the wall that stay where they are: indicators, and what replaces kongs."""
LONGEST: Final = 110
"""Events after which other tiles are tried."""
TRIES: Final = 20
"""Games after which the cards of a rule set cannot be played."""


class RehearsedGame(SimulatedGame):
    """Players who do what cards say."""

    def __init__(self, rules: str, rng: random.Random, cards: Sequence[RehearsalCard]) -> None:
        super().__init__(rules, rng, {}, skills=(1.0,), badly_washed=0.0)
        self._cards = cards
        self._skill = 1.0
        self._one_suit = LEAST in self.rules.all_options()
        self._manners: dict[int, Manner] = {}
        self._waiting: list[Gesture] = []
        """What is done before the next event."""
        self._needs = Counter[tuple[str, int | None]]()
        self._may = frozenset[str]()

    def rehearse(self) -> SimulatedHand:
        """Raises ``RuntimeError`` where the tiles do not allow what the cards say."""
        self._events = []
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        self._submit(ev.HandStart(dealer=self.rng.randrange(4), dice=dice))
        wall = self._shuffled()
        self._begin_well(wall)
        hand = self._dealt(wall, dice)
        return replace(hand, manners=self._manners)

    def _begin_well(self, wall: list[Tile]) -> None:
        """Deal two runs and a pair to the dealer: most of a hand that soon wins in every game."""
        rounds = self.rules.wall.hand_size // 4
        dealt = [*(16 * at + step for at in range(rounds) for step in range(4)), 16 * rounds]
        pair = "1z" if Tile("1z") in wall else "9m"
        begun = ("2s", "3s", "4s", "6s", "7s", "8s", pair, pair)
        for number, (here, tile) in enumerate(zip(dealt, begun, strict=False)):
            kept = dealt[:number]
            there = next(at for at, one in enumerate(wall) if one == tile and at not in kept)
            wall[here], wall[there] = wall[there], wall[here]

    def next_hand(self) -> SimulatedHand:
        """Go on without cards; in a game of its own where the last hand was broken off."""
        if self.over:
            return SimulatedGame(self.rules.id, self.rng, {}, badly_washed=0.0).hand()
        self._cards, self._one_suit = (), False
        return self.hand()

    def _play(self) -> None:
        if not self._cards:
            super()._play()
            return
        self._nearest = self.game.state.dealer
        for card in self._cards:
            self._waiting.append(Gesture("card", card=card.id))
            self._may = card.may
            self._needs = Counter({(kind, None): count for kind, count in card.told.items()})
            self._needs.update(
                {(kind, seat): count for kind, count in card.each.items() for seat in SEATS}
            )
            if not self._needs and not card.last:
                self._waiting += QUIET.get(card.id, SITS)
            while self._needs.total():
                if len(self._events) > LONGEST:
                    raise RuntimeError(f"card {card.id!r} takes more than {LONGEST} events")
                self._act(self._next_of_cards())
            if card.last and self._needs:
                self._waiting.append(LOOKED)
        self._manners[len(self._events)] = Manner(tuple(self._waiting))
        if self.game.state.phase is Phase.SETTLED:
            self._submit(ev.HandEnd())
        else:  # where others play on after a win, the hand is broken off
            self._events.append(ev.HandEnd())

    def _act(self, event: ev.Event) -> None:
        if isinstance(event, ev.DrawnHand):
            raise RuntimeError("the wall is used up before the cards are done")
        if self._waiting:
            self._manners[len(self._events)] = Manner(tuple(self._waiting))
            self._waiting = []
        self._submit(event)
        for need in self._filled(event):
            self._needs[need] -= 1
        if isinstance(event, ev.Win):
            for turned_up in self._indicators.afterwards(self.game.state):
                self._submit(turned_up)

    def _filled(self, event: ev.Event) -> list[tuple[str, int | None]]:
        """What an event does of what is still to be done."""
        seat = getattr(event, "seat", None)
        asked = [(kind, who) for kind in kinds_of(event) for who in (seat, None)]
        return [need for need in asked if self._needs[need] > 0]

    def _allowed(self, event: ev.Event) -> bool:
        """Whether a card lets it happen."""
        seat = getattr(event, "seat", None)
        return all(
            kind in self._may or self._needs[kind, seat] > 0 or self._needs[kind, None] > 0
            for kind in kinds_of(event)
        )

    def _next_of_cards(self) -> ev.Event:
        state, legal = self.game.state, self.game.legal()
        first = self._indicators.due(state) or self._indicators.shown_by(state, self._events[-1])
        if first is not None:
            return first
        if any(isinstance(event, ev.Flower) for event in legal):
            return self._next(state, legal)
        wanted = self._wanted(state, legal)
        if wanted is not None:
            return wanted
        if state.phase is Phase.TO_DRAW:
            return self._drawn_for(state, legal)
        thrown = [e for e in legal if isinstance(e, ev.Discard) and not e.ready]
        if not thrown:
            raise RuntimeError(f"a card cannot be done: {legal[:3]!r}")
        asks = self._asks_more()
        for discard in thrown if asks else ():
            after = self.game.with_lines(Entry(discard))
            if self._wanted(after.state, after.legal()) is not None:
                return self._known_drawn(state.players[discard.seat], discard)
        return self._known_drawn(
            state.players[state.turn], self._discard(state, state.turn, thrown)
        )

    def _asks_more(self) -> bool:
        """Whether more than discards is to be done."""
        return any(count > 0 and kind != "discard" for (kind, _), count in self._needs.items())

    def _wanted(self, state: State, legal: Sequence[ev.Event]) -> ev.Event | None:
        """The best event that does what is still to be done, but for a plain discard."""
        found = [
            event
            for event in legal
            if self._filled(event)
            and self._allowed(event)
            and not (isinstance(event, ev.Discard) and not event.ready)
            and (not isinstance(event, ev.Win) or self._truly_wins(state, event))
            and (READY in self._names() or not getattr(event, READY, False))
        ]
        if not found:
            return None
        best = min(found, key=lambda event: self._liked(state, event))
        if isinstance(best, ev.Win):
            return self._shown(state, best)
        if isinstance(best, ev.Discard):
            return self._known_drawn(state.players[best.seat], best)
        return best

    def _names(self) -> set[str]:
        return {kind for (kind, _), count in self._needs.items() if count > 0}

    def _liked(self, state: State, event: ev.Event) -> tuple[bool, int]:
        """Whoever is to win claims only where the hand has to be open."""
        if not isinstance(event, ev.Chow | ev.Pung | ev.Kong):
            return False, 0
        opens = must_open(self.rules, state, self._nearest)
        return (event.seat == self._nearest) != opens, self._after_claim(state, event)

    # --- what is drawn ---

    def _drawn_for(self, state: State, legal: Sequence[ev.Event]) -> ev.Draw:
        draw = next((event for event in legal if isinstance(event, ev.Draw)), None)
        if draw is None:
            raise RuntimeError("the wall is used up before the cards are done")
        if isinstance(self._last_move(), ev.Kong):
            return ev.Draw(draw.seat, self._wall[self._order.tail()], "tail")
        wished = next(self._wishes(state, draw), None)
        if wished is not None:
            self._bring(wished)
        return ev.Draw(draw.seat, self._wall[self._order.head()], draw.end)

    def _bring(self, tile: Tile) -> None:
        """Swap the next tile of the wall with one like this."""
        here = self._order.peek()
        there = next(at for at in self._order.coming(UNDRAWN) if self._wall[at] == tile)
        wall = self._wall
        assert isinstance(wall, list), "a wall that is rehearsed with is mutable"
        wall[here], wall[there] = wall[there], wall[here]

    def _wishes(self, state: State, draw: ev.Draw) -> Iterator[Tile]:
        """Tiles with which a card can be done, then those that bring somebody nearer to a win."""
        coming = [self._wall[at] for at in self._order.coming(UNDRAWN)]
        tiles = sorted(set(coming))
        self.rng.shuffle(tiles)
        if self._asks_more():
            found = []
            for tile in tiles:
                drawn = self.game.with_lines(Entry(ev.Draw(draw.seat, tile, draw.end)))
                wanted = self._wanted(drawn.state, drawn.legal())
                if wanted is None and self._claims():
                    thrown = ev.Discard(draw.seat, tile, False, True)
                    if (
                        thrown not in drawn.legal()
                        and replace(thrown, drawn=None) not in drawn.legal()
                    ):
                        continue
                    drawn = drawn.with_lines(Entry(thrown))
                    wanted = self._wanted(drawn.state, drawn.legal())
                if wanted is not None:
                    found.append((self._liked(drawn.state, wanted), tile))
            if found:
                yield min(found)[1]
        if draw.seat == self._nearest:
            hand = state.players[draw.seat].hand
            helps = useful(hand)
            yield from (tile for tile in tiles if tile.kind in helps and self._keeps(state, tile))

    def _keeps(self, state: State, tile: Tile) -> bool:
        """Whether the hand that is to win is made of such tiles."""
        if isinstance(self.rules.judge, SichuanJudge):
            return tile.suit != self._given_up(state, self._nearest)
        return not self._one_suit or tile.suit in ONE_SUIT

    def _cost(self, state: State, seat: int, tile: Tile) -> float:
        rest = self._rest(state, seat, tile) if self._one_suit else []
        off = sum(one.suit not in ONE_SUIT for one in rest)
        return super()._cost(state, seat, tile) + OFF_COST * off

    def _claims(self) -> bool:
        """Whether what is to be done may be done with a tile that another seat throws."""
        return bool(self._names() & {"chow", "pung", "kong", "open_hand"})


def play_rehearsal(
    rules: str, seed: int, cards: Sequence[RehearsalCard]
) -> tuple[ev.GameStart, list[SimulatedHand], ev.GameEnd]:
    """Play the cards, then the beginning of a hand; raise ``ValueError`` if that cannot be."""
    for number in range(TRIES):
        game = RehearsedGame(rules, random.Random(f"rehearse {rules} {seed} {number}"), cards)
        try:
            rehearsed = game.rehearse()
        except RuntimeError as error:
            why = error
            continue
        return game.start, [rehearsed, _begun(game.next_hand())], ev.GameEnd("time")
    raise ValueError(f"the cards of {rules} cannot be played: {why}")


def _begun(hand: SimulatedHand) -> SimulatedHand:
    """The beginning of a hand, as far as a rehearsal is watched once its cards are done."""
    played = [
        number
        for number, event in enumerate(hand.events)
        if not isinstance(event, ev.HandStart | ev.Deal | ev.Indicator)
    ]
    over = Manner((Gesture("card", card=OVER), Gesture("wait", for_s=WATCHED_S)))
    return replace(hand, events=hand.events[: played[1]], manners={played[0]: over})
