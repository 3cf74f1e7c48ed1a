"""Fit the confidence of readings corrected by a profile, on sets enrolled from their pictures.

    python models/fit_enrolled.py runs/sets/known runs/sets/unseen [--weights vision/weights]

Each folder is one of datasets/render.py sets, and each counts the same: the sets laid out are
enrolled as ``tilesight enroll`` does it, and the tables are read. Curve and threshold are of the
same kind as those of plain readings (fit_confidence.py). They stand in recogniser.json as
``enrolled``, with what they were fitted on. Exporting a recogniser removes them, because they
belong to one net.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from evaluation.labels import read_labelled
from fit_confidence import FaceReadings, crossed, figures, fit, read_cases, threshold
from scores.pictures import enrolled

from vision.detect import SHIPPED
from vision.errors import ProfileError
from vision.tiles.confidence import FEATURES

WRONG_ON_SETS = 0.005
"""No more tiles of enrolled sets may be named surely and wrongly: as few as of tables in company.

On eight sets, 685 faces in sight and 20 px wide, 121 are ``?`` and 4 surely wrong by the threshold
that it gives; with 0.003 135 and 2, with 0.002 151 and 1.
"""
OF_NO_TILE = ("no_tile", "odds_of_no_tile")
THINGS_NAMED = 0.2
"""No more outlines are named where no tile lies, in each folder. The recogniser before named 15 of
100 on the same unseen sets; without this limit 27 are named of this one."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders of render.py sets")
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    parser.add_argument("--known-size", action="store_true", help="as for fit_confidence.py")
    parser.add_argument("--precise", action="store_true", help="compute in 32-bit floats")
    given = parser.parse_args(arguments)
    about_path = given.weights / "recogniser.json"
    about = json.loads(about_path.read_text())
    parts = {
        folder.name: read_sets(folder, given.weights, given.known_size, given.precise)
        for folder in given.folders
    }
    read = {name: part for name, part in parts.items() if part is not None}
    if len({group for part in read.values() for group in part.groups}) < 2:
        print("a set is judged by others, and fewer than two could be read", file=sys.stderr)
        return 0
    about["enrolled"] = calibrated(read) | {
        "fitted_on": {folder.name: contents(folder) for folder in given.folders},
        "size_given": given.known_size,
        "date": datetime.now(UTC).date().isoformat(),
    }
    about_path.write_text(json.dumps(about, indent=1) + "\n")
    print(json.dumps(about["enrolled"], indent=1))
    return 0


def contents(folder: Path) -> dict[str, int]:
    """Return how much a folder of sets shows; ``fronts`` of standing tiles are labelled faces."""
    tables = [read_labelled(laid.parent / "table") for laid in sorted(folder.glob("*/laid"))]
    faces = [
        tile for table in tables for picture in table for tile in picture.tiles
        if tile.face is not None and tile.wanted
    ]  # fmt: skip
    return {
        "sets": len(tables),
        "tables": sum(map(len, tables)),
        "faces": len(faces),
        "fronts": sum(tile.foreshortened is not None for tile in faces),
    }


def read_sets(
    folder: Path, weights: Path, known_size: bool = False, precise: bool = False
) -> FaceReadings | None:
    """Enroll each set of a folder and read its tables; the sets are the groups.

    Sets that cannot be enrolled are left out. Returns None where no face was read.
    """
    parts = []
    for number, laid in enumerate(sorted(folder.glob("*/laid"))):
        try:
            detector = enrolled(laid.parent, weights, precise)
        except ProfileError as error:
            print(f"{laid.parent}: {error}", file=sys.stderr)
            continue
        tables = [(number, picture) for picture in read_labelled(laid.parent / "table")]
        parts.append(read_cases(detector, tables, known_size))
    if not any(len(part.faces) for part in parts):
        return None
    columns = zip(*(vars(part).values() for part in parts), strict=True)
    joined = FaceReadings(*(np.concatenate(column) for column in columns))
    # With these, a narrower net left 0.4 % more faces in doubt, and as many things named.
    joined.features[:, [FEATURES.index(name) for name in OF_NO_TILE]] = 0
    return joined


def calibrated(parts: dict[str, FaceReadings]) -> dict[str, object]:
    """Return the curve, its threshold, and what both are worth on sets left out of the fit."""
    readings = list(parts.values())
    left_out = crossed(readings)
    least = threshold(readings, left_out, WRONG_ON_SETS, most_things=THINGS_NAMED)
    return {
        "threshold": least,
        "confidence": dict(zip(FEATURES, fit(readings).weights, strict=True)),
        "metrics": {
            name: figures(part, sure, least)
            for (name, part), sure in zip(parts.items(), left_out, strict=True)
        },
    }


if __name__ == "__main__":
    raise SystemExit(main())
