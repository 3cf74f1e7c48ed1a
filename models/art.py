"""Convert drawn SVG faces to PNG files for the recogniser's training.

    python models/art.py DATA/art --out runs/art

Reads the drawings of mahjong-graphic with a transparent background and writes mg_1m.png ... of
192x256 pixels, each drawing centred and as large as fits.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np
import resvg_py
from numpy.typing import NDArray

WIDTH_PX, HEIGHT_PX = 192, 256
PREFIX = "mg"  # prefix of the file names by which recogniser/sources.py finds these faces


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("art", type=Path, help="folder with mahjong-graphic in it")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    drawings = [
        path
        for path in sorted((args.art / "mahjong-graphic").rglob("*.svg"))
        if "transparent" in path.parent.name.lower()
    ]
    if not drawings:
        sys.exit(f"no drawings with a transparent background in {args.art}/mahjong-graphic")
    args.out.mkdir(parents=True, exist_ok=True)
    for path in drawings:
        place = args.out / f"{PREFIX}_{path.stem}.png"
        if not cv2.imwrite(str(place), drawn(path)):
            sys.exit(f"cannot write {place}")
    print(f"{len(drawings)} faces in {args.out}")


def drawn(path: Path) -> NDArray[np.uint8]:
    """Render one drawing as (256, 192, 4): blue, green, red and coverage."""
    png = bytes(resvg_py.svg_to_bytes(svg_path=str(path), height=4 * HEIGHT_PX))
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if image is None or image.ndim != 3 or image.shape[2] != 4:
        sys.exit(f"{path} is not a drawing with a transparent background")
    high, wide = image.shape[:2]
    scale = min(WIDTH_PX / wide, HEIGHT_PX / high)
    size = (min(WIDTH_PX, round(wide * scale)), min(HEIGHT_PX, round(high * scale)))
    # Weight colours by their coverage, or the transparent ground would darken the edges.
    cover = image[:, :, 3:].astype(np.float32) / 255
    weighed = np.concatenate([image[:, :, :3] * cover, cover * 255], axis=2)
    small = cv2.resize(weighed, size, interpolation=cv2.INTER_AREA)
    colour = small[:, :, :3] / np.maximum(small[:, :, 3:] / 255, 1e-3)
    out = np.zeros((HEIGHT_PX, WIDTH_PX, 4), np.uint8)
    left, top = (WIDTH_PX - size[0]) // 2, (HEIGHT_PX - size[1]) // 2
    there = out[top : top + size[1], left : left + size[0]]
    there[:] = np.concatenate([colour, small[:, :, 3:]], axis=2).clip(0, 255).round()
    return out


if __name__ == "__main__":
    main()
