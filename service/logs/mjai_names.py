"""Names of tiles and reasons in mjai."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.tiles import CODES, UNKNOWN, Tile
from service.logs.record_writer import DrawnReason

_HONOURS: Final = dict(zip("ESWNPFC", (f"{rank}z" for rank in range(1, 8)), strict=True))
_REDS: Final = {"5mr": "0m", "5pr": "0p", "5sr": "0s"}

TILES: Final[Mapping[str, Tile]] = {
    **{code: Tile(code) for code in CODES if code[0] in "123456789" and code[1] in "mps"},
    **{name: Tile(code) for name, code in (_HONOURS | _REDS).items()},
    "?": UNKNOWN,
}
"""Tiles by their mjai name."""

NAMES: Final[Mapping[Tile, str]] = {tile: name for name, tile in TILES.items()}

WINDS: Final = ("E", "S", "W", "N")

DRAWN_HANDS: Final[Mapping[str, DrawnReason]] = {
    "fanpai": "exhausted",
    "nagashimangan": "exhausted",
    "kyushukyuhai": "nine_terminals",
    "sufonrenta": "four_winds",
    "sukaikan": "four_kongs",
    "suchareach": "four_ready",
}
"""Reasons for a drawn hand; where two mean the same, the older one comes first."""

THREE_WINS: Final = "sanchaho"
CHOMBO: Final = "chombo"
"""Our own word in place of a reason: a foul ended the hand."""
