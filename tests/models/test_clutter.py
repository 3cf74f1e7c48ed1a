"""Things on a table that are sometimes read as faces."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest
from games.bank import FOLDER, ReadingBank, ReadingSampler
from games.clutter import CLUTTER, things_on
from games.labels import WatchedGame
from games.outcome import GameCase
from games.simulated_detector import Thing

from vision.tiles.classes import FACES, Side

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


def test_every_thing_has_the_outline_of_its_own_kind(game: WatchedGame) -> None:
    width = game.planned.place.table.width_mm
    assert sides_mm(laid(game, "dice")[0]) == pytest.approx((width / 2, width / 2))
    assert sides_mm(laid(game, "chips")[0]) == pytest.approx((38.0, 38.0))
    assert min(sides_mm(laid(game, "phone")[0])) > 2 * width


def test_chips_read_as_backs_and_now_and_then_as_faces(game: WatchedGame) -> None:
    chips = laid(game, "chips")
    assert [chip.side for chip in chips] == [Side.BACK, Side.BACK, Side.FACE]
    assert [bool(chip.shares.any()) for chip in chips] == [False, False, True]


def test_a_marker_reads_as_a_wind(game: WatchedGame) -> None:
    marker = laid(game, "marker")[0]
    assert FACES[int(marker.shares.argmax())] in ("1z", "2z", "3z", "4z")
    assert marker.score > 0.5


def test_dice_are_read_in_the_first_pictures_of_a_table_that_stands_still() -> None:
    """They lie in the middle, far from every tile."""
    whole, dice = (WatchedGame(GameCase("clean", "riichi", 97304, s)) for s in ("dealt", "dice"))
    faces = []
    for game in (whole, dice):
        looks = islice(game.looks(game.frames(), game.follower()), 4)
        faces.append(sum(one.side == "face" for look in looks for one in look.readings))
    assert faces[1] > faces[0]
