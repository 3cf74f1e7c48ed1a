"""Sets of tiles as their owners photograph them: laid out, and on tables.

    render.py sets --sets 6 --seed 1 --styles taiwanese --out build/sets

Writes OUT/0/laid/ (every kind once, in rows, in random order) and OUT/0/table/ (random tables with
the same set in other light and on other cloth).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
from renders.labelled import label_line, rendered, save, with_faces_of

from engine.tiles import KINDS, REDS
from studio.camera.pinhole import PinholeCamera
from studio.camera.sensor import expose
from studio.camera.viewpoint import random_camera, tile_width_px
from studio.faces import FAMILIES
from studio.materials.appearance import TableLook, TileSet, random_look
from studio.random_table.arrangements import random_scene
from studio.render.renderer import Faces
from studio.scene import TableScene, TilePose

SIZE_PX = (1280, 960)
CODES = (*KINDS, *REDS)  # the tiles in play; owners leave the flowers in the box


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sets", type=int, default=6)
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--styles", nargs="+", choices=FAMILIES, help="drawn faces")
    kinds.add_argument("--faces", type=Path, nargs="+", help="folders of faces, in place of styles")
    parser.add_argument("--laid", type=int, default=2, help="pictures of the set laid out")
    parser.add_argument("--tables", type=int, default=8, help="pictures of tables")


def run(given: argparse.Namespace) -> None:
    sources = given.styles or given.faces
    for number in range(given.sets):
        rng = np.random.default_rng([given.seed, number])
        faces = with_faces_of(sources[number % len(sources)], int(rng.integers(1 << 31)), rng)
        owned = random_look(rng).tiles
        for name, count in (("laid", given.laid), ("table", given.tables)):
            _film(given.out / str(number) / name, count, faces, owned, rng)


def _film(out: Path, count: int, faces: Faces, owned: TileSet, rng: np.random.Generator) -> None:
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for place in range(count):
        look: TableLook = replace(random_look(rng), tiles=owned)
        if out.name == "laid":
            look = replace(look, console_mm=0.0)
            scene = _laid_out(look, rng)
            camera = _camera_over(look, rng)
        else:
            scene = random_scene(rng, look, CODES)
            camera = random_camera(rng, look, scene, *SIZE_PX)
        shot = rendered(look, camera, faces, scene)
        file = f"{place:05d}.jpg"
        save(out / file, expose(shot.image_bgr, rng, tile_width_px(camera, look)))
        lines.append(
            label_line({"file": file, "seed": place}, SIZE_PX, (*shot.labels, *shot.fronts))
        )
    (out / "labels.jsonl").write_text("".join(lines))


def _laid_out(look: TableLook, rng: np.random.Generator) -> TableScene:
    """Lay every kind once, red fives too, in rows as a person does."""
    width, height, thick = look.tiles.size_mm
    codes = rng.permutation(CODES)
    columns, gap = 8, rng.uniform(1.02, 1.35)
    tiles = []
    for place, code in enumerate(codes):
        row, column = divmod(place, columns)
        x = (column - (columns - 1) / 2) * width * gap + rng.normal(0, 0.03) * width
        y = (row - 2) * height * gap + rng.normal(0, 0.03) * height
        yaw = float(rng.normal(0, 3)) % 360
        tiles.append(TilePose(place, str(code), float(x), float(y), thick / 2, yaw, "up"))
    return TableScene(tuple(tiles))


def _camera_over(look: TableLook, rng: np.random.Generator) -> PinholeCamera:
    high = float(rng.uniform(500, 900))
    lean = np.tan(np.deg2rad(rng.uniform(0, 22))) * high
    where = rng.uniform(0, 2 * np.pi)
    eye = (float(lean * np.cos(where)), float(lean * np.sin(where)), high)
    tile_px = rng.uniform(45, 80)
    focal = float(tile_px * np.hypot(lean, high) / look.tiles.width_mm)
    return PinholeCamera(*SIZE_PX, focal, eye, (0.0, 0.0), float(rng.normal(0, 8)))
