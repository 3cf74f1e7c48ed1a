"""Counts the copies of each tile that have been seen, by everybody or from one seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from types import NoneType
from typing import Final

from engine.events import Discard, Draw, Seat
from engine.evolve import evolve
from engine.state import Discarded, Meld, Player, SetKind, State, Tally
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
        yield from (tile for tile in player.flowers if tile.known)
    yield from won_apart(state)


def won_apart(state: State) -> list[Tile]:
    """Tiles that lie apart because somebody has won with them, each once."""
    apart = [tile for player in state.players for tile in player.won]
    for tile in state.shared if apart else ():
        if tile in apart:
            apart.remove(tile)
    return [tile for tile in apart if tile.known]


def unread_open_tiles(state: State) -> int:
    """Number of tiles that lie face up but could not be read."""
    return sum(
        sum(not thrown.tile.known for thrown in player.river if thrown.claimed_by is None)
        + sum(not tile.known for meld in player.melds if meld.is_open for tile in meld.tiles)
        + sum(not tile.known for tile in player.flowers)
        for player in state.players
    )


def known_tiles(meld: Meld) -> Iterator[Tile]:
    return (tile for tile in meld.tiles if tile.known)


def copies_named(state: State) -> Counter[Tile]:
    """Copies of each tile that the record names, wherever they lie, red fives apart."""
    copies = Counter[Tile](tallied(state).copies)
    del copies[UNKNOWN]
    copies.subtract(tile for tile in state.shared if tile.known)
    copies.subtract(state.lent)
    return copies


def tallied(state: State) -> Tally:
    """The tally of exactly this state: that of a state before it, with what has changed since."""
    last = state.tally
    players, indicators = state.players, state.indicators
    if last.players is players and last.indicators is indicators:
        return last
    if not last.players:
        return Tally(players, indicators, _counted(state))
    gone: list[Tile] = []
    added: list[Tile] = []
    for before, after in zip(last.players, players, strict=True):
        if before is not after:
            _exchanged(before, after, gone, added)
    if last.indicators is not indicators:
        gone += [indicator.tile for indicator in last.indicators]
        added += [indicator.tile for indicator in indicators]
    if gone == added:  # a discard of a known hand
        return Tally(players, indicators, last.copies, last.within)
    copies = dict(last.copies)
    for tile in gone:
        copies[tile] -= 1
    within, most = last.within, last.within or {}
    for tile in added:
        count = copies[tile] = copies.get(tile, 0) + 1
        if count > most.get(tile, 0) and tile is not UNKNOWN:
            within = None
    return Tally(players, indicators, copies, within)


def _exchanged(before: Player, after: Player, gone: list[Tile], added: list[Tile]) -> None:
    """Add what the seat no longer has, and what it has instead."""
    if before.hand is not after.hand:
        _exchanged_tiles(before.hand, after.hand, gone, added)
    if before.river is not after.river:
        if before.river == after.river[:-1] and after.river[-1].claimed_by is None:  # a discard
            added.append(after.river[-1].tile)
        else:
            gone += _unclaimed(before.river)
            added += _unclaimed(after.river)
    if before.melds is not after.melds:
        for meld in before.melds:
            gone += meld.tiles
        for meld in after.melds:
            added += meld.tiles
    if before.flowers is not after.flowers:
        gone += before.flowers
        added += after.flowers
    if before.won is not after.won:
        gone += before.won
        added += after.won


def _exchanged_tiles(
    before: tuple[Tile, ...], after: tuple[Tile, ...], gone: list[Tile], added: list[Tile]
) -> None:
    """The same of two hands; most often one tile came or went."""
    if len(after) == len(before) + 1:
        more, fewer, moved = after, before, added
    elif len(before) == len(after) + 1:
        more, fewer, moved = before, after, gone
    else:
        gone += before
        added += after
        return
    place = 0
    for tile in fewer:
        if tile is not more[place]:
            break
        place += 1
    if more[place + 1 :] == fewer[place:]:
        moved.append(more[place])
    else:
        gone += before
        added += after


def _unclaimed(river: Sequence[Discarded]) -> list[Tile]:
    return [thrown.tile for thrown in river if thrown.claimed_by is None]


def _counted(state: State) -> Counter[Tile]:
    named: list[Tile] = []
    for player in state.players:
        named += player.hand
        named += _unclaimed(player.river)
        for meld in player.melds:
            named += meld.tiles
        named += player.flowers
        named += player.won
    named += [indicator.tile for indicator in state.indicators]
    return Counter(named)


def seen_by(
    state: State, seat: Seat | None, hidden_indicators: Collection[str] = ()
) -> Counter[Tile]:
    """Copies of each kind that ``seat`` can see. None is somebody who sees the table only."""
    copies = Counter([tile.kind for tile in tiles_seen(state, seat, hidden_indicators)])
    del copies[UNKNOWN]
    return copies


def tiles_seen(
    state: State, seat: Seat | None, hidden_indicators: Collection[str] = ()
) -> list[Tile]:
    """The tiles that ``seat`` can see, unknown ones too.

    A closed kong shows two faces, so everybody knows it. Indicators of the ``hidden_indicators``
    kinds do not count.
    """
    seen: list[Tile] = []
    for other, player in enumerate(state.players):
        seen += _unclaimed(player.river)
        for meld in player.melds:
            seen += meld.tiles
        seen += player.flowers
        if other == seat:
            seen += player.hand
        elif player.shown:
            seen += state.open_hand(other)
    seen += won_apart(state)
    seen += [turned.tile for turned in state.indicators if turned.kind not in hidden_indicators]
    return seen


def tiles_named(event: object) -> list[Tile]:
    """Every tile that an event names, nested events included."""
    if type(event) is Draw or type(event) is Discard:
        return [event.tile]
    tiles: list[Tile] = []
    if is_dataclass(event):
        _name_tiles((each for name, each in vars(event).items() if name != "round"), tiles)
    return tiles


def _name_tiles(parts: Iterable[object], tiles: list[Tile]) -> None:
    for part in parts:
        if type(part) is Tile:
            tiles.append(part)
        elif isinstance(part, tuple):
            _name_tiles(part, tiles)
        elif type(part) not in _NO_TILES:
            tiles += tiles_named(part)


_NO_TILES: Final = frozenset({int, bool, NoneType, str, float, dict})


def tally_within(state: State, wall: Mapping[Tile, int]) -> Tally | Tile:
    """The tally of this state, or a tile that the record names more often than it exists."""
    tally = tallied(state)
    if tally.within is wall:
        return tally
    # Counted anew, for the order in which the tiles lie.
    copies = copies_named(evolve(state, tally=Tally()) if state.tally.players else state)
    beyond = next((tile for tile, count in copies.items() if count > wall.get(tile, 0)), None)
    if beyond is not None:
        return beyond
    return tally if state.shared or state.lent else tally._replace(within=wall)
