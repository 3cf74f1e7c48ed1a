"""Measure the detector on labelled pictures and show its errors.

    python models/evaluate.py .../photos/evaluate.json --out runs/report     # real photos
    python models/evaluate.py runs/held_out --out runs/report                # folder of crops.py
    python models/evaluate.py runs/sets --out runs/report                    # folder of own_sets.py

Writes OUT/metrics.json, OUT/confusions.png (the ten worst) and OUT/errors/*.jpg (every picture with
an error, found tiles outlined in green, misnamed ones in yellow with both names, missed ones in
red, extra ones in blue). Of a folder
of own_sets.py the tables are measured twice, plainly (OUT/plain) and with each set enrolled from
the pictures in which it is laid out (OUT/enrolled).

A found tile is right when its box and the label's overlap by half (upright boxes where the label is
one). In photos of a game in progress only some tiles are labelled; ``precision`` counts every
detection there, ``precision_where_labelled`` only those inside the outline of the labelled tiles.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from evaluate_faces import NamedFaces
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.classes import FACES, Side, face_class
from vision.detect import Detection, Detector
from vision.enroll import laid_out, profile_of
from vision.errors import ProfileError
from vision.pictures import read_picture

LEAST_VISIBLE = 0.5
"""Rendered tiles less visible than this are neither wanted nor counted as extra."""


@dataclass(frozen=True, eq=False)
class Truth:
    face: str | None
    """Class of the face; None for a back or a standing tile."""
    side: str
    corners: NDArray[np.float32]
    upright: bool
    """The label is an upright box about the tile."""
    wanted: bool = True


@dataclass(frozen=True, eq=False)
class Labelled:
    path: Path
    tiles: tuple[Truth, ...]
    complete: bool


@dataclass
class Tally:
    """Counts over all pictures, and what average precision needs."""

    wanted: int = 0
    found: int = 0
    named: int = 0
    unsure: int = 0
    wrong_and_sure: int = 0
    extra: int = 0
    extra_inside: int = 0

    def metrics(self) -> dict[str, float | int]:
        found = max(1, self.found)
        return {
            "tiles": self.wanted,
            "recall": round(self.found / max(1, self.wanted), 4),
            "precision": round(self.found / max(1, self.found + self.extra), 4),
            "precision_where_labelled": round(
                self.found / max(1, self.found + self.extra_inside), 4
            ),
            "named_right_of_found": round(self.named / found, 4),
            "found_and_named_right": round(self.named / max(1, self.wanted), 4),
            "unsure": round(self.unsure / found, 4),
            "wrong_and_sure": round(self.wrong_and_sure / found, 5),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path, help="label file of photos, or folder of crops.py")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="folder; the shipped ones when left out")
    parser.add_argument("--most", type=int, default=10**9, help="pictures")
    args = parser.parse_args()
    if not args.source.exists():
        sys.exit(f"there is nothing to measure at {args.source}")
    detector = Detector.load(args.weights)
    if sets := sorted(folder.parent for folder in args.source.glob("*/laid")):
        for name in ("plain", "enrolled"):
            work = (
                (
                    enrolled(folder, args.weights) if name == "enrolled" else detector,
                    read_crops(folder / "table"),
                )
                for folder in sets
            )
            measure(f"{args.source.name}, {name}", work, args.out / name)
        return
    pictures = read_photos(args.source) if args.source.is_file() else read_crops(args.source)
    measure(args.source.name, [(detector, pictures[: args.most])], args.out)


def enrolled(folder: Path, weights: Path | None) -> Detector:
    """A detector fitted to the set that FOLDER/laid shows, as ``tilesight enroll`` does it."""
    detector = Detector.load(weights)
    pictures = []
    for path in sorted((folder / "laid").glob("*.jpg")):
        image = read_picture(path)
        try:
            pictures.append((image, laid_out(detector, image)))
        except ProfileError as error:
            print(f"{path}: {error}", file=sys.stderr)
    detector.recogniser.fit(profile_of(pictures))
    return detector


def measure(source: str, work: Iterable[tuple[Detector, list[Labelled]]], out: Path) -> None:
    """Read every picture and write metrics.json and the pictures of errors into ``out``."""
    (out / "errors").mkdir(parents=True, exist_ok=True)
    tallies: dict[str, Tally] = {}
    widths: dict[str, Tally] = {}
    confusions: Counter[tuple[str, str]] = Counter()
    scored: list[tuple[str, float, NDArray[np.bool_]]] = []
    totals: Counter[str] = Counter()
    named = NamedFaces()
    count = 0
    for detector, pictures in work:
        for picture in pictures:
            image = read_picture(picture.path)
            detections = detector.read(image)
            pairs = match(picture.tiles, detections, 0.5)
            tally(tallies, confusions, picture, detections, pairs)
            count_widths(widths, picture, detections, pairs)
            for i, j in pairs.items():
                tile = picture.tiles[i]
                if tile.face is not None and tile.wanted:
                    named.add(image, tile.face, detections[j])
            gather(scored, totals, picture, detections)
            drawing = draw(image, picture, detections, pairs)
            if drawing is not None:
                cv2.imwrite(str(out / "errors" / f"{count:05d}-{picture.path.stem}.jpg"), drawing)
            count += 1
    result = {side: counts.metrics() for side, counts in sorted(tallies.items())}
    levels = np.linspace(0.5, 0.95, 10)
    precisions = [average_precisions(scored, totals, level) for level in range(len(levels))]
    report = {
        "source": source,
        "pictures": count,
        "by_side": result,
        "faces_by_width_px": {
            name: {
                "tiles": counts.wanted,
                "recall": round(counts.found / max(1, counts.wanted), 4),
                "named_right_of_found": round(counts.named / max(1, counts.found), 4),
            }
            for name, counts in sorted(widths.items())
        },
        "map50": round(precisions[0], 4),
        "map50_95": round(float(np.mean(precisions)), 4),
        "reliability": named.reliability(),
        "confusions": [[*names, count] for names, count in confusions.most_common(20)],
    }
    named.show_worst(out / "confusions.png")
    (out / "metrics.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


def read_photos(labels: Path) -> list[Labelled]:
    folder = labels.with_suffix("")
    return [
        Labelled(
            folder / row["file"],
            tuple(
                Truth(
                    face_class(Tile(tile["tile"])),
                    "face",
                    np.array(tile["quad"], np.float32),
                    not tile["oriented"],
                )
                for tile in row["tiles"]
            ),
            complete=False,
        )
        for row in json.loads(labels.read_text())
    ]


def read_crops(folder: Path) -> list[Labelled]:
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    return [
        Labelled(
            folder / row["file"],
            tuple(
                Truth(
                    face_class(Tile(tile["tile"])) if tile["side"] == "face" else None,
                    tile["side"],
                    np.array(tile["corners"], np.float32),
                    upright=False,
                    wanted=tile["visible"] >= LEAST_VISIBLE,
                )
                for tile in row["tiles"]
            ),
            complete=True,
        )
        for row in rows
    ]


def overlaps(truth: Truth, detections: list[Detection]) -> NDArray[np.float32]:
    """(n,) intersection over union of a label and each detection."""
    out = np.zeros(len(detections), np.float32)
    low, high = truth.corners.min(axis=0), truth.corners.max(axis=0)
    for i, detection in enumerate(detections):
        corners = detection.corners_px
        if truth.upright:
            least, most = corners.min(axis=0), corners.max(axis=0)
            shared = float(np.prod(np.maximum(np.minimum(high, most) - np.maximum(low, least), 0)))
            total = float(np.prod(high - low) + np.prod(most - least)) - shared
        else:
            if (corners.min(axis=0) > high).any() or (corners.max(axis=0) < low).any():
                continue
            shared = float(cv2.intersectConvexConvex(truth.corners, corners)[0])
            total = float(cv2.contourArea(truth.corners) + cv2.contourArea(corners)) - shared
        out[i] = shared / max(total, 1e-6)
    return out


def match(tiles: tuple[Truth, ...], detections: list[Detection], least: float) -> dict[int, int]:
    """Which detection is which label's: best overlap first, each once, on the same side."""
    table = np.zeros((len(tiles), len(detections)), np.float32)
    for i, tile in enumerate(tiles):
        table[i] = overlaps(tile, detections)
        for j, detection in enumerate(detections):
            if detection.side.value != tile.side:
                table[i, j] = 0
    pairs: dict[int, int] = {}
    while table.size and table.max() >= least:
        i, j = (int(v) for v in np.unravel_index(int(table.argmax()), table.shape))
        pairs[i] = j
        table[i], table[:, j] = 0, 0
    return pairs


def tally(
    tallies: dict[str, Tally],
    confusions: Counter[tuple[str, str]],
    picture: Labelled,
    detections: list[Detection],
    pairs: dict[int, int],
) -> None:
    for i, tile in enumerate(picture.tiles):
        counts = tallies.setdefault(tile.side, Tally())
        if not tile.wanted:
            continue
        counts.wanted += 1
        if i not in pairs:
            continue
        counts.found += 1
        detection = detections[pairs[i]]
        if tile.face is None:
            counts.named += 1
            continue
        name = FACES[int(detection.probabilities.argmax())]
        counts.named += name == tile.face
        counts.unsure += not detection.tile.known
        if name != tile.face:
            confusions[(tile.face, name)] += 1
            counts.wrong_and_sure += detection.tile.known
    if picture.tiles:
        hull = cv2.convexHull(np.concatenate([tile.corners for tile in picture.tiles]))
    for j, detection in enumerate(detections):
        side = detection.side.value
        if j in pairs.values() or (side != "face" and not picture.complete):
            continue
        near = [i for i, t in enumerate(picture.tiles) if overlaps(t, [detection])[0] > 0.3]
        if any(not picture.tiles[i].wanted for i in near):
            continue
        counts = tallies.setdefault(side, Tally())
        counts.extra += 1
        middle = detection.corners_px.mean(axis=0)
        inside = picture.complete or (
            bool(picture.tiles)
            and cv2.pointPolygonTest(hull, (float(middle[0]), float(middle[1])), False) >= 0
        )
        counts.extra_inside += inside


def count_widths(
    widths: dict[str, Tally],
    picture: Labelled,
    detections: list[Detection],
    pairs: dict[int, int],
) -> None:
    """Count faces apart by the width of the tile in the picture."""
    for i, tile in enumerate(picture.tiles):
        if tile.face is None or not tile.wanted:
            continue
        wide = float(np.linalg.norm(tile.corners[1] - tile.corners[0]))
        name = "under 16" if wide < 16 else "16 to 24" if wide < 25 else "25 and more"
        counts = widths.setdefault(name, Tally())
        counts.wanted += 1
        if i in pairs:
            counts.found += 1
            face = FACES[int(detections[pairs[i]].probabilities.argmax())]
            counts.named += face == tile.face


def gather(
    scored: list[tuple[str, float, NDArray[np.bool_]]],
    totals: Counter[str],
    picture: Labelled,
    detections: list[Detection],
) -> None:
    """Per detection its class, confidence, and whether it is right at each of ten overlaps."""
    names = [
        FACES[int(d.probabilities.argmax())] if d.side is Side.FACE else d.side.value
        for d in detections
    ]
    wanted = [tile for tile in picture.tiles if tile.wanted]
    totals.update(tile.face or tile.side for tile in wanted)
    table = np.zeros((len(wanted), len(detections)), np.float32)
    for i, tile in enumerate(wanted):
        table[i] = overlaps(tile, detections)
    right = np.zeros((len(detections), 10), bool)
    for level, least in enumerate(np.linspace(0.5, 0.95, 10)):
        taken: set[int] = set()
        for j in np.argsort([-d.score * d.confidence for d in detections]):
            rows = [
                (table[i, j], i)
                for i, tile in enumerate(wanted)
                if i not in taken and table[i, j] >= least and (tile.face or tile.side) == names[j]
            ]
            if rows:
                taken.add(max(rows)[1])
                right[j, level] = True
    for j, detection in enumerate(detections):
        if picture.complete or detection.side is Side.FACE:
            scored.append((names[j], detection.score * detection.confidence, right[j]))


def average_precisions(
    scored: list[tuple[str, float, NDArray[np.bool_]]], totals: Counter[str], level: int
) -> float:
    """Mean over the classes of the area under precision against recall (101 points)."""
    areas = []
    for name, total in totals.items():
        rows = sorted((row for row in scored if row[0] == name), key=lambda row: -row[1])
        hits = np.cumsum([bool(row[2][level]) for row in rows])
        if not len(hits):
            areas.append(0.0)
            continue
        recall, precision = hits / total, hits / np.arange(1, len(hits) + 1)
        envelope = np.maximum.accumulate(precision[::-1])[::-1]
        points = np.searchsorted(recall, np.linspace(0, 1, 101))
        areas.append(float(np.append(envelope, 0.0)[points].mean()))
    return float(np.mean(areas)) if areas else 0.0


def draw(
    image: NDArray[np.uint8],
    picture: Labelled,
    detections: list[Detection],
    pairs: dict[int, int],
) -> NDArray[np.uint8] | None:
    """The picture with its errors outlined; None when there are none."""
    out, errors = image.copy(), 0
    for i, tile in enumerate(picture.tiles):
        if not tile.wanted:
            continue
        if i not in pairs:
            errors += 1
            cv2.polylines(out, [tile.corners.astype(np.int32)], True, (0, 0, 255), 2)
            continue
        detection = detections[pairs[i]]
        name = FACES[int(detection.probabilities.argmax())] if tile.face else None
        colour = (0, 200, 0) if name == tile.face else (0, 220, 255)
        cv2.polylines(out, [detection.corners_px.astype(np.int32)], True, colour, 1)
        if name != tile.face:
            errors += 1
            x, y = (int(v) for v in detection.corners_px.mean(axis=0))
            text = f"{name} not {tile.face}"
            cv2.putText(out, text, (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 0, 255), 1)
    for j, detection in enumerate(detections):
        if j not in pairs.values() and (picture.complete or detection.side is Side.FACE):
            cv2.polylines(out, [detection.corners_px.astype(np.int32)], True, (255, 0, 0), 1)
            errors += picture.complete
    return out if errors else None


if __name__ == "__main__":
    main()
