"""Whole rooms around a table in play, and a camera that shows more than the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import TableLook
from studio.random_table.arrangements import random_scene
from studio.random_table.hands_and_things import random_things
from studio.random_table.laying import RandomTable
from studio.scene import Arm, Prop, PropKind, RoomKind, TableScene, TilePose, Triple, triple

FLOOR_MM = -720.0
TILE_PX = (18.0, 60.0)
FILLED = (0.36, 1.08)  # share of the picture's shorter side that the table takes
REACH_MM = 1500.0  # distance from the table's middle within which things cast shadows
CLEAR_MM = 620.0  # nothing tall stands this near to the camera's place
_ON_DESKS: tuple[PropKind | RoomKind, ...] = (
    "keyboard", "keyboard", "laptop", "books", "books", "paper", "paper", "card", "card", "card",
    "phone", "cup", "bottle", "keys", "tissues", "bowl", "tray", "note", "block", "domino", "rack",
)  # fmt: skip
_SEATS: tuple[RoomKind, ...] = ("chair", "chair", "chair", "stool", "bench")
_ABOUT: tuple[RoomKind, ...] = ("crate", "sofa", "stool", "books", "chair", "bench", "books")


@dataclass(frozen=True)
class RoomContents:
    """What a picture is to show."""

    two_sizes: bool = False
    """Another table holds tiles that are much larger or smaller."""
    empty: bool = False
    """There is no tile anywhere."""


def room_camera(
    rng: np.random.Generator, look: TableLook, width_px: int, height_px: int
) -> PinholeCamera:
    """Draw a camera above and beside the table, so that the table takes a part of the picture."""
    whole = look.field_mm + 2 * look.rim_mm[0]
    short = min(width_px, height_px)
    wanted = rng.uniform(*FILLED) * short * look.tiles.width_mm / whole
    tile_px = float(np.clip(wanted, *TILE_PX))
    high = rng.uniform(950, 2200)
    tilt = np.deg2rad(rng.uniform(0, 30) if rng.random() < 0.8 else rng.uniform(30, 46))
    side = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 12))
    where = np.deg2rad(side)
    aim = rng.normal(0, 0.06, 2) * whole
    eye = [*(aim + high * np.tan(tilt) * np.array([-np.sin(where), np.cos(where)])), high]
    far = float(np.linalg.norm(np.array(eye) - [*aim, 0.0]))
    odd = rng.random() < 0.15
    turn = float(rng.uniform(-180, 180) if odd else side + rng.normal(0, 4))
    return PinholeCamera(
        width_px,
        height_px,
        tile_px * far / look.tiles.width_mm,
        triple(eye),
        (float(aim[0]), float(aim[1])),
        turn,
        float(rng.normal(0, 0.02)),
    )


def furnished(
    rng: np.random.Generator,
    scene: TableScene,
    look: TableLook,
    camera: PinholeCamera,
    codes: Sequence[str],
    wants: RoomContents,
) -> TableScene:
    """Return the same table in a room."""
    room = _Room(rng, look, camera, codes)
    arms = room.at_work(scene.arms)
    arms += tuple(room.resting(arms))
    things = random_things(RandomTable(look, rng, codes, list(scene.tiles)))
    room.props += [*scene.props, *(things if rng.random() < 0.6 else ())]
    room.ground()
    room.seats({arm.seat for arm in arms})
    room.others(wants)
    tiles = () if wants.empty else scene.tiles + tuple(room.tiles)
    return replace(scene, tiles=tiles, arms=arms, props=tuple(room.props))


class _Room:
    """A room while it is being furnished."""

    def __init__(
        self, rng: np.random.Generator, look: TableLook, camera: PinholeCamera, codes: Sequence[str]
    ) -> None:
        self.rng, self.look, self.camera, self.codes = rng, look, camera, codes
        self.half_mm = look.field_mm / 2 + look.rim_mm[0]
        self.props: list[Prop] = []
        self.tiles: list[TilePose] = []

    def put(
        self, kind: PropKind | RoomKind, x: float, y: float, yaw: float,
        lift_mm: float = FLOOR_MM, stretch: float = 1.0, seed: int | None = None,
        tint: Triple | None = None,
    ) -> None:  # fmt: skip
        seed = int(self.rng.integers(1 << 31)) if seed is None else seed
        at, size = (float(x), float(y), float(yaw)), (stretch,) * 3
        self.props.append(Prop(kind, *at, tint or self._tint(), size, seed, lift_mm=lift_mm))

    def _tint(self) -> Triple:
        rng = self.rng
        level = np.exp(rng.uniform(np.log(0.015), np.log(0.85)))
        tones = rng.uniform(0.93, 1.0, 3) if rng.random() < 0.5 else rng.uniform(0.1, 1.0, 3)
        return triple(level * tones / tones.max())

    def at_work(self, arms: Sequence[Arm]) -> tuple[Arm, ...]:
        """Remove some of the idle players: their seats are empty."""
        inside = self.look.field_mm / 2 - 20
        busy = {arm.seat for arm in arms if max(abs(arm.x_mm), abs(arm.y_mm)) < inside}
        gone = {seat for seat in range(4) if seat not in busy and self.rng.random() < 0.55}
        return tuple(arm for arm in arms if arm.seat not in gone)

    def resting(self, arms: Sequence[Arm]) -> Iterator[Arm]:
        """Yield resting hands, on the rim or the cloth, of players whose hands are not visible."""
        rng = self.rng
        for seat in {0, 1, 2, 3} - {arm.seat for arm in arms}:
            out, along = _ways(seat)
            if rng.random() < 0.7:
                continue
            for left in (False, True):
                if rng.random() < 0.25:
                    continue
                near = self.look.field_mm / 2 + rng.uniform(-60, min(30.0, self.look.rim_mm[0]))
                aside = (-1 if left else 1) * rng.uniform(70, 260)
                x, y = out * near + along * aside
                yield Arm(
                    seat, float(x), float(y), self.look.rim_mm[1] + 12, float(rng.random()), left
                )

    def ground(self) -> None:
        """Put something on the floor: tiles, a rug or sunlight."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.22:
            x, y = rng.uniform(-200, 200, 2)
            self.put("tiled", x, y, rng.choice([0, 45]) + rng.normal(0, 3))
        elif kind < 0.5:
            x, y = rng.normal(0, 200, 2)
            self.put("rug", x, y, rng.normal(0, 6), stretch=rng.uniform(0.9, 1.6))
        elif kind < 0.65:
            x, y = self._aside(rng.uniform(0, 900))
            self.put("pane", x, y, rng.uniform(0, 180), tint=(0.85, 0.9, 0.95))

    def seats(self, taken: set[int]) -> None:
        """Put a chair at each seat without visible arms."""
        rng = self.rng
        alike, usual = int(rng.integers(1 << 31)), rng.random() < 0.6
        tint = self._tint() if usual else None
        kind = _SEATS[int(rng.integers(len(_SEATS)))]
        for seat in range(4):
            out, along = _ways(seat)
            away = self.half_mm + rng.uniform(-60, 320)
            x, y = out * away + along * rng.normal(0, 70)
            if seat in taken or not self._clear(x, y) or rng.random() < 0.12:
                continue
            yaw = -90.0 * seat + rng.normal(0, 14)
            if rng.random() < 0.2:
                x, y = out * (self.half_mm + rng.uniform(230, 420)) + along * rng.normal(0, 40)
                self.put("sitter", x, y, yaw, lift_mm=0.0)
            self.put(kind, x, y, yaw, seed=alike if usual else None, tint=tint)

    def others(self, wants: RoomContents) -> None:
        """Add other tables and furniture, mostly where the camera looks."""
        rng = self.rng
        for number in range(1 if wants.two_sizes else int(rng.choice([0, 1, 1, 2, 3]))):
            self._other_table(number, wants)
        for _ in range(int(rng.integers(0, 5))):
            kind = _ABOUT[int(rng.integers(len(_ABOUT)))]
            broad = 450 if kind in ("sofa", "bench") else 0
            x, y = self._aside(self.half_mm + broad + rng.uniform(420, 1300))
            if self._clear(x, y):
                self.put(kind, x, y, rng.uniform(0, 360), stretch=rng.uniform(0.8, 1.2))
        for _ in range(int(rng.integers(0, 3))):  # beside the players' elbows
            x, y = rng.choice([-1, 1], 2) * (self.half_mm + rng.uniform(130, 260))
            self.put("stool", x, y, rng.uniform(0, 90), stretch=1.25, seed=7)
            thing = _ON_DESKS[int(rng.integers(len(_ON_DESKS)))]
            self.put(thing, x, y, rng.uniform(0, 360), lift_mm=FLOOR_MM + 1.25 * 474)

    def _other_table(self, number: int, wants: RoomContents) -> None:
        """Add another table with chairs, sometimes with people."""
        rng, half, scale, gap = self.rng, 500.0, 1.0, self.rng.uniform(120, 700)
        if wants.two_sizes:
            scale = float(rng.uniform(0.5, 0.62) if rng.random() < 0.5 else rng.uniform(1.6, 2))
            half, gap = 500.0 * min(1.3, max(0.75, scale)), rng.uniform(60, 260)
        x, y = self._aside(self.half_mm + half + gap, number)
        yaw = float(rng.choice([0, 90]) + rng.normal(0, 12))
        if wants.two_sizes or (not wants.empty and rng.random() < 0.5):
            self._played(x, y, yaw, half, scale)
        else:
            self._desk(x, y, yaw)
        for seat in range(4):
            turn = np.deg2rad(yaw - 90 * seat)
            out = np.array([-np.sin(turn), np.cos(turn)])
            at = np.array([x, y]) + out * (half + rng.uniform(40, 300))
            crowded = float(np.abs(at).max()) < self.half_mm + 250 or not self._clear(*at)
            if crowded or rng.random() < 0.3:
                continue
            kind: RoomKind = "chair" if rng.random() < 0.8 else "stool"
            self.put(kind, at[0], at[1], yaw - 90 * seat + rng.normal(0, 15))
            if rng.random() < 0.3:
                self.put("sitter", at[0], at[1], yaw - 90 * seat, lift_mm=0.0)

    def _desk(self, x: float, y: float, yaw: float) -> None:
        """Add a table with anything but tiles on it."""
        rng = self.rng
        self.put("desk", x, y, yaw)
        for _ in range(int(rng.integers(1, 9))):
            kind = _ON_DESKS[int(rng.integers(len(_ON_DESKS)))]
            dx, dy = rng.uniform(-260, 260, 2)
            pale = (0.8, 0.82, 0.85) if rng.random() < 0.4 else None
            turn = rng.uniform(0, 360) if rng.random() < 0.5 else yaw
            self.put(kind, x + dx, y + dy, turn, lift_mm=0.0, tint=pale)

    def _played(self, x: float, y: float, yaw: float, half: float, scale: float) -> None:
        """Add another mahjong table; ``scale`` is the size of its tiles relative to this one's."""
        rng = self.rng
        self.put("table", x, y, yaw, lift_mm=FLOOR_MM * half / 500.0, stretch=half / 500.0)
        field = 2 * 440.0 * half / 500.0 / scale
        look = replace(self.look, field_mm=field, console_mm=0.0)
        there = random_scene(rng, look, self.codes)
        turn = np.deg2rad(yaw)
        c, s = scale * np.cos(turn), scale * np.sin(turn)

        def moved(dx: float, dy: float) -> tuple[float, float]:
            return float(x + c * dx - s * dy), float(y + s * dx + c * dy)

        for tile in there.tiles:
            px, py = moved(tile.x_mm, tile.y_mm)
            self.tiles.append(
                replace(
                    tile, x_mm=px, y_mm=py, z_mm=tile.z_mm * scale, yaw_deg=tile.yaw_deg + yaw,
                    scale=scale,
                )
            )  # fmt: skip
        for prop in there.props:
            px, py = moved(prop.x_mm, prop.y_mm)
            self.props.append(replace(prop, x_mm=px, y_mm=py, yaw_deg=prop.yaw_deg + yaw))

    def _aside(self, far: float, number: int | None = None) -> tuple[float, float]:
        """Draw a place at this distance, more often towards the picture's long sides."""
        rng = self.rng
        right = self.camera.axes()[0][:2]
        wide = self.camera.width_px >= self.camera.height_px
        turn = np.arctan2(right[1], right[0]) + (0 if wide else np.pi / 2)
        way = number if number is not None else int(rng.integers(2))
        spread = 0.25 if number is not None else 0.6
        turn += np.pi * (way % 2) + rng.normal(0, spread) + (np.pi / 2 if way == 2 else 0.0)
        return float(far * np.cos(turn)), float(far * np.sin(turn))

    def _clear(self, x: float, y: float) -> bool:
        eye = self.camera.eye_mm
        return float(np.hypot(x - eye[0], y - eye[1])) > CLEAR_MM


def _ways(seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the directions out to a seat and along its side of the table."""
    out = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)][seat])
    return out, np.array([-out[1], out[0]])
