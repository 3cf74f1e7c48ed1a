"""Fit the decoder's costs to simulated games with known truth: ``vision/decoder/likelihood.toml``.

    python models/fit_likelihood.py --out vision/decoder/likelihood.toml

The cost of a hypothesis is linear in its charges. The fit maximises the posterior probability of
the hypotheses with the fewest errors, at every change of every game, and keeps near the values that
the file had. The same arguments write the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from games.answers import plain
from games.clutter import CLUTTER
from games.labels import WatchedGame
from games.outcome import GameCase
from games.starts import STARTS

from engine.events import Deal, Dice, Draw, Entry
from engine.rules import GAMES
from vision.decoder.decoder import Decoder
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import charges_now
from vision.decoder.likelihood import COSTS

SEEDS: Final = (66001, 66002)  # used for nothing else
GRADES: Final = ("clean", "ordinary", "hard", "hostile")
HIDDEN: Final = (Deal, Dice, Draw)
KEEP: Final = 3.0
"""How strongly a cost is held to the value it had, against one change of one game."""
WIDTH: Final = 0.5
"""A cost may differ by about so large a share of it, and by so many nats."""
FIXED: Final = ("disobeys", "another_deal")  # no game of the fit says anything about them
LARGEST: Final = 60.0
RECENT_S: Final = 15.0

Beam = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""(n, k) charges of the hypotheses at one change, and which of them have the fewest errors."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to rewrite")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    rules = [game.id for game in GAMES]
    cases = [GameCase(*one) for one in product(GRADES, rules, given.seeds)]
    first = ("ordinary",), rules, given.seeds[:1]
    cases += [GameCase(*one) for one in product(*first, STARTS)]
    cases += [GameCase(*one) for one in product(*first, ("",), CLUTTER)]
    with ProcessPoolExecutor(given.workers) as pool:
        beams = [beam for game in pool.map(beams_of, cases) for beam in game]
    before = np.array(list(COSTS.values()))
    after, losses = fitted(beams, before)
    text = given.out.read_text(encoding="utf-8")
    provenance = {
        "games": f"{len(cases)} by {', '.join(rules)}, seeds {', '.join(map(str, given.seeds))}",
        "changes": len(beams),
        "loss_before": round(losses[0], 4),
        "loss_after": round(losses[1], 4),
    }
    given.out.write_text(rewritten(text, after, provenance), encoding="utf-8")
    for name, was, now in zip(COSTS, before, after, strict=True):
        print(f"{name:20s} {was:7.2f} {now:7.2f}")
    print(provenance)
    return 0


def beams_of(case: GameCase) -> list[Beam]:
    """The hypotheses at every change of one game in which some are better than others."""
    game = WatchedGame(case)
    follower = game.follower()
    found: list[Beam] = []
    known = 0
    for look in game.looks(game.frames(), follower):
        follower.take(look)
        nodes = len(follower.decoder.search.nodes)
        if nodes != known:
            known = nodes
            found += beam_now(follower.decoder, game.true)
    return found


def beam_now(decoder: Decoder, true: Sequence[Entry]) -> Iterator[Beam]:
    """The beam now, if its hypotheses differ in their errors."""
    node, table = decoder.search.nodes[-1], decoder.evidence()
    if node.ends or len(node.hypotheses) < 2:
        return
    until_s = node.change.time_s + 0.3
    wrong = np.array([errors_of(one, true, until_s) for one in node.hypotheses])
    if wrong.min() == wrong.max():
        return
    names = list(COSTS)
    rows = np.zeros((len(node.hypotheses), len(names)))
    for row, one in enumerate(node.hypotheses):
        for name, amount in charges_now(one, table).items():
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


def fitted(
    beams: Sequence[Beam], before: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """(k,) costs, and the mean loss of a change before and after."""
    width = WIDTH * before + WIDTH
    used = np.array([name not in FIXED for name in COSTS])
    used &= np.any([rows.any(axis=0) for rows, _ in beams], axis=0)

    def loss(costs: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = 0.0, np.zeros_like(costs)
        for rows, right in beams:
            score = -rows @ costs
            weights = np.exp(score - score.max())
            share = weights / weights.sum()
            good = share[right].sum()
            total -= float(np.log(max(good, 1e-12)))
            slope += (share[right] / max(good, 1e-12)) @ rows[right] - share @ rows
        off = (costs - before) / width
        total += KEEP * float((off**2).sum())
        return total, np.where(used, slope + 2 * KEEP * off / width, 0.0)

    bounds = [
        (0.0, LARGEST) if free else (was, was) for free, was in zip(used, before, strict=True)
    ]
    found = minimize(loss, before, jac=True, bounds=bounds, method="L-BFGS-B")
    after = np.where(used, np.round(found.x, 2), before)
    return after, (loss(before)[0] / len(beams), loss(after)[0] / len(beams))


def rewritten(text: str, costs: NDArray[np.float64], provenance: dict[str, object]) -> str:
    """The file with other costs; its comments stay."""
    for name, cost in zip(COSTS, costs, strict=True):
        text = re.sub(rf"(?m)^({name}) = [\d.]+", rf"\g<1> = {cost:g}", text, count=1)
    head = text.split("\n[fit]")[0].rstrip("\n")
    lines = [f"{key} = {json.dumps(value)}" for key, value in provenance.items()]
    whole = head + "\n\n[fit]\n" + "\n".join(lines) + "\n"
    assert set(tomllib.loads(whole)["costs"]) == set(COSTS), "every cost is written"
    return whole


if __name__ == "__main__":
    sys.exit(main())
