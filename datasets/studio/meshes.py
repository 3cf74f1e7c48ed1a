"""Meshes of rounded bodies: a box with round edges, and a ball."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def rounded_box(
    size_mm: tuple[float, float, float], radius_mm: float, steps: int = 3
) -> NDArray[np.float32]:
    """(n, 6) triangles' vertices, position and normal; ``steps`` quads along each rounded edge."""
    half = np.array(size_mm) / 2
    inner = np.maximum(half - radius_mm, 1e-3)
    # Each face is a grid whose outer rows lie on the rounding.
    bend = np.linspace(0, 1, steps + 1)[1:]
    line = np.concatenate([-1 - bend[::-1], [-1.0, 1.0], 1 + bend])
    triangles = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            grid = np.zeros((len(line), len(line), 3))
            grid[..., u], grid[..., v] = np.meshgrid(line, line, indexing="ij")
            grid[..., axis] = 2 * sign
            core = np.clip(grid, -1, 1)
            out = grid - core
            normal = out / np.linalg.norm(out, axis=-1, keepdims=True)
            vertex = np.concatenate([core * inner + normal * radius_mm, normal], axis=-1)
            triangles.append(_quads(vertex))
    return np.concatenate(triangles).astype(np.float32)


def ball(rings: int = 10) -> NDArray[np.float32]:
    """(n, 6) triangles' vertices of a ball of radius one."""
    theta, phi = np.meshgrid(
        np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * rings + 1), indexing="ij"
    )
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1)
    return _quads(np.concatenate([points, points], axis=-1)).astype(np.float32)


def _quads(grid: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 6)
