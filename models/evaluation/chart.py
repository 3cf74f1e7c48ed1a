"""The reliability curve as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation.faces import Band
from matplotlib.figure import Figure

LEAST_DOUBT = 1e-4


def draw_reliability(bands: Sequence[Band], path: Path) -> None:
    """Plot accuracy against confidence, and beside it the same for small doubts.

    Error bars are 95 % confidence intervals.
    """
    figure = Figure(figsize=(11, 5), layout="constrained")
    plain, doubts = figure.subplots(1, 2)
    said = [band.said for band in bands]
    right = [band.right for band in bands]
    below = [max(0.0, band.right - band.spread[0]) for band in bands]
    above = [max(0.0, band.spread[1] - band.right) for band in bands]
    plain.plot([0, 1], [0, 1], color="grey", linewidth=1)
    plain.errorbar(said, right, (below, above), marker="o", capsize=3)
    plain.set(xlabel="mean confidence", ylabel="share named right", xlim=(0, 1.02), ylim=(0, 1.02))
    plain.set_title("how sure, and how right")
    low = [max(1 - band.said, LEAST_DOUBT) for band in bands]
    wrong = [max(1 - band.right, LEAST_DOUBT) for band in bands]
    least = [max(1 - band.spread[1], LEAST_DOUBT) for band in bands]
    most = [max(1 - band.spread[0], LEAST_DOUBT) for band in bands]
    whiskers = (
        [max(0.0, w - at) for w, at in zip(wrong, least, strict=True)],
        [max(0.0, at - w) for w, at in zip(wrong, most, strict=True)],
    )
    doubts.plot([LEAST_DOUBT, 1], [LEAST_DOUBT, 1], color="grey", linewidth=1)
    doubts.errorbar(low, wrong, whiskers, marker="o", capsize=3)
    for band, x, y in zip(bands, low, wrong, strict=True):
        doubts.annotate(f"{band.tiles:,}", (x, y), (5, 5), textcoords="offset points")
    doubts.set(xlabel="1 - mean confidence", ylabel="share named wrong", xscale="log", yscale="log")
    doubts.set_title("doubts, with tiles; above the line: surer than right")
    figure.savefig(path, dpi=100)
