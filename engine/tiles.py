"""Tiles in MPSZ notation: one string a tile, ``?`` for an unknown face."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Final

KINDS: Final = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)) + tuple(
    f"{rank}z" for rank in range(1, 8)
)
"""The 34 kinds of tile, red fives counted as their plain five."""

COPIES: Final = 4
"""Copies of each kind, red fives included."""
REDS: Final = ("0m", "0p", "0s")
FLOWERS: Final = tuple(f"{rank}f" for rank in range(1, 9))
"""Plum, orchid, chrysanthemum, bamboo; spring, summer, autumn, winter. There is one of each."""
CODES: Final = KINDS + REDS + FLOWERS
"""Every face, in the order of the detector's classes."""

_GROUP = re.compile(r"([0-9]+)([mpszf])|(\?)")
_INDEX: Final = {code: index for index, code in enumerate(CODES)}


class NotATile(ValueError):
    """The text is not a tile."""


_MADE: Final = dict[str, "Tile"]()
"""Each face is one object, so that what is known of it is found out once."""


class Tile(str):
    """One tile face, such as ``"5m"``, ``"0p"`` (red five), ``"7z"`` (red dragon) or ``"?"``."""

    def __new__(cls, code: str) -> Tile:
        known = _MADE.get(code)
        if known is None:
            if code not in _INDEX and code != "?":
                raise NotATile(f"expected a tile such as 5m, 0p, 7z, 1f or ?, got {code!r}")
            known = _MADE[code] = super().__new__(cls, code)
        return known

    @cached_property
    def known(self) -> bool:
        return self != "?"

    @cached_property
    def suit(self) -> str:
        """One of ``m p s z f``, or ``?``."""
        return self[-1]

    @cached_property
    def rank(self) -> int:
        """1 to 9, five for a red five, 0 for an unknown tile."""
        if not self.known:
            return 0
        return 5 if self[0] == "0" else int(self[0])

    @cached_property
    def kind(self) -> Tile:
        """The tile with a red five read as a plain five."""
        return Tile(f"5{self.suit}") if self[0] == "0" else self

    @cached_property
    def is_outer(self) -> bool:
        """A terminal or honour."""
        return self.suit == "z" or (self.suit in "mps" and self.rank in (1, 9))

    @cached_property
    def place(self) -> int:
        """Place in ``CODES``; raises ``NotATile`` for an unknown tile."""
        if not self.known:
            raise NotATile("an unknown tile has no place in the list of tiles")
        return _INDEX[self]


UNKNOWN: Final = Tile("?")
WINDS: Final = tuple(Tile(f"{rank}z") for rank in range(1, 5))
"""East, south, west, north."""
DRAGONS: Final = tuple(Tile(f"{rank}z") for rank in range(5, 8))
"""White, green, red."""
RED_DRAGON: Final = DRAGONS[-1]


@cache
def faces_of(kind: Tile) -> tuple[Tile, ...]:
    """Every face of a kind: a five has a red one too."""
    return tuple(tile for tile in map(Tile, CODES) if tile.kind == kind)


def parse(text: str) -> tuple[Tile, ...]:
    """Read tiles that a person typed, such as ``"123m 0p ?"``; raises ``NotATile``."""
    tiles: list[Tile] = []
    for word in text.split():
        position = 0
        while position < len(word):
            group = _GROUP.match(word, position)
            if group is None:
                raise NotATile(f"expected tiles such as 123m 0p 77z ?, got {text!r}")
            ranks, suit, unknown = group.groups()
            tiles += [UNKNOWN] if unknown else [Tile(rank + suit) for rank in ranks]
            position = group.end()
    return tuple(tiles)


def show(tiles: Iterable[Tile]) -> str:
    """Write tiles so that ``parse`` reads the same tiles back, in the same order."""
    groups: list[str] = []
    for tile in tiles:
        if tile.known and groups and groups[-1][-1] == tile.suit:
            groups[-1] = groups[-1][:-1] + tile
        else:
            groups.append(str(tile))
    return " ".join(groups)
