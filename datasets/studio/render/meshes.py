"""Meshes: simple bodies, and smooth ones blended from capsules (metaballs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.scene import Triple

Vertices = NDArray[np.float32]
_EDGES: Final = [
    (np.array(corner), axis)
    for axis in range(3)
    for corner in product((0, 1), repeat=3)
    if corner[axis] == 0
]
"""The twelve edges of a cell: start corner and axis."""


@dataclass(frozen=True, eq=False)
class Mesh:
    vertices: NDArray[np.float32]
    """(n, 6): position and normal."""
    triangles: NDArray[np.int32]
    """(m, 3): indices of vertices, all with the same winding."""


def rounded_box(size_mm: tuple[float, float, float], radius_mm: float, steps: int = 3) -> Mesh:
    """Return a box with rounded edges of ``steps`` quads each."""
    half = np.array(size_mm) / 2
    inner = np.maximum(half - radius_mm, 1e-3)
    # Each face is a grid whose outer rows form the rounding.
    bend = np.linspace(0, 1, steps + 1)[1:]
    line = np.concatenate([-1 - bend[::-1], [-1.0, 1.0], 1 + bend])
    grids = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            grid = np.zeros((len(line), len(line), 3))
            grid[..., u], grid[..., v] = np.meshgrid(line, line, indexing="ij")
            grid[..., axis] = 2 * sign
            core = np.clip(grid, -1, 1)
            out = grid - core
            normal = out / np.linalg.norm(out, axis=-1, keepdims=True)
            grids.append(np.concatenate([core * inner + normal * radius_mm, normal], axis=-1))
    return _mesh(grids)


def ball(rings: int = 10) -> Mesh:
    """Return a ball of radius one."""
    theta, phi = np.meshgrid(
        np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing="ij"
    )
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1)
    return _mesh([np.concatenate([points, points], axis=-1)])


def tube(sides: int = 20, far_radius: float = 1.0) -> Mesh:
    """Return a closed cylinder of radius one along z from -1 to 1, narrower at its top."""
    phi = np.linspace(0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(phi), np.sin(phi)], -1)
    rows = [(0.0, -1.0, 0), (1.0, -1.0, 0), (1.0, -1.0, 1), (far_radius, 1.0, 1)]
    rows += [(far_radius, 1.0, 2), (0.0, 1.0, 2)]
    grid = np.zeros((len(rows), sides + 1, 6))
    for row, (radius, height, part) in zip(grid, rows, strict=True):
        row[:, :2], row[:, 2] = ring * radius, height
        row[:, 3:5] = ring * (part == 1)
        row[:, 5] = part - 1.0
    return _mesh([grid])


def lathe(radii: NDArray[np.float64], folds: NDArray[np.float64]) -> Mesh:
    """Return a turned body along z from -1 to 1; ``folds`` (rows, sides) bulge it."""
    rows, sides = folds.shape
    phi = np.linspace(0, 2 * np.pi, sides)
    far = radii[:, None] * (1 + folds)
    far[:, -1] = far[:, 0]
    z = np.broadcast_to(np.linspace(-1, 1, rows)[:, None], far.shape)
    points = np.stack([far * np.cos(phi), far * np.sin(phi), z], axis=-1)
    around = (np.roll(points[:, :-1], -1, axis=1) - np.roll(points[:, :-1], 1, axis=1))[
        :, [*range(sides - 1), 0]
    ]
    # A limb is about seven times as long as wide, so its slopes are gentler.
    down = np.gradient(points, axis=0) * (1.0, 1.0, 7.0)
    normal = np.cross(around, down)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    normal *= np.sign((normal * points).sum(axis=-1, keepdims=True) + 1e-9)
    caps = []
    for row, way in ((0, -1.0), (rows - 1, 1.0)):
        cap = np.zeros((2, sides, 6))
        cap[1, :, :3], cap[0, :, 2], cap[..., 5] = points[row], z[row, 0], way
        caps.append(cap)
    return _mesh([np.concatenate([points, normal], axis=-1), *caps])


def plane() -> Mesh:
    """Return a square from -1 to 1 that faces up."""
    grid = np.zeros((2, 2, 6))
    grid[..., 0], grid[..., 1] = np.meshgrid([-1.0, 1.0], [-1.0, 1.0], indexing="ij")
    grid[..., 5] = 1
    return _mesh([grid])


def _mesh(grids: list[NDArray[np.float64]]) -> Mesh:
    vertices: list[NDArray[np.float64]] = []
    triangles: list[NDArray[np.int64]] = []
    start = 0
    for grid in grids:
        numbers = start + np.arange(grid.shape[0] * grid.shape[1]).reshape(grid.shape[:2])
        a, b, c, d = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
        triangles.append(np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3))
        vertices.append(grid.reshape(-1, 6))
        start += numbers.size
    points, corners = np.concatenate(vertices), np.concatenate(triangles)
    first, second, third = (points[corners[:, k], :3] for k in range(3))
    normal = np.cross(second - first, third - first)
    corners = corners[np.linalg.norm(normal, axis=1) > 1e-9]
    first, second, third = (points[corners[:, k], :3] for k in range(3))
    normal = np.cross(second - first, third - first)
    outward = points[corners, 3:].sum(axis=1)
    wrong = (normal * outward).sum(axis=1) < 0
    corners[wrong] = corners[wrong][:, ::-1]
    return Mesh(points.astype(np.float32), corners.astype(np.int32))


@dataclass(frozen=True, eq=False)
class Capsule:
    """A round bar between two points whose radius changes linearly; millimetres."""

    start: Triple | NDArray[np.float64]
    end: Triple | NDArray[np.float64]
    start_radius: float
    end_radius: float


def distance(points: Vertices, bars: Sequence[Capsule], melt_mm: float) -> Vertices:
    """Return the signed distance (n,) of points (n, 3) to the body; below 0 inside."""
    total = np.zeros(len(points), np.float32)
    for bar in bars:
        start, way = np.array(bar.start, np.float32), np.subtract(bar.end, bar.start)
        along = np.clip((points - start) @ way / max(float(way @ way), 1e-6), 0, 1)
        near = points - start - along[:, None] * way
        radius = bar.start_radius + (bar.end_radius - bar.start_radius) * along
        far = np.sqrt((near**2).sum(axis=1)) - radius
        total += np.exp(np.minimum(-far / melt_mm, 60.0)).astype(np.float32)
    return np.asarray(-melt_mm * np.log(np.maximum(total, 1e-30)), np.float32)


def capsule_surface(bars: Sequence[Capsule], melt_mm: float, step_mm: float) -> Mesh:
    """Return the surface of blended capsules, by naive surface nets on a grid of this step."""
    ends = np.array([end for bar in bars for end in (bar.start, bar.end)])
    reach = max(max(bar.start_radius, bar.end_radius) for bar in bars) + 2 * step_mm + melt_mm
    low = ends.min(axis=0) - reach
    count = np.ceil((ends.max(axis=0) + reach - low) / step_mm).astype(int) + 1
    axes = [low[k] + step_mm * np.arange(count[k]) for k in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.float32)
    field = distance(grid, bars, melt_mm).reshape(tuple(count))
    cells = tuple(int(n) - 1 for n in count)
    total, crossed = np.zeros((*cells, 3)), np.zeros(cells)
    for corner, axis in _EDGES:
        ahead = corner + np.eye(3, dtype=int)[axis]
        one, other = (
            field[tuple(slice(at[k], at[k] + cells[k]) for k in range(3))] for at in (corner, ahead)
        )
        cut = (one < 0) != (other < 0)
        share = np.where(cut, one / np.where(cut, one - other, 1.0), 0.0)
        total += cut[..., None] * (corner + share[..., None] * np.eye(3)[axis])
        crossed += cut
    kept = crossed > 0
    names = np.full(cells, -1)
    names[kept] = np.arange(int(kept.sum()))
    inside = total[kept] / crossed[kept][:, None]
    points = (low + step_mm * (np.argwhere(kept) + inside)).astype(np.float32)
    normals = _slope(points, bars, melt_mm)
    return _joined(points, normals, _quads(field, names))


def _slope(points: Vertices, bars: Sequence[Capsule], melt_mm: float) -> Vertices:
    steps = [
        distance(points + offset, bars, melt_mm) - distance(points - offset, bars, melt_mm)
        for offset in np.eye(3, dtype=np.float32) * 0.5
    ]
    slope = np.stack(steps, axis=1)
    return np.asarray(slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9))


def _quads(field: Vertices, names: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (m, 4): the cells around every grid edge that the surface cuts."""
    found = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        cut = (np.diff(np.sign(field), axis=axis) != 0).astype(bool)
        spots = np.argwhere(cut)
        spots = spots[(spots[:, u] > 0) & (spots[:, v] > 0)]
        spots = spots[(spots[:, u] < names.shape[u]) & (spots[:, v] < names.shape[v])]
        around = []
        for du, dv in ((1, 1), (0, 1), (0, 0), (1, 0)):
            at = spots.copy()
            at[:, u] -= du
            at[:, v] -= dv
            around.append(names[tuple(at.T)])
        found.append(np.stack(around, axis=1))
    quads = np.concatenate(found)
    return np.asarray(quads[(quads >= 0).all(axis=1)])


def _joined(points: Vertices, normals: Vertices, quads: NDArray[np.int64]) -> Mesh:
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    first, second, third = (points[triangles[:, k]] for k in range(3))
    turned = np.cross(second - first, third - first)
    wrong = (turned * normals[triangles].sum(axis=1)).sum(axis=1) < 0
    triangles[wrong] = triangles[wrong][:, ::-1]
    vertices = np.concatenate([points, normals], axis=1).astype(np.float32)
    return Mesh(vertices, triangles.astype(np.int32))
