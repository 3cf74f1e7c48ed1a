"""Draw a contact sheet of sets of tile faces."""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import CODES
from studio.faces import FAMILIES, FaceSet, draw_faces

_BODY_BGR = (222, 236, 240)
_GAP_PX = 4


def sheet(sets: list[FaceSet], columns: int = 23) -> NDArray[np.uint8]:
    """Return all faces of the sets on ivory bodies, (height, width, 3) BGR."""
    blocks = []
    for faces in sets:
        height, width = next(iter(faces.images.values())).shape[:2]
        rows = -(-len(CODES) // columns)
        block = np.full(
            (rows * (height + _GAP_PX) + 12, columns * (width + _GAP_PX), 3), 70, np.uint8
        )
        for index, code in enumerate(CODES):
            if code not in faces.images:
                continue
            image = faces.images[code].astype(np.float32)
            alpha = image[:, :, 3:] / 255
            tile = image[:, :, 2::-1] * alpha + np.array(_BODY_BGR) * (1 - alpha)
            y = index // columns * (height + _GAP_PX) + 12
            x = index % columns * (width + _GAP_PX)
            block[y : y + height, x : x + width] = tile.round()
        cv2.putText(block, faces.name, (2, 10), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1)
        blocks.append(block)
    return np.vstack(blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path, help="picture to write")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(6)))
    parser.add_argument("--family", choices=FAMILIES, help="family to draw; any if left out")
    parser.add_argument("--width", type=int, default=64, help="width of a face in pixels")
    args = parser.parse_args()
    size = (args.width, round(args.width * 4 / 3))
    sets = [draw_faces(seed, *size, family=args.family) for seed in args.seeds]
    if not cv2.imwrite(str(args.output), sheet(sets)):
        parser.error(f"cannot write {args.output}")


if __name__ == "__main__":
    main()
