"""Meshes of hands, forearms and sleeves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import TableLook
from studio.render.meshes import Capsule, Mesh, capsule_surface, lathe
from studio.scene import Arm
from studio.things.people import body_mesh
from studio.things.table_body import CLOTH_WORN, SKIN, Solid

Vector = NDArray[np.float64]

OPEN_STEPS: Final = 8  # number of modelled steps from a closed to a flat hand
MELT_MM: Final = 1.9
STEP_MM: Final = 3.6
WRIST_MM: Final = 150.0  # distance from the finger tips to the forearm


def arm_solids(arm: Arm, look: TableLook) -> Iterator[Solid]:
    """Yield a hand, its nails, a forearm and a sleeve that reach in from the seat's side."""
    skin, sleeve = look.skins[arm.seat], look.sleeves[arm.seat]
    turn = -np.pi / 2 * arm.seat
    out = np.array([-np.sin(turn), np.cos(turn), 0.0])  # from the middle to the seat
    along = np.array([-out[1], out[0], 0.0])
    tip = np.array([arm.x_mm, arm.y_mm, arm.height_mm])
    # The elbow rests outside the table, near the middle of the seat's side.
    elbow = out * (look.field_mm / 2 + 400) + along * (0.55 * float(tip @ along) + 60)
    elbow[2] = 110.0
    back = _unit(elbow - tip)
    side = _unit(np.cross([0.0, 0.0, 1.0], back))
    up = np.cross(back, side)
    step = round(arm.open_amount * OPEN_STEPS)
    way = -1.0 if arm.left else 1.0
    hand = np.stack([-side, back, up], axis=1)
    yield Solid(hand_name(step, arm.left), tip, (1, 1, 1), hand, skin, stuff=SKIN)
    red, green, blue = skin
    nail = (min(1.0, red * 1.12 + 0.03), green + 0.03, blue + 0.03)
    for (x, y, z), radius in _nails(step):
        at = tip - side * x * way + back * y + up * z
        yield Solid("ball", at, (radius, radius * 1.2, 1.6), hand, nail)
    wrist, length = tip + back * WRIST_MM, float(np.linalg.norm(elbow - tip))
    wrist = wrist + up * 12
    frame = np.stack([side, -up, back], axis=1)
    cuff = 46.0 if sleeve != skin else length
    far = (length + 10) / 2
    yield Solid("forearm", wrist + back * far, (40, 34, far), frame, skin, stuff=SKIN)
    if cuff < length:
        far = (length - 20) / 2
        middle = wrist + back * cuff + back * far
        yield Solid("sleeve", middle, (60, 50, far), frame, sleeve, stuff=CLOTH_WORN)


def hand_name(step: int, left: bool) -> str:
    """Return the mesh name of a hand that is this far open."""
    return f"hand {step} {'left' if left else 'right'}"


@cache
def limb_mesh(name: str) -> Mesh:
    """Return the mesh of a body part by its name; made once."""
    if name == "forearm":
        swell = [0.66, 0.64, 0.7, 0.82, 0.95, 1.0, 1.0, 0.95, 0.88, 0.86]
        return lathe(np.array(swell), np.zeros((len(swell), 24)))
    if name == "sleeve":
        return _sleeve()
    if name in ("torso", "legs"):
        return body_mesh(name)
    _, step, hand = name.split()
    mesh = capsule_surface(_bars(int(step)), MELT_MM, STEP_MM)
    if hand == "right":
        return mesh
    mirror = np.array([-1, 1, 1, -1, 1, 1], np.float32)
    return Mesh(mesh.vertices * mirror, np.ascontiguousarray(mesh.triangles[:, ::-1]))


def _sleeve() -> Mesh:
    """Return cloth around an arm: a hem, and slanting folds."""
    rng = np.random.default_rng(3)
    rows, around = 40, 28
    at, phi = np.linspace(0, 1, rows)[:, None], np.linspace(0, 2 * np.pi, around)[None]
    folds = np.zeros((rows, around))
    for _ in range(14):
        turns, slant = int(rng.integers(-2, 3)), rng.uniform(10, 40)
        folds += rng.normal(0, 0.018) * np.cos(slant * at + turns * phi + rng.uniform(0, 6))
    folds *= 0.35 + 0.65 * np.sin(np.pi * np.clip(at * 1.2, 0, 1)) ** 2
    width = 0.72 + 0.28 * np.linspace(0, 1, rows) ** 0.6
    width[0] *= 1.04
    return lathe(width, folds)


def _fingers(step: int) -> list[tuple[Vector, Vector, Vector, Vector]]:
    """Return root, two joints and tip of four fingers; x across, y towards the arm, z up."""
    amount = step / OPEN_STEPS
    spread = 0.2 + 0.8 * amount
    lift = 24.0 - 8.0 * amount
    found = []
    for finger in range(4):
        place = 1.5 - finger  # the first finger is next to the thumb
        shorter = (8.0, 0.0, 5.0, 20.0)[finger]
        root = np.array([-place * 19.0, 85.0 + abs(place) * 3, lift - abs(place) * 1.5])
        end = np.array([-place * (13 + 14 * spread), shorter, 1.5])
        arch = 10 + 13 * (1 - amount)
        first = root + 0.46 * (end - root) + (0, 0, arch)
        second = root + 0.78 * (end - root) + (0, 0, arch * 0.75)
        found.append((root, first, second, end))
    return found


def _thumb(step: int) -> tuple[Vector, Vector, Vector]:
    amount = step / OPEN_STEPS
    root = np.array([-30.0, 112.0, 8.0])
    end = np.array([-18.0, 18.0, 0.0]) + amount * np.array([-44.0, 30.0, 3.0])
    middle = 0.5 * (root + end) + (-14.0 + 4 * amount, 4.0, 5.0)
    return root, middle, end


def _nails(step: int) -> Iterator[tuple[Vector, float]]:
    for _, _, joint, end in _fingers(step):
        yield end + 0.12 * (joint - end) + (0, 0, 5.4), 4.4
    _, joint, end = _thumb(step)
    yield end + 0.1 * (joint - end) + (0, 0, 7.2), 5.2


def _bars(step: int) -> list[Capsule]:
    bars = []
    lift = 20.0 - 8.0 * step / OPEN_STEPS
    for number, (root, first, second, end) in enumerate(_fingers(step)):
        thin = 0.86 if number == 3 else 1.0
        wrist = np.array([root[0] * 0.55, 142.0, lift - 6.0])
        bars.append(Capsule(wrist, root, 12.5, 9.6))
        for a, b, ra, rb in (
            (root, first, 9.0, 7.9), (first, second, 7.9, 7.2), (second, end, 7.2, 5.8),
        ):  # fmt: skip
            bars.append(Capsule(a, b, ra * thin, rb * thin))
    root, middle, end = _thumb(step)
    bars.append(Capsule(np.array([-14.0, 138.0, lift - 8.0]), root, 15.0, 14.0))
    bars += [Capsule(root, middle, 13.0, 10.0), Capsule(middle, end, 9.6, 7.4)]
    for x in (-11.0, 11.0):
        bars.append(
            Capsule(np.array([x, 138.0, lift - 7.0]), np.array([x, 172.0, 12.0]), 15.0, 15.5)
        )
    return bars


def _unit(vector: Vector) -> Vector:
    return np.asarray(vector / np.linalg.norm(vector))
