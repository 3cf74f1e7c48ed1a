"""The tiles of pages: one SVG sprite, drawn by hand, that needs no fonts of its own."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from engine.tiles import Tile


@cache
def sprite() -> str:
    """An invisible ``<svg>`` with a symbol ``tile-CODE`` for every tile, and ``tile-back``."""
    text = files("service").joinpath("static/tiles.svg").read_text("utf-8")
    return "".join(line.strip() for line in text.splitlines())


def use(tile: Tile | None) -> str:
    """HTML of one tile of the sprite; None is a tile face down."""
    name = "back" if tile is None else str(tile) if tile.known else "unknown"
    label = "face-down tile" if tile is None else str(tile)
    return (
        f'<svg class="tile" viewBox="0 0 30 40" role="img" aria-label="{label}">'
        f'<use href="#tile-{name}"/></svg>'
    )
