"""What is known of the tiles at the moment of judging, and what each reading costs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.rules.base import RuleSet
from engine.rules.layout import PLAIN, TableLayout
from engine.tiles import REDS, UNKNOWN, Tile
from vision.seat_camera.witness import NOBODY, Witness
from vision.table.placed_tile import LEAST_SURE, PlacedTile
from vision.tiles.classes import FACE_INDEX, FACES, Side, face_class
from vision.tracking.falls import Falls

NO_FACE: Final = 4.0
"""A tile of an open set shows its back, or seems to stand."""
WRONG: Final = 0.01
"""Share of readings that are sure of themselves and wrong: half a tile, a tile under glare."""
NOISE: Final = 6.7
"""A face was a misreading of nothing, before the finder's score is asked."""
SCORES: Final = (0.35, 0.52, 0.68, 0.8, 0.87, 0.95)
FOR_A_TILE: Final = (-3.6, -2.3, -1.2, 0.3, 2.3, 3.9)
"""How much mean scores of the finder speak for a tile, as logarithms of how often 3,686 faces and
604 other things were given them, on the rendered tables that the confidence is fitted on."""
NO_TILE: Final = 6.0
"""Something in an open row or beside a set may be no tile if that costs no more."""
PLAIN_FIVE: Final = 5
FACES_TRIED: Final = 3
LEAST_LIKELY: Final = 0.005


By = tuple[int, float]
"""The seat that put a tile down, and when."""


@dataclass(frozen=True)
class TableEvidence:
    """What is known of the tiles at the moment of judging."""

    tiles: Mapping[int, PlacedTile]
    present: Collection[int]
    """Ids of what lies on the table now."""
    tile_mm: float
    in_play: np.ndarray | None = None
    """(38,) 1 for every face that the game has, else 0; None where any may be."""
    layout: TableLayout = PLAIN
    witness: Witness = NOBODY
    """What cameras of single seats say of the tiles that left their hands."""
    falls: Falls = field(default_factory=Falls)
    """Which standing rows have lost their drawn tile, and when."""

    def likely(
        self, tile: int, most: int = FACES_TRIED, by: By | None = None
    ) -> list[tuple[Tile, float]]:
        """Faces that a tile may show, with their costs, likeliest first.

        ``by`` tells out of whose hand it came, where a camera of that seat may have seen it go.
        """
        shares = self._doubted(tile, by)
        order = np.argsort(-shares)[:most]
        found = [(Tile(FACES[i]), -math.log(shares[i])) for i in order if shares[i] > LEAST_LIKELY]
        return found or [(UNKNOWN, 0.0)]

    def surely(self, tile: int, face: Tile, least: float) -> bool:
        """Whether the tile shows this face beyond doubt."""
        placed = self.tiles.get(tile)
        if placed is None:
            return True
        if placed.side is not Side.FACE or not face.known:
            return False
        return bool(placed.probabilities[FACE_INDEX[str(face)]] > least)

    def doubtful(self, tile: int) -> bool:
        """Whether what was read is unsure, or a face that the game does not have."""
        shares = self.tiles[tile].probabilities
        if self.in_play is not None:
            shares = shares * self.in_play
        return float(shares.max()) < LEAST_SURE

    def shares(self, tile: int) -> np.ndarray:
        placed = self.tiles[tile]
        shares = placed.probabilities
        if placed.side is not Side.FACE or not shares.any():
            return np.full(len(FACES), 1 / len(FACES))
        if self.in_play is not None:
            # What the game does not have cannot lie here, however sure the reading is.
            shares = (shares + 1e-9) * self.in_play
            shares = shares / shares.sum()
        return np.asarray(shares)

    def kinds(self, tile: int) -> np.ndarray:
        """(38,) the shares with those of red fives added to the plain ones."""
        shares = self.shares(tile).copy()
        for red in REDS:
            plain, place = FACE_INDEX[str(Tile(red).kind)], FACE_INDEX[red]
            shares[plain] += shares[place]
            shares[place] = 0.0
        return shares

    def red_of(self, tile: Tile) -> Tile | None:
        """The red five of a plain one, where the game has it."""
        if tile.rank != PLAIN_FIVE or tile.suit not in "mps" or tile.kind != tile:
            return None
        red = Tile(f"0{tile.suit}")
        place = FACE_INDEX[str(red)]
        return red if self.in_play is not None and self.in_play[place] else None

    def cost_of(self, tile: int, face: Tile, by: By | None = None) -> float:
        if self.tiles[tile].side is not Side.FACE:
            return NO_FACE
        if not face.known:
            return 1.0
        return -math.log(float(self._doubted(tile, by)[FACE_INDEX[str(face)]]))

    def _doubted(self, tile: int, by: By | None) -> np.ndarray:
        """(38,) the shares without blind trust in them, and with what a seat's camera saw go."""
        shares = self.shares(tile) * (1 - WRONG) + WRONG / len(FACES)
        # What lies face down nobody may know, whoever saw it in a hand.
        faces_up = self.tiles[tile].side is Side.FACE
        thrown = self.witness.thrown(*by) if by is not None and faces_up else None
        if thrown is None:
            return np.asarray(shares)
        both = shares * thrown
        return np.asarray(both / both.sum())


def in_play(rules: RuleSet) -> np.ndarray:
    """Which faces a game by these rules has."""
    faces = {face_class(tile) for tile in rules.wall}
    return np.array([face in faces for face in FACES], float)


def sideways(tile: PlacedTile, seat: int) -> bool:
    off = (tile.turn_deg + 90.0 * seat) % 180
    return 45 < off < 135


def nothing_there(placed: PlacedTile) -> float:
    """What it costs that no tile lies here, but a chip, a finger, a square of the cloth."""
    return max(0.5, NOISE + float(np.interp(placed.score, SCORES, FOR_A_TILE)))


def but_for_one(
    tiles: Sequence[int], scene: TableEvidence
) -> Iterator[tuple[tuple[int, ...], float]]:
    """All tiles but one that may be none, and what it costs that it is none."""
    for tile in tiles:
        cost = nothing_there(scene.tiles[tile])
        if cost < NO_TILE:
            yield tuple(other for other in tiles if other != tile), cost
