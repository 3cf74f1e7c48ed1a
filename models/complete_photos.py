"""Replace loose labels of real photos by the outlines that a first finder sees.

    python models/complete_photos.py .../train.json --weights runs/first --out runs/photos.jsonl

The public labels have many upright boxes around turned tiles, and omit tiles that lie on the table.
Each labelled tile gets the finder's outline in its place if the sizes agree. A tile that the finder
sees and nobody labelled counts neither as wanted nor as wrong. Only the surroundings of labelled
tiles are trusted.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "datasets"))

import cv2
import numpy as np
from finder.data import CLASSES
from numpy.typing import NDArray

from studio.held_out import HELD_OUT_SHARE, is_held_out
from vision.tiles.boxes import corners_of
from vision.tiles.finder import Finder

IGNORED = -1
UPRIGHT_DEG = 9.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("labels", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="folder with finder.onnx")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--least", type=float, default=0.3, help="least score of an outline")
    args = parser.parse_args()
    finder = Finder(args.weights / "finder.onnx")
    lines, taken, kept, left = [], 0, 0, 0
    for row in json.loads(args.labels.read_text()):
        if is_held_out(row["photo"], HELD_OUT_SHARE):
            continue  # fit_confidence.py uses these
        path = args.labels.with_suffix("") / row["file"]
        image = cv2.imread(str(path))
        if image is None:
            sys.exit(f"cannot read the picture {path}")
        quads = np.array([tile["quad"] for tile in row["tiles"]], np.float32).reshape(-1, 4, 2)
        if not len(quads):
            continue
        boxes = finder.find(np.asarray(image, np.uint8), tile_px(quads), args.least)
        outlines = corners_of(boxes.xywhr)
        free = np.ones(len(outlines), bool)
        tiles: list[dict[str, object]] = []
        for tile, quad in zip(row["tiles"], quads, strict=True):
            best = matching(quad, outlines, free)
            if best is not None:
                free[best] = False
                outline = quad if is_upright(outlines[best]) else outlines[best]
                tiles.append({"corners": outline.tolist(), "class": CLASSES.index("face")})
                taken += 1
            elif tile["oriented"] or not crowded(quad, quads):
                tiles.append({"corners": quad.tolist(), "class": CLASSES.index("face")})
                kept += 1
            else:
                tiles.append({"corners": quad.tolist(), "class": IGNORED})
                left += 1
        tiles += [{"corners": outlines[i].tolist(), "class": IGNORED} for i in np.flatnonzero(free)]
        lines.append(json.dumps({"file": str(path), "complete": False, "tiles": tiles}))
    args.out.write_text("\n".join(lines) + "\n")
    print(f"{taken} outlines taken from the finder, {kept} labels kept, {left} left out")


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
