"""Parts of tile faces composed at random, so that style is a continuum and not a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

Shape = Literal["disc", "ring", "petals", "spokes", "beads", "teeth", "lens"]
Corner = Literal["square", "round", "cut", "notched", "stepped"]
AtCorners = Literal["", "dots", "scrolls", "flowers", "bars"]
AtSides = Literal["", "dots", "scrolls", "diamonds"]
Inside = Literal["", "hatch", "diamond", "letter", "character", "cross"]


@dataclass(frozen=True)
class Layer:
    """One part of a round ornament; lengths are shares of its radius."""

    shape: Shape
    outer: float
    inner: float = 0.0
    count: int = 1
    """Of petals, spokes, beads or teeth about the middle."""
    paint: int | None = 0
    """Place in the ornament's paints; None takes paint away."""
    turn_deg: float = 0.0


@dataclass(frozen=True)
class Stick:
    """One stick of bamboo; widths are shares of the usual width, places of its length."""

    widths: tuple[float, ...]
    """From its top to its foot."""
    core: float
    """Width of the clear line along it, 0 for none."""
    core_parts: int
    joints: tuple[float, ...]
    """Places, -0.5 to 0.5, of lines across it."""
    joint_wide: float
    """Width of the lines across; less than one and they are clear."""
    hollow: float
    """Share of the width that is clear inside, 0 for a filled stick."""
    leaves: int


@dataclass(frozen=True)
class Edge:
    """One line of the white dragon's frame, in units of the face."""

    inset: float
    line: float
    corner: Corner
    reach: float
    """How far the corner takes from the sides."""
    dashes: int
    """Gaps on the way round, 0 for a whole line."""
    paint: int


@dataclass(frozen=True)
class FaceFrame:
    """The white dragon's frame."""

    width: float
    height: float
    edges: tuple[Edge, ...]
    corners: AtCorners
    sides: AtSides
    inside: Inside


@dataclass(frozen=True)
class Hand:
    """How characters are written: what the font's outlines are bent by."""

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


PLAIN_HAND: Final = Hand()


@dataclass(frozen=True)
class Make:
    """What is composed for a set; what is None is the family's own."""

    dot: tuple[Layer, ...] = ()
    rosette: tuple[Layer, ...] = ()
    stick: Stick | None = None
    frame: FaceFrame | None = None
    bird_seed: int | None = None
    hand: Hand = PLAIN_HAND
    second: bool = False
    """Whether dots have a second colour."""
    index_on: str = "mpsz"
    """Suits that carry corner letters."""
    index_ring: bool = False
    figures: bool = False
    """A teaching set: large numerals, each with its suit's sign."""
    marked_five: bool = False
    """Whether red fives differ from plain ones only by a large mark."""
    five_paint: tuple[int, int, int] | None = None
    """Paint of the red fives, where it is not the set's red."""


AS_THE_FAMILY: Final = Make()


def random_make(rng: np.random.Generator) -> Make:
    """Half of the parts composed, half left to the family."""
    chance = rng.random
    return Make(
        dot=random_dot(rng) if chance() < 0.6 else (),
        rosette=random_rosette(rng) if chance() < 0.6 else (),
        stick=random_stick(rng) if chance() < 0.55 else None,
        frame=random_frame(rng) if chance() < 0.5 else None,
        bird_seed=int(rng.integers(1 << 31)) if chance() < 0.5 else None,
        hand=_random_hand(rng) if chance() < 0.6 else PLAIN_HAND,
        second=bool(chance() < 0.25),
        index_on=str(rng.choice(["mpsz", "mpsz", "mps", "m", "mz", "ps"])),
        index_ring=bool(chance() < 0.08),
        figures=bool(chance() < 0.04),
        marked_five=bool(chance() < 0.05),
    )


def random_dot(rng: np.random.Generator) -> tuple[Layer, ...]:
    """A small round ornament: coin, wheel, flower, button, ring."""
    kind = rng.choice(["coin", "flower", "wheel", "button", "beads", "rings"])
    turn = float(rng.choice([0.0, rng.uniform(0, 90)]))
    count = int(rng.integers(4, 13))
    if kind == "coin":
        hole = float(rng.uniform(0.12, 0.5))
        rim = float(rng.uniform(0.66, 0.9))
        found = [Layer("disc", 1.0), Layer("ring", rim, rim - 0.1, paint=None)]
        found += [Layer("disc", hole, paint=None)] * int(rng.random() < 0.6)
    elif kind == "flower":
        inner = float(rng.uniform(0.1, 0.35))
        found = [Layer("petals", 1.0, inner, count, 0, turn)]
        if rng.random() < 0.5:
            found.append(Layer("petals", 0.82, inner + 0.12, count, None, turn))
        found += _heart(rng, inner + 0.1)
    elif kind == "wheel":
        rim = float(rng.uniform(0.7, 0.88))
        found = [Layer("ring", 1.0, rim)]
        spoke: Shape = "petals" if rng.random() < 0.5 else "spokes"
        found.append(Layer(spoke, rim - 0.02, float(rng.uniform(0.1, 0.4)), count, 0, turn))
        found += _heart(rng, 0.34)
    elif kind == "button":
        found = [Layer("teeth" if rng.random() < 0.4 else "disc", 1.0, 0.86, count + 6)]
        cut: Shape = "petals" if rng.random() < 0.6 else "beads"
        found.append(Layer(cut, 0.78, 0.2, count, None, turn))
        found += _heart(rng, 0.24)
    elif kind == "beads":
        found = [Layer("beads", 1.0, 0.66, count + 2, 0, turn)]
        found += [Layer("ring", 0.6, 0.46)] * int(rng.random() < 0.6)
        found += _heart(rng, 0.3)
    else:
        found, at = [], 1.0
        while at > 0.2:
            line = float(rng.uniform(0.08, 0.26))
            found.append(Layer("ring", at, max(at - line, 0.0), paint=len(found) % 2))
            at -= line + float(rng.uniform(0.08, 0.25))
        found += _heart(rng, 0.16)
    return tuple(found)


def random_rosette(rng: np.random.Generator) -> tuple[Layer, ...]:
    """The one of circles: many rings of ornament in up to three colours."""
    found: list[Layer] = []
    at = 1.0
    for _ in range(int(rng.integers(3, 7))):
        deep = float(rng.uniform(0.1, 0.34))
        shape: Shape = _SHAPES[int(rng.integers(len(_SHAPES)))]
        paint, count = int(rng.integers(3)), int(rng.integers(6, 25))
        inner = max(at - deep, 0.04)
        if shape in ("disc", "ring"):
            inner = max(at - min(deep, 0.16), 0.04)
            shape = "ring"
        elif rng.random() < 0.4:  # the same shapes cut out of a band
            found.append(Layer("ring", at, inner, paint=paint))
            found.append(Layer(shape, at - 0.02, inner + 0.02, count, None))
            at = inner - float(rng.uniform(0, 0.05))
            continue
        found.append(Layer(shape, at, inner, count, paint, float(rng.uniform(0, 90))))
        at = inner - float(rng.uniform(0, 0.08))
        if at < 0.2:
            break
    found += _heart(rng, max(0.12, min(at, 0.4)))
    return tuple(found)


_SHAPES: Final[tuple[Shape, ...]] = (
    "ring", "ring", "disc", "petals", "petals", "spokes", "beads", "teeth", "lens",
)  # fmt: skip


def _heart(rng: np.random.Generator, radius: float) -> list[Layer]:
    """What is in the middle of an ornament."""
    paint = int(rng.integers(2))
    match int(rng.integers(5)):
        case 0:
            return []
        case 1:
            return [Layer("disc", radius, paint=paint)]
        case 2:
            return [Layer("ring", radius, radius * 0.55, paint=paint)]
        case 3:
            count = int(rng.integers(3, 7))
            return [Layer("disc", radius, paint=None), Layer("petals", radius, 0.0, count, paint)]
        case _:
            return [Layer("disc", radius, paint=None), Layer("disc", radius * 0.6, paint=paint)]


def random_stick(rng: np.random.Generator) -> Stick:
    """A stick: bone, bar, reed, string of beads, leafy cane."""
    knots = int(rng.choice([1, 3, 3, 4, 5, 5, 7]))
    widths = tuple(float(width) for width in rng.uniform(0.5, 1.15, knots))
    if rng.random() < 0.8:  # the same from both ends
        widths = tuple(widths[min(k, knots - 1 - k)] for k in range(knots))
    joints = int(rng.choice([0, 0, 1, 2, 3, 4]))
    filled = rng.random() < 0.7
    return Stick(
        widths=widths if knots > 1 else widths * 2,
        core=float(rng.uniform(0.12, 0.36)) if filled and rng.random() < 0.6 else 0.0,
        core_parts=int(rng.integers(1, 4)),
        joints=tuple(float(at) for at in np.linspace(-0.42, 0.42, joints + 2)[1:-1]),
        joint_wide=float(rng.uniform(1.1, 1.5) if rng.random() < 0.5 else rng.uniform(0.6, 0.95)),
        hollow=0.0 if filled else float(rng.uniform(0.3, 0.7)),
        leaves=int(rng.integers(1, 3)) if rng.random() < 0.12 else 0,
    )


def random_frame(rng: np.random.Generator) -> FaceFrame:
    """Frames of one to three lines, plain or ornate."""
    corners: tuple[Corner, ...] = ("square", "round", "round", "cut", "notched", "stepped")
    inset, edges = 0.0, []
    corner: Corner = corners[int(rng.integers(len(corners)))]
    for _ in range(int(rng.choice([1, 1, 2, 2, 3]))):
        line = float(rng.uniform(0.9, 5.0) if rng.random() < 0.8 else rng.uniform(5, 9))
        if rng.random() < 0.3:
            corner = corners[int(rng.integers(len(corners)))]
        dashes = int(rng.integers(4, 30)) if rng.random() < 0.18 else 0
        reach = float(rng.uniform(2, 11))
        edges.append(Edge(inset, line, corner, reach, dashes, int(rng.integers(2))))
        inset += line + float(rng.uniform(1.2, 5))
    ornate = rng.random() < 0.4
    inside: Inside = ""
    if rng.random() < 0.3:
        inside = _INSIDES[int(rng.integers(len(_INSIDES)))]
    return FaceFrame(
        width=float(rng.uniform(36, 62)),
        height=float(rng.uniform(54, 86)),
        edges=tuple(edges),
        corners=_CORNERS[int(rng.integers(len(_CORNERS)))] if ornate else "",
        sides=_SIDES[int(rng.integers(len(_SIDES)))] if ornate and rng.random() < 0.6 else "",
        inside=inside,
    )


_INSIDES: Final[tuple[Inside, ...]] = ("hatch", "diamond", "letter", "character", "cross")
_CORNERS: Final[tuple[AtCorners, ...]] = ("dots", "scrolls", "flowers", "bars")
_SIDES: Final[tuple[AtSides, ...]] = ("dots", "scrolls", "diamonds")


def _random_hand(rng: np.random.Generator) -> Hand:
    return Hand(
        slant=float(rng.normal(0, 0.07)),
        taper=float(rng.normal(0, 0.08)),
        wave=float(rng.uniform(0, 0.025)),
        narrow=float(rng.uniform(0.72, 1.12)),
        hollow=bool(rng.random() < 0.1),
        numeral=float(rng.uniform(0.75, 1.2)),
        myriad=float(rng.uniform(0.7, 1.12)),
    )
