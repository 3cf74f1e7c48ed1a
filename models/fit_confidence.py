"""Fit the confidence of readings on pictures that the recogniser was not trained on.

    python models/fit_confidence.py runs/tables/known runs/tables/unseen \\
        --photos DIR/photos/train.json DIR/photos2/train.json [--weights vision/weights]

The pictures are read with the finder's own outlines: rendered tables of known and of unseen styles,
and photos held out of the recogniser's training. Every folder and every collection of photos is a
kind of its own, and all kinds count the same. (The finder was trained on these photos, so its
outlines may be better there than on new ones.) The style and the photos that are used for measuring
are not used here.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from evaluation.labels import IN_SIGHT, LabelledPicture, read_labelled
from evaluation.match import matched
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

from studio.held_out import group_of, is_kept_out
from vision.camera.frames import Frame
from vision.camera.pictures import read_picture
from vision.detect import SHIPPED, Detection, Detector, TileReader
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tiles.company import in_company
from vision.tiles.confidence import FEATURES, Confidence
from vision.tiles.fives import PLAIN, RED

WRONG_ON_PHOTOS = 0.002
"""The default threshold lets fewer wrong names through than this share of the tiles in photos."""
WRONG_ON_TABLES = 0.003
"""The same for rendered tables, of whose tiles many are blurred.

Tiles of which less than ``IN_SIGHT`` is visible are read, but the threshold is not chosen by them:
they ruled it although nobody can read them. With 0.005 in place of 0.003, 8 of 950 faces of a
drawn style that nothing was trained on were named wrongly.
"""
WRONG_IN_COMPANY = {WRONG_ON_PHOTOS: 0.001, WRONG_ON_TABLES: 0.005}
"""The same for the lower threshold of tiles near sure ones, by the limit for all tiles.

What is wrong there on tables is fogged, burnt out or outlined badly, as no held-out photo is.
"""
THINGS_NAMED = {WRONG_ON_PHOTOS: 0.03, WRONG_ON_TABLES: 1.0}
"""No more of what the finder outlines on pictures of keys and dice may be named, by the limit.

Of 43 outlines on the nine such pictures none is named with 0.92. A net whose threshold was not held
to this named four. On tables it says little: of 94 outlines without a label there 75 were faces.
"""
JUDGED_FROM_PX = 20.0
"""Narrower tiles are read, but the threshold is not chosen by them: no camera should be so far."""
GREATEST_THRESHOLD = 0.999
FOLDS = 5
RIDGE = 1e-3
PICTURES_A_LOOK = 4  # rendered pictures that follow each other show the same table
NOBODYS = -1
MOST_NOBODYS = 6  # false detections used of one picture: one read at a wrong size has hundreds


@dataclass(frozen=True, eq=False)
class FaceReadings:
    """The readings of n tiles in one kind of pictures."""

    probabilities: NDArray[np.float32]
    """(n, 38)"""
    widths_px: NDArray[np.float32]
    features: NDArray[np.float64]
    """(n, 10) inputs of the curve."""
    faces: NDArray[np.int64]
    """(n,) true indices into ``FACES``; ``NOBODYS`` where no tile lies."""
    groups: NDArray[np.int64]
    """(n,) photos or tables; a group is never on both sides of a fold."""
    in_sight: NDArray[np.bool_]
    """(n,) whether nine tenths of the tile are in sight: a person may then be asked to read it."""
    in_company: NDArray[np.bool_]
    """(n,) whether sure faces lie near, by the confidence with which the pictures were read."""

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.asarray(self.probabilities.argmax(axis=1) == self.faces)

    def take(self, rows: NDArray[np.bool_]) -> FaceReadings:
        return FaceReadings(*(column[rows] for column in vars(self).values()))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, nargs="+", help="folders of datasets/render.py crops")
    parser.add_argument(
        "--photos", type=Path, nargs="*", default=[], help="label files of the training photos"
    )
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument(
        "--known-size", action="store_true", help="give the size of the tiles: ten times faster"
    )
    given = parser.parse_args(arguments)
    path = given.weights / "recogniser.json"
    about = json.loads(path.read_text())
    detector, metrics = Detector.load(given.weights), about["metrics"]
    about |= calibrated(detector, given.photos, given.tables, metrics, given.known_size)
    path.write_text(json.dumps(about, indent=1) + "\n")
    shown = ("confidence", "threshold", "threshold_in_company")
    print(json.dumps({name: about.get(name) for name in shown}, indent=1))
    return 0


def calibrated(
    detector: TileReader,
    photos: Sequence[Path],
    folders: Sequence[Path],
    metrics: dict[str, object],
    known_size: bool = False,
) -> dict[str, object]:
    """Fit the curve and the threshold, for the metadata; add their figures to ``metrics``.

    The figures are cross-validated: the curve that judges a reading was fitted without its photo
    or table.
    """
    pictures = {folder.name: tables(folder) for folder in folders}
    limits = dict.fromkeys(pictures, WRONG_ON_TABLES)
    for labels in photos:
        kind = labels.parent.name
        pictures[kind] = [*pictures.get(kind, ()), *held_out_photos(labels)]
        limits[kind] = WRONG_ON_PHOTOS
    read = {name: read_cases(detector, part, known_size) for name, part in pictures.items()}
    cases = {name: part for name, part in read.items() if len(part.faces)}
    if not cases:
        print("no face was found in the pictures: the confidence is not fitted", file=sys.stderr)
        return {}
    told = dict(zip(cases, crossed(list(cases.values())), strict=True))
    least = default_threshold(cases, told, limits)
    near = default_threshold(cases, told, limits, alone=least)
    metrics["whole pictures, as sure as they were measured to be"] = {
        "threshold": least,
        "threshold_in_company": near,
        **{
            name: figures(part, told[name], np.where(part.in_company, near, least))
            for name, part in cases.items()
        },
    }
    curve = fit(list(cases.values()))
    return {
        "threshold": least,
        "threshold_in_company": near,
        "confidence": dict(zip(FEATURES, curve.weights, strict=True)),
    }


def default_threshold(
    cases: Mapping[str, FaceReadings],
    told: Mapping[str, NDArray[np.float32]],
    limits: Mapping[str, float],
    alone: float | None = None,
) -> float:
    """Return the least confidence above which wrong names are as rare as each limit asks for.

    Kinds of pictures that share a limit have equal weight. With ``alone``, the threshold of tiles
    that stand alone, return that of tiles in company.
    """
    found = []
    for limit in set(limits.values()):
        names = [name for name in cases if limits[name] == limit]
        if names:
            parts, sure = [cases[n] for n in names], [told[n] for n in names]
            most = limit if alone is None else WRONG_IN_COMPANY[limit]
            found.append(threshold(parts, sure, most, alone, THINGS_NAMED[limit]))
    return max(found) if alone is None else min(alone, max(found))


def held_out_photos(labels: Path) -> list[tuple[int, LabelledPicture]]:
    """Return the photos held out of the recogniser's training, each with its group."""
    rows = json.loads(labels.read_text())
    names = sorted({group_of(row) for row in rows if is_kept_out(row)})
    return [
        (names.index(group_of(row)), picture)
        for row, picture in zip(rows, read_labelled(labels), strict=True)
        if is_kept_out(row)
    ]


def tables(folder: Path) -> list[tuple[int, LabelledPicture]]:
    """Return the rendered pictures of a folder, each with its group."""
    return [
        (place // PICTURES_A_LOOK, picture) for place, picture in enumerate(read_labelled(folder))
    ]


def read_cases(
    detector: TileReader,
    pictures: Iterable[tuple[int, LabelledPicture]],
    known_size: bool = False,
) -> FaceReadings:
    """Read every face that is found on a true face, or where surely no tile lies."""
    found: list[tuple[Detection, int, int, bool, bool]] = []
    for group, picture in pictures:
        image = read_picture(picture.path)
        tile_px = picture.tile_px if known_size else None
        read = matched(picture, image, detector.read(image, tile_px=tile_px))
        beside = dict(zip(map(id, read.detections), company(read.detections), strict=True))
        colourless = Frame(image, 0.0, 0).colourless
        for tile, detection in read.tiles():
            if detection is None or tile.face is None or not tile.wanted:
                continue
            face = FACE_INDEX[tile.face]
            if colourless and face in (*RED, *PLAIN):
                continue  # nobody can tell them there: they are printed as ?
            found.append((detection, face, group, tile.visible >= IN_SIGHT, beside[id(detection)]))
        if picture.complete or picture.no_face:
            nobodys = [read.detections[j] for j, _ in read.extras]
            surest = sorted((d for d in nobodys if d.side is Side.FACE), key=lambda d: -d.score)
            found += [
                (shown, NOBODYS, group, True, beside[id(shown)]) for shown in surest[:MOST_NOBODYS]
            ]
    seen = [detection for detection, *_ in found]
    return FaceReadings(
        np.array([shown.probabilities for shown in seen], np.float32).reshape(
            len(seen), len(FACES)
        ),
        np.array([shown.width_px for shown in seen], np.float32),
        np.array([shown.features for shown in seen], np.float64).reshape(len(seen), len(FEATURES)),
        np.array([face for _, face, *_ in found], np.int64),
        np.array([group for _, _, group, *_ in found], np.int64),
        np.array([in_sight for *_, in_sight, _ in found], np.bool_),
        np.array([near for *_, near in found], np.bool_),
    )


def company(read: Sequence[Detection]) -> NDArray[np.bool_]:
    """Return whether each tile of a picture lies near sure faces, as the detector judges it."""
    if not read:
        return np.zeros(0, np.bool_)
    sure = [tile.confidence if tile.side is Side.FACE else 0.0 for tile in read]
    return in_company(np.stack([tile.corners_px for tile in read]), np.array(sure, np.float32))


def fit(parts: Sequence[FaceReadings]) -> Confidence:
    """Fit the logistic curve by maximum likelihood; every part has equal weight."""
    inputs = np.concatenate([part.features for part in parts])
    right = np.concatenate([part.right for part in parts]).astype(np.float64)
    weight = np.concatenate([np.full(len(p.faces), 1 / max(1, len(p.faces))) for p in parts])
    weight *= len(weight) / weight.sum()
    ridge = RIDGE * len(right)
    weights = np.zeros(len(FEATURES))

    def surprise(at: NDArray[np.float64]) -> float:
        told = (inputs @ at) * (1 - 2 * right)
        return float(weight @ np.logaddexp(0, told) + ridge * at @ at / 2)

    for _ in range(100):  # Newton's method; the loss is convex
        told = 1 / (1 + np.exp(-(inputs @ weights).clip(-30, 30)))
        slope = inputs.T @ (weight * (told - right)) + ridge * weights
        bend = (inputs * (weight * told * (1 - told))[:, None]).T @ inputs
        step = np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
        while surprise(weights - step) > surprise(weights) and np.abs(step).max() > 1e-9:
            step = step / 2
        weights = weights - step
        if np.abs(step).max() < 1e-7:
            break
    return Confidence(tuple(round(float(value), 5) for value in weights))


def crossed(parts: Sequence[FaceReadings]) -> list[NDArray[np.float32]]:
    """Return the confidence of each reading by a curve that was fitted without its group."""
    told = [np.zeros(len(part.faces), np.float32) for part in parts]
    for fold in range(FOLDS):
        curve = fit([part.take(part.groups % FOLDS != fold) for part in parts])
        for part, sure in zip(parts, told, strict=True):
            rows = part.groups % FOLDS == fold
            sure[rows] = curve.of(part.features[rows])
    return told


def threshold(
    parts: Sequence[FaceReadings],
    sure: Sequence[NDArray[np.float32]],
    most_wrong: float,
    alone: float | None = None,
    most_things: float = 1.0,
) -> float:
    """Return the least confidence above which wrong names are rare; every part has equal weight.

    ``most_wrong`` is their largest share of the tiles, ``most_things`` that of the outlines where
    no tile lies, in each part. With ``alone`` only tiles in company are named from it on, and the
    others from ``alone`` on.
    """
    for least in np.arange(0.5, GREATEST_THRESHOLD, 0.005):
        by_part = [
            (p, told, least if alone is None else np.where(p.in_company, least, alone))
            for p, told in zip(parts, sure, strict=True)
        ]
        wrong = np.mean([wrong_and_sure(*part) for part in by_part])
        things = max(things_named(*part) for part in by_part)
        if wrong < most_wrong and things <= most_things:
            return round(float(least), 3)
    return GREATEST_THRESHOLD


def wrong_and_sure(
    part: FaceReadings, sure: NDArray[np.float32], least: float | NDArray[np.float64]
) -> float:
    """Return the share of the true tiles, neither tiny nor covered, named wrongly and surely.

    ``least``: the threshold of all, or (n,) that of each.
    """
    there = (part.faces != NOBODYS) & (part.widths_px >= JUDGED_FROM_PX) & part.in_sight
    wrong = (sure >= least) & ~part.right & there
    return float(wrong.sum() / max(1, there.sum()))


def things_named(
    part: FaceReadings, sure: NDArray[np.float32], least: float | NDArray[np.float64]
) -> float:
    """Return the share of the outlines without a tile that are named, with ``least`` as above."""
    nowhere = part.faces == NOBODYS
    return float((sure >= least)[nowhere].mean()) if nowhere.any() else 0.0


def figures(
    part: FaceReadings, sure: NDArray[np.float32], least: float | NDArray[np.float64]
) -> dict[str, float | int]:
    """Return what the confidence is worth on one kind of pictures, with ``least`` as above."""
    there = part.faces != NOBODYS
    edges = np.quantile(sure[there], np.linspace(0, 1, 11)) if there.any() else np.zeros(11)
    band = np.searchsorted(edges[1:-1], sure)
    distance = 0.0
    for number in range(10):
        rows = there & (band == number)
        if rows.any():
            gap = abs(float(sure[rows].mean()) - float(part.right[rows].mean()))
            distance += gap * float(rows.sum() / there.sum())
    believed = sure >= least
    return {
        "tiles": int(there.sum()),
        "named_right": round(float(part.right[there].mean()), 4),
        "believed": round(float(believed[there].mean()), 4),
        "wrong_and_sure": round(wrong_and_sure(part, sure, least), 5),
        "expected_error": round(distance, 4),
        "no_tile": int((~there).sum()),
        "no_tile_believed": int(believed[~there].sum()),
    }


if __name__ == "__main__":
    raise SystemExit(main())
