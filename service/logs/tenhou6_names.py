"""Names of tiles, sets and results in the JSON of tenhou.net/6."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.events import Seat
from engine.tiles import KINDS, Tile
from service.logs.record_writer import BadLog, DrawnReason

Letter = Literal["c", "p", "m", "k", "a"]

CODES: Final[Mapping[int, Tile]] = {
    **{10 * (1 + "mpsz".index(code[1])) + int(code[0]): Tile(code) for code in KINDS},
    51: Tile("0m"),
    52: Tile("0p"),
    53: Tile("0s"),
}
"""Tiles by number: tens for the suit, 51 to 53 for the red fives."""

NUMBERS: Final[Mapping[Tile, int]] = {tile: number for number, tile in CODES.items()}

AS_DRAWN: Final = 60
"""In the list of discards: the tile just drawn."""
NOTHING: Final = 0
"""In the list of discards: the place of an open kong, after which a tile is drawn."""

WON: Final = "和了"
DRAWN_HANDS: Final[Mapping[str, DrawnReason]] = {
    "流局": "exhausted",
    "全員聴牌": "exhausted",
    "全員不聴": "exhausted",
    "流し満貫": "exhausted",
    "九種九牌": "nine_terminals",
    "四風連打": "four_winds",
    "四槓散了": "four_kongs",
    "四開槓": "four_kongs",
    "四家立直": "four_ready",
}
THREE_WINS: Final = ("三家和了", "三家和")
IN_OTHER_WORDS: Final[Mapping[str, str]] = {
    "Agari": WON,
    "Ryuukyoku": "流局",
    "Exhaustive Draw": "流局",
    "Nagashi Mangan": "流し満貫",
    "Mangan at Draw": "流し満貫",
    "Kyuushu Kyuuhai": "九種九牌",
    "Nine Terminal Abortion": "九種九牌",
    "Suufon Renda": "四風連打",
    "Four Wind Abortion": "四風連打",
    "Suukaikan": "四開槓",
    "Four Kan Abortion": "四開槓",
    "Suucha Riichi": "四家立直",
    "Four Riichi Abortion": "四家立直",
    "Sanchahou": "三家和",
    "Three Ron Abortion": "三家和",
}
"""English results that converters of other sites' games write."""

CHOMBO: Final = "チョンボ"
"""Our own word in place of a result: a foul ended the hand."""

_SET: Final = re.compile(r"((?:[0-9]{2})*)([cpmka])((?:[0-9]{2})+)")
_LETTERS: Final[Mapping[str, Letter]] = {"c": "c", "p": "p", "m": "m", "k": "k", "a": "a"}
_LENGTHS: Final = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4}
_FROM: Final = {"c": {0: 3}, "p": {0: 3, 1: 2, 2: 1}, "m": {0: 3, 1: 2, 3: 1}}
"""Steps from the seat to the discarder, by the letter's position."""


@dataclass(frozen=True)
class Written:
    """A set as written, such as ``"52p5525"``: a pung from the opposite seat."""

    letter: Letter
    """Chow, pung, open kong, added kong, closed kong."""
    place: int
    """Number of tiles before the letter."""
    tile: Tile
    """The tile after the letter: claimed or added."""
    others: tuple[Tile, ...]

    def from_seat(self, seat: Seat) -> Seat:
        """Who discarded the claimed tile."""
        return (seat + _FROM[self.letter][self.place]) % 4


def tile_of(number: object) -> Tile:
    if not isinstance(number, int) or isinstance(number, bool) or number not in CODES:
        raise BadLog(f"expected a tile such as 15, 47 or 52, got {str(number)[:40]}")
    return CODES[number]


def set_of(text: str) -> Written:
    """Parse a set; raise ``BadLog``."""
    found = _SET.fullmatch(text)
    if found is None:
        raise BadLog(f"expected a set such as c171618 or 47p4747, got {text[:40]!r}")
    before, letter, after = found.groups()
    numbers = [int((before + after)[place : place + 2]) for place in range(0, len(text) - 1, 2)]
    place = len(before) // 2
    allowed = letter not in _FROM or place in _FROM[letter]
    if len(numbers) != _LENGTHS[letter] or not allowed:
        raise BadLog(f"expected a set such as c171618 or 47p4747, got {text[:40]!r}")
    tiles = [tile_of(number) for number in numbers]
    tile = tiles.pop(place)
    return Written(_LETTERS[letter], place, tile, tuple(tiles))


def write_set(letter: str, place: int, tile: Tile, others: Sequence[Tile]) -> str:
    numbers = [str(NUMBERS[other]) for other in others]
    return "".join((*numbers[:place], letter, str(NUMBERS[tile]), *numbers[place:]))
