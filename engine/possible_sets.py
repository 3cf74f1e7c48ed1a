"""Which sets a hand can declare as far as the visible tiles allow, whatever the rules say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations_with_replacement, product
from typing import Final

from engine.events import Chow, Kong, Pung, Seat
from engine.evolve import evolve
from engine.state import SetKind, State
from engine.tile_counts import copies_named
from engine.tiles import COPIES, UNKNOWN, Tile, faces_of


class Stock:
    """What a hand can hold: its known tiles, and hidden ones that are not visible elsewhere."""

    def __init__(self, state: State, seat: Seat, wall: Mapping[Tile, int]) -> None:
        self._hand = state.players[seat].hand
        self._hidden = self._hand.count(UNKNOWN)
        self._wall = wall
        self._state = state

    def known_kinds(self) -> list[Tile] | None:
        """What each tile counts as in sets. None where one is hidden."""
        return None if self._hidden else self._kinds

    @cached_property
    def _kinds(self) -> list[Tile]:
        if self._state.stand_ins:
            return list(map(self._state.read_as, self._hand))
        return [tile.kind for tile in self._hand]

    @cached_property
    def _faces(self) -> Mapping[Tile, tuple[Tile, ...]]:
        """Faces of the wall by the kind that they count as, sorted by kind."""
        return _faces(tuple(self._wall), tuple(self._state.stand_ins.items()))

    @cached_property
    def _seen(self) -> Counter[Tile]:
        return copies_named(self._state)

    def can_hold(self, tiles: Sequence[Tile]) -> bool:
        left = self._hidden
        for tile in set(tiles):
            beyond = tiles.count(tile) - self._hand.count(tile)
            if beyond <= 0:
                continue
            left -= beyond
            # A known hand needs no look at the rest of the table.
            if left < 0 or self._wall.get(tile, 0) - self._seen[tile] < beyond:
                return False
        return True

    def most_of(self, faces: Sequence[Tile]) -> int:
        """How many of these tiles the hand holds if every hidden tile is one of them."""
        return self._hidden + sum(map(self._hand.count, faces))

    @property
    def kinds(self) -> tuple[Tile, ...]:
        return tuple(self._faces)

    def faces(self, kind: Tile) -> tuple[Tile, ...]:
        """Tiles that the hand may hold and that count as this kind in sets."""
        if self._hidden:
            return self._faces.get(kind, ())
        held = {tile for tile, own in zip(self._hand, self._kinds, strict=True) if own == kind}
        return tuple(held) if len(held) < 2 else tuple(sorted(held, key=_place))


def _place(tile: Tile) -> int:
    return tile.place


@cache
def _faces(
    wall: tuple[Tile, ...], stand_ins: tuple[tuple[Tile, Tile], ...]
) -> Mapping[Tile, tuple[Tile, ...]]:
    """Tiles of the wall by the kind that they count as in sets, sorted by kind."""
    state = State(stand_ins=dict(stand_ins))
    faces: dict[Tile, list[Tile]] = {}
    for tile in wall:
        faces.setdefault(state.read_as(tile), []).append(tile)
    return {kind: tuple(tiles) for kind, tiles in sorted(faces.items())}


def can_claim(state: State, seat: Seat, *, chows: bool = True) -> bool:
    """Whether a known hand has the tiles for any claim of the last discard, true for a hidden one.

    Most hands do not, and this is asked of three after each discard.
    """
    hand, last = state.players[seat].hand, state.last_discard
    if last is None or (hand and hand[-1] is UNKNOWN):  # hidden tiles come last
        return last is not None
    stand_ins = tuple(state.stand_ins.items()) if state.stand_ins else ()
    same, runs = _wanted(state.read_as(last.tile), stand_ins)
    held = 0
    for face in same:
        held += hand.count(face)
    if held > 1 or not chows:
        return held > 1
    for lower, higher in runs:  # noqa: SIM110 - a generator takes twice the time
        if not (lower.isdisjoint(hand) or higher.isdisjoint(hand)):
            return True
    return False


@cache
def _wanted(
    kind: Tile, stand_ins: tuple[tuple[Tile, Tile], ...]
) -> tuple[frozenset[Tile], tuple[tuple[frozenset[Tile], frozenset[Tile]], ...]]:
    """Every tile that counts as a kind, and as the two others of each chow with it."""

    def counting(other: Tile) -> frozenset[Tile]:
        kept = {face for face in faces_of(other) if face not in dict(stand_ins)}
        return frozenset(kept | {tile for tile, read in stand_ins if read == other})

    runs = ((counting(lower), counting(higher)) for lower, higher in runs_with(kind))
    return counting(kind), tuple(runs)


def claims_of(
    state: State, seat: Seat, held: Stock, *, chows: bool = True
) -> Iterator[Chow | Pung | Kong]:
    """Possible claims of the last discard, one for each combination of own tiles.

    ``chows``: with chows, which a rule set may allow one seat only.
    """
    last = state.last_discard
    if last is None or last.added_kong or not last.tile.known or last.seat == seat:
        return
    tile, kind = last.tile, state.read_as(last.tile)
    kinds = held.known_kinds()
    for pair in runs_with(kind) if chows else ():
        if kinds is not None and not (pair[0] in kinds and pair[1] in kinds):
            continue
        for own in product(*(held.faces(other) for other in pair)):
            if held.can_hold(own):
                yield evolve(_CHOW, seat=seat, from_seat=last.seat, tile=tile, own=own)
    if kinds is not None and kinds.count(kind) < 2:
        return
    for own in combinations_with_replacement(held.faces(kind), 2):
        if held.can_hold(own):
            yield evolve(_PUNG, seat=seat, from_seat=last.seat, tile=tile, own=own)
    for own in combinations_with_replacement(held.faces(kind), 3):
        if held.can_hold(own):
            yield evolve(_KONG, seat=seat, from_seat=last.seat, tile=tile, own=own)


_CHOW: Final = Chow(0, 3, Tile("1m"), (Tile("2m"), Tile("3m")))
_PUNG: Final = Pung(0, 3, Tile("1m"), (Tile("1m"), Tile("1m")))
_KONG: Final = Kong(0, "open", Tile("1m"), 3, (Tile("1m"),) * 3)
"""Claims to evolve from: what is put in needs no check."""


def own_kongs_of(state: State, seat: Seat, held: Stock) -> Iterator[Kong]:
    """Possible closed kongs, and tiles that can be added to a pung."""
    player = state.players[seat]
    known = held.known_kinds()
    for kind in held.kinds if known is None else sorted({*known}):
        if known is not None and known.count(kind) < COPIES:
            continue
        faces = held.faces(kind)
        if held.most_of(faces) < COPIES:
            continue
        for own in combinations_with_replacement(faces, COPIES):
            if held.can_hold(own):
                yield Kong(seat, "closed", own[0], own=own)
    for meld in player.melds:
        if meld.kind is SetKind.PUNG and meld.tiles[0].known:
            for tile in held.faces(state.read_as(meld.tiles[0])):
                if held.can_hold((tile,)):
                    yield Kong(seat, "added", tile, meld.from_seat, own=(tile,))


@cache
def runs_with(tile: Tile) -> tuple[tuple[Tile, Tile], ...]:
    """The two other tiles of every chow that this tile belongs to."""
    if tile.suit not in "mps":
        return ()
    lowest = range(max(1, tile.rank - 2), min(7, tile.rank) + 1)
    others = [[rank for rank in range(low, low + 3) if rank != tile.rank] for low in lowest]
    return tuple(
        (Tile(f"{first}{tile.suit}"), Tile(f"{second}{tile.suit}")) for first, second in others
    )
