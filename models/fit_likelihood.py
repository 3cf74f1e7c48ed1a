"""Fit the decoder's posterior to simulated games with known truth: ``likelihood.toml``.

    python models/fit_likelihood.py --out vision/decoder/likelihood.toml

Of some temperatures, the one is taken at which the confidence of the told events is likeliest to be
what they turn out to be. ``--costs`` fits every cost as well: the cost of a hypothesis is linear in
its charges, and the posterior probability of the hypotheses with the fewest errors is maximised at
every change, near the values that the file had. The same arguments write the same file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
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

from engine.events import Correct, Deal, Dice, Draw, Entry
from engine.rules import GAMES
from vision.compare import compare
from vision.decoder.decoder import Decoder
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import charges_now
from vision.decoder.likelihood import COSTS, TEMPERATURE

SEEDS: Final = (66001,)  # used for nothing else
GRADES: Final = ("clean", "ordinary", "hard", "hostile")
HIDDEN: Final = (Deal, Dice, Draw)
KEEP: Final = 3.0
"""How strongly a cost is held to the value it had, against one change of one game."""
WIDTH: Final = 0.5
"""A cost may differ by about so large a share of it, and by so many nats."""
FIXED: Final = ("disobeys", "another_deal")  # no game of the fit says anything about them
LARGEST: Final = 60.0
RECENT_S: Final = 15.0
TEMPERATURES: Final = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
SUREST: Final = 0.999
"""No event is taken for surer, nor for less sure than the rest of it."""

Beam = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""(n, k) charges of the hypotheses at one change, and which of them have the fewest errors."""
Told = Mapping[float, Sequence[tuple[float, bool]]]
"""Confidence of each told event at each temperature, and whether the event is true."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to rewrite")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--costs", action="store_true", help="fit the costs as well: takes longer")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    rules = [game.id for game in GAMES]
    cases = [GameCase(*one) for one in product(GRADES, rules, given.seeds)]
    if given.costs:
        first = ("ordinary",), rules, given.seeds[:1]
        cases += [GameCase(*one) for one in product(*first, STARTS)]
        cases += [GameCase(*one) for one in product(*first, ("",), CLUTTER)]
    with ProcessPoolExecutor(given.workers) as pool:
        games = list(pool.map(read, cases))
    temperature, losses = fitted_temperature([told for told, _ in games])
    before = np.array(list(COSTS.values()))
    provenance: dict[str, object] = {
        "fitted": "temperature",
        "games": f"{len(cases)} by {', '.join(rules)}, seeds {', '.join(map(str, given.seeds))}",
        "told_events": sum(len(told[temperature]) for told, _ in games),
        "loss_by_temperature": [f"{at:g}: {loss:.4f}" for at, loss in losses.items()],
    }
    after = before
    if given.costs:
        beams = [beam for _, found in games for beam in found]
        after, (was, now) = fitted(beams, before)
        provenance |= {
            "fitted": "temperature and costs",
            "changes": len(beams),
            "loss_before": round(was, 4),
            "loss_after": round(now, 4),
        }
    text = given.out.read_text(encoding="utf-8")
    given.out.write_text(rewritten(text, after, temperature, provenance), encoding="utf-8")
    for name, cost, new in zip(COSTS, before, after, strict=True):
        if cost != new:
            print(f"{name:20s} {cost:7.2f} {new:7.2f}")
    print(f"temperature {TEMPERATURE:g} {temperature:g}", provenance)
    return 0


def read(case: GameCase) -> tuple[Told, list[Beam]]:
    """What was told in one game, and the hypotheses at its changes, where some are better."""
    game = WatchedGame(case)
    follower = game.follower()
    told: dict[float, list[Entry]] = {temperature: [] for temperature in TEMPERATURES}
    found: list[Beam] = []
    known = 0
    for look in game.looks(game.frames(), follower):
        lines = follower.take(look)
        for temperature, entries in told.items():
            entries += [as_sure(follower.decoder, line, temperature) for line in lines]
        nodes = len(follower.decoder.search.nodes)
        if nodes != known:
            known = nodes
            found += beam_now(follower.decoder, game.true)
    return {at: compare(game.true, entries).sure for at, entries in told.items()}, found


def as_sure(decoder: Decoder, line: Entry, temperature: float) -> Entry:
    """A new line with its confidence at this temperature; none for what it corrects."""
    if isinstance(line.event, Correct):
        entries = tuple(replace(one, confidence=None) for one in line.event.events)
        return replace(line, event=replace(line.event, events=entries))
    event = plain(line.event)
    steps = reversed(decoder.search.best.events)
    step = next((one for one in steps if one.event and plain(one.event) == event), None)
    sure = None if step is None else decoder.confidence(step, temperature)
    return replace(line, confidence=sure)


def fitted_temperature(games: Sequence[Told]) -> tuple[float, dict[float, float]]:
    """The temperature whose confidences fit the outcomes best, and the mean loss of each."""
    losses = {}
    for temperature in TEMPERATURES:
        pairs = np.array([pair for told in games for pair in told[temperature]], np.float64)
        sure = np.clip(pairs[:, 0], 1.0 - SUREST, SUREST)
        losses[temperature] = -float(np.log(np.where(pairs[:, 1] > 0, sure, 1.0 - sure)).mean())
    return min(losses, key=losses.__getitem__), losses


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
    from scipy.optimize import minimize  # of the train extra

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


def rewritten(
    text: str, costs: NDArray[np.float64], temperature: float, provenance: Mapping[str, object]
) -> str:
    """The file with other figures; its comments stay."""
    text = re.sub(r"(?m)^temperature = .*", f"temperature = {temperature:g}", text)
    for name, cost in zip(COSTS, costs, strict=True):
        text = re.sub(rf"(?m)^({name}) = [\d.]+", rf"\g<1> = {cost:g}", text, count=1)
    head = text.split("\n[fit]")[0].rstrip("\n")
    lines = [f"{key} = {json.dumps(value)}" for key, value in provenance.items()]
    whole = head + "\n\n[fit]\n" + "\n".join(lines) + "\n"
    assert set(tomllib.loads(whole)["costs"]) == set(COSTS), "every cost is written"
    return whole


if __name__ == "__main__":
    sys.exit(main())
