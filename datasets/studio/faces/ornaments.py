"""Draws what ``faces_make`` composes: round ornaments, sticks and frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, Points, blade, moved, turned
from studio.faces.make import Corner, Edge, FaceFrame, Layer, Stick


def draw_ornament(
    canvas: Canvas,
    at: tuple[float, float],
    radius: float,
    layers: Sequence[Layer],
    paints: Sequence[Colour],
) -> None:
    """Layers in order, the later above the earlier."""
    x, y = at
    for layer in layers:
        paint = None if layer.paint is None else paints[layer.paint % len(paints)]
        inner, outer = layer.inner * radius, layer.outer * radius
        middle, deep = (inner + outer) / 2, outer - inner
        room = 2 * np.pi * middle / layer.count
        match layer.shape:
            case "disc":
                canvas.disc(x, y, outer, paint)
            case "ring":
                canvas.ring(x, y, outer, max(deep, 0.7), paint)
            case "petals":
                wide = min(room * 1.1, deep * 1.1)
                leaf = blade([(inner, 0), (middle, 0), (outer, 0)], wide, 0.35)
                for shape in _about(leaf, layer, x, y):
                    canvas.polygon(shape, paint)
            case "spokes":
                bar = _box(deep, max(0.9, min(room * 0.42, deep * 0.5)))
                for shape in _about(moved(bar, middle, 0), layer, x, y):
                    canvas.polygon(shape, paint)
            case "lens":
                four = [(inner, 0), (middle, room * 0.42), (outer, 0), (middle, -room * 0.42)]
                for points in _about(np.array(four), layer, x, y):
                    canvas.polygon(points, paint)
            case "beads":
                size = min(deep / 2, room * 0.46)
                for bead in range(layer.count):
                    turn = np.radians(layer.turn_deg + 360 / layer.count * bead)
                    far = outer - size
                    spot = (float(x + far * np.cos(turn)), float(y + far * np.sin(turn)))
                    canvas.disc(*spot, size, paint)
            case "teeth":
                angles = np.linspace(0, 2 * np.pi, 2 * layer.count, endpoint=False)
                reach = np.where(np.arange(2 * layer.count) % 2, outer, 0.5 * (inner + outer))
                star = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None]
                canvas.polygon(moved(star, x, y), paint)


def _about(shape: Points, layer: Layer, x: float, y: float) -> Iterator[Points]:
    for number in range(layer.count):
        yield turned(shape, layer.turn_deg + 360 / layer.count * number, x, y)


def draw_stick(
    canvas: Canvas,
    make: Stick,
    place: tuple[float, float, float],
    size: tuple[float, float],
    paint: Colour,
) -> None:
    """A stick at (x, y, lean in degrees) of (width, length)."""
    x, y, lean = place
    width, length = size

    def put(points: Points, colour: Colour | None) -> None:
        canvas.polygon(turned(points, lean, x, y), colour)

    put(_reed(make.widths, width, length), paint)
    if make.hollow:
        put(_reed(make.widths, width * make.hollow, length * 0.86), None)
    if make.core:
        part = length * 0.8 / make.core_parts
        for number in range(make.core_parts):
            middle = (number - (make.core_parts - 1) / 2) * part
            put(moved(_reed((0.7, 1.0, 0.7), width * make.core, part * 0.8), 0, middle), None)
    for at in make.joints:
        bar = moved(_box(width * make.joint_wide, max(1.1, length * 0.045)), 0, at * length)
        put(bar, paint if make.joint_wide > 1 else None)
    for leaf in range(make.leaves):
        side = 1 if leaf % 2 else -1
        shape = blade([(0, 0), (width * 0.9 * side, -3), (width * 1.5 * side, -7)], 4.0, 0.2)
        put(moved(shape, 0, (0.2 - 0.3 * leaf) * length), paint)


def _reed(widths: Sequence[float], width: float, length: float) -> Points:
    along = np.linspace(-1, 1, 29)
    half = np.interp(along, np.linspace(-1, 1, len(widths)), widths) * width / 2
    end = min(1.0, 0.7 * width / max(length, 1e-6))
    past = np.clip((np.abs(along) - (1 - end)) / end, 0, 1)
    half = half * np.sqrt(np.maximum(1 - 0.85 * past**2, 0))
    side = np.stack([half, along * length / 2], axis=1)
    return np.concatenate([side, (side * (-1, 1))[::-1]])


def _box(width: float, height: float) -> Points:
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)


def draw_frame(canvas: Canvas, make: FaceFrame, size: float, paints: Sequence[Colour]) -> None:
    """A frame in the middle of the face; what is written inside is left to the caller."""
    middle = (WIDTH / 2, HEIGHT / 2)
    width, height = make.width * size, make.height * size
    for edge in make.edges:
        paint = paints[edge.paint % len(paints)]
        for inset, colour in ((edge.inset, paint), (edge.inset + edge.line, None)):
            wide, high = width - 2 * inset, height - 2 * inset
            if min(wide, high) > 4:
                reach = min(edge.reach, 0.3 * wide)
                canvas.polygon(moved(_outline(wide, high, edge.corner, reach), *middle), colour)
        if edge.dashes:
            _dash(canvas, edge, width, height)
    inside = sum(edge.line for edge in make.edges) + 4
    wide, high = width / 2 - inside, height / 2 - inside
    if min(wide, high) < 8:
        return
    if make.inside == "hatch":
        for step in np.arange(-wide, wide + 1, 5.0):
            canvas.line(moved([(step, -high), (step, high)], *middle), 0.8, paints[0])
    elif make.inside == "diamond":
        points = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)]) * (wide * 0.7, high * 0.7)
        canvas.polygon(moved(points, *middle), paints[-1])
        canvas.polygon(moved(points * 0.75, *middle), None)
    elif make.inside == "cross":
        for sign in (-1, 1):
            canvas.line(
                moved([(-wide, -high * sign), (wide, high * sign)], *middle), 1.0, paints[0]
            )
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        _corner(canvas, make, (middle[0] + x * wide, middle[1] + y * high), (x, y), paints[-1])
    for x, y in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        at = (middle[0] + x * wide, middle[1] + y * high)
        if make.sides == "dots":
            canvas.disc(*at, 2.6, paints[0])
        elif make.sides == "diamonds":
            points = np.array([(-1, 0), (0, -1.4), (1, 0), (0, 1.4)]) * 3.4
            canvas.polygon(moved(points, *at), paints[-1])
        elif make.sides == "scrolls":
            canvas.line(moved(_scroll(1 if x + y > 0 else -1), *at), 1.2, paints[0])


def _corner(
    canvas: Canvas, make: FaceFrame, at: tuple[float, float], way: tuple[int, int], paint: Colour
) -> None:
    if make.corners == "dots":
        canvas.disc(*at, 3.0, paint)
    elif make.corners == "scrolls":
        canvas.line(moved(_scroll(1) * (-way[0], -way[1]), *at), 1.4, paint)
    elif make.corners == "flowers":
        draw_ornament(canvas, at, 5.5, (Layer("petals", 1.0, 0.2, 5), Layer("disc", 0.25)), [paint])
    elif make.corners == "bars":
        bend = np.array([(9, 0), (0, 0), (0, 9)]) * (-way[0], -way[1])
        canvas.line(moved(bend, *at), 1.8, paint)


def _scroll(side: int) -> Points:
    turn = np.linspace(0, 3.4 * np.pi, 24)
    far = 0.5 + turn * 0.5
    return np.stack([far * np.cos(turn) * side, far * np.sin(turn)], axis=1)


def _dash(canvas: Canvas, edge: Edge, width: float, height: float) -> None:
    """Cut gaps into a line all the way round."""
    inset = edge.inset + edge.line / 2
    wide, high = width / 2 - inset, height / 2 - inset
    for share in np.linspace(0, 1, edge.dashes, endpoint=False):
        way = float(share) * 4 * (wide + high)
        sides = ((wide * 2, 0), (high * 2, 90), (wide * 2, 180), (high * 2, 270))
        for length, turn in sides:
            if way < length:
                along = way - length / 2
                far = high if turn in (0, 180) else wide
                at = turned([(along, -far)], turn, WIDTH / 2, HEIGHT / 2)[0]
                gap = _box(min(4.0, (wide + high) / edge.dashes * 1.6), edge.line * 1.3)
                canvas.polygon(turned(gap, turn, float(at[0]), float(at[1])), None)
                break
            way -= length


def _outline(width: float, height: float, corner: Corner, reach: float) -> Points:
    """A rectangle about the origin with one kind of corners."""
    inner = np.array([width / 2 - reach, height / 2 - reach])
    turn = np.linspace(0, np.pi / 2, 7)
    match corner:
        case "square":
            part = np.array([[reach, reach]])
        case "round":
            part = np.stack([np.cos(turn), np.sin(turn)], axis=1) * reach
        case "cut":
            part = np.array([[1.0, 0.0], [0.0, 1.0]]) * reach
        case "notched":
            part = reach - np.stack([np.sin(turn), np.cos(turn)], axis=1) * reach
        case "stepped":
            part = np.array([[1.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5], [0.0, 1.0]]) * reach
    first = part + inner
    quarter = [first, (first * (-1, 1))[::-1], first * (-1, -1), (first * (1, -1))[::-1]]
    return np.concatenate(quarter)
