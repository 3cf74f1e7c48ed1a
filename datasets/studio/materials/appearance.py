"""How a table looks: its tiles, cloth, rim, lamps and players' arms, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.materials.patterns import felt, printed, weave, wood
from studio.materials.swatches import Swatches
from studio.scene import triple

Colour = tuple[float, float, float]  # linear red, green, blue, 0..1


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
    ink: float = 1.0
    """Strength of the ink on the faces; less on worn tiles."""
    grime: float = 0.0
    """Dirt, 0..1."""
    swelling: float = 0.0
    """How much the faces bulge: the slope at their edges."""
    clear: float = 0.0
    """Translucency, 0..1."""
    stripe: Colour = (0.86, 0.84, 0.78)
    """Colour of a layer between face and back."""
    stripe_share: float = 0.0
    """Share of the thickness of that layer."""

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


@dataclass(frozen=True)
class Window:
    """A bright window or a long lamp that is mirrored in glossy surfaces."""

    towards: tuple[float, float, float]
    half: tuple[float, float]
    """Half sizes as seen from the table, radians."""
    turn: float
    """Turn of its sides about its middle, radians."""
    bars: bool

    def sides(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return two vectors whose dot product with a reflected ray is 1 at the window's edges."""
        out = np.array(self.towards)
        first = np.cross(out, [np.cos(self.turn), np.sin(self.turn), 0.0])
        first /= np.linalg.norm(first)
        second = np.cross(out, first)
        a, b = first / np.sin(self.half[0]), second / np.sin(self.half[1])
        return triple(a), triple(b)


@dataclass(frozen=True, eq=False)
class Sheet:
    """A surface's pattern."""

    image: NDArray[np.uint8]
    """(256, 256, 3) RGB; repeats; multiplies the surface's colour."""
    side_mm: float
    """Size of one repeat."""


@dataclass(frozen=True, eq=False)
class TableLook:
    tiles: TileSet
    field_mm: float
    """Side of the square playing field."""
    cloth: Colour
    rim: Colour
    rim_mm: tuple[float, float]
    """Width and height. Height 0: the cloth is a mat, and the table extends that far beyond it."""
    trays: bool
    """A broad rim has a tray for each player."""
    round: bool
    """The table under a mat is round."""
    console_mm: float
    """Side of the square console in the middle; 0 without one."""
    console: Colour
    floor: Colour
    sheets: tuple[Sheet, Sheet, Sheet]
    """Cloth, rim, floor."""
    lamps: tuple[Lamp, Lamp]
    sky: Colour
    bounce: Colour
    window: Window
    window_strength: float
    shine: float
    """Exponent of the lamps' highlights: higher is sharper."""
    shoulder: float
    """0: bright light clips as on a cheap camera; 1: it is compressed."""
    falloff_per_mm: tuple[float, float]
    skins: tuple[Colour, ...]
    """By seat."""
    sleeves: tuple[Colour, ...]
    """By seat; a bare forearm has the skin's colour."""


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
    (0.45, 0.55, 0.75),
)


def random_tiles(rng: np.random.Generator) -> TileSet:
    width = rng.uniform(20, 40)
    back = np.array(BACKS[int(rng.integers(len(BACKS)))]) * rng.uniform(0.6, 1.3, 3)
    white = rng.uniform(0.7, 0.93)
    tint = np.array([1.0, rng.uniform(0.94, 1.0), rng.uniform(0.78, 1.0)]) * white
    kind = rng.random()
    if kind < 0.12:  # bone, jade, rose
        tint *= rng.uniform(0.65, 1.0, 3)
    elif kind < 0.18:  # any light colour
        tint = rng.uniform(0.3, 0.9, 3)
    clear = rng.uniform(0.2, 0.6) if rng.random() < 0.05 else 0.0
    striped = rng.random() < 0.15
    return TileSet(
        width_mm=width,
        height_mm=width * rng.uniform(1.24, 1.44),
        thickness_mm=width * rng.uniform(0.55, 0.82),
        bevel_mm=width * rng.uniform(0.05, 0.12),
        body=_colour(tint),
        back=_colour(back) if rng.random() < 0.9 else _colour(tint),
        back_share=rng.uniform(0.25, 0.55),
        relief=rng.uniform(0.0, 1.4),
        gloss=rng.uniform(0.1, 1.0) if rng.random() < 0.85 else rng.uniform(1.0, 1.8),
        ink=1.0 if rng.random() < 0.75 else rng.uniform(0.65, 1.0),
        grime=rng.uniform(0.0, 0.25) if rng.random() < 0.7 else rng.uniform(0.25, 0.7),
        swelling=rng.uniform(0.0, 0.14),
        clear=clear,
        stripe=_colour(tint if rng.random() < 0.4 else rng.uniform(0.05, 0.95, 3)),
        stripe_share=rng.uniform(0.06, 0.25) if striped else 0.0,
    )


def random_look(rng: np.random.Generator, swatches: Swatches | None = None) -> TableLook:
    """Draw a table, its tiles and its light; the same generator state gives the same look."""
    tiles = random_tiles(rng)
    cloth, cloth_sheet = _surface(rng, swatches, 0.4)
    rim, rim_sheet = _rim(rng, swatches)
    floor, floor_sheet = _surface(rng, swatches, 0.7)
    warm = rng.normal(0, 0.06) if rng.random() < 0.8 else rng.normal(0.08, 0.14)
    green = rng.normal(0, 0.02)
    cast = np.array([1 + warm, 1 + green, 1 - warm])
    other = np.array([1 - warm * 0.7, 1.0, 1 + warm * 0.7])
    # Lamps and sky add up to the brightness of white in a well or badly exposed picture.
    key_direction, fill_direction = _direction(rng, 0.75), _direction(rng, 1.1)
    key, fill, sky = rng.dirichlet([4.0, 1.3, 3.5])
    level = rng.normal(0.95, 0.17) if rng.random() < 0.85 else rng.uniform(0.3, 0.8)
    level = max(level, 0.25)
    has_rim = rng.random() < 0.75
    if rng.random() < 0.1:  # a coloured lamp, or only coloured light
        cast = cast * _tint(rng)
        other = cast if rng.random() < 0.4 else other
    elif rng.random() < 0.08:
        other = other * _tint(rng)
    skins = tuple(_skin(rng) for _ in range(4))
    return TableLook(
        tiles=tiles,
        field_mm=rng.uniform(700, 1000),
        cloth=cloth,
        rim=rim,
        rim_mm=_rim_mm(rng, has_rim),
        trays=bool(rng.random() < 0.4),
        round=bool(rng.random() < 0.4),
        console_mm=rng.uniform(150, 230) if rng.random() < 0.3 else 0.0,
        console=_colour(np.full(3, rng.choice([0.015, 0.03, 0.2, 0.6])) * rng.uniform(0.8, 1.2, 3)),
        floor=_colour((0.45 * np.array(floor) + 0.55 * np.mean(floor)) * 0.7),
        sheets=(cloth_sheet, rim_sheet, floor_sheet),
        lamps=(
            Lamp(key_direction, _light(cast, level * key / -key_direction[2]), rng.uniform(1, 16)),
            Lamp(
                fill_direction, _light(other, level * fill / -fill_direction[2]), rng.uniform(4, 25)
            ),
        ),
        sky=_light(cast, level * sky),
        bounce=_light(np.array(cloth) * 0.45 + 0.08, level),
        window=_window(rng),
        window_strength=level * float(rng.uniform(0.2, 2.6)) if rng.random() < 0.6 else 0.0,
        shine=float(np.exp(rng.uniform(np.log(25), np.log(500)))),
        shoulder=float(rng.uniform(0, 1)),
        falloff_per_mm=(float(rng.normal(0, 3e-4)), float(rng.normal(0, 3e-4))),
        skins=skins,
        sleeves=tuple(_sleeve(rng, skin) for skin in skins),
    )


def _rim_mm(rng: np.random.Generator, has_rim: bool) -> tuple[float, float]:
    if has_rim:
        broad = rng.random() < 0.3
        return float(rng.uniform(80, 140) if broad else rng.uniform(25, 90)), rng.uniform(4, 28)
    return (float(rng.uniform(60, 400)), 0.0) if rng.random() < 0.6 else (0.0, 0.0)


def _window(rng: np.random.Generator) -> Window:
    out = np.array([*rng.normal(0, 0.4, 2), 1.0])
    out /= np.linalg.norm(out)
    tube = rng.random() < 0.35
    half = (rng.uniform(0.02, 0.07), rng.uniform(0.2, 0.6)) if tube else rng.uniform(0.08, 0.4, 2)
    return Window(
        triple(out),
        (float(half[0]), float(half[1])),
        float(rng.uniform(0, np.pi)),
        bool(not tube and rng.random() < 0.5),
    )


def _tint(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw a saturated light, as bright as a white one."""
    hue = rng.uniform(0, 2 * np.pi) + np.array([0.0, 2.1, 4.2])
    strong = rng.uniform(0.15, 0.5) if rng.random() < 0.8 else rng.uniform(0.5, 0.9)
    tint = 1 + strong * np.cos(hue)
    return np.asarray(tint / tint.mean())


def _colour(values: NDArray[np.float64], most: float = 1.0) -> Colour:
    return triple(np.clip(values, 0.005, most))


def _light(cast: NDArray[np.float64], strength: float) -> Colour:
    return _colour(cast * strength, 4.0)


def _skin(rng: np.random.Generator) -> Colour:
    base = np.array([0.72, 0.42, 0.29]) * np.exp(rng.uniform(np.log(0.12), np.log(1.15)))
    return _colour(base * rng.uniform(0.9, 1.1, 3))


def _sleeve(rng: np.random.Generator, skin: Colour) -> Colour:
    if rng.random() < 0.3:
        return skin
    grey = rng.random() < 0.5
    hue = rng.uniform(0.85, 1.0, 3) if grey else rng.uniform(0.1, 1.0, 3)
    return _colour(rng.choice([0.02, 0.05, 0.2, 0.5, 0.8]) * hue)


def _surface(
    rng: np.random.Generator, swatches: Swatches | None, share: float
) -> tuple[Colour, Sheet]:
    """Draw a colour with its pattern; ``share`` of the draws use the folder's swatches."""
    if swatches is not None and rng.random() < share:
        tone = np.full(3, rng.uniform(0.6, 1.1))
        if rng.random() < 0.3:
            tone = tone * rng.uniform(0.7, 1.15, 3)
        return _colour(tone), Sheet(_muted(swatches.draw(rng), rng), rng.uniform(120, 700))
    if rng.random() < 0.2:
        return _colour(_wood_colour(rng)), Sheet(wood(rng), rng.uniform(250, 700))
    if share < 0.5 and rng.random() < 0.12:  # a mat with print on it
        return _cloth_colour(rng), Sheet(printed(rng), rng.uniform(500, 1000))
    pattern = weave if rng.random() < 0.15 else felt
    return _cloth_colour(rng), Sheet(pattern(rng), rng.uniform(60, 400))


def _muted(sheet: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Dull a swatch: collections show brighter paint and plastic than tables and floors wear."""
    grey = sheet.mean(axis=2, keepdims=True)
    share = rng.uniform(0.0, 0.7)
    return np.asarray((1 - share) * sheet + share * grey, np.uint8)


def _rim(rng: np.random.Generator, swatches: Swatches | None) -> tuple[Colour, Sheet]:
    if rng.random() < 0.45:  # plastic or paint
        sheet = Sheet(np.full((256, 256, 3), 255, np.uint8), 300.0)
        grey = rng.random() < 0.5
        base = np.full(3, rng.uniform(0.01, 0.8)) if grey else rng.uniform(0.02, 0.6, 3)
        return _colour(base), sheet
    if swatches is not None and rng.random() < 0.5:
        return _colour(np.full(3, rng.uniform(0.6, 1.0))), Sheet(swatches.draw(rng), 300.0)
    return _colour(_wood_colour(rng)), Sheet(wood(rng), rng.uniform(200, 500))


def _wood_colour(rng: np.random.Generator) -> NDArray[np.float64]:
    return np.array([0.5, 0.27, 0.12]) * rng.uniform(0.15, 1.5) * rng.uniform(0.9, 1.1, 3)


def _cloth_colour(rng: np.random.Generator) -> Colour:
    """Draw felt of any hue, most often green or blue, sometimes grey or white."""
    kind = rng.random()
    if kind < 0.4:
        base = np.array([0.01, rng.uniform(0.05, 0.32), rng.uniform(0.01, 0.14)])
    elif kind < 0.6:
        base = np.array([0.02, rng.uniform(0.04, 0.2), rng.uniform(0.1, 0.45)])
    elif kind < 0.8:
        base = np.full(3, rng.uniform(0.01, 0.75)) * rng.uniform(0.9, 1.1, 3)
    else:
        base = rng.uniform(0.01, 0.45, 3)
    pale = rng.uniform(0.08, 0.65)  # cloth is duller than paint
    return _colour(base * (1 - pale) + pale * base.mean())


def _direction(rng: np.random.Generator, spread: float) -> tuple[float, float, float]:
    lean = np.array([*rng.uniform(-spread, spread, 2), -1.0])
    return triple(lean / np.linalg.norm(lean))
