"""How hard a film is to read: four grades, and whatever comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class FilmGrade:
    """What a film of this grade shows; times and measures are drawn from the film's seed."""

    tilt_deg: tuple[float, float] | None = None
    """How far the camera leans, drawn between these; any lean that is usual if left out."""
    lingers: float = 0.0
    """How often a hand stays over what it has put down."""
    glare: bool | None = None
    """Whether a bright window is mirrored in the tiles; now and then if left out."""
    crf: int | None = None
    """Loss of the video, H.264's scale; what is asked for if left out."""
    bumps: tuple[int, int] = (0, 0)
    """How often the camera is knocked and stands otherwise afterwards: at least, at most."""
    switches: tuple[int, int] = (0, 0)
    """How often a lamp is switched."""
    knocks: float = 0.0
    """How often a turn begins with tiles that are knocked over and put right."""


GRADES: Final[dict[str, FilmGrade]] = {
    "any": FilmGrade(),
    "clean": FilmGrade(tilt_deg=(0.0, 6.0), glare=False, crf=18),
    "ordinary": FilmGrade(tilt_deg=(0.0, 20.0), crf=24),
    "hard": FilmGrade(tilt_deg=(18.0, 35.0), lingers=0.35, glare=True, crf=33),
    "hostile": FilmGrade(
        tilt_deg=(0.0, 28.0),
        lingers=0.2,
        crf=28,
        bumps=(1, 2),
        switches=(1, 2),
        knocks=0.12,
    ),
}
"""By name; ``any`` is what films were drawn from before there were grades."""
