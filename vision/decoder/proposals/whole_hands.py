"""The readings of tiles that make a whole hand: the likeliest of all that there are.

Where three tiles of a hand are misread, the right reading is no longer among the likeliest ones of
its tiles taken singly. Here every way to part the tiles into sets and a pair, or into pairs, is
weighed at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.hands import waits
from engine.tiles import KINDS, REDS, Tile
from vision.arrays import Doubles
from vision.decoder.kept import KEPT
from vision.tiles.classes import FACE_INDEX

SEVEN_PAIRS: Final = 14
RED_OF: Final = {str(Tile(red).kind): red for red in REDS}
_ORDERS: Final = tuple(permutations(range(3)))
_ALIKE: Final = np.repeat(np.arange(len(KINDS))[:, None], 3, axis=1)
_RUNS: Final = np.array(
    [
        [KINDS.index(f"{low + step}{suit}") for step in order]
        for suit in "mps"
        for low in range(1, 8)
        for order in _ORDERS
    ]
)
_SHAPES: Final = {2: _ALIKE[:, :2], 3: np.concatenate([_ALIKE, _RUNS])}
"""(n, size): the kinds that a group of so many tiles may show, in the order of its tiles."""


@dataclass(frozen=True, eq=False)
class _Layer:
    """All selections of so many tiles, each parted by the group that holds its first tile."""

    groups: NDArray[np.intp]
    """(selections, ways)"""
    rests: NDArray[np.intp]
    """(selections, ways): what such a group leaves, a selection of the layer before."""


@dataclass(frozen=True, eq=False)
class _Parts:
    """How ``count`` tiles may be parted into groups of ``size``."""

    groups: tuple[tuple[int, ...], ...]
    layers: tuple[_Layer, ...]
    """From one group on."""
    places: dict[int, int]
    """Of each selection of the last layer, as a mask of bits, its row there."""


@cache
def ways_to_part(count: int, size: int, most: int) -> _Parts:
    """The ways to part up to ``most`` of so many tiles."""
    groups, bits = tuple(combinations(range(count), size)), [1 << tile for tile in range(count)]
    number = {sum(group): at for at, group in enumerate(combinations(bits, size))}
    before, layers = {0: 0}, list[_Layer]()
    for held in range(size, most + 1, size):
        places, chosen, left = dict[int, int](), list[list[int]](), list[list[int]]()
        for first, *others in combinations(bits, held):
            mask = first + sum(others)
            ways = [first + sum(two) for two in combinations(others, size - 1)]
            places[mask] = len(places)
            chosen.append([number[way] for way in ways])
            left.append([before[mask ^ way] for way in ways])
        layers.append(_Layer(np.array(chosen, np.intp), np.array(left, np.intp)))
        before = places
    return _Parts(groups, tuple(layers), before)


def prepare(hand_size: int) -> None:
    """Compute what the first hand laid open needs, before anybody waits for a look.

    ``hand_size``: tiles of a waiting hand without declared sets.
    """
    for count in {hand_size + 1, SEVEN_PAIRS}:
        ways_to_part(count, 3, count - 2)
    ways_to_part(SEVEN_PAIRS, 2, SEVEN_PAIRS)
    waits(Tile(kind) for kind in KINDS[: SEVEN_PAIRS - 1])


class _Parted:
    """The cheapest way to part each selection of some tiles into groups of one size."""

    def __init__(self, costs: Doubles, size: int, most: int) -> None:
        """``costs``: (n, 34), of each tile as each kind."""
        self._parts, self._size = ways_to_part(len(costs), size, most), size
        groups = np.array(self._parts.groups, np.intp).reshape(-1, 1, size)
        shown = costs[groups, _SHAPES[size][None]].sum(axis=2)
        self._shape, group_cost = shown.argmin(axis=1), shown.min(axis=1)
        self.cost, self._ways = np.zeros(1), list[NDArray[np.intp]]()
        for layer in self._parts.layers:
            ways = group_cost[layer.groups] + self.cost[layer.rests]
            self._ways.append(ways.argmin(axis=1))
            self.cost = ways.min(axis=1)

    def place(self, mask: int) -> int:
        """The row of ``cost`` for a selection of all that is parted."""
        return self._parts.places[mask]

    def kinds(self, place: int) -> Iterator[tuple[int, int]]:
        """Each tile of a selection with the kind that it shows."""
        for layer, ways in zip(reversed(self._parts.layers), reversed(self._ways), strict=True):
            way = ways[place]
            group = layer.groups[place, way]
            yield from zip(
                self._parts.groups[group], _SHAPES[self._size][self._shape[group]], strict=True
            )
            place = int(layer.rests[place, way])


def whole_hands(costs: Doubles) -> list[tuple[tuple[Tile, ...], float]]:
    """The likeliest readings of n tiles as a whole hand, with their costs, the best one first.

    ``costs``: (n, 38), of each tile as each face. None where so many tiles are no whole hand.
    """
    count = len(costs)
    if count % 3 != 2:
        return []
    plain = np.array([FACE_INDEX[kind] for kind in KINDS])
    red = np.array([FACE_INDEX[RED_OF.get(kind, kind)] for kind in KINDS])
    of_kinds = np.minimum(costs[:, plain], costs[:, red])
    found: list[tuple[float, dict[int, int]]] = []
    sets, everything = _Parted(of_kinds, 3, count - 2), (1 << count) - 1
    for one, other in combinations(range(count), 2):
        both = of_kinds[one] + of_kinds[other]
        place = sets.place(everything ^ (1 << one) ^ (1 << other))
        kind = int(both.argmin())
        cost = float(both[kind] + sets.cost[place])
        found.append((cost, {one: kind, other: kind} | dict(sets.kinds(place))))
    found = sorted(found, key=lambda way: way[0])[:KEPT]
    if count == SEVEN_PAIRS:
        in_pairs = _Parted(of_kinds, 2, count)
        found.append((float(in_pairs.cost[0]), dict(in_pairs.kinds(0))))
    readings: dict[tuple[Tile, ...], float] = {}
    for cost, kinds in sorted(found, key=lambda way: way[0]):
        at = [plain[kinds[tile]] for tile in range(count)]
        as_red = [red[kinds[tile]] for tile in range(count)]
        faces = tuple(
            Tile(KINDS[kinds[tile]] if costs[tile, at[tile]] <= costs[tile, as_red[tile]]
                 else RED_OF[KINDS[kinds[tile]]])
            for tile in range(count)
        )  # fmt: skip
        readings.setdefault(faces, cost)
    return list(readings.items())
