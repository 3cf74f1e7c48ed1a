"""What lies before each player, and which tile is taken from where."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.rules.layout import TableLayout
from engine.tiles import Tile
from studio.scene import Pose
from studio.table.layout import Measures, SetShape, Spot, hand_spots, set_width_mm


@dataclass
class Declared:
    """A claimed set on the table."""

    tiles: list[int]
    shape: SetShape


@dataclass
class StudioSeat:
    """What one player has in hand and on the table; tiles are numbers."""

    hand: list[int] = field(default_factory=list)
    drawn: int | None = None
    sets: list[Declared] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    turned: dict[int, bool] = field(default_factory=dict)
    pose: Pose = "standing"
    claimed_ready: bool = False
    owes_turned: bool = False
    """A sideways discard was claimed, so the next one is turned instead."""
    gap_mm: float = 10.0
    room: int = 0
    """Tiles for which an open hand leaves room beside the sets."""


class Seats:
    """The four seats of one hand."""

    def __init__(self, table: Measures, layout: TableLayout, faces: Sequence[Tile]) -> None:
        self.table, self.layout, self.faces = table, layout, tuple(faces)
        self._seats = [StudioSeat() for _ in range(4)]
        self.last: tuple[int, int] | None = None
        """Seat and tile of the last discard, or of the tile last added to a pung."""

    def __getitem__(self, seat: int) -> StudioSeat:
        return self._seats[seat]

    def clear(self, poses: Sequence[Pose], gaps_mm: Sequence[float]) -> None:
        kept = zip(poses, gaps_mm, strict=True)
        self._seats = [StudioSeat(pose=pose, gap_mm=gap) for pose, gap in kept]
        self.last = None

    def kept(self) -> tuple[list[StudioSeat], tuple[int, int] | None]:
        """Return a copy of everything, for ``restore``."""
        return copy.deepcopy(self._seats), self.last

    def restore(self, kept: tuple[list[StudioSeat], tuple[int, int] | None]) -> None:
        self._seats, self.last = kept

    def sort(self, seat: int) -> None:
        self[seat].hand.sort(key=self.sort_key)

    def sort_key(self, tile: int) -> tuple[str, int, int]:
        face = self.faces[tile]
        return face.suit, face.rank, tile

    def take(self, seat: int, tile: Tile, drawn: bool | None = None) -> int:
        """Take a tile of this face out of a hand; raise ``ValueError`` if none is held."""
        player = self[seat]
        if drawn and player.drawn is not None and self.faces[player.drawn] == tile:
            found = player.drawn
        else:
            held = [t for t in player.hand if self.faces[t] == tile]
            if not held:
                raise ValueError(f"seat {seat} does not hold {tile}")
            if drawn is False:
                held = [t for t in held if t != player.drawn] or held
            found = held[0]
        player.hand.remove(found)
        return found

    def claim(self) -> int:
        """Take back the last discard, or the tile last added to a pung."""
        if self.last is None:
            raise ValueError("there is no discard to claim")
        seat, tile = self.last
        player = self[seat]
        if tile in player.river:
            player.river.remove(tile)
            player.owes_turned = player.turned.get(tile, False)
        for declared in player.sets:
            if tile in declared.tiles:
                declared.tiles.remove(tile)
                declared.shape = replace(declared.shape, added="none")
        return tile

    def pung_of(self, seat: int, tile: Tile) -> tuple[Declared, float]:
        """Return the pung that a tile is added to, and its distance from the corner."""
        offset = 0.0
        for declared in self[seat].sets:
            kinds = {self.faces[t].kind for t in declared.tiles}
            if len(declared.tiles) == 3 and kinds == {tile.kind}:
                return declared, offset
            offset += set_width_mm(self.table, declared.shape)
        raise ValueError(f"seat {seat} has no pung of {tile}")

    def hand_targets(self, seat: int) -> list[Spot]:
        """Return where the tiles of a hand belong."""
        player = self[seat]
        return hand_spots(
            self.table,
            seat,
            len(player.hand),
            player.drawn is not None,
            player.pose,
            self.sets_mm(seat) + player.room * self.table.width_mm,
            self.layout.sets_at,
            player.gap_mm,
        )

    def sets_mm(self, seat: int) -> float:
        """Return the width of the claimed sets."""
        return sum(set_width_mm(self.table, d.shape) for d in self[seat].sets)
