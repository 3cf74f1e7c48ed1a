"""What strong players chose: it weighs what a discard keeps, and judges hints."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from odds.cases import decides, moves
from odds.fit import Numbers

from engine import play
from engine.announce import HintDiscard
from engine.events import Discard, Entry
from engine.odds.curves import Fitted
from engine.odds.own_hand import kept_features
from engine.odds.prospects import prospects, table_seen
from engine.rules import RULE_SETS

NEVER = 99
A_STEP = 1000.0
POINTS = 1000.0
RIDGE = 0.01
LEAST_WEIGHT = 0.5
"""Of 1,000 points; fewer cases than some hundred may tell that players want to lose."""
STEPS = 40


@dataclass(frozen=True, eq=False)
class Choice:
    """One discard among the kinds of the hand."""

    game: int
    ready: bool
    """Whether somebody else had claimed ready."""
    played: int
    """Place of the discard among the kinds."""
    changes: Numbers
    """(k,) expected change of points"""
    slopes: Numbers
    """(k,) by which the change grows with the odds to win"""
    kept: Numbers
    """(k, features) what the discard keeps"""
    by_tiles: Numbers
    """(k,) the order of the useful-tile hint: fewer steps, then more tiles, are lower"""

    def places(self, ranks: Numbers) -> tuple[float, float]:
        """Chance that the discard is the first, or of three, if equals are drawn by lot."""
        mine = ranks[self.played]
        better, equal = int((ranks < mine).sum()), int((ranks == mine).sum())
        first, three = (min(max((top - better) / equal, 0.0), 1.0) for top in (1, 3))
        return first, three


def choices(
    entries: Sequence[Entry], number: int, share: float, curves: Fitted
) -> Iterator[Choice]:
    """A share of the discards of one game."""
    rng = random.Random(f"choices {number}")
    for state, event, _ in moves(entries):
        if not isinstance(event, Discard) or not decides(state, event.seat) or rng.random() > share:
            continue
        rules, seat = RULE_SETS[state.rules], event.seat
        hint, table = rules.hint(state, seat), table_seen(rules, state, seat)
        told = {row.tile: row for row in prospects(rules, state, hint, curves)}
        rows = {
            row.tile.kind: row
            for row in sorted(hint.discards, key=lambda row: row.tile == event.tile)
            if row.tile in told
        }
        if len(rows) < 2 or event.tile.kind not in rows:
            continue
        odds = [told[row.tile] for row in rows.values()]
        after = [play.discard(state, Discard(seat, row.tile), -1) for row in rows.values()]
        others = (player.ready for at, player in enumerate(state.players) if at != seat)
        yield Choice(
            number,
            any(others),
            list(rows).index(event.tile.kind),
            np.array([prospect.change for prospect in odds]),
            np.array([(1 - o.risk) * (o.points - o.rest) * o.win * (1 - o.win) for o in odds]),
            np.array(
                [
                    kept_features(table, row, then.players[seat])
                    for row, then in zip(rows.values(), after, strict=True)
                ]
            ),
            np.array([_rank(row) for row in rows.values()]),
        )


def _rank(row: HintDiscard) -> float:
    return A_STEP * (NEVER if row.distance is None else row.distance) - row.left


def kept_weights(made: Sequence[Choice]) -> Numbers:
    """Weights of what a discard keeps, as a shift of the odds to win.

    Players choose the greater change the more often, the greater it is; a conditional logit tells
    which shift makes their choices likeliest.
    """
    inputs = [
        np.column_stack([choice.changes, choice.kept * choice.slopes[:, None]]) / POINTS
        for choice in made
    ]
    weights = np.zeros(inputs[0].shape[1])
    weights[0] = 1
    for _ in range(STEPS):
        gradient, curvature = -RIDGE * weights, RIDGE * np.eye(len(weights))
        for choice, rows in zip(made, inputs, strict=True):
            likely = _likely(rows @ weights)
            mean = likely @ rows
            gradient = gradient + rows[choice.played] - mean
            curvature += (rows * likely[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(curvature, gradient)
        weights += step / max(1.0, float(np.abs(step).max()) / 2)
        if np.abs(step).max() < 1e-5:
            break
    return np.asarray(weights[1:] / max(weights[0], LEAST_WEIGHT))


def _likely(utilities: Numbers) -> Numbers:
    likely = np.exp(utilities - utilities.max())
    return np.asarray(likely / likely.sum())
