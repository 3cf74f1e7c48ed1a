"""Sets beyond the traditions: parts of all families mixed, other inks, other proportions.

The held-out family is never widened, and nothing of it is mixed into others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from studio.faces.arrangement import USUAL, MarkArrangement
from studio.faces.canvas import InkColour
from studio.faces.style import (
    CORNERS,
    FAMILY,
    PRINT,
    TRAINING_FAMILIES,
    Handwriting,
    Palette,
    Style,
    near,
    one_of,
    sizes,
)

FROM_TRADITION: Final = 0.25
"""Share of the sets that keep to their family."""
_FIVES: Final[tuple[InkColour | None, ...]] = (
    None, None, None, None, (225, 30, 40), (232, 84, 122), (206, 150, 44), (228, 96, 30),
)  # fmt: skip
_PARTS: Final = ("font", "dot", "rosette", "stick", "bird", "white")
_MIXED: Final = {"dots": 0.6, "rosettes": 0.6, "sticks": 0.65, "birds": 0.5, "whites": 0.5}
"""Share of the sets whose motifs of a kind are mixed from parts."""
_MARKS: Final = ("letter", "character", *[""] * 14)


def widened(style: Style, rng: np.random.Generator, dark: bool = False) -> Style:
    """The style with parts of other families and composed ones; ``dark``: pale ink for it."""
    if rng.random() < FROM_TRADITION and not dark:
        return style
    latin = one_of(rng, CORNERS) if rng.random() < 0.5 else ""
    mixed = replace(
        style,
        **_own_ways(style, rng),
        five_paint=one_of(rng, _FIVES),
        latin=latin if rng.random() < 0.5 else style.latin,
        latin_size=float(rng.uniform(*((15, 24) if rng.random() < 0.3 else (8, 14)))),
        simplified=style.simplified or bool(rng.random() < 0.2),
        bold=float(rng.uniform(0, 1.6)) if rng.random() < 0.4 else style.bold,
        **sizes(rng, mixed=True),
    )
    return _painted(mixed, _palette(style.palette, rng, dark), rng)


def _own_ways(style: Style, rng: np.random.Generator) -> dict[str, Any]:
    """What no family has: motifs of several, mixed ones, other handwriting, odd letters."""
    chance = rng.random
    return {
        **{part: _other(rng, getattr(style, part), f"{part}s") for part in _PARTS},
        "mixed": {
            kind: int(rng.integers(1 << 31)) for kind, share in _MIXED.items() if chance() < share
        },
        "mark": one_of(rng, _MARKS),
        "hand": _handwriting(rng) if chance() < 0.6 else PRINT,
        "arrangement": _arrangement(rng) if chance() < 0.7 else USUAL,
        "second_ink": bool(chance() < 0.25),
        "latin_suits": one_of(rng, ("mpsz", "mpsz", "mps", "m", "mz", "ps")),
        "latin_ring": bool(chance() < 0.08),
        "teaching": bool(chance() < 0.04),
        "marked_five": bool(chance() < 0.2),
    }


def _handwriting(rng: np.random.Generator) -> Handwriting:
    return Handwriting(
        slant=float(rng.normal(0, 0.07)),
        taper=float(rng.normal(0, 0.08)),
        wave=float(rng.uniform(0, 0.025)),
        narrow=float(rng.uniform(0.72, 1.12)),
        hollow=bool(rng.random() < 0.1),
        numeral=float(rng.uniform(0.75, 1.2)),
        myriad=float(rng.uniform(0.7, 1.12)),
    )


def _arrangement(rng: np.random.Generator) -> MarkArrangement:
    return MarkArrangement(
        seed=int(rng.integers(1 << 31)),
        columns=float(rng.choice([0.1, 0.3, 0.6])),
        rows=float(rng.choice([0.1, 0.25])),
        sizes=float(rng.uniform(0, 0.12)),
        inks=float(rng.choice([0.0, 0.15, 0.5])),
        brush=float(rng.choice([0.0, rng.uniform(0.2, 0.6), rng.uniform(0.6, 1.2)])),
    )


def _other(rng: np.random.Generator, now: str, part: str) -> str:
    """The family's own, or one of any family that is trained on."""
    if rng.random() < 0.5:
        return now
    parts = [str(p) for name in TRAINING_FAMILIES for p in getattr(FAMILY[name], part)]
    return one_of(rng, tuple(parts))


def _palette(palette: Palette, rng: np.random.Generator, dark: bool) -> Palette:
    """Other inks: any hue, one alone, pastel; pale ones for a dark tile."""
    if dark:
        pale = one_of(rng, ((242, 240, 232), (222, 188, 98), (200, 214, 224), (250, 250, 250)))
        if rng.random() < 0.4:
            return Palette(pale, pale, pale, pale)
        return Palette((255, 96, 84), (120, 222, 140), (120, 184, 255), pale)
    kind = rng.random()
    if kind < 0.5:
        return palette
    if kind < 0.62:  # one ink
        ink = near(rng, one_of(rng, (palette.dark, palette.blue, palette.green, (110, 70, 40))), 14)
        red = palette.red if rng.random() < 0.6 else ink
        return Palette(red, ink, ink, ink)
    if kind < 0.74:  # pastel
        mix = float(rng.uniform(0.15, 0.42))
        return Palette(
            *(
                (r + int((235 - r) * mix), g + int((235 - g) * mix), b + int((235 - b) * mix))
                for r, g, b in palette
            )
        )
    spread = 26.0 if kind < 0.9 else 45.0
    return Palette(
        near(rng, one_of(rng, (palette.red, (220, 60, 20), (200, 20, 90))), spread * 0.5),
        near(rng, one_of(rng, (palette.green, (0, 150, 120), (110, 150, 20))), spread),
        near(rng, one_of(rng, (palette.blue, (90, 50, 160), (0, 140, 190), (20, 20, 30))), spread),
        near(rng, one_of(rng, (palette.dark, (60, 30, 20), (50, 20, 70))), spread),
    )


def _painted(style: Style, paints: Palette, rng: np.random.Generator) -> Style:
    """The style in other paints, and some of its parts in another of them."""

    def pick(usual: tuple[InkColour, ...]) -> InkColour:
        return one_of(rng, usual) if rng.random() < 0.85 else one_of(rng, paints)

    wind = pick((paints.dark, paints.blue, paints.green))
    myriad = pick((paints.red, paints.red, paints.red, paints.dark, paints.blue))
    numeral = pick((wind, wind, paints.blue, paints.dark, paints.red))
    if numeral == myriad == paints.red:  # the plain five would be the red one
        numeral = paints.dark
    five = style.five_paint
    if paints.red in (paints.green, paints.dark) and five is None:
        five = (255, 96, 84) if sum(paints.dark) > 380 else (214, 34, 40)
    return replace(
        style,
        five_paint=five,
        palette=paints,
        wind=wind,
        numeral=numeral,
        myriad=myriad,
        latin_colour=one_of(rng, paints),
        frame=pick((paints.blue, paints.blue, paints.dark, paints.green)),
    )
