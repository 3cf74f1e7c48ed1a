"""Motifs mixed at random from the parts of others, so that style is a continuum and not a list.

Nothing of the held-out family is ever mixed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

import numpy as np

from studio.faces.canvas import HEIGHT, WIDTH
from studio.faces.motif import CLEAR, InkShape, Motif, Shapes, changed, load, names
from studio.faces.outlines import CIRCLE, CurvePoints, turned
from studio.faces.style import FAMILY, HELD_OUT, Style, one_of

_CORNER: Final = 20.0
"""How far the corners of the files in ``art/outlines`` reach; their sides are 200 long."""


def art_of(style: Style, kind: str) -> Motif:
    """The motif of a set: a mixed one, or the one that its style names."""
    if kind in style.mixed:
        return _mixed(kind, style.mixed[kind])
    return load(kind, getattr(style, kind.removesuffix("s")))


def pool(kind: str) -> tuple[str, ...]:
    """The motifs of a kind that may be mixed into any set."""
    held_out: tuple[str, ...] = getattr(FAMILY[HELD_OUT], kind)
    return tuple(name for name in names(kind) if name not in held_out)


@lru_cache(maxsize=32)
def _mixed(kind: str, seed: int) -> Motif:
    return MIXERS[kind](np.random.default_rng(seed))


def _dot(rng: np.random.Generator) -> Motif:
    """Coin, wheel, flower, button or rings: two or three bands."""
    return _round(rng, ("black", "red"), int(rng.integers(2, 4)), (0.12, 0.7), (4, 13))


def _rosette(rng: np.random.Generator) -> Motif:
    """Many bands of ornament in three colours."""
    return _round(rng, ("blue", "red", "green"), int(rng.integers(3, 7)), (0.1, 0.34), (6, 25))


def _round(
    rng: np.random.Generator,
    inks: tuple[str, ...],
    bands: int,
    deep: tuple[float, float],
    counts: tuple[int, int],
) -> Motif:
    """Bands from the rim inwards: a ring, petals, or a ring with petals cut out of it."""
    shapes: list[InkShape] = []
    outer = 1.0
    for _ in range(bands):
        ink, count = one_of(rng, inks), int(rng.integers(*counts))
        inner = max(outer - float(rng.uniform(*deep)), 0.04)
        kind = rng.random()
        if kind < 0.35:
            inner = max(inner, outer - 0.25)
            shapes.append(_ring(outer, inner, ink))
        elif kind < 0.6:
            shapes.append(_ring(outer, inner, ink))
            shapes += _petals(rng, outer - 0.03, inner + 0.03, count, CLEAR)
        else:
            shapes += _petals(rng, outer, inner, count, ink)
        outer = inner - float(rng.uniform(0, 0.1))
        if outer < 0.2:
            break
    shapes += _heart(rng, float(np.clip(outer, 0.12, 0.4)), one_of(rng, inks))
    return Motif.of((200, 200), shapes)


def _ring(outer: float, inner: float, ink: str) -> InkShape:
    return InkShape(CIRCLE * 50 * (outer + inner), ink, 100 * (outer - inner))


def _petals(
    rng: np.random.Generator, outer: float, inner: float, count: int, ink: str
) -> list[InkShape]:
    """One shape repeated about the middle, from an inner to an outer radius."""
    deep, room = outer - inner, np.pi * (outer + inner) / count
    (shape,) = load("petals", one_of(rng, names("petals"))).shapes
    scale = np.array([deep, min(1.05 * room, 1.3 * deep)])
    first = float(rng.choice([0.0, rng.uniform(0, 90)]))
    petal = shape.points * scale + (100 * inner, 0)
    return [InkShape(turned(petal, first + 360 / count * k), ink) for k in range(count)]


def _heart(rng: np.random.Generator, radius: float, ink: str) -> list[InkShape]:
    """What is in the middle of an ornament."""
    bare = InkShape(CIRCLE * 100 * radius, CLEAR)
    match int(rng.integers(5)):
        case 0:
            return []
        case 1:
            return [InkShape(bare.points, ink)]
        case 2:
            return [_ring(radius, radius * 0.55, ink)]
        case 3:
            return [bare, *_petals(rng, radius, 0.0, int(rng.integers(3, 7)), ink)]
        case _:
            return [bare, InkShape(bare.points * 0.6, ink)]


def _stick(rng: np.random.Generator) -> Motif:
    """The body of one stick with the joints and the hollows of others, its outline bent."""
    body = load("sticks", one_of(rng, pool("sticks")))
    shapes = _part_of(body, "body")
    for name, share in (("joint", 0.5), ("cut", 0.65)):
        other = load("sticks", one_of(rng, pool("sticks")))
        if rng.random() < share:
            wide = np.array([rng.uniform(0.7, 1.3), 1.0])
            shapes += changed(_part_of(other, name), partial(np.multiply, wide))
    widths = rng.uniform(0.45, 1.2, int(rng.choice([2, 3, 3, 4, 5, 7])))
    if rng.random() < 0.8:  # the same from both ends
        widths = (widths + widths[::-1]) / 2
    knots = np.linspace(-0.5, 0.5, len(widths)) * body.size[1]

    def bent(points: CurvePoints) -> CurvePoints:
        x, y = points.T
        return np.stack([x * np.interp(y, knots, widths), y], axis=1)

    return Motif.of(body.size, changed(shapes, bent))


def _part_of(motif: Motif, name: str) -> Shapes:
    part = motif.part(name)
    return part.shapes if part else ()


def _bird(rng: np.random.Generator) -> Motif:
    """The body of one bird with the tail, wings, head, legs and perch of others."""
    body = load("birds", one_of(rng, pool("birds")))
    inks = dict(zip(_BIRD_INKS, rng.permutation(_BIRD_INKS), strict=True))
    shapes: list[InkShape] = []
    for name, share in _BIRD_PARTS.items():
        same = name == "body" or rng.random() < 0.2
        part = (body if same else load("birds", one_of(rng, pool("birds")))).part(name)
        if part is None or rng.random() > share:
            continue
        if name not in ("body", "perch"):
            own = body.part(name) or part
            part = part.put(own.joint, float(rng.normal(0, 14)), float(np.exp(rng.normal(0, 0.14))))
        shapes += [replace(shape, ink=inks.get(shape.ink, shape.ink)) for shape in part.shapes]
    lean, tall, half = float(rng.normal(0, 12)), float(rng.uniform(0.85, 1.1)), body.size * 0.49
    whole = Motif.of(body.size, shapes)
    return whole.changed(lambda p: np.clip(turned(p, lean) * (1, tall), -half, half))


_BIRD_INKS: Final = ("red", "green", "blue")
_BIRD_PARTS: Final = {
    "tail": 1.0, "legs": 0.6, "body": 1.0, "wing": 0.95, "head": 1.0, "perch": 0.35,
}  # fmt: skip
"""The parts of a bird from the back to the front, and how often a mixed one has them."""


def _frame(rng: np.random.Generator) -> Motif:
    """One to three lines, plain or ornate; what is written inside is left to the caller."""
    half = np.array([rng.uniform(18, 31), rng.uniform(27, 43)])
    shapes: list[InkShape] = []
    outline = one_of(rng, names("outlines"))
    for _ in range(int(rng.choice([1, 1, 2, 2, 3]))):
        line = float(rng.uniform(0.9, 5.0) if rng.random() < 0.8 else rng.uniform(5, 9))
        if rng.random() < 0.3:
            outline = one_of(rng, names("outlines"))
        (edge,) = load("outlines", outline).shapes
        corner = np.sign(edge.points) * (100 - np.abs(edge.points)) * float(rng.uniform(2, 11))
        whole = np.sign(edge.points) * (half - line / 2) - corner / _CORNER
        ways = [whole] if rng.random() < 0.82 else _dashes(whole, int(rng.integers(8, 30)))
        ink = one_of(rng, ("blue", "red"))
        shapes += [InkShape(way, ink, line) for way in ways]
        half = half - line - float(rng.uniform(1.2, 5))
        if half.min() < 10:
            break
    if half.min() > 8:
        shapes += _ornaments(rng, half - 2)
    return Motif.of((WIDTH, HEIGHT), shapes)


def _dashes(way: CurvePoints, count: int) -> list[CurvePoints]:
    """A line cut into pieces of equal length, with gaps between them."""
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    found = []
    for k in range(count):
        here = np.linspace(k, k + 0.5, 5) / count
        found.append(np.stack([np.interp(here, along, way[:, axis]) for axis in (0, 1)], axis=1))
    return found


def _ornaments(rng: np.random.Generator, half: CurvePoints) -> Iterable[InkShape]:
    if rng.random() < 0.25:
        yield from load("insides", one_of(rng, names("insides"))).placed((0, 0), 2 * half)
    ornate = rng.random() < 0.4
    corner = load("corners", one_of(rng, names("corners")))
    side = load("sides", one_of(rng, names("sides")))
    places: list[tuple[Motif, tuple[int, int]]] = []
    if ornate:
        places += [(corner, at) for at in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        if rng.random() < 0.6:
            places += [(side, at) for at in ((0, -1), (0, 1), (-1, 0), (1, 0))]
    for motif, at in places:
        inwards = np.where(np.array(at) > 0, -1, 1)
        yield from motif.placed(half * np.array(at), motif.size * inwards)


MIXERS: Final[dict[str, Callable[[np.random.Generator], Motif]]] = {
    "dots": _dot, "rosettes": _rosette, "sticks": _stick, "birds": _bird, "whites": _frame,
}  # fmt: skip
"""What can be mixed, by the folder of its art."""
