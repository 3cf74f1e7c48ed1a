"""Four lights in which a table can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import Colour, Lamp, TableLook
from studio.scene import triple


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
        lamps=lamps,
        sky=triple(cast * sky),
        bounce=triple((np.array(look.cloth) * 0.45 + 0.08) * light.level),
        window_strength=light.window * light.level,
        falloff_per_mm=(0.0, 0.0),
    )


def _lamp(strength: NDArray[np.float64], side: float, low: float, soft_mm: float) -> Lamp:
    down = np.array([low * np.cos(side), low * np.sin(side), -1.0])
    return Lamp(triple(down / np.linalg.norm(down)), triple(strength), soft_mm)
