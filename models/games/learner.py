"""A simulated learner: plays at random, then by one rule after another from the lessons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import events as ev
from engine.hands import distance
from engine.state import State
from engine.tiles import Tile
from studio.play.players import SimulatedGame

LEARNER: Final = 0
"""The learner's seat; the others play as well as the simulator can."""
LESSONS: Final = ("set", "distance", "useful", "missing", "claim")
"""Topics of the lessons that give a rule of play, in their order, but for the conditions of the
game: what they cost a discard is learnt before claims, which may break them."""


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


def learn(rules: str, hands: int, lessons: Sequence[str] = LESSONS, seed: int = 1) -> list[Learnt]:
    """Play so many hands with nothing learnt, and again after each lesson, on the same walls."""
    found = []
    for count in range(len(lessons) + 1):
        known = frozenset(lessons[:count])
        points = tuple(_hand_of(rules, known, seed + number) for number in range(hands))
        found.append(Learnt(lessons[count - 1] if count else "", points))
    return found


def _hand_of(rules: str, known: frozenset[str], seed: int) -> float:
    table = LearnersTable(rules, random.Random(f"learner {rules} {seed}"), known)
    before = table.game.state.points[LEARNER]
    table.hand()
    return float(table.game.state.points[LEARNER] - before)


class LearnersTable(SimulatedGame):
    """A game of one learner, who wins where the rules allow it, against three who know the game."""

    def __init__(self, rules: str, rng: random.Random, known: frozenset[str]) -> None:
        """``known``: the topics of which the learner keeps the rule."""
        super().__init__(rules, rng, {}, skills=(1.0,))
        self._lessons = known

    def _wants(self, state: State, claim: ev.Chow | ev.Pung | ev.Kong) -> bool:
        if claim.seat == LEARNER and "claim" not in self._lessons:
            return False
        return super()._wants(state, claim)

    def _discard(self, state: State, seat: int, options: Sequence[ev.Discard]) -> ev.Discard:
        if seat != LEARNER:
            return super()._discard(state, seat, options)
        by_tile = {event.tile: event for event in options}
        tiles = sorted(by_tile)
        if "set" in self._lessons:
            tiles = _outside_sets(state.players[seat].hand, tiles) or tiles
        if "distance" in self._lessons:
            tiles = self._nearest(state, sorted(by_tile))
        if "useful" in self._lessons:
            width = {tile: self._width(state, seat, tile) for tile in tiles}
            tiles = [tile for tile in tiles if width[tile] == max(width.values())]
        return by_tile[self.rng.choice(tiles)]

    def _nearest(self, state: State, tiles: Sequence[Tile]) -> list[Tile]:
        """The discards that leave the hand nearest, by the conditions of the game once learnt."""
        costs = {
            tile: self._cost(state, LEARNER, tile)
            if "missing" in self._lessons
            else float(distance(self._rest(state, LEARNER, tile)))
            for tile in tiles
        }
        return [tile for tile in tiles if costs[tile] == min(costs.values())]


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
