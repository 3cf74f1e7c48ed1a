"""The cameras of a film, and the frames that they take: labels only, or pictures too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.camera.sensor import VideoSensor
from studio.film.director import Director
from studio.film.mishaps import NO_MISHAPS, Mishaps
from studio.materials.appearance import TableLook, random_look
from studio.render.changed_area import changed_part
from studio.render.label_geometry import Geometry
from studio.render.renderer import Faces, Renderer
from studio.scene import Arm, Label, Rendering, TableScene, TilePose, triple
from studio.table.layout import Measures

GLARE: float = 1.6  # brightness of a glaring window relative to the lamps
GLARES_WITHIN: float = 0.5
"""How far from the middle its reflection may lie, relative to half the table."""


Seen = TypeVar("Seen")


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


@dataclass(frozen=True)
class FilmFrame(Generic[Seen]):
    """One frame of a film."""

    number: int
    time_s: float
    same_as: int
    """Number of the first frame that shows the same; its own number if it is new."""
    seen: Seen


def scene_at(director: Director, time_s: float, mishaps: Mishaps = NO_MISHAPS) -> TableScene:
    """Return everything on and over the table at one moment, and the camera's state."""
    tiles = tuple(
        TilePose(tile, director.faces[tile], at.x_mm, at.y_mm, at.z_mm, at.yaw_deg, at.pose)
        for tile, at in director.stage.tiles_at(time_s)
    )
    arms = tuple(
        Arm(seat, stop.x_mm, stop.y_mm, stop.height_mm, stop.open_amount, left=hand == 1)
        for seat, hand, stop in director.stage.arms_at(time_s)
    )
    return TableScene(tiles, arms, director.things_at(time_s), mishaps.camera_state_at(time_s))


def film(
    scene_of: Callable[[float], TableScene],
    look: Callable[[Sequence[TableScene]], Seen],
    times_s: Sequence[float],
    fps: float,
    open_s: float = 0.0,
) -> Iterator[FilmFrame[Seen]]:
    """Look at each moment, but not again at a table that has not changed.

    The shutter is open for ``open_s`` before each moment. ``look`` receives the scenes of that
    time, or a single one if nothing moved.
    """
    before: tuple[Sequence[TableScene], FilmFrame[Seen]] | None = None
    for time_s in times_s:
        number = round(time_s * fps)
        moments = [scene_of(time_s - open_s * back / 2) for back in (2, 1, 0)] if open_s else []
        scene = moments[-1] if moments else scene_of(time_s)
        scenes = moments if any(moment != scene for moment in moments) else [scene]
        if before is not None and before[0] == scenes:
            frame = FilmFrame(number, time_s, before[1].same_as, before[1].seen)
        else:
            frame = FilmFrame(number, time_s, number, look(scenes))
        before = scenes, frame
        yield frame
