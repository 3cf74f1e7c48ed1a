"""Sets beyond the traditions: parts of all families mixed, other inks, other proportions.

The held-out family is never widened, and nothing of it is mixed into others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from studio.faces.canvas import Colour
from studio.faces.make import random_make
from studio.faces.style import FAMILY, TRAINING_FAMILIES, Palette, Style, near

_Choice = TypeVar("_Choice")

FROM_TRADITION: Final = 0.25
"""Share of the sets that keep to their family."""
_FIVES: Final[tuple[Colour | None, ...]] = (
    None, None, None, None, (225, 30, 40), (232, 84, 122), (206, 150, 44), (228, 96, 30),
)  # fmt: skip


def widened(style: Style, rng: np.random.Generator, dark: bool = False) -> Style:
    """The style with parts of other families and composed ones; ``dark``: pale ink for it."""
    if rng.random() < FROM_TRADITION and not dark:
        return style
    make = replace(random_make(rng), five_paint=_one(rng, _FIVES))
    latin_on = rng.random() < 0.5
    latin = _one(rng, ("left", "left", "right", "both", "low")) if latin_on else ""
    big = rng.random() < 0.3
    mixed = replace(
        style,
        make=make,
        font=_other(rng, style.font, "fonts"),
        dot=_other(rng, style.dot, "dots"),
        rosette=_other(rng, style.rosette, "rosettes"),
        stick=_other(rng, style.stick, "sticks"),
        bird=_other(rng, style.bird, "birds"),
        white=_other(rng, style.white, "whites"),
        latin=latin if rng.random() < 0.5 else style.latin,
        latin_size=float(rng.uniform(15, 24) if big else rng.uniform(8, 14)),
        simplified=style.simplified or bool(rng.random() < 0.2),
        bold=float(rng.uniform(0, 1.6)) if rng.random() < 0.4 else style.bold,
        size=float(rng.uniform(0.78, 1.08)),
        dot_size=float(rng.uniform(0.7, 1.2)),
        stick_size=float(rng.uniform(0.7, 1.7)),
        stick_length=float(rng.uniform(0.78, 1.02)),
        character_size=float(rng.uniform(0.7, 1.16)),
        spread=float(rng.uniform(0.82, 1.08)),
        line=float(rng.uniform(0.6, 1.6)),
    )
    return _painted(mixed, _palette(style.palette, rng, dark), rng)


def _other(rng: np.random.Generator, now: str, part: str) -> str:
    """The family's own, or one of any family that is trained on."""
    if rng.random() < 0.5:
        return now
    parts = [str(p) for name in TRAINING_FAMILIES for p in getattr(FAMILY[name], part)]
    return _one(rng, tuple(parts))


def _palette(palette: Palette, rng: np.random.Generator, dark: bool) -> Palette:
    """Other inks: any hue, one alone, pastel; pale ones for a dark tile."""
    if dark:
        pale = _one(rng, ((242, 240, 232), (222, 188, 98), (200, 214, 224), (250, 250, 250)))
        light = Palette((255, 96, 84), (120, 222, 140), (120, 184, 255), pale)
        if rng.random() < 0.4:
            light = Palette(pale, pale, pale, pale)
        return light
    kind = rng.random()
    if kind < 0.5:
        return palette
    if kind < 0.62:  # one ink
        ink = near(rng, _one(rng, (palette.dark, palette.blue, palette.green, (110, 70, 40))), 14)
        red = palette.red if rng.random() < 0.6 else ink
        return Palette(red, ink, ink, ink)
    if kind < 0.74:  # pastel
        mix = float(rng.uniform(0.15, 0.42))
        soft = [
            tuple(int(c + (235 - c) * mix) for c in paint)
            for paint in (palette.red, palette.green, palette.blue, palette.dark)
        ]
        return Palette(*((r, g, b) for r, g, b in soft))
    spread = 26.0 if kind < 0.9 else 45.0
    return Palette(
        near(rng, _one(rng, (palette.red, (220, 60, 20), (200, 20, 90))), spread * 0.5),
        near(rng, _one(rng, (palette.green, (0, 150, 120), (110, 150, 20))), spread),
        near(rng, _one(rng, (palette.blue, (90, 50, 160), (0, 140, 190), (20, 20, 30))), spread),
        near(rng, _one(rng, (palette.dark, (60, 30, 20), (50, 20, 70))), spread),
    )


def _painted(style: Style, paints: Palette, rng: np.random.Generator) -> Style:
    """The style in other paints, and some of its parts in another of them."""
    any_paint = (paints.red, paints.green, paints.blue, paints.dark)

    def pick(usual: tuple[Colour, ...]) -> Colour:
        return _one(rng, usual) if rng.random() < 0.85 else _one(rng, any_paint)

    wind = pick((paints.dark, paints.blue, paints.green))
    myriad = pick((paints.red, paints.red, paints.red, paints.dark, paints.blue))
    numeral = pick((wind, wind, paints.blue, paints.dark, paints.red))
    if numeral == myriad == paints.red:  # the plain five would be the red one
        numeral = paints.dark
    make = style.make
    if paints.red in (paints.green, paints.dark) and make.five_paint is None:
        bright = sum(paints.dark) > 380
        make = replace(make, five_paint=(255, 96, 84) if bright else (214, 34, 40))
    return replace(
        style,
        make=make,
        palette=paints,
        wind=wind,
        numeral=numeral,
        myriad=myriad,
        latin_colour=_one(rng, any_paint),
        frame=pick((paints.blue, paints.blue, paints.dark, paints.green)),
    )


def _one(rng: np.random.Generator, choices: tuple[_Choice, ...]) -> _Choice:
    return choices[int(rng.integers(len(choices)))]
