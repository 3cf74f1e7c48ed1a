"""Tables at which several players wait for the tile that one of them gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from engine.events import (
    Claim,
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN, Tile

EASY: Final[Mapping[str, Mapping[str, object]]] = {"hong-kong": {"minimum_faan": 0}}
"""House rules under which plain hands win."""


class _Wall:
    """Tiles that are left for the hands of one table."""

    def __init__(self, tiles: Mapping[Tile, int], random: Random) -> None:
        self.left = Counter({tile: count for tile, count in tiles.items() if tile.kind == tile})
        self.random = random

    def take(self, *tiles: Tile) -> bool:
        if any(self.left[tile] < tiles.count(tile) for tile in tiles):
            return False
        self.left.subtract(tiles)
        return True

    def a_set(self, suits: str, *, run: bool) -> tuple[Tile, ...]:
        lowest = range(1, 8 if run else 10)
        return self._one_of(
            tuple(Tile(f"{low + step * run}{suit}") for step in range(3))
            for suit in suits
            for low in lowest
        )

    def a_pair(self, suits: str) -> tuple[Tile, ...]:
        return self._one_of((Tile(f"{rank}{suit}"),) * 2 for suit in suits for rank in range(1, 10))

    def _one_of(self, choices: Iterable[tuple[Tile, ...]]) -> tuple[Tile, ...]:
        listed = list(choices)
        self.random.shuffle(listed)
        found = next((tiles for tiles in listed if self.take(*tiles)), None)
        if found is None:
            raise NoTilesLeft
        return found


class NoTilesLeft(Exception):
    """The hands dealt so far leave no such set."""


def table(
    rules: str, random: Random, options: Mapping[str, object], *, robbed: bool
) -> tuple[list[Entry], tuple[Win, ...]]:
    """A record up to the tile that several may win on, and their wins.

    ``robbed``: the tile is added to a pung, else it is discarded.
    """
    while True:
        try:
            return _table(rules, random, options, robbed=robbed)
        except NoTilesLeft:
            continue


def _table(
    rules: str, random: Random, options: Mapping[str, object], *, robbed: bool
) -> tuple[list[Entry], tuple[Win, ...]]:
    feeder = random.randrange(4)
    tile = Tile(f"{random.choice((2, 3, 4, 6, 7, 8))}{random.choice('mps')}")  # no red five
    game = RULE_SETS[rules]
    wall = _Wall(game.wall.under({**defaults(rules), **options}), random)
    wall.take(*(tile,) * 4)
    hands: list[tuple[Tile, ...]] = [(UNKNOWN,) * game.wall.waiting(int(robbed))] * 4
    sets: list[tuple[Claim, ...]] = [()] * 4
    if robbed:
        sets[feeder] = (Pung(feeder, (feeder + 1) % 4, tile, (tile, tile)),)
    for seat in range(4):
        if seat != feeder:
            hands[seat], sets[seat] = _ready(wall, seat, tile, rules)
    staying = rules == "hangzhou"  # and the banker must be one of those who pay or win
    dealer = feeder if staying else random.randrange(4)
    start = HandStart(dealer=dealer, staying=3 if staying else None)
    fortune = (Indicator(Tile("1z"), "fortune"),) if staying else None
    ready = tuple({0, 1, 2, 3} - {feeder})
    position = Position(tuple(hands), tuple(sets), None, 40, feeder, ready, fortune)
    given = Kong(feeder, "added", tile) if robbed else Discard(feeder, tile)
    lines: list[Event] = [
        GameStart(rules, dict(options)),
        start,
        position,
        Draw(feeder, tile),
        given,
    ]
    entries = [Entry(line) for line in lines]
    wins = [move for move in replay(entries).legal() if isinstance(move, Win)]
    return entries, tuple(win for win in wins if win.seat != win.from_seat)


def defaults(rules: str) -> dict[str, object]:
    return {option.name: option.default for option in RULE_SETS[rules].options}


def _ready(
    wall: _Wall, seat: int, tile: Tile, rules: str
) -> tuple[tuple[Tile, ...], tuple[Claim, ...]]:
    """A hand of two suits that waits for the tile, and its declared sets."""
    other = wall.random.choice([suit for suit in "mps" if suit != tile.suit])
    suits = tile.suit + other
    low, high = Tile(f"{tile.rank - 1}{tile.suit}"), Tile(f"{tile.rank + 1}{tile.suit}")
    if not wall.take(low, high):
        low, high = wall.a_pair(suits)[:1] * 2
    feeder = (seat - 1) % 4
    if rules.startswith("riichi"):  # closed, so that riichi is a yaku
        closed = (*wall.a_set(suits, run=True), *wall.a_set(suits, run=True))
        hand = (low, high, *closed, *wall.a_set(suits, run=False), *wall.a_pair(other))
        return hand, ()
    three, run = wall.a_set(suits, run=False), wall.a_set(suits, run=True)
    declared: list[Claim] = [Pung(seat, feeder, three[0], (three[1], three[2]))]
    hand = (low, high, *run, *wall.a_set(other, run=wall.random.random() < 0.5))
    for _ in range(4, RULE_SETS[rules].wall.hand_size // 3):
        hand += wall.a_set(suits, run=True)
    return (*hand, *wall.a_pair(other)), tuple(declared)
