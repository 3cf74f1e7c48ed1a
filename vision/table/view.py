"""The table's place in the picture: from pixels to millimetres at any height, and the seats."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Doubles
from vision.camera.pictures import SourceError
from vision.given_files import read_given

Points = Doubles
"""(n, 2)."""

Corners = tuple[tuple[float, float], ...]

SIDES: Final = ("bottom", "right", "top", "left")
"""Sides of the picture at which seat 0 may sit, in the order of the seats."""

TILE_MM: Final = 28.0
"""Width of a tile until it is measured; usual tiles have 26 to 30."""
PLANES: Final = 8
"""Maps to the picture that are kept."""
HEIGHT_SHARE: Final = 1.33
THICKNESS_SHARE: Final = 0.75
"""Height and thickness of a tile as shares of its width (table.md)."""
HAND_SHARE: Final = 0.86
"""Distance of the hands from the middle as a share of half the field, until they are seen."""

FOCAL_SHARE: Final = 0.95
"""Focal length of a usual camera as a share of the picture's longer side."""
ELSEWHERE: Final = 0.08
"""Two tables differ if a corner differs by more than this share of a side."""
_LARGEST: Final = 64 * 1024
"""Most characters of a table file: four corners and a few sizes."""
_NO_TABLE: Final = (KeyError, TypeError, ValueError, IndexError, OverflowError, RecursionError)
"""Errors from a table file with other contents."""
_TILT_TO_TRUST: Final = 0.06
"""With less perspective than this the four corners do not tell the focal length."""


@dataclass(frozen=True)
class TableView:
    """Where the playing field lies in the picture; in table millimetres seat 0 is at the bottom."""

    corners_px: tuple[tuple[float, float], ...]
    """Four corners, clockwise from the top left of the picture."""
    size_mm: tuple[float, float]
    """Width and height of the field as seen in the picture."""
    picture_px: tuple[int, int]
    """Width and height of the picture that the corners belong to."""
    seat0: str = "bottom"
    tile_mm: float = TILE_MM
    """Width of a tile."""
    mirrored: bool = False
    """Whether the camera's own picture is the mirror image of the one with these corners."""

    def __post_init__(self) -> None:
        if len(self.corners_px) != 4:
            raise SourceError(f"a table has four corners, got {len(self.corners_px)}")
        if self.seat0 not in SIDES:
            raise SourceError(f"seat 0 sits at one of {', '.join(SIDES)}, got {self.seat0!r}")
        if not all(0 < size < 1e5 for size in (*self.size_mm, *self.picture_px, self.tile_mm)):
            raise SourceError("a table, its tiles and its picture have sizes above 0")
        if not all(abs(place) < 1e6 for corner in self.corners_px for place in corner):
            raise SourceError("the table's corners are places in the picture, or near it")
        if _area(np.array(self.corners_px)) < 0.01 * self.picture_px[0] * self.picture_px[1]:
            raise SourceError(
                "the table's corners must go clockwise from the picture's top left and hold "
                "a good part of the picture"
            )

    # --- files ---

    @classmethod
    def load(cls, path: Path, seat0: str | None = None) -> TableView:
        """Read ``table.toml``; raises ``SourceError`` with one line that says what is wrong."""
        try:
            text = read_given(path, _LARGEST).decode()
        except OSError as error:
            make = "make it with tilesight check --save"
            raise SourceError(f"{path} cannot be read: {error.strerror}; {make}") from error
        except UnicodeDecodeError as error:
            raise SourceError(f"{path} cannot be read: {error}") from error
        try:
            table = tomllib.loads(text)["table"]
            return cls(
                tuple((float(x), float(y)) for x, y in table["corners_px"]),
                _pair(table["size_mm"]),
                (int(table["picture_px"][0]), int(table["picture_px"][1])),
                seat0 or str(table.get("seat0", "bottom")),
                float(table.get("tile_mm", TILE_MM)),
                bool(table.get("mirrored", False)),
            )
        except SourceError as error:
            raise SourceError(f"{path}: {error}") from None
        except _NO_TABLE as error:
            raise SourceError(
                f"{path} is not a table file; expected [table] with corners_px, size_mm, seat0 "
                f"and picture_px ({type(error).__name__}: {error})"
            ) from error

    def to_toml(self) -> str:
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in self.corners_px)
        return (
            "[table]\n"
            f"corners_px = [{corners}]\n"
            f"size_mm = [{self.size_mm[0]:g}, {self.size_mm[1]:g}]\n"
            f'seat0 = "{self.seat0}"\n'
            f"picture_px = [{self.picture_px[0]}, {self.picture_px[1]}]\n"
            f"tile_mm = {self.tile_mm:.1f}\n" + ("mirrored = true\n" if self.mirrored else "")
        )

    def save(self, path: Path) -> None:
        part = path.with_name(path.name + ".part")
        part.write_text(self.to_toml(), encoding="utf-8")
        part.replace(path)

    def in_picture(self, width_px: int, height_px: int) -> TableView:
        """The same table in the same picture at another resolution."""
        if (width_px, height_px) == self.picture_px:
            return self
        scale_x, scale_y = width_px / self.picture_px[0], height_px / self.picture_px[1]
        if abs(scale_x / scale_y - 1) > 0.02:
            raise SourceError(
                f"the table was found in a picture of {self.picture_px[0]}x{self.picture_px[1]} "
                f"and this one is {width_px}x{height_px}; calibrate again"
            )
        corners = tuple((x * scale_x, y * scale_y) for x, y in self.corners_px)
        return replace(self, corners_px=corners, picture_px=(width_px, height_px))

    def mirror_image(self) -> TableView:
        """The same table in the mirrored picture."""
        width = self.picture_px[0] - 1
        top_left, top_right, bottom_right, bottom_left = (
            (width - x, y) for x, y in self.corners_px
        )
        side = {"left": "right", "right": "left"}.get(self.seat0, self.seat0)
        corners = (top_right, top_left, bottom_left, bottom_right)
        return replace(self, corners_px=corners, seat0=side, mirrored=not self.mirrored)

    # --- the camera ---

    @cached_property
    def half_mm(self) -> tuple[float, float]:
        """Half of the field's width and height in table millimetres."""
        width, height = self.size_mm
        if SIDES.index(self.seat0) % 2:
            width, height = height, width
        return width / 2, height / 2

    @cached_property
    def camera(self) -> Doubles:
        """(3, 4) projection from table millimetres, with z up from the felt, to pixels.

        The focal length comes from the two orthogonality conditions of a plane's homography (Zhang
        2000), with square pixels and the principal point in the middle of the picture.
        """
        width, height = self.picture_px
        half_x, half_y = self.half_mm
        field = rectangle((-half_x, -half_y), (half_x, half_y))
        field = np.roll(field, -SIDES.index(self.seat0), axis=0)
        middle = np.array([width / 2, height / 2])
        plane = homography(field, np.array(self.corners_px) - middle)
        focal = _focal(plane, FOCAL_SHARE * max(width, height))
        rays = np.diag([1 / focal, 1 / focal, 1.0]) @ plane
        scale = 2 / (np.linalg.norm(rays[:, 0]) + np.linalg.norm(rays[:, 1]))
        if rays[2, 2] < 0:
            scale = -scale
        rays = rays * scale
        # With x to the right and y down, the third right-handed axis would point into the table.
        up = -np.cross(rays[:, 0], rays[:, 1])
        pose = np.column_stack([rays[:, 0], rays[:, 1], up, rays[:, 2]])
        inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
        return np.asarray(inner @ pose, np.float64)

    def to_image(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """(n, 2) table millimetres at a height above the felt to (n, 2) pixels."""
        return _project(self._plane(height_mm), points_mm)

    def to_table(self, points_px: Points, height_mm: float = 0.0) -> Points:
        """(n, 2) pixels to (n, 2) table millimetres, for points at a height above the felt."""
        return _project(self._planes(height_mm)[1], points_px)

    def _plane(self, height_mm: float) -> Doubles:
        return self._planes(height_mm)[0]

    def _planes(self, height_mm: float) -> tuple[Doubles, Doubles]:
        """The map from a plane at this height to the picture, and the one back."""
        found = self._known_planes.get(height_mm)
        if found is None:
            if len(self._known_planes) == PLANES:
                self._known_planes.clear()
            camera = self.camera
            there = np.column_stack(
                [camera[:, 0], camera[:, 1], camera[:, 2] * height_mm + camera[:, 3]]
            )
            back = np.asarray(np.linalg.inv(there), np.float64)
            found = self._known_planes[height_mm] = there, back
        return found

    @cached_property
    def _known_planes(self) -> dict[float, tuple[Doubles, Doubles]]:
        """These maps by their heights: those of tiles are asked for all the time."""
        return {}

    def from_above(
        self,
        image_bgr: Bytes,
        low_mm: Sequence[float] | Doubles,
        high_mm: Sequence[float] | Doubles,
        px_per_mm: float = 1.0,
        border: int = cv2.BORDER_CONSTANT,
        height_mm: float = 0.0,
    ) -> Bytes:
        """(h, w, 3): a rectangle at a height above the felt, seen straight from above."""
        corners = rectangle(low_mm, high_mm)
        inside = (corners - np.asarray(low_mm)) * px_per_mm
        warp = cv2.getPerspectiveTransform(
            np.asarray(self.to_image(corners, height_mm), np.float32),
            np.asarray(inside, np.float32),
        )
        width, height = (max(1, int(side)) for side in np.rint(inside[2]))
        above = cv2.warpPerspective(image_bgr, warp, (width, height), borderMode=border)
        return np.asarray(above, np.uint8)

    @cached_property
    def tile_px(self) -> float:
        """Width in pixels of a tile that lies in the middle of the table."""
        ends = np.array([[-self.tile_mm / 2, 0.0], [self.tile_mm / 2, 0.0]])
        left, right = self.to_image(ends, self.lying_mm)
        return float(np.linalg.norm(right - left))

    # --- tiles ---

    @property
    def lying_mm(self) -> float:
        """Height of the upper side of a tile that lies on the felt."""
        return self.tile_mm * THICKNESS_SHARE

    @property
    def standing_mm(self) -> float:
        """Height of the upper edge of a standing tile."""
        return self.tile_mm * HEIGHT_SHARE

    @property
    def field_px(self) -> Doubles:
        """(4, 2) corners of the field in the picture."""
        return np.array(self.corners_px)


def differ(one: TableView, other: TableView) -> bool:
    """Whether these are two different tables in the pictures of one camera."""
    side_px = float(np.linalg.norm(np.diff(one.field_px, axis=0), axis=1).mean())
    return float(np.abs(one.field_px - other.field_px).max()) > ELSEWHERE * side_px


def rectangle(low: Sequence[float] | Doubles, high: Sequence[float] | Doubles) -> Points:
    """(4, 2) corners of a rectangle, clockwise in the picture from its low corner."""
    (x0, y0), (x1, y1) = low, high
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)


def to_seat(points_mm: Points, seat: int) -> Points:
    """From table millimetres to those of a seat: u to its player's right, v towards the player."""
    x, y = points_mm[..., 0], points_mm[..., 1]
    own = np.empty_like(points_mm)
    own[..., 0], own[..., 1] = ((x, y), (-y, x), (-x, -y), (y, -x))[seat % 4]
    return own


def from_seat(points_uv: Points, seat: int) -> Points:
    """From a seat's millimetres to those of the table."""
    return to_seat(points_uv, -seat)


def homography(plane: Points, picture: Points) -> Doubles:
    """The 3x3 matrix that maps four points of a plane to four points of a picture."""
    rows = []
    for (x, y), (u, v) in zip(plane, picture, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, -u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, -v])
    _, _, basis = np.linalg.svd(np.array(rows))
    matrix = basis[-1].reshape(3, 3)
    return np.asarray(matrix / matrix[2, 2], np.float64)


def _focal(plane: Doubles, usual: float) -> float:
    """Focal length in pixels; close to ``usual`` where the perspective does not determine it.

    With w = 1/f^2 the conditions are a1 w + b1 = 0 (axes at right angles) and a2 w + b2 = 0 (equal
    length). They are solved as least squares with a weak prior for the usual value.
    """
    first, second = plane[:, 0], plane[:, 1]
    size = float(np.hypot(*first[:2]) * np.hypot(*second[:2]))
    a = np.array([first[:2] @ second[:2], (first[:2] @ first[:2] - second[:2] @ second[:2]) / 2])
    b = np.array([first[2] * second[2], (first[2] ** 2 - second[2] ** 2) / 2])
    a, b = a / size, b * usual**2 / size  # w in units of 1 / usual^2
    belief = _TILT_TO_TRUST**2
    inverse = float((-(a @ b) + belief) / (a @ a + belief))
    share = 1 / np.sqrt(max(inverse, 1e-3))
    return usual * float(np.clip(share, 0.5, 3.0))


def _project(matrix: Doubles, points: Points) -> Points:
    points = np.asarray(points, np.float64).reshape(-1, 2)
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def _area(corners: Doubles) -> float:
    """Signed area, positive for corners that go clockwise in the picture."""
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _pair(value: object) -> tuple[float, float]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"expected two numbers, got {value!r}")
    return float(value[0]), float(value[1])
