"""The labels of a planned game's frames, without any picture."""

from __future__ import annotations

import math
from collections.abc import Iterator

from games.simulated_detector import Labels

from studio.film.cameras import LabelCamera
from studio.film.frames import film
from studio.film.game_film import PlannedGame, label_line


def planned_frames(
    planned: PlannedGame, fps: float, from_s: float = 0.0, until_s: float = math.inf
) -> Iterator[tuple[float, Labels]]:
    """Yield the time and the tiles of each frame; equal frames share one list."""
    first = math.ceil(from_s * fps)
    last = math.ceil(min(until_s, planned.director.now) * fps)
    camera = LabelCamera(planned.place.table, planned.place.camera)
    known: Labels = []
    times = [number / fps for number in range(first, last + 1)]
    for frame in film(planned.scene_at, camera.look, times, fps):
        if frame.same_as == frame.number:
            line = label_line(frame, whole=True)["tiles"]
            assert isinstance(line, list), "a label line holds its tiles"
            known = line
        yield round(frame.time_s, 3), known
