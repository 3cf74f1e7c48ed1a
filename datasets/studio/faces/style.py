"""What makes one set of tiles look unlike another: families, and a style from each seed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from studio.faces.arrangement import USUAL, MarkArrangement
from studio.faces.canvas import InkColour

_Choice = TypeVar("_Choice")

HELD_OUT: Final = "taiwanese"
"""The family left out of training: its circles, sticks, bird and fonts occur nowhere else."""


@dataclass(frozen=True)
class Family:
    """What the sets of one tradition choose from; ``families.toml`` says what each is."""

    fonts: tuple[str, ...]
    dots: tuple[str, ...]
    rosettes: tuple[str, ...]
    sticks: tuple[str, ...]
    birds: tuple[str, ...]
    whites: tuple[str, ...]
    latin: float
    latin_big: float
    two_colours: float
    simplified: float
    formal_five: float
    inverted: float
    w_above: float
    bold: tuple[float, float]


def _families() -> dict[str, Family]:
    text = Path(__file__).with_name("families.toml").read_text(encoding="utf-8")

    def of(row: dict[str, Any]) -> dict[str, Any]:
        return {key: tuple(v) if isinstance(v, list) else v for key, v in row.items()}

    return {name: Family(**of(row)) for name, row in tomllib.loads(text).items()}


FAMILY: Final = _families()
FAMILIES: Final = tuple(FAMILY)
TRAINING_FAMILIES: Final = tuple(name for name in FAMILIES if name != HELD_OUT)
CORNERS: Final = ("left", "left", "right", "both", "low")
"""Where the Latin letters are."""
_SIZES: Final = {
    "size": ((0.86, 1.04), (0.78, 1.08)),
    "dot_size": ((0.86, 1.12), (0.7, 1.2)),
    "stick_size": ((0.85, 1.45), (0.7, 1.7)),
    "stick_length": ((0.84, 1.0), (0.78, 1.18)),
    "character_size": ((0.82, 1.08), (0.7, 1.16)),
    "spread": ((0.9, 1.06), (0.82, 1.08)),
    "line": ((0.75, 1.35), (0.6, 1.6)),
}
"""Least and most of the sizes of a style: of a tradition's sets, and of mixed ones."""
_LATIN_FONTS = ("noto-sans-sc", "noto-serif-tc", "ar-pl-ukai", "cactus-serif", "dela-gothic")
_SIMPLIFIED_ONLY = ("ma-shan-zheng", "zcool-xiaowei")
_REDS = ((196, 30, 38), (170, 28, 40), (222, 48, 50), (150, 20, 36), (124, 20, 30))
_GREENS = ((20, 110, 60), (12, 82, 44), (30, 140, 84), (60, 110, 30), (14, 58, 42), (20, 46, 36))
_BLUES = ((28, 52, 150), (20, 36, 110), (30, 90, 180), (14, 70, 130))
_DARKS = ((22, 24, 28), (30, 40, 44), (16, 30, 60), (48, 40, 38))


class Palette(NamedTuple):
    """Paints of a set."""

    red: InkColour
    green: InkColour
    blue: InkColour
    dark: InkColour


@dataclass(frozen=True)
class Handwriting:
    """How the outlines of a font are bent."""

    slant: float = 0.0
    taper: float = 0.0
    """How much wider the foot is than the top."""
    wave: float = 0.0
    narrow: float = 1.0
    hollow: bool = False
    """Whether strokes are drawn as outlines."""
    numeral: float = 1.0
    """Size of the numerals of the characters' suit."""
    myriad: float = 1.0


PRINT: Final = Handwriting()


@dataclass(frozen=True)
class Style:
    """One set of tiles, as decided by its seed; sizes are shares of the usual size."""

    palette: Palette
    font: str
    latin_font: str
    fallback: str
    """A font that knows every character."""
    dot: str
    rosette: str
    stick: str
    bird: str
    white: str
    numeral: InkColour
    myriad: InkColour
    wind: InkColour
    latin: str
    """Corner of the Latin numerals: ``""``, ``left``, ``right``, ``both`` or ``low``."""
    latin_colour: InkColour
    latin_size: float
    simplified: bool
    formal_five: bool
    inverted: bool
    w_above: bool
    red_tops: bool
    """Whether the upper stick of three bamboos is red."""
    blue_sticks: bool
    rank_swap: bool
    """Whether first and third colour of the circles change places."""
    bold: float
    size: float
    dot_size: float
    stick_size: float
    stick_length: float
    character_size: float
    spread: float
    """How far apart the marks lie."""
    line: float
    stretch: tuple[float, float]
    """Width and height of everything but the corner letters."""
    hollow: bool
    """Whether birds are drawn in lines rather than filled."""
    frame: InkColour
    """Paint of the white dragon."""
    shift: tuple[float, float]
    red_dot: bool
    """Whether red fives carry a dot besides."""
    plant_seed: int
    mixed: Mapping[str, int] = field(default_factory=dict)
    """Kinds of motif that are mixed from parts, with the seed of the mix; others are as named."""
    mark: str = ""
    """Writing inside a mixed frame: ``letter`` or ``character``."""
    hand: Handwriting = PRINT
    arrangement: MarkArrangement = USUAL
    """Where the marks of circles and bamboos lie, and how they differ."""
    second_ink: bool = False
    """Whether mixed dots have a second colour."""
    latin_suits: str = "mpsz"
    latin_ring: bool = False
    teaching: bool = False
    """A set for learners: large numerals, each with its suit's sign."""
    marked_five: bool = False
    """Whether red fives differ from plain ones only by a large mark."""
    five_paint: InkColour | None = None
    """Paint of the red fives, where it is not the set's red."""

    def all_red(self) -> Style:
        """The same style with nothing but red paint: for the red fives."""
        red = self.five_paint or self.palette.red
        paint = Palette(red, red, red, red)
        return replace(self, palette=paint, numeral=red, myriad=red, wind=red, latin_colour=red)


def style_of(family: str, rng: np.random.Generator) -> Style:
    """Draw a style of a family."""
    of = FAMILY[family]
    palette = _palette(rng, of.two_colours)
    chance = rng.random
    latin = one_of(rng, CORNERS) if chance() < of.latin else ""
    wind = one_of(rng, (palette.dark, palette.dark, palette.blue, palette.blue, palette.green))
    font = one_of(rng, of.fonts)
    return Style(
        palette=palette,
        font=font,
        latin_font=one_of(rng, _LATIN_FONTS),
        fallback="ar-pl-ukai" if family != HELD_OUT else "cactus-serif",
        dot=one_of(rng, of.dots),
        rosette=one_of(rng, of.rosettes),
        stick=one_of(rng, of.sticks),
        bird=one_of(rng, of.birds),
        white=one_of(rng, of.whites),
        numeral=one_of(rng, (wind, wind, palette.blue, palette.dark)),
        myriad=palette.red if chance() < 0.85 else palette.dark,
        wind=wind,
        latin=latin,
        latin_colour=one_of(rng, (palette.red, palette.red, palette.blue, palette.dark)),
        latin_size=float(rng.uniform(*((16, 21) if chance() < of.latin_big else (9, 14)))),
        simplified=bool(chance() < of.simplified) or font in _SIMPLIFIED_ONLY,
        formal_five=bool(chance() < of.formal_five),
        inverted=bool(chance() < of.inverted),
        w_above=bool(chance() < of.w_above),
        red_tops=bool(chance() < 0.2),
        blue_sticks=bool(chance() < 0.6),
        rank_swap=bool(chance() < 0.2),
        bold=float(rng.uniform(*of.bold)),
        **sizes(rng, mixed=False),
        stretch=(float(rng.uniform(0.92, 1.06)), float(rng.uniform(0.92, 1.04))),
        hollow=bool(chance() < 0.45),
        frame=one_of(rng, (palette.blue, palette.blue, palette.dark, palette.green)),
        shift=(float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8))),
        red_dot=bool(chance() < 0.35),
        plant_seed=int(rng.integers(1 << 31)),
    )


def _palette(rng: np.random.Generator, two_colours: float) -> Palette:
    red, green, blue = (near(rng, one_of(rng, paints)) for paints in (_REDS, _GREENS, _BLUES))
    dark = near(rng, one_of(rng, _DARKS), 6)
    if rng.random() < two_colours:
        blue = dark
        if rng.random() < 0.35:
            green = dark
    return Palette(red, green, blue, dark)


def sizes(rng: np.random.Generator, mixed: bool) -> dict[str, Any]:
    """Draw the sizes of a style."""
    return {name: float(rng.uniform(*spans[mixed])) for name, spans in _SIZES.items()}


def near(rng: np.random.Generator, colour: InkColour, spread: float = 10.0) -> InkColour:
    red, green, blue = (int(np.clip(c + rng.normal(0, spread), 0, 255)) for c in colour)
    return (red, green, blue)


def one_of(rng: np.random.Generator, choices: Sequence[_Choice]) -> _Choice:
    return choices[int(rng.integers(len(choices)))]
