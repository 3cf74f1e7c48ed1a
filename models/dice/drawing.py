"""Draw small pictures of dice, and of what is no die, as the net sees the cloth.

A picture shows a square of the plane at the height of a die's upper face, with ``PER_MM`` pixels a
millimetre. What lies lower is displaced towards the camera's side: ``lean`` is that displacement
per millimetre of height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.things.dice import PIPS
from vision.dice.finder import PER_MM

PATCH_PX = 64
"""Side of a picture; a touching neighbour of the die in its middle is in it as well."""
SIDES_MM = (10.5, 22.5)
STEEPEST = 0.75
"""Greatest lean: seen from 37 degrees beside the vertical."""
FINE = 3
"""Pixels are drawn this much smaller."""
PX = FINE * PER_MM
"""Drawn pixels a millimetre."""
MIDDLE_MM = PATCH_PX / PER_MM / 2
SHIFT = 4  # bits of the fraction of a pixel that OpenCV draws with
MOST_DICE = 3

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Points = NDArray[np.float64]


@dataclass(frozen=True)
class DrawnDie:
    """A die whose upper face is in the picture."""

    x_mm: float
    y_mm: float
    """Centre of the upper face, from the top left of the picture."""
    value: int
    side_mm: float
    turn_deg: float
    clear: bool = True
    """Whether it can be read; other dice are neither asked for nor forbidden."""


def draw_picture(rng: Rng) -> tuple[Picture, tuple[DrawnDie, ...]]:
    """Draw a picture and tell its dice."""
    canvas = _cloth(rng)
    angle, steep = rng.uniform(0, 2 * np.pi), STEEPEST * rng.random() ** 0.8
    lean = steep * np.array([np.cos(angle), np.sin(angle)])
    light = _unit(rng.uniform(0, 2 * np.pi)) * rng.uniform(0.1, 1.2)
    kind = rng.random()
    dice: tuple[DrawnDie, ...] = ()
    if rng.random() < 0.12:
        _dish(canvas, rng)
    if kind < 0.28 or rng.random() < 0.12:
        for _ in range(int(rng.integers(1, 4))):
            _thing(canvas, rng, lean)
    if kind < 0.12 or rng.random() < 0.04:
        _fingers(canvas, rng)
    if kind > 0.25:
        dice = _dice(canvas, rng, lean, light)
    if rng.random() < 0.1:
        dice = _behind_hand(canvas, rng, dice)
    return _taken(canvas, rng, dice)


def _dice(canvas: Picture, rng: Rng, lean: Points, light: Points) -> tuple[DrawnDie, ...]:
    """Put one to three dice of one kind on the cloth; some touch."""
    look = _DieLook(rng)
    side = float(rng.uniform(*SIDES_MM) if rng.random() < 0.5 else rng.uniform(12, 17.5))
    places: list[tuple[float, float, float]] = []
    first = MIDDLE_MM + rng.uniform(-1, 1, 2) * (MIDDLE_MM - 0.55 * side)
    count = int(rng.choice([1, 1, 1, 1, 2, 2, 2, 3]))
    for number in range(count):
        turn = float(rng.uniform(0, 90))
        at = first
        if number:
            angle, far = rng.uniform(0, 2 * np.pi), side * rng.uniform(1.42, 2.0)
            if rng.random() < 0.4:  # side by side
                turn = places[-1][2] if rng.random() < 0.8 else turn
                quarter = np.deg2rad(places[-1][2] + 90 * int(rng.integers(4)))
                angle, far = quarter, side * rng.uniform(1.01, 1.06)
                if turn != places[-1][2]:
                    far = side * 1.21
            slide = _unit(angle + np.pi / 2) * side * rng.uniform(-0.3, 0.3)
            at = np.array(places[-1][:2]) + far * _unit(angle) + slide * (far < 1.1 * side)
        if any(np.hypot(*(at - one[:2])) < side for one in places):
            continue
        places.append((float(at[0]), float(at[1]), turn))
    # What stands nearer to the camera hides what is behind it.
    places.sort(key=lambda one: one[0] * lean[0] + one[1] * lean[1], reverse=True)
    shadow = side * light if rng.random() < 0.7 else None
    for x, y, turn in places:
        if shadow is not None:
            _cast_shadow(canvas, rng, (x, y), turn, side, lean, shadow)
    found = []
    for x, y, turn in places:
        value = int(rng.integers(1, 7))
        _die(canvas, rng, look, np.array([x, y]), turn, side, value, lean, light)
        inside = min(x, y, 2 * MIDDLE_MM - x, 2 * MIDDLE_MM - y)
        if inside > -side:
            found.append(DrawnDie(x, y, value, side, turn, inside > 0.42 * side))
    return tuple(found)


class _DieLook:
    """Colours and proportions that the dice of one roll share."""

    def __init__(self, rng: Rng) -> None:
        luck = rng.random()
        if luck < 0.5:
            body = rng.uniform(170, 255) * rng.uniform([0.8, 0.92, 0.97], [1.0, 1.0, 1.0])
        elif luck < 0.62:
            body = rng.uniform(5, 60) * rng.uniform(0.8, 1.2, 3)
        else:
            body = _colour(rng)
        self.body = np.asarray(body, float)
        dark = self.body.mean() < 110 or (self.body.mean() < 150 and rng.random() < 0.5)
        ink = rng.uniform(190, 255, 3) if dark else rng.uniform(0, 60, 3)
        if rng.random() < 0.15:
            ink = _colour(rng)
            if np.abs(ink - self.body).max() < 70:
                ink = np.full(3, 255.0 if dark else 0.0)
        self.inks = dict.fromkeys(PIPS, ink)
        self.far = float(rng.uniform(0.22, 0.3))
        usual = float(rng.uniform(0.07, 0.125))
        self.sizes = dict.fromkeys(PIPS, usual)
        if not dark and rng.random() < 0.6:
            red = np.array([rng.uniform(0, 70), rng.uniform(0, 60), rng.uniform(120, 230)])
            self.inks[1] = red
            self.sizes[1] = usual * float(rng.choice([1.0, 1.5, 2.0]))
            self.inks[4] = red if rng.random() < 0.65 else self.inks[4]
        self.clear = float(rng.uniform(0.25, 0.7)) if rng.random() < 0.1 else 0.0
        """How much of the cloth shines through the body."""
        self.round = float(rng.uniform(0.02, 0.22))
        self.bright = rng.uniform(0.4, 1.05, 4)
        """Of the sides."""
        self.gloss = float(rng.uniform(0, 40)) * (rng.random() < 0.5)


def _die(
    canvas: Picture, rng: Rng, look: _DieLook, at: Points, turn: float, side: float, value: int,
    lean: Points, light: Points,
) -> None:  # fmt: skip
    axes = np.array([_unit(np.deg2rad(turn)), _unit(np.deg2rad(turn + 90))])
    under = canvas.copy() if look.clear else None
    corner = max(0.4, look.round * side)
    half = side / 2 - corner
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * half
    down = at - lean * (side - 2 * corner)
    # The body's outline: a rounded hull of the upper and the lower square.
    hull = cv2.convexHull(
        np.concatenate([square @ axes + at, square @ axes + down]).astype(np.float32)
    )[:, 0]
    edge = float(look.bright.mean()) * look.body
    _rounded(canvas, hull, edge, corner)
    around = [value_ for value_ in PIPS if value_ not in (value, 7 - value)]
    start, flip = int(rng.integers(4)), bool(rng.integers(2))
    pairs = [around[0], around[1], 7 - around[0], 7 - around[1]]
    pairs = pairs[start:] + pairs[:start]
    for number in range(4):
        out = _unit(np.deg2rad(turn + 90 * number))
        if out @ lean >= -0.02:
            continue
        along = _unit(np.deg2rad(turn + 90 * number + 90))
        middle = at + out * side / 2 - lean * side / 2
        across, up = along * side, lean * side
        lit = np.clip(look.body * look.bright[number] * (0.9 + 0.15 * (out @ light)), 0, 255)
        quad = [middle + u * across * (0.5 - look.round * 0.7) + v * up * (0.5 - look.round * 0.7)
                for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]  # fmt: skip
        _polygon(canvas, np.array(quad), lit)
        shown = pairs[(3 * number if flip else number) % 4]
        ink = look.inks[shown] * look.bright[number]
        _pips(canvas, rng, look, shown, middle, across, up, ink)
    top = look.body * rng.uniform(0.88, 1.04)
    _rounded(canvas, square @ axes + at, np.clip(top, 0, 255), corner * 0.75)
    if under is not None:  # the pips are painted on what is clear
        canvas[:] = cv2.addWeighted(canvas, 1 - look.clear, under, look.clear, 0)
    _pips(canvas, rng, look, value, at, axes[0] * side, axes[1] * side, look.inks[value])
    if look.gloss:
        spot = at + rng.uniform(-0.4, 0.4, 2) * side
        shine = np.zeros(canvas.shape[:2], np.float32)
        size = (max(1, int(side * PX * rng.uniform(0.1, 0.5))),) * 2
        cv2.ellipse(shine, _whole(spot), size, 0, 0, 360, look.gloss, cv2.FILLED)
        soft = cv2.blur(shine, (9, 9))
        canvas[:] = np.clip(canvas + soft[..., None], 0, 255).astype(np.uint8)


def _pips(
    canvas: Picture, rng: Rng, look: _DieLook, value: int, at: Points, across: Points, up: Points,
    ink: Points,
) -> None:  # fmt: skip
    spots = np.array(PIPS[value], float)
    if rng.random() < 0.5:
        spots = spots[:, ::-1]
    if rng.random() < 0.5:
        spots = spots * (-1, 1)
    round_ = _CIRCLE * look.sizes[value]
    frame = np.stack([across, up])
    for spot in spots * look.far:
        _polygon(canvas, at + (spot + round_) @ frame, ink)


_CIRCLE = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 15)[:-1]])


def _cast_shadow(
    canvas: Picture, rng: Rng, at: tuple[float, float], turn: float, side: float, lean: Points,
    towards: Points,
) -> None:  # fmt: skip
    axes = np.array([_unit(np.deg2rad(turn)), _unit(np.deg2rad(turn + 90))])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * side / 2 @ axes
    foot = square + np.array(at) - lean * side
    mask = np.zeros(canvas.shape[:2], np.uint8)
    hull = cv2.convexHull(np.concatenate([foot, foot + towards]).astype(np.float32))[:, 0]
    _polygon(mask, hull, (255,))
    soft = 2 * int(PX * rng.uniform(0.2, 3)) + 1
    dark = 255 - cv2.blur(mask, (soft, soft)) * rng.uniform(0.15, 0.65)
    left = cv2.cvtColor(dark.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    canvas[:] = cv2.multiply(canvas, left, scale=1 / 255)


def _cloth(rng: Rng) -> Picture:
    """Plain cloth, a weave, or a pattern, in any light."""
    size = PATCH_PX * FINE // 2  # a cloth has no edge as fine as a die's
    if rng.random() < 0.6:  # green, blue, brown, grey
        base = np.array([(50, 90, 40), (110, 70, 30), (40, 60, 100), (80, 80, 80), (30, 30, 110)])
        colour = base[int(rng.integers(len(base)))] * rng.uniform(0.5, 2.0)
    else:
        colour = _colour(rng)
    grey = np.zeros((size, size), np.float32)
    for cells in (4, 24, 64):
        if rng.random() < 0.6:
            rough = rng.normal(0, rng.uniform(1, 14), (cells, cells)).astype(np.float32)
            grey += cv2.resize(rough, (size, size), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.12:  # stripes or a check
        x, y = np.arange(size) * _unit(rng.uniform(0, 7))[:, None]
        period, deep = rng.uniform(2, 14) * PX / 2, rng.uniform(5, 50)
        waves = np.sin(2 * np.pi * (x[:, None] + y[None]) / period)
        grey += (np.sign(waves) * deep).astype(np.float32)
    picture = np.clip(grey[..., None] + np.asarray(colour, np.float32), 0, 255).astype(np.uint8)
    whole = (2 * size, 2 * size)
    out = np.asarray(cv2.resize(picture, whole, interpolation=cv2.INTER_LINEAR), np.uint8)
    size *= 2
    if rng.random() < 0.12:  # spots, small figures
        ink = _ink(_colour(rng))
        for _ in range(int(rng.integers(2, 14))):
            at = rng.uniform(0, size, 2).astype(int)
            cv2.circle(out, at.tolist(), int(rng.uniform(1, 3) * PX), ink, cv2.FILLED)
    return out


def _dish(canvas: Picture, rng: Rng) -> None:
    radius = int(rng.uniform(30, 80) * PX)
    at = _whole(MIDDLE_MM + _unit(rng.uniform(0, 7)) * rng.uniform(0, 0.9) * radius / PX)
    cv2.circle(canvas, at, radius, _ink(_colour(rng)), cv2.FILLED, cv2.LINE_AA)
    rim = int(rng.uniform(1, 4) * PX)
    cv2.circle(canvas, at, radius, _ink(_colour(rng)), rim, cv2.LINE_AA)


def _thing(canvas: Picture, rng: Rng, lean: Points) -> None:
    """Something that is no die: tiles, sticks, coins, chips, blocks, cards, letters."""
    at = MIDDLE_MM + rng.uniform(-0.9, 0.9, 2) * MIDDLE_MM
    turn = rng.uniform(0, 360)
    axes = np.array([_unit(np.deg2rad(turn)), _unit(np.deg2rad(turn + 90))])
    pale = rng.uniform(170, 250) * rng.uniform([0.85, 0.93, 0.97], [1, 1, 1])
    ink = rng.uniform(0, 80, 3) if rng.random() < 0.4 else _colour(rng)
    match int(rng.choice(7, p=[0.38, 0.12, 0.1, 0.1, 0.14, 0.06, 0.1])):
        case 0:  # a tile: its face, with circles or strokes, or its back
            wide, tall = rng.uniform(19, 32), rng.uniform(1.25, 1.45)
            high = wide * rng.uniform(0.5, 0.8)
            _block(canvas, rng, at, axes, (wide, wide * tall), lean, high, pale)
            if rng.random() < 0.75:
                _glyph(canvas, rng, at, axes * wide, tall, ink)
            else:
                _block(canvas, rng, at, axes, (wide, wide * tall), lean, 0, _colour(rng))
        case 1:  # a stick with dots
            _block(canvas, rng, at, axes, (rng.uniform(5, 9), 80), lean, 4, pale)
            for step in range(-int(rng.integers(0, 3)), int(rng.integers(1, 4))):
                _spot(canvas, at + axes[1] * 6.5 * step, rng.uniform(1, 2.4), ink)
        case 2 | 3:  # a coin, a chip
            radius = rng.uniform(8, 21)
            _spot(canvas, at - lean * 2, radius, _colour(rng) * 0.7)
            _spot(canvas, at, radius, pale if rng.random() < 0.3 else _colour(rng))
            _spot(canvas, at, radius * rng.uniform(0.4, 0.8), _colour(rng))
            if rng.random() < 0.4:
                for part in range(6):
                    _spot(canvas, at + _unit(part * 1.05) * radius * 0.85, radius * 0.13, ink)
        case 4:  # a cube without pips, or with a letter or a ring
            side = rng.uniform(10, 24)
            body = pale if rng.random() < 0.6 else _colour(rng)
            _block(canvas, rng, at, axes, (side, side), lean, side, body)
            if rng.random() < 0.5:
                text = str(rng.choice(list("0123456789ABENOSWX")))
                cv2.putText(
                    canvas, text, _whole(at - side * 0.3 * np.array([1, -1])),
                    cv2.FONT_HERSHEY_SIMPLEX, side * PX / 40, _ink(ink), int(rng.uniform(1, 8)),
                    cv2.LINE_AA,
                )  # fmt: skip
        case 5:  # a card
            _block(canvas, rng, at, axes, (rng.uniform(25, 60), 80), lean, 0.4, pale)
            for _ in range(int(rng.integers(0, 4))):
                spot = at + rng.uniform(-20, 20, 2)
                _spot(canvas, spot, rng.uniform(2, 5), ink)
        case _:  # loose dots, as crumbs or a marker's holes
            for _ in range(int(rng.integers(1, 6))):
                spot = at + rng.uniform(-7, 7, 2)
                _spot(canvas, spot, rng.uniform(0.6, 3), ink)


def _fingers(canvas: Picture, rng: Rng) -> None:
    """Fingers side by side: their tips with nails are as large as dice with one pip."""
    skin = np.array([130, 160, 210]) * rng.uniform(0.3, 1.15) * rng.uniform(0.9, 1.1, 3)
    way = rng.uniform(0, 2 * np.pi)
    along, aside = _unit(way), _unit(way + np.pi / 2)
    wide = rng.uniform(11, 19)
    tip = MIDDLE_MM + rng.uniform(-0.8, 0.8, 2) * MIDDLE_MM
    for number in range(int(rng.integers(1, 5))):
        end = tip + aside * wide * 1.05 * number + along * rng.uniform(-8, 8)
        lit = skin * rng.uniform(0.8, 1.1)
        _rounded(canvas, np.array([end, end + 90 * along]), lit, wide / 2)
        if rng.random() < 0.6:
            nail = skin * rng.uniform(0.85, 1.25, 3)
            _rounded(canvas, np.array([end, end + along * 3]), nail, wide * rng.uniform(0.15, 0.3))


def _glyph(canvas: Picture, rng: Rng, at: Points, frame: Points, tall: float, ink: Points) -> None:
    """Circles in rows as the dots of a tile, or strokes."""
    if rng.random() < 0.5:
        columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        radius = min(0.36 / max(columns, rows / 1.3), 0.3) * rng.uniform(0.5, 1)
        for column in range(columns):
            for row in range(rows):
                uv = ((column + 0.5) / columns - 0.5) * 0.8, ((row + 0.5) / rows - 0.5) * tall * 0.8
                spot = at + np.array(uv) @ frame
                _spot(canvas, spot, radius * np.linalg.norm(frame[0]), ink)
                if rng.random() < 0.5:
                    _spot(canvas, spot, radius * 0.5 * np.linalg.norm(frame[0]), _colour(rng))
        return
    for _ in range(int(rng.integers(1, 9))):
        ends = at + rng.uniform(-0.4, 0.4, (2, 2)) * (1, tall) @ frame
        thick = max(1, int(rng.uniform(0.5, 3) * PX))
        cv2.line(canvas, _whole(ends[0]), _whole(ends[1]), _ink(ink), thick, cv2.LINE_AA)


def _block(
    canvas: Picture, rng: Rng, at: Points, axes: Points, size: tuple[float, float], lean: Points,
    high: float, colour: Points,
) -> None:  # fmt: skip
    corner = rng.uniform(0.4, 2)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * (np.array(size) / 2 - corner)
    top = square @ axes + at
    if high:
        low = np.concatenate([top, top - lean * high]).astype(np.float32)
        _rounded(canvas, cv2.convexHull(low)[:, 0], colour * rng.uniform(0.45, 0.95), corner)
    _rounded(canvas, top, colour, corner)


def _behind_hand(canvas: Picture, rng: Rng, dice: tuple[DrawnDie, ...]) -> tuple[DrawnDie, ...]:
    """Cover a part of the picture with skin or a sleeve."""
    skin = np.array([130, 160, 210]) * rng.uniform(0.3, 1.15)
    colour = skin if rng.random() < 0.7 else _colour(rng)
    way = rng.uniform(0, 2 * np.pi)
    out = _unit(way)
    depth = rng.uniform(-0.9, 0.6) * MIDDLE_MM
    far = np.array([(0, -60), (0, 60), (90, 60), (90, -60)], float)
    frame = np.array([out, _unit(way + np.pi / 2)])
    quad = far @ frame + MIDDLE_MM + out * depth
    _rounded(canvas, quad, colour, rng.uniform(1, 9))
    left = []
    for die in dice:
        gap = depth - (np.array([die.x_mm, die.y_mm]) - MIDDLE_MM) @ out
        if gap > -0.2 * die.side_mm:
            seen = die.clear and bool(gap > 0.62 * die.side_mm)
            left.append(DrawnDie(die.x_mm, die.y_mm, die.value, die.side_mm, die.turn_deg, seen))
    return tuple(left)


def _taken(
    canvas: Picture, rng: Rng, dice: tuple[DrawnDie, ...]
) -> tuple[Picture, tuple[DrawnDie, ...]]:
    """The drawn canvas as lens, sensor and video leave it, seen at the net's scale again."""
    clear = True
    if rng.random() < 0.5:
        spread = float(rng.uniform(0.1, 0.55)) * PX  # up to a third of a pip's distance
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), spread), np.uint8)
    if rng.random() < 0.06:  # moving
        length = int(rng.uniform(3, 12) * PX)
        kernel = np.zeros((length, length), np.float32)
        way = _unit(rng.uniform(0, 7)) * length / 2
        middle = np.array([length / 2, length / 2])
        ends = [tuple(int(v) for v in middle + s * way) for s in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 1)
        canvas = np.asarray(cv2.filter2D(canvas, -1, kernel / max(1.0, kernel.sum())), np.uint8)
        clear = False
    per_mm = float(np.exp(rng.uniform(np.log(0.75), np.log(2.2))))
    side = round(PATCH_PX / PER_MM * per_mm)
    small = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    light = np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.07, 3))
    small = 255 * (np.clip(small * light / 255, 0, 1) ** np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.08:
        small[:] = small.mean(axis=2, keepdims=True)
    small += rng.normal(0, rng.choice([0.5, 2, 4, 8]), (*small.shape[:2], 1))
    if rng.random() < 0.5:
        small += rng.normal(0, rng.uniform(0.5, 4), small.shape)
    seen = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        quality = int(rng.uniform(35, 95))
        _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])
        seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    how = cv2.INTER_AREA if side > PATCH_PX and rng.random() < 0.3 else cv2.INTER_LINEAR
    picture = cv2.resize(seen, (PATCH_PX, PATCH_PX), interpolation=how)
    if not clear:
        dice = tuple(
            DrawnDie(d.x_mm, d.y_mm, d.value, d.side_mm, d.turn_deg, clear=False) for d in dice
        )
    return np.asarray(picture, np.uint8), dice


def _rounded(canvas: Picture, corners_mm: NDArray[Any], colour: Any, radius_mm: float) -> None:
    """Fill a polygon that is widened by a radius on all sides."""
    points = _fixed(corners_mm)
    ink = _ink(colour)
    cv2.fillPoly(canvas, [points], ink, cv2.LINE_AA, SHIFT)
    thick = max(1, round(2 * radius_mm * PX))
    cv2.polylines(canvas, [points], True, ink, thick, cv2.LINE_AA, SHIFT)


def _polygon(canvas: Picture, corners_mm: NDArray[Any], colour: Any) -> None:
    cv2.fillPoly(canvas, [_fixed(corners_mm)], _ink(colour), cv2.LINE_AA, SHIFT)


def _spot(canvas: Picture, at_mm: Points, radius_mm: float | np.floating, colour: Any) -> None:
    centre = [round(float(v) * PX * (1 << SHIFT)) for v in at_mm]
    radius = round(float(radius_mm) * PX * (1 << SHIFT))
    cv2.circle(canvas, centre, radius, _ink(colour), cv2.FILLED, cv2.LINE_AA, SHIFT)


def _fixed(points_mm: NDArray[Any]) -> NDArray[np.int32]:
    return np.rint((np.asarray(points_mm) * PX - 0.5) * (1 << SHIFT)).astype(np.int32)


def _ink(colour: Any) -> list[float]:
    return [float(part) for part in colour]


def _whole(at_mm: Points) -> tuple[int, int]:
    return int(at_mm[0] * PX), int(at_mm[1] * PX)


def _unit(angle: float) -> Points:
    return np.array([np.cos(angle), np.sin(angle)])


def _colour(rng: Rng) -> Points:
    """Any colour (BGR), saturated ones more often than in a cube of colours."""
    hue = rng.integers(180), 255 * rng.random() ** 0.6, rng.uniform(20, 255)
    pixel = np.array(hue).astype(np.uint8).reshape(1, 1, 3)
    return np.array(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float64)
