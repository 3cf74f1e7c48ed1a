"""The cameras of a film: one returns labels only, one returns pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.camera.sensor import VideoSensor
from studio.materials.appearance import TableLook, random_look
from studio.render.changed_area import changed_part
from studio.render.label_geometry import Geometry
from studio.render.renderer import Faces, Renderer
from studio.scene import Label, Rendering, TableScene, triple
from studio.table.layout import Measures

GLARE: float = 1.6  # brightness of a glaring window relative to the lamps
GLARES_WITHIN: float = 0.5
"""How far from the middle its reflection may lie, relative to half the table."""


def look_of(
    table: Measures, camera: PinholeCamera, rng: np.random.Generator, glare: bool | None = None
) -> TableLook:
    """Draw a look for a table of known sizes, with or without a glaring window.

    The camera sees a glaring window mirrored somewhere among the tiles.
    """
    look = random_look(rng)
    tiles = replace(
        look.tiles,
        width_mm=table.width_mm,
        height_mm=table.height_mm,
        thickness_mm=table.thickness_mm,
        bevel_mm=look.tiles.bevel_mm / look.tiles.width_mm * table.width_mm,
    )
    if glare is not None:
        tiles = replace(tiles, gloss=max(tiles.gloss, 0.7) if glare else min(tiles.gloss, 0.5))
        strength = GLARE * sum(look.sky) / 3 + GLARE / 4 if glare else 0.0
        look = replace(look, window_strength=strength)
    if glare:
        at = rng.uniform(-GLARES_WITHIN, GLARES_WITHIN, 2) * table.half_mm
        look = replace(look, window=replace(look.window, towards=_mirrored(camera, at)))
    return replace(look, tiles=tiles, field_mm=table.field_mm, console_mm=table.console_mm)


def _mirrored(camera: PinholeCamera, at_mm: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the direction of a window that the camera sees mirrored in a tile at (x, y)."""
    x, y, z = np.array(camera.eye_mm) - (*at_mm, 0.0)
    return triple(np.array([-x, -y, z]) / np.linalg.norm([x, y, z]))


@dataclass(frozen=True, eq=False)
class FrameContent:
    """What one frame shows; no picture if only labels are wanted."""

    labels: tuple[Label, ...]
    image_bgr: NDArray[np.uint8] | None = None


class LabelCamera:
    """Returns labels without a picture."""

    def __init__(self, table: Measures, camera: PinholeCamera) -> None:
        self._table, self._camera = table, camera

    def look(self, scenes: Sequence[TableScene]) -> FrameContent:
        camera = self._camera.moved(scenes[-1].sight)
        return FrameContent(Geometry(self._table, camera).labels(scenes[-1]))


class FilmCamera:
    """Returns pictures; ``look`` is called for one moment after another."""

    def __init__(
        self, look: TableLook, camera: PinholeCamera, faces: Faces, sensor: VideoSensor
    ) -> None:
        self._look, self._camera, self._sensor = look, camera, sensor
        self._renderer = Renderer(look, camera, faces)
        self._before: TableScene | None = None

    def look(self, scenes: Sequence[TableScene]) -> FrameContent:
        """Return the exposure of these scenes: what moves is blurred along its way."""
        shots = [self._draw(scene) for scene in scenes]
        image = shots[-1].image_bgr
        if len(shots) > 1:
            gathered = np.mean([shot.image_bgr for shot in shots], axis=0, dtype=np.float32)
            image = np.asarray(np.rint(gathered), np.uint8)
        return FrameContent(
            shots[-1].labels, self._sensor.develop(_lit(image, scenes[-1].sight.light))
        )

    def _draw(self, scene: TableScene) -> Rendering:
        before, self._before = self._before, scene
        if before is not None and before.sight != scene.sight:
            self._renderer.aim(self._camera.moved(scene.sight))
        camera = self._renderer.camera
        part = changed_part(camera, self._look, before, scene) if before else None
        return self._renderer.render(scene, part)


def _lit(image_bgr: NDArray[np.uint8], light: float) -> NDArray[np.uint8]:
    """Return the picture in another light; brightness is the 2.2nd root of light."""
    if light == 1.0:
        return image_bgr
    levels = np.clip(np.arange(256) * light ** (1 / 2.2), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(image_bgr, levels), np.uint8)
