"""Pages that stand alone: templates, the sprite of tiles, pictures, and the chart of points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from engine.stories import GameStory
from engine.texts.figures import clock, plain, signed
from engine.tiles import Tile
from service.machine.files import data_address
from service.texts.catalogue import rules_title
from service.texts.events import TextPart
from service.texts.stories import names_in, ranking

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, **values: object) -> str:
    """Render a template; text from a record is escaped."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("service", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["sprite"] = Markup(sprite())
    environment.filters["signed"] = signed
    environment.filters["figure"] = plain
    environment.filters["part"] = _part
    environment.filters["tile"] = _tile
    environment.filters["clock"] = clock
    environment.filters["rules"] = rules_title
    environment.filters["names_in"] = names_in
    environment.filters["ranking"] = ranking
    return environment


def _part(part: TextPart) -> str | Markup:
    """Words as they are, tiles as drawings, which need no escaping."""
    return Markup(use(part)) if isinstance(part, Tile) else part


def _tile(code: str) -> Markup:
    """A tile by its code, or ``back``."""
    return Markup(use(None if code == "back" else Tile(code)))


@cache
def sprite() -> str:
    """An invisible ``<svg>`` with a symbol ``tile-CODE`` for every tile, and ``tile-back``."""
    text = files("service").joinpath("static/shared/tiles.svg").read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def use(tile: Tile | None) -> str:
    """HTML of one tile of the sprite; None is a tile face down."""
    name = "back" if tile is None else str(tile) if tile.known else "unknown"
    label = "face-down tile" if tile is None else str(tile)
    return (
        f'<svg class="tile" viewBox="0 0 30 40" role="img" aria-label="{label}">'
        f'<use href="#tile-{name}"/></svg>'
    )


def jpeg_address(picture: bytes | None) -> str | None:
    """A ``data:`` address of a JPEG file; None without one."""
    return data_address(picture) if picture else None


CHART_WIDTH: Final = 640
CHART_HEIGHT: Final = 220
CHART_EDGE: Final = 8


@dataclass(frozen=True)
class PointsChart:
    """Coordinates are those of a drawing of ``CHART_WIDTH`` and ``CHART_HEIGHT``."""

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
        return round(
            CHART_EDGE + (CHART_HEIGHT - 2 * CHART_EDGE) * (high - points) / ((high - low) or 1), 1
        )

    def x(hand: int) -> float:
        return round(CHART_EDGE + (CHART_WIDTH - 2 * CHART_EDGE) * hand / len(game.hands), 1)

    lines = (" ".join(f"{x(at)},{y(value)}" for at, value in enumerate(own)) for own in series)
    told = tuple(", ".join(map(str, own)) for own in series)
    return PointsChart(tuple(lines), y(starts[0]), told)
