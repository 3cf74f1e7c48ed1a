"""Make labelled pictures of random tables, the detector's training source.

    python datasets/crops.py --count 200 --seed 1 --out runs/crops --photos DIR --textures DIR

Writes OUT/00000.jpg ... and OUT/labels.jsonl, a line a picture: {"file", "seed", "width", "height",
"tiles": [{"tile", "side", "corners": [[x, y] x4], "visible"}]}; pixels, corners of the upper side,
clockwise from the tile's own top left. The same seed gives the same pictures.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.clutter import random_camera, random_scene
from studio.face_photos import FacePhotos
from studio.faces import draw_faces
from studio.looks import random_look
from studio.renderer import FACE_PX, Faces, Renderer
from studio.sensor import expose

SCENES_A_LOOK = 4  # pictures of one table: setting up a look costs as much as a picture


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, required=True, help="pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", default="960x960", help="pixels, width x height")
    parser.add_argument("--photos", type=Path, help="folder of photographed faces (faces.json)")
    parser.add_argument("--photo-share", type=float, default=0.4, help="of the looks")
    parser.add_argument("--textures", type=Path, help="folder of pictures for cloth and wood")
    args = parser.parse_args()
    width, height = (int(side) for side in args.size.split("x"))
    args.out.mkdir(parents=True, exist_ok=True)
    photos = FacePhotos(args.photos) if args.photos else None
    textures = _textures(args.textures) if args.textures else []
    begun, crops = time.perf_counter(), 0.0
    # The label file is written last and whole: its existence means that the pictures are there.
    lines: list[str] = []
    for first in range(0, args.count, SCENES_A_LOOK):
        seed = args.seed * 1_000_003 + first
        rng = np.random.default_rng(seed)
        look = random_look(rng, textures)
        faces = _faces(rng, photos, args.photo_share)
        renderer: Renderer | None = None
        for number in range(first, min(first + SCENES_A_LOOK, args.count)):
            scene = random_scene(rng, look, sorted(faces))
            camera = random_camera(rng, look, scene, width, height)
            if renderer is None:
                renderer = Renderer(look, camera, faces, samples=0)
            renderer.aim(camera)
            shot = renderer.render(scene)
            image = expose(shot.image_bgr, rng)
            name = f"{number:05d}.jpg"
            cv2.imwrite(str(args.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            lines.append(json.dumps(_row(name, seed, shot.labels, width, height)))
            crops += width * height / 640**2
        if renderer is not None:
            renderer.release()
    part = args.out / "labels.part"
    part.write_text("\n".join(lines) + "\n")
    part.replace(args.out / "labels.jsonl")
    seconds = time.perf_counter() - begun
    print(
        f"{args.count} pictures, {crops / seconds:.1f} crops of 640x640 a second", file=sys.stderr
    )


def _row(name: str, seed: int, labels: Any, width: int, height: int) -> dict[str, object]:
    tiles = [
        {
            "tile": label.tile,
            "side": label.side,
            "corners": np.round(label.corners_px, 2).tolist(),
            "visible": label.visible,
        }
        for label in labels
    ]
    return {"file": name, "seed": seed, "width": width, "height": height, "tiles": tiles}


def _faces(rng: np.random.Generator, photos: FacePhotos | None, share: float) -> Faces:
    if photos is not None and rng.random() < share:
        return photos.draw(rng)
    return draw_faces(int(rng.integers(1 << 31)), *FACE_PX).images


def _textures(folder: Path) -> list[NDArray[np.uint8]]:
    sheets = []
    for path in sorted(folder.iterdir()):
        image = cv2.imread(str(path)) if path.suffix in {".webp", ".png", ".jpg"} else None
        if image is not None:
            rgb = cv2.resize(image, (512, 512), interpolation=cv2.INTER_AREA)[:, :, ::-1]
            sheets.append(np.ascontiguousarray(rgb))
    return sheets


if __name__ == "__main__":
    main()
