"""Frames of a planned game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from studio.film.director import Director
from studio.film.mishaps import NO_MISHAPS, Mishaps
from studio.scene import Arm, TableScene, TilePose

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class FilmFrame(Generic[Seen]):
    """One frame of a film."""

    number: int
    time_s: float
    same_as: int
    """Number of the first frame that shows the same; its own number if it is new."""
    seen: Seen


def scene_at(director: Director, time_s: float, mishaps: Mishaps = NO_MISHAPS) -> TableScene:
    """Return everything on and over the table at one moment, and the camera's state."""
    tiles = tuple(
        TilePose(tile, director.faces[tile], at.x_mm, at.y_mm, at.z_mm, at.yaw_deg, at.pose)
        for tile, at in director.stage.tiles_at(time_s)
    )
    arms = tuple(
        Arm(seat, stop.x_mm, stop.y_mm, stop.height_mm, stop.open_amount, left=hand == 1)
        for seat, hand, stop in director.stage.arms_at(time_s)
    )
    return TableScene(tiles, arms, director.things_at(time_s), mishaps.camera_state_at(time_s))


def film(
    scene_of: Callable[[float], TableScene],
    look: Callable[[Sequence[TableScene]], Seen],
    times_s: Sequence[float],
    fps: float,
    open_s: float = 0.0,
) -> Iterator[FilmFrame[Seen]]:
    """Look at each moment, but not again at a table that has not changed.

    The shutter is open for ``open_s`` before each moment. ``look`` receives the scenes of that
    time, or a single one if nothing moved.
    """
    before: tuple[Sequence[TableScene], FilmFrame[Seen]] | None = None
    for time_s in times_s:
        number = round(time_s * fps)
        moments = [scene_of(time_s - open_s * back / 2) for back in (2, 1, 0)] if open_s else []
        scene = moments[-1] if moments else scene_of(time_s)
        scenes = moments if any(one != scene for one in moments) else [scene]
        if before is not None and before[0] == scenes:
            frame = FilmFrame(number, time_s, before[1].same_as, before[1].seen)
        else:
            frame = FilmFrame(number, time_s, number, look(scenes))
        before = scenes, frame
        yield frame
