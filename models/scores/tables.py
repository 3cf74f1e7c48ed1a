"""Measure how often a table is found in a picture, and how exactly.

score.py tables --first 71000 --count 20 --out runs/tables

Each seed is another table, camera, light and game. Four moments of each are read: before the deal,
during it, early and late in the hand. OUT/SEED.json keeps the result, and that seed is not read
again. The error is the worst corner's, as a share of a side.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.rules import GAMES
from studio.film.cameras import film
from studio.film.game_film import Settings, film_camera, plan
from vision.detect import Detector
from vision.pipeline import TileReader
from vision.table.calibrate import NoTable, find_table
from vision.table.hand_rows import table_by_hands
from vision.table.search import table_in, tiles_in
from vision.table.view import TableView
from vision.tiles.classes import Side

RULES: Final = tuple(GAMES[place].id for place in (0, 2, 4, 3, 1))
"""In the order in which the seeds choose them."""
GRADES: Final = ("clean", "ordinary", "hard", "hostile", "any")
SIZE_PX: Final = (1280, 720)
FPS: Final = 5.0
MOMENTS: Final = ("before the deal", "during it", "early", "late")
LIMITS: Final = (0.02, 0.04, 0.08)
WAYS: Final = ("edge", "hands", "together")


def looked_at(seed: int, detector: TileReader) -> dict[str, Any]:
    """Return the error of each way of finding the table, at each moment of a seed's game."""
    rules, grade = RULES[seed % 5], GRADES[seed // 5 % 5]
    settings = Settings(rules, seed, Path(), 1, *SIZE_PX, FPS, grade=grade)
    planned = plan(settings)
    eye, sensor = film_camera(settings, planned.place)
    marks = [mark.t_s for mark in planned.director.marks]
    times = [0.0, 2.0, marks[len(marks) // 4] + 0.8, marks[len(marks) * 2 // 3] + 0.8]
    half = planned.place.table.half_mm
    corners = np.array([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)])
    found = []
    for frame in film(planned.scene_at, eye.look, times, FPS, sensor.open_s):
        sight = planned.mishaps.camera_state_at(frame.time_s).lit(1.0)
        true = planned.place.camera.moved(sight).project(corners)
        assert frame.seen.image_bgr is not None, "this eye sees pictures"
        found.append(errors(sensor.grain(frame.seen.image_bgr), true, detector))
    return {"seed": seed, "rules": rules, "grade": grade, "errors": found}


def errors(
    image_bgr: NDArray[np.uint8], true: NDArray[np.float64], detector: TileReader
) -> dict[str, float | None]:
    """Return the error of each way; None where it finds nothing."""
    readings = tiles_in(lambda tile_px: detector.read(image_bgr, None, tile_px), SIZE_PX)
    standing = sum(reading.side is Side.STANDING for reading in readings)
    return {
        "edge": _off(lambda: find_table(image_bgr), true),
        "hands": _off(lambda: table_by_hands(readings, SIZE_PX), true),
        "together": _off(lambda: table_in(image_bgr, readings), true),
        "tiles": len(readings),
        "standing": standing,
    }


def _off(find: Callable[[], TableView], true: NDArray[np.float64]) -> float | None:
    try:
        seen = find().field_px
    except NoTable:
        return None
    side_px = np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean()
    return round(float(np.abs(seen - true).max() / side_px), 4)


def table(seeds: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, by moment and way."""
    heads = [f"within {100 * limit:.0f} %" for limit in LIMITS]
    yield "| moment | found by | pictures | " + " | ".join(heads) + " | worse | not found |"
    yield "|---" * (len(LIMITS) + 5) + "|"
    for number, moment in enumerate(MOMENTS):
        for way in WAYS:
            off = [seed["errors"][number][way] for seed in seeds]
            told = [one for one in off if one is not None]
            within = [sum(one < limit for one in told) for limit in LIMITS]
            cells = [len(off), *within, len(told) - within[-1], len(off) - len(told)]
            yield f"| {moment} | {way} | " + " | ".join(map(str, cells)) + " |"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--first", type=int, default=71000, help="the first seed")
    parser.add_argument("--count", type=int, default=20, help="tables")
    parser.add_argument("--out", type=Path, required=True, help="continues in a folder that exists")


def run(given: argparse.Namespace) -> None:
    given.out.mkdir(parents=True, exist_ok=True)
    detector, seeds = Detector.load(), []
    for seed in range(given.first, given.first + given.count):
        path = given.out / f"{seed}.json"
        if not path.exists():
            path.write_text(json.dumps(looked_at(seed, detector)) + "\n", encoding="utf-8")
        seeds.append(json.loads(path.read_text(encoding="utf-8")))
    print("\n".join(table(seeds)))
