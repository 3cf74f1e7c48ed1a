"""A game of the benchmark read from its labels through a simulated detector."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from games.answers import answered
from games.outcome import GameCase, Outcome, TableChecks, TimedRecord, outcome
from games.simulated_detector import CLEAN, HARD, ORDINARY, DetectorErrors, Labels, looks
from numpy.typing import NDArray

from engine.events import Entry
from studio.film.cameras import LabelCamera, film
from studio.film.game_film import PlannedGame, Settings, label_line, plan
from studio.play.truth import seen_entries, true_entries
from studio.scene import CameraState
from vision.decoder.decoder import Decoder
from vision.table.relocate import Shift, found_again, shift_of
from vision.tracking.observe import Look

FPS: Final = 5.0
SEEN_AFTER_S: Final = 0.8  # the table is checked this long after an event
ERRORS: Final[dict[str, DetectorErrors]] = {
    "clean": CLEAN,
    "ordinary": ORDINARY,
    "hard": HARD,
    "hostile": HARD,
}
"""The simulated detector of each grade."""
CALM_S: Final = 0.6  # the table is searched again once the camera has been still for this long
ANEW_S: Final = 0.7  # a table that was found again is read completely for this long: three looks
POINTS: Final = 60  # background points that are tracked to estimate the camera's shift
POINTS_OFF_PX: Final = 0.7
LOST_POINTS: Final = 0.15  # share of the points that are tracked wrongly


def planned_game(case: GameCase) -> PlannedGame:
    """Play and act a game; nothing is drawn."""
    settings = Settings(case.rules, case.seed, Path(), fps=FPS, grade=case.grade, video=False)
    return plan(settings)


def read_labels(case: GameCase) -> Outcome:
    """Play and read one game; write nothing."""
    begun_s = time.process_time()
    planned = planned_game(case)
    true = true_entries(planned.director.marks)
    asked = [mark.t_s + SEEN_AFTER_S for mark in planned.director.marks]
    heard, tables, follower = TimedRecord(), TableChecks(), CameraFollower(planned, case)
    shown: list[tuple[float, Labels]] = []

    def labelled() -> Iterator[tuple[float, Labels]]:
        for time_s, tiles in planned_frames(planned, FPS):
            tables.see(tiles, time_s)
            shown[:] = [(time_s, tiles)]
            yield time_s, tiles

    view, errors = planned.place.view, ERRORS[case.grade]
    for look in looks(labelled(), view, errors, case.seed, follower.looks_everywhere):
        heard.take(follower.take(look), look.time_s)
        while asked and asked[0] <= look.time_s:
            del asked[0]
            if not asked or asked[0] > look.time_s:
                decoder = follower.decoder
                tables.ask(shown[0][1], look.time_s, decoder.observation, decoder.view)
    questions = follower.decoder.questions()
    seen = seen_entries(true, False, case.rules)
    helped = answered(follower.decoder, seen, heard.lines)
    heard.take(follower.decoder.close(), planned.director.now)
    result = outcome(case, "labels", seen, heard, tables, planned.director.now, follower.said)
    cpu_s = round(time.process_time() - begun_s, 1)
    return replace(result, cpu_s=cpu_s, questions=len(questions), untouched_when_answered=helped)


class CameraFollower:
    """Feeds a decoder; after a jolt of the camera only once the table is found again."""

    def __init__(self, planned: PlannedGame, case: GameCase) -> None:
        self.decoder = Decoder(case.rules, planned.place.view)
        self.said: list[str] = []
        self._planned = planned
        self._noise = np.random.default_rng([case.seed, 7])
        self._stood = CameraState()
        self._sight = CameraState()
        self._since_s = -math.inf
        self._found_s = -math.inf
        self._lost = False

    def take(self, look: Look) -> list[Entry]:
        sight = self._planned.mishaps.camera_state_at(look.time_s).lit(1.0)
        if sight != self._sight:
            self._sight, self._since_s, self._lost = sight, look.time_s, True
        if self._lost and look.time_s - self._since_s >= CALM_S:
            seen = self.decoder.observation
            placed = () if seen is None else seen.placed
            view = found_again(self.decoder.view, placed, look.readings, self._shift())
            if view is not None:
                self.decoder.moved(view)
                self._stood, self._lost = sight, False
                self._found_s = look.time_s
                self.said.append(f"table found again at {look.time_s:.1f} s")
        return [] if self._lost else self.decoder.look(look)

    def looks_everywhere(self, time_s: float) -> bool:
        """Return whether the whole table is read: while it is lost, and just after."""
        return self._lost or time_s - self._found_s < ANEW_S

    def _shift(self) -> Shift | None:
        """Estimate the camera's shift from noisy background points, some of them wrong."""
        camera = self._planned.place.camera
        half = self._planned.place.table.half_mm
        points = self._noise.uniform(-1.15 * half, 1.15 * half, (POINTS, 2))
        flat = np.column_stack([points, np.zeros(POINTS)])
        before = camera.moved(self._stood).project(flat)
        after: NDArray[np.float64] = camera.moved(self._sight).project(flat)
        after = after + self._noise.normal(0, POINTS_OFF_PX, after.shape)
        wrong = self._noise.random(POINTS) < LOST_POINTS
        after[wrong] += self._noise.normal(0, 40, (int(wrong.sum()), 2))
        return shift_of(before, after)


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
