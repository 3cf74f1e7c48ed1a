"""The table, the tiles and the camera of one film, drawn from its seed."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.layout import Measures, measure
from studio.outlines import Geometry
from studio.scene import Label, Scene
from vision.table import TableView


@dataclass(frozen=True, eq=False)
class Seen:
    labels: tuple[Label, ...]
    image_bgr: NDArray[np.uint8] | None = None


@dataclass(frozen=True)
class Pinhole:
    width_px: int
    height_px: int
    height_mm: float
    tilt_deg: float
    roll_deg: float
    focal_px: float

    @property
    def eye_mm(self):
        t = math.radians(self.tilt_deg)
        return (0.0, self.height_mm * math.tan(t), self.height_mm)

    def project(self, pts):
        eye = np.array(self.eye_mm)
        f = -eye / np.linalg.norm(eye)
        r = np.array([1.0, 0, 0])
        d = np.cross(f, r)
        if d[1] < 0:
            d = -d
        rel = pts - eye
        z = rel @ f
        x, y = rel @ r / z * self.focal_px, rel @ d / z * self.focal_px
        a = math.radians(self.roll_deg)
        return np.column_stack(
            [
                self.width_px / 2 + x * math.cos(a) - y * math.sin(a),
                self.height_px / 2 + x * math.sin(a) + y * math.cos(a),
            ]
        )


@dataclass
class SetUp:
    table: Measures
    camera: Pinhole
    geometry: Geometry

    def picture(self, scene: Scene) -> Seen:
        raise NotImplementedError

    def geometry_only(self, scene: Scene) -> Seen:
        return Seen(self.geometry.labels(scene))

    def save(self, out: Path, settings: Any, length_s: float) -> None:
        h = self.table.half_mm
        corners = self.camera.project(np.array([[-h, -h, 0], [h, -h, 0], [h, h, 0], [-h, h, 0.0]]))
        view = TableView(
            tuple((float(x), float(y)) for x, y in corners),
            (2 * h, 2 * h),
            (self.camera.width_px, self.camera.height_px),
            "bottom",
            self.table.width_mm,
        )
        view.save(out / "table.toml")
        (out / "meta.json").write_text(
            json.dumps(
                {
                    "rules": settings.rules,
                    "seed": settings.seed,
                    "seconds": length_s,
                    "tile_mm": self.geometry.tile_mm,
                }
            )
        )


def set_up(settings: Any, rng: random.Random, tiles: int) -> SetUp:
    tables = [
        (700, 26, 35, 19.5, 0),
        (800, 30, 40, 22, 200),
        (900, 33, 44, 25, 200),
        (850, 34, 45, 25, 0),
    ]
    f, w, h, t, c = rng.choice(tables)
    table = measure(f, w, h, t, c, tiles)
    cam = Pinhole(
        settings.width_px,
        settings.height_px,
        rng.uniform(900, 1400),
        rng.uniform(0, 30),
        rng.uniform(-3, 3),
        0,
    )
    dist = cam.height_mm / math.cos(math.radians(cam.tilt_deg))
    cam = Pinhole(
        cam.width_px,
        cam.height_px,
        cam.height_mm,
        cam.tilt_deg,
        cam.roll_deg,
        0.92
        * settings.height_px
        * (dist - 0.5 * f * math.sin(math.radians(cam.tilt_deg)))
        / (f + 40),
    )
    return SetUp(
        table,
        cam,
        Geometry(settings.width_px, settings.height_px, (w, h, t), f / 2, cam.eye_mm, cam.project),
    )
