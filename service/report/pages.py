"""Fills in templates of pages that stand alone."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from engine.tiles import Tile
from service.report.tile_art import sprite, use
from service.words.catalogue import rules_title
from service.words.events import TextPart
from service.words.figures import clock, plain, signed


def page(template: str, **values: object) -> str:
    """Render a template; text from a record is escaped."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
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
    return environment


def _part(part: TextPart) -> str | Markup:
    """Words as they are, tiles as drawings, which need no escaping."""
    return Markup(use(part)) if isinstance(part, Tile) else part


def _tile(code: str) -> Markup:
    """A tile by its code, or ``back``."""
    return Markup(use(None if code == "back" else Tile(code)))
