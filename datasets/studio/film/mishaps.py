"""What happens to camera and lamps during a film: knocks and switched lamps."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from studio.film.grades import FilmGrade
from studio.film.timeline import ease
from studio.scene import CameraState

JOLT_S: Final = 0.7
SHAKES_PER_S: Final = 6.0
ADAPTS_S: Final = 1.2  # how long a camera takes to adapt to another light
MADE_UP: Final = 0.6  # share of a change of light that the camera compensates
FIRST_S, LAST_S = 6.0, 5.0  # quiet time at the beginning and at the end of a film


@dataclass(frozen=True)
class Bump:
    """A knock moves the camera for good."""

    start_s: float
    to: CameraState
    swing: CameraState
    """How far it swings while it shakes."""


@dataclass(frozen=True)
class Switch:
    """A lamp is switched on or off."""

    start_s: float
    light: float
    """Light afterwards, relative to the beginning of the film."""


@dataclass(frozen=True)
class Mishaps:
    """All mishaps in order of time."""

    bumps: Sequence[Bump] = ()
    switches: Sequence[Switch] = ()

    def camera_state_at(self, time_s: float) -> CameraState:
        """Return how the camera stands, and how light its pictures are."""
        sight = CameraState()
        for bump in self.bumps:
            since = time_s - bump.start_s
            if since >= JOLT_S:
                sight = bump.to
            elif since > 0:
                share = since / JOLT_S
                swing = math.sin(2 * math.pi * SHAKES_PER_S * since) * (1 - share)
                sight = sight.towards(bump.to, ease(share)).plus(bump.swing, swing)
        return sight.lit(self._light_at(time_s))

    def _light_at(self, time_s: float) -> float:
        before, light = 1.0, 1.0
        for switch in self.switches:
            since = time_s - switch.start_s
            if since < 0:
                break
            # The camera had adapted to the light before; now it adapts again.
            step, kept = switch.light / before, light
            adapted = min(1.0, since / ADAPTS_S)
            light = kept * step ** (1 - MADE_UP * adapted)
            before = switch.light
        return round(light, 3)


NO_MISHAPS: Final = Mishaps()


def draw_mishaps(rng: random.Random, grade: FilmGrade, length_s: float) -> Mishaps:
    """Draw the mishaps of a film of this length."""
    latest = max(FIRST_S, length_s - LAST_S)
    starts = sorted(rng.uniform(FIRST_S, latest) for _ in range(rng.randint(*grade.bumps)))
    bumps = [Bump(at, _pose(rng), _pose(rng)) for at in starts]
    moments = sorted(rng.uniform(FIRST_S, latest) for _ in range(rng.randint(*grade.switches)))
    lights, switches = (0.55, 1.0, 1.45), []
    light = 1.0
    for at in moments:
        light = rng.choice([other for other in lights if other != light])
        switches.append(Switch(at, light))
    return Mishaps(bumps, switches)


def _pose(rng: random.Random) -> CameraState:
    """Draw where a knock leaves the camera: turned a little, hardly displaced."""
    far = rng.choice((6.0, 15.0, 35.0))
    return CameraState(
        (rng.gauss(0, 6), rng.gauss(0, 6), rng.gauss(0, 3)),
        (rng.gauss(0, far), rng.gauss(0, far)),
        rng.gauss(0, far / 12),
    )
