"""How hard a film is to read: four grades, and ``any``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class FilmGrade:
    """What makes a film hard to read; details are drawn from the film's seed."""

    tilt_deg: tuple[float, float] | None = None
    """Range of the camera's tilt; any usual tilt if None."""
    lingers: float = 0.0
    """Probability that a hand stays over what it has put down."""
    glare: bool | None = None
    """Whether the tiles mirror a bright window; sometimes if None."""
    crf: int | None = None
    """H.264 quantiser of the video; the user's if None."""
    bumps: tuple[int, int] = (0, 0)
    """Least and greatest number of knocks that move the camera for good."""
    switches: tuple[int, int] = (0, 0)
    """Least and greatest number of times that a lamp is switched."""
    knocks: float = 0.0
    """Probability that tiles are knocked over and put right at the start of a turn."""
    sloppy: float = 1.0
    """How far from its place a tile is laid down, in what is usual."""


GRADES: Final[dict[str, FilmGrade]] = {
    "any": FilmGrade(),
    "clean": FilmGrade(tilt_deg=(0.0, 6.0), glare=False, crf=18),
    "ordinary": FilmGrade(tilt_deg=(0.0, 20.0), crf=24),
    "hard": FilmGrade(tilt_deg=(18.0, 35.0), lingers=0.35, glare=True, crf=33),
    "hostile": FilmGrade(
        tilt_deg=(0.0, 28.0), lingers=0.2, crf=28, bumps=(1, 2), switches=(1, 2), knocks=0.12
    ),
}
"""By name; ``any`` is how films were drawn before there were grades."""
