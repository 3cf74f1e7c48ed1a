"""The table, the objects on it, the tiles and the camera of one film, drawn from its seed."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.scene import Prop
from studio.table.layout import Measures, Spot, measure
from studio.things.dice import USUAL_MM, draw_die
from vision.table.view import SIDES, TableView

FIELDS_MM = (700.0, 1000.0)
FILLED = (0.86, 0.97)  # share of the picture that table and standing tiles fill
HIGH_MM = 50.0


CONSOLE_MM = 7.0  # height of a console over the cloth
WHITE = (0.85, 0.85, 0.85)
BESIDE_MM = (170.0, 320.0)


@dataclass(frozen=True)
class FilmSetup:
    """Where a game is filmed."""

    table: Measures
    camera: PinholeCamera
    view: TableView
    """The true corners of the playing field in the picture."""


def draw_place(
    rng: random.Random,
    tiles: int,
    width_px: int,
    height_px: int,
    seat0: str = "bottom",
    tilt_deg: tuple[float, float] | None = None,
) -> FilmSetup:
    """Draw a table that fits this many tiles, and a camera that sees all of it."""
    table = _draw_table(rng, tiles)
    camera = _draw_camera(rng, table, width_px, height_px, seat0, tilt_deg)
    half = table.half_mm
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    corners_px = np.roll(
        camera.project(np.column_stack([corners, np.zeros(4)])), -SIDES.index(seat0), axis=0
    )
    view = TableView(
        tuple((float(x), float(y)) for x, y in corners_px),
        (table.field_mm, table.field_mm),
        (width_px, height_px),
        seat0,
        table.width_mm,
    )
    return FilmSetup(table, camera, view)


def _draw_table(rng: random.Random, tiles: int) -> Measures:
    """Draw sizes that fit together; raise ``ValueError`` if none are found."""
    for _ in range(200):
        width = rng.uniform(25.0, 38.0)
        field = round(width * rng.uniform(25.5, 31.0) / 10) * 10.0
        console = rng.choice((0.0, 0.0, rng.uniform(170.0, 220.0)))
        if not FIELDS_MM[0] <= field <= FIELDS_MM[1]:
            continue
        height, thickness = width * rng.uniform(1.29, 1.38), width * rng.uniform(0.66, 0.8)
        try:
            return measure(
                field,
                round(width, 1),
                round(height, 1),
                round(thickness, 1),
                round(console, 1),
                tiles,
            )
        except ValueError:
            continue
    raise ValueError(f"no table was found that {tiles} tiles fit on")


def _draw_camera(
    rng: random.Random,
    table: Measures,
    width_px: int,
    height_px: int,
    seat0: str,
    tilt_deg: tuple[float, float] | None,
) -> PinholeCamera:
    high = rng.uniform(850.0, 1600.0)
    tilt = rng.choice((rng.uniform(-4.0, 4.0), rng.uniform(0.0, 20.0), rng.uniform(10.0, 35.0)))
    if tilt_deg is not None:
        tilt = rng.uniform(*tilt_deg)
    aim = (rng.gauss(0, 8.0), rng.gauss(0, 8.0))
    # The camera leans over the bottom side of its picture, whichever seat is there.
    turn = -90.0 * SIDES.index(seat0)
    back = high * math.tan(math.radians(tilt))
    eye = (
        aim[0] + rng.gauss(0, 25.0) + back * math.sin(math.radians(turn)),
        aim[1] + rng.gauss(0, 25.0) + back * math.cos(math.radians(turn)),
        high,
    )
    camera = PinholeCamera(
        width_px,
        height_px,
        1000.0,
        eye,
        aim,
        turn + rng.gauss(0, 1.5),
        rng.choice((0.0, rng.uniform(-0.01, 0.02))),
    )
    return _zoomed(camera, _bounds(table), rng.uniform(*FILLED))


def _zoomed(camera: PinholeCamera, points_mm: NDArray[np.float64], filled: float) -> PinholeCamera:
    """Return the camera with the focal length and aim at which the points fill the picture."""
    size = np.array([camera.width_px, camera.height_px])
    for _ in range(8):
        points = camera.project(points_mm)
        low, high = points.min(axis=0), points.max(axis=0)
        grow = filled * float((size / (high - low)).min())
        off_px = (low + high) / 2 - size / 2
        turn = math.radians(camera.roll_deg)
        per_mm = camera.focal_px / math.dist(camera.eye_mm, (*camera.aim_mm, 0.0))
        off = (
            (off_px[0] * math.cos(turn) + off_px[1] * math.sin(turn)) / per_mm,
            (-off_px[0] * math.sin(turn) + off_px[1] * math.cos(turn)) / per_mm,
        )
        aim = (camera.aim_mm[0] + 0.8 * off[0], camera.aim_mm[1] + 0.8 * off[1])
        camera = replace(camera, focal_px=camera.focal_px * grow, aim_mm=aim)
    return camera


def _bounds(table: Measures) -> NDArray[np.float64]:
    half = table.half_mm
    return np.array(
        [(x, y, z) for x in (-half, half) for y in (-half, half) for z in (0.0, HIGH_MM)]
    )


def draw_things(rng: random.Random, table: Measures) -> tuple[Prop, ...]:
    """Draw dice in the middle of a table without a console, and things on stools beside it."""
    things: list[Prop] = []
    if not table.console_mm and rng.random() < 0.7:
        x, y = rng.uniform(-30, 30), rng.uniform(-30, 30)
        for side in (-1, 1):
            things.append(Prop("die", x + side * rng.uniform(9, 13), y, rng.uniform(0, 90), WHITE))
    for kind in ("cup", "phone", "chip", "chip"):
        if rng.random() < 0.35:
            far = table.half_mm + rng.uniform(*BESIDE_MM)
            along = rng.choice((-1, 1)) * rng.uniform(0.75, 1.0) * table.half_mm
            x, y = rng.choice(((far, along), (-far, along)))
            colour = (rng.uniform(0.02, 0.8), rng.uniform(0.02, 0.8), rng.uniform(0.02, 0.8))
            things.append(Prop(kind, x, y, rng.uniform(0, 360), colour))
    return tuple(things)


def console_dice(rng: random.Random, table: Measures, values: Sequence[int]) -> tuple[Prop, ...]:
    """Draw white dice with these values on top, in a row at a corner of the console."""
    die = replace(draw_die(rng), colour_bgr=WHITE)
    apart = USUAL_MM * die.stretch[0] * rng.uniform(1.1, 2.0)
    x, y = (rng.choice((-1, 1)) * 0.34 * table.console_mm for _ in range(2))
    return tuple(
        replace(
            die,
            x_mm=x + apart * (number - (len(values) - 1) / 2),
            y_mm=y + rng.gauss(0, 3),
            yaw_deg=rng.uniform(0, 360),
            lift_mm=CONSOLE_MM,
            upper=value,
        )
        for number, value in enumerate(values)
    )


def in_the_way(things: Sequence[Prop], table: Measures) -> list[Spot]:
    """Return places that no discard may cover: each object takes the room of a tile."""
    return [
        Spot(thing.x_mm, thing.y_mm, table.thickness_mm / 2, thing.yaw_deg, "up")
        for thing in things
        if max(abs(thing.x_mm), abs(thing.y_mm)) < table.half_mm
    ]
