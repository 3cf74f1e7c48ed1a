"""Tile faces from a folder: pictures named by tile, fonts of tiles, or labelled photographs."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import CODES
from studio.faces.draw import FaceSet
from studio.faces.photos import EDGE, FacePhotos, melted
from studio.faces.tile_font import font_faces

_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".svg")
_FONTS: Final = (".otf", ".ttf")

_OTHER_NAMES: Final[dict[str, str]] = {
    **{f"{suit}{rank}": f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)},
    **{f"w{rank}": f"{rank}z" for rank in range(1, 5)},
    "d1": "7z",
    "d2": "6z",
    "d3": "5z",
    **dict(zip(("chun", "xia", "qiu", "dong"), ("1f", "2f", "3f", "4f"), strict=True)),
    **dict(zip(("mei", "lan", "ju", "zu", "zhu"), ("5f", "6f", "7f", "8f", "8f"), strict=True)),
}
"""File names that some collections of drawings use for tiles."""

_UPSIDE_DOWN_NAMES: Final[dict[str, str]] = {
    **{
        f"{letter}-{rank - 1}": f"{rank}{suit}"
        for letter, suit in zip("cdb", "mps", strict=True)
        for rank in range(1, 10)
    },
    **{f"h-{i}": code for i, code in enumerate(("1z", "2z", "3z", "4z", "7z", "6z", "5z"))},
    **{f"f-{i}": f"{kind}f" for i, kind in enumerate((1, 2, 3, 4, 5, 6, 8, 7))},
}
"""Names of drawings made from fonts, whose y axis points up."""


class BadFaces(ValueError):
    """The folder holds no faces, or one that cannot be read."""


def load_faces(folder: Path, seed: int = 0, width_px: int = 128, height_px: int = 170) -> FaceSet:
    """Read the faces of a folder; kinds that it lacks are missing from the set.

    Where a folder offers several faces of a kind (photographs, fonts), the seed chooses.
    Raises ``BadFaces`` with one line that says what was expected.
    """
    if not folder.is_dir():
        raise BadFaces(f"expected a folder of tile faces, {folder} is none")
    rng = np.random.default_rng(seed)
    size = (width_px, height_px)
    if (folder / "faces.json").is_file():
        images = _photographs(folder, rng, size)
    else:
        images = _named(folder, size) or _fonts(folder, rng, size)
    if not images:
        raise BadFaces(
            f"{folder} holds no tile faces: expected pictures such as 5m.png or 7z.svg, "
            "a font of tiles, or faces.json"
        )
    return FaceSet(f"{folder.name}-{seed}", {c: images[c] for c in CODES if c in images})


def _named(folder: Path, size: tuple[int, int]) -> dict[str, NDArray[np.uint8]]:
    """Pictures from the folder, or from the one below it that has most."""
    places: dict[Path, dict[str, Path]] = defaultdict(dict)
    for path in sorted(folder.rglob("*")):
        code = _code(path)
        if code is not None:
            places[path.parent].setdefault(code, path)
    if not places:
        return {}
    files = places[folder] or max(places.values(), key=len)
    return {code: _picture(path, size) for code, path in files.items()}


def _code(path: Path) -> str | None:
    name = path.stem.lower()
    if path.suffix.lower() not in _PICTURES:
        return None
    return name if name in CODES else _OTHER_NAMES.get(name) or _UPSIDE_DOWN_NAMES.get(name)


def _picture(path: Path, size: tuple[int, int]) -> NDArray[np.uint8]:
    is_svg = path.suffix.lower() == ".svg"
    image = _pixels(path, _svg(path, size[1]) if is_svg else path.read_bytes())
    if is_svg and path.stem.lower() in _UPSIDE_DOWN_NAMES:
        image = np.ascontiguousarray(image[::-1])
    if path.suffix.lower() in (".jpg", ".jpeg"):
        return melted(np.ascontiguousarray(image[:, :, :3]), size)
    return _fitted(_bare(image), size)


def _pixels(path: Path, data: bytes) -> NDArray[np.uint8]:
    """The picture of a file, (height, width, 4) RGBA."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED) if data else None
    if image is None:
        raise BadFaces(f"cannot read the tile face {path}")
    if image.dtype != np.uint8:
        image = (image / 257).astype(np.uint8)
    if image.ndim == 2 or image.shape[2] == 1:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGRA)
    elif image.shape[2] == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
    return np.ascontiguousarray(image[:, :, (2, 1, 0, 3)], np.uint8)


def _svg(path: Path, height_px: int) -> bytes:
    """A drawing as PNG."""
    try:
        import resvg_py

        text = path.read_text(encoding="utf-8")
        return bytes(resvg_py.svg_to_bytes(svg_string=text, height=height_px * 2))
    except ImportError as error:
        raise BadFaces(f"{path} needs the package resvg-py (pip install resvg-py)") from error
    except ValueError as error:
        raise BadFaces(f"cannot read the tile face {path}") from error


def _bare(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The print alone: a drawn edge is cut off, a light ground becomes clear."""
    height, width = image.shape[:2]
    rim = image.copy()
    rim[3:-3, 3:-3] = 0
    if np.count_nonzero(rim[:, :, 3]) > 0.5 * (height + width):
        y, x = round(height * EDGE), round(width * EDGE)
        image = image[y : height - y, x : width - x]
    solid = image[:, :, 3] > 250
    ground = np.quantile(image[:, :, :3].reshape(-1, 3), 0.9, axis=0)
    if solid.mean() < 0.95 or ground.min() < 200:
        return image
    colour = image[:, :, :3].astype(np.float32)
    ink = np.clip((ground - colour) / ground, 0, 1).max(axis=2)
    ink[ink < 0.06] = 0
    # Where paint covers a share of the ground, the rest of its colour is the ground's.
    share = np.maximum(ink, 1e-3)[:, :, None]
    paint = np.clip((colour - (1 - share) * ground) / share, 0, 255)
    return np.dstack([paint, ink * 255]).round().astype(np.uint8)


def _fitted(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture at the size of a face, its proportions kept, clear around it."""
    height, width = image.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    inside = (max(1, round(width * scale)), max(1, round(height * scale)))
    colour = image[:, :, :3].astype(np.float32)
    alpha = image[:, :, 3].astype(np.float32) / 255
    paint = cv2.resize(colour * alpha[:, :, None], inside, interpolation=cv2.INTER_AREA)
    weight = cv2.resize(alpha, inside, interpolation=cv2.INTER_AREA)
    face = np.zeros((size[1], size[0], 4), np.uint8)
    x, y = (size[0] - inside[0]) // 2, (size[1] - inside[1]) // 2
    small = np.dstack([paint / np.maximum(weight, 1e-3)[:, :, None], weight * 255])
    face[y : y + inside[1], x : x + inside[0]] = np.clip(small, 0, 255).round()
    return face


def _photographs(
    folder: Path, rng: np.random.Generator, size: tuple[int, int]
) -> dict[str, NDArray[np.uint8]]:
    """One photograph of each kind, from a folder with a ``faces.json``."""
    try:
        return FacePhotos(folder, size).draw(rng)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadFaces(f'{folder / "faces.json"}: expected a list of {{"file", "tile"}}') from error
    except OSError as error:
        raise BadFaces(str(error)) from error


def _fonts(
    folder: Path, rng: np.random.Generator, size: tuple[int, int]
) -> dict[str, NDArray[np.uint8]]:
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _FONTS)
    if not files:
        return {}
    path = files[int(rng.integers(len(files)))]
    try:
        return font_faces(path, rng, size)
    except Exception as error:  # a broken font fails in ways that its reader does not name
        raise BadFaces(f"cannot read the font of tiles {path}: {error}") from error
