"""Accuracy of found faces by confidence, its chart, and pictures of the worst confusions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from evaluation.metrics import named
from games.intervals import wilson
from numpy.typing import NDArray

from vision.detect import Detection
from vision.tiles.rectify import rectify

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
SHOWN_PX = (96, 128)
MARGIN = 0.15
WORST, EXAMPLES = 10, 8


LEAST_DOUBT = 1e-4


@dataclass(frozen=True)
class Band:
    """Tiles, or lines of a record, that were read with about the same confidence."""

    tiles: int
    said: float
    """Mean confidence."""
    right: float
    """Share read right."""

    @property
    def spread(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share (Wilson)."""
        return wilson(self.right * self.tiles, self.tiles) or (0.0, 1.0)


def bands_of(confidences: Sequence[float], rights: Sequence[bool]) -> list[Band]:
    """Group what was read by confidence, and count what was right; leave out empty bands."""
    said, right = np.array(confidences), np.array(rights, bool)
    found = []
    for low, high in pairwise(EDGES):
        inside = (said >= low) & ((said < high) | (high == EDGES[-1]))
        if inside.any():
            share = float(right[inside].mean())
            found.append(Band(int(inside.sum()), float(said[inside].mean()), share))
    return found


@dataclass
class NamedFaces:
    """Collects every found face with its true name."""

    confidences: list[float] = field(default_factory=list)
    rights: list[bool] = field(default_factory=list)
    wrong: dict[tuple[str, str], list[NDArray[np.uint8]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, image_bgr: NDArray[np.uint8], truth: str, detection: Detection) -> None:
        name = named(detection)
        self.confidences.append(detection.confidence)
        self.rights.append(name == truth)
        if name != truth:
            crop = rectify(image_bgr, detection.corners_px, SHOWN_PX, MARGIN)
            self.wrong[truth, name].append(crop)

    def bands(self) -> list[Band]:
        return bands_of(self.confidences, self.rights)

    def reliability(self) -> dict[str, object]:
        """Return tiles, mean confidence and accuracy for each band of confidence.

        ``expected_error`` is the mean distance between confidence and accuracy, by tile.
        """
        bands = self.bands()
        total = max(1, sum(band.tiles for band in bands))
        distance = sum(abs(band.said - band.right) * band.tiles for band in bands) / total
        return {
            "bands": {
                "columns": ["tiles", "mean confidence", "named right"],
                "rows": [[band.tiles, round(band.said, 4), round(band.right, 4)] for band in bands],
            },
            "expected_error": round(distance, 4),
        }

    def show_worst(self, path: Path) -> None:
        """Draw a row of examples for each of the ten most frequent confusions."""
        worst = sorted(self.wrong.items(), key=lambda item: -len(item[1]))[:WORST]
        if not worst:
            return
        width, height = SHOWN_PX
        sheet = np.full((len(worst) * (height + 6), 130 + EXAMPLES * (width + 6), 3), 255, np.uint8)
        for row, ((truth, name), crops) in enumerate(worst):
            top = row * (height + 6)
            for line, text in enumerate((f"{truth} as {name}", f"{len(crops)} times")):
                place = (6, top + 50 + 28 * line)
                cv2.putText(sheet, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
            for column, crop in enumerate(crops[:EXAMPLES]):
                left = 130 + column * (width + 6)
                sheet[top : top + height, left : left + width] = crop
        cv2.imwrite(str(path), sheet)


def draw_reliability(bands: Sequence[Band], path: Path, what: str = "tiles named") -> None:
    """Plot accuracy against confidence, and beside it the same for small doubts.

    Error bars are 95 % confidence intervals. ``what`` was read, and how.
    """
    from matplotlib.figure import Figure  # only reports need it

    figure = Figure(figsize=(11, 5), layout="constrained")
    plain, doubts = figure.subplots(1, 2)
    said = [band.said for band in bands]
    right = [band.right for band in bands]
    below = [max(0.0, band.right - band.spread[0]) for band in bands]
    above = [max(0.0, band.spread[1] - band.right) for band in bands]
    plain.plot([0, 1], [0, 1], color="grey", linewidth=1)
    plain.errorbar(said, right, (below, above), marker="o", capsize=3)
    plain.set(
        xlabel="mean confidence", ylabel=f"share of {what} right", xlim=(0, 1.02), ylim=(0, 1.02)
    )
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
    doubts.set(
        xlabel="1 - mean confidence", ylabel=f"share of {what} wrong", xscale="log", yscale="log"
    )
    doubts.set_title("doubts, with counts; above the line: surer than right")
    figure.savefig(path, dpi=100)
