"""The recogniser's training and held-out tiles, made once and kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from finder.no_tiles import flat_thing
from recogniser.data import (
    NONSENSE,
    PATCH_H,
    PATCH_W,
    TILE_W,
    Image,
    Patches,
    cached,
    join,
    named_parts,
    patches_of,
    read_crops,
    read_photos,
    with_red_fives,
)
from recogniser.faces import FacePicture, compose, font_faces, photographed, pictures, with_numerals

from studio.faces import HELD_OUT, draw_faces
from studio.held_out import HELD_OUT_SHARE, is_held_out
from studio.materials.swatches import swatches_of

SCHOOL_NAMES = {
    **{f"{rank}{suit}": f"{suit}{rank}" for suit in "mps" for rank in range(1, 10)},
    **{f"{rank}z": f"w{rank}" for rank in range(1, 5)},
    "5z": "d3",
    "6z": "d2",
    "7z": "d1",
}

PATCHES_A_STYLE = 100
FRESH_SHARES = {"rendered": 1.0, "drawn": 0.9}
"""Shares of the sources of which more can be made beside a training."""
MEASURED_ON = "drawn"
"""The held-out tiles of the family that nothing is chosen by."""


@dataclass(frozen=True, eq=False)
class Sources:
    """Training tiles with the share of each source, and held-out tiles."""

    train: dict[str, tuple[Patches, float]]
    held_out: dict[str, Patches]


def sources(
    data: Path,
    cache: Path,
    photos: Path,
    art: Path | None,
    crops: list[Path],
    drawn: int = 0,
    share: float = 1.0,
) -> Sources:
    """Read everything; ``data`` has faces/, art/ and textures/.

    ``photos`` is a file of models/complete_photos.py. ``share`` of the composed tiles are made:
    less than all only to try the program.
    """

    def composed(faces: list[FacePicture], count: int, seed: int) -> Patches:
        return compose(faces, max(60, round(share * count)), grounds, seed)

    inner, outer = cached(cache / "photos.npz", lambda: read_photos(photos)).split(HELD_OUT_SHARE)
    grounds = grounds_in(data / "textures")
    faces, faces_out = _split(photographed(data / "faces"))
    fonts = sorted((data / "art" / "i-mahjong-fonts").glob("*.otf"))
    rng = np.random.default_rng(7)
    glyphs = [f for file in fonts if "CAN" not in file.stem for f in font_faces(file, rng, 12)]
    if art is not None:
        glyphs += 10 * pictures(art, "mahjong-graphic", _graphic_names())
    school = data / "art" / "chinese-official-helper" / "Resources" / "tiles"
    # Two styles are never trained on: one drawn by hand, and one regional font.
    unseen = pictures(school, "official-helper", SCHOOL_NAMES)
    can = [f for file in fonts if "CAN" in file.stem for f in font_faces(file, rng, 4)]
    train: dict[str, tuple[Patches, float]] = {
        "photos": (with_red_fives(inner), 1.1),
        "faces": (
            cached(cache / "faces.npz", lambda: with_red_fives(composed(faces, 9000, 1))),
            0.25,
        ),
        "art": (cached(cache / "art.npz", lambda: composed(glyphs, 7000, 2)), 0.12),
    }
    train["numerals"] = (
        cached(
            cache / "numerals.npz",
            lambda: with_red_fives(composed(with_numerals(faces + glyphs[::4], 9), 5000, 9)),
        ),
        0.2,
    )
    held_out = {
        "photos": with_red_fives(outer),
        "faces": cached(
            cache / "faces_out.npz", lambda: with_red_fives(composed(faces_out, 1000, 3))
        ),
        "unseen drawing": cached(cache / "unseen.npz", lambda: composed(unseen, 600, 4)),
        "unseen font": cached(cache / "can.npz", lambda: composed(can, 900, 5)),
    }
    things = max(60, round(share * 4000))
    train["no tiles"] = (cached(cache / "no_tiles.npz", lambda: _no_tiles(grounds, things)), 0.25)
    for weight, name, made in _rendered(cache, crops, drawn, share, composed):
        train[name] = (made[0], weight)
        held_out[name] = made[1]
    return Sources(train, named_parts(held_out))


def _rendered(
    cache: Path,
    crops: list[Path],
    drawn: int,
    share: float,
    composed: Callable[[list[FacePicture], int, int], Patches],
) -> list[tuple[float, str, tuple[Patches, Patches]]]:
    found = []
    if crops:
        parts = [
            cached(cache / f"crops-{folder.name}.npz", partial(read_crops, folder))
            for folder in crops
        ]
        found.append((FRESH_SHARES["rendered"], "rendered", join(parts).split(0.06)))
    if drawn:
        inner = cached(
            cache / f"drawn-{drawn}.npz",
            lambda: composed(drawn_faces(0, drawn), PATCHES_A_STYLE * drawn, 6),
        )
        outer = cached(
            cache / "drawn-out.npz",
            lambda: composed(drawn_faces(1_000_000, max(1, round(30 * share)), HELD_OUT), 1500, 8),
        )
        found.append((FRESH_SHARES["drawn"], "drawn", (inner, outer)))
    return found


def _no_tiles(grounds: list[Image], count: int, seed: int = 10) -> Patches:
    """Keys, captions, displays and the like, with parts of them where a tile would be."""
    rng = np.random.default_rng(seed)
    images: list[Image] = []
    while len(images) < count:
        thing = flat_thing(TILE_W * float(rng.uniform(0.6, 1.6)), rng)
        ground = grounds[int(rng.integers(len(grounds)))]
        y, x = (int(rng.integers(0, 512 - side)) for side in (PATCH_H, PATCH_W))
        under = ground[y : y + PATCH_H, x : x + PATCH_W]
        high, wide = thing.opacity.shape
        # Anywhere on the thing may be the middle of the patch.
        across, down = rng.uniform(0.1, 0.9, 2) * (wide, high)
        move = np.array([[1.0, 0, PATCH_W / 2 - across], [0, 1.0, PATCH_H / 2 - down]])
        opacity = cv2.warpAffine(thing.opacity, move, (PATCH_W, PATCH_H))[..., None]
        over = cv2.warpAffine(thing.image_bgr, move, (PATCH_W, PATCH_H))
        images.append(np.asarray(under * (1 - opacity) + over * opacity, np.uint8))
    return patches_of(images, [NONSENSE] * count, [f"thing-{i}" for i in range(count)], False)


def drawn_faces(first: int, count: int, family: str | None = None) -> list[FacePicture]:
    """Return the faces of styles with these seeds; each seed is a style of its own."""
    faces = []
    for seed in range(first, first + count):
        for tile, rgba in draw_faces(seed, family=family).images.items():
            small = cv2.resize(rgba, (120, 160), interpolation=cv2.INTER_AREA)
            colour = np.ascontiguousarray(small[:, :, 2::-1], np.uint8)
            faces.append(
                FacePicture(
                    str(tile), f"drawn-{seed}", colour, np.asarray(small[:, :, 3] / 255, np.float32)
                )
            )
    return faces


def _split(faces: list[FacePicture]) -> tuple[list[FacePicture], list[FacePicture]]:
    out = [is_held_out(face.style, HELD_OUT_SHARE) for face in faces]
    return (
        [f for f, o in zip(faces, out, strict=True) if not o],
        [f for f, o in zip(faces, out, strict=True) if o],
    )


def _graphic_names() -> dict[str, str]:
    codes = [f"{rank}{suit}" for suit in "mps" for rank in range(10)]
    codes += [f"{rank}z" for rank in (1, 2, 3, 4, 6, 7)]
    flowers = ("mei", "lan", "ju", "zu", "chun", "xia", "qiu", "dong")
    named = {f"{rank}f": name for rank, name in enumerate(flowers, 1)}
    return {tile: f"mg_{name}" for tile, name in {**{c: c for c in codes}, **named}.items()}


def grounds_in(folder: Path) -> list[Image]:
    """Return cloth, wood and stone, 512x512, from a folder of textures."""
    found = []
    for path in sorted(folder.rglob("*")):
        image = cv2.imread(str(path)) if path.suffix in {".webp", ".png", ".jpg"} else None
        # The captions of a sheet of swatches are no ground: they would teach letters as "no face".
        for part in [] if image is None else swatches_of(np.asarray(image, np.uint8)):
            found.append(np.asarray(cv2.resize(part, (512, 512)), np.uint8))
    return found
