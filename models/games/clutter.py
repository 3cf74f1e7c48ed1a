"""Things on a table that are no tiles of the game and are sometimes read as tiles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
from games.bank import ReadingSampler
from games.simulated_detector import Thing
from numpy.typing import NDArray

from engine.tiles import WINDS
from studio.film.game_film import PlannedGame
from studio.scene import footprint
from vision.tiles.classes import FACES, Side

CLUTTER: Final = ("dice", "chips", "phone", "console", "marker")
AWAY: Final = 0.75  # no tile of the game has its middle nearer to a thing, in tile heights
TRIES: Final = 400  # places that are tried for each thing
BACK_SCORES: Final = (0.71, 0.86)
"""Scores of chips that the shipped nets take for backs: 14 of 18 chips on six rendered tables."""
IN_MIDDLE_MM: Final = 30.0  # how far from the middle of the table its dice lie, across and along


def things_on(
    kind: str, planned: PlannedGame, draws: ReadingSampler, rng: random.Random
) -> list[Thing]:
    """Lay the things of one kind where no tile of the game ever lies.

    Their readings are those of false detections in pictures, or a wind's for the marker; two chips
    of three are read as backs. Their outlines have their own size. ``kind`` is one of ``CLUTTER``,
    or ``middle`` for two dice in the middle of the table.
    """
    table = planned.place.table
    width, height = table.width_mm, table.height_mm
    die = (0.5 * width, 0.5 * width)
    sizes, around = {
        "dice": ([die] * 2, _anywhere),
        "middle": ([die] * 2, _in_the_middle),
        "chips": ([(38.0, 38.0)] * 3, _anywhere),
        "phone": ([(74.0, 154.0)], _anywhere),
        # A display and a lamp for each player.
        "console": ([(1.4 * width, 0.6 * width)] * 4 + [(12.0, 12.0)] * 4, _on_the_console),
        "marker": ([(width, height)], _anywhere),
    }[kind]
    tiles = _tiles_ever(planned)
    things: list[Thing] = []
    for number, size in enumerate(sizes):
        taken = [thing.outline_mm.mean(axis=0) for thing in things]
        away = [AWAY * height] * len(tiles) + [0.6 * max(size)] * len(taken)
        outline = _free_place(around(rng, table.half_mm, number), size, (*tiles, *taken), away)
        if kind == "chips" and number < 2:
            shares = np.zeros(len(FACES), np.float16)
            things.append(Thing(outline, shares, rng.uniform(*BACK_SCORES), Side.BACK))
        else:
            shares, score = _wind(draws, rng) if kind == "marker" else draws.phantom()
            things.append(Thing(outline, shares, score))
    return things


def _wind(draws: ReadingSampler, rng: random.Random) -> tuple[NDArray[np.float16], float]:
    """Draw how a tile with a wind is read: a marker of the round is like one."""
    rows = (draws.row(Side.FACE, str(rng.choice(WINDS)), True) for _ in range(TRIES))
    row = next(row for row in rows if row is not None and draws.bank.found[row])
    return draws.bank.faces[row], float(draws.bank.score[row])


Places = Iterable[tuple[float, float, float]]
"""x and y in mm and yaw in degrees, the best first."""
Around = Callable[[random.Random, float, int], Places]


def _anywhere(rng: random.Random, half_mm: float, number: int) -> Places:
    far = half_mm - 10.0
    return [(rng.uniform(-far, far), rng.uniform(-far, far), _yaw(rng)) for _ in range(TRIES)]


def _in_the_middle(rng: random.Random, half_mm: float, number: int) -> Places:
    far = IN_MIDDLE_MM
    return [(rng.uniform(-far, far), rng.uniform(-far, far), _yaw(rng)) for _ in range(TRIES)]


def _on_the_console(rng: random.Random, half_mm: float, number: int) -> Places:
    """The things of one player after the other, farther out where tiles lie in the middle."""
    for out in np.linspace(45.0, half_mm, TRIES):
        u, v = (0.0, float(out)) if number < 4 else (0.4 * float(out), 0.7 * float(out))
        for _ in range(number % 4):
            u, v = v, -u
        yield u, v, 90.0 * (number % 4)


def _yaw(rng: random.Random) -> float:
    return rng.uniform(0.0, 360.0)


def _tiles_ever(planned: PlannedGame) -> NDArray[np.float64]:
    """Return the middles (n, 2) of all places where a tile lies at rest at some time."""
    director = planned.director
    times = dict.fromkeys([0.0, *(mark.t_s for mark in director.marks), director.now])
    spots = [(at.x_mm, at.y_mm) for time_s in times for _, at in director.stage.tiles_at(time_s)]
    return np.unique(np.round(spots), axis=0)


def _free_place(
    places: Places,
    size: tuple[float, float],
    tiles: Iterable[NDArray[np.float64]],
    away_mm: list[float],
) -> NDArray[np.float64]:
    """Return the outline at the first place that is free, or at the freest one."""
    middles, away = np.array(list(tiles)), np.array(away_mm)
    best: tuple[float, NDArray[np.float64]] | None = None
    for x, y, yaw in places:
        turn = np.deg2rad(yaw)
        axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        beyond = np.abs((middles - (x, y)) @ axes) - np.array(size) / 2
        spare = float((np.linalg.norm(np.maximum(beyond, 0.0), axis=1) - away).min())
        if best is None or spare > best[0]:
            best = spare, footprint(x, y, yaw, *size)
        if spare >= 0:
            break
    assert best is not None, "there are places to try"
    return best[1]
