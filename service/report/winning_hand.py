"""A winning hand as people lay it out: its sets, its pair, and the wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Win
from engine.hands import Group, GroupKind, splits
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile

TWO_SIDED, TWO_PAIRS, CLOSED, EDGE, PAIR = "two_sided", "two_pairs", "closed", "edge", "pair"
_FIRST: Final = (TWO_SIDED, TWO_PAIRS, CLOSED, EDGE, PAIR)
"""Which wait is named where the tile may have ended several."""


@dataclass(frozen=True)
class WinningHand:
    """The undeclared tiles of a winner, the winning tile among them."""

    sets: tuple[tuple[Tile, ...], ...]
    """Sets and the pair, red fives as they are."""
    won: tuple[int, int]
    """Which set holds the winning tile, and where."""
    wait: str


def winning_hand(state: State, win: Win) -> WinningHand | None:
    """Arrange the hand of a win that stands; None where it is hidden or has no sets and pair.

    A hand in which tiles may stand for others is not arranged: nothing tells what they stood for.
    """
    rules = RULE_SETS.get(state.rules)
    player = state.players[win.seat]
    hand = player.hand
    if rules is None or not player.known or win.tile not in hand or len(hand) % 3 != 2:
        return None
    if state.stand_ins or rules.wild(state).intersection(tile.kind for tile in hand):
        return None
    found = [
        (_FIRST.index(wait), at, place, split, wait)
        for split in splits(hand)
        for at, place, wait in _ends(split, win.tile.kind)
    ]
    if not found:
        return None
    _, at, place, split, wait = min(found, key=lambda one: one[0])
    return WinningHand(_with_reds(split, hand, at, place, win.tile), (at, place), wait)


def _ends(split: Sequence[Group], tile: Tile) -> Iterator[tuple[int, int, str]]:
    """The sets that this tile may have ended, its place there, and the wait."""
    for at, group in enumerate(split):
        if tile not in _tiles(group):
            continue
        if group.kind is not GroupKind.CHOW:
            last = len(_tiles(group)) - 1
            yield at, last, PAIR if group.kind is GroupKind.PAIR else TWO_PAIRS
            continue
        place = tile.rank - group.tile.rank
        outer = (group.tile.rank == 1 and place == 2) or (group.tile.rank == 7 and place == 0)
        yield at, place, CLOSED if place == 1 else EDGE if outer else TWO_SIDED


def _tiles(group: Group) -> tuple[Tile, ...]:
    if group.kind is GroupKind.CHOW:
        first = group.tile
        return tuple(Tile(f"{first.rank + step}{first.suit}") for step in range(3))
    return (group.tile,) * (2 if group.kind is GroupKind.PAIR else 3)


def _with_reds(
    split: Sequence[Group], hand: Sequence[Tile], at: int, place: int, won: Tile
) -> tuple[tuple[Tile, ...], ...]:
    """The sets made of the very tiles of the hand."""
    left = list(hand)
    left.remove(won)
    sets = []
    for number, group in enumerate(split):
        tiles = []
        for where, kind in enumerate(_tiles(group)):
            if (number, where) == (at, place):
                tiles.append(won)
                continue
            one = next(tile for tile in left if tile.kind == kind)
            left.remove(one)
            tiles.append(one)
        sets.append(tuple(tiles))
    return tuple(sets)
