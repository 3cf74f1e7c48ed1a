"""The faces of the tiles of one film: drawn, or from a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.tiles import CODES
from studio.face_photos import FacePhotos
from studio.faces import draw_faces
from studio.renderer import FACE_PX, Faces


class NoFaces(ValueError):
    """A folder of faces that cannot be used."""


def faces_of(folder: Path | None, family: str | None, rng: np.random.Generator) -> Faces:
    """Faces by tile; raises ``NoFaces`` where the folder lacks some that are needed."""
    seed = int(rng.integers(1 << 31))
    if folder is None:
        try:
            return draw_faces(seed, *FACE_PX, family=family).images
        except ValueError as error:
            raise NoFaces(str(error)) from error
    if (folder / "faces.json").is_file():
        return FacePhotos(folder).draw(rng)
    faces = {}
    for code in CODES:
        path = folder / f"{code}.png"
        if path.is_file():
            image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            if image is None:
                raise NoFaces(f"cannot read the picture {path}")
            faces[code] = np.asarray(_rgba(image), np.uint8)
    missing = [code for code in CODES[:34] if code not in faces]
    if missing:
        raise NoFaces(
            f"{folder} has no {missing[0]}.png; 34 pictures, 1m.png to 7z.png, are needed"
        )
    return faces


def _rgba(image: np.ndarray) -> np.ndarray:
    if image.ndim == 2:
        return cv2.cvtColor(image, cv2.COLOR_GRAY2RGBA)
    return cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA if image.shape[2] == 4 else cv2.COLOR_BGR2RGBA)
