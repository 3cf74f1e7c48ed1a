"""The pen that birds are drawn with: unit points, bent a little by each set's own sway."""

from __future__ import annotations

import numpy as np

from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, Points, blade, curve, moved
from studio.faces.style import Style

_Line = list[tuple[float, float]]


class Pen:
    """Draws in a square of -1 to 1 that is mirrored and scaled as the style says."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        rng = np.random.default_rng(style.plant_seed)
        self._hollow = style.hollow
        self.canvas, self.line_width = canvas, 1.7 * style.line
        self._sway = rng.normal(0, 0.035, 8)
        self._mirror = -1.0 if rng.random() < 0.3 else 1.0
        self._size = 33.0 * style.size * (0.9 + 0.1 * style.spread)

    def place(self, points: _Line | Points) -> Points:
        """Unit points to tile units, gently bent so that no two sets draw the same bird."""
        at = np.asarray(points, float)
        x, y = at[:, 0], at[:, 1]
        s = self._sway
        bent = np.stack([x + s[0] * np.sin(3 * y + s[1] * 40) + s[2] * y, y + s[3] * x], axis=1)
        scale = np.array([self._mirror * self._size, self._size * 1.18])
        return moved(bent * scale, WIDTH / 2, HEIGHT / 2)

    def fill(self, points: _Line, colour: Colour | None) -> None:
        closed = self.place(curve([*points, points[0]]))
        self.canvas.polygon(closed, colour)
        if self._hollow and colour is not None:
            self.canvas.polygon(self._within(closed), None)

    def outline(self, points: _Line, colour: Colour) -> None:
        self.canvas.line(self.place(curve([*points, points[0]])), self.line_width, colour)

    def stroke(self, points: _Line, colour: Colour | None, width: float = 1.0) -> None:
        self.canvas.line(self.place(curve(points)), self.line_width * width, colour)

    def feather(self, points: _Line, width: float, colour: Colour | None, tip: float = 0.3) -> None:
        outline = self.place(blade(points, width, tip))
        self.canvas.polygon(outline, colour)
        if self._hollow and colour is not None and width > 0.12:
            inside = blade(points, width - 1.6 * self.line_width / self._size, tip)
            middle = inside.mean(axis=0)
            self.canvas.polygon(self.place((inside - middle) * 0.8 + middle), None)

    def _within(self, outline: Points) -> Points:
        """The outline drawn closer by about the width of a line."""
        middle = outline.mean(axis=0)
        reach = float(np.linalg.norm(outline - middle, axis=1).mean())
        return moved((outline - middle) * max(0.3, 1 - 2.0 * self.line_width / reach), *middle)

    def spot(self, x: float, y: float, colour: Colour | None, radius: float) -> None:
        at = self.place([(x, y)])[0]
        self.canvas.disc(float(at[0]), float(at[1]), radius, colour)

    def eye(self, x: float, y: float, colour: Colour, radius: float = 2.6) -> None:
        self.spot(x, y, None, radius)
        self.spot(x, y, colour, radius * 0.5)
