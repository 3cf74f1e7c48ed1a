"""Which sets a hand can declare, as far as the tiles in sight allow; rules come later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

from engine.events import Chow, Kong, Pung, Seat
from engine.seen import KONG_COPIES, told
from engine.state import Player, SetKind, State
from engine.tiles import UNKNOWN, Tile


class Stock:
    """What a hand can hold: its known tiles, and hidden ones that no other place accounts for."""

    def __init__(self, player: Player, wall: Mapping[Tile, int], seen: Counter[Tile]) -> None:
        self._known = Counter(tile for tile in player.hand if tile.known)
        self._hidden = player.hand.count(UNKNOWN)
        self._wall = wall
        self._seen = seen

    def can_hold(self, tiles: Sequence[Tile]) -> bool:
        beyond = Counter(tiles) - self._known
        return beyond.total() <= self._hidden and all(
            self._wall.get(tile, 0) - self._seen[tile] >= count for tile, count in beyond.items()
        )

    def faces(self, tile: Tile) -> tuple[Tile, ...]:
        """Tiles of this kind that are in play: the plain one and the red one."""
        return tuple(other for other in self._wall if other.kind == tile.kind)


def stock(state: State, seat: Seat, wall: Mapping[Tile, int]) -> Stock:
    return Stock(state.players[seat], wall, told(state))


def claims_of(state: State, seat: Seat, held: Stock) -> Iterator[Chow | Pung | Kong]:
    """Chows, pungs and kongs of the last discard, one for each combination of own tiles."""
    last = state.last_discard
    if last is None or last.added_kong or not last.tile.known or last.seat == seat:
        return
    tile = last.tile
    for pair in _runs_with(tile):
        for own in product(*(held.faces(other) for other in pair)):
            if held.can_hold(own):
                yield Chow(seat, last.seat, tile, (own[0], own[1]))
    for own in combinations_with_replacement(held.faces(tile), 2):
        if held.can_hold(own):
            yield Pung(seat, last.seat, tile, (own[0], own[1]))
    for own in combinations_with_replacement(held.faces(tile), 3):
        if held.can_hold(own):
            yield Kong(seat, "open", tile, last.seat, own)


def own_kongs_of(state: State, seat: Seat, held: Stock, wall: Mapping[Tile, int]) -> Iterator[Kong]:
    """Closed kongs, and tiles that can be added to a pung."""
    player = state.players[seat]
    for kind in sorted({tile.kind for tile in wall}):
        faces = held.faces(kind)
        for own in combinations_with_replacement(faces, KONG_COPIES):
            if held.can_hold(own):
                yield Kong(seat, "closed", kind, own=own)
    for meld in player.melds:
        if meld.kind is SetKind.PUNG and meld.tiles[0].known:
            for tile in held.faces(meld.tiles[0]):
                if held.can_hold((tile,)):
                    yield Kong(seat, "added", tile, meld.from_seat, own=(tile,))


def _runs_with(tile: Tile) -> Iterator[tuple[Tile, Tile]]:
    """The two other tiles of every chow that this tile belongs to."""
    if tile.suit not in "mps":
        return
    for low in range(max(1, tile.rank - 2), min(7, tile.rank) + 1):
        first, second = (rank for rank in range(low, low + 3) if rank != tile.rank)
        yield Tile(f"{first}{tile.suit}"), Tile(f"{second}{tile.suit}")
