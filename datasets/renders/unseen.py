"""The benchmark of unseen sets: whole tables at five sizes, in four lights.

    render.py unseen --photos .../faces --textures .../ambientcg --out build/unseen

Writes OUT/photographed (sets of photographed faces that are kept out of training) and OUT/drawn
(the drawn style that is left out: harder). A picture
also names its ``light`` and its ``tile_px``. A tile also has ``blur`` (the spread of what lens and
sensor made of it, in tile widths) and ``glare`` (the share of it on which a window is mirrored).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from renders.labelled import label_line, rendered, save

from studio.camera.legibility import blurs, mean_inside
from studio.camera.pinhole import PinholeCamera
from studio.camera.sensor import expose
from studio.faces import FAMILIES, HELD_OUT, draw_faces
from studio.faces.ageing import varied
from studio.faces.photos import FacePhotos
from studio.files import complete
from studio.materials.appearance import Colour, TableLook, Window, random_look
from studio.materials.lights import LIGHTS, lit
from studio.materials.swatches import Swatches
from studio.random_table.arrangements import random_scene
from studio.render.renderer import FACE_PX, Faces
from studio.scene import Label, triple

SIZES_PX = (20, 25, 30, 40, 60)
"""Width of a tile in the middle of the picture."""
TABLE_TILES = (27, 31)  # sides of the playing field in widths of a tile, as on tables of today
SHOWN = 1.15  # side of the picture, in sides of the table
MIRRORED = 30  # levels by which a mirrored window brightens a pixel under glare

DrawFaces = Callable[[np.random.Generator], tuple[Faces, Colour | None]]
"""Draws the faces of one set, and the body colour that they need."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--photos", type=Path, help="folder of photographed faces, faces.json")
    parser.add_argument("--style", choices=FAMILIES, default=HELD_OUT, help="of the drawn sets")
    parser.add_argument("--textures", type=Path, help="folder of pictures for cloth and wood")
    parser.add_argument("--sets", type=int, default=40, help="of each kind; 20 pictures each")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES_PX, help="tile widths, px")


def run(given: argparse.Namespace) -> None:
    begun = time.process_time()
    swatches = Swatches(given.textures) if given.textures else None
    sources = {} if given.photos is None else {"photographed": _photographed(given.photos)}
    sources["drawn"] = _drawn(given.style)
    for name, draw in sources.items():
        make(given.out / name, draw, given.sets, given.sizes, given.seed, swatches)
    print(f"{(time.process_time() - begun) / 60:.1f} minutes of one core", file=sys.stderr)


def _photographed(folder: Path) -> DrawFaces:
    photos = FacePhotos(folder, part="held-out")
    if not photos.groups:
        raise ValueError(f"no face in {folder} is kept out of training")
    return lambda rng: (varied(photos.draw(rng), rng), None)


def _drawn(family: str) -> DrawFaces:
    def draw(rng: np.random.Generator) -> tuple[Faces, Colour | None]:
        made = draw_faces(int(rng.integers(1 << 31)), *FACE_PX, family=family)
        return made.images, made.body

    return draw


def make(
    out: Path,
    draw: DrawFaces,
    sets: int,
    sizes_px: Sequence[int],
    seed: int,
    swatches: Swatches | None,
) -> None:
    """Write the pictures of all sets, then their labels."""
    out.mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(sets):
        rng = np.random.default_rng([seed, number])
        faces, body = draw(rng)
        owned = random_look(rng, swatches).tiles
        if body is not None:
            owned = replace(owned, body=body, ink=1.0, clear=0.0)
        for light in LIGHTS:
            look = replace(random_look(rng, swatches), tiles=owned)
            look = replace(look, field_mm=owned.width_mm * rng.uniform(*TABLE_TILES))
            table = _Table.drawn(lit(look, LIGHTS[light], rng), faces, rng)
            for size_px in sizes_px:
                file = f"{number:03d}-{light}-{size_px}.jpg"
                picture, labels, more = table.picture(size_px, rng)
                save(out / file, picture)
                height, width = picture.shape[:2]
                head: dict[str, object] = {"file": file, "seed": seed, "faces": f"set {number}"}
                head |= {"light": light, "tile_px": size_px}
                lines.append(label_line(head, (width, height), labels, each=more))
    with complete(out / "labels.jsonl") as part:
        part.write_text("".join(lines))


@dataclass(frozen=True, eq=False)
class _Table:
    """One set of tiles on one table in one light."""

    look: TableLook
    faces: Faces
    eye_mm: tuple[float, float, float]

    @classmethod
    def drawn(cls, look: TableLook, faces: Faces, rng: np.random.Generator) -> _Table:
        eye_mm = _eye(rng)
        if look.window_strength:
            look = replace(look, window=_mirrored_in(eye_mm, rng))
        return cls(look, faces, eye_mm)

    def picture(
        self, tile_px: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.uint8], tuple[Label, ...], list[dict[str, float]]]:
        """Return a picture with its labels, and the blur and the glare of each tile."""
        scene = random_scene(rng, self.look, sorted(self.faces))
        camera = self._camera(tile_px, rng)
        ideal = rendered(self.look, camera, self.faces, scene)
        picture = expose(ideal.image_bgr, rng, tile_px)
        glare = np.zeros(picture.shape[:2], np.float32)
        if self.look.window_strength:
            bare = replace(self.look, window_strength=0.0)
            plain = rendered(bare, camera, self.faces, scene)
            brighter = ideal.image_bgr.astype(np.int16) - plain.image_bgr
            glare = (brighter.max(axis=2) > MIRRORED).astype(np.float32)
        spreads = blurs(ideal.image_bgr, picture, ideal.labels, tile_px)
        more = [
            {"blur": blur, "glare": round(mean_inside(glare, label.corners_px), 3)}
            for blur, label in zip(spreads, ideal.labels, strict=True)
        ]
        return picture, ideal.labels, more

    def _camera(self, tile_px: int, rng: np.random.Generator) -> PinholeCamera:
        """The whole table from above its middle, with a player's side below."""
        width_mm = self.look.tiles.width_mm
        side_px = round(SHOWN * tile_px * self.look.field_mm / width_mm)
        focal_px = tile_px * float(np.linalg.norm(self.eye_mm)) / width_mm
        turn = float(rng.normal(0, 4))
        return PinholeCamera(side_px, side_px, focal_px, self.eye_mm, (0.0, 0.0), turn)


def _eye(rng: np.random.Generator) -> tuple[float, float, float]:
    """A usual place of the camera: up to 35 degrees off the vertical."""
    high, where = rng.uniform(900, 1500), rng.uniform(0, 2 * np.pi)
    away = high * np.tan(np.deg2rad(rng.uniform(0, 35)))
    return triple((away * np.cos(where), away * np.sin(where), high))


def _mirrored_in(eye_mm: tuple[float, float, float], rng: np.random.Generator) -> Window:
    """A window that tiles mirror somewhere about the middle of the table."""
    ray = np.array([*rng.uniform(-150, 150, 2), 0.0]) - eye_mm
    ray[2] = -ray[2]
    half = rng.uniform(0.08, 0.2, 2)
    towards = triple(ray / np.linalg.norm(ray))
    return Window(
        towards, (float(half[0]), float(half[1])), float(rng.uniform(0, np.pi)), bars=False
    )
