"""A random table while it is being laid: tiles that would overlap are not laid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import TableLook
from studio.scene import Pose, TilePose, footprint, rotation


@dataclass
class RandomTable:
    """A random scene under construction; it rejects tiles that would overlap."""

    look: TableLook
    rng: np.random.Generator
    codes: Sequence[str]
    tiles: list[TilePose] = field(default_factory=list)

    def lay(
        self,
        x: float,
        y: float,
        yaw: float,
        pose: Pose,
        tile: str | None = None,
        level: int = 0,
        lean: tuple[float, float] = (0.0, 0.0),
    ) -> bool:
        width, height, thick = self.look.tiles.size_mm
        reach = (
            0.5 * np.hypot(width, height) if pose != "standing" else 0.5 * np.hypot(width, thick)
        )
        if level == 0:
            if max(abs(x), abs(y)) > self.look.field_mm / 2 - 0.6 * reach:
                return False
            console = self.look.console_mm / 2
            if console and max(abs(x), abs(y)) < console + reach:
                return False
            for other in self.tiles:
                gap = np.hypot(other.x_mm - x, other.y_mm - y)
                if gap < 0.9 * reach * 2 and not apart(self.look, (x, y, yaw, pose), other):
                    return False
        if pose != "standing" and lean == (0.0, 0.0) and self.rng.random() < 0.06:
            lean = self.tipped(4.0)  # on a stick, a crumb, a fold of the cloth
        z = self.rest_mm(pose, lean) + thick * level
        self.put(tile, x, y, z, yaw, pose, lean)
        return True

    def put(
        self,
        tile: str | None,
        x: float,
        y: float,
        z: float,
        yaw: float,
        pose: Pose,
        lean: tuple[float, float],
    ) -> None:
        """Put a tile anywhere; a random one if none is named."""
        code = tile or str(self.rng.choice(self.codes))
        self.tiles.append(TilePose(len(self.tiles), code, x, y, z, yaw % 360, pose, lean))

    def tipped(self, most_deg: float) -> tuple[float, float]:
        return float(self.rng.normal(0, most_deg)), float(self.rng.normal(0, most_deg))

    def rest_mm(self, pose: Pose, lean: tuple[float, float]) -> float:
        """Return the height of a tile's middle when its lowest corner touches the cloth."""
        tile = TilePose(0, "", 0.0, 0.0, 0.0, 0.0, pose, lean)
        return float(np.abs(rotation(tile)[2]) @ self.look.tiles.size_mm) / 2

    def seat(self, seat: int, x: float, y: float, yaw: float) -> tuple[float, float, float]:
        """Convert from the axes of a seat at the bottom to the table's."""
        turn = -np.pi / 2 * seat
        c, s = np.cos(turn), np.sin(turn)
        return c * x - s * y, s * x + c * y, yaw - 90 * seat


def outline_mm(look: TableLook, x: float, y: float, yaw: float, pose: Pose) -> NDArray[np.float64]:
    width, height, thick = look.tiles.size_mm
    depth = thick if pose == "standing" else height
    return footprint(x, y, yaw, width, depth)


def apart(look: TableLook, one: tuple[float, float, float, Pose], other: TilePose) -> bool:
    """Return whether two outlines are disjoint, by separating axes."""
    a = outline_mm(look, *one)
    b = outline_mm(look, other.x_mm, other.y_mm, other.yaw_deg, other.pose)
    for quad in (a, b):
        for side in (quad[1] - quad[0], quad[3] - quad[0]):
            pa, pb = a @ side, b @ side
            slack = 0.02 * float(side @ side)
            if pa.max() < pb.min() + slack or pb.max() < pa.min() + slack:
                return True
    return False
