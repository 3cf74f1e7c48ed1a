"""A hand-made table: observations and looks as a tracker and a detector would give them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.events import Chow, Discard, Event, Pung, Win
from engine.rules import RULE_SETS
from engine.tiles import Tile, parse
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.table.placed_tile import PlacedTile
from vision.table.view import TableView, from_seat
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tracking.observe import Look, Observation

TILE_MM = 30.0
VIEW = TableView(
    ((460, 40), (1460, 40), (1460, 1040), (460, 1040)), (800, 800), (1920, 1080), tile_mm=TILE_MM
)
"""Seen from straight above."""
SMALL_VIEW = VIEW.in_picture(960, 540)
"""The same in films: a quarter of the pixels to read."""


def shares(face: str, sure: float = 0.97, other: str = "5z") -> NDArray[np.float64]:
    found = np.full(len(FACES), (1 - sure) * 0.1 / len(FACES))
    found[FACE_INDEX[face]] += sure
    found[FACE_INDEX[other]] += (1 - sure) * 0.9
    return found


@dataclass(frozen=True, eq=False)
class Read:
    """A tile as a detector gives it."""

    side: Side
    corners_px: NDArray[np.float32]
    score: float
    probabilities: NDArray[np.float32]

    def detected(self) -> Detection:
        return Detection(self.side, self.corners_px, self.score, self.probabilities, 0.5)

    def seen_in(self, view: TableView) -> Read:
        """The same where the picture of ``VIEW`` has another size."""
        share = np.float32(view.picture_px[0] / VIEW.picture_px[0])
        return replace(self, corners_px=self.corners_px * share)


class Finds(ABC):
    """Stands in for the detector."""

    @abstractmethod
    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        """What is found in a part of a picture."""

    def read(
        self,
        image_bgr: Picture,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        height, width = image_bgr.shape[:2]
        return self.found(image_bgr, region or (0, 0, width, height))


def read_at(x: float, y: float, face: str = "", side: Side = Side.FACE, sure: float = 0.97) -> Read:
    """A reading of an upright tile whose middle lies at a place of ``VIEW``'s table."""
    size = np.array([TILE_MM / 2, 1.33 * TILE_MM / 2])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size + (x, y)
    height = VIEW.standing_mm if side is Side.STANDING else VIEW.lying_mm
    faces = shares(face, sure) if side is Side.FACE else np.zeros(len(FACES))
    seen = VIEW.to_image(corners, height).astype(np.float32)
    return Read(side, seen, 0.9, faces.astype(np.float32))


def look(time_s: float, *readings: Read) -> Look:
    return Look(time_s, readings)


class Stage:
    """Tiles that are put down and taken away; each change is shown for a few moments."""

    def __init__(self) -> None:
        self.time_s = 0.0
        self._tiles: dict[int, PlacedTile] = {}
        self._next = 0
        self.busy: frozenset[int] = frozenset()
        self.sticks: frozenset[int] = frozenset()
        self.held = False

    def put(
        self, seat: int, u: float, v: float, face: str = "", turn: float = 0.0, sure: float = 0.97
    ) -> int:
        """A face, or a back without one, in a seat's own millimetres."""
        side = Side.FACE if face else Side.BACK
        faces = shares(face, sure) if face else np.zeros(len(FACES))
        return self._add(seat, u, v, side, faces, turn)

    def lay(
        self, seat: int, tiles: str, left_mm: float, apart_mm: float = 0.0, out_mm: float = 345.0
    ) -> list[int]:
        """A row before a seat, from its left on; ``?`` is a back, and the last tile lies apart."""
        row = parse(tiles)
        return [
            self.put(
                seat,
                left_mm + TILE_MM * place + (apart_mm if place == len(row) - 1 else 0.0),
                out_mm,
                str(tile) if tile.known else "",
            )
            for place, tile in enumerate(row)
        ]

    def set_down(self, seat: int, tiles: str, turned: int, row: int = 0) -> list[int]:
        """A claimed set at a seat's right-hand corner, one tile of it sideways."""
        faces = [str(tile) if tile.known else "" for tile in parse(tiles)]
        u = 370 - 32 * len(faces) - 130 * row
        return [
            self.put(seat, u + 31 * place, 370, face, 90.0 if place == turned else 0.0)
            for place, face in enumerate(faces)
        ]

    def stand(self, seat: int, count: int) -> list[int]:
        """A hand of standing tiles; those that stood there before are taken away."""
        for key, tile in list(self._tiles.items()):
            own = from_seat(tile.xy_mm, -seat)
            if tile.side is Side.STANDING and own[1] > 300 and abs(own[0]) < 300:
                del self._tiles[key]
        none = np.zeros(len(FACES))
        left = -(count - 1) / 2 * TILE_MM - 30
        return [
            self._add(seat, left + place * TILE_MM, 345, Side.STANDING, none, 0.0)
            for place in range(count)
        ]

    def take(self, *tiles: int) -> None:
        for tile in tiles:
            del self._tiles[tile]

    def take_up(self, tile: int) -> PlacedTile:
        """Take a tile away, or cover it; it may be laid again as it was."""
        return self._tiles.pop(tile)

    def lay_again(self, tile: PlacedTile) -> None:
        self._tiles[tile.id] = tile

    @property
    def known(self) -> set[int]:
        """Ids of what lies on the table."""
        return set(self._tiles)

    def change(self, tile: int, **changes: Any) -> None:
        self._tiles[tile] = replace(self._tiles[tile], **changes)

    def clear(self) -> None:
        self._tiles.clear()

    def shown(self, lasts_s: float = 1.2) -> list[Observation]:
        """Observations of the table as it lies now."""
        found = []
        for _ in range(round(lasts_s / 0.2)):
            self.time_s = round(self.time_s + 0.2, 3)
            tiles = tuple(self._tiles.values())
            seen = Observation(self.time_s, tiles, self.busy, sticks=self.sticks, held=self.held)
            found.append(seen)
        return found

    def _add(
        self, seat: int, u: float, v: float, side: Side, faces: NDArray[np.float64], turn: float
    ) -> int:
        x, y = from_seat(np.array([u, v], float), seat)
        self._next += 1
        tile = PlacedTile(
            self._next,
            side,
            faces,
            float(x),
            float(y),
            (turn - 90 * seat) % 360,
            self.time_s + 0.2,
            9,
        )
        self._tiles[self._next] = tile
        return self._next


class Table(ABC):
    """A hand-made table, shown to whatever decodes it."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        self.rules = rules
        self.stage = Stage()

    @abstractmethod
    def show(self, lasts_s: float = 1.2) -> None:
        """Decode the table as it lies now for a while."""

    @abstractmethod
    def discard(self, seat: int, face: str, place: int = 0, sure: float = 0.97) -> int:
        """A hand comes and puts a tile down."""

    @property
    def hand_size(self) -> int:
        return RULE_SETS[self.rules].wall.hand_size

    def deal(self, dealer: int = 0) -> None:
        for seat in range(4):
            self.stage.stand(seat, self.hand_size + (seat == dealer))
        self.show(2.0)

    def plays(self, *thrown: tuple[int, str], place: int = 0) -> None:
        """Discards, one after the other."""
        for seat, face in thrown:
            self.discard(seat, face, place)

    def claim(
        self, tile: int | None, seat: int, tiles: str, turned: int = 0, lasts_s: float = 1.6
    ) -> list[int]:
        """The tile goes into the first set of a seat, whose hand is smaller by it."""
        if tile is not None:
            self.stage.take(tile)
        self.stage.stand(seat, 11 if len(parse(tiles)) == 3 else 10)
        claimed = self.stage.set_down(seat, tiles, turned)
        self.show(lasts_s)
        return claimed


def plain(event: Event) -> Event:
    """An event without what the standing hands tell of it."""
    return replace(event, drawn=None) if isinstance(event, Discard) else event


def pung(seat: int, giver: int, face: str, ready: bool = False) -> Pung:
    return Pung(seat, giver, Tile(face), (Tile(face), Tile(face)), ready)


def chow(seat: int, giver: int, face: str, own: str) -> Chow:
    first, second = parse(own)
    return Chow(seat, giver, Tile(face), (first, second))


def won(event: Event) -> tuple[int, int, str]:
    """Who won, from whom, and with which tile."""
    assert isinstance(event, Win)
    return event.seat, event.from_seat, str(event.tile)


def discards(*thrown: tuple[int, str]) -> list[Event]:
    return [Discard(seat, Tile(face)) for seat, face in thrown]
