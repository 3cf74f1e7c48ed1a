"""Pictures of random tables: the detector's training data.

render.py crops --count 200 --seed 1 --out build/crops
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from renders.labelled import (
    GIVEN_SHARE,
    FaceSource,
    add_sources,
    label_line,
    save,
    size_px,
    sources,
)

from studio.camera.sensor import expose
from studio.camera.viewpoint import BEFORE_HANDS, random_camera, tile_width_px
from studio.faces import FAMILIES
from studio.files import complete
from studio.materials.appearance import Colour, random_look
from studio.materials.swatches import Swatches
from studio.random_table.arrangements import random_scene
from studio.render.renderer import Faces, Renderer

SCENES_A_LOOK = 4  # pictures of one table: setting up a look costs as much as a picture
LOOKS_A_SET = 2  # tables with one set of tiles: drawing its faces costs as much as two pictures


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--count", type=_positive, required=True, help="pictures")
    parser.add_argument("--size", type=size_px, default=(960, 960), help="pixels, such as 960x960")
    parser.add_argument("--styles", nargs="+", default=[], choices=FAMILIES, help="drawn faces")
    parser.add_argument(
        "--photo-share", type=float, default=GIVEN_SHARE, help="of looks with faces from folders"
    )
    parser.add_argument(
        "--before-hands", type=float, default=BEFORE_HANDS, help="share of cameras at standing rows"
    )
    add_sources(parser)


def run(given: argparse.Namespace) -> None:
    source, swatches = sources(given, given.photo_share, given.styles)
    begun, used = time.perf_counter(), time.process_time()
    count = make(
        given.out, given.count, given.seed, given.size, source, swatches, given.before_hands
    )
    rate, each = count / (time.perf_counter() - begun), count / (time.process_time() - used)
    print(
        f"{given.count} pictures; crops of 640x640: {rate:.1f} a second, "
        f"{each:.1f} a second of one core's work",
        file=sys.stderr,
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {text}")
    return number


def make(
    out: Path,
    count: int,
    seed: int,
    size: tuple[int, int],
    source: FaceSource,
    swatches: Swatches | None,
    before_hands: float = BEFORE_HANDS,
) -> float:
    """Write the pictures, then their labels; return the area in 640x640 pictures."""
    width, height = size
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
            camera = random_camera(rng, look, scene, width, height, before_hands)
            if renderer is None:
                renderer = Renderer(look, camera, faces, samples=0)
            renderer.aim(camera)
            shot = renderer.render(scene)
            file = f"{number:05d}.jpg"
            save(out / file, expose(shot.image_bgr, rng, tile_width_px(camera, look)))
            head: dict[str, object] = {"file": file, "seed": look_seed, "faces": name}
            lines.append(label_line(head, size, (*shot.labels, *shot.fronts)))
        if renderer is not None:
            renderer.release()
    with complete(out / "labels.jsonl") as part:
        part.write_text("".join(lines))
    return count * width * height / 640**2
