"""Which tiles complete a riichi hand, whatever the rules say about the win."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from engine import hands
from engine.hands import GroupKind, HandForm
from engine.rules.verdict import completing
from engine.state import Meld
from engine.tiles import COPIES, Tile

CLOSED_FORMS: Final = frozenset({HandForm.SETS, HandForm.DISTINCT_PAIRS, HandForm.ORPHANS})
FEWEST_ORPHANS: Final = 9
"""Kinds of terminals and honours with which a player may call the hand off (004, 3.4.3)."""


@lru_cache(maxsize=1 << 14)
def shape_waits(hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    """Kinds that complete a waiting hand, without those of which the player holds all four."""
    kinds = completing(hand, CLOSED_FORMS)  # a hand beside sets is too small for the other forms
    if not kinds:
        return ()
    declared = [tile.kind for meld in melds for tile in meld.tiles]
    held = [*(tile.kind for tile in hand), *declared]
    return tuple([tile for tile in kinds if held.count(tile) < COPIES])


def is_ready(
    hand: tuple[Tile, ...], melds: tuple[Meld, ...], options: Mapping[str, object]
) -> bool:
    """Whether a waiting hand is tenpai: a tile of the own kong may count as what it waits for."""
    if shape_waits(hand, melds):
        return True
    if options["own_kong_wait"] == "not_ready":
        return False
    kongs = {meld.tiles[0].kind for meld in melds if meld.is_kong}
    return bool(kongs) and not kongs.isdisjoint(hands.waits(hand, forms=hands.SETS_ONLY))


def is_complete(hand: tuple[Tile, ...], melds: tuple[Meld, ...]) -> bool:
    """Whether ``3n + 2`` undeclared tiles are a complete hand."""
    return hands.wins(hand, forms=hands.SETS_ONLY if melds else CLOSED_FORMS)


def waits_for_orphans(hand: tuple[Tile, ...]) -> bool:
    """Whether thirteen tiles wait for thirteen orphans."""
    return hands.distance(hand, forms=frozenset({HandForm.ORPHANS})) == 0


def kong_keeps_hand(
    hand: tuple[Tile, ...], before: tuple[Meld, ...], after: tuple[Meld, ...], kind: Tile
) -> bool:
    """Whether a hand in riichi may make a kong of this kind with the drawn tile.

    ``hand``: the waiting hand with the three tiles. The waits must stay, and the three tiles must
    be a pung in every reading of every completed hand (004, 3.3.12).
    """
    if sum(tile.kind == kind for tile in hand) != COPIES - 1:
        return False
    waits = shape_waits(hand, before)
    rest = tuple(tile for tile in hand if tile.kind != kind)
    if not waits or shape_waits(rest, after) != waits:
        return False
    readings = [split for tile in waits for split in hands.splits((*hand, tile))]
    return all(
        any(group.kind is GroupKind.PUNG and group.tile == kind for group in split)
        for split in readings
    )
