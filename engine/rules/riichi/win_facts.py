"""One win of riichi as it happened, and its worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rules.riichi.yaku import DORA
from engine.state import Meld
from engine.tiles import Tile


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


@dataclass(frozen=True)
class RiichiScore:
    """What a complete hand is worth."""

    han: int
    """Han with dora; 13 for each yakuman that counts; 0 without a yaku."""
    fu: int
    yaku: tuple[tuple[str, int], ...]
    """Ids and han, dora last; 13 (26 where the table doubles it) for each yakuman.

    Where yakuman do not add up, all are listed and the greatest counts.
    """
    yakuman: int
    """How many times a yakuman is paid; 0 for 13 han without one."""
    base: int
    """A quarter of what a discarder pays a non-dealer, before rounding up."""

    @property
    def fan_of_yaku(self) -> int:
        """Han without dora. A hand with 0 may not win; five counters may require 2."""
        return sum(han for name, han in self.yaku if name not in DORA)


NO_YAKU: Final = RiichiScore(0, 0, (), 0, 0)
"""The score of a complete hand that may not win."""
