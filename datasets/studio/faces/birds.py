"""The one of bamboos: a bird, in several drawings."""

from __future__ import annotations

import numpy as np

from studio.faces.canvas import Canvas, Colour
from studio.faces.flock import draw_composed_bird
from studio.faces.pen import Pen
from studio.faces.style import Style

_Line = list[tuple[float, float]]


def draw_bird(canvas: Canvas, style: Style) -> None:
    """Draw the bird that the style asks for, in the middle of the face."""
    if style.make.bird_seed is not None:
        draw_composed_bird(canvas, style, style.make.bird_seed)
        return
    palette = style.palette
    draw = {
        "parrot": _parrot,
        "sparrow": _sparrow,
        "peacock": _peacock,
        "owl": _owl,
        "crane": _crane,
        "phoenix": _phoenix,
    }[style.bird]
    draw(Pen(canvas, style), palette.red, palette.green, palette.blue)


def _parrot(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Sits upright on a twig with a long tail."""
    for k in range(4):
        pen.feather(
            [(0.05 - 0.08 * k, 0.1), (0.1 - 0.12 * k, 0.6), (0.3 - 0.2 * k, 1.0)],
            0.16,
            red if k % 2 else blue,
        )
    body: _Line = [
        (-0.1, -0.55),
        (0.22, -0.4),
        (0.34, 0.0),
        (0.14, 0.4),
        (-0.22, 0.3),
        (-0.32, -0.1),
    ]
    pen.fill(body, green)
    for k in range(3):
        pen.feather(
            [(0.0 + 0.1 * k, -0.25), (0.16 + 0.1 * k, 0.05), (0.1 + 0.1 * k, 0.45)], 0.08, None
        )
    pen.fill([(-0.4, -0.82), (-0.05, -0.92), (0.18, -0.65), (0.05, -0.42), (-0.28, -0.46)], blue)
    pen.fill([(-0.36, -0.7), (-0.62, -0.56), (-0.5, -0.4), (-0.32, -0.5)], red)
    for k in range(3):
        pen.stroke(
            [(-0.05, -0.85), (0.06 + 0.12 * k, -1.02), (0.2 + 0.14 * k, -0.98 + 0.06 * k)], red, 0.9
        )
    pen.eye(-0.16, -0.68, red)
    pen.stroke([(-0.8, 0.42), (-0.3, 0.4), (0.4, 0.36), (0.8, 0.28)], blue, 1.2)
    pen.stroke([(-0.1, 0.3), (-0.16, 0.44), (-0.02, 0.48)], red)
    pen.stroke([(-0.3, -0.2), (-0.52, 0.0), (-0.5, 0.2)], red, 1.2)


def _sparrow(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Flies slantwise, wings half open."""
    for k in range(3):
        pen.feather(
            [(0.2, 0.25), (0.42 + 0.1 * k, 0.55), (0.45 + 0.22 * k, 0.98 - 0.12 * k)],
            0.15,
            (red, green, red)[k],
        )
    pen.fill(
        [(-0.4, -0.3), (0.0, -0.42), (0.34, 0.1), (0.34, 0.42), (0.02, 0.36), (-0.34, 0.1)], blue
    )
    for k in range(5):
        pen.feather(
            [
                (-0.1 + 0.09 * k, -0.15),
                (0.3 + 0.1 * k, -0.35 + 0.04 * k),
                (0.74 + 0.05 * k, -0.62 + 0.2 * k),
            ],
            0.14,
            green if k % 2 else blue,
        )
        pen.feather(
            [(-0.28 + 0.08 * k, 0.0), (-0.5 + 0.06 * k, 0.25), (-0.72 + 0.16 * k, 0.45 + 0.06 * k)],
            0.1,
            green,
        )
    pen.fill([(-0.62, -0.62), (-0.3, -0.78), (-0.06, -0.56), (-0.2, -0.3), (-0.5, -0.34)], red)
    pen.fill([(-0.58, -0.54), (-0.86, -0.44), (-0.56, -0.38)], green)
    pen.eye(-0.38, -0.56, blue)
    pen.stroke([(-0.3, -0.74), (-0.14, -0.95), (0.08, -0.96)], red)
    pen.stroke([(-0.02, 0.34), (-0.1, 0.58), (-0.24, 0.62)], red)


def _peacock(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Stands with its train spread behind it."""
    for k in range(9):
        turn = np.radians(-78 + 17 * k)
        tip = (0.1 + 0.82 * np.sin(turn), 0.18 - 1.0 * np.cos(turn))
        middle = (0.08 + 0.4 * np.sin(turn), 0.18 - 0.5 * np.cos(turn))
        pen.feather([(0.05, 0.25), middle, tip], 0.17, green, 0.8)
        pen.spot(0.1 + 0.7 * np.sin(turn), 0.18 - 0.85 * np.cos(turn), None, 2.6)
        pen.spot(0.1 + 0.7 * np.sin(turn), 0.18 - 0.85 * np.cos(turn), red if k % 2 else blue, 1.7)
    pen.fill([(-0.3, 0.0), (0.0, -0.12), (0.26, 0.2), (0.3, 0.55), (0.0, 0.6), (-0.28, 0.35)], blue)
    pen.feather([(-0.08, 0.3), (0.1, 0.42), (0.3, 0.7)], 0.14, None)
    pen.fill(
        [(-0.44, -0.42), (-0.22, -0.48), (-0.1, -0.1), (-0.02, 0.2), (-0.3, 0.15), (-0.34, -0.2)],
        blue,
    )
    pen.fill([(-0.42, -0.36), (-0.66, -0.26), (-0.4, -0.24)], red)
    for k in range(3):
        pen.stroke([(-0.3, -0.44), (-0.42 + 0.1 * k, -0.68)], red, 0.7)
    pen.eye(-0.3, -0.34, red, 1.8)
    pen.stroke([(-0.06, 0.58), (-0.1, 0.92), (-0.26, 0.95)], red)
    pen.stroke([(0.12, 0.58), (0.14, 0.92), (0.0, 0.95)], red)


def _owl(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Perches with a round head, drawn in lines."""
    body: _Line = [
        (-0.34, -0.2),
        (0.28, -0.26),
        (0.42, 0.2),
        (0.16, 0.55),
        (-0.24, 0.5),
        (-0.42, 0.12),
    ]
    pen.fill(body, red)
    pen.fill([(x * 0.72, 0.14 + (y - 0.14) * 0.72) for x, y in body], None)
    for row in range(3):
        for k in range(3):
            x, y = -0.18 + 0.18 * k, -0.02 + 0.17 * row
            pen.stroke([(x - 0.07, y), (x, y + 0.08), (x + 0.07, y)], red, 0.7)
    head: _Line = [
        (-0.46, -0.6),
        (-0.28, -0.92),
        (0.16, -0.9),
        (0.36, -0.56),
        (0.2, -0.24),
        (-0.28, -0.22),
    ]
    pen.fill(head, red)
    pen.fill([(x * 0.78 - 0.01, -0.56 + (y + 0.56) * 0.76) for x, y in head], None)
    for side in (-0.2, 0.12):
        pen.spot(side, -0.62, red, 4.6)
        pen.eye(side, -0.62, blue, 3.0)
    pen.fill([(-0.1, -0.52), (0.04, -0.52), (-0.03, -0.32)], green)
    for k in range(3):
        pen.feather([(0.3, 0.0), (0.5 + 0.04 * k, 0.3), (0.36 + 0.14 * k, 0.66)], 0.1, blue)
        pen.feather(
            [(-0.1 + 0.1 * k, 0.5), (-0.14 + 0.14 * k, 0.8), (-0.06 + 0.22 * k, 1.02)], 0.12, green
        )
    pen.stroke([(-0.85, 0.62), (-0.4, 0.56), (0.3, 0.6), (0.85, 0.5)], green, 1.5)
    pen.stroke([(0.55, 0.56), (0.72, 0.3), (0.85, 0.1)], green)


def _crane(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Wings lifted, neck bowed down, drawn with separate feathers."""
    for k in range(6):
        pen.feather(
            [(0.0, 0.1), (0.22 + 0.1 * k, -0.35 + 0.09 * k), (0.2 + 0.14 * k, -0.98 + 0.2 * k)],
            0.13,
            blue if k % 2 else green,
        )
        pen.feather(
            [
                (-0.1, 0.1),
                (-0.36 - 0.06 * k, -0.22 + 0.08 * k),
                (-0.46 - 0.09 * k, -0.72 + 0.2 * k),
            ],
            0.1,
            blue,
        )
    pen.fill([(-0.3, 0.05), (0.1, -0.05), (0.42, 0.3), (0.2, 0.56), (-0.2, 0.45)], green)
    pen.feather([(-0.1, 0.18), (0.1, 0.24), (0.3, 0.42)], 0.14, None)
    pen.stroke([(-0.2, 0.35), (-0.5, 0.45), (-0.6, 0.7), (-0.36, 0.82)], red, 2.2)
    pen.fill([(-0.46, 0.72), (-0.28, 0.7), (-0.16, 0.84), (-0.34, 0.94)], red)
    pen.stroke([(-0.24, 0.86), (-0.02, 0.96)], red, 1.1)
    pen.eye(-0.32, 0.82, red, 1.6)
    for k in range(3):
        pen.feather([(0.3, 0.42), (0.52, 0.56 + 0.08 * k), (0.8, 0.56 + 0.2 * k)], 0.1, red)
    pen.stroke([(0.05, 0.5), (0.0, 0.85), (0.14, 0.98)], green)


def _phoenix(pen: Pen, red: Colour, green: Colour, blue: Colour) -> None:
    """Stands straight under long curling tail feathers."""
    for k in range(5):
        pen.stroke(
            [
                (0.0, 0.1),
                (0.4 + 0.08 * k, -0.1 - 0.1 * k),
                (0.7 - 0.05 * k, -0.5 - 0.1 * k),
                (0.3 - 0.18 * k, -0.92),
            ],
            (green, blue, red, blue, green)[k],
            1.3,
        )
        pen.spot(0.3 - 0.18 * k, -0.92, (green, blue, red, blue, green)[k], 2.4)
    pen.fill(
        [(-0.35, 0.1), (-0.1, -0.1), (0.2, 0.1), (0.25, 0.4), (0.0, 0.58), (-0.28, 0.42)], green
    )
    for k in range(4):
        pen.stroke(
            [(-0.15 + 0.08 * k, 0.1), (-0.05 + 0.08 * k, 0.28), (-0.12 + 0.09 * k, 0.42)], None, 0.7
        )
    pen.stroke([(-0.22, 0.2), (-0.42, -0.05), (-0.4, -0.35), (-0.56, -0.45)], green, 3.2)
    pen.fill([(-0.7, -0.52), (-0.5, -0.64), (-0.34, -0.48), (-0.46, -0.34), (-0.66, -0.38)], red)
    pen.stroke([(-0.68, -0.44), (-0.86, -0.34)], blue, 1.4)
    pen.eye(-0.52, -0.5, blue, 1.8)
    for k in range(3):
        pen.stroke([(-0.46, -0.58), (-0.56 + 0.14 * k, -0.86)], red, 0.9)
    pen.stroke([(-0.08, 0.55), (-0.1, 0.95), (-0.3, 0.98)], red, 1.2)
    pen.stroke([(0.08, 0.52), (0.12, 0.95), (-0.06, 0.98)], red, 1.2)
