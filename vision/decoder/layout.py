"""Where the tiles of a hypothesis lie, beside those that are seen to lie there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from engine.events import Chow, Discard, Flower, Kong, Pung, Seat, Win
from engine.state import Meld, SetKind
from engine.tiles import COPIES, Tile
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import COSTS, TILES
from vision.decoder.rivers import RiverTile
from vision.decoder.shown_faces import costs_of_faces
from vision.decoder.snapshot import Snapshot
from vision.decoder.table_evidence import TableEvidence
from vision.table.view import HEIGHT_SHARE
from vision.tracking.matching import pairs

OTHER_SET: Final = 99.0
"""Cost of taking a group of tiles for a set that they cannot be."""
MOST_OUT_OF_ROW: Final = 2
ANOTHER_ROW: Final = 0.6
"""Rows are farther apart than this share of a tile's height."""
NONE_LEFT: Final = TILES["none_left"]
FAR: Final = 7.0
"""Who discards a tile that lies so many widths from the middle sits on that side."""


def lying(hypothesis: Hypothesis) -> list[RiverTile]:
    """The discards that were not claimed."""
    return [river for river in hypothesis.rivers if not river.claimed]


def set_tracks(hypothesis: Hypothesis, seat: Seat) -> frozenset[int]:
    """Tracks of what a seat has laid out: sets, flowers, and the open hand with which it plays on
    after a win."""
    found = hypothesis.found
    kinds = Chow | Pung | Kong | Flower
    if hypothesis.state.players[seat].won:
        kinds |= Win
    laid = (found.flowers[seat], found.hands[seat], found.apart[seat])
    return frozenset(chain(*found.sets[seat], *laid)) | frozenset(
        tile
        for step in hypothesis.hand
        if len(step.tiles) > 0
        and getattr(step.event, "seat", None) == seat
        and isinstance(step.event, kinds)
        for tile in step.tiles
    )


def copies_cost(hypothesis: Hypothesis, face: Tile, but: Tile | None = None) -> float:
    """What it costs to read one more tile as this face.

    Every hidden copy is as likely as any other to be seen next. ``but`` is what the hypothesis
    takes the tile itself for.
    """
    if not face.known:
        return 0.0
    left = copies_left(hypothesis, face) + (face == but)
    return -math.log(left / COPIES) if left > 0 else NONE_LEFT


def copies_left(hypothesis: Hypothesis, face: Tile) -> int:
    """Copies of a face that the record does not name."""
    wall = hypothesis.rules.wall.under(hypothesis.state.options)
    return wall.get(face, 0) - hypothesis.named[face]


def out_of_row(
    tile: int, seat: Seat, place: int, hypothesis: Hypothesis, table: TableEvidence
) -> float:
    """How many discards of a seat lie on the wrong side of a tile that is discarded in a place."""
    if table.layout.river != "rows":
        return 0.0
    wrong = 0
    for at, step in enumerate(hypothesis.hand):
        event = step.event
        if isinstance(event, Discard) and event.seat == seat and at != place:
            known = step.tile is not None and step.tile != tile and step.tile in table.present
            if known and step.tile is not None:
                wrong += lies_before(step.tile, tile, seat, table) != (at < place)
    return min(MOST_OUT_OF_ROW, wrong)


def lies_before(one: int, other: int, seat: Seat, table: TableEvidence) -> bool:
    """Whether one tile lies before the other: farther left in a row, or in a row farther in."""
    if one not in table.tiles or other not in table.tiles:
        return False
    (u, v), (other_u, other_v) = table.place(one, seat), table.place(other, seat)
    same_row = abs(v - other_v) < ANOTHER_ROW * HEIGHT_SHARE * table.tile_mm
    return u < other_u if same_row else v < other_v


def not_near(table: TableEvidence, tile: int, seat: int) -> float:
    """How far a loose discard lies from the seat that made it: 0 on its side, 1 on the other."""
    _, v = table.place(tile, seat)
    near = v / (FAR * table.tile_mm)
    return 0.5 * (1.0 - max(-1.0, min(1.0, near)))


def against_seat(table: TableEvidence, tile: int, seat: int) -> float:
    """How much the place of a tile speaks against this seat as its discarder."""
    if table.layout.river == "rows":
        return 0.0
    return not_near(table, tile, seat) * COSTS["not_near"] / COSTS["seat"]


# --- a whole table beside a hypothesis ---


@dataclass(frozen=True)
class Matched:
    """Which track is which discard, and what the hypothesis does not explain."""

    charges: dict[str, float]
    """Charges for what the table does not show, or shows otherwise, without the faces of
    ``tracks``."""
    faces: float
    """Cost of the faces of ``tracks``."""
    count: int
    """Discards of the hypothesis."""
    tracks: dict[int, int]
    """The track of each discard, by the place of its step."""
    rivers: tuple[tuple[int, ...], ...]
    """Faces that no event explains, by seat."""
    sets: tuple[tuple[int, tuple[int, ...]], ...]
    """Sets that no event explains: whose, and their tracks."""

    def linked(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with the tracks that show its discards now."""
        for place, step in enumerate(hypothesis.hand):
            if place in self.tracks:
                step = replace(step, tile=self.tracks[place])
                hypothesis = hypothesis.relinked(place, step)
        return hypothesis


def matched(found: Snapshot, hypothesis: Hypothesis, table: TableEvidence) -> Matched:
    """The hypothesis' discards and sets beside those that lie there."""
    known = lying(hypothesis)
    charges = {"covered": 0.0, "untold_between": 0.0, "face": 0.0, "set_face": 0.0}
    align = _in_rows if table.layout.river == "rows" else _loose
    alike, rivers = align(known, found, table, charges)
    tracks, faces = dict[int, int](), 0.0
    for discard, tile in alike:
        cost = _cost(discard, tile, table)
        if discard.place is None:
            charges["face"] += cost
        else:
            tracks[discard.place] = tile
            faces += cost
    sets = _sets(found, hypothesis, table, charges)
    return Matched(charges, faces, len(known), tracks, rivers, sets)


Pairs = list[tuple[RiverTile, int]]
"""Discards with the tracks that show them."""


def _in_rows(
    known: Sequence[RiverTile], found: Snapshot, table: TableEvidence, charges: dict[str, float]
) -> tuple[Pairs, tuple[tuple[int, ...], ...]]:
    alike, rivers = Pairs(), []
    for seat in range(4):
        expected = [discard for discard in known if discard.seat == seat]
        here, rest = _aligned(expected, found.rivers[seat], table, charges)
        alike += here
        rivers.append(rest)
    return alike, tuple(rivers)


def _aligned(
    expected: Sequence[RiverTile], seen: Sequence[int], table: TableEvidence,
    charges: dict[str, float],
) -> tuple[Pairs, tuple[int, ...]]:  # fmt: skip
    """The cheapest way to go along both rows at once; what follows the last pair costs nothing."""
    rows, columns = len(expected), len(seen)
    best = [[(0.0, "rest")] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns, -1, -1):
            ways = [(COSTS["covered"] + best[i + 1][j][0], "covered")]
            if j < columns:
                pair = _cost(expected[i], seen[j], table)
                ways.append((pair + best[i + 1][j + 1][0], "pair"))
                ways.append((COSTS["untold_between"] + best[i][j + 1][0], "untold_between"))
            best[i][j] = min(ways)
    alike, rest, i, j = Pairs(), [], 0, 0
    while i < rows:
        step = best[i][j][1]
        if step == "pair":
            alike.append((expected[i], seen[j]))
        else:
            charges[step] += 1
        if step == "untold_between":
            rest.append(seen[j])
        i += step != "untold_between"
        j += step != "covered"
    return alike, (*rest, *seen[j:])


def _loose(
    known: Sequence[RiverTile], found: Snapshot, table: TableEvidence, charges: dict[str, float]
) -> tuple[Pairs, tuple[tuple[int, ...], ...]]:
    seen = [tile for river in found.rivers for tile in river]
    # Of two tiles that look alike, each seat's is the one that lies nearer to it.
    costs = [
        [_cost(discard, tile, table) + not_near(table, tile, discard.seat) for tile in seen]
        for discard in known
    ]
    taken = [(known[at], seen[to]) for at, to in pairs(costs, TILES["alike"] + 1.0).items()]
    used = {tile for _, tile in taken}
    charges["covered"] += len(known) - len(taken)
    return taken, tuple(tuple(t for t in river if t not in used) for river in found.rivers)


def _cost(one: RiverTile, tile: int, table: TableEvidence) -> float:
    if one.track == tile:
        return 0.0
    # If a person named the tile, its reading counts little.
    return min(table.face_cost(tile, one.face), TILES["named"] if one.by_person else OTHER_SET)


def _sets(
    found: Snapshot, hypothesis: Hypothesis, table: TableEvidence, charges: dict[str, float]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Sets that the hypothesis does not have; a pung that has grown to a kong is one of them."""
    left: list[tuple[int, tuple[int, ...]]] = []
    for seat in set(range(4)) - set(found.out):
        groups = list(found.sets[seat])
        for meld in hypothesis.state.players[seat].melds:
            prices = [meld_cost(meld, group, table) for group in groups]
            if not prices or min(prices) > TILES["alike"] * 2:
                charges["covered"] += 1
                continue
            at = prices.index(min(prices))
            charges["set_face"] += prices[at]
            grown = meld.kind is SetKind.PUNG and len(groups[at]) == 4
            group = groups.pop(at)
            if grown:
                left.append((seat, group))
        left += [(seat, group) for group in groups]
    return tuple(left)


def meld_cost(meld: Meld, group: Sequence[int], table: TableEvidence) -> float:
    """What it costs that a group of tiles is this set, whatever the order of its tiles."""
    if len(group) < len(meld.tiles) or (len(group) > len(meld.tiles) and meld.is_kong):
        return OTHER_SET
    back = TILES["back_of_kong" if meld.is_kong else "no_face"]
    costs = costs_of_faces(meld.tiles, group, table, back)
    return sum(costs[tile][face] for tile, face in pairs(costs).items())
