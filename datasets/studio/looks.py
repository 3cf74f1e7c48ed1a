"""How a table looks: its tiles, cloth, rim, lamps and camera sensor, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Linear red, green, blue, 0..1."""


@dataclass(frozen=True)
class TileSet:
    width_mm: float = 28.0
    height_mm: float = 37.0
    thickness_mm: float = 21.0
    bevel_mm: float = 2.2
    body: Colour = (0.86, 0.84, 0.78)
    back: Colour = (0.02, 0.35, 0.12)
    back_share: float = 0.4
    """Share of the thickness that has the back's colour."""
    relief: float = 0.4
    gloss: float = 0.5

    @property
    def size_mm(self) -> tuple[float, float, float]:
        return self.width_mm, self.height_mm, self.thickness_mm


@dataclass(frozen=True)
class Lamp:
    direction: tuple[float, float, float]
    """From the lamp to the table, unit length, z negative."""
    colour: Colour
    softness_mm: float
    """Half width of the penumbra."""


@dataclass(frozen=True, eq=False)
class Look:
    tiles: TileSet
    field_mm: float
    """Side of the square playing field."""
    cloth: Colour
    cloth_texture: NDArray[np.uint8]
    """(S, S, 3) uint8, about white: multiplies the cloth's colour."""
    texture_mm: float
    rim: Colour
    rim_mm: tuple[float, float]
    """Width and height; height 0: a bare table."""
    console_mm: float
    """Side of the square console in the middle; 0: none."""
    floor: Colour
    lamps: tuple[Lamp, Lamp]
    sky: Colour
    bounce: Colour
    window: tuple[float, float, float, float]
    """Direction of a bright window, and the cosine of its half width."""
    window_strength: float
    falloff_per_mm: tuple[float, float]
    skin: Colour
    sleeve: Colour


BACKS: tuple[Colour, ...] = (
    (0.02, 0.30, 0.10),
    (0.85, 0.50, 0.03),
    (0.03, 0.12, 0.50),
    (0.75, 0.20, 0.02),
    (0.02, 0.02, 0.02),
    (0.03, 0.35, 0.45),
    (0.45, 0.03, 0.25),
    (0.20, 0.60, 0.80),
    (0.35, 0.02, 0.04),
    (0.50, 0.35, 0.18),
)


def random_tiles(rng: np.random.Generator) -> TileSet:
    width = rng.uniform(20, 40)
    back = np.array(BACKS[int(rng.integers(len(BACKS)))]) * rng.uniform(0.6, 1.3, 3)
    white = rng.uniform(0.68, 0.95)
    tint = np.array([1.0, rng.uniform(0.94, 1.0), rng.uniform(0.78, 1.0)]) * white
    return TileSet(
        width_mm=width,
        height_mm=width * rng.uniform(1.24, 1.44),
        thickness_mm=width * rng.uniform(0.55, 0.82),
        bevel_mm=width * rng.uniform(0.05, 0.12),
        body=_colour(tint),
        back=_colour(back) if rng.random() < 0.93 else _colour(tint),
        back_share=rng.uniform(0.25, 0.55),
        relief=rng.uniform(0.0, 0.9),
        gloss=rng.uniform(0.1, 1.0),
    )


def random_look(rng: np.random.Generator, textures: list[NDArray[np.uint8]] | None = None) -> Look:
    """A table, its tiles and its light; the same generator state gives the same look."""
    cloth = _cloth_colour(rng)
    texture = _texture(rng)
    if textures and rng.random() < 0.4:
        picked = textures[int(rng.integers(len(textures)))]
        texture = np.asarray(np.roll(picked, int(rng.integers(512)), axis=0), np.uint8)
        cloth = tuple(np.array(cloth) * 0.3 + 0.6 * rng.uniform(0.4, 1.0))
    warm = rng.normal(0, 0.12)
    cast = np.array([1 + warm, 1.0, 1 - warm])
    key = rng.uniform(0.35, 0.9)
    fill = rng.uniform(0.0, 0.6) * key
    sky = rng.uniform(0.25, 0.6)
    has_rim = rng.random() < 0.75
    window = np.array([*rng.normal(0, 0.35, 2), 1.0])
    window /= np.linalg.norm(window)
    return Look(
        tiles=random_tiles(rng),
        field_mm=rng.uniform(700, 1000),
        cloth=_colour(np.array(cloth)),
        cloth_texture=texture,
        texture_mm=rng.uniform(120, 600),
        rim=_colour(rng.uniform(0.02, 0.6, 3) if rng.random() < 0.4 else _wood(rng)),
        rim_mm=(rng.uniform(25, 90), rng.uniform(4, 28)) if has_rim else (0.0, 0.0),
        console_mm=rng.uniform(150, 230) if rng.random() < 0.3 else 0.0,
        floor=_colour(rng.uniform(0.02, 0.6) * rng.uniform(0.7, 1.0, 3)),
        lamps=(
            Lamp(_direction(rng, 0.75), _colour(cast * key, 4.0), rng.uniform(1, 14)),
            Lamp(_direction(rng, 1.2), _colour(cast[::-1] * fill, 4.0), rng.uniform(4, 25)),
        ),
        sky=_colour(cast * sky, 4.0),
        bounce=_colour(np.array(cloth) * 0.4 + 0.08),
        window=(float(window[0]), float(window[1]), float(window[2]), rng.uniform(0.93, 0.995)),
        window_strength=float(rng.uniform(0, 1.2)) if rng.random() < 0.5 else 0.0,
        falloff_per_mm=(float(rng.normal(0, 3e-4)), float(rng.normal(0, 3e-4))),
        skin=_colour(np.array([0.75, 0.42, 0.28]) * rng.uniform(0.15, 1.15)),
        sleeve=_colour(rng.uniform(0.01, 0.8) * rng.uniform(0.2, 1.0, 3)),
    )


def _colour(values: NDArray[np.float64], most: float = 1.0) -> Colour:
    red, green, blue = np.clip(values, 0.005, most)
    return float(red), float(green), float(blue)


def _wood(rng: np.random.Generator) -> NDArray[np.float64]:
    return np.array([0.5, 0.27, 0.12]) * rng.uniform(0.15, 1.4)


def _cloth_colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """Felt of any hue, dark more often than light; sometimes wood, grey or white."""
    kind = rng.random()
    if kind < 0.35:
        base = np.array([0.01, rng.uniform(0.08, 0.45), rng.uniform(0.01, 0.2)])
    elif kind < 0.5:
        base = np.array([0.02, rng.uniform(0.05, 0.2), rng.uniform(0.1, 0.5)])
    elif kind < 0.65:
        base = _wood(rng)
    elif kind < 0.8:
        base = np.full(3, rng.uniform(0.01, 0.75)) * rng.uniform(0.9, 1.1, 3)
    else:
        base = rng.uniform(0.01, 0.6, 3)
    return float(base[0]), float(base[1]), float(base[2])


def _direction(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    lean = np.array([*rng.uniform(-spread, spread, 2), -1.0])
    lean /= np.linalg.norm(lean)
    return float(lean[0]), float(lean[1]), float(lean[2])


def _texture(rng: np.random.Generator, size: int = 512) -> NDArray[np.uint8]:
    """Fibres, blotches or grain of several sizes about white, repeating at its edges."""
    spectrum = np.fft.rfft2(rng.normal(0, 1, (size, size)))
    fy, fx = np.fft.fftfreq(size)[:, None] * size, np.fft.rfftfreq(size)[None] * size
    stretch = rng.choice([1.0, 1.0, 4.0, 12.0])
    frequency = np.hypot(fx * stretch, fy) + 1
    fall = rng.uniform(0.2, 1.6)
    noise = np.fft.irfft2(spectrum / frequency**fall, (size, size))
    noise = noise / noise.std()
    strength = rng.uniform(0.02, 0.2)
    grain = np.clip(1 - np.abs(strength * noise), 0.3, 1)[..., None]
    tint = 1 + rng.normal(0, 0.03, 3) * (noise[..., None] > 0.5)
    return np.asarray(np.clip(grain * tint, 0, 1) * 255, np.uint8)
