"""Four players for any rule set: they play at random, but they want to win."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import events as ev
from engine.events import Entry
from engine.game import Game
from engine.hands import distance, useful
from engine.rules import RULE_SETS
from engine.rules.harbin.play import HarbinJudge
from engine.rules.hints import must_open
from engine.rules.riichi.draws import is_tenpai
from engine.rules.riichi.play import RiichiJudge
from engine.rules.sichuan.play import SichuanJudge
from engine.rules.sichuan.worth import suits_of
from engine.state import Phase, Player, State
from engine.tiles import UNKNOWN, Tile
from studio.play.indicators import Indicators
from studio.play.played_hand import SimulatedHand, WallOrder, deal_order, indicator_places

SKILLS = (1.0, 1.0, 0.8, 0.6, 0.35, 0.1)
"""How well the whole table plays a hand; poor play makes long and drawn hands."""
BADLY_WASHED = 0.4
FLOATS = 0.4  # probability that a fortune is thrown away instead of winning at once
CALLS_OFF = 0.8  # probability that a player calls a hand off where it is allowed (nine terminals)


@dataclass(frozen=True)
class PlayStyle:
    """What sets one player apart from another."""

    claims: float
    """Probability of a claim that brings the hand no nearer."""
    slips: float
    """Probability that a discard is not the best one."""
    passes: float
    """Probability that a player lets a win by claim go."""


class SimulatedGame:
    """One game: the engine keeps the record, this class keeps the wall."""

    def __init__(
        self,
        rules: str,
        rng: random.Random,
        options: dict[str, object],
        names: tuple[str, ...] | None = None,
        skills: Sequence[float] = SKILLS,
        badly_washed: float = BADLY_WASHED,
    ) -> None:
        self.badly_washed = badly_washed
        """Share of walls in which equal tiles lie side by side."""
        self.rules = RULE_SETS[rules]
        self.skills = skills
        self.rng = rng
        self.game = Game()
        self.start = ev.GameStart(rules, options, names)
        self._tempers = [
            PlayStyle(rng.uniform(0.2, 0.9), rng.uniform(0.0, 0.08), rng.uniform(0.0, 0.04))
            for _ in range(4)
        ]
        self._events: list[ev.Event] = []
        self._submit(self.start)

    @property
    def over(self) -> bool:
        """Whether points or rounds have ended the game."""
        return ev.HandStart() not in self.game.legal()

    def hand(self) -> SimulatedHand:
        """Shuffle, deal and play one hand to its end."""
        wall = self._shuffled()
        self._skill = self.rng.choice(self.skills)
        self._events = []
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        first = self.game.state.hand_number == 0
        dealer = self.rng.randrange(4) if first else None
        self._submit(ev.HandStart(dealer=dealer, dice=dice))
        return self._dealt(wall, dice)

    def _dealt(self, wall: Sequence[Tile], dice: tuple[int, int]) -> SimulatedHand:
        """Deal from this wall and play the hand to its end."""
        dealer = self.game.state.dealer
        layout = self.rules.layout
        skipped = indicator_places(len(wall), 0) if layout.indicator_stack_out else ()
        self._wall, self._order = wall, WallOrder(len(wall), layout.tail_top_first, skipped)
        self._indicators = Indicators(self.rules, wall, self._order, self.rng)
        hands: list[list[Tile]] = [[], [], [], []]
        for seat, count in deal_order(dealer, self.rules.wall.hand_size):
            hands[seat] += [wall[self._order.head()] for _ in range(count)]
        for step in range(4):
            seat = (dealer + step) % 4
            self._submit(ev.Deal(seat, tuple(sorted(hands[seat]))))
        for turned_up in self._indicators.dealt():
            self._submit(turned_up)
        self._play()
        return SimulatedHand(
            tuple(wall), dealer, (dealer + sum(dice) - 1) % 4, sum(dice), tuple(self._events)
        )

    def _shuffled(self) -> list[Tile]:
        """Return a shuffled wall; a badly shuffled one keeps equal tiles near each other."""
        size = 2 if self.rng.random() < self.badly_washed else 1
        clumps = [
            [tile] * min(size, copies - taken)
            for tile, copies in self.rules.wall.under(self.start.options).items()
            for taken in range(0, copies, size)
        ]
        self.rng.shuffle(clumps)
        return [tile for clump in clumps for tile in clump]

    def _play(self) -> None:
        for _ in range(400):
            state = self.game.state
            if state.phase is Phase.SETTLED:
                break
            legal = self.game.legal()
            event = self._next(state, legal)
            self._submit(event)
            if isinstance(event, ev.Win) and event.seat != event.from_seat:
                self._others_win(state, event, legal)
        else:
            raise RuntimeError("the hand does not end")
        self._after()
        self._submit(ev.HandEnd())

    def _submit(self, event: ev.Event, irregular: bool = False) -> None:
        number = len(self.game.entries)
        announcements = self.game.submit(Entry(event))
        wrong = [a for a in announcements if getattr(a, "code", None) is not None]
        if wrong and not irregular:
            raise RuntimeError(f"event {number} {event!r} was answered with {wrong[0]!r}")
        if irregular and not wrong:
            raise RuntimeError(f"event {number} {event!r} breaks no rule")
        self._events.append(event)

    def _next(self, state: State, legal: Sequence[ev.Event]) -> ev.Event:
        first = self._indicators.due(state) or self._indicators.shown_by(state, self._events[-1])
        if first is not None:
            return first
        flowers = [event for event in legal if isinstance(event, ev.Flower)]
        if flowers:
            flower = min(flowers, key=lambda event: (event.seat - state.dealer) % 4)
            left = not self.rules.wall.used_up(state)
            return replace(flower, drawn=self._wall[self._order.tail()] if left else UNKNOWN)
        floated = self._floated(state, legal)
        if floated is not None:
            return floated
        wins = [e for e in legal if isinstance(e, ev.Win) and self._truly_wins(state, e)]
        for win in wins:
            if (
                win.seat == win.from_seat
                or state.players[win.seat].won
                or self.rng.random() > self._temper(win.seat).passes + (1 - self._skill) * 0.25
            ):
                return self._shown(state, win)
        if state.phase is Phase.TO_DRAW:
            return self._claim_or_draw(state, legal)
        own = self._own_turn(state, legal)
        if own is None:
            raise RuntimeError(f"nothing to do: {legal!r}")
        return own

    def _floated(self, state: State, legal: Sequence[ev.Event]) -> ev.Discard | None:
        """In Hangzhou, sometimes throw a fortune away instead of winning, to win higher."""
        wild = state.wild
        floats = [e for e in legal if isinstance(e, ev.Discard) and e.tile in wild]
        wins = any(isinstance(event, ev.Win) for event in legal)
        if not floats or not wins or self.rng.random() > FLOATS:
            return None
        return self._known_drawn(state.players[state.turn], floats[0])

    def _others_win(self, state: State, first: ev.Win, legal: Sequence[ev.Event]) -> None:
        """Let all the others win who may win on the same discard."""
        allowed = self.rules.payment.winners(state).allowed
        others = [
            event
            for event in legal
            if isinstance(event, ev.Win)
            and event.from_seat == first.from_seat
            and event.seat not in (first.seat, first.from_seat)
        ]
        for win in others[: allowed - 1]:
            self._submit(self._shown(state, win))

    def _truly_wins(self, state: State, win: ev.Win) -> bool:
        """Return whether a draw truly wins: the engine allows all that may be a hidden dora."""
        if win.seat != win.from_seat or not self._indicators.hidden:
            return True
        if self._indicators.may_win_with(state, win.tile):
            return True
        waits = self.rules.waits(state, win.seat) or ()
        return any(w.tile == win.tile.kind and w.refused is None for w in waits)

    def _shown(self, state: State, win: ev.Win) -> ev.Win:
        hand = list(state.players[win.seat].hand)
        if win.seat == win.from_seat and state.players[win.seat].holds_extra:
            hand.remove(win.tile)
        return ev.Win(win.seat, win.from_seat, win.tile, tuple(hand))

    def _claim_or_draw(self, state: State, legal: Sequence[ev.Event]) -> ev.Event:
        wanted = [
            event
            for event in legal
            if isinstance(event, ev.Chow | ev.Pung | ev.Kong) and self._wants(state, event)
        ]
        if wanted and state.last_discard is not None:
            by = state.last_discard.seat
            return min(wanted, key=lambda claim: self._rank(state, claim, by))
        for event in legal:
            if isinstance(event, ev.DrawnHand):
                return event
        draw = next(event for event in legal if isinstance(event, ev.Draw))
        if isinstance(self._last_move(), ev.Kong):
            return ev.Draw(draw.seat, self._wall[self._order.tail()], "tail")
        return ev.Draw(draw.seat, self._wall[self._order.head()], draw.end)

    def _last_move(self) -> ev.Event:
        return next(e for e in reversed(self._events) if not isinstance(e, ev.Indicator | ev.Dice))

    def _rank(
        self, state: State, claim: ev.Chow | ev.Pung | ev.Kong, by: int
    ) -> tuple[int, int, int]:
        """Return a sort key: the precedence of claims, then what the claimant likes best."""
        ready = getattr(claim, "ready", False)
        order = 0 if ready else 2 if isinstance(claim, ev.Chow) else 1
        liked = -9 if isinstance(claim, ev.Kong) else self._after_claim(state, claim)
        return order, (claim.seat - by) % 4, liked

    def _after_claim(self, state: State, claim: ev.Chow | ev.Pung | ev.Kong) -> int:
        """Return the distance of the hand that a claim leaves."""
        player = state.players[claim.seat]
        rest = list(player.hand)
        for tile in claim.own or ():
            rest.remove(tile)
        return distance(rest)

    def _wants(self, state: State, claim: ev.Chow | ev.Pung | ev.Kong) -> bool:
        player = state.players[claim.seat]
        if isinstance(self.rules.judge, SichuanJudge) and claim.tile.suit in self._given_up(
            state, claim.seat
        ):
            return False
        if getattr(claim, "ready", False):
            return self.rng.random() < 0.4 + 0.6 * self._skill
        temper = self._temper(claim.seat)
        opens = must_open(self.rules, state, claim.seat)
        before = distance(player.hand)
        after = self._after_claim(state, claim)
        if isinstance(claim, ev.Kong):
            return after <= before and self.rng.random() < 0.85
        if after < before:
            return self.rng.random() < self._skill * (0.95 if opens else 0.75)
        return after == before and opens and self.rng.random() < temper.claims * 0.5

    def _own_turn(self, state: State, legal: Sequence[ev.Event]) -> ev.Event | None:
        seat, player = state.turn, state.players[state.turn]
        for event in legal:
            if isinstance(event, ev.DrawnHand) and self.rng.random() < CALLS_OFF:
                return event
        given_up = self._given_up(state, seat) if isinstance(self.rules.judge, SichuanJudge) else ""
        kongs = [e for e in legal if isinstance(e, ev.Kong) and e.tile.suit not in given_up]
        if kongs and self.rng.random() < 0.7:
            return kongs[0]
        discards = [e for e in legal if isinstance(e, ev.Discard)]
        ready = [e for e in discards if e.ready]
        if ready and self.rng.random() < 0.4 + 0.55 * self._skill:
            chosen = max(ready, key=lambda e: self._width(state, seat, e.tile))
            return self._known_drawn(player, chosen)
        wild = state.wild
        plain = [e for e in discards if not e.ready and e.tile not in wild] or discards
        if not plain:
            others = [e for e in legal if isinstance(e, ev.Draw | ev.DrawnHand)]
            return others[0] if others else None
        return self._known_drawn(player, self._discard(state, seat, plain))

    def _known_drawn(self, player: Player, event: ev.Discard) -> ev.Discard:
        drawn = event.drawn
        if drawn is None and player.drawn is not None:
            drawn = event.tile == player.drawn
        return ev.Discard(event.seat, event.tile, event.ready, drawn)

    def _discard(self, state: State, seat: int, options: Sequence[ev.Discard]) -> ev.Discard:
        by_tile = {event.tile: event for event in options}
        if self.rng.random() < self._temper(seat).slips + (1 - self._skill) * 0.35:
            return by_tile[self.rng.choice(sorted(by_tile))]
        costs = {tile: self._cost(state, seat, tile) for tile in sorted(by_tile)}
        least = min(costs.values())
        near = [tile for tile, cost in costs.items() if cost < least + 0.05]
        best = max(near, key=lambda tile: (self._width(state, seat, tile), self.rng.random()))
        return by_tile[best]

    def _rest(self, state: State, seat: int, tile: Tile) -> list[Tile]:
        rest = list(state.players[seat].hand)
        rest.remove(tile)
        return rest

    def _cost(self, state: State, seat: int, tile: Tile) -> float:
        """Return how far a discard leaves the hand from one that may win."""
        player = state.players[seat]
        rest = self._rest(state, seat, tile)
        cost = float(distance(rest))
        if isinstance(self.rules.judge, SichuanJudge):
            given_up = self._given_up(state, seat)
            cost += 0.9 * sum(t.suit in given_up for t in rest)
        if isinstance(self.rules.judge, HarbinJudge):
            declared = [t for meld in player.melds for t in meld.tiles]
            if not any(t.rank in (1, 9) or t.suit == "z" for t in [*rest, *declared]):
                cost += 1.6
            pung = any(meld.tiles[0].kind == meld.tiles[1].kind for meld in player.melds)
            if not pung and max(Counter(t.kind for t in rest).values()) < 2:
                cost += 0.8
            if len({t.suit for t in [*rest, *declared]} - {"z"}) < 2:
                cost += 1.2
        return cost

    def _given_up(self, state: State, seat: int) -> str:
        """The suit that this hand goes without: the one with fewest tiles of those not declared."""
        player = state.players[seat]
        declared = suits_of((), player.melds)
        held = Counter(tile.suit for tile in player.hand)
        return min(
            (suit for suit in "mps" if suit not in declared),
            key=lambda suit: held[suit],
            default="",
        )

    def _width(self, state: State, seat: int, tile: Tile) -> int:
        """Count the unseen copies of the tiles that would help after a discard."""
        left = Counter(dict(self.rules.wall))
        seen = [*state.players[seat].hand]
        for player in state.players:
            seen += [d.tile for d in player.river if d.claimed_by is None]
            seen += [t for meld in player.melds for t in meld.tiles]
        left.subtract(t for t in seen if t != UNKNOWN)
        return sum(max(0, left[kind]) for kind in useful(self._rest(state, seat, tile)))

    def _after(self) -> None:
        """Turn up indicators and show hands, as the rules ask or sometimes voluntarily."""
        state = self.game.state
        for turned_up in self._indicators.afterwards(state):
            self._submit(turned_up)
        for seat, player in enumerate(state.players):
            if seat not in state.winners and player.known and self._shows(state, seat):
                self._submit(ev.Reveal(seat, player.hand))

    def _shows(self, state: State, seat: int) -> bool:
        """Return whether a hand that has not won is shown after the hand."""
        player = state.players[seat]
        if isinstance(self.rules.judge, SichuanJudge):
            return state.drawn_reason == "exhausted"  # for the checks at the end
        if not isinstance(self.rules.judge, RiichiJudge):
            return player.ready and self.rng.random() < 0.35
        match state.drawn_reason:
            case "exhausted":
                return bool(is_tenpai(state, seat))
            case "nine_terminals":
                return seat == state.turn
            case "four_ready":
                return True
            case _:
                return False

    def _temper(self, seat: int) -> PlayStyle:
        return self._tempers[seat]


def play_game(
    rules: str,
    seed: int,
    hands: int,
    options: dict[str, object] | None = None,
    skills: Sequence[float] = SKILLS,
    badly_washed: float = BADLY_WASHED,
) -> tuple[ev.GameStart, list[SimulatedHand], ev.GameEnd]:
    """Play a game of this many hands; the same seed plays the same game."""
    rng = random.Random(f"play {rules} {seed}")
    table = SimulatedGame(rules, rng, options or {}, skills=skills, badly_washed=badly_washed)
    played: list[SimulatedHand] = []
    while len(played) < hands and not (played and table.over):
        played.append(table.hand())
    end = ev.GameEnd("finished" if hands >= 16 else "time")
    return table.start, played, end
