"""Pages that stand alone: templates, the sprite of tiles, and pictures."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from engine.texts.announcements import tile_name
from engine.texts.figures import plain, signed
from engine.tiles import Tile
from service.machine.files import data_address
from service.texts.catalogue import rules_title
from service.texts.events import TextPart, TileView

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
    environment.filters["listed"] = _listed
    environment.filters["rules"] = rules_title
    return environment


def _part(part: TextPart) -> str | Markup:
    """Words as they are, tiles as drawings, which need no escaping."""
    return Markup(use(part)) if isinstance(part, Tile) else part


def _listed(part: str | TileView, lang: str) -> str:
    """Words as they are, tiles by their names."""
    return part if isinstance(part, str) else tile_name(Tile(part["tile"]), lang)


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
