"""Fits curves by penalised likelihood, and measures what they tell of games they never saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from odds.cases import Cases

RIDGE = 1.0
RIDGES = (1.0, 30.0, 1000.0, 30_000.0)
PARTS = 3
STEPS = 30
RESAMPLED = 1000
BINS = 10

Numbers = NDArray[np.float64]


def chances(cases: Cases, signs: Numbers | None = None) -> Numbers:
    """Weights of a logistic curve; ``signs``: 1 or -1 where a weight may not have the other sign.

    Weights that would have it are left out, the worst one first.
    """

    def missed(told: Numbers, came: Numbers) -> Numbers:
        return np.asarray(-np.log(np.where(came > 0, told, 1 - told)))

    ridge = best_ridge(cases, _chances, told_chance, missed)
    free = np.ones(cases.inputs.shape[1], bool)
    while True:
        weights = np.zeros(len(free))
        weights[free] = _chances(replace(cases, inputs=cases.inputs[:, free]), ridge)
        wrong = np.zeros(len(free)) if signs is None else -weights * signs
        if wrong.max() <= 0:
            return weights
        free[wrong.argmax()] = False


def _chances(cases: Cases, ridge: float) -> Numbers:
    def of(at: Numbers) -> tuple[Numbers, Numbers]:
        told = 1 / (1 + np.exp(-np.clip(at, -30, 30)))
        return told, told * (1 - told)

    share = np.clip(cases.outcomes.mean(), 1e-6, 1 - 1e-6)
    return _newton(cases.inputs, cases.outcomes, of, float(np.log(share / (1 - share))), ridge)


def base_rate(cases: Cases) -> Numbers:
    """Weights of a logistic curve that tells the same of every case."""
    share = cases.outcomes.mean()
    first = np.log(share / (1 - share))
    return np.asarray(first * (np.arange(cases.inputs.shape[1]) == 0))


def amounts(cases: Cases) -> Numbers:
    """Weights of a curve whose exponential is the mean (Poisson's likelihood, in thousandths)."""

    def missed(told: Numbers, came: Numbers) -> Numbers:
        return np.asarray(told - came * np.log(told))

    return _amounts(cases, best_ridge(cases, _amounts, told_amount, missed))


def _amounts(cases: Cases, ridge: float) -> Numbers:
    def of(at: Numbers) -> tuple[Numbers, Numbers]:
        told = np.exp(np.clip(at, -30, 30))
        return told, told

    scale = max(float(cases.outcomes.mean()), 1e-9)
    weights = _newton(cases.inputs, cases.outcomes / scale, of, 0.0, ridge)
    weights[0] += np.log(scale)
    return weights


def best_ridge(
    cases: Cases,
    fit: Callable[[Cases, float], Numbers],
    tell: Callable[[Numbers, Cases], Numbers],
    missed: Callable[[Numbers, Numbers], Numbers],
) -> float:
    """How strongly weights are drawn to zero, and the curve to the base rate.

    The best one where each third of the games is told by the others.
    """
    part = cases.games % PARTS

    def all_missed(ridge: float) -> float:
        total = 0.0
        for at in np.unique(part):
            new = cases.take(part == at)
            told = tell(fit(cases.take(part != at), ridge), new)
            total += float(missed(told, new.outcomes).sum())
        return total

    return min(RIDGES, key=all_missed) if len(np.unique(part)) > 1 else RIDGES[-1]


def means(cases: Cases) -> Numbers:
    """Weights of a plain sum, by least squares."""
    inputs = cases.inputs.astype(np.float64)
    penalty = RIDGE * np.eye(inputs.shape[1])
    penalty[0, 0] = 0
    return np.asarray(np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ cases.outcomes))


def _newton(
    given: NDArray[np.float32],
    outcomes: Numbers,
    of: Callable[[Numbers], tuple[Numbers, Numbers]],
    first: float,
    ridge: float,
) -> Numbers:
    """``of`` gives the mean and its slope; the first input is 1 and is not penalised."""
    inputs = given.astype(np.float64)
    spread = inputs.var(axis=0)
    penalty = ridge * np.where(spread > 0, spread, 1.0)
    penalty[0] = 1e-6
    weights = np.zeros(inputs.shape[1])
    weights[0] = first
    for _ in range(STEPS):
        told, slope = of(inputs @ weights)
        gradient = inputs.T @ (outcomes - told) - penalty * weights
        curvature = (inputs * slope[:, None]).T @ inputs + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights += step / max(1.0, float(np.abs(step).max()) / 2)
        if np.abs(step).max() < 1e-6:
            break
    return weights


def told_chance(weights: Numbers, cases: Cases) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-np.clip(cases.inputs @ weights, -30, 30))))


def told_amount(weights: Numbers, cases: Cases) -> Numbers:
    return np.asarray(np.exp(np.clip(cases.inputs @ weights, -30, 30)))


# --- what is measured -----------------------------------------------------------------------------


def interval(values: Numbers, games: NDArray[np.int64]) -> tuple[float, float, float]:
    """The mean and its 95 % bootstrap interval; whole games are resampled."""
    _, of = np.unique(games, return_inverse=True)
    sums, counts = np.bincount(of, values), np.bincount(of)
    number = len(counts)
    drawn = np.random.default_rng(1).multinomial(number, [1 / number] * number, RESAMPLED)
    low, high = np.percentile(drawn @ sums / (drawn @ counts), (2.5, 97.5))
    return float(values.mean()), float(low), float(high)


def brier(told: Numbers, cases: Cases) -> Numbers:
    return np.asarray((told - cases.outcomes) ** 2)


def reliability(told: Numbers, outcomes: Numbers) -> list[tuple[float, float, int]]:
    """Mean of what was told, share that came true, and cases, of tenths of the cases."""
    order = np.argsort(told, kind="stable")
    return [
        (float(told[part].mean()), float(outcomes[part].mean()), len(part))
        for part in np.array_split(order, BINS)
        if len(part)
    ]


def picture(curves: dict[str, list[tuple[float, float, int]]]) -> str:
    """The reliability of curves as SVG, beside the diagonal."""
    greatest = max(max(told, true) for points in curves.values() for told, true, _ in points)
    size, edge = 320, 46
    colours = ("#1f6f8b", "#b3541e", "#4c7a34", "#7a3b8f")

    def place(told: float, true: float) -> tuple[float, float]:
        return edge + told / greatest * size, edge + size - true / greatest * size

    texts = []
    for tick in (0.0, greatest / 2, greatest):
        across, up = place(tick, tick)
        texts += [
            f'<text x="{across:.0f}" y="{edge + size + 16}" text-anchor="middle">{tick:.0%}</text>',
            f'<text x="{edge - 6}" y="{up + 4:.0f}" text-anchor="end">{tick:.0%}</text>',
        ]
    lines = []
    for at, (name, points) in enumerate(curves.items()):
        colour = colours[at % len(colours)]
        placed = [place(told, true) for told, true, _ in points]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{drawn}"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        lines.append(
            f'<text x="{edge + 10}" y="{edge + 18 * (at + 1)}" fill="{colour}">{name}</text>'
        )
    far = edge + size
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {far + 20} {far + 42}" '
            'font-family="sans-serif" font-size="12" fill="#222">',
            f'<rect width="{far + 20}" height="{far + 42}" fill="#fff"/>',
            f'<path d="M{edge} {edge}V{far}H{far}" fill="none" stroke="#888"/>',
            f'<line x1="{edge}" y1="{far}" x2="{far}" y2="{edge}" stroke="#bbb" '
            'stroke-dasharray="4"/>',
            *texts,
            *lines,
            f'<text x="{edge + size / 2}" y="{far + 34}" text-anchor="middle">told</text>',
            f'<text x="{edge - 40}" y="{edge - 12}">came true</text>',
            "</svg>\n",
        )
    )
