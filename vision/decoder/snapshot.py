"""A table that rests: what lies where, before anybody says what it means."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rules.layout import TableLayout
from vision.decoder.likelihood import ROWS
from vision.decoder.table_evidence import ON_WALL
from vision.table.placed_tile import PlacedTile
from vision.table.view import HEIGHT_SHARE, to_seat
from vision.tiles.classes import FACE_INDEX, Side, of_kinds
from vision.tracking.open_rows import lies_across
from vision.tracking.zones import LEAST_SEEN, Laid, Zones, is_down

BESIDE: Final = 1.6
"""Middles of two tiles of one set are nearer than so many widths, a sideways one among them."""
TOWARDS_MIDDLE: Final = 0.6
"""A tile that lies so many widths farther in than its set was added to it."""
OPEN: Final = 4
"""So many faces before a player that are no set are an open hand."""
MOST_OF_A_HAND: Final = 10
MOST_SETS: Final = 4
"""Of a hand that has won and still waits."""
CHOWS: Final = np.array(
    [
        [FACE_INDEX[f"{low + step}{suit}"] for step in order]
        for suit in "mps"
        for low in range(1, 8)
        for order in permutations(range(3))
    ]
)
"""Faces of three tiles in a row, in every order."""
HELD_FEWER, HELD_MORE = 2, 2
"""So many fewer or more tiles may be counted in a hand than it must hold."""


@dataclass(frozen=True)
class Snapshot:
    """The tiles of a hand in play, by seat; every number that is not a count is a tile's id."""

    time_s: float
    held: tuple[int, ...]
    """Tiles that stand before each player, or lie there as a whole, backs up; of seats that are out
    all that lie there, sets among them."""
    down: tuple[bool, ...]
    """Whose hand lies backs up."""
    sets: tuple[tuple[tuple[int, ...], ...], ...]
    """Of each seat: its sets from its player's left to right, an added tile last."""
    rivers: tuple[tuple[int, ...], ...]
    """Of each seat: faces in the middle. In order where they lie in rows, else the nearest ones."""
    turned_up: tuple[int, ...] = ()
    """Faces in a wall."""
    out: tuple[int, ...] = ()
    """Seats before which no hand stands: they have won, and the others play on."""
    flowers: tuple[tuple[int, ...], ...] = ((), (), (), ())
    """Of each seat: its flowers, in games that have them."""
    hands: tuple[tuple[int, ...], ...] = ((), (), (), ())
    """Of each seat that has won and plays on: its open hand."""
    apart: tuple[tuple[int, ...], ...] = ((), (), (), ())
    """Of each of these: the tiles that it has won with."""

    @property
    def won(self) -> tuple[int, ...]:
        """Who has won while the hand goes on."""
        return (*self.out, *(seat for seat, hand in enumerate(self.hands) if hand))

    def with_out(self, seats: Collection[int]) -> Snapshot:
        """The same where these seats have won, too: their hands were turned over."""
        sets = [() if seat in seats else row for seat, row in enumerate(self.sets)]
        in_sets = [sum(map(len, row)) if seat in seats else 0 for seat, row in enumerate(self.sets)]
        return replace(
            self,
            held=tuple(count + more for count, more in zip(self.held, in_sets, strict=True)),
            down=tuple(down and seat not in seats for seat, down in enumerate(self.down)),
            sets=tuple(sets),
            out=(*self.out, *seats),
        )

    @property
    def discards(self) -> int:
        return sum(map(len, self.rivers))

    @property
    def tiles(self) -> tuple[int, ...]:
        in_sets = (tile for row in self.sets for group in row for tile in group)
        laid = (
            tile for rows in (self.flowers, self.hands, self.apart) for row in rows for tile in row
        )
        thrown = (tile for river in self.rivers for tile in river)
        return (*thrown, *in_sets, *self.turned_up, *laid)


NOTHING: Final = Snapshot(0.0, (), (), ((), (), (), ()), ((), (), (), ()))


def snapshot_of(
    laid: Laid,
    zones: Zones,
    most_out: int = 0,
    flowers: bool = False,
    *,
    winners_stay: bool = False,
) -> Snapshot | None:
    """What lies on a table where a hand is being played; None where none is.

    A hand is being played where all hands but one are as large as they must be beside their sets,
    and nobody's lies open but of ``most_out`` seats, which may have won before the hand is over.
    ``flowers``: the game has them, and they lie beside the sets. ``winners_stay``: who has won lays
    the hand open and plays on; somebody's hand still stands.
    """
    width, layout = zones.view.tile_mm, zones.layout
    places = laid.places(width)
    held, down, out, fit = [], [], list[int](), 0
    sets: list[tuple[tuple[int, ...], ...]] = []
    lying = {tile.id: tile for tile in laid.middle}
    laid_apart: list[tuple[int, ...]] = []
    hands, apart = [list[tuple[int, ...]]([()] * 4) for _ in range(2)]
    for seat in range(4):
        flat = list(laid.flat[seat])
        own = [tile for tile in flat if flowers and tile.tile.suit == "f"]
        flat = [tile for tile in flat if tile not in own]
        laid_apart.append(tuple(tile.id for tile in own))
        won = _hand_that_won(flat, seat, zones, lying) if winners_stay else None
        if won is not None and laid.standing[seat] <= 1:  # the tile just drawn stands
            hands[seat], apart[seat], lying = _ids(won.hand), _ids(won.apart), won.lying
            fit += 1
            held.append(len(won.hand))
            down.append(False)
            sets.append(tuple(map(_ids, won.sets)))
            continue
        backs = sum(tile.side is Side.BACK for tile in flat)
        lies_down = is_down(backs, laid.standing[seat])
        groups, rest = _sets_of(flat, seat, width, lies_down, lying)
        count = laid.standing[seat]
        groups = _without_false_kongs(groups, count, zones.hand_size)
        count += sum(tile.side is Side.BACK for tile in rest) if lies_down else 0
        if sum(tile.side is Side.FACE for tile in rest) >= OPEN or not count:
            # Somebody's hand lies open, as it is left where the others play on.
            out.append(seat)
            held.append(laid.standing[seat] + len(flat))
            down.append(False)
            sets.append(())
            continue
        wanted = zones.hand_size - 3 * len(groups)
        if LEAST_SEEN <= count < wanted - HELD_FEWER and not lies_down:
            count = max(count, min(places[seat], wanted))
        fit += wanted - HELD_FEWER <= count <= wanted + HELD_MORE
        held.append(count)
        down.append(lies_down)
        sets.append(tuple(tuple(tile.id for tile in group) for group in groups))
    if len(out) > most_out or fit < 3 - len(out) or all(hands):
        return None
    thrown, turned = without_walls(tuple(lying.values()), laid.backs, width)
    rivers = rivers_of(thrown, width, layout)
    return Snapshot(
        laid.time_s,
        tuple(held),
        tuple(down),
        tuple(sets),
        tuple(tuple(tile.id for tile in river) for river in rivers),
        tuple(tile.id for tile in turned),
        tuple(out),
        tuple(laid_apart),
        tuple(hands),
        tuple(apart),
    )


class WonHand(NamedTuple):
    """What lies before a seat that has won and plays on."""

    gap_mm: float
    """Between the hand and what lies beside it."""
    hand: Sequence[PlacedTile]
    apart: Sequence[PlacedTile]
    """Tiles that it has won with."""
    sets: Sequence[Sequence[PlacedTile]]
    lying: dict[int, PlacedTile]
    """What lies in the middle, without tiles that were added to these sets."""


def _ids(tiles: Sequence[PlacedTile]) -> tuple[int, ...]:
    return tuple(tile.id for tile in tiles)


def _hand_that_won(
    flat: Sequence[PlacedTile], seat: int, zones: Zones, lying: Mapping[int, PlacedTile]
) -> WonHand | None:
    """The open hand, sets, and tiles apart in the row before a seat; None where it is no such row.

    The hand ends where the gap beside it is widest.
    """
    width, right = zones.view.tile_mm, zones.layout.sets_at == "right"
    along = [float(to_seat(tile.xy_mm, seat)[0]) for tile in flat]
    gaps = [two - one for one, two in pairwise(along)]
    ways = []
    for count in range(MOST_SETS + 1):
        size = zones.hand_size - 3 * count
        cut = size if right else len(flat) - size
        hand, others = (flat[:cut], flat[cut:]) if right else (flat[cut:], flat[:cut])
        if len(hand) != size or any(tile.side is not Side.FACE for tile in hand):
            continue
        free = dict(lying)
        groups, apart = _sets_of(others, seat, width, False, free)
        if len(groups) > count:  # three tiles won with may look like a set, but none lies across
            apart += [tile for group in groups if not _declared(group, seat) for tile in group]
            groups = [group for group in groups if _declared(group, seat)]
        if len(groups) == count and all(tile.side is Side.FACE for tile in apart):
            gap = gaps[cut - 1] if others else max(gaps)
            ways.append(WonHand(gap, hand, apart, groups, free))
    return max(ways, key=lambda way: way.gap_mm, default=None)


def _declared(group: Sequence[PlacedTile], seat: int) -> bool:
    return any(tile.side is not Side.FACE or lies_across(tile, seat) for tile in group)


def without_walls(
    tiles: Sequence[PlacedTile], backs: Sequence[PlacedTile], width: float
) -> tuple[list[PlacedTile], list[PlacedTile]]:
    """Faces that lie free, and those that lie in a wall."""
    walls = np.array([tile.xy_mm for tile in backs]).reshape(-1, 2)
    free, turned = list(tiles), list[PlacedTile]()
    while wall := [tile for tile in free if _beside(tile, walls, ON_WALL * width)]:
        # Beside a tile that was turned up may lie the next one.
        turned += wall
        free = [tile for tile in free if tile not in wall]
        walls = np.array([tile.xy_mm for tile in wall])
    return free, turned


def hand_lies_open(laid: Laid) -> bool:
    """Whether a whole hand lies open before somebody while another one still stands."""
    faces = [sum(tile.side is Side.FACE for tile in row) for row in laid.flat]
    return max(faces) >= MOST_OF_A_HAND and max(laid.standing) >= MOST_OF_A_HAND


# --- discards ---


def rivers_of(
    tiles: Sequence[PlacedTile], width: float, layout: TableLayout
) -> list[list[PlacedTile]]:
    """The discards before each seat, those in rows from the first to the last."""
    rivers: list[list[tuple[float, float, PlacedTile]]] = [[], [], [], []]
    for tile in tiles:
        own = [to_seat(tile.xy_mm, seat) for seat in range(4)]
        seat = max(range(4), key=lambda at: float(own[at][1]))
        rivers[seat].append((float(own[seat][1]), float(own[seat][0]), tile))
    if layout.river == "loose":
        return [[tile for _, _, tile in river] for river in rivers]
    return [_in_rows(river, width) for river in rivers]


def _in_rows(river: list[tuple[float, float, PlacedTile]], width: float) -> list[PlacedTile]:
    """Tiles given by how near the player and how far right: row after row, from the left."""
    rows: list[list[tuple[float, float, PlacedTile]]] = []
    for each in sorted(river, key=lambda one: one[0]):
        if rows and each[0] - np.mean([one[0] for one in rows[-1]]) < 0.6 * HEIGHT_SHARE * width:
            rows[-1].append(each)
        else:
            rows.append([each])
    return [tile for row in rows for _, _, tile in sorted(row, key=lambda one: one[1])]


def _beside(tile: PlacedTile, others: NDArray[np.float64], near_mm: float) -> bool:
    return bool((np.hypot(*(others - tile.xy_mm).T) < near_mm).any())


# --- sets ---


def _sets_of(
    flat: Sequence[PlacedTile],
    seat: int,
    width: float,
    is_down: bool,
    lying: dict[int, PlacedTile],
) -> tuple[list[tuple[PlacedTile, ...]], list[PlacedTile]]:
    """The sets among the tiles that lie before a seat, from its left, and what is left over.

    A tile that was added to a set is taken out of those that are ``lying`` in the middle.
    """
    own = {tile.id: to_seat(tile.xy_mm, seat) for tile in flat}
    inner = {tile.id: tile for tile in flat if _farther_in(own[tile.id], own.values(), width)}
    row = [tile for tile in flat if tile.id not in inner]
    lying |= inner
    groups, rest, at = [], list[PlacedTile](), 0
    for length in _cuts(row, [own[tile.id] for tile in row], width, is_down):
        part = tuple(row[at : at + length])
        at += length
        if length == 1:
            rest += part
        else:
            groups.append(_with_added(part, lying, width))
    rest += [lying.pop(tile) for tile in inner if tile in lying]
    return groups, rest


def _without_false_kongs(
    groups: list[tuple[PlacedTile, ...]], standing: int, hand_size: int
) -> list[tuple[PlacedTile, ...]]:
    """The sets without those that show only backs, where too many tiles stand beside them.

    Tiles that stand are read as backs, too, a little farther out.
    """
    found = list(groups)
    for group in groups:
        hidden = all(tile.side is Side.BACK for tile in group)
        if hidden and standing > hand_size - 3 * len(found) + 1:
            found.remove(group)
    return found


def _farther_in(
    at: NDArray[np.float64], others: Iterable[NDArray[np.float64]], width: float
) -> bool:
    """Whether a place is nearer the middle than another one of the same player's."""
    off = [other - at for other in others]
    return any(abs(u) < 0.5 * width and v > TOWARDS_MIDDLE * width for u, v in off)


def _cuts(
    row: Sequence[PlacedTile], own: Sequence[NDArray[np.float64]], width: float, is_down: bool
) -> list[int]:
    """Lengths of the parts of a row, the cheapest way: 3 and 4 are sets, 1 is no part of any."""
    gaps = [float(np.hypot(*(b - a))) for a, b in pairwise(own)]

    @cache
    def best(at: int) -> tuple[float, tuple[int, ...]]:
        if at == len(row):
            return 0.0, ()
        ways = []
        for length in (1, 3, 4):
            if at + length > len(row):
                continue
            part = row[at : at + length]
            if length == 1:
                hidden = is_down and part[0].side is Side.BACK
                cost = ROWS["hidden" if hidden else "left_over"]
            else:
                wide = sum(gap > BESIDE * width for gap in gaps[at : at + length - 1])
                cost = _set_cost(part) + ROWS["not_beside"] * wide
                cost += ROWS["hand_goes_on"] * (
                    is_down and _backs_go_on(row, gaps, at, length, width)
                )
            rest, lengths = best(at + length)
            ways.append((cost + rest, (length, *lengths)))
        return min(ways)

    return list(best(0)[1])


def _backs_go_on(
    row: Sequence[PlacedTile], gaps: Sequence[float], at: int, length: int, width: float
) -> bool:
    """Whether more backs lie close beside a part of a row that shows only backs."""
    end = at + length
    if any(tile.side is not Side.BACK for tile in row[at:end]):
        return False
    beside = [(at - 1, at - 1), (end, end - 1)]
    return any(
        0 <= place < len(row) and row[place].side is Side.BACK and gaps[gap] < BESIDE * width
        for place, gap in beside
    )


def _set_cost(tiles: Sequence[PlacedTile]) -> float:
    """How little these tiles look like a chow, a pung or a kong."""
    faces = [tile for tile in tiles if tile.side is Side.FACE]
    backs = len(tiles) - len(faces)
    if len(tiles) == 4 and backs in (2, 4):
        return _alike(faces) + (ROWS["closed"] if backs == 4 else 0.0)
    if backs or any(tile.side is Side.STANDING for tile in tiles):
        return ROWS["no_set"]
    alike = _alike(faces)
    return alike if len(tiles) == 4 else min(alike, _run(faces))


def _alike(faces: Sequence[PlacedTile]) -> float:
    """Cost of these faces being one kind."""
    if not faces:
        return 0.0
    return float(np.sum([_costs(tile) for tile in faces], axis=0).min())


def _run(faces: Sequence[PlacedTile]) -> float:
    """Cost of these three faces being a chow, in whatever order they lie."""
    costs = np.array([_costs(tile) for tile in faces])
    return float(costs[np.arange(3), CHOWS].sum(axis=1).min())


def _costs(tile: PlacedTile) -> NDArray[np.float64]:
    """(38,) cost of each kind."""
    shares = np.maximum(of_kinds(tile.probabilities), 1e-6)
    return np.minimum(-np.log(shares), ROWS["odd_tile"])


def _with_added(
    group: tuple[PlacedTile, ...], lying: dict[int, PlacedTile], width: float
) -> tuple[PlacedTile, ...]:
    """A pung with the fourth tile that lies beside it, which is no discard then."""
    if len(group) != 3 or any(tile.side is not Side.FACE for tile in group):
        return group
    for tile in lying.values():
        near = min(float(np.hypot(*(tile.xy_mm - other.xy_mm))) for other in group)
        if near < BESIDE * width and _alike((*group, tile)) < ROWS["left_over"]:
            del lying[tile.id]
            return (*group, tile)
    return group
