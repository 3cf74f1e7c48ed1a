"""Mean average precision over the classes, at ten overlaps from 0.5 to 0.95."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from evaluation.labels import LabelledPicture
from evaluation.match import overlaps
from evaluation.tally import named
from numpy.typing import NDArray

from vision.detect import Detection
from vision.tiles.classes import Side

LEVELS = np.linspace(0.5, 0.95, 10)


@dataclass
class AveragePrecision:
    """Collects every detection with its class, its confidence, and whether it is right."""

    scored: list[tuple[str, float, NDArray[np.bool_]]] = field(default_factory=list)
    totals: Counter[str] = field(default_factory=Counter)

    def add(self, picture: LabelledPicture, detections: list[Detection]) -> None:
        names = [named(d) if d.side is Side.FACE else d.side.value for d in detections]
        wanted = [tile for tile in picture.tiles if tile.wanted]
        self.totals.update(tile.face or tile.side for tile in wanted)
        table = np.zeros((len(wanted), len(detections)), np.float32)
        for i, tile in enumerate(wanted):
            table[i] = overlaps(tile, detections)
        right = np.zeros((len(detections), len(LEVELS)), bool)
        for level, least in enumerate(LEVELS):
            taken: set[int] = set()
            for j in np.argsort([-d.score * d.confidence for d in detections]):
                rows = [
                    (table[i, j], i)
                    for i, tile in enumerate(wanted)
                    if i not in taken
                    and table[i, j] >= least
                    and (tile.face or tile.side) == names[j]
                ]
                if rows:
                    taken.add(max(rows)[1])
                    right[j, level] = True
        for j, detection in enumerate(detections):
            if picture.complete or detection.side is Side.FACE:
                self.scored.append((names[j], detection.score * detection.confidence, right[j]))

    def metrics(self) -> dict[str, object]:
        precisions = [self._at(level) for level in range(len(LEVELS))]
        return {"map50": round(precisions[0], 4), "map50_95": round(float(np.mean(precisions)), 4)}

    def _at(self, level: int) -> float:
        """Return the mean area under the precision-recall curves (101 points) of the classes."""
        areas = []
        for name, total in self.totals.items():
            rows = sorted((row for row in self.scored if row[0] == name), key=lambda row: -row[1])
            hits = np.cumsum([bool(row[2][level]) for row in rows])
            if not len(hits):
                areas.append(0.0)
                continue
            recall, precision = hits / total, hits / np.arange(1, len(hits) + 1)
            envelope = np.maximum.accumulate(precision[::-1])[::-1]
            points = np.searchsorted(recall, np.linspace(0, 1, 101))
            areas.append(float(np.append(envelope, 0.0)[points].mean()))
        return float(np.mean(areas)) if areas else 0.0
