"""Counts of found, missed and misread tiles by side, style and width."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from evaluation.labels import TrueTile
from evaluation.match import ReadPicture

from vision.detect import Detection
from vision.tiles.classes import FACES

WIDTHS_PX = (
    (0, 16, "under 16"),
    (16, 25, "16 to 24"),
    (25, 40, "25 to 39"),
    (40, 80, "40 to 79"),
    (80, 10**9, "80 and more"),
    (25, 10**9, "25 and more"),
)
"""Bands of a tile's width in the picture; the last one combines three others."""


@dataclass
class Tally:
    wanted: int = 0
    found: int = 0
    named: int = 0
    unsure: int = 0
    wrong_and_sure: int = 0
    mislabelled: int = 0
    """How many of these were read as what a person sees there."""
    extra: int = 0
    extra_inside: int = 0

    def add(self, truth: TrueTile, detection: Detection | None) -> None:
        """Count a wanted tile and its detection."""
        self.wanted += 1
        if detection is None:
            return
        self.found += 1
        if truth.face is None:
            self.named += 1
            return
        right = named(detection) == truth.face
        self.named += right
        self.unsure += not detection.tile.known
        self.wrong_and_sure += detection.tile.known and not right
        self.mislabelled += detection.tile.known and not right and named(detection) == truth.shows

    def metrics(self) -> dict[str, float | int]:
        found, wanted = max(1, self.found), max(1, self.wanted)
        return {
            "tiles": self.wanted,
            "recall": round(self.found / wanted, 4),
            "precision": round(self.found / max(1, self.found + self.extra), 4),
            "precision_where_labelled": round(
                self.found / max(1, self.found + self.extra_inside), 4
            ),
            "named_right_of_found": round(self.named / found, 4),
            "found_and_named_right": round(self.named / wanted, 4),
            "unsure": round(self.unsure / found, 4),
            "wrong_and_sure": round(self.wrong_and_sure / found, 5),
            "wrong_and_sure_tiles": self.wrong_and_sure,
            "wrong_and_sure_by_eye": round((self.wrong_and_sure - self.mislabelled) / found, 5),
        }


def named(detection: Detection) -> str:
    """Return the likeliest face of a detection, believed or not."""
    return FACES[int(detection.probabilities.argmax())]


@dataclass
class Tallies:
    """Counts the same tiles in several groupings."""

    by_side: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_style: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """Faces only; so is ``by_width``."""
    by_width: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(true face, read face)"""

    def add(self, read: ReadPicture) -> None:
        """Count one picture."""
        style = read.picture.style
        for tile, found in read.tiles():
            counts = self.by_side[tile.side]
            if not tile.wanted:
                continue
            counts.add(tile, found)
            if tile.face is None:
                continue
            self.by_style[style].add(tile, found)
            for low, high, name in WIDTHS_PX:
                if low <= tile.width_px < high:
                    self.by_width[name].add(tile, found)
            if found is not None and named(found) != tile.face:
                self.confusions[tile.face, named(found)] += 1
        for j, inside in read.extras:
            side = read.detections[j].side.value
            for counts in (self.by_side[side], *([self.by_style[style]] if side == "face" else [])):
                counts.extra += 1
                counts.extra_inside += inside

    def metrics(self) -> dict[str, object]:
        widths = [name for _, _, name in WIDTHS_PX if name in self.by_width]
        return {
            "by_side": {name: self.by_side[name].metrics() for name in sorted(self.by_side)},
            "faces_by_width_px": {
                name: _without_precision(self.by_width[name].metrics()) for name in widths
            },
            "faces_by_style": {
                name: self.by_style[name].metrics() for name in sorted(self.by_style)
            },
            "confusions": [[*names, count] for names, count in self.confusions.most_common(20)],
        }


def _without_precision(metrics: dict[str, float | int]) -> dict[str, float | int]:
    """Drop precision: false detections have no true width."""
    return {name: value for name, value in metrics.items() if not name.startswith("precision")}
