"""The faces of the tiles of one film: drawn, or from a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from studio.faces.draw import draw_faces
from studio.faces.folder import load_faces
from studio.render.renderer import FACE_PX, Faces


def faces_of(folder: Path | None, family: str | None, rng: np.random.Generator) -> Faces:
    """Faces by tile; what a folder lacks is drawn. Raises ``ValueError`` in one line."""
    seed = int(rng.integers(1 << 31))
    drawn = draw_faces(seed, *FACE_PX, family=family).images
    if folder is None:
        return drawn
    return {**drawn, **load_faces(folder, seed, *FACE_PX).images}
