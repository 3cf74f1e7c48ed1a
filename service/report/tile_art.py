"""Draws the tiles for pages as one SVG sprite; no fonts are needed."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.tiles import CODES, Tile

WIDTH, HEIGHT = 30, 40
"""Of a tile, in the units of the drawings."""

_RED, _GREEN, _BLUE, _INK = "#c22f2b", "#1e7d4a", "#1f4e9c", "#22262b"

_PLACES: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    2: ((15, 11), (15, 29)),
    3: ((8, 9), (15, 20), (22, 31)),
    4: ((9, 11), (21, 11), (9, 29), (21, 29)),
    5: ((8, 9), (22, 9), (15, 20), (8, 31), (22, 31)),
    6: ((9, 8), (21, 8), (9, 20), (21, 20), (9, 32), (21, 32)),
    7: ((7, 7), (15, 10.5), (23, 14), (10, 23), (20, 23), (10, 33), (20, 33)),
    8: tuple((x, y) for y in (6.5, 15.5, 24.5, 33.5) for x in (10, 20)),
    9: tuple((x, y) for y in (8, 20, 32) for x in (7, 15, 23)),
}
"""Centres of the circles or sticks, by rank."""

_RED_SPOTS: Final = {3: (1,), 5: (2,), 6: (2, 3, 4, 5), 7: (3, 4, 5, 6), 9: (3, 4, 5)}
_STICK_PLACES: Final = {3: ((15, 11), (9, 29), (21, 29)), 7: ((15, 7.5), *_PLACES[9][3:])}
"""Where sticks are placed otherwise than circles."""

_RED_STICKS: Final = {5: (2,), 7: (0,), 9: (1, 4, 7)}

_STROKES: Final[dict[str, str]] = {
    "万": "M4 4H26 M13 4C13 12 11 19 4 24 M12.5 11H22C22 17 21 21 19.5 23.5L15.5 21.5",
    "東": "M3 5H27 M15 1V28 M7 9H23V17H7Z M7 13H23 M14 18L3 26 M16 18L27 26",
    "南": "M4 5H26 M15 1V9 M5 28V10H25V27L22 25 M11 12L12.5 15 M19 12L17.5 15 M9 16H21 M8 21H22"
    " M15 16V27",
    "西": "M3 4H27 M5 10H25V27H5Z M11.5 4V12C11.5 16 10 18 7 19.5 M18 4V15C18 18 19.5 18.5 24 18.5",
    "北": "M11 3V27 M3 10H11 M3 25L11 20 M18 3V23C18 26 19 26.5 26 26.5V21 M25 8L18 13",
    "中": "M5 8H25V19H5Z M15 2V28",
    "發": "M4 4H12L4 13 M6 7L9 10 M17 3L26 12 M20 3L18 6 M24 6L21 9 M6 14H12V18H6V22H12V27L9 26"
    " M17 14H23V19L26 19 M17 14V17L15 19 M16 21H24L16 28 M17 22L25 28",
}
"""Characters as strokes in a box of 30 by 30."""

_WINDS: Final = {1: ("東", "E"), 2: ("南", "S"), 3: ("西", "W"), 4: ("北", "N")}


@cache
def sprite() -> str:
    """An invisible ``<svg>`` with a symbol ``tile-CODE`` for every tile, and ``tile-back``."""
    symbols = [_symbol(code, _face(Tile(code))) for code in CODES]
    symbols.append(_symbol("unknown", _plate() + _text("?", 15, 27, 20, "#8a8f98")))
    symbols.append(_symbol("back", _plate("#2f8a5b", "#1f6642") + _frame("#58b283", 4, 1.2)))
    # Not "hidden": browsers do not draw from a sprite that is.
    style = "position:absolute;width:0;height:0"
    return f'<svg style="{style}" aria-hidden="true">{"".join(symbols)}</svg>'


def use(tile: Tile | None) -> str:
    """HTML of one tile of the sprite; None is a tile face down."""
    name = "back" if tile is None else str(tile) if tile.known else "unknown"
    label = "face-down tile" if tile is None else str(tile)
    return (
        f'<svg class="tile" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'<use href="#tile-{name}"/></svg>'
    )


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{content}</symbol>'


def _face(tile: Tile) -> str:
    red = tile[0] == "0"
    match tile.suit:
        case "m":
            inside = _text(str(tile.rank), 15, 18.5, 17, _RED if red else _INK)
            inside += _strokes("万", 7, 21, 0.54, _RED)
        case "p":
            inside = _circles(tile.rank, red)
        case "s":
            inside = _sticks(tile.rank, red)
        case "z":
            inside = _honour(tile.rank)
        case _:
            inside = _flower(tile.rank)
    return _plate() + inside


def _plate(fill: str = "#fffdf6", edge: str = "#b9b4a4") -> str:
    return (
        f'<rect x=".7" y=".7" width="28.6" height="38.6" rx="4" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.2"/>'
    )


def _frame(colour: str, inset: float, width: float) -> str:
    return (
        f'<rect x="{inset}" y="{inset}" width="{WIDTH - 2 * inset}" height="{HEIGHT - 2 * inset}" '
        f'rx="1.5" fill="none" stroke="{colour}" stroke-width="{width}"/>'
    )


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'font-family="Arial,Helvetica,sans-serif" fill="{colour}">{text}</text>'
    )


def _strokes(character: str, x: float, y: float, scale: float, colour: str) -> str:
    return (
        f'<path transform="translate({x} {y}) scale({scale})" d="{_STROKES[character]}" '
        f'fill="none" stroke="{colour}" stroke-width="3" stroke-linecap="round" '
        'stroke-linejoin="round"/>'
    )


def _spot(x: float, y: float, radius: float, colour: str) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius * 0.55:.2f}" fill="#fffdf6"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius * 0.28:.2f}" fill="{colour}"/>'
    )


def _circles(rank: int, red: bool) -> str:
    if rank == 1:
        return _spot(15, 20, 10.5, _BLUE) + _spot(15, 20, 5.5, _RED)
    radius = 6 if rank == 2 else 4.9 if rank < 6 else 4.3 if rank == 6 else 3.7
    reds = _RED_SPOTS.get(rank, ())
    return "".join(
        _spot(x, y, radius, _RED if red or place in reds else _BLUE if place % 2 else _GREEN)
        for place, (x, y) in enumerate(_PLACES[rank])
    )


def _stick(x: float, y: float, length: float, colour: str) -> str:
    top, half = y - length / 2, length / 2
    return (
        f'<rect x="{x - 1.8}" y="{top:.1f}" width="3.6" height="{half - 0.4:.1f}" rx="1.7" '
        f'fill="{colour}"/><rect x="{x - 1.8}" y="{y + 0.4:.1f}" width="3.6" '
        f'height="{half - 0.4:.1f}" rx="1.7" fill="{colour}"/>'
    )


def _sticks(rank: int, red: bool) -> str:
    if rank == 1:
        return _bird()
    places = _STICK_PLACES.get(rank) or _PLACES[rank]
    reds = _RED_STICKS.get(rank, ())
    length = 14 if rank < 6 else 10.5 if rank in (6, 7, 9) else 8
    return "".join(
        _stick(x, y, length, _RED if red or place in reds else _GREEN)
        for place, (x, y) in enumerate(places)
    )


def _bird() -> str:
    return (
        f'<path d="M6 33C12 33 13 28 13 24" fill="none" stroke="{_RED}" stroke-width="2.2"/>'
        f'<path d="M9 34C15 33 16 29 16 25" fill="none" stroke="{_BLUE}" stroke-width="2.2"/>'
        f'<ellipse cx="15" cy="20" rx="6.2" ry="8.6" transform="rotate(24 15 20)" fill="{_GREEN}"/>'
        f'<circle cx="19" cy="10" r="4.3" fill="{_GREEN}"/>'
        f'<path d="M22.6 9L27 10.5L22.4 12Z" fill="{_RED}"/>'
        f'<circle cx="20" cy="9.2" r="1.1" fill="#fffdf6"/>'
        f'<path d="M11 19C14 17 18 19 18 24" fill="none" stroke="#fffdf6" stroke-width="1.3"/>'
        f'<path d="M16 28V34M19 27V33" stroke="{_RED}" stroke-width="1.4"/>'
    )


def _honour(rank: int) -> str:
    if rank in _WINDS:
        character, letter = _WINDS[rank]
        return _strokes(character, 5, 12, 0.67, _INK) + _text(letter, 24, 9, 8, "#6a6f78")
    return {
        5: _frame(_BLUE, 6, 2),
        6: _strokes("發", 4.5, 9, 0.7, _GREEN),
        7: _strokes("中", 4.5, 9, 0.7, _RED),
    }[rank]


def _flower(rank: int) -> str:
    petals = "".join(
        f'<ellipse cx="15" cy="13" rx="4" ry="6" transform="rotate({turn} 15 20)" fill="#d46a9a"/>'
        for turn in range(0, 360, 72)
    )
    return (
        petals
        + '<circle cx="15" cy="20" r="3.4" fill="#e8b93c"/>'
        + _text(str(rank), 6, 10, 8, _INK)
    )
