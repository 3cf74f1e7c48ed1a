"""Render the benchmark of unseen sets: whole tables at five sizes, in four lights.

    python datasets/unseen_sets.py --photos .../faces --textures .../ambientcg --out build/unseen

Writes OUT/photographed (sets of photographed faces that are kept out of training) and OUT/drawn
(the drawn style that is left out: harder), each with labels.jsonl as in ``crops.py``. A picture
also names its ``light`` and its ``tile_px``. A tile also has ``blur`` (the spread of what lens and
sensor made of it, in tile widths) and ``glare`` (the share of it on which a window is mirrored).
The same seed gives the same pictures.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from crops import label_line
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.camera.sensor import expose
from studio.faces import FAMILIES, HELD_OUT, draw_faces
from studio.faces.ageing import varied
from studio.faces.photos import FacePhotos
from studio.files import complete
from studio.materials.appearance import Colour, Lamp, TableLook, Window, random_look
from studio.materials.swatches import Swatches
from studio.random_table.arrangements import random_scene
from studio.render.renderer import FACE_PX, Faces, Renderer
from studio.scene import Label, Rendering, TableScene, triple

SIZES_PX = (20, 25, 30, 40, 60)
"""Width of a tile in the middle of the picture."""
TABLE_TILES = (27, 31)  # sides of the playing field in widths of a tile, as on tables of today
SHOWN = 1.15  # side of the picture, in sides of the table
SPREADS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.12)  # blurs to compare with, in tile widths
MIRRORED = 30  # levels by which a mirrored window brightens a pixel under glare

DrawFaces = Callable[[np.random.Generator], tuple[Faces, Colour | None]]
"""Draws the faces of one set, and the body colour that they need."""


@dataclass(frozen=True)
class Light:
    level: float
    """Brightness of a white tile, 0..1."""
    shares: tuple[float, float, float]
    """Of lamp, second lamp and sky in that light."""
    cast: Colour
    low: float
    """Slope of the lamp's light: 0 from straight above, 1 at 45 degrees."""
    soft_mm: float
    """Half width of the shadows' edges."""
    window: float = 0.0
    """Strength of a window that the middle of the table mirrors."""


LIGHTS: Mapping[str, Light] = {
    "even": Light(0.95, (0.25, 0.15, 0.6), (1.0, 1.0, 1.0), 0.4, 18.0),
    "lamp": Light(0.95, (0.7, 0.1, 0.2), (1.14, 1.0, 0.82), 0.8, 3.0),
    "dim": Light(0.4, (0.4, 0.2, 0.4), (1.08, 1.0, 0.9), 0.5, 10.0),
    "glare": Light(0.9, (0.3, 0.2, 0.5), (0.97, 1.0, 1.04), 0.4, 12.0, 1.8),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--photos", type=Path, help="folder of photographed faces, faces.json")
    parser.add_argument("--style", choices=FAMILIES, default=HELD_OUT, help="of the drawn sets")
    parser.add_argument("--textures", type=Path, help="folder of pictures for cloth and wood")
    parser.add_argument("--sets", type=int, default=40, help="of each kind; 20 pictures each")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES_PX, help="tile widths, px")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    begun = time.process_time()
    try:
        swatches = Swatches(given.textures) if given.textures else None
        sources = {"drawn": _drawn(given.style)}
        if given.photos is not None:
            sources["photographed"] = _photographed(given.photos)
        for name, draw in sources.items():
            make(given.out / name, draw, given.sets, given.sizes, given.seed, swatches)
    except (OSError, ValueError) as error:
        print(f"unseen_sets: {error}", file=sys.stderr)
        return 2
    print(f"{(time.process_time() - begun) / 60:.1f} minutes of one core", file=sys.stderr)
    return 0


def _photographed(folder: Path) -> DrawFaces:
    photos = FacePhotos(folder, part="held-out")
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
            table = _Table.drawn(lit(look, LIGHTS[light], rng), faces, rng)
            for size_px in sizes_px:
                file = f"{number:03d}-{light}-{size_px}.jpg"
                picture, labels, more = table.picture(size_px, rng)
                if not cv2.imwrite(str(out / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 92]):
                    raise OSError(f"cannot write {out / file}")
                height, width = picture.shape[:2]
                head: dict[str, object] = {"file": file, "seed": seed, "faces": f"set {number}"}
                head |= {"light": light, "tile_px": size_px}
                lines.append(label_line(head, (width, height), labels, each=more))
    with complete(out / "labels.jsonl") as part:
        part.write_text("".join(lines))


def lit(look: TableLook, light: Light, rng: np.random.Generator) -> TableLook:
    """Return the table in this light, which comes from a random side."""
    key, fill, sky = (light.level * share for share in light.shares)
    cast = np.array(light.cast)
    side = rng.uniform(0, 2 * np.pi)
    lamps = (
        _lamp(cast * key, side, light.low, light.soft_mm),
        _lamp(cast * fill, side + 2.5, 0.5 * light.low, 2 * light.soft_mm),
    )
    tiles = look.tiles
    if light.window:
        tiles = replace(tiles, gloss=max(tiles.gloss, 0.7))
    return replace(
        look,
        tiles=tiles,
        field_mm=tiles.width_mm * rng.uniform(*TABLE_TILES),
        lamps=lamps,
        sky=triple(cast * sky),
        bounce=triple((np.array(look.cloth) * 0.45 + 0.08) * light.level),
        window_strength=light.window * light.level,
        falloff_per_mm=(0.0, 0.0),
    )


def _lamp(strength: NDArray[np.float64], side: float, low: float, soft_mm: float) -> Lamp:
    down = np.array([low * np.cos(side), low * np.sin(side), -1.0])
    return Lamp(triple(down / np.linalg.norm(down)), triple(strength), soft_mm)


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
        ideal = self._rendered(self.look, scene, camera)
        picture = expose(ideal.image_bgr, rng, tile_px)
        glare = np.zeros(picture.shape[:2], np.float32)
        if self.look.window_strength:
            plain = self._rendered(replace(self.look, window_strength=0.0), scene, camera)
            brighter = ideal.image_bgr.astype(np.int16) - plain.image_bgr
            glare = (brighter.max(axis=2) > MIRRORED).astype(np.float32)
        blurs = _blurs(ideal.image_bgr, picture, ideal.labels, tile_px)
        more = [
            {"blur": blur, "glare": round(_mean(glare, label.corners_px), 3)}
            for blur, label in zip(blurs, ideal.labels, strict=True)
        ]
        return picture, ideal.labels, more

    def _rendered(self, look: TableLook, scene: TableScene, camera: PinholeCamera) -> Rendering:
        renderer = Renderer(look, camera, self.faces, samples=0)
        try:
            return renderer.render(scene)
        finally:
            renderer.release()

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


def _blurs(
    ideal_bgr: NDArray[np.uint8],
    picture_bgr: NDArray[np.uint8],
    labels: Sequence[Label],
    tile_px: int,
) -> list[float]:
    """For each tile the blur of the ideal picture that is most like what the camera made of it.

    Brightness and contrast do not count.
    """
    grey, taken = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (ideal_bgr, picture_bgr))
    blurred = [
        cv2.GaussianBlur(grey, (0, 0), spread * tile_px) if spread else grey for spread in SPREADS
    ]
    best = []
    for label in labels:
        left, top = np.maximum(label.corners_px.min(axis=0), 0).astype(int)
        right, bottom = np.ceil(label.corners_px.max(axis=0)).astype(int)
        part = np.s_[top:bottom, left:right]
        errors = [_misfit(each[part], taken[part]) for each in blurred]
        best.append(SPREADS[int(np.argmin(errors))])
    return best


def _misfit(one: NDArray[Any], other: NDArray[Any]) -> float:
    """The share of one picture's variance that the other does not explain; 0 for nothing."""
    if one.size < 9:
        return 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = np.corrcoef(one.ravel(), other.ravel())[0, 1]
    return 1.0 if np.isnan(alike) else 1.0 - float(alike) ** 2


def _mean(values: NDArray[np.float32], corners_px: NDArray[np.float32]) -> float:
    """The mean inside an outline."""
    mask = np.zeros(values.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners_px).astype(np.int32), 1)
    return float(cv2.mean(values, mask)[0])


if __name__ == "__main__":
    sys.exit(main())
