"""What is known of the tiles now, and what each reading of them costs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from engine.rules.base import RuleSet
from engine.rules.layout import PLAIN, TableLayout
from engine.tiles import UNKNOWN, Tile
from vision.arrays import Doubles
from vision.decoder.likelihood import CURVES, TILES
from vision.seat_camera.witness import NOBODY, Witness
from vision.table.placed_tile import LEAST_SURE, PlacedTile
from vision.table.view import to_seat
from vision.tiles.classes import FACE_INDEX, FACES, Side, face_class, of_kinds, told_tile
from vision.tiles.fives import as_the_game_has, either_five
from vision.tracking.falls import Falls

ON_WALL: Final = 1.2
"""A face whose neighbour shows its back within so many widths lies in a wall."""
PLAIN_FIVE: Final = 5
FACES_TRIED: Final = 3
LEAST_LIKELY: Final = 0.005
SURE_NAME: Final = 0.97
"""A face that is surer than this is a tile's name before anybody takes it."""
SURELY: Final = 0.9  # 0.45: none of nine films is told otherwise; never: one
"""A tile that is read so surely keeps its name, and is no other face of a set or hand."""
TAKEN_WITHIN_S: Final = 5.0
"""Who lays a set or a hand open takes its tile from the discards within so long: 2.6 s later in one
of two films of pictures."""

By = tuple[int, float]
"""The seat that put a tile down, and when."""


@dataclass(frozen=True)
class TableEvidence:
    """The tracks at the moment of judging."""

    tiles: Mapping[int, PlacedTile]
    present: Collection[int]
    """Ids of what lies on the table now."""
    tile_mm: float
    in_play: Doubles | None = None
    """(38,) 1 for every face that the game has, else 0; None where any may be."""
    layout: TableLayout = PLAIN
    witness: Witness = NOBODY
    """What cameras of single seats say of the tiles that left their hands."""
    falls: Falls = field(default_factory=Falls)
    """Which standing rows have lost their drawn tile, and when."""
    rows: Sequence[tuple[int, ...]] = ()
    """How many tiles stood last before each player, counted twice; empty where nothing tells."""
    taken: Collection[int] = ()
    """Ids of what was taken just before the last picture: that it is gone says nothing yet."""
    left_s: Mapping[int, float] = field(default_factory=dict)
    """When each tile of this hand that is gone was missed first."""
    known: dict[int, tuple[Doubles, Doubles]] = field(default_factory=dict)
    """What was read of tiles, with the costs of all their faces."""
    candidates: dict[tuple[int, int], tuple[Doubles, list[tuple[Tile, float]]]] = field(
        default_factory=dict
    )
    """Faces that tiles may show, by the costs of all their faces."""
    prices: dict[int, float] = field(init=False, default_factory=dict)
    """What steps cost by the table, by their ids in memory, ..."""
    renamed: dict[int, Tile | None] = field(init=False, default_factory=dict)
    """... the names that their tiles have now, where these are others, ..."""
    priced: list[object] = field(init=False, default_factory=list)
    """... and these steps, so that no other ones get their ids."""
    forgotten: set[int] = field(init=False, default_factory=set)
    """Ids of tiles that steps show and that are not known any more."""
    without_copy: dict[tuple[int, Tile, bool], tuple[object, Any]] = field(
        init=False, default_factory=dict
    )
    """Hypotheses, each by the id of the one that holds a copy of this face more."""
    _shown: dict[int, tuple[Doubles, Doubles]] = field(init=False, default_factory=dict)
    """How likely tiles show each face, behind its costs."""
    _clutter: dict[int, float] = field(init=False, default_factory=dict)
    _places: dict[tuple[int, int], tuple[float, float]] = field(init=False, default_factory=dict)

    def as_of(self, time_s: float) -> TableEvidence:
        """The table for what happened at a moment: a tile that left later was not taken then."""
        later = {t for t, s in self.left_s.items() if s > time_s + TAKEN_WITHIN_S}
        return replace(self, present=later.union(self.present)) if later else self

    def looks(self, tiles: Collection[int]) -> object:
        """What these tiles look like: where they look alike, hypotheses cost the same."""
        read = tuple(self.tiles[tile].as_read for tile in tiles if tile in self.tiles)
        here = (frozenset(ids).intersection(tiles) for ids in (self.present, self.taken))
        return (*here, read)

    def candidate_faces(
        self, tile: int, most: int = FACES_TRIED, by: By | None = None
    ) -> list[tuple[Tile, float]]:
        """Faces that a tile may show, with their costs, likeliest first.

        ``by`` tells out of whose hand it came, where a camera of that seat may have seen it go.
        """
        costs = self.costs(tile, by)
        key = id(costs), most
        known = self.candidates.get(key)
        if known is not None and known[0] is costs:
            return known[1]
        order = np.argsort(costs)[:most]
        found = [
            (told_tile(i), float(costs[i])) for i in order if costs[i] < -math.log(LEAST_LIKELY)
        ]
        found = found or [(UNKNOWN, 0.0)]
        if by is None or not self.witness.seats:
            self.candidates[key] = costs, found
        return found

    def name(self, tile: int, by: By | None = None) -> Tile:
        """The face of a tile if it is beyond doubt, else unknown."""
        face, cost = self.candidate_faces(tile, 1, by)[0]
        return face if cost < -math.log(SURE_NAME) else UNKNOWN

    def any_face_cost(self, tile: int, left: Doubles, by: By | None = None) -> float:
        """What it costs that a tile shows its likeliest face.

        ``left`` (38,) is the share of the copies of each face that are left.

        All faces together would cost less: a thing that is no tile may be read as any of them.
        """
        costs = self.costs(tile, by)
        shown = self._shown.get(tile)
        if shown is None or shown[0] is not costs:
            shown = self._shown[tile] = costs, np.exp(-costs)
        return -math.log(max(1e-9, float((shown[1] * left).max())))

    def face_cost(self, tile: int, face: Tile, by: By | None = None) -> float:
        placed = self.tiles.get(tile)
        if placed is None:
            return 0.0
        if placed.side is not Side.FACE:
            return TILES["no_face"]
        return (
            float(self.costs(tile, by)[FACE_INDEX[str(face)]]) if face.known else TILES["not_read"]
        )

    def costs(self, tile: int, by: By | None = None) -> Doubles:
        """(38,) cost of each face, without blind trust in what was read."""
        placed = self.tiles[tile]
        thrown = None
        if by is not None and self.witness.seats and placed.side is Side.FACE:
            # What lies face down nobody may know, whoever saw it in a hand.
            thrown = self.witness.thrown(*by)
        if thrown is not None and self.in_play is not None:
            thrown = as_the_game_has(thrown, self.in_play) + 1e-9
        known = self.known.get(tile) if thrown is None else None
        if known is not None and known[0] is placed.probabilities:
            return known[1]
        wrong = TILES["surely_wrong"]
        shares = self.shares(tile) * (1 - wrong) + wrong / len(FACES)
        if thrown is not None:
            shares = shares * thrown / (shares * thrown).sum()
        found = np.asarray(-np.log(shares), np.float64)
        if thrown is None:
            self.known[tile] = placed.probabilities, found
        return found

    def shares(self, tile: int) -> Doubles:
        """(38,) how likely the tile is to show each face."""
        placed = self.tiles[tile]
        shares = placed.probabilities
        if placed.side is not Side.FACE or not shares.any():
            return np.full(len(FACES), 1 / len(FACES))
        if self.in_play is not None:
            # What the game does not have cannot lie here, however sure the reading is.
            shares = (shares + 1e-9) * self.in_play
            shares = shares / shares.sum()
        return np.asarray(shares, np.float64)

    def kinds(self, tile: int) -> Doubles:
        return of_kinds(self.shares(tile))

    def surely(self, tile: int, face: Tile, least: float = SURELY) -> bool:
        """Whether the tile shows this face so surely; a tile that is not known any more does."""
        placed = self.tiles.get(tile)
        if placed is None:
            return True
        if placed.side is not Side.FACE or not face.known:
            return False
        return bool(placed.probabilities[FACE_INDEX[str(face)]] > least)

    def doubtful(self, tile: int) -> bool:
        """Whether what was read is unsure, or a face that the game does not have."""
        shares = self.tiles[tile].probabilities
        shares = of_kinds(shares) if self.tiles[tile].either_five else shares
        return float((shares if self.in_play is None else shares * self.in_play).max()) < LEAST_SURE

    def either_five(self, tile: int, by: By | None = None) -> bool:
        """Whether the tile shows a five without colours, and no camera of a seat saw which."""
        placed = self.tiles.get(tile)
        return (
            placed is not None and placed.either_five and either_five(np.exp(-self.costs(tile, by)))
        )

    def red_of(self, tile: Tile) -> Tile | None:
        """The red five of a plain one, where the game has it."""
        if tile.rank != PLAIN_FIVE or tile.suit not in "mps" or tile.kind != tile:
            return None
        red = Tile(f"0{tile.suit}")
        return red if self.in_play is not None and self.in_play[FACE_INDEX[str(red)]] else None

    def place(self, tile: int, seat: int) -> tuple[float, float]:
        """Where a tile lies, in a seat's own millimetres."""
        found = self._places.get((tile, seat))
        if found is None:
            u, v = to_seat(self.tiles[tile].xy_mm, seat)
            found = self._places[tile, seat] = float(u), float(v)
        return found

    def sideways(self, tile: int, seat: int) -> bool:
        off = (self.tiles[tile].turn_deg + 90.0 * seat) % 180
        return 45 < off < 135

    def is_face(self, tile: int) -> bool:
        return self.tiles[tile].side is Side.FACE

    def is_back(self, tile: int) -> bool:
        return self.tiles[tile].side is Side.BACK

    def clutter(self, tile: int) -> float:
        """What it costs that no tile of the game lies here: a chip, a die, a finger."""
        if tile not in self._clutter:
            placed = self.tiles[tile]
            cost = TILES["in_wall" if self.in_wall(tile) else "noise"]
            cost += _at("score", placed.score) + _at("sureness", self.shares(tile).max())
            cost -= TILES["off_size"] * placed.off_size
            self._clutter[tile] = max(TILES["least_clutter"], cost)
        return self._clutter[tile]

    def in_wall(self, tile: int) -> bool:
        """Whether a tile lies beside one that shows its back, away from the players."""
        off_mm = self._backs_mm - self.tiles[tile].xy_mm
        return bool((np.hypot(*off_mm.T) < ON_WALL * self.tile_mm).any())

    @cached_property
    def _backs_mm(self) -> Doubles:
        """(n, 2) middles of the tiles that show their backs."""
        there = (self.tiles[tile] for tile in self.present if tile in self.tiles)
        backs = [tile.xy_mm for tile in there if tile.side is Side.BACK]
        return np.array(backs, np.float64).reshape(-1, 2)

    def but_for_one(self, tiles: Sequence[int]) -> Iterator[tuple[tuple[int, ...], float]]:
        """All tiles but one that may be none, and what it costs that it is none."""
        for tile in tiles:
            cost = self.clutter(tile)
            if cost < TILES["odd_tile"]:
                yield tuple(other for other in tiles if other != tile), cost


def in_play(rules: RuleSet, options: Mapping[str, object]) -> Doubles:
    """(38,) which faces a game by these rules and options has."""
    faces = {face_class(tile) for tile in rules.wall.under(options)}
    return np.array([face in faces for face in FACES], float)


def _at(curve: str, value: float) -> float:
    """Log-odds for a tile by a value that was measured of it."""
    return float(np.interp(value, *CURVES[curve]))


def sure_of(cost: float) -> float:
    """How sure faces are that cost so much, 0..1; a claim has more to speak for it than faces."""
    return math.exp(-min(cost, 5.0))
