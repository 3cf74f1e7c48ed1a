"""What a riichi hand is worth by: the facts of a win, its dora, and the points of han and fu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.state import Meld
from engine.tiles import Tile

YAKUMAN_HAN: Final = 13
"""Han that a yakuman is listed with; its worth is ``YAKUMAN_BASE``, not that of 13 han."""

DORA: Final[tuple[str, ...]] = ("riichi_dora", "ura_dora", "red_five")
"""Han that are not yaku: a hand needs a yaku besides."""

MANGAN_BASE: Final = 2000
YAKUMAN_BASE: Final = 8000
_NEARLY_MANGAN: Final = 1920
_SANBAIMAN_BASE: Final = 6000
_LIMITS: Final = ((11, _SANBAIMAN_BASE), (8, 4000), (6, 3000), (5, MANGAN_BASE))
"""Fixed base points by least number of han (EMA 2016, 4.3)."""

_CYCLES: Final = (*("123456789" + suit for suit in "mps"), "1234z", "567z")
_NEXT: Final = {
    Tile(ranks[place] + cycle[-1]): Tile(ranks[(place + 1) % len(ranks)] + cycle[-1])
    for cycle in _CYCLES
    for ranks in (cycle[:-1],)
    for place in range(len(ranks))
}


def base_points(han: int, fu: int, thirteen_is_yakuman: bool, rounded_mangan: bool = False) -> int:
    """A quarter of what a discarder pays a non-dealer, before rounding up.

    ``rounded_mangan``: what nearly is a mangan is one (4 han 30 fu, 3 han 60 fu).
    """
    if han >= YAKUMAN_HAN and thirteen_is_yakuman:
        return YAKUMAN_BASE
    for least, base in _LIMITS:
        if han >= least:
            return base
    points = fu << (2 + han)
    return MANGAN_BASE if rounded_mangan and points == _NEARLY_MANGAN else min(points, MANGAN_BASE)


def dora_of(indicator: Tile) -> Tile:
    """The dora kind of an indicator: the next of its suit, winds or dragons (004, 2.7).

    Dragons go white, green, red as in 004.
    """
    return _NEXT[indicator.kind]


def dora_among(tiles: Sequence[Tile], indicators: Iterable[Tile]) -> int:
    """Number of dora among known tiles; two equal indicators count twice."""
    dora = [dora_of(indicator) for indicator in indicators if indicator.known]
    if not dora:
        return 0
    kinds = [tile.kind for tile in tiles]
    return sum(map(kinds.count, dora))


@dataclass(frozen=True)
class WinFacts:
    """Everything about one win that its worth depends on."""

    tiles: tuple[Tile, ...]
    """Undeclared tiles with the winning one, red fives as they are."""
    melds: tuple[Meld, ...]
    tile: Tile
    """The winning tile."""
    drawn: bool
    seat_wind: Tile
    round_wind: Tile
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    last_tile: bool = False
    """Won on the last tile of the wall, or the discard after it."""
    after_kong: bool = False
    robbed_kong: bool = False
    first_turn: bool = False
    """In the first uninterrupted go-around: tenhou, chiihou or renhou by seat and draw."""
    indicators: tuple[Tile, ...] = ()
    """Dora and kan dora indicators as they were turned up."""
    ura: tuple[Tile, ...] = ()

    @property
    def closed(self) -> bool:
        return not any(meld.is_open for meld in self.melds)

    @property
    def all_tiles(self) -> tuple[Tile, ...]:
        """The hand with its declared sets."""
        return (*self.tiles, *(tile for meld in self.melds for tile in meld.tiles))
