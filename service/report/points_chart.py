"""The points of a game over its hands, as lines of a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from service.report.story import GameStory

WIDTH: Final = 640
HEIGHT: Final = 220
EDGE: Final = 8


@dataclass(frozen=True)
class PointsChart:
    """Coordinates are those of a drawing of ``WIDTH`` and ``HEIGHT``."""

    lines: tuple[str, ...]
    """For each seat ``x,y`` after each hand, with spaces between."""
    zero_y: float
    """Where the points of the start lie."""
    told: tuple[str, ...]
    """The points of each seat from the start on, with commas between."""


def points_chart(game: GameStory) -> PointsChart | None:
    """None before the first hand is over."""
    if not game.hands:
        return None
    starts = game.happened[0].state.points
    series = [[starts[seat], *(hand.points[seat] for hand in game.hands)] for seat in range(4)]
    low, high = min(map(min, series)), max(map(max, series))

    def y(points: float) -> float:
        return round(EDGE + (HEIGHT - 2 * EDGE) * (high - points) / ((high - low) or 1), 1)

    def x(hand: int) -> float:
        return round(EDGE + (WIDTH - 2 * EDGE) * hand / len(game.hands), 1)

    lines = (" ".join(f"{x(at)},{y(value)}" for at, value in enumerate(own)) for own in series)
    told = tuple(", ".join(map(str, own)) for own in series)
    return PointsChart(tuple(lines), y(starts[0]), told)
