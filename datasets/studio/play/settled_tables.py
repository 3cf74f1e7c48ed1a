"""A planned game as the table shows it after each event: no camera, hands or errors."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine import events as ev
from engine.rules import RULE_SETS
from studio.film.director import Director
from studio.play.players import play_game
from studio.table.film_setup import FilmSetup, draw_place
from studio.table.layout import Spot
from vision.table.placed_tile import PlacedTile
from vision.table.view import TableView, to_seat
from vision.tiles.classes import FACE_INDEX, FACES, Side, face_class
from vision.tracking.observe import Observation

SHOWN_S: Final = 1.6
STEP_S: Final = 0.4
MOVING_S: Final = 0.04  # a tile that moves within this time is in somebody's hand
SURE: Final = 0.99
COVERS_MM: Final = 14.0  # a tile on top of another one seems to have moved by less than this
_SIDES: Final = {"up": Side.FACE, "down": Side.BACK, "standing": Side.STANDING}
PICTURE_PX: Final = (1280, 720)


@dataclass(frozen=True)
class SettledGame:
    """A game that could be filmed."""

    director: Director
    place: FilmSetup

    @property
    def entries(self) -> list[ev.Entry]:
        return [ev.Entry(mark.event, t=mark.t_s) for mark in self.director.marks]


def planned(
    rules: str, seed: int, hands: int = 1, options: dict[str, object] | None = None
) -> SettledGame:
    """Play the game of this seed and plan its motions."""
    start, played, end = play_game(rules, seed, hands, options)
    rng = random.Random(f"settled {rules} {seed}")
    place = draw_place(rng, len(played[0].wall), *PICTURE_PX)
    director = Director(place.table, RULE_SETS[rules].layout, sorted(played[0].wall), rng)
    director.game(start, played, end)
    return SettledGame(director, place)


def observations(game: SettledGame) -> Iterator[Observation]:
    """Yield the table at rest after each event."""
    clock = 0.0
    before: dict[int, tuple[Spot, PlacedTile]] = {}
    number = 0
    for time_s in dict.fromkeys(mark.t_s for mark in game.director.marks):
        lying = dict(_lying(game.director, time_s))
        now: dict[int, tuple[Spot, PlacedTile]] = {}
        busy = set()
        for tile, at in lying.items():
            known = before.get(tile)
            if known is not None and known[0] == at:
                now[tile] = known
                continue
            placed = _placed(game, tile, at, clock)
            moved = known is None or _far(known[0], at) > 0.4 * game.place.table.width_mm
            if known is not None and not moved:
                same = known[1].side is placed.side
                placed = replace(
                    placed, id=known[1].id, first_s=known[1].first_s if same else clock
                )
            elif (covered := _covered(placed, before, lying)) is not None:
                # A tile on another one of the same face looks as if that one had moved.
                placed = replace(placed, id=covered.id, first_s=covered.first_s)
            else:
                number += 1
                placed = replace(placed, id=number)
            if placed.side is Side.STANDING and known is not None:
                busy.add(_nearest(placed))
            now[tile] = at, placed
        tiles = tuple(placed for _, placed in now.values())
        for step in range(round(SHOWN_S / STEP_S)):
            moving = frozenset(busy) if step == 0 else frozenset[int]()
            yield Observation(round(clock + step * STEP_S, 3), tiles, moving)
        before, clock = now, clock + SHOWN_S


def _covered(
    placed: PlacedTile, before: Mapping[int, tuple[Spot, PlacedTile]], lying: Mapping[int, Spot]
) -> PlacedTile | None:
    """Return the tile of the same face that lay here and is out of sight now."""
    for tile, (_, other) in before.items():
        if tile not in lying and other.side is placed.side is Side.FACE:
            near = float(np.hypot(*(other.xy_mm - placed.xy_mm))) < COVERS_MM
            if near and other.tile == placed.tile:
                return other
    return None


def _lying(director: Director, time_s: float) -> Iterator[tuple[int, Spot]]:
    """Yield tiles that lie still and are visible from above."""
    width = director.table.width_mm
    later = dict(director.stage.tiles_at(time_s + MOVING_S))
    still = {
        tile: at for tile, at in director.stage.tiles_at(time_s) if _far(at, later[tile]) < 0.5
    }
    for tile, at in still.items():
        over = any(
            other.z_mm > at.z_mm + 5 and _far(at, other) < 0.5 * width for other in still.values()
        )
        if not over:
            yield tile, at


def _placed(game: SettledGame, tile: int, at: Spot, time_s: float) -> PlacedTile:
    view, side = game.place.view, _SIDES[at.pose]
    x, y = _as_seen(view, at, side)
    shares = np.zeros(len(FACES))
    if side is Side.FACE:
        shares += (1 - SURE) / len(FACES)
        face = face_class(game.director.faces[tile])
        assert face is not None, "the wall holds known tiles"
        shares[FACE_INDEX[face]] += SURE
    return PlacedTile(0, side, shares, x, y, at.yaw_deg, time_s, 9)


def _as_seen(view: TableView, at: Spot, side: Side) -> tuple[float, float]:
    """Return the place on the felt where a camera sees the tile's upper side."""
    if side is Side.STANDING or at.z_mm < view.lying_mm:
        return at.x_mm, at.y_mm
    place = np.array([[at.x_mm, at.y_mm]])
    seen = view.to_table(view.to_image(place, at.z_mm + view.lying_mm / 2), view.lying_mm)
    return float(seen[0, 0]), float(seen[0, 1])


def _far(one: Spot, two: Spot) -> float:
    return math.hypot(one.x_mm - two.x_mm, one.y_mm - two.y_mm)


def _nearest(tile: PlacedTile) -> int:
    return max(range(4), key=lambda seat: float(to_seat(tile.xy_mm, seat)[1]))
