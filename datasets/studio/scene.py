"""What stands on and over a table, in millimetres, and what a rendering of it is.

The origin is the table's centre. x points right and y down in the picture of a camera above, whose
bottom side is seat 0; z is the height over the cloth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Pose = Literal["up", "down", "standing"]
LabelSide = Literal["face", "back", "standing", "front"]
"""What a label outlines; ``front``: the face of a standing tile, seen too obliquely to be read."""
PropKind = Literal[
    "die", "stick", "chip", "cup", "phone", "marker", "rack", "card", "block", "domino", "paper",
    "pen", "coins", "keys", "bottle", "bowl", "tissues", "lighter", "note", "tray", "dish",
]  # fmt: skip
RoomKind = Literal[
    "chair", "stool", "bench", "desk", "rug", "books", "keyboard", "laptop", "console", "crate",
    "pane", "tiled", "sofa", "table", "sitter",
]  # fmt: skip
"""Things that stand in a room beside the table, or on another table."""


Triple = tuple[float, float, float]


def triple(values: Iterable[float]) -> Triple:
    """Return three values, such as a point or a colour, as plain floats."""
    x, y, z = (float(value) for value in values)
    return x, y, z


@dataclass(frozen=True)
class TilePose:
    id: int
    tile: str
    x_mm: float
    y_mm: float
    z_mm: float
    """Height of the body's centre."""
    yaw_deg: float
    """0: upright for the player at seat 0; clockwise in the picture."""
    pose: Pose
    """Face up, face down, or on its lower edge with the face to the player."""
    lean_deg: tuple[float, float] = (0.0, 0.0)
    """Tilt about its own axes across and down the face; a standing tile with the first above 0
    leans back.
    """
    scale: float = 1.0
    """Size relative to the tiles of the look: another set in the same room."""


@dataclass(frozen=True)
class Arm:
    """A hand over the table; its forearm comes from the seat's side."""

    seat: int
    x_mm: float
    y_mm: float
    height_mm: float
    open_amount: float
    """0: closed around a tile, 1: flat."""
    left: bool = False


@dataclass(frozen=True)
class Prop:
    """A thing other than a tile: a rounded body with one colour."""

    kind: PropKind | RoomKind
    x_mm: float
    y_mm: float
    yaw_deg: float
    colour_bgr: tuple[float, float, float] = (0.9, 0.9, 0.9)
    stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Size relative to the usual one, along its axes."""
    seed: int = 0
    """Determines what is written, printed or put on it."""
    upper: int = 0
    """The top value of a die that shows all its pips; 0: a plain one with a single face."""
    lift_mm: float = 0.0
    """Height over the cloth of a thrown die, or of what stands beside the table (below 0)."""
    tumble_deg: tuple[float, float] = (0.0, 0.0)
    """Turn of a die in the air about x and y."""


@dataclass(frozen=True)
class CameraState:
    """How far the camera stands from its first pose, and how light its pictures are."""

    eye_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    aim_mm: tuple[float, float] = (0.0, 0.0)
    roll_deg: float = 0.0
    light: float = 1.0

    def towards(self, other: CameraState, share: float) -> CameraState:
        """Return a state between this and another one, as light as this one."""
        return self.plus(other.plus(self, -1.0), share)

    def plus(self, other: CameraState, times: float) -> CameraState:
        """Return this state plus ``times`` the other one's offset, as light as this one."""
        x, y, z = (a + times * b for a, b in zip(self.eye_mm, other.eye_mm, strict=True))
        u, v = (a + times * b for a, b in zip(self.aim_mm, other.aim_mm, strict=True))
        return CameraState((x, y, z), (u, v), self.roll_deg + times * other.roll_deg, self.light)

    def lit(self, light: float) -> CameraState:
        return replace(self, light=light)


@dataclass(frozen=True)
class TableScene:
    tiles: tuple[TilePose, ...] = ()
    arms: tuple[Arm, ...] = ()
    props: tuple[Prop, ...] = ()
    sight: CameraState = CameraState()


@dataclass(frozen=True, eq=False)
class Label:
    """What is true of one tile in one picture."""

    id: int
    tile: str
    side: LabelSide
    corners_px: NDArray[np.float32]
    """(4, 2), corners of the upper side, clockwise from the tile's own top left."""
    visible: float
    """Visible share of the upper side, 0..1."""
    foreshortened: float | None = None
    """To which share the front of a standing tile is; None for an upper side."""


@dataclass(frozen=True, eq=False)
class Rendering:
    image_bgr: NDArray[np.uint8]
    """(H, W, 3)"""
    labels: tuple[Label, ...]
    """The upper sides of the tiles."""
    fronts: tuple[Label, ...] = ()
    """The faces of standing tiles that are turned to the camera."""


SIDES: dict[Pose, LabelSide] = {"up": "face", "down": "back", "standing": "standing"}


def rotation(tile: TilePose) -> NDArray[np.float64]:
    """Return (3, 3): from tile axes (x right, y down the face, z out of it) to the table's."""
    turn = np.deg2rad(tile.yaw_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    yaw = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    still = yaw @ _POSES[tile.pose]
    if tile.lean_deg == (0.0, 0.0):
        return np.asarray(still)
    (c, d), (s, t) = np.cos(np.deg2rad(tile.lean_deg)), np.sin(np.deg2rad(tile.lean_deg))
    across = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    down = np.array([[d, 0.0, t], [0.0, 1.0, 0.0], [-t, 0.0, d]])
    return np.asarray(still @ across @ down)


_POSES: dict[Pose, NDArray[np.float64]] = {
    "up": np.eye(3),
    "down": np.diag([-1.0, 1.0, -1.0]),
    "standing": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}

_UPPER: dict[Pose, NDArray[np.float64]] = {
    # Corners of the upper side in half sizes, clockwise from the tile's own top left.
    "up": np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float),
    "down": np.array([[1, -1, -1], [-1, -1, -1], [-1, 1, -1], [1, 1, -1]], float),
    "standing": np.array([[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]], float),
}

_FRONT: NDArray[np.float64] = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], float)
"""Corners of the face in half sizes, clockwise from the tile's own top left."""
FRONT_NORMAL: tuple[float, float, float] = (0.0, 0.0, 1.0)

UPPER_NORMAL: dict[Pose, tuple[float, float, float]] = {
    pose: (0.0, round(float(corners[:, 1].mean())), round(float(corners[:, 2].mean())))
    for pose, corners in _UPPER.items()
}
"""Normal of the upper side in the tile's own axes."""


def footprint(
    x_mm: float, y_mm: float, yaw_deg: float, width_mm: float, depth_mm: float
) -> NDArray[np.float64]:
    """Return the corners (4, 2) of an upright body of this size, seen from above."""
    turn = np.deg2rad(yaw_deg)
    across = np.array([np.cos(turn), np.sin(turn)]) * width_mm / 2
    along = np.array([-np.sin(turn), np.cos(turn)]) * depth_mm / 2
    corners = [-across - along, across - along, across + along, -across + along]
    return np.asarray(np.array([x_mm, y_mm]) + np.array(corners))


def upper_side(
    tile: TilePose, size_mm: tuple[float, float, float], inset_mm: float = 0.0
) -> NDArray[np.float64]:
    """Return the corners (4, 3) of the upper side; ``size_mm`` is width, height, thickness."""
    return _side(_UPPER[tile.pose], tile, size_mm, inset_mm)


def front(
    tile: TilePose, size_mm: tuple[float, float, float], inset_mm: float = 0.0
) -> NDArray[np.float64]:
    """Return the corners (4, 3) of the face, wherever it looks."""
    return _side(_FRONT, tile, size_mm, inset_mm)


def _side(
    corners: NDArray[np.float64],
    tile: TilePose,
    size_mm: tuple[float, float, float],
    inset_mm: float,
) -> NDArray[np.float64]:
    half = np.array(size_mm) * tile.scale / 2
    corners = corners * half
    centre = corners.mean(axis=0)
    corners = centre + np.sign(corners - centre) * np.maximum(
        np.abs(corners - centre) - inset_mm, 0
    )
    return np.asarray(corners @ rotation(tile).T + (tile.x_mm, tile.y_mm, tile.z_mm))
