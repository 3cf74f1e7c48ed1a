"""A planned game as the labels of its frames: every tile where it would be seen, no pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator

from games.game import Labels

from studio.film.cameras import LabelCamera
from studio.film.frames import film
from studio.film.game_film import PlannedGame, label_line


def label_frames(
    planned: PlannedGame, fps: float, from_s: float = 0.0, until_s: float = math.inf
) -> Iterator[tuple[float, Labels]]:
    """When each frame is taken, and its tiles; those of frames alike are the same list."""
    first = math.ceil(from_s * fps)
    last = math.ceil(min(until_s, planned.director.now) * fps)
    eye = LabelCamera(planned.place.table, planned.place.camera)
    known: Labels = []
    for frame in film(planned.scene_at, eye.look, [n / fps for n in range(first, last + 1)], fps):
        if frame.same_as == frame.number:
            line = label_line(frame, whole=True)["tiles"]
            assert isinstance(line, list), "a label line holds its tiles"
            known = line
        yield round(frame.time_s, 3), known
