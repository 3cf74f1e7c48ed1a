"""Smooth bodies blended from capsules, as meshes (metaballs)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.render.meshes import Mesh
from studio.scene import Triple

Points = NDArray[np.float32]

_EDGES: Final = [
    (np.array(corner), axis)
    for axis in range(3)
    for corner in product((0, 1), repeat=3)
    if corner[axis] == 0
]
"""The twelve edges of a cell: start corner and axis."""


@dataclass(frozen=True, eq=False)
class Capsule:
    """A round bar between two points whose radius changes linearly; millimetres."""

    start: Triple | NDArray[np.float64]
    end: Triple | NDArray[np.float64]
    start_radius: float
    end_radius: float


def distance(points: Points, bars: Sequence[Capsule], melt_mm: float) -> Points:
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


def _slope(points: Points, bars: Sequence[Capsule], melt_mm: float) -> Points:
    steps = [
        distance(points + offset, bars, melt_mm) - distance(points - offset, bars, melt_mm)
        for offset in np.eye(3, dtype=np.float32) * 0.5
    ]
    slope = np.stack(steps, axis=1)
    return np.asarray(slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9))


def _quads(field: Points, names: NDArray[np.int64]) -> NDArray[np.int64]:
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


def _joined(points: Points, normals: Points, quads: NDArray[np.int64]) -> Mesh:
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    first, second, third = (points[triangles[:, k]] for k in range(3))
    turned = np.cross(second - first, third - first)
    wrong = (turned * normals[triangles].sum(axis=1)).sum(axis=1) < 0
    triangles[wrong] = triangles[wrong][:, ::-1]
    vertices = np.concatenate([points, normals], axis=1).astype(np.float32)
    return Mesh(vertices, triangles.astype(np.int32))
