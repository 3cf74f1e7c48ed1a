"""Draws a scene with real perspective, light, shadow and depth, by headless OpenGL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import moderngl
import numpy as np
from numpy.typing import NDArray

from studio.bodies import Solid, arm_solids, prop_solids, table_solids
from studio.camera import Camera
from studio.changes import REACH_MM, SHADOW_PX, Part, lamp_axes
from studio.looks import Look
from studio.meshes import ball, rounded_box
from studio.scene import _UPPER, SIDES, Label, Scene, Shot, rotation, upper_side

Faces = Mapping[str, NDArray[np.uint8]]
"""Face pictures by tile, (H, W, 4) RGBA, clear where the body shows."""

FACE_PX: Final = (96, 128)
_FLOATS: Final = 3 * 3 + 3 + 3 + 4 + 4
_LAYOUT: Final = "3f 3f 3f 3f 3f 4f 4f/i"
_NAMES: Final = ("row_x", "row_y", "row_z", "shift_mm", "scale", "paint", "mark")


class Renderer:
    """One table under one camera; keeps its meshes and face pictures on the device."""

    def __init__(self, look: Look, camera: Camera, faces: Faces, samples: int = 4) -> None:
        self.look, self.camera = look, camera
        self._gl = _context()
        self._keep: list[Any] = []
        self._program = _program(self._gl)
        self._layers = {tile: layer for layer, tile in enumerate(sorted(faces))}
        self._faces = self._face_array([faces[tile] for tile in sorted(faces)])
        self._cloth = self._own(
            self._gl.texture(look.cloth_texture.shape[1::-1], 3, look.cloth_texture.tobytes())
        )
        self._cloth.build_mipmaps()
        self._meshes = {
            "tile": rounded_box(look.tiles.size_mm, look.tiles.bevel_mm, 2),
            "ball": ball(),
            "box": rounded_box((2.0, 2.0, 2.0), 0.12, 2),
            "plane": np.array(
                [
                    [x, y, 0, 0, 0, 1]
                    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1))
                ],
                np.float32,
            ),
        }
        self._buffers = {
            name: self._own(self._gl.buffer(mesh.tobytes())) for name, mesh in self._meshes.items()
        }
        width, height = camera.width_px, camera.height_px
        self._shaded = self._frame(width, height, samples)
        self._plain = self._frame(width, height, 0)
        self._ids = self._frame(max(1, width // 2), max(1, height // 2), 0)
        self._shadows = [self._shadow() for _ in look.lamps]
        self._maps = camera.lens_maps()
        self._set_light()

    def render(self, scene: Scene, part: Part | None = None) -> Shot:
        """The picture as an ideal sensor sees it, and what is true of every tile in it.

        With ``part`` only that part is drawn anew; the rest stays as it was drawn last.
        """
        tiles = self._tile_rows(scene)
        solids: dict[str, list[Solid]] = {"ball": [], "box": [], "plane": []}
        everything = (
            *table_solids(self.look),
            *prop_solids(scene.props, self.look),
            *(solid for arm in scene.arms for solid in arm_solids(arm, self.look)),
        )
        for solid in everything:
            solids[solid.mesh].append(solid)
        rows = {name: _solid_rows(group) for name, group in solids.items()}
        batches = [("tile", 0, tiles), ("ball", 1, rows["ball"]), ("box", 1, rows["box"])]
        drawn = [self._vertex_array(name, data) for name, _, data in batches]
        ground = self._vertex_array("plane", rows["plane"])
        kinds = [kind for _, kind, _ in batches]
        self._gl.enable(moderngl.DEPTH_TEST)
        for lamp, (target, _) in enumerate(self._shadows):
            target.scissor = part.shadows_px[lamp] if part else None
            self._draw(target, lamp, drawn, [4] * len(drawn))
        self._shaded.scissor = part.picture_px if part else None
        self._draw(self._shaded, -1, [*drawn, ground], [*kinds, 2])
        self._draw(self._ids, -1, drawn, [3] * len(drawn))
        self._gl.copy_framebuffer(self._plain, self._shaded)
        size = (self.camera.height_px, self.camera.width_px)
        image = np.frombuffer(self._plain.read(components=3), np.uint8).reshape(*size, 3)
        image = np.asarray(image[::-1, :, ::-1], np.uint8)
        if self._maps is not None:
            image = np.asarray(
                cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
                np.uint8,
            )
        labels = self._labels(scene)
        for array, buffer in [*drawn, ground]:
            array.release()
            buffer.release()
        return Shot(np.ascontiguousarray(image), labels)

    def aim(self, camera: Camera) -> None:
        """Look through another camera whose pictures have the same size."""
        if (camera.width_px, camera.height_px) != (self.camera.width_px, self.camera.height_px):
            raise ValueError("a renderer keeps the size of its pictures")
        self.camera, self._maps = camera, camera.lens_maps()
        self._set_light()

    def release(self) -> None:
        """Give back what the device holds."""
        for thing in reversed(self._keep):
            thing.release()
        self._keep.clear()

    def _own(self, thing: Any) -> Any:
        self._keep.append(thing)
        return thing

    def _frame(self, width: int, height: int, samples: int) -> Any:
        size = (width, height)
        colour = self._own(self._gl.renderbuffer(size, 4, samples=samples))
        depth = self._own(self._gl.depth_renderbuffer(size, samples=samples))
        return self._own(self._gl.framebuffer(colour, depth))

    def _shadow(self) -> tuple[Any, Any]:
        depth = self._own(self._gl.depth_texture((SHADOW_PX, SHADOW_PX)))
        depth.compare_func = "<="
        depth.repeat_x = depth.repeat_y = False
        return self._own(self._gl.framebuffer(depth_attachment=depth)), depth

    def _face_array(self, images: Sequence[NDArray[np.uint8]]) -> Any:
        layers = np.zeros((max(1, len(images)), FACE_PX[1], FACE_PX[0], 4), np.uint8)
        for layer, image in zip(layers, images, strict=False):
            layer[:] = cv2.resize(image, FACE_PX, interpolation=cv2.INTER_AREA)
        # Ink is added in linear light.
        layers[..., :3] = (255 * (layers[..., :3] / 255.0) ** 2.2).astype(np.uint8)
        shape = (*FACE_PX, len(layers))
        texture = self._own(self._gl.texture_array(shape, 4, layers.tobytes()))
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _tile_rows(self, scene: Scene) -> NDArray[np.float32]:
        rows = np.zeros((len(scene.tiles), _FLOATS), np.float32)
        body = self.look.tiles.body
        for number, (row, tile) in enumerate(zip(rows, scene.tiles, strict=True)):
            upper = _UPPER[tile.pose].mean(axis=0)
            layer = self._layers.get(tile.tile, -1)
            row[:] = (
                *rotation(tile).ravel(), tile.x_mm, tile.y_mm, tile.z_mm, 1, 1, 1,
                *body, layer, number + 1, *upper,
            )  # fmt: skip
        return rows

    def _vertex_array(self, mesh: str, rows: NDArray[np.float32]) -> tuple[Any, Any]:
        data = rows if len(rows) else np.zeros((1, _FLOATS), np.float32)
        buffer = self._gl.buffer(data.tobytes())
        array = self._gl.vertex_array(
            self._program,
            [
                (self._buffers[mesh], "3f 3f", "in_position", "in_normal"),
                (buffer, _LAYOUT, *_NAMES),
            ],
        )
        array.instances = len(rows)
        return array, buffer

    def _draw(self, target: Any, lamp: int, batches: Sequence[Any], kinds: Sequence[int]) -> None:
        target.use()
        floor = (np.array(self.look.floor) ** (1 / 2.2)) if kinds[0] == 0 else np.zeros(3)
        target.clear(*floor, 1.0)
        self._program["light_pass"] = lamp
        self._faces.use(0)
        self._cloth.use(1)
        # A shadow picture is not read while it is drawn.
        for unit, (_, depth) in enumerate(self._shadows):
            if lamp < 0:
                depth.use(2 + unit)
        for (array, _), kind in zip(batches, kinds, strict=True):
            if array.instances:
                self._program["kind"] = kind
                array.render(instances=array.instances)
        # Waiting here halves the time of a picture: the next pass reads what this one wrote.
        self._gl.finish()

    def _set_light(self) -> None:
        look, camera, program = self.look, self.camera, self._program
        axes = camera.axes()
        values: dict[str, Any] = {
            "eye_mm": camera.eye_mm,
            "view": tuple(axes.T.ravel()),
            "lens": (
                2 * camera.focal_px / camera.width_px,
                2 * camera.focal_px / camera.height_px,
                50.0,
                6000.0,
            ),
            "faces": 0, "cloth": 1, "shadow_0": 2, "shadow_1": 3,
            "sky": look.sky,
            "bounce": look.bounce,
            "window": look.window,
            "falloff": (*look.falloff_per_mm, look.tiles.gloss, look.window_strength),
            "tile_mm": look.tiles.size_mm,
            "back_colour": look.tiles.back,
            "body": (look.tiles.back_share, look.tiles.relief, 0.0, look.texture_mm),
            "light_colour": [lamp.colour for lamp in look.lamps],
            "light_soft": [lamp.softness_mm / (2 * REACH_MM) for lamp in look.lamps],
        }  # fmt: skip
        lights: dict[str, list[tuple[float, ...]]] = {"light_a": [], "light_b": [], "light_d": []}
        for lamp in look.lamps:
            d = np.array(lamp.direction)
            a, b = lamp_axes(lamp)
            lights["light_a"].append((*a, REACH_MM))
            lights["light_b"].append((*b, REACH_MM))
            lights["light_d"].append((*d, REACH_MM * 1.5))
        for name, value in (values | lights).items():
            if name in program:
                program[name] = value

    def _labels(self, scene: Scene) -> tuple[Label, ...]:
        width, height = self._ids.size
        raw = np.frombuffer(self._ids.read(components=3), np.uint8).reshape(height, width, 3)
        numbers = raw[..., 0].astype(np.int64) + 256 * raw[..., 1].astype(np.int64)
        upper = raw[..., 2] > 127
        counts = np.bincount(numbers[upper], minlength=len(scene.tiles) + 1)
        size, inset = self.look.tiles.size_mm, self.look.tiles.bevel_mm * 0.3
        labels = []
        axes = self.camera.axes()
        ideal_camera = replace(self.camera, bulge=0.0)
        for number, tile in enumerate(scene.tiles):
            solid = upper_side(tile, size, inset)
            eye = (solid - self.camera.eye_mm) @ axes[2]
            if eye.min() < 60.0:
                continue
            corners = self.camera.project(solid).astype(np.float32)
            flat = upper_side(tile, size, self.look.tiles.bevel_mm * 0.45)
            ideal = ideal_camera.project(flat) / 2
            area = float(cv2.contourArea(ideal.astype(np.float32)))
            visible = min(1.0, float(counts[number + 1]) / max(area, 1.0))
            if visible > 0.02:
                labels.append(
                    Label(tile.id, tile.tile, SIDES[tile.pose], corners, round(visible, 3))
                )
        return tuple(labels)


def _solid_rows(solids: Sequence[Solid]) -> NDArray[np.float32]:
    rows = np.zeros((len(solids), _FLOATS), np.float32)
    for row, solid in zip(rows, solids, strict=True):
        row[:] = (
            *solid.rotation.ravel(),
            *solid.at_mm,
            *solid.half_mm,
            *solid.colour,
            -1,
            0,
            0,
            0,
            0,
        )
    return rows


@cache
def _context() -> Any:
    """One context a process: making one takes a quarter of a second."""
    return moderngl.create_standalone_context(backend="egl")


@cache
def _program(context: Any) -> Any:
    here = Path(__file__).parent / "shaders"
    return context.program((here / "body.vert").read_text(), (here / "body.frag").read_text())
