"""Things on a table that are sometimes read as faces."""

from __future__ import annotations

import random

import numpy as np
import pytest
from games.bank import FOLDER, ReadingBank, ReadingSampler
from games.clutter import CLUTTER, things_on
from games.labels import WatchedGame
from games.outcome import GameCase
from games.simulated_detector import Thing

CASE = GameCase("ordinary", "riichi", 97304)


@pytest.fixture(scope="module")
def game() -> WatchedGame:
    return WatchedGame(CASE)


def laid(game: WatchedGame, kind: str) -> list[Thing]:
    rng = random.Random(kind)
    draws = ReadingSampler(ReadingBank.load(FOLDER / "ordinary.npz"), (25.0, 40.0), rng)
    return things_on(kind, game.planned, draws, rng)


def sides_mm(thing: Thing) -> tuple[float, float]:
    a, b, c, _ = thing.outline_mm
    return float(np.linalg.norm(b - a)), float(np.linalg.norm(c - b))


@pytest.mark.parametrize("kind", [*CLUTTER, "middle"])
def test_things_lie_where_no_tile_ever_lies(game: WatchedGame, kind: str) -> None:
    things = laid(game, kind)
    assert things
    director, thin = game.planned.director, game.planned.place.table.width_mm / 2
    times = [0.0, *(mark.t_s for mark in director.marks)]
    spots = {(at.x_mm, at.y_mm) for time_s in times for _, at in director.stage.tiles_at(time_s)}
    for thing in things:
        middle, half = thing.outline_mm.mean(axis=0), max(sides_mm(thing)) / 2
        if kind != "phone":  # long: whether it is near depends on how it lies
            assert min(np.hypot(*(middle - spot)) for spot in spots) > half + 0.5 * thin
        assert np.abs(middle).max() < game.planned.place.table.half_mm
