"""Counts the copies of each tile that have been seen, by everybody or from one seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import is_dataclass

from engine.events import Seat
from engine.state import Meld, SetKind, State
from engine.tiles import UNKNOWN, Tile


def open_tiles(state: State) -> Iterator[Tile]:
    """Known tiles that lie face up: unclaimed discards and open sets."""
    for player in state.players:
        for discarded in player.river:
            if discarded.claimed_by is None and discarded.tile.known:
                yield discarded.tile
        for meld in player.melds:
            if meld.kind is not SetKind.CLOSED_KONG:
                yield from known_tiles(meld)


def unread_open_tiles(state: State) -> int:
    """Number of tiles that lie face up but could not be read."""
    return sum(
        sum(not thrown.tile.known for thrown in player.river if thrown.claimed_by is None)
        + sum(not tile.known for meld in player.melds if meld.is_open for tile in meld.tiles)
        for player in state.players
    )


def known_tiles(meld: Meld) -> Iterator[Tile]:
    return (tile for tile in meld.tiles if tile.known)


def copies_named(state: State) -> Counter[Tile]:
    """Copies of each tile that the record names, wherever they lie, red fives apart."""
    named: list[Tile] = []  # one count of one list: every event of a game comes here
    for player in state.players:
        named += player.hand
        named += [thrown.tile for thrown in player.river if thrown.claimed_by is None]
        for meld in player.melds:
            named += meld.tiles
    named += [indicator.tile for indicator in state.indicators]
    copies = Counter(named)
    del copies[UNKNOWN]
    copies.subtract(tile for tile in state.shared if tile.known)
    copies.subtract(state.lent)
    return copies


def seen_by(
    state: State, seat: Seat | None, hidden_indicators: Collection[str] = ()
) -> Counter[Tile]:
    """Copies of each kind that ``seat`` can see. None is somebody who sees the table only.

    A closed kong shows two faces, so everybody knows it. Indicators of the ``hidden_indicators``
    kinds do not count.
    """
    copies = Counter(tile.kind for tile in open_tiles(state))
    for other, player in enumerate(state.players):
        if player.shown or other == seat:
            copies.update(tile.kind for tile in player.hand if tile.known)
        for meld in player.melds:
            if meld.kind is SetKind.CLOSED_KONG:
                copies.update(tile.kind for tile in known_tiles(meld))
    copies.update(
        indicator.tile.kind
        for indicator in state.indicators
        if indicator.kind not in hidden_indicators and indicator.tile.known
    )
    return copies


def tiles_named(event: object) -> Iterator[Tile]:
    """Every tile that an event names, nested events included."""
    if isinstance(event, Tile):
        yield event
    elif isinstance(event, tuple):
        for part in event:
            yield from tiles_named(part)
    elif is_dataclass(event):
        for name, part in vars(event).items():
            if (name != "round" and isinstance(part, tuple | Tile)) or is_dataclass(part):
                yield from tiles_named(part)


def tile_beyond_wall(state: State, wall: Mapping[Tile, int]) -> Tile | None:
    """A tile that the record names more often than it exists; None when there is none."""
    for tile, count in copies_named(state).items():
        if count > wall.get(tile, 0):
            return tile
    return None
