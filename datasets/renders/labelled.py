"""What all labelled pictures share: the sources of their looks, and how they are written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.faces import HELD_OUT, draw_faces, load_faces
from studio.faces.ageing import varied
from studio.faces.photos import FacePhotos, PhotoPart
from studio.materials.appearance import Colour, TableLook
from studio.materials.swatches import Swatches
from studio.render.renderer import FACE_PX, Faces, Renderer
from studio.scene import Label, Rendering, TableScene

PHOTOS_FIRST = 0.5  # share of the given faces that are photographs, where there are any
DARK_SETS = 0.05  # share of the drawn sets with pale ink on dark tiles
GIVEN_SHARE = 0.4  # share of the looks with given faces, where there are any


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


def size_px(text: str) -> tuple[int, int]:
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
            return str(pick.name), with_faces_of(pick, seed, rng), None
        family = self.families[seed % len(self.families)] if self.families else None
        dark = family != HELD_OUT and rng.random() < DARK_SETS
        made = draw_faces(seed, *FACE_PX, family=family, dark=dark)
        return made.name, made.images, made.body


def with_faces_of(source: str | Path, seed: int, rng: np.random.Generator) -> Faces:
    """Return the faces of a drawn family or of a folder; kinds that a folder lacks are drawn."""
    if isinstance(source, str):
        return draw_faces(seed, *FACE_PX, family=source).images
    drawn = draw_faces(seed, *FACE_PX).images
    return {**drawn, **varied(load_faces(source, seed, *FACE_PX).images, rng)}


def rendered(
    look: TableLook, camera: PinholeCamera, faces: Faces, scene: TableScene, *how: float
) -> Rendering:
    """Render one picture; ``how``: samples of a pixel, and the reach of the scene."""
    renderer = Renderer(look, camera, faces, *(how or (0,)))
    try:
        return renderer.render(scene)
    finally:
        renderer.release()


def save(path: Path, picture: NDArray[np.uint8]) -> None:
    if not cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, 92]):
        raise OSError(f"cannot write {path}")


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
            **_turn(label),
            **told,
        }
        for label, told in zip(labels, each or repeat({}), strict=False)
    ]
    size = {"width": size_px[0], "height": size_px[1]}
    return json.dumps(head | size | more | {"tiles": tiles}) + "\n"


def _turn(label: Label) -> Mapping[str, float]:
    return {} if label.foreshortened is None else {"foreshortened": label.foreshortened}
