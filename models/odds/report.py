"""Fits every curve, and measures on games that were held out how well it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from odds.cases import RULED_OUT, Cases, joined
from odds.choices import Choice
from odds.fit import (
    Numbers,
    amounts,
    brier,
    chances,
    interval,
    means,
    reliability,
    told_amount,
    told_chance,
)

from engine.odds.danger import TILE_FEATURES

DANGERS = ("danger_ready", "danger")
MORE_SHAPES = ("share", "two_sided", "closed", "edge", "pair", "single")
SIGNS = np.array([(one in MORE_SHAPES) - (one == "no_two_sided") for one in TILE_FEATURES], float)
"""A tile for which more shapes are left is never safer."""
LEAST_CASES = 50
LEAST_EVENTS = 20
Figures = dict[str, Any]


def fitted_curves(cases: Mapping[str, Cases]) -> dict[str, Numbers]:
    """The weights of every curve that has cases enough."""
    found = {}
    for name, part in cases.items():
        if len(part.outcomes) < LEAST_CASES or np.count_nonzero(part.outcomes) < LEAST_EVENTS:
            continue
        if name == "rest":
            found[name] = means(part)
        elif is_chance(name):
            found[name] = chances(part, SIGNS if name in DANGERS else None)
        elif name != RULED_OUT:
            found[name] = amounts(part)
    return found


def is_chance(curve: str) -> bool:
    return curve.startswith(("danger", "win"))


def figures(
    curves: Mapping[str, Numbers], known: Mapping[str, Cases], held: Mapping[str, Cases]
) -> Figures:
    """Figures of every curve on held-out games, as ``[mean, low, high]`` with 95 % intervals."""
    found: Figures = {}
    for name, weights in curves.items():
        seen, new = known[name], held[name]
        if is_chance(name):
            told = told_chance(weights, new)
            plain = np.full(len(told), seen.outcomes.mean())
            found[name] = _chance_figures(told, plain, new)
            if name in DANGERS:
                found[name] |= _beside(simple_rule(seen, new), told, new)
                played = new.take(new.played)
                found[f"{name}, as played"] = _chance_figures(
                    told[new.played], np.full(len(played.games), played.outcomes.mean()), played
                )
        else:
            told = np.asarray(new.inputs @ weights) if name == "rest" else told_amount(weights, new)
            plain = np.full(len(told), seen.outcomes.mean())
            found[name] = {
                "cases": len(told),
                "mean error": rounded(interval(np.abs(told - new.outcomes), new.games)),
                "of the mean": rounded(interval(np.abs(plain - new.outcomes), new.games)),
                "told": rounded(interval(told, new.games)),
                "came": rounded(interval(new.outcomes, new.games)),
            }
    steps = [name for name in curves if name.startswith("win") and name in held]
    if steps:
        new = joined([{"win": held[name]} for name in steps])["win"]
        told = np.concatenate([told_chance(curves[name], held[name]) for name in steps])
        every = joined([{"win": known[name]} for name in steps])["win"]
        found["win"] = _chance_figures(told, np.full(len(told), every.outcomes.mean()), new)
        by_steps = np.concatenate(
            [np.full(len(held[name].games), known[name].outcomes.mean()) for name in steps]
        )
        found["win"] |= _beside(by_steps, told, new)
    if RULED_OUT in held:
        part = held[RULED_OUT]
        found[RULED_OUT] = {"cases": len(part.games), "won": int(part.outcomes.sum())}
    return found


def _chance_figures(told: Numbers, plain: Numbers, cases: Cases) -> Figures:
    gain = brier(plain, cases) - brier(told, cases)
    return {
        "cases": len(told),
        "came true": rounded(interval(cases.outcomes, cases.games)),
        "told": rounded(interval(told, cases.games)),
        "Brier": rounded(interval(brier(told, cases), cases.games)),
        "base rate": rounded(interval(brier(plain, cases), cases.games)),
        "gain on base rate": rounded(interval(gain, cases.games)),
        "reliability": [
            [round(one, 5), round(other, 5), count]
            for one, other, count in reliability(told, cases.outcomes)
        ],
    }


def _beside(rule: Numbers, told: Numbers, cases: Cases) -> Figures:
    """The same of what a player can count."""
    gain = brier(rule, cases) - brier(told, cases)
    return {
        "simple rule": rounded(interval(brier(rule, cases), cases.games)),
        "gain on simple rule": rounded(interval(gain, cases.games)),
    }


def simple_rule(known: Cases, new: Cases) -> Numbers:
    """What players count: kind of tile, suji or wall, and how many of an honour are left.

    The share of each class is taken from the games that curves are fitted on.
    """
    names = ("no_two_sided", "honour", "terminal", "two_eight", "three_seven")
    columns = [TILE_FEATURES.index(name) for name in names]
    single = TILE_FEATURES.index("single")

    def classes(cases: Cases) -> Numbers:
        left = np.where(cases.inputs[:, columns[1]] > 0, cases.inputs[:, single], 0)
        both = np.column_stack([cases.inputs[:, columns], np.round(np.expm1(left))])
        return np.asarray(both @ (2.0 ** np.arange(len(names) + 1)))

    seen, asked = classes(known), classes(new)
    shares = {one: known.outcomes[seen == one].mean() for one in np.unique(seen)}
    base = float(known.outcomes.mean())
    return np.array([shares.get(one, base) for one in asked])


def agreement(made: Sequence[Choice]) -> Figures:
    """Agreement in the first place and the first three, by useful tiles and by points."""
    games = np.array([choice.game for choice in made])
    ready = np.array([choice.ready for choice in made])
    tiles = np.array([choice.places(choice.by_tiles) for choice in made])
    points = np.array([choice.places(-choice.changes) for choice in made])
    found: Figures = {}
    for name, rows in (("all", games >= 0), ("somebody ready", ready), ("nobody ready", ~ready)):
        if not rows.any():
            continue
        found[name] = {"decisions": int(rows.sum())}
        for place, top in enumerate(("first", "first three")):
            for by, values in (
                ("useful tiles", tiles), ("points", points), ("difference", points - tiles),
            ):  # fmt: skip
                share = interval(values[rows, place], games[rows])
                found[name][f"{top}, {by}"] = rounded(share)
    return found


def rounded(values: tuple[float, ...]) -> list[float]:
    return [float(f"{value:.4g}") for value in values]
