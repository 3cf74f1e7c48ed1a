"""The metrics of a report: counts by side, style and width, average precision, and tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from evaluation.labels import LabelledPicture, TrueTile
from evaluation.match import ReadPicture, overlaps
from games.intervals import of_ratio, wilson
from numpy.typing import NDArray

from vision.detect import Detection
from vision.tiles.classes import FACES, Side

WIDTHS_PX = (
    (0, 16, "under 16"),
    (16, 25, "16 to 24"),
    (25, 40, "25 to 39"),
    (40, 80, "40 to 79"),
    (80, 10**9, "80 and more"),
    (25, 10**9, "25 and more"),
)
"""Bands of a tile's width in the picture; the last one combines three others."""
FRONTS = (
    (0.5, 0.6, "standing, front foreshortened to 0.5 to 0.6"),
    (0.6, 0.75, "standing, to 0.6 to 0.75"),
    (0.75, 0.9, "standing, to 0.75 to 0.9"),
    (0.9, 1.1, "standing, to 0.9 and more"),
    (0.0, 1.1, "standing, all"),
)
"""Bands of how far the front of a standing tile is foreshortened; the last one combines them."""
LYING = "lying"

LEVELS = np.linspace(0.5, 0.95, 10)
COLUMNS = (
    ("tiles", "tiles", "{:,}"),
    ("found", "recall", "{:.1%}"),
    ("detections that are tiles", "precision_where_labelled", "{:.1%}"),
    ("found ones named right", "named_right_of_found", "{:.2%}"),
    ("found and named right", "found_and_named_right", "{:.1%}"),
    ("overlap of outlines", "overlap", "{:.3f}"),
    ("answered ?", "unsure", "{:.1%}"),
    ("sure and wrong", "wrong_and_sure", "{:.2%}"),
    ("the same, wrong labels aside", "wrong_and_sure_by_eye", "{:.2%}"),
)
"""Heading, name in metrics.json, format."""
GROUPS = (
    ("by side", "by_side"),
    ("faces by width, px", "faces_by_width_px"),
    ("faces by style", "faces_by_style"),
    ("faces by what hides them", "faces_by_state"),
    ("faces in full sight by how they stand", "faces_by_pose"),
    ("plain faces by light", "plain_faces_by_light"),
    ("plain faces by size, px", "plain_faces_by_size_px"),
)
_OF_ALL_SIDES = frozenset({"tiles", "recall", "precision_where_labelled", "overlap"})
_SHARES = {
    "recall": ("found", "wanted"),
    "named_right_of_found": ("named", "found"),
    "found_and_named_right": ("named", "wanted"),
    "unsure": ("unsure", "found"),
    "wrong_and_sure": ("wrong_and_sure", "found"),
}
"""What each share that has an interval counts, and of what."""


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
    overlaps: list[float] = field(default_factory=list)
    """Intersection over union of the outlines of found tiles and of their oriented labels."""
    pictures: list[dict[str, int]] = field(default_factory=list)
    """The counts at the end of each picture."""

    def add(self, truth: TrueTile, detection: Detection | None) -> None:
        """Count a wanted tile and its detection."""
        self.wanted += 1
        if detection is None:
            return
        if not truth.upright:
            self.overlaps.append(float(overlaps(truth, [detection])[0]))
        self.found += 1
        if truth.face is None:
            self.named += 1
            return
        right = named(detection) == truth.face
        self.named += right
        self.unsure += not detection.tile.known
        self.wrong_and_sure += detection.tile.known and not right
        self.mislabelled += detection.tile.known and not right and named(detection) == truth.shows

    def picture_ends(self) -> None:
        """Keep the counts, because the errors of one picture hang together."""
        names = {name for share in _SHARES.values() for name in share}
        self.pictures.append({name: getattr(self, name) for name in names})

    def intervals(self) -> dict[str, tuple[float, float]]:
        """Return the 95 % interval of each share.

        It is the wider one of two: of drawing whole pictures again, and of independent tiles, which
        is wider where every picture has the same share.
        """
        found = {}
        for name, (part, whole) in _SHARES.items():
            parts, wholes = (
                np.diff([picture[what] for picture in self.pictures], prepend=0).tolist()
                for what in (part, whole)
            )
            pictures, tiles = of_ratio(parts, wholes), wilson(sum(parts), sum(wholes))
            if pictures is not None and tiles is not None:
                low, high = min(pictures[0], tiles[0]), max(pictures[1], tiles[1])
                found[name] = (round(low, 5), round(high, 5))
        return found

    def metrics(self) -> dict[str, Any]:
        found, wanted = max(1, self.found), max(1, self.wanted)
        overlap = {"overlap": round(float(np.mean(self.overlaps)), 4)} if self.overlaps else {}
        return overlap | {
            "intervals": self.intervals(),
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


def left_unread(read: ReadPicture) -> Iterator[str]:
    """Yield a name of each face that is not surely named right: of it, and of its picture."""
    for place, (tile, detection) in enumerate(read.tiles()):
        if not tile.wanted or tile.face is None:
            continue
        if detection is None or not detection.tile.known or named(detection) != tile.face:
            yield f"{read.picture.style}/{read.picture.path.name} {place} {tile.face}"


@dataclass
class Tallies:
    """Counts the same tiles in several groupings."""

    by_side: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_style: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """Faces only; so is ``by_width``."""
    by_width: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_state: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """Faces of pictures in which every tile is labelled."""
    by_light: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """Faces with nothing in their way; so are ``by_size`` and ``by_pose``."""
    by_size: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_pose: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """Kept where a front of a standing tile is labelled in any picture."""
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(true face, read face)"""

    def add(self, read: ReadPicture) -> None:
        """Count one picture."""
        style = read.picture.style
        for tile, found in read.tiles():
            if not tile.wanted:
                continue
            self.by_side[tile.side].add(tile, found)
            if tile.face is None:
                continue
            self.by_style[style].add(tile, found)
            self._add_state(read.picture, tile, found)
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
        for tallies in vars(self).values():
            for tally in tallies.values() if tallies is not self.confusions else ():
                tally.picture_ends()

    def _add_state(self, picture: LabelledPicture, tile: TrueTile, found: Detection | None) -> None:
        if not picture.complete:
            return
        self.by_state[tile.state].add(tile, found)
        if tile.state == "plain":
            for name in _poses(tile):
                self.by_pose[name].add(tile, found)
        if tile.state == "plain" and picture.light is not None:
            self.by_light[picture.light].add(tile, found)
            self.by_light["all"].add(tile, found)
        if tile.state == "plain" and picture.nominal_px is not None:
            self.by_size[f"{picture.nominal_px:3}"].add(tile, found)

    def metrics(self) -> dict[str, object]:
        more = {
            "faces_by_state": self.by_state,
            "plain_faces_by_light": self.by_light,
            "plain_faces_by_size_px": self.by_size,
            "faces_by_pose": self.by_pose if self.by_pose.keys() - {LYING} else {},
        }
        widths = [name for _, _, name in WIDTHS_PX if name in self.by_width]
        return {
            "by_side": {name: self.by_side[name].metrics() for name in sorted(self.by_side)},
            "faces_by_width_px": {
                name: _without_precision(self.by_width[name].metrics()) for name in widths
            },
            "faces_by_style": {
                name: self.by_style[name].metrics() for name in sorted(self.by_style)
            },
            **{
                name: {
                    row.strip(): _without_precision(tally.metrics())
                    for row, tally in sorted(tallies.items())
                }
                for name, tallies in more.items()
                if tallies
            },
            "confusions": [[*names, count] for names, count in self.confusions.most_common(20)],
        }


def _poses(tile: TrueTile) -> list[str]:
    if tile.foreshortened is None:
        return [LYING]
    return [name for low, high, name in FRONTS if low <= tile.foreshortened < high]


def _without_precision(metrics: dict[str, Any]) -> dict[str, Any]:
    """Drop precision: false detections have no true width."""
    return {name: value for name, value in metrics.items() if not name.startswith("precision")}


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


def tables(report: Mapping[str, Any]) -> str:
    """Return a summary line, a table for each grouping, and the reliability table."""
    lines = [
        f"{report['source']}: {report['pictures']} pictures, threshold {report['threshold']}, "
        f"mAP50 {report['map50']:.3f}, mAP50-95 {report['map50_95']:.3f}"
    ]
    if "map50_as_labelled" in report:
        lines[0] += (
            f"; with boxes drawn as the labels of their photo {report['map50_as_labelled']:.3f} "
            f"and {report['map50_95_as_labelled']:.3f}"
        )
    for heading, name in GROUPS:
        rows: Mapping[str, Mapping[str, Any]] = report.get(name, {})
        if not rows:
            continue
        head = [heading, *(title for title, _, _ in COLUMNS)]
        lines += ["", table_row(head), table_row(["---"] * len(head))]
        lines += [table_row([row, *_cells(row, values)]) for row, values in rows.items()]
    reliability = report["reliability"]
    lines += ["", table_row(["tiles", "mean confidence", "named right"]), table_row(["---"] * 3)]
    lines += [
        table_row([f"{tiles:,}", f"{said:.4f}", f"{right:.4f}"])
        for tiles, said, right in reliability["bands"]["rows"]
    ]
    lines += ["", f"Mean distance between the two: {reliability['expected_error']:.4f}."]
    return "\n".join(lines) + "\n"


def _cells(row: str, values: Mapping[str, Any]) -> list[str]:
    faces = row not in ("back", "standing")
    return [
        cell(name, form, values) if name in values and (faces or name in _OF_ALL_SIDES) else ""
        for _, name, form in COLUMNS
    ]


def cell(name: str, form: str, values: Mapping[str, Any]) -> str:
    shown = form.format(values[name])
    if name not in values.get("intervals", {}):
        return shown
    low, high = (form.format(end) for end in values["intervals"][name])
    return f"{shown} ({low.removesuffix('%')} to {high.removesuffix('%')})"


def table_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
