"""The people whom the arms belong to: torso, legs, neck and head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import Colour, TableLook
from studio.render.meshes import Capsule, Mesh, capsule_surface
from studio.scene import Arm, Prop, triple
from studio.things.table_body import CLOTH_WORN, SKIN, Solid

BEYOND_MM: Final = 470.0  # distance of a person from the table's edge
CLEAR_MM: Final = 480.0  # nobody sits this near to the camera


def people_solids(
    arms: Sequence[Arm], look: TableLook, eye_mm: tuple[float, float, float]
) -> Iterator[Solid]:
    """Yield one person behind each seat whose arms are visible."""
    for seat in sorted({arm.seat for arm in arms}):
        turn = -np.pi / 2 * seat
        out = np.array([-np.sin(turn), np.cos(turn), 0.0])
        at = out * (look.field_mm / 2 + max(BEYOND_MM, look.rim_mm[0] + 250))
        if np.hypot(at[0] - eye_mm[0], at[1] - eye_mm[1]) < CLEAR_MM:
            continue
        bare = look.sleeves[seat] == look.skins[seat]
        shirt = _shirt(look, seat) if bare else look.sleeves[seat]
        worn = shirt, _shirt(look, seat + 1), look.skins[seat], _hair(look, seat)
        yield from _person(at, out, *worn)
        side = np.array([-out[1], out[0], 0.0])
        frame = np.stack([side, out, np.array([0.0, 0.0, 1.0])], axis=1)
        back = at + out * 190
        chair = look.rim if seat % 2 else look.console
        yield Solid("box", (back[0], back[1], -120.0), (190, 22, 260), frame, chair)


def sitter_solids(prop: Prop) -> Iterator[Solid]:
    """Yield a seated person without arms; the prop's yaw points to the table."""
    rng = np.random.default_rng(prop.seed)
    turn = np.deg2rad(prop.yaw_deg)
    out = np.array([-np.sin(turn), np.cos(turn), 0.0])
    blue, green, red = prop.colour_bgr
    legs, skin = rng.uniform(0.01, 0.4, 3), np.array([0.72, 0.42, 0.29]) * rng.uniform(0.15, 1.1)
    hair = np.array([1.2, 0.9, 0.8]) * rng.choice([0.012, 0.03, 0.15, 0.4])
    at = np.array([prop.x_mm, prop.y_mm, prop.lift_mm])
    yield from _person(at, out, (red, green, blue), triple(legs), triple(skin), triple(hair))


def _person(
    at: NDArray[np.float64],
    out: NDArray[np.float64],
    shirt: Colour,
    trousers: Colour,
    skin: Colour,
    hair: Colour,
) -> Iterator[Solid]:
    """Yield torso, legs, neck and head; ``out`` points from the table to the person's back."""
    side, up = np.array([-out[1], out[0], 0.0]), np.array([0.0, 0.0, 1.0])
    frame = np.stack([side, out, up], axis=1)
    still = (1.0, 1.0, 1.0)
    yield Solid("torso", at, still, frame, shirt, stuff=CLOTH_WORN)
    yield Solid("legs", at, still, frame, trousers, stuff=CLOTH_WORN)
    neck, head = at - out * 20 + up * 235, at - out * 55 + up * 370
    yield Solid("ball", neck, (55, 60, 90), frame, skin, stuff=SKIN)
    yield Solid("ball", head, (76, 96, 112), frame, skin, stuff=SKIN)
    scalp = head + out * 16 + up * 22
    yield Solid("ball", scalp, (83, 98, 108), frame, hair, stuff=CLOTH_WORN)


def _shirt(look: TableLook, seat: int) -> Colour:
    red, green, blue = look.sleeves[(seat + 1) % 4]
    return 0.8 * blue + 0.02, 0.8 * red + 0.02, 0.8 * green + 0.02


def _hair(look: TableLook, seat: int) -> Colour:
    """Return a hair colour: dark with dark skin, otherwise from black to grey."""
    red, _, blue = look.skins[seat]
    grey = 0.012 + 0.25 * max(0.0, (red * 53.0) % 1.0 - 0.7)
    return grey * (1.0 + blue), grey * 0.9, grey * 0.8


def body_mesh(name: str) -> Mesh:
    """Return a torso or legs, seated at the origin and facing -y."""
    sides = (-1.0, 1.0)
    if name == "torso":
        bars = [
            Capsule((-120, 0, 120), (120, 0, 120), 78, 78),
            Capsule((0, 15, 60), (0, 20, -330), 128, 135),
        ]
        bars += [Capsule((165 * x, 0, 120), (175 * x, -60, -60), 66, 52) for x in sides]
        bars += [Capsule((175 * x, -60, -60), (120 * x, -230, 20), 52, 46) for x in sides]
        return capsule_surface(bars, 16.0, 17.0)
    bars = [Capsule((90 * x, 0, -330), (105 * x, -400, -320), 88, 68) for x in sides]
    bars += [Capsule((105 * x, -400, -320), (105 * x, -380, -690), 66, 48) for x in sides]
    return capsule_surface(bars, 14.0, 18.0)
