"""Fit the decoder's costs to simulated games with known truth: ``likelihood.toml``.

    python models/fit_likelihood.py --out vision/decoder/likelihood.toml

The cost of a hypothesis is linear in its charges. At every change of the games, the posterior
probability of the hypotheses with the fewest errors is maximised, near the costs set by hand. The
looks at a table are not independent, so that a hypothesis is too sure of itself: all costs are
divided by one temperature meanwhile, and the fit changes their ratios and not their size. The
games are decoded with the costs set by hand, so that the same arguments write the same file.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from games.answers import plain
from games.clutter import CLUTTER
from games.labels import WatchedGame
from games.outcome import GameCase
from games.starts import STARTS

from engine.events import Deal, Dice, Draw, Entry
from engine.rules import GAMES
from vision.decoder.decoder import Decoder
from vision.decoder.emission import charges_now
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import BY_HAND, COSTS

SEEDS: Final = (66001,)  # used for nothing else
GRADES: Final = ("clean", "ordinary", "hard", "hostile")
HIDDEN: Final = (Deal, Dice, Draw)
KEEP: Final = 30.0
"""How strongly a cost is held to the one set by hand, against one doubt of one game: of 3, 10 and
30, what had the fewest errors in rule sets that were left out of the fit."""
WIDTH: Final = 0.5
"""A cost may differ by about so large a share of it, and by so many nats."""
FIXED: Final = frozenset(
    {"face", "set_face", "copies", "held"}  # probabilities already: the unit of all others
    | {"irregular", "not_a_win", "not_ready", "false_ready", "wrong_tile_count", "against_order"}
    | {"clutter", "sets_mean_nothing", "missed", "as_dealt", "disobeys", "another_deal"}
)
"""The players of these games break no rule and contradict nobody: the games do not tell what such a
play costs, nor what competes with it, such as a thing on the table or a discard nobody saw."""
LEAST_CHANGE: Final = 0.1
"""A cost that the fit moves by a smaller share of its width stays as it is."""
LARGEST: Final = 60.0
RECENT_S: Final = 15.0
TEMPERATURES: Final = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0)

Costs = NDArray[np.float64]
Beam = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""(n, k) charges of the hypotheses at one change, and which of them have the fewest errors."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to rewrite")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--audit", type=Path, help="Markdown: what each cost decides")
    given = parser.parse_args(arguments)
    rules = [game.id for game in GAMES]
    first = ("ordinary",), rules, given.seeds[:1]
    cases = [GameCase(*one) for one in product(GRADES, rules, given.seeds)]
    cases += [GameCase(*one) for one in product(*first, STARTS)]
    cases += [GameCase(*one) for one in product(*first, ("",), CLUTTER)]
    with ProcessPoolExecutor(given.workers) as pool:
        beams = [beam for found in pool.map(read, cases) for beam in found]
    before = np.array(list(BY_HAND.values()))
    if given.audit is not None:
        given.audit.write_text(audited(beams, len(cases)), encoding="utf-8")
    temperature = best_temperature(beams, before)
    after = fitted(beams, before, temperature)
    provenance = {
        "games": f"{len(cases)} by {', '.join(rules)}, seeds {', '.join(map(str, given.seeds))}",
        "doubts": len(beams),
        "temperature": temperature,
        "loss_before": round(loss_of(beams, before, temperature)[0], 4),
        "loss_after": round(loss_of(beams, after, temperature)[0], 4),
    }
    text = given.out.read_text(encoding="utf-8")
    given.out.write_text(rewritten(text, after, provenance), encoding="utf-8")
    for name, cost, new in zip(BY_HAND, before, after, strict=True):
        if cost != new:
            print(f"{name:20s} {cost:7.2f} {new:7.2f}")
    print(provenance)
    return 0


def read(case: GameCase) -> list[Beam]:
    """The hypotheses at the changes of one game, where some are better than others.

    A doubt that stays from change to change counts once.
    """
    COSTS.update(BY_HAND)
    game = WatchedGame(case)
    follower = game.follower()
    found: dict[object, Beam] = {}
    known = 0
    for look in game.looks(game.frames(), follower):
        follower.take(look)
        nodes = len(follower.decoder.decoder.search.nodes)
        if nodes != known:
            known = nodes
            for beam in beam_now(follower.decoder.decoder, game.true):
                found.setdefault(doubt_of(beam), beam)
    return list(found.values())


def doubt_of(beam: Beam) -> tuple[int, ...]:
    """By which charges the best of the right hypotheses differs from the best of the others."""
    rows, right = beam
    costs = rows @ np.array(list(BY_HAND.values()))
    first, other = (rows[some][np.argmin(costs[some])] for some in (right, ~right))
    return tuple(int(amount) for amount in np.round(first - other))


def beam_now(decoder: Decoder, true: Sequence[Entry]) -> Iterator[Beam]:
    """The beam now, if its hypotheses differ in their errors."""
    node, table = decoder.search.nodes[-1], decoder.evidence()
    if node.ends or len(node.hypotheses) < 2:
        return
    until_s = node.change.time_s + 0.3
    wrong = np.array([errors_of(hypothesis, true, until_s) for hypothesis in node.hypotheses])
    if wrong.min() == wrong.max():
        return
    names = list(COSTS)
    rows = np.zeros((len(node.hypotheses), len(names)))
    for row, way in enumerate(node.hypotheses):
        for name, amount in charges_now(way, table).items():
            rows[row, names.index(name)] = amount
    yield rows, wrong == wrong.min()


def errors_of(hypothesis: Hypothesis, true: Sequence[Entry], until_s: float) -> int:
    """Events of the last seconds that are missing or wrong; an older error is counted once."""
    since_s = until_s - RECENT_S
    read = [
        plain(step.event)
        for step in hypothesis.hand
        if step.event is not None
        and not isinstance(step.event, HIDDEN)
        and since_s < step.time_s <= until_s
    ]
    truth = [
        plain(entry.event)
        for entry in true
        if since_s < (entry.t or 0.0) <= until_s and not isinstance(entry.event, HIDDEN)
    ]
    matcher = SequenceMatcher(None, list(map(repr, truth)), list(map(repr, read)), autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return len(truth) + len(read) - 2 * same


def best_temperature(beams: Sequence[Beam], costs: Costs) -> float:
    """The temperature at which these costs explain the changes best."""
    return min(TEMPERATURES, key=lambda one: loss_of(beams, costs, one)[0])


def loss_of(beams: Sequence[Beam], costs: Costs, temperature: float) -> tuple[float, Costs]:
    """The mean loss of a change in nats, and (k,) its slope by the costs."""
    total, slope = 0.0, np.zeros_like(costs)
    for rows, right in beams:
        score = -rows @ costs / temperature
        weights = np.exp(score - score.max())
        share = weights / weights.sum()
        good = max(float(share[right].sum()), 1e-9)
        total -= math.log(good)
        slope += (share[right] @ rows[right] / good - share @ rows) / temperature
    return total / len(beams), slope / len(beams)


def fitted(beams: Sequence[Beam], before: Costs, temperature: float) -> Costs:
    """(k,) costs, near those that were set by hand."""
    from scipy.optimize import minimize  # of the train extra

    width = WIDTH * before + WIDTH
    keep = KEEP / len(beams)
    used = np.array([name not in FIXED for name in BY_HAND])
    used &= np.any([rows.any(axis=0) for rows, _ in beams], axis=0)

    def objective(costs: Costs) -> tuple[float, Costs]:
        loss, slope = loss_of(beams, costs, temperature)
        off = (costs - before) / width
        loss += keep * float((off**2).sum())
        return loss, np.where(used, slope + 2 * keep * off / width, 0.0)

    bounds = [
        (0.0, LARGEST) if free else (was, was) for free, was in zip(used, before, strict=True)
    ]
    found = minimize(objective, before, jac=True, bounds=bounds, method="L-BFGS-B")
    moved = used & (np.abs(found.x - before) > LEAST_CHANGE * width)
    return np.where(moved, np.round(found.x, 2), before)


def audited(beams: Sequence[Beam], games: int) -> str:
    """What each cost decides: a page with a line for each, counted over all doubts."""
    costs = np.array(list(BY_HAND.values()))
    best = [int(np.argmin(rows @ costs)) for rows, _ in beams]
    right = sum(bool(good[first]) for first, (_, good) in zip(best, beams, strict=True))
    lines = [
        "# What each price of the decoder decides",
        "",
        f"{len(beams)} doubts of {games} simulated games: changes of which some explanations are "
        f"right and some wrong.",
        f"The cheapest is a right one in {right}. `doubts`: in so many explanations differ in what "
        "this price charges.",
        "Halved, doubled: another explanation is the cheapest (of these: wrong before and right "
        "now, right before and wrong now).",
        "A price without doubts belongs to what these games never show: their players break no "
        "rule, no table is",
        "found in the middle of a known game, nobody corrects anything, no sticks are seen; tests "
        "hold it.",
        "`fit_likelihood.py --audit` makes this page.",
        "",
        "| price | nats | doubts | halved | doubled |",
        "|---|---|---|---|---|",
    ]
    for at, (name, cost) in enumerate(BY_HAND.items()):
        differ = sum(bool(np.ptp(rows[:, at]) > 0) for rows, _ in beams)
        ways = [_decided(beams, best, costs, at, factor) for factor in (0.5, 2.0)]
        lines.append(f"| {name} | {cost:g} | {differ} | {ways[0]} | {ways[1]} |")
    return "\n".join((*lines, ""))


def _decided(
    beams: Sequence[Beam], best: Sequence[int], costs: Costs, at: int, factor: float
) -> str:
    turned = costs.copy()
    turned[at] *= factor
    others = mended = spoilt = 0
    for first, (rows, good) in zip(best, beams, strict=True):
        now = int(np.argmin(rows @ turned))
        others += now != first
        mended += bool(good[now] and not good[first])
        spoilt += bool(good[first] and not good[now])
    return f"{others} (+{mended} -{spoilt})" if others else "0"


def rewritten(text: str, costs: Costs, provenance: Mapping[str, object]) -> str:
    """The file with other fitted costs."""
    head = text.split("\n[fitted]")[0].rstrip("\n")
    changed = [
        f"{name} = {cost:g}"
        for (name, was), cost in zip(BY_HAND.items(), costs, strict=True)
        if cost != was
    ]
    fit = [f"{key} = {json.dumps(value)}" for key, value in provenance.items()]
    return "\n".join((head, "", "[fitted]", *changed, "", "[fit]", *fit, ""))


if __name__ == "__main__":
    sys.exit(main())
