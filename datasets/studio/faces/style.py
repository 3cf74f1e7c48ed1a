"""What makes one set of tiles look unlike another: families, and a style from each seed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

import numpy as np

from studio.faces.canvas import Colour
from studio.faces.make import AS_THE_FAMILY, Make

_Choice = TypeVar("_Choice")

HELD_OUT: Final = "taiwanese"
"""The family left out of training: its circles, sticks, bird and fonts occur nowhere else."""


@dataclass(frozen=True)
class Family:
    """Everything that sets of one tradition choose from."""

    fonts: tuple[str, ...]
    dots: tuple[str, ...]
    rosettes: tuple[str, ...]
    sticks: tuple[str, ...]
    birds: tuple[str, ...]
    whites: tuple[str, ...]
    latin: float
    """Share of sets with small Latin numerals and letters in a corner."""
    two_colours: float
    """Share of sets whose blue is the dark colour, or green is."""
    simplified: float = 0.0
    formal_five: float = 0.5
    """Share of sets that write 伍 for 五."""
    inverted: float = 0.05
    """Share of sets with six and seven of circles red above."""
    w_above: float = 0.85
    """Share of sets whose eight of bamboos has the W above the M."""
    bold: tuple[float, float] = (0.0, 0.8)
    latin_big: float = 0.1


_BRUSH = (
    "kouzan-kaisho",
    "kouzan-gyosho",
    "aoyagi-kouzan-t",
    "yuji-syuku",
    "yuji-mai",
    "ar-pl-ukai",
)
_PRINT = ("shippori-mincho", "noto-serif-tc", "cactus-serif")
_PLAIN = ("noto-sans-sc", "noto-sans-tc-medium", "dela-gothic", "reggae", "potta")
_REDS = ((196, 30, 38), (170, 28, 40), (222, 48, 50), (150, 20, 36), (124, 20, 30))
_GREENS = ((20, 110, 60), (12, 82, 44), (30, 140, 84), (60, 110, 30), (14, 58, 42), (20, 46, 36))
_SIMPLIFIED_ONLY = ("ma-shan-zheng", "zcool-xiaowei")

FAMILY: Final[dict[str, Family]] = {
    "chinese": Family(
        fonts=_BRUSH,
        dots=("rings", "target", "eye"),
        rosettes=("bands", "petals", "wheel"),
        sticks=("bone", "core", "segments"),
        birds=("parrot", "sparrow", "peacock"),
        whites=("double", "single", "cut", "character"),
        latin=0.15,
        two_colours=0.25,
    ),
    "japanese": Family(
        fonts=_BRUSH + _PRINT,
        dots=("rings", "wheel", "eye", "target"),
        rosettes=("petals", "wheel", "chrysanthemum"),
        sticks=("segments", "core", "bone"),
        birds=("peacock", "sparrow"),
        whites=("empty", "empty", "empty", "single"),
        latin=0.05,
        two_colours=0.35,
        formal_five=0.75,
        w_above=0.4,
    ),
    "hongkong": Family(
        fonts=_BRUSH,
        dots=("cross", "wheel", "rings"),
        rosettes=("shield", "chrysanthemum", "wheel"),
        sticks=("beads", "beam", "bone"),
        birds=("owl", "crane", "parrot"),
        whites=("ornate", "fret", "lettered", "double"),
        latin=0.8,
        two_colours=0.7,
    ),
    "american": Family(
        fonts=(*_BRUSH[3:], *_PRINT),
        dots=("rings", "eye", "cross", "plain"),
        rosettes=("bands", "shield", "chrysanthemum"),
        sticks=("core", "bone", "beam"),
        birds=("crane", "peacock", "owl"),
        whites=("lettered", "ornate", "cut", "single"),
        latin=1.0,
        two_colours=0.3,
        latin_big=0.6,
    ),
    "modern": Family(
        fonts=(*_PLAIN, "klee", "ma-shan-zheng", "zcool-xiaowei", "ar-pl-ukai"),
        dots=("plain", "eye", "rings", "target"),
        rosettes=("bands", "petals", "wheel"),
        sticks=("plain", "segments", "core", "beads"),
        birds=("sparrow", "parrot", "owl"),
        whites=("empty", "single", "character", "double"),
        latin=0.4,
        two_colours=0.15,
        simplified=0.5,
        formal_five=0.2,
        bold=(0.0, 0.4),
    ),
    HELD_OUT: Family(
        fonts=("kaisei-opti", "hina-mincho"),
        dots=("flower",),
        rosettes=("lotus",),
        sticks=("hourglass",),
        birds=("phoenix",),
        whites=("sign",),
        latin=0.3,
        two_colours=0.4,
    ),
}
FAMILIES: Final = tuple(FAMILY)
TRAINING_FAMILIES: Final = tuple(name for name in FAMILIES if name != HELD_OUT)

CHARACTERS: Final = {
    **{f"{rank}m": "一二三四五六七八九"[rank - 1] for rank in range(1, 10)},
    **{f"{rank}z": "東南西北白發中"[rank - 1] for rank in range(1, 8)},
    **{f"{rank}f": "春夏秋冬梅蘭菊竹"[rank - 1] for rank in range(1, 9)},
}
"""The character of each face that has one, in its traditional form."""

SIMPLIFIED: Final = {"東": "东", "發": "发", "萬": "万", "蘭": "兰"}


@dataclass(frozen=True)
class Palette:
    """Paints of a set."""

    red: Colour
    green: Colour
    blue: Colour
    dark: Colour


@dataclass(frozen=True)
class Style:
    """One set of tiles, as decided by its seed; sizes are shares of the usual size."""

    family: str
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
    numeral: Colour
    myriad: Colour
    wind: Colour
    latin: str
    """Corner of the Latin numerals: ``""``, ``left``, ``right``, ``both`` or ``low``."""
    latin_colour: Colour
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
    frame: Colour
    """Paint of the white dragon."""
    shift: tuple[float, float]
    red_dot: bool
    """Whether red fives carry a dot besides."""
    plant_seed: int
    make: Make = AS_THE_FAMILY
    dots: tuple[Colour, Colour, Colour] = field(init=False)
    """First, middle (red) and last colour of the circles."""

    def __post_init__(self) -> None:
        first, last = self.palette.green, self.palette.blue
        if self.rank_swap:
            first, last = last, first
        object.__setattr__(self, "dots", (first, self.palette.red, last))

    def all_red(self) -> Style:
        """The same style with nothing but red paint: for the red fives."""
        red = self.make.five_paint or self.palette.red
        paint = Palette(red, red, red, red)
        return replace(self, palette=paint, numeral=red, myriad=red, wind=red, latin_colour=red)


def style_of(family: str, rng: np.random.Generator) -> Style:
    """Draw a style of a family."""
    choices = FAMILY[family]
    palette = _palette(rng, choices)
    chance = rng.random
    latin = ""
    if chance() < choices.latin:
        latin = _one(rng, ("left", "left", "right", "both", "low"))
    wind = _one(rng, (palette.dark, palette.dark, palette.blue, palette.blue, palette.green))
    font = _one(rng, choices.fonts)
    return Style(
        family=family,
        palette=palette,
        font=font,
        latin_font=_one(
            rng, ("noto-sans-sc", "noto-serif-tc", "ar-pl-ukai", "cactus-serif", "dela-gothic")
        ),
        fallback="ar-pl-ukai" if family != HELD_OUT else "cactus-serif",
        dot=_one(rng, choices.dots),
        rosette=_one(rng, choices.rosettes),
        stick=_one(rng, choices.sticks),
        bird=_one(rng, choices.birds),
        white=_one(rng, choices.whites),
        numeral=_one(rng, (wind, wind, palette.blue, palette.dark)),
        myriad=palette.red if chance() < 0.85 else palette.dark,
        wind=wind,
        latin=latin,
        latin_colour=_one(rng, (palette.red, palette.red, palette.blue, palette.dark)),
        latin_size=float(
            rng.uniform(16, 21) if chance() < choices.latin_big else rng.uniform(9, 14)
        ),
        simplified=bool(chance() < choices.simplified) or font in _SIMPLIFIED_ONLY,
        formal_five=bool(chance() < choices.formal_five),
        inverted=bool(chance() < choices.inverted),
        w_above=bool(chance() < choices.w_above),
        red_tops=bool(chance() < 0.2),
        blue_sticks=bool(chance() < 0.6),
        rank_swap=bool(chance() < 0.2),
        bold=float(rng.uniform(*choices.bold)),
        size=float(rng.uniform(0.86, 1.04)),
        dot_size=float(rng.uniform(0.86, 1.12)),
        stick_size=float(rng.uniform(0.85, 1.45)),
        stick_length=float(rng.uniform(0.84, 1.0)),
        character_size=float(rng.uniform(0.82, 1.08)),
        spread=float(rng.uniform(0.9, 1.06)),
        line=float(rng.uniform(0.75, 1.35)),
        stretch=(float(rng.uniform(0.92, 1.06)), float(rng.uniform(0.92, 1.04))),
        hollow=bool(chance() < 0.45),
        frame=_one(rng, (palette.blue, palette.blue, palette.dark, palette.green)),
        shift=(float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8))),
        red_dot=bool(chance() < 0.35),
        plant_seed=int(rng.integers(1 << 31)),
    )


def _palette(rng: np.random.Generator, choices: Family) -> Palette:
    red = near(rng, _one(rng, _REDS))
    green = near(rng, _one(rng, _GREENS))
    blue = near(rng, _one(rng, ((28, 52, 150), (20, 36, 110), (30, 90, 180), (14, 70, 130))))
    dark = near(rng, _one(rng, ((22, 24, 28), (30, 40, 44), (16, 30, 60), (48, 40, 38))), 6)
    if rng.random() < choices.two_colours:
        blue = dark
        if rng.random() < 0.35:
            green = dark
    return Palette(red, green, blue, dark)


def near(rng: np.random.Generator, colour: Colour, spread: float = 10.0) -> Colour:
    red, green, blue = (int(np.clip(c + rng.normal(0, spread), 0, 255)) for c in colour)
    return (red, green, blue)


def _one(rng: np.random.Generator, choices: tuple[_Choice, ...]) -> _Choice:
    return choices[int(rng.integers(len(choices)))]
