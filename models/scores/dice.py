"""Measure how well rolled dice are read, in films that show nothing but rolls.

score.py dice --tables 20 --rolls 5 --out runs/dice
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules import RULE_SETS
from studio.film.arms import Arms
from studio.film.dice_rolls import DiceRolls, RolledDice
from studio.film.game_film import PlannedGame, Settings, film_camera, plan
from studio.film.timeline import Stop, Timeline
from studio.scene import Arm, TableScene
from vision.attention.motion import MotionMap
from vision.camera.frames import Frame
from vision.dice.reader import DiceReader
from vision.dice.rolls import Roll

FPS = 10.0
NEAR_S = 1.0
MARGIN = 1.6
JPEG = 82  # JPEG quality of the pictures: about the loss of a usual camera's video


@dataclass
class DiceScore:
    """The rolls of one table, true and read."""

    name: str
    per_mm: float
    true: list[RolledDice] = field(default_factory=list)
    read: list[Roll] = field(default_factory=list)
    seconds: float = 0.0
    """Time that reading took."""
    pictures: int = 0

    def counts(self) -> tuple[int, int, int]:
        """Return how many rolls were read right, read wrong, and missed."""
        left = list(self.read)
        right = 0
        for rolled in self.true:
            near = [roll for roll in left if abs(roll.time_s - rolled.t_s) < NEAR_S]
            same = [roll for roll in near if sorted(roll.values) == sorted(rolled.values)]
            right += bool(same)
            for roll in same[:1]:
                left.remove(roll)
        missed = sum(
            not any(abs(roll.time_s - rolled.t_s) < NEAR_S for roll in self.read)
            for rolled in self.true
        )
        return right, len(left), missed


def score(
    rules: str, seed: int, grade: str, size: tuple[int, int], rolls: int, out: Path
) -> DiceScore | None:
    """Film rolls on the table of a game and read them; None if a console stands there."""
    settings = Settings(
        rules, seed, out, width_px=size[0], height_px=size[1], grade=grade, dice=True
    )
    planned = plan(settings)
    if planned.director.rolls is None:
        return None  # a console stands where dice would be rolled
    eye, sensor = film_camera(settings, planned.place)
    view = planned.place.view
    found = DiceScore(f"{rules}-{seed}-{size[1]}", view.tile_px / view.tile_mm)
    gate, reader = MotionMap(view), DiceReader(view)
    rng = random.Random(seed)
    for number, (time_s, scene, rested) in enumerate(_scenes(planned, rolls, rng)):
        seen = eye.look([scene])
        assert seen.image_bgr is not None, "the eye draws pictures"
        image = _sent(sensor.grain(seen.image_bgr))
        gate.update(Frame(image, time_s, number))
        found.pictures += 1
        regions = gate.regions(MARGIN * view.tile_px) if number % 2 == 0 else []
        if regions:
            tiles = [label.corners_px for label in seen.labels if label.visible > 0.5]
            clear = gate.state().clear_in(regions)
            begun = time.process_time()
            roll = reader.look(time_s, image, regions, tiles, clear)
            found.seconds += time.process_time() - begun
            gate.was_read(regions)
            if roll is not None:
                found.read.append(roll)
        if rested is not None:
            found.true.append(rested)
            shown = "".join(map(str, rested.values))
            cv2.imwrite(
                str(out / f"{found.name}-{rested.t_s:.1f}-{shown}.jpg"), _middle(image, planned)
            )
    return found


def _scenes(
    planned: PlannedGame, rolls: int, rng: random.Random
) -> Iterator[tuple[float, TableScene, RolledDice | None]]:
    """Yield a still table with rolls, and sometimes a hand that only passes over the dice."""
    table, director = planned.place.table, planned.director
    still = planned.scene_at(rng.uniform(0.3, 0.9) * director.now)
    stage = Timeline(table.half_mm, rng)
    arms = Arms(stage, table, rng, 1.0)
    thrown = DiceRolls(table, arms, rng)
    end_s, over = 2.0, []
    for _ in range(rolls):
        values = [rng.randint(1, 6) for _ in range(2)]
        _, left = thrown.roll(rng.randrange(4), values, end_s)
        end_s = left + 2.2
        over.append(end_s)
        if rng.random() < 0.3:
            x, y = rng.uniform(-40, 40), rng.uniform(-40, 40)
            stops = [Stop(end_s + 0.4, x, y, 60.0, 0.5), Stop(end_s + 0.9, -x, -y, 60.0, 0.5)]
            end_s = stage.reach(rng.randrange(4), stops, 0.4, 0.4) + 1.2
    props = tuple(thing for thing in director.things)
    shown = 0
    for number in range(int(end_s * FPS)):
        time_s = number / FPS
        reach = tuple(
            Arm(seat, stop.x_mm, stop.y_mm, stop.height_mm, stop.open_amount, left=hand == 1)
            for seat, hand, stop in stage.arms_at(time_s)
        )
        scene = replace(still, arms=reach, props=(*props, *thrown.at(time_s)))
        rested = None
        if shown < len(over) and time_s > over[shown] - 0.2:
            rested = thrown.rolled[shown]
            shown += 1
        yield time_s, scene, rested


def _sent(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the picture as a video delivers it."""
    _, packed = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _middle(image_bgr: NDArray[np.uint8], planned: PlannedGame) -> NDArray[np.uint8]:
    """Return the middle of the table, for inspection."""
    view = planned.place.view
    x, y = view.to_image(np.zeros((1, 2)))[0]
    far = 80 * view.tile_px / view.tile_mm
    return image_bgr[max(0, int(y - far)) : int(y + far), max(0, int(x - far)) : int(x + far)]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--rolls", type=int, default=5, help="on each table")
    parser.add_argument("--seed", type=int, default=7000)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--out", type=Path, required=True)


def run(given: argparse.Namespace) -> None:
    given.out.mkdir(parents=True, exist_ok=True)
    width, height = (int(side) for side in given.size.split("x"))
    names, grades = sorted(RULE_SETS), ("ordinary", "any", "hard")
    total = np.zeros(3, int)
    scores: list[DiceScore] = []
    number = -1
    while len(scores) < given.tables:
        number += 1
        seed = given.seed + number
        rules, grade = names[number % len(names)], grades[number % len(grades)]
        one = score(rules, seed, grade, (width, height), given.rolls, given.out)
        if one is None:
            continue
        scores.append(one)
        total += one.counts()
        right, wrong, missed = one.counts()
        print(
            f"{one.name} {grade}: {len(one.true)} rolls, {right} right, {wrong} wrong or invented, "
            f"{missed} missed, {one.per_mm:.2f} px/mm, "
            f"{1e3 * one.seconds / max(1, one.pictures):.1f} ms a picture",
            flush=True,
        )
    told = [asdict(one) for one in scores]
    (given.out / "dice.json").write_text(json.dumps(told, default=str, indent=1), "utf-8")
    print(f"{total.sum()} in all: {total[0]} right, {total[1]} wrong, {total[2]} missed")
