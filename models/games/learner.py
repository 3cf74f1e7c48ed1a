"""A simulated learner: plays at random, then by one rule after another from the lessons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import events as ev
from engine.hands import distance
from engine.odds.curves import fitted
from engine.odds.prospects import dealing_in, table_seen
from engine.state import State
from engine.tiles import Tile
from studio.play.players import SimulatedGame

LEARNER: Final = 0
"""The learner's seat; the others play as well as the simulator can."""
LESSONS: Final = ("set", "distance", "useful", "claim", "missing")
"""Topics of the lessons that give a rule of play, in their order."""
SAFE: Final = "safe"
"""What advice at the table tells besides: throw what somebody who is ready hardly wins on."""
RULES: Final = (*LESSONS, SAFE)


@dataclass(frozen=True)
class Learnt:
    """What the learner's hands brought after so many lessons."""

    lesson: str
    """The last one; empty before the first."""
    points: tuple[float, ...]
    """Of each hand."""

    @property
    def mean(self) -> float:
        return float(np.mean(self.points))

    @property
    def half_interval(self) -> float:
        """Half of the 95 % interval of the mean."""
        return _half_interval(self.points)

    def gain(self, before: Learnt) -> tuple[float, float]:
        """The mean gain on the same walls, and half of its 95 % interval."""
        gains = np.subtract(self.points, before.points)
        return float(gains.mean()), _half_interval(gains)


def learn(rules: str, hands: int, lessons: Sequence[str] = RULES, seed: int = 1) -> list[Learnt]:
    """Play so many hands with nothing learnt, and again after each lesson, on the same walls."""
    found = []
    for count in range(len(lessons) + 1):
        known = frozenset(lessons[:count])
        points = tuple(_hand_of(rules, known, seed + number) for number in range(hands))
        found.append(Learnt(lessons[count - 1] if count else "", points))
    return found


def _hand_of(rules: str, known: frozenset[str], seed: int) -> float:
    table = LearnersTable(rules, f"learner {rules} {seed}", known)
    before = table.game.state.points[LEARNER]
    table.hand()
    return float(table.game.state.points[LEARNER] - before)


class LearnersTable(SimulatedGame):
    """A game of one learner, who wins where the rules allow it, against three who know the game.

    Chance is drawn anew for each event: two learners who play alike so far have the same hand.
    """

    def __init__(self, rules: str, seed: str, known: frozenset[str]) -> None:
        """``known``: the topics of which the learner keeps the rule."""
        super().__init__(rules, random.Random(seed), {}, skills=(1.0,))
        self._seed, self._lessons = seed, known
        odds = self.rules.teaching.odds
        self._curves = fitted(odds) if odds else None

    def _next(self, state: State, legal: Sequence[ev.Event]) -> ev.Event:
        self.rng.seed(f"{self._seed} {len(self._events)}")
        return super()._next(state, legal)

    def _wants(self, state: State, claim: ev.Chow | ev.Pung | ev.Kong) -> bool:
        if claim.seat != LEARNER:
            return super()._wants(state, claim)
        if "claim" not in self._lessons:
            return False
        if "missing" not in self._lessons:
            return self._after_claim(state, claim) < distance(state.players[LEARNER].hand)
        hint = self.rules.hint(state, LEARNER)
        now = None if hint.now is None else hint.now.distance
        ways = (row for row in hint.claims if row.claim == claim and not row.forbidden)
        after = next((row.distance for row in ways), None)
        return after is not None and (now is None or after < now)

    def _discard(self, state: State, seat: int, options: Sequence[ev.Discard]) -> ev.Discard:
        if seat != LEARNER:
            return super()._discard(state, seat, options)
        by_tile = {event.tile: event for event in options}
        tiles = sorted(by_tile)
        if "set" in self._lessons:
            tiles = _outside_sets(state.players[seat].hand, tiles) or tiles
        if "missing" in self._lessons:
            tiles = self._as_hinted(state, by_tile) or tiles
        elif "distance" in self._lessons:
            near = {tile: distance(self._rest(state, LEARNER, tile)) for tile in by_tile}
            tiles = [tile for tile in sorted(by_tile) if near[tile] == min(near.values())]
        if "useful" in self._lessons and "missing" not in self._lessons:
            width = {tile: self._width(state, seat, tile) for tile in tiles}
            tiles = [tile for tile in tiles if width[tile] == max(width.values())]
        if SAFE in self._lessons:
            tiles = self._safest(state, sorted(by_tile), tiles)
        return by_tile[self.rng.choice(tiles)]

    def _as_hinted(self, state: State, by_tile: Mapping[Tile, ev.Discard]) -> list[Tile]:
        """The discards that leave the hand nearest to a win by the conditions of the game, and of
        these the ones with the most useful tiles."""
        rows = [
            row
            for row in self.rules.hint(state, LEARNER).discards
            if row.tile in by_tile and row.distance is not None
        ]
        best = min(((row.distance or 0, -row.left) for row in rows), default=None)
        return sorted({row.tile for row in rows if (row.distance or 0, -row.left) == best})

    def _safest(self, state: State, every: Sequence[Tile], best: list[Tile]) -> list[Tile]:
        """While another player is ready and the own hand is not: what they hardly win on."""
        others = [seat for seat in range(4) if seat != LEARNER and state.players[seat].ready]
        near = min(distance(self._rest(state, LEARNER, tile)) for tile in best)
        if not others or near == 0 or self._curves is None:
            return best
        seen = table_seen(self.rules, state, LEARNER)
        risks = {tile: dealing_in(self._curves, seen, tile)[0] for tile in every}
        least = min(risks.values())
        return [tile for tile in every if risks[tile] == least]


def _outside_sets(hand: Sequence[Tile], tiles: Sequence[Tile]) -> list[Tile]:
    """The tiles that stand in no complete set of the hand."""
    held = Counter(tile.kind for tile in hand)
    inside = {kind for kind, count in held.items() if count >= 3}
    for kind in held:
        if kind.suit in "mps" and kind.rank <= 7:
            run = [Tile(f"{kind.rank + step}{kind.suit}") for step in range(3)]
            if all(held[tile] for tile in run):
                inside.update(run)
    return [tile for tile in tiles if tile.kind not in inside]


def _half_interval(values: Sequence[float] | NDArray[np.float64]) -> float:
    return float(1.96 * np.std(values, ddof=1) / np.sqrt(len(values)))
