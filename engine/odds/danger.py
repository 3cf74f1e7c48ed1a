"""How likely a tile is to be what another seat waits for, from what lies on the table.

Every hand that the unseen tiles still allow counts: two-sided, closed, edge and pair waits. A
two-sided wait is impossible if the rules bar its other end (furiten; players call this suji). Other
waits are impossible if all copies of a tile that they need are seen (a wall).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from engine.events import Seat
from engine.odds.curves import log1p
from engine.rules.equal_discards import valued_honours
from engine.state import Player, State
from engine.tiles import COPIES, KINDS, REDS, Tile

ALL: Final = tuple(map(Tile, KINDS))
PLACE: Final = {tile: place for place, tile in enumerate(ALL)}
SHAPE_WEIGHTS: Final = (1.0, 0.25, 0.25, 0.6, 0.4)
"""How often players wait with the two tiles of a shape, of all that they may hold."""
EARLY: Final = 6
LATELY: Final = 3
MOST_MELDS: Final = 3

TILE_FEATURES: Final = (
    "one", "share", "two_sided", "closed", "edge", "pair", "single", "no_two_sided", "honour",
    "value_honour", "terminal", "two_eight", "three_seven", "thrown", "outside_early",
    "near_ready_tile", "bonus", "near_bonus", "discards", "since_ready", "melds", "in_their_suit",
    "beside_their_suit", "drawn_cut", "wall", "their_deal", "open_bonus",
    "melds_discards", "two_melds", "three_melds",
)  # fmt: skip
LOSS_FEATURES: Final = ("one", "ready", "their_deal", "melds", "bonus", "open_bonus", "discards")

Shapes = tuple[float, float, float, float, float]
"""Two-sided, closed, edge and pair shapes, and single tiles that wait for a kind."""


@dataclass(frozen=True)
class Opponent:
    """What everybody sees of one seat that may win on a discard."""

    seat: Seat
    ready: bool
    barred: AbstractSet[Tile]
    """Kinds that it certainly may not win on."""
    thrown: AbstractSet[Tile]
    shapes: Sequence[Shapes]
    """Of each of the 34 kinds."""
    weight: float
    """Of all shapes together."""
    shared: tuple[float, ...]
    """Features that all tiles share: the number of discards, of discards since ready, of open sets,
    of drawn tiles among the last discards, of tiles in the wall, whether it deals, and bonus tiles
    in its sets."""
    valued: AbstractSet[Tile]
    """Dragons and the winds that count for it."""
    early: AbstractSet[Tile]
    """Its first discards, before it was ready."""
    ready_tile: Tile | None
    suit: str | None
    """The suit of all its declared sets, if there are two or more."""


@dataclass(frozen=True)
class Table:
    """What one seat sees, read once for all of its tiles."""

    unseen: Sequence[int]
    """Copies of each of the 34 kinds."""
    bonus: Mapping[Tile, int]
    valued: AbstractSet[Tile]
    """Dragons and the winds that count for the own seat."""
    opponents: tuple[Opponent, ...]
    wall: int
    """Tiles that may still be drawn."""


def opponent(
    state: State,
    seat: Seat,
    unseen: Sequence[int],
    barred: AbstractSet[Tile],
    bonus: Mapping[Tile, int],
    wall: int,
) -> Opponent:
    player = state.players[seat]
    river = [thrown.tile.kind for thrown in player.river if thrown.tile.known]
    thrown = frozenset(river)
    shapes = shapes_left(unseen, barred | thrown)
    weight = sum(map(weight_of, shapes))
    declared = next((at for at, discard in enumerate(player.river) if discard.ready), None)
    opened = [meld for meld in player.melds if meld.is_open]
    suits = {meld.tiles[0].suit for meld in opened} - {"z"}
    lately = [0.5 if discard.drawn is None else discard.drawn for discard in player.river[-LATELY:]]
    held = sum(worth(tile, bonus) for meld in player.melds for tile in meld.tiles)
    shared = (
        log1p(len(player.river)),
        log1p(len(player.river) - declared) if declared is not None else 0.0,
        float(min(len(opened), MOST_MELDS)),
        sum(lately) / LATELY,
        wall / 70,
        float(seat == state.dealer),
        float(min(held, 4)),
    )
    return Opponent(
        seat, player.ready, barred, thrown, shapes, weight, shared, valued_honours(state, seat),
        frozenset(river[: EARLY if declared is None else min(declared, EARLY)]),
        _ready_tile(player, declared),
        suits.pop() if len(opened) > 1 and len(suits) == 1 else None,
    )  # fmt: skip


def _ready_tile(player: Player, declared: int | None) -> Tile | None:
    tile = None if declared is None else player.river[declared].tile
    return tile if tile is not None and tile.known else None


def worth(tile: Tile, bonus: Mapping[Tile, int]) -> int:
    """How many bonus tiles this one counts as."""
    return bonus.get(tile.kind, 0) + (tile in REDS)


def weight_of(shapes: Shapes) -> float:
    return sum(share * count for share, count in zip(SHAPE_WEIGHTS, shapes, strict=True))


def shapes_left(unseen: Sequence[int], barred: AbstractSet[Tile]) -> list[Shapes]:
    """How many shapes of unseen tiles could wait for each kind, without two-sided ones whose other
    end is barred."""
    found: list[Shapes] = []
    closed = [PLACE[tile] for tile in barred]
    for place in range(len(ALL)):
        left = unseen[place]
        pair = left * (left - 1) / 2
        if place >= 27:  # honours
            found.append((0.0, 0.0, 0.0, pair, float(left)))
            continue
        rank = place % 9
        two = edge = 0
        if rank <= 6:
            made = unseen[place + 1] * unseen[place + 2]
            if rank == 6:
                edge += made
            elif place + 3 not in closed:
                two += made
        if rank >= 2:
            made = unseen[place - 1] * unseen[place - 2]
            if rank == 2:
                edge += made
            elif place - 3 not in closed:
                two += made
        gap = unseen[place - 1] * unseen[place + 1] if 0 < rank < 8 else 0
        found.append((float(two), float(gap), float(edge), pair, float(left)))
    return found


def tile_features(table: Table, one: Opponent, tile: Tile) -> tuple[float, ...]:
    """Features of a tile that this seat is not barred from winning on."""
    kind = tile.kind
    shapes = one.shapes[PLACE[kind]]
    two, gap, edge, pair, single = shapes
    suit, rank = kind.suit, kind.rank
    honour = suit == "z"
    discards, since, melds, drawn_cut, wall, deals, open_bonus = one.shared
    in_suit = one.suit is not None and (suit == one.suit or honour)
    return (
        1.0,
        -9.0 if not one.weight else max(-9.0, _log_share(weight_of(shapes), one.weight)),
        log1p(two), log1p(gap), log1p(edge), log1p(pair), log1p(single),
        float(two == 0 and not honour),
        float(honour), float(kind in one.valued),
        float(not honour and rank in (1, 9)),
        float(not honour and rank in (2, 8)),
        float(not honour and rank in (3, 7)),
        float(kind in one.thrown),
        float(not honour and _outside(kind, one.early)),
        float(one.ready_tile is not None and near(kind, one.ready_tile)),
        float(table.bonus.get(kind, 0) > 0),
        float(any(near(kind, other) for other in table.bonus)),
        discards, since, melds, float(in_suit), float(one.suit is not None and not in_suit),
        drawn_cut, wall, deals, open_bonus, melds * discards, float(melds >= 2), float(melds >= 3),
    )  # fmt: skip


def loss_features(table: Table, one: Opponent, tile: Tile) -> tuple[float, ...]:
    """Features of what dealing this tile to the seat would cost."""
    discards, _, melds, _, _, deals, open_bonus = one.shared
    return (
        1.0, float(one.ready), deals, melds, float(min(worth(tile, table.bonus), 2)), open_bonus,
        discards,
    )  # fmt: skip


def _log_share(part: float, whole: float) -> float:
    return log1p(COPIES * 34 * part / whole) - log1p(COPIES * 34)


def near(tile: Tile, other: Tile) -> bool:
    return tile.suit == other.suit != "z" and 0 < abs(tile.rank - other.rank) <= 2


def _outside(tile: Tile, early: AbstractSet[Tile]) -> bool:
    """Whether a tile nearer to the middle, on the same side, was an early discard."""
    return any(
        tile.suit == other.suit
        and (tile.rank < other.rank <= 5 or 5 <= other.rank < tile.rank)
        and abs(tile.rank - other.rank) <= 2
        for other in early
    )
