"""Replace loose labels of real photos by the outlines that a first finder sees.

    python models/complete_photos.py .../train.json ... --weights runs/first --out runs/photos.jsonl

The public labels have many upright boxes around turned tiles, and omit tiles that lie on the table.
Each labelled tile gets the finder's outline in its place if the sizes agree. A tile that the finder
sees and nobody labelled counts neither as wanted nor as wrong; nor do the ``parts`` of faces and
the ``maybe`` tiles of a label file. Only the surroundings of labelled tiles are trusted.

The pictures of a label file without any tile show what is no face. What the finder takes for a face
there is kept as ``NO_TILE``, and backs and sides of tiles, which nobody labelled, are ignored.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import cv2
import numpy as np
from finder.data import CLASSES, IGNORED, NO_TILE
from numpy.typing import NDArray

from studio.held_out import group_of, is_kept_out
from vision.tiles.boxes import corners_of
from vision.tiles.finder import Finder

UPRIGHT_DEG = 9.0
FACE = CLASSES.index("face")
NO_TILE_PX = (20.0, 30.0, 45.0, 70.0)
"""Sizes of tiles that are looked for in pictures without tiles."""
NO_TILE_LEAST = 0.1

Tiles = list[dict[str, object]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("--weights", type=Path, required=True, help="folder with finder.onnx")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--least", type=float, default=0.3, help="least score of an outline")
    args = parser.parse_args()
    finder = Finder(args.weights / "finder.onnx")
    lines, counts = [], Counter[int]()
    for labels in args.labels:
        rows = json.loads(labels.read_text())
        no_tiles = not any(row["tiles"] for row in rows)
        for row in rows:
            if not (row["tiles"] or no_tiles):
                continue  # its tiles were not labelled
            path = labels.with_suffix("") / row["file"]
            image = cv2.imread(str(path))
            if image is None:
                sys.exit(f"cannot read the picture {path}")
            picture = np.asarray(image, np.uint8)
            tiles = (
                without_tiles(finder, picture)
                if no_tiles
                else completed(finder, picture, row, args.least)
            )
            counts.update(int(str(tile["class"])) for tile in tiles)
            line = {"file": str(path), "group": group_of(row), "held_out": is_kept_out(row)}
            lines.append(json.dumps(line | {"complete": no_tiles, "tiles": tiles}))
    args.out.write_text("\n".join(lines) + "\n")
    print(f"{counts[FACE]} faces, {counts[IGNORED]} ignored, {counts[NO_TILE]} that are no tile")


def completed(
    finder: Finder, picture: NDArray[np.uint8], row: Mapping[str, Any], least: float
) -> Tiles:
    """Return the tiles of a labelled picture, each with the better outline."""
    quads = np.array([tile["quad"] for tile in row["tiles"]], np.float32).reshape(-1, 4, 2)
    outlines = corners_of(finder.find(picture, tile_px(quads), least).xywhr)
    free = np.ones(len(outlines), bool)
    tiles: Tiles = []
    for tile, quad in zip(row["tiles"], quads, strict=True):
        best, outline = matching(quad, outlines, free), quad
        if best is not None:
            free[best] = False
            outline = quad if is_upright(outlines[best]) else outlines[best]
        known = best is not None or tile["oriented"] or not crowded(quad, quads)
        tiles.append(_tile(outline, FACE if known else IGNORED) | {"tile": tile["tile"]})
    unlabelled = [part["quad"] for part in (*row.get("parts", ()), *row.get("maybe", ()))]
    tiles += [_tile(quad, IGNORED) for quad in (*unlabelled, *outlines[free])]
    return tiles


def without_tiles(finder: Finder, picture: NDArray[np.uint8]) -> Tiles:
    """Return what the finder takes for tiles in a picture that shows no face."""
    tiles: Tiles = []
    for px in NO_TILE_PX:
        boxes = finder.find(picture, px, NO_TILE_LEAST)
        for outline, kind in zip(corners_of(boxes.xywhr), boxes.classes, strict=True):
            tiles.append(_tile(outline, NO_TILE if kind == FACE else IGNORED))
    return tiles


def _tile(corners: object, kind: int) -> dict[str, object]:
    return {"corners": np.asarray(corners, np.float32).tolist(), "class": kind}


def tile_px(quads: NDArray[np.float32]) -> float:
    """Return the short side of the tiles; boxes may be upright ones around turned tiles."""
    sides = np.ptp(quads, axis=1)
    return float(np.median(np.sqrt(sides.prod(axis=1)))) / 1.2


def matching(
    quad: NDArray[np.float32], outlines: NDArray[np.float32], free: NDArray[np.bool_]
) -> int | None:
    """Return the index of the free outline that fits the label best, or None.

    A label's box around a turned tile is often wider than the tile, so the middle counts as well.
    """
    low, high = quad.min(axis=0), quad.max(axis=0)
    best, most = None, 0.0
    for i in np.flatnonzero(free):
        least, greatest = outlines[i].min(axis=0), outlines[i].max(axis=0)
        shared = np.prod(np.maximum(np.minimum(high, greatest) - np.maximum(low, least), 0))
        total = np.prod(high - low) + np.prod(greatest - least) - shared
        overlap = float(shared / total)
        away = np.abs((least + greatest) / 2 - (low + high) / 2) / (high - low)
        if (overlap > 0.6 or (overlap > 0.4 and away.max() < 0.12)) and overlap > most:
            best, most = int(i), overlap
    return best


def is_upright(outline: NDArray[np.float32]) -> bool:
    """Return whether the outline is turned so little that the label is the better box."""
    across = outline[1] - outline[0]
    degrees = np.degrees(np.arctan2(across[1], across[0])) % 90
    return bool(min(degrees, 90 - degrees) < UPRIGHT_DEG)


def crowded(quad: NDArray[np.float32], quads: NDArray[np.float32]) -> bool:
    """Return whether an upright box reaches into another: then the tile in it is turned."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    sides = np.minimum(high, quad.max(axis=0)) - np.maximum(low, quad.min(axis=0))
    shared = np.prod(np.maximum(sides, 0), axis=1)
    return bool(np.sort(shared)[-2:-1].sum() > 0.12 * np.prod(np.ptp(quad, axis=0)))


if __name__ == "__main__":
    main()
