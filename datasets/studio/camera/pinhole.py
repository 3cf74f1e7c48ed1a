"""A pinhole camera above the table, with lens distortion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.scene import CameraState


@dataclass(frozen=True)
class PinholeCamera:
    width_px: int
    height_px: int
    focal_px: float
    eye_mm: tuple[float, float, float]
    """Position of the lens over the table."""
    aim_mm: tuple[float, float] = (0.0, 0.0)
    """The point of the cloth in the middle of the picture."""
    roll_deg: float = 0.0
    """Clockwise turn of the picture about its middle."""
    bulge: float = 0.0
    """Radial distortion: the share by which a point at half the diagonal moves outwards.

    Below 0 the middle grows instead and the corners stay, so that the picture stays full.
    """

    def moved(self, sight: CameraState) -> PinholeCamera:
        """Return the camera after a knock has moved it."""
        x, y, z = (a + b for a, b in zip(self.eye_mm, sight.eye_mm, strict=True))
        u, v = (a + b for a, b in zip(self.aim_mm, sight.aim_mm, strict=True))
        turned = self.roll_deg + sight.roll_deg
        return replace(self, eye_mm=(x, y, z), aim_mm=(u, v), roll_deg=turned)

    def axes(self) -> NDArray[np.float64]:
        """Return the picture's right, down and forward directions as rows, in table axes (3, 3)."""
        return _axes(self.eye_mm, self.aim_mm, self.roll_deg)

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the pixels (n, 2) of points (n, 3), with lens distortion."""
        seen = (points_mm - self.eye_mm) @ self.axes().T
        return self.distort(
            seen[:, :2] / seen[:, 2:] * self.focal_px + (self.width_px / 2, self.height_px / 2)
        )

    def distort(self, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
        """Move points of an ideal picture to where the lens puts them."""
        middle = np.array([self.width_px, self.height_px]) / 2
        out = points_px - middle
        square = (out**2).sum(axis=1, keepdims=True) / (middle**2).sum()
        return np.asarray(middle + out * (1 + self.bulge * (square - (self.bulge < 0))))

    def lens_maps(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Return the maps for ``cv2.remap`` that distort an ideal picture; None without distortion.

        The distortion is smooth, so it is computed at every eighth pixel.
        """
        if not self.bulge:
            return None
        step = 8
        columns, rows = -(-self.width_px // step) + 1, -(-self.height_px // step) + 1
        x, y = np.meshgrid(np.arange(columns) * step, np.arange(rows) * step)
        middle = np.array([self.width_px, self.height_px]) / 2
        out = np.stack([x, y], -1) - middle
        inner = out
        for _ in range(6):  # fixed-point iteration for the ideal place of each pixel
            square = (inner**2).sum(-1, keepdims=True) / (middle**2).sum()
            inner = out / (1 + self.bulge * (square - (self.bulge < 0)))
        coarse = (inner + middle).astype(np.float32)
        pixels = np.array([[1 / step, 0, 0.5 / step], [0, 1 / step, 0.5 / step]], np.float32)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        fine = cv2.warpAffine(coarse, pixels, (self.width_px, self.height_px), flags=how)
        first, second = cv2.convertMaps(fine[..., 0] - 0.5, fine[..., 1] - 0.5, cv2.CV_16SC2)
        return np.asarray(first), np.asarray(second)


@lru_cache(maxsize=256)
def _axes(
    eye_mm: tuple[float, float, float], aim_mm: tuple[float, float], roll_deg: float
) -> NDArray[np.float64]:
    forward = np.array([*aim_mm, 0.0]) - eye_mm
    forward /= np.linalg.norm(forward)
    down = np.array([0.0, 1.0, 0.0])
    down -= forward * (down @ forward)
    down /= np.linalg.norm(down)
    # x right, y down, z up is a left-handed system, so the order is forward x down.
    right = np.cross(forward, down)
    turn = np.deg2rad(roll_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    axes = np.stack([cos * right - sin * down, sin * right + cos * down, forward])
    axes.flags.writeable = False  # every projection of the camera shares it
    return axes
