"""Renders a scene with perspective, light, shadow and depth, by headless OpenGL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import moderngl
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import Lamp, TableLook
from studio.materials.patterns import grain_sheet
from studio.render.changed_area import REACH_MM, SHADOW_PX, RedrawArea, lamp_axes
from studio.render.height_map import height_map
from studio.render.meshes import Mesh, ball, plane, rounded_box, tube
from studio.scene import (
    FRONT_NORMAL,
    SIDES,
    UPPER_NORMAL,
    Label,
    LabelSide,
    Rendering,
    TableScene,
    TilePose,
    front,
    rotation,
    upper_side,
)
from studio.things.hands import arm_solids, limb_mesh
from studio.things.people import people_solids
from studio.things.props import prop_solids
from studio.things.table_body import Solid, table_body, table_solids

Faces = Mapping[str, NDArray[np.uint8]]
"""Face pictures by tile, (H, W, 4) RGBA, transparent where the body shows."""

HEIGHTS_PX: Final = 512
HEIGHTS_MM: Final = 64.0
FACE_PX: Final = (96, 128)
NEAREST_MM: Final = 60.0
LEAST_SEEN: Final = 0.02
LEAST_TURNED: Final = 0.5
"""A front that is foreshortened to less is not labelled as a face."""
_LINEAR: Final = (255 * (np.arange(256) / 255.0) ** 2.2).round().astype(np.uint8)
_FLOATS: Final = 3 * 3 + 3 + 3 + 4 + 4
_LAYOUT: Final = "3f 3f 3f 3f 3f 4f 4f/i"
_NAMES: Final = ("row_x", "row_y", "row_z", "shift_mm", "scale", "paint", "mark")
_Use = Literal["TILE", "PLAIN", "GROUND", "ID", "LIGHT"]


@dataclass(frozen=True, eq=False)
class _Batch:
    """Bodies that share a mesh."""

    mesh: str
    rows: NDArray[np.float32]
    """(n, _FLOATS), one row for each body."""
    buffer: Any


class Renderer:
    """Renders one table; keeps its meshes and face pictures on the device."""

    def __init__(
        self,
        look: TableLook,
        camera: PinholeCamera,
        faces: Faces,
        samples: int = 4,
        reach_mm: float = REACH_MM,
    ) -> None:
        """``reach_mm`` is the distance from the middle within which things cast shadows."""
        self.look, self.camera, self._reach_mm = look, camera, reach_mm
        self._gl = _context()
        self._keep: list[Any] = []
        self._layers = {tile: layer for layer, tile in enumerate(sorted(faces))}
        self._faces = self._face_array([faces[tile] for tile in sorted(faces)])
        self._sheets = self._sheet_array()
        meshes = {
            "tile": rounded_box(look.tiles.size_mm, look.tiles.bevel_mm, 2),
            "block": rounded_box(look.tiles.size_mm, look.tiles.bevel_mm, 1),
            "ball": ball(),
            "box": rounded_box((2.0, 2.0, 2.0), 0.12, 2),
            "tube": tube(),
            "disc": tube(72),
            "cone": tube(far_radius=0.68),
            "plane": plane(),
        }
        self._meshes = {name: self._held(mesh) for name, mesh in meshes.items()}
        width, height = camera.width_px, camera.height_px
        self._shaded = self._frame(width, height, samples)
        self._plain = self._frame(width, height, 0) if samples else self._shaded
        self._ids = self._frame(max(1, width // 2), max(1, height // 2), 0)
        self._shadows = [self._shadow() for _ in look.lamps]
        grain = grain_sheet()
        self._grain = self._mipmapped(self._gl.texture(grain.shape[1::-1], 4, grain.tobytes()))
        self._heights = self._own(self._gl.texture((HEIGHTS_PX, HEIGHTS_PX), 1))
        self._heights.repeat_x = self._heights.repeat_y = False
        self._maps = camera.lens_maps()
        self._axes = [_light_axes(lamp, reach_mm) for lamp in look.lamps]

    def render(self, scene: TableScene, part: RedrawArea | None = None) -> Rendering:
        """Return the picture of an ideal sensor, and the labels of its tiles.

        With ``part`` only that area is drawn again; the rest stays as it was.
        """
        tiles, plain, ground, apron = self._batches(scene)
        self._heights.write(height_map(scene, self.look, HEIGHTS_PX, self._reach_mm, HEIGHTS_MM))
        for lamp, (target, _) in enumerate(self._shadows):
            axes = self._axes[lamp]
            program = _program(self._gl, "LIGHT")
            _set(program, dict(zip(("cast_a", "cast_b", "cast_d"), axes, strict=True)))
            target.scissor = part.shadows_px[lamp] if part else None
            target.use()
            target.clear()
            self._gl.enable_only(moderngl.DEPTH_TEST)
            self._draw("LIGHT", [replace(tiles, mesh="block"), *plain])
        self._gl.finish()
        self._set_light()
        self._gl.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._gl.front_face = "cw"  # table axes are left-handed: y points down
        self._shaded.scissor = part.picture_px if part else None
        self._shaded.use()
        self._shaded.clear(*(np.array(self.look.floor) ** (1 / 2.2)), 1.0)
        clear = self.look.tiles.clear > 0
        if not clear:
            self._draw("TILE", [tiles])
        self._draw("PLAIN", plain)
        self._draw("GROUND", [ground])
        self._draw("PLAIN", [apron])  # last: nearly all of it lies under the cloth
        if clear:  # what shows through must be there already
            self._gl.enable(moderngl.BLEND)
            self._draw("TILE", [tiles])
            self._gl.disable(moderngl.BLEND)
        self._gl.finish()
        self._ids.use()
        self._ids.clear()
        self._draw("ID", [replace(tiles, mesh="block"), *plain])
        self._gl.finish()
        if self._plain is not self._shaded:
            self._gl.copy_framebuffer(self._plain, self._shaded)
        size = (self.camera.height_px, self.camera.width_px)
        image = np.frombuffer(self._plain.read(components=3), np.uint8).reshape(*size, 3)
        image = np.asarray(image[::-1, :, ::-1], np.uint8)
        if self._maps is not None:
            image = np.asarray(
                cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
                np.uint8,
            )
        for batch in (tiles, *plain, ground, apron):
            batch.buffer.release()
        return Rendering(np.ascontiguousarray(image), *self._labels(scene))

    def aim(self, camera: PinholeCamera) -> None:
        """Use another camera whose pictures have the same size."""
        if (camera.width_px, camera.height_px) != (self.camera.width_px, self.camera.height_px):
            raise ValueError("a renderer keeps the size of its pictures")
        self.camera, self._maps = camera, camera.lens_maps()

    def release(self) -> None:
        """Release what the device holds."""
        for thing in reversed(self._keep):
            thing.release()
        self._keep.clear()

    def _own(self, thing: Any) -> Any:
        self._keep.append(thing)
        return thing

    def _held(self, mesh: Mesh) -> tuple[Any, Any]:
        return (
            self._own(self._gl.buffer(mesh.vertices.tobytes())),
            self._own(self._gl.buffer(mesh.triangles.tobytes())),
        )

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
            small = cv2.resize(image, FACE_PX, interpolation=cv2.INTER_AREA)
            # Mix ink in linear light; transparent places have no colour that could bleed.
            layer[..., :3] = _LINEAR[small[..., :3]] * (small[..., 3:] / 255.0)
            layer[..., 3] = small[..., 3]
        shape = (*FACE_PX, len(layers))
        texture = self._mipmapped(self._gl.texture_array(shape, 4, layers.tobytes()))
        texture.repeat_x = texture.repeat_y = False
        return texture

    def _sheet_array(self) -> Any:
        side = max(sheet.image.shape[0] for sheet in self.look.sheets)
        sheets = np.stack([cv2.resize(sheet.image, (side, side)) for sheet in self.look.sheets])
        shape = (sheets.shape[2], sheets.shape[1], len(sheets))
        return self._mipmapped(self._gl.texture_array(shape, 3, _LINEAR[sheets].tobytes()))

    def _mipmapped(self, texture: Any) -> Any:
        texture.build_mipmaps()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self._own(texture)

    def _batches(self, scene: TableScene) -> tuple[_Batch, list[_Batch], _Batch, _Batch]:
        """Batch the tiles, the things and arms, cloth and floor, and the table's body."""
        solids: dict[str, list[Solid]] = {}
        for solid in (
            *table_solids(self.look),
            *prop_solids(scene.props),
            *(solid for arm in scene.arms for solid in arm_solids(arm, self.look)),
            *people_solids(scene.arms, self.look, self.camera.eye_mm),
        ):
            solids.setdefault(solid.mesh, []).append(solid)
        flat = solids.pop("plane")
        body = table_body(self.look)
        batches = {name: self._batch(name, _solid_rows(group)) for name, group in solids.items()}
        return (
            self._batch("tile", self._tile_rows(scene)),
            list(batches.values()),
            self._batch("plane", _solid_rows(flat)),
            self._batch(body.mesh, _solid_rows([body])),
        )

    def _batch(self, mesh: str, rows: NDArray[np.float32]) -> _Batch:
        data = rows if len(rows) else np.zeros((1, _FLOATS), np.float32)
        return _Batch(mesh, rows, self._gl.buffer(data.tobytes()))

    def _tile_rows(self, scene: TableScene) -> NDArray[np.float32]:
        rows = np.zeros((len(scene.tiles), _FLOATS), np.float32)
        body = np.array(self.look.tiles.body)
        for number, (row, tile) in enumerate(zip(rows, scene.tiles, strict=True)):
            # No two tiles of a used set have quite the same white.
            tone = 1.0 - 0.05 * ((tile.id * 0.6180339887) % 1.0)
            row[:] = (
                *rotation(tile).ravel(), tile.x_mm, tile.y_mm, tile.z_mm, *(tile.scale,) * 3,
                *(body * tone), self._layers.get(tile.tile, -1), number + 1,
                *UPPER_NORMAL[tile.pose],
            )  # fmt: skip
        return rows

    def _draw(self, use: _Use, batches: Sequence[_Batch]) -> None:
        program = _program(self._gl, use)
        for batch in batches:
            if not len(batch.rows):
                continue
            if batch.mesh not in self._meshes:
                self._meshes[batch.mesh] = self._held(limb_mesh(batch.mesh))
            vertices, triangles = self._meshes[batch.mesh]
            array = self._gl.vertex_array(
                program,
                [(vertices, "3f 3f", "in_position", "in_normal"), (batch.buffer, _LAYOUT, *_NAMES)],
                index_buffer=triangles,
                skip_errors=True,
            )
            array.render(instances=len(batch.rows))
            array.release()

    def _set_light(self) -> None:
        """Set the uniforms of all programs; the last renderer's light counts."""
        look, camera = self.look, self.camera
        self._faces.use(0)
        self._sheets.use(1)
        self._heights.use(2)
        for unit, (_, depth) in enumerate(self._shadows):
            depth.use(3 + unit)
        self._grain.use(5)
        window_a, window_b = look.window.sides()
        a, b, d = zip(*self._axes, strict=True)
        values: dict[str, Any] = {
            "eye_mm": camera.eye_mm,
            "view": tuple(camera.axes().T.ravel()),
            "lens": (
                2 * camera.focal_px / camera.width_px,
                2 * camera.focal_px / camera.height_px,
                50.0,
                8000.0,
            ),
            "faces": 0, "sheets": 1, "heights": 2, "shadow_0": 3, "shadow_1": 4,
            "grain": 5,
            "reach_mm": self._reach_mm,
            "sky": look.sky,
            "bounce": look.bounce,
            "window": (*look.window.towards, float(look.window.bars)),
            "window_a": window_a,
            "window_b": window_b,
            "wear": (
                look.tiles.grime, look.tiles.swelling, look.tiles.clear, look.tiles.stripe_share,
            ),
            "stripe": look.tiles.stripe,
            "dirt": (0.52, 0.43, 0.3),
            "falloff": (*look.falloff_per_mm, look.tiles.gloss, look.window_strength),
            "finish": (look.shine, look.shoulder),
            "sheet_mm": tuple(sheet.side_mm for sheet in look.sheets),
            "tile_mm": look.tiles.size_mm,
            "back_colour": look.tiles.back,
            "body": (look.tiles.back_share, look.tiles.relief, look.tiles.ink),
            "light_colour": [lamp.colour for lamp in look.lamps],
            "light_soft": [lamp.softness_mm / (2 * self._reach_mm) for lamp in look.lamps],
            "light_a": a, "light_b": b, "light_d": d,
        }  # fmt: skip
        for use in ("TILE", "PLAIN", "GROUND", "ID"):
            _set(_program(self._gl, use), values)

    def _labels(self, scene: TableScene) -> tuple[tuple[Label, ...], tuple[Label, ...]]:
        """Return the labels of the upper sides, and of the fronts of standing tiles."""
        if not scene.tiles:
            return (), ()
        width, height = self._ids.size
        raw = np.frombuffer(self._ids.read(components=3), np.uint8).reshape(height, width, 3)
        numbers = raw[..., 0].astype(np.int64) + 256 * raw[..., 1].astype(np.int64)
        counts = [
            np.bincount(numbers[seen], minlength=len(scene.tiles) + 1)[1:]
            for seen in (raw[..., 2] > 191, (raw[..., 2] > 63) & (raw[..., 2] < 192))
        ]
        uppers = [SIDES[tile.pose] for tile in scene.tiles]
        turned = self._turned(scene.tiles)
        fronts: list[LabelSide] = ["face" if t >= LEAST_TURNED else "front" for t in turned]
        standing = np.array([tile.pose == "standing" for tile in scene.tiles]) & (turned > 0)
        everything = np.ones(len(scene.tiles), bool)
        return (
            self._labels_of(scene.tiles, upper_side, uppers, counts[0], everything),
            self._labels_of(scene.tiles, front, fronts, counts[1], standing, turned),
        )

    def _turned(self, tiles: Sequence[TilePose]) -> NDArray[np.float64]:
        """Return to which share (n,) each tile's face is foreshortened; below 0: turned away."""
        normals = np.stack([rotation(tile) @ FRONT_NORMAL for tile in tiles])
        middles = np.stack([front(tile, self.look.tiles.size_mm).mean(axis=0) for tile in tiles])
        rays = self.camera.eye_mm - middles
        return np.asarray((normals * rays).sum(axis=1) / np.linalg.norm(rays, axis=1))

    def _labels_of(
        self,
        tiles: Sequence[TilePose],
        outline: Callable[[TilePose, tuple[float, float, float], float], NDArray[np.float64]],
        sides: Sequence[LabelSide],
        counts: NDArray[np.int64],
        wanted: NDArray[np.bool_],
        turned: NDArray[np.float64] | None = None,
    ) -> tuple[Label, ...]:
        """Return the labels of one side of each wanted tile; ``counts``: its pixels in sight."""
        size, bevel = self.look.tiles.size_mm, self.look.tiles.bevel_mm
        solid = np.stack([outline(tile, size, bevel * 0.3) for tile in tiles])
        flat = np.stack([outline(tile, size, bevel * 0.45) for tile in tiles])
        before_lens = replace(self.camera, bulge=0.0)
        corners = self.camera.project(solid.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
        ideal = before_lens.project(flat.reshape(-1, 3)).reshape(-1, 4, 2) / 2
        after = np.roll(ideal, -1, axis=1)
        area = 0.5 * np.abs((ideal[..., 0] * after[..., 1] - ideal[..., 1] * after[..., 0]).sum(1))
        visible = np.minimum(1.0, counts / np.maximum(area, 1.0))
        near = ((solid - self.camera.eye_mm) @ self.camera.axes()[2]).min(axis=1) < NEAREST_MM
        visible[near | ~wanted] = 0.0
        turns = [None] * len(tiles) if turned is None else [round(float(t), 3) for t in turned]
        return tuple(
            Label(tile.id, tile.tile, side, quad, round(float(share), 3), turn)
            for tile, side, quad, share, turn in zip(
                tiles, sides, corners, visible, turns, strict=True
            )
            if share > LEAST_SEEN
        )


def _solid_rows(solids: Sequence[Solid]) -> NDArray[np.float32]:
    rows = np.zeros((len(solids), _FLOATS), np.float32)
    for row, solid in zip(rows, solids, strict=True):
        # A mirrored frame would turn the triangles inside out; all bodies are symmetric.
        frame = solid.rotation
        if np.linalg.det(frame) * np.prod(solid.half_mm) < 0:
            frame = frame * np.array([-1.0, 1.0, 1.0])
        head = (
            *frame.ravel(), *solid.at_mm, *solid.half_mm, *solid.colour, solid.sheet, solid.stuff,
        )  # fmt: skip
        row[: len(head)] = head
    return rows


def _light_axes(lamp: Lamp, reach_mm: float) -> tuple[tuple[float, ...], ...]:
    """Return two axes across the light and one along it, each with its extent in mm."""
    a, b = lamp_axes(lamp)
    return (*a, reach_mm), (*b, reach_mm), (*lamp.direction, reach_mm * 1.5)


def _set(program: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if name in program:
            program[name] = value


class NoOpenGL(OSError):
    """This machine cannot draw without a screen."""


@cache
def _context() -> Any:
    """Create one context for the process: each takes a quarter of a second."""
    try:
        return moderngl.create_standalone_context(backend="egl")
    except Exception as error:  # the binding raises bare exceptions
        raise NoOpenGL(f"no OpenGL without a screen (EGL and Mesa are needed): {error}") from None


@cache
def _program(context: Any, use: _Use) -> Any:
    """Compile the shaders for one kind of surface: on a CPU every branch costs time."""
    here = Path(__file__).parent / "shaders"
    head = f"#version 330\n#define {use}\n"
    return context.program(
        head + (here / "body.vert").read_text(), head + (here / "body.frag").read_text()
    )
