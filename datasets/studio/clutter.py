"""Random tables for training: everything that can lie on one, in every arrangement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from studio.camera import Camera
from studio.looks import Look
from studio.scene import Arm, Pose, Prop, PropKind, Scene, TilePose


@dataclass
class _Table:
    """A scene while it is being laid; tiles that would overlap are not laid."""

    look: Look
    rng: np.random.Generator
    codes: Sequence[str]
    tiles: list[TilePose] = field(default_factory=list)

    def lay(
        self, x: float, y: float, yaw: float, pose: Pose, tile: str | None = None, level: int = 0
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
                if gap < 0.9 * reach * 2 and not _apart(self.look, (x, y, yaw, pose), other):
                    return False
        z = height / 2 if pose == "standing" else thick * (level + 0.5)
        code = tile or str(self.rng.choice(self.codes))
        self.tiles.append(TilePose(len(self.tiles), code, x, y, z, yaw % 360, pose))
        return True

    def seat(self, seat: int, x: float, y: float, yaw: float) -> tuple[float, float, float]:
        """From the axes of a seat at the bottom to the table's."""
        turn = -np.pi / 2 * seat
        c, s = np.cos(turn), np.sin(turn)
        return c * x - s * y, s * x + c * y, yaw - 90 * seat


def _outline(look: Look, x: float, y: float, yaw: float, pose: Pose) -> NDArray[np.float64]:
    width, height, thick = look.tiles.size_mm
    depth = thick if pose == "standing" else height
    turn = np.deg2rad(yaw)
    across = np.array([np.cos(turn), np.sin(turn)]) * width / 2
    along = np.array([-np.sin(turn), np.cos(turn)]) * depth / 2
    corners = [-across - along, across - along, across + along, -across + along]
    return np.asarray(np.array([x, y]) + np.array(corners))


def _apart(look: Look, one: tuple[float, float, float, Pose], other: TilePose) -> bool:
    """No overlap of two outlines, by separating axes."""
    a = _outline(look, *one)
    b = _outline(look, other.x_mm, other.y_mm, other.yaw_deg, other.pose)
    for quad in (a, b):
        for side in (quad[1] - quad[0], quad[3] - quad[0]):
            pa, pb = a @ side, b @ side
            slack = 0.02 * float(side @ side)
            if pa.max() < pb.min() + slack or pb.max() < pa.min() + slack:
                return True
    return False


def _row(
    table: _Table, seat: int, x: float, y: float, count: int, pose: Pose, yaw: float = 0.0
) -> None:
    rng, width = table.rng, table.look.tiles.width_mm
    step = width * (1 + abs(rng.normal(0, 0.02)))
    bend, wobble = rng.normal(0, 0.03), rng.uniform(0, 2.0)
    for place in range(count):
        if rng.random() < 0.02:
            continue
        gap = 10.0 if place == count - 1 and rng.random() < 0.3 else 0.0
        at = (x + place * step + gap, y + bend * place * step + rng.normal(0, 0.02) * width)
        table.lay(*table.seat(seat, *at, yaw + rng.normal(0, wobble)), pose)


def _hands(table: _Table) -> None:
    rng, width = table.rng, table.look.tiles.width_mm
    y = table.look.field_mm / 2 - rng.uniform(0.8, 2.6) * table.look.tiles.height_mm
    for seat in range(4):
        count = int(rng.integers(10, 15) if rng.random() < 0.65 else rng.integers(1, 14))
        how = str(rng.choice(["standing", "up", "down"], p=[0.72, 0.18, 0.10]))
        poses: dict[str, Pose] = {"standing": "standing", "up": "up", "down": "down"}
        x = -count * width / 2 + rng.normal(0, 30)
        _row(table, seat, x, y + rng.normal(0, 5), count, poses[how])
        _melds(table, seat, x + count * width + rng.uniform(20, 60), y)


def _melds(table: _Table, seat: int, x: float, y: float) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    for _ in range(int(rng.integers(0, 4))):
        count, turned = (4 if rng.random() < 0.3 else 3), int(rng.integers(-1, 4))
        hidden: tuple[int, ...] = ()
        if count == 4 and rng.random() < 0.5:
            hidden, turned = _CLOSED[int(rng.integers(len(_CLOSED)))], -1
        for place in range(count):
            sideways = place == turned
            wide = height if sideways else width
            pose: Pose = "down" if place in hidden else "up"
            lower = (height - width) / 2 if sideways else 0.0
            spot = table.seat(seat, x + wide / 2, y + lower, -90.0 if sideways else 0.0)
            laid = table.lay(spot[0], spot[1], spot[2] + rng.normal(0, 1.5), pose)
            if laid and place == max(turned, 0) and count == 3 and rng.random() < 0.12:
                _added(table, seat, x + wide / 2, y + lower, spot, width if sideways else height)
            x += wide * 1.01
        x += rng.uniform(1, 12)


_CLOSED = ((0, 3), (1, 2), (0, 1, 2, 3))
"""Which tiles of a closed kong lie backs up, by the custom of the table."""


def _added(
    table: _Table, seat: int, x: float, y: float, spot: tuple[float, float, float], deep: float
) -> None:
    """The fourth tile of an added kong, on or beside one of the set."""
    if table.rng.random() < 0.5:
        table.lay(*spot, "up", level=1)
    else:
        table.lay(*table.seat(seat, x, y - deep * 1.01, spot[2] + 90 * seat), "up")


def _pile(table: _Table) -> None:
    """Harbin's discards: anywhere in the middle, by any angle."""
    rng, spread = table.rng, table.look.field_mm * table.rng.uniform(0.06, 0.2)
    middle = rng.normal(0, 40, 2)
    shown = rng.uniform(0.75, 1.0)
    for _ in range(int(rng.integers(10, 100))):
        pose: Pose = "up" if rng.random() < shown else "down"
        if rng.random() < 0.02:
            pose = "standing"
        at = middle + rng.normal(0, spread, 2)
        table.lay(float(at[0]), float(at[1]), rng.uniform(0, 360), pose)


def _rivers(table: _Table) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    for seat in range(4):
        y = rng.uniform(80, 130)
        for place in range(int(rng.integers(0, 20))):
            line, column = divmod(place, 6)
            yaw = -90.0 if rng.random() < 0.04 else rng.normal(0, 2)
            x = (column - 2.5) * width * 1.03 + rng.normal(0, 0.6)
            table.lay(*table.seat(seat, x, y + line * height * 1.04, yaw), "up")


def _walls(table: _Table) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    y = table.look.field_mm / 2 - height * rng.uniform(2.6, 4.2)
    for seat in range(4):
        count = int(rng.integers(10, 19) if rng.random() < 0.5 else rng.integers(2, 18))
        skew = rng.normal(0, 1.5)
        for place in range(count):
            x = (place - count / 2) * width * 1.005 + rng.normal(0, 0.2)
            spot = table.seat(seat, x, y + np.tan(np.deg2rad(skew)) * x, skew)
            if table.lay(*spot, "down") and not (place in (0, count - 1) and rng.random() < 0.4):
                pose: Pose = "up" if rng.random() < 0.02 else "down"
                table.lay(spot[0] + rng.normal(0, 0.5), spot[1], spot[2], pose, level=1)


def _rows_close(table: _Table) -> None:
    """Tiles laid open in blocks and rows, as people photograph them."""
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    turn = rng.uniform(0, 360) if rng.random() < 0.4 else rng.normal(0, 4)
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    gap = 1.0 + abs(rng.normal(0, 0.04))
    upset = rng.random() < 0.3
    for line in range(int(rng.integers(1, 6))):
        for place in range(int(rng.integers(2, 15))):
            x, y = (place - 6) * width * gap, (line - 2) * height * gap * 1.02
            yaw = turn + rng.normal(0, 1.5) + (180 * int(rng.integers(2)) if upset else 0)
            pose: Pose = "down" if rng.random() < 0.03 else "up"
            table.lay(c * x - s * y, s * x + c * y, yaw, pose)


_PARTS: tuple[tuple[float, Callable[[_Table], None]], ...] = (
    (0.80, _hands),
    (0.60, _walls),
    (0.40, _rivers),
    (0.60, _pile),
)


def random_scene(rng: np.random.Generator, look: Look, codes: Sequence[str]) -> Scene:
    """A table in the middle of a game, or tiles laid out for a picture."""
    table = _Table(look, rng, codes)
    if rng.random() < 0.35:
        _rows_close(table)
    for chance, part in _PARTS:
        if rng.random() < chance:
            part(table)
    arms = _arms(table)
    return Scene(tuple(table.tiles), arms, _things(table))


def _arms(table: _Table) -> tuple[Arm, ...]:
    """Hands over the table, some with a tile in their fingers."""
    rng, half = table.rng, table.look.field_mm / 2
    arms = []
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 3]))):
        x, y = (float(at) for at in rng.uniform(-half * 0.8, half * 0.8, 2))
        if table.tiles and rng.random() < 0.5:  # hands are where tiles are
            tile = table.tiles[int(rng.integers(len(table.tiles)))]
            x, y = tile.x_mm + float(rng.normal(0, 15)), tile.y_mm + float(rng.normal(0, 15))
        arm = Arm(int(rng.integers(4)), x, y, float(rng.uniform(15, 90)), float(rng.random()))
        arms.append(arm)
        if arm.open_amount < 0.5 and rng.random() < 0.6:
            pose: Pose = "up" if rng.random() < 0.6 else "down"
            code = str(rng.choice(table.codes))
            low = arm.height_mm + 5 - 0.5 * table.look.tiles.thickness_mm
            z = max(low, 1.6 * table.look.tiles.thickness_mm)
            yaw = float(rng.normal(-90.0 * arm.seat, 20)) % 360
            table.tiles.append(TilePose(len(table.tiles), code, x, y, z, yaw, pose))
    return tuple(arms)


_REACH: dict[PropKind, tuple[float, float]] = {
    "cup": (44, 44),
    "phone": (38, 78),
    "stick": (5, 46),
    "chip": (20, 20),
    "die": (8, 8),
    "marker": (23, 31),
    "card": (30, 45),
    "rack": (202, 26),
}
_KINDS: tuple[PropKind, ...] = ("die", "die", "stick", "stick", "chip", "chip", "card", *_REACH)


def _things(table: _Table) -> tuple[Prop, ...]:
    """What else lies about; white things too, so that not all that is white is a tile."""
    rng, half = table.rng, table.look.field_mm / 2
    found: list[Prop] = []
    for _ in range(int(rng.integers(0, 9))):
        kind = _KINDS[int(rng.integers(len(_KINDS)))]
        pale = rng.uniform(0.55, 0.9) * rng.uniform(0.92, 1.0, 3)
        colour = pale if rng.random() < 0.4 else rng.uniform(0.02, 0.9, 3)
        x, y = (float(at) for at in rng.uniform(-half, half, 2))
        yaw = float(rng.uniform(0, 360))
        if kind == "rack":
            x, y, yaw = table.seat(int(rng.integers(4)), float(rng.normal(0, 40)), half - 30, 0.0)
        prop = Prop(kind, x, y, yaw, (float(colour[0]), float(colour[1]), float(colour[2])))
        inside = max(abs(x), abs(y)) < half - 45 or kind == "rack"
        if inside and _is_free(table, prop):
            found.append(prop)
    return tuple(found)


def _is_free(table: _Table, prop: Prop) -> bool:
    """Nothing stands where the thing would lie."""
    turn = np.deg2rad(prop.yaw_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    wide, deep = _REACH[prop.kind]
    reach = 0.6 * table.look.tiles.height_mm
    for tile in table.tiles:
        dx, dy = tile.x_mm - prop.x_mm, tile.y_mm - prop.y_mm
        across, along = abs(cos * dx + sin * dy), abs(cos * dy - sin * dx)
        if np.hypot(max(across - wide, 0.0), max(along - deep, 0.0)) < reach:
            return False
    return True


def _toward_middle(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.2, 1.0)) if rng.random() < 0.4 else 1.0


def random_camera(
    rng: np.random.Generator, look: Look, scene: Scene, width_px: int, height_px: int
) -> Camera:
    """Over the table, at any height and tilt that people use, near enough to see tiles well."""
    height_mm = rng.uniform(600, 1600)
    tilt = np.deg2rad(rng.uniform(0, 38) if rng.random() < 0.85 else rng.uniform(38, 58))
    where = rng.uniform(0, 2 * np.pi)
    tiles = scene.tiles
    if tiles:
        tile = tiles[int(rng.integers(len(tiles)))]
        aim = np.array([tile.x_mm, tile.y_mm]) * (
            rng.uniform(0.2, 1.0) if rng.random() < 0.4 else 1.0
        )
    else:
        aim = rng.uniform(-200, 200, 2)
    eye = np.array(
        [*(aim + height_mm * np.tan(tilt) * np.array([np.cos(where), np.sin(where)])), height_mm]
    )
    distance = float(np.linalg.norm(eye - [*aim, 0]))
    tile_px = np.clip(np.exp(rng.normal(np.log(40), 0.45)), 14, 110)
    return Camera(
        width_px,
        height_px,
        float(tile_px * distance / look.tiles.width_mm),
        (float(eye[0]), float(eye[1]), float(eye[2])),
        (float(aim[0]), float(aim[1])),
        float(rng.uniform(-180, 180)),
        float(rng.normal(0, 0.03)),
    )
