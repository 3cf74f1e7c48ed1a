"""Furniture and other things in a room, built of boxes, tubes and cones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from studio.materials.appearance import Colour
from studio.scene import PropKind, RoomKind, triple
from studio.things.table_body import BodyPart

_BLACK: Final[Colour] = (0.015, 0.015, 0.018)
_WHITE: Final[Colour] = (0.8, 0.79, 0.75)
_STEEL: Final[Colour] = (0.4, 0.41, 0.43)
SEAT_MM: Final = 450.0
DESK_MM: Final = 720.0


def _chair(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A chair with its back towards +y: cushioned, slatted, quilted or round."""
    wide, deep = rng.uniform(180, 270), rng.uniform(180, 260)
    frame = None if rng.random() < 0.4 else _shade(rng)
    kind = str(rng.choice(["plain", "plain", "slats", "quilt", "round", "rimmed"]))
    yield from _legs(rng, wide * 0.86, deep * 0.86, SEAT_MM - 20, frame)
    if kind == "round":
        yield "disc", (0, 0, SEAT_MM), (wide, wide, rng.uniform(12, 40)), None
    elif kind == "slats":
        yield from _slats(wide, deep, SEAT_MM, int(rng.integers(4, 9)), bool(rng.random() < 0.5))
    elif kind == "quilt":
        yield from _quilt(rng, wide, deep, SEAT_MM)
    else:
        thick = rng.uniform(12, 50)
        yield "box", (0, 0, SEAT_MM), (wide, deep, thick), None
        if kind == "rimmed":
            inner = _shade(rng)
            yield "box", (0, 0, SEAT_MM + 4), (wide * 0.84, deep * 0.84, thick), inner
    yield from _back(rng, wide, deep, frame)
    if rng.random() < 0.3:
        for side in (-1, 1):
            yield "box", (side * wide, 0, 640), (rng.uniform(14, 32), deep * 0.8, 14), frame
            yield "box", (side * wide, -deep * 0.6, 540), (12, 12, 100), frame


def _back(
    rng: np.random.Generator, wide: float, deep: float, frame: Colour | None
) -> Iterator[BodyPart]:
    tall, kind = rng.uniform(180, 260), rng.random()
    thick, middle = rng.uniform(10, 35), SEAT_MM + 200.0
    if kind < 0.15:
        return
    if kind < 0.5:
        yield "box", (0, deep + thick, middle), (wide * rng.uniform(0.8, 1.05), thick, tall), None
        return
    for side in (-1, 1):
        yield "tube", (side * wide * 0.85, deep, middle - 20), (16, 16, tall + 20), frame
    if kind < 0.75:
        for level in np.linspace(-0.6, 1.0, int(rng.integers(2, 5))):
            yield "box", (0, deep, middle + level * tall), (wide * 0.85, 11, 24), None
    else:
        yield "box", (0, deep, middle + tall), (wide * 0.9, 18, 28), None
        for x in np.linspace(-0.6, 0.6, int(rng.integers(3, 7))):
            yield "tube", (float(x) * wide, deep, middle), (9, 9, tall), frame


def _legs(
    rng: np.random.Generator, wide: float, deep: float, tall: float, colour: Colour | None
) -> Iterator[BodyPart]:
    thin = rng.uniform(12, 26)
    mesh = "tube" if rng.random() < 0.5 else "box"
    for x in (-1, 1):
        for y in (-1, 1):
            half = (thin, thin, tall / 2)
            at = (x * wide, y * deep, tall / 2)
            yield ("tube", at, half, colour) if mesh == "tube" else ("box", at, half, colour)


def _slats(wide: float, deep: float, top: float, count: int, across: bool) -> Iterator[BodyPart]:
    step = 2 * (deep if across else wide) / count
    for place in range(count):
        off = (place - (count - 1) / 2) * step
        at, half = ((0, off), (wide, step * 0.4)) if across else ((off, 0), (step * 0.4, deep))
        yield "box", (*at, top), (*half, 11), None


def _quilt(rng: np.random.Generator, wide: float, deep: float, top: float) -> Iterator[BodyPart]:
    """A seat sewn into fields."""
    columns, rows = (int(n) for n in rng.integers(2, 6, 2))
    yield "box", (0, 0, top - 8), (wide, deep, 24), _shade(rng)
    for column in range(columns):
        for row in range(rows):
            x = ((column + 0.5) / columns * 2 - 1) * wide
            y = ((row + 0.5) / rows * 2 - 1) * deep
            yield "box", (x, y, top + 6), (wide / columns * 0.93, deep / rows * 0.93, 22), None


def _stool(rng: np.random.Generator) -> Iterator[BodyPart]:
    wide = rng.uniform(130, 210)
    yield from _legs(rng, wide * 0.7, wide * 0.7, SEAT_MM - 20, _shade(rng))
    if rng.random() < 0.5:
        yield "disc", (0, 0, SEAT_MM), (wide, wide, 24), None
        yield "disc", (0, 0, SEAT_MM + 4), (wide * 0.85, wide * 0.85, 24), _shade(rng)
    else:
        yield "box", (0, 0, SEAT_MM), (wide, wide * rng.uniform(0.6, 1.0), 20), None


def _bench(rng: np.random.Generator) -> Iterator[BodyPart]:
    wide, deep = rng.uniform(400, 700), rng.uniform(130, 200)
    yield from _legs(rng, wide * 0.9, deep * 0.8, SEAT_MM - 20, _shade(rng))
    yield from _slats(wide, deep, SEAT_MM, int(rng.integers(1, 5)), across=True)


def _sofa(rng: np.random.Generator) -> Iterator[BodyPart]:
    """Cushions side by side, with arms and a back (towards +y)."""
    seats, each, deep = int(rng.integers(1, 3)), rng.uniform(250, 330), rng.uniform(260, 330)
    wide = seats * each
    yield "box", (0, 0, 180), (wide, deep, 180), None
    yield "box", (0, deep + 90, 380), (wide + 110, 90, 380), None
    for side in (-1, 1):
        yield "box", (side * (wide + 70), 0, 290), (70, deep + 60, 290), None
    for seat in range(seats):
        x = (seat - (seats - 1) / 2) * 2 * each
        yield "box", (x, 0, 400), (each * 0.96, deep * 0.96, 60), None
        if rng.random() < 0.5:
            yield "box", (x, deep - 60, 560), (each * 0.6, 60, 160), _shade(rng)


def _desk(rng: np.random.Generator) -> Iterator[BodyPart]:
    """Another table, as high as the filmed one."""
    wide = rng.uniform(380, 520)
    deep = wide if rng.random() < 0.6 else rng.uniform(250, 600)
    kind = rng.random()
    yield from _legs(rng, wide * 0.85, deep * 0.85, DESK_MM - 40, _shade(rng))
    if kind < 0.2:
        yield "disc", (0, 0, DESK_MM - 20), (wide, wide, 18), None
        return
    yield "box", (0, 0, DESK_MM - 22), (wide, deep, 20), None
    if kind < 0.7:  # cloth within a rim
        yield "box", (0, 0, DESK_MM - 16), (wide - 45, deep - 45, 15.5), _shade(rng, 0.5)


def _table(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A mahjong table, 1000 mm wide with its rim, as high as the filmed one."""
    yield from _legs(rng, 380, 380, DESK_MM - 60, _shade(rng))
    yield "box", (0, 0, DESK_MM - 31), (500, 500, 30), None
    yield "box", (0, 0, DESK_MM - 16), (455, 455, 15.9), _shade(rng, 0.4)
    for side in (-1, 1):
        yield "box", (side * 478, 0, DESK_MM), (22, 500, 8), None
        yield "box", (0, side * 478, DESK_MM), (500, 22, 8.2), None


def _rug(rng: np.random.Generator) -> Iterator[BodyPart]:
    """Nested frames, sometimes with a chequered middle."""
    wide, deep = rng.uniform(500, 1400), rng.uniform(400, 1000)
    tones = [_shade(rng) for _ in range(4)]
    shrink, level = 1.0, 2.0
    for ring in range(int(rng.integers(1, 6))):
        yield "box", (0, 0, level), (wide * shrink, deep * shrink, 2), tones[ring % 4]
        shrink, level = shrink * rng.uniform(0.75, 0.95), level + 0.8
    if rng.random() < 0.5:
        columns, rows = (int(n) for n in rng.integers(3, 10, 2))
        size = (wide * shrink / columns, deep * shrink / rows)
        fill, odd = rng.uniform(0.4, 0.9), rng.random() < 0.5
        for column in range(columns):
            for row in range(rows):
                if odd and (column + row) % 2:
                    continue
                x, y = (2 * column + 1 - columns) * size[0], (2 * row + 1 - rows) * size[1]
                yield "box", (x, y, level), (size[0] * fill, size[1] * fill, 2), tones[-1]


def _tiled(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A floor of large tiles with wide joints, some of another colour."""
    step, high = rng.uniform(150, 420), rng.uniform(1.0, 1.3)
    other, gap = _shade(rng), rng.uniform(0.9, 0.985)
    board, odd = rng.random() < 0.4, rng.uniform(0, 0.2)
    across, down = round(2400 / step), round(2000 / step / high)
    for column in range(-across, across + 1):
        for row in range(-down, down + 1):
            aside = (column + row) % 2 == 1 if board else rng.random() < odd
            at = (column * step, row * step * high, 1.5)
            half = (step / 2 * gap, step / 2 * high * gap, 1.5)
            yield "box", at, half, other if aside else None


def _books(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A pile or a row, as on a shelf."""
    if rng.random() < 0.4:
        level = 0.0
        for _ in range(int(rng.integers(1, 5))):
            thick, size = rng.uniform(6, 18), rng.uniform(0.75, 1.1)
            at = (rng.normal(0, 12), rng.normal(0, 12), level + thick)
            yield "box", at, (75 * size, 105 * size, thick), _shade(rng)
            level += 2 * thick
        inked = (rng.uniform(20, 50), rng.uniform(5, 20), 1)
        yield "box", (0, -40, level), inked, _WHITE
        return
    x = -rng.uniform(60, 230)
    yield "box", (0, 0, 6), (240, 100, 6), None
    while x < 220:
        thick, tall = rng.uniform(6, 22), rng.uniform(80, 130)
        yield "box", (x + thick, rng.normal(0, 4), tall + 12), (thick * 0.95, 80, tall), _shade(rng)
        x += 2 * thick


def _keyboard(rng: np.random.Generator) -> Iterator[BodyPart]:
    rows, columns, step = int(rng.integers(4, 7)), int(rng.integers(11, 20)), 19.0
    wide, deep = columns * step / 2 + 8, rows * step / 2 + 8
    yield "box", (0, 0, 7), (wide, deep, 7), None
    keys, other = _shade(rng), _shade(rng)
    for row in range(rows):
        column = 0
        while column < columns:
            long = int(rng.integers(2, 6)) if row == rows - 1 and rng.random() < 0.3 else 1
            long = min(long, columns - column)
            x = (column + long / 2 - columns / 2) * step
            edge = column in (0, columns - 1)
            half = (step * long / 2 - 1.5, step / 2 - 1.5, 7)
            yield "box", (x, (row - (rows - 1) / 2) * step, 11), half, other if edge else keys
            column += long


def _laptop(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 8), (165, 115, 8), None
    for row in range(5):
        for column in range(13):
            yield "box", (21.5 * (column - 6), 20 * row - 80.0, 14), (9.5, 8.5, 3), _BLACK
    yield "box", (0, 75, 14.5), (50, 32, 2), _STEEL
    yield "box", (0, -125, 110), (165, 6, 105), None
    yield "box", (0, -118, 112), (156, 2, 96), (0.35, 0.5, 0.75)


def _console(rng: np.random.Generator) -> Iterator[BodyPart]:
    """The middle of an automatic table: displays with digits about a well with dice."""
    side, shows = 95.0, _BLACK if rng.random() < 0.7 else _shade(rng)
    lit: Colour = ((0.9, 0.1, 0.05), (0.1, 0.8, 0.2), (0.9, 0.7, 0.2), (0.4, 0.7, 1.0))[
        int(rng.integers(4))
    ]
    yield "box", (0, 0, 4), (side, side, 5), None
    if rng.random() < 0.4:
        yield "box", (0, 0, 4.6), (side * 0.93, side * 0.93, 5), _shade(rng)
    digits, buttons = int(rng.integers(2, 6)), int(rng.integers(0, 4))
    for turn in range(4):
        c, s = round(np.cos(turn * np.pi / 2)), round(np.sin(turn * np.pi / 2))

        def at(x: float, y: float, z: float, c: int = c, s: int = s) -> tuple[float, float, float]:
            return c * x - s * y, s * x + c * y, z

        def half(x: float, y: float, z: float, odd: int = turn % 2) -> tuple[float, float, float]:
            return (y, x, z) if odd else (x, y, z)

        yield "box", at(0, side * 0.76, 9), half(36, 12, 1.5), shows
        for digit in range(digits):
            x = (digit - (digits - 1) / 2) * 60 / digits
            yield "box", at(x, side * 0.76, 10.2), half(1.4, 6, 0.6), lit
            if rng.random() < 0.6:
                yield "box", at(x + 3, side * 0.76, 10.2), half(3.4, 1.1, 0.6), lit
        for button in range(buttons):
            x = (button - (buttons - 1) / 2) * 24 + 2
            yield "tube", at(x, side * 0.53, 9), (7, 7, 2), _shade(rng)
    well = rng.uniform(26, 44)
    yield "disc", (0, 0, 9), (well, well, 1.5), _BLACK if rng.random() < 0.6 else _shade(rng)
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(-0.5, 0.5, 2) * well
        yield "box", (float(x), float(y), 16), (6, 6, 6), _WHITE
        yield "ball", (float(x), float(y), 22), (2.2, 2.2, 0.5), (0.6, 0.02, 0.02)


def _crate(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A box, a chest of drawers or a radiator."""
    wide, deep, tall = rng.uniform(150, 500), rng.uniform(120, 260), rng.uniform(100, 430)
    yield "box", (0, 0, tall), (wide, deep, tall), None
    count = int(rng.integers(0, 9))
    for place in range(count):
        x = ((place + 0.5) / count * 2 - 1) * wide
        yield "box", (x, 0, 2 * tall), (wide / count * 0.8, deep * 0.85, 6), _shade(rng)


def _pane(rng: np.random.Generator) -> Iterator[BodyPart]:
    """Sunlight on the floor, through a window with bars."""
    wide, deep = rng.uniform(120, 300), rng.uniform(150, 400)
    columns, rows, slant = int(rng.integers(1, 4)), int(rng.integers(1, 5)), rng.normal(0, 0.2)
    for column in range(columns):
        for row in range(rows):
            x, y = (column - (columns - 1) / 2) * 2.1 * wide, (row - (rows - 1) / 2) * 2.1 * deep
            yield "box", (x + slant * y, y, 1.5), (wide, deep, 1.5), None


def _shade(rng: np.random.Generator, most: float = 0.85) -> Colour:
    """Draw a grey or a colour, dark as often as light."""
    level = float(np.exp(rng.uniform(np.log(0.012), np.log(most))))
    tint = rng.uniform(0.93, 1.0, 3) if rng.random() < 0.5 else rng.uniform(0.15, 1.0, 3)
    return triple(level * tint / tint.max())


FURNITURE: Final[dict[PropKind | RoomKind, Callable[[np.random.Generator], Iterator[BodyPart]]]] = {
    "chair": _chair, "stool": _stool, "bench": _bench, "sofa": _sofa, "desk": _desk,
    "table": _table, "rug": _rug, "tiled": _tiled, "books": _books, "keyboard": _keyboard,
    "laptop": _laptop, "console": _console, "crate": _crate, "pane": _pane,
}  # fmt: skip
