"""Render labelled pictures of random tables: the detector's training data.

    python datasets/crops.py --count 200 --seed 1 --out build/crops

Writes OUT/00000.jpg ... and OUT/labels.jsonl with one line for each picture: {"file", "seed",
"faces", "width", "height", "tiles": [{"tile", "side", "corners": [[x, y] x4], "visible"}]}.
Corners are those of a tile's upper side in pixels, clockwise from the tile's own top left. The same
seed gives the same pictures. Bad input ends with exit code 2 and one line that says why.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import get_args

import cv2
import numpy as np

from studio.camera.sensor import expose
from studio.camera.viewpoint import random_camera, tile_width_px
from studio.faces import FAMILIES, HELD_OUT, draw_faces, load_faces
from studio.faces.ageing import varied
from studio.faces.photos import FacePhotos, PhotoPart
from studio.files import complete
from studio.materials.appearance import Colour, random_look
from studio.materials.swatches import Swatches
from studio.random_table.arrangements import random_scene
from studio.render.renderer import FACE_PX, Faces, Renderer
from studio.scene import Label

SCENES_A_LOOK = 4  # pictures of one table: setting up a look costs as much as a picture
PHOTOS_FIRST = 0.5  # share of the given faces that are photographs, where there are any
DARK_SETS = 0.05  # share of the drawn sets with pale ink on dark tiles
GIVEN_SHARE = 0.4  # share of the looks with given faces, where there are any
LOOKS_A_SET = 2  # tables with one set of tiles: drawing its faces costs as much as two pictures


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        source, swatches = sources(given, given.photo_share, given.styles)
        given.out.mkdir(parents=True, exist_ok=True)
        begun, used = time.perf_counter(), time.process_time()
        count = make(given.out, given.count, given.seed, given.size, source, swatches)
    except (OSError, ValueError) as error:
        print(f"crops: {error}", file=sys.stderr)
        return 2
    rate, each = count / (time.perf_counter() - begun), count / (time.process_time() - used)
    print(
        f"{given.count} pictures; crops of 640x640: {rate:.1f} a second, "
        f"{each:.1f} a second of one core's work",
        file=sys.stderr,
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=_positive, required=True, help="pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="a folder, created if missing")
    parser.add_argument("--size", type=_size, default=(960, 960), help="pixels, such as 960x960")
    parser.add_argument("--styles", nargs="+", default=[], choices=FAMILIES, help="drawn faces")
    parser.add_argument(
        "--photo-share", type=float, default=GIVEN_SHARE, help="of looks with faces from folders"
    )
    add_sources(parser)
    return parser


def add_sources(parser: argparse.ArgumentParser) -> None:
    """Add the options that name folders of faces and textures."""
    parser.add_argument("--faces", type=Path, nargs="+", default=[], help="folders of faces")
    parser.add_argument("--photos", type=Path, nargs="+", default=[], help="with a faces.json")
    parser.add_argument(
        "--photo-part", choices=get_args(PhotoPart), default="all", help="of the photographed faces"
    )
    parser.add_argument("--textures", type=Path, help="folder of pictures for cloth and wood")


def sources(
    given: argparse.Namespace, share: float = GIVEN_SHARE, families: Sequence[str] = ()
) -> tuple[FaceSource, Swatches | None]:
    """Open the given folders; ``share`` of the looks take their faces from them."""
    photos = tuple(FacePhotos(folder, part=given.photo_part) for folder in given.photos)
    source = FaceSource(photos, tuple(given.faces), share, tuple(families))
    return source, Swatches(given.textures) if given.textures else None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {text}")
    return number


def _size(text: str) -> tuple[int, int]:
    """Parse SIDE or WIDTHxHEIGHT."""
    sides = [int(side) for side in text.lower().split("x")]
    if len(sides) > 2 or min(sides) < 64:
        raise argparse.ArgumentTypeError(f"expected pixels such as 960x640, got {text}")
    return sides[0], sides[-1]


@dataclass(frozen=True)
class FaceSource:
    """Where the faces of a set come from."""

    photos: tuple[FacePhotos, ...]
    folders: tuple[Path, ...]
    given_share: float
    """Share of the sets that use given photos or folders, if there are any."""
    families: tuple[str, ...]

    def draw(self, rng: np.random.Generator) -> tuple[str, Faces, Colour | None]:
        """Return the set's name, its faces, and the body colour that they need."""
        seed = int(rng.integers(1 << 31))
        given: list[FacePhotos | Path] = [*self.photos, *self.folders]
        if given and rng.random() < self.given_share:
            only = self.photos if self.photos and rng.random() < PHOTOS_FIRST else given
            pick = only[int(rng.integers(len(only)))]
            if isinstance(pick, FacePhotos):
                return "photos", varied(pick.draw(rng), rng), None
            drawn = draw_faces(seed, *FACE_PX).images
            given_faces = varied(load_faces(pick, seed, *FACE_PX).images, rng)
            return str(pick.name), {**drawn, **given_faces}, None
        family = self.families[seed % len(self.families)] if self.families else None
        dark = family != HELD_OUT and rng.random() < DARK_SETS
        made = draw_faces(seed, *FACE_PX, family=family, dark=dark)
        return made.name, made.images, made.body


def make(
    out: Path,
    count: int,
    seed: int,
    size_px: tuple[int, int],
    source: FaceSource,
    swatches: Swatches | None,
) -> float:
    """Write the pictures, then their labels; return the area in 640x640 pictures."""
    width, height = size_px
    lines: list[str] = []
    name = ""
    faces: Faces = {}
    body: Colour | None = None
    for first in range(0, count, SCENES_A_LOOK):
        look_seed = seed * 1_000_003 + first
        rng = np.random.default_rng(look_seed)
        look = random_look(rng, swatches)
        if first % (SCENES_A_LOOK * LOOKS_A_SET) == 0:
            name, faces, body = source.draw(rng)
        if body is not None:
            look = replace(look, tiles=replace(look.tiles, body=body, ink=1.0, clear=0.0))
        renderer: Renderer | None = None
        for number in range(first, min(first + SCENES_A_LOOK, count)):
            scene = random_scene(rng, look, sorted(faces))
            camera = random_camera(rng, look, scene, width, height)
            if renderer is None:
                renderer = Renderer(look, camera, faces, samples=0)
            renderer.aim(camera)
            shot = renderer.render(scene)
            file = f"{number:05d}.jpg"
            picture = expose(shot.image_bgr, rng, tile_width_px(camera, look))
            if not cv2.imwrite(str(out / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 92]):
                raise OSError(f"cannot write {out / file}")
            head: dict[str, object] = {"file": file, "seed": look_seed, "faces": name}
            lines.append(label_line(head, size_px, shot.labels))
        if renderer is not None:
            renderer.release()
    with complete(out / "labels.jsonl") as part:
        part.write_text("".join(lines))
    return count * width * height / 640**2


def label_line(
    head: dict[str, object],
    size_px: tuple[int, int],
    labels: Sequence[Label],
    each: Sequence[Mapping[str, object]] = (),
    **more: object,
) -> str:
    """Return the line of labels.jsonl of one picture.

    ``head`` names the picture, ``each`` says more of each tile, ``more`` of the picture.
    """
    tiles = [
        {
            "tile": label.tile,
            "side": label.side,
            "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in label.corners_px],
            "visible": label.visible,
            **told,
        }
        for label, told in zip(labels, each or repeat({}), strict=False)
    ]
    size = {"width": size_px[0], "height": size_px[1]}
    return json.dumps(head | size | more | {"tiles": tiles}) + "\n"


if __name__ == "__main__":
    sys.exit(main())
