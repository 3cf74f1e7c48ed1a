"""A game of the benchmark read from its labels through a simulated detector."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from games.answers import answered
from games.bank import ReadingSampler
from games.clutter import things_on
from games.interruptions import InterruptedFilm, interrupted
from games.outcome import GameCase, Outcome, TableChecks, TimedRecord, outcome
from games.recorded import RecordedDecoder
from games.simulated_detector import (
    CLEAN,
    HARD,
    ORDINARY,
    UNSEEN_S,
    DetectorErrors,
    Labels,
    Thing,
    looks,
)
from games.starts import FPS, film_start, hands_needed
from numpy.typing import NDArray

from engine.events import Entry
from studio.film.cameras import LabelCamera, film
from studio.film.game_film import PlannedGame, Settings, label_line, plan
from studio.scene import CameraState
from vision.session import HELD_S
from vision.table.camera_shift import CLEARED_S, PLAYED_ON_S
from vision.table.relocate import Shift, found_again, shift_of
from vision.tracking.observe import Look

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
    hands = max(case.hands, hands_needed(case.start))
    settings = Settings(case.rules, case.seed, Path(), hands, fps=FPS, grade=case.grade)
    return plan(replace(settings, video=False))


class WatchedGame:
    """A game of the benchmark as its camera sees it, and what is true of that film."""

    def __init__(self, case: GameCase) -> None:
        self.case, self.planned = case, planned_game(case)
        marks = self.planned.director.marks
        self._film = (
            interrupted(case.interrupted, marks, case.rules, case.seed)
            if case.interrupted
            else InterruptedFilm(film_start(case.start, marks, case.rules, case.seed))
        )
        self._start = self._film.start
        self.true = self._start.true
        self.view = self.planned.place.view
        whole_s = self._start.still_s + self.planned.director.now - self._start.from_s
        self.length_s = min(whole_s, self._start.until_s)

    def frames(self) -> Iterator[tuple[float, Labels]]:
        """Yield the time and the tiles of each frame; equal frames share one list."""
        start = self._start
        shown = planned_frames(self.planned, FPS, start.from_s)
        first = next(shown)[1]
        before: Labels = [] if start.bare else first
        for number in range(round(start.still_s * FPS)):
            yield round(number / FPS, 3), before
        yield start.still_s, first
        for planned_s, tiles in shown:
            time_s = round(planned_s - start.from_s + start.still_s, 3)
            if time_s > start.until_s:
                break
            if self._film.at("covered", time_s) is None:
                before = self._uncovered(tiles, time_s)
                yield time_s, before
        if start.until_s < math.inf:  # the last picture is looked at for longer
            for number in range(1, round(HELD_S * FPS) + 1):
                yield round(self.length_s + number / FPS, 3), before

    def follower(self) -> CameraFollower:
        """Return what feeds a new decoder with the looks of this film."""
        return CameraFollower(self.planned, self.case, self._start.played_s)

    def looks(
        self, frames: Iterable[tuple[float, Labels]], follower: CameraFollower
    ) -> Iterator[Look]:
        """Yield what the simulated detector of the grade reads in these frames."""
        case, errors = self.case, ERRORS[self.case.grade]

        def everywhere(time_s: float) -> bool:
            return follower.looks_everywhere(time_s) or self._film.switched(time_s)

        for look in looks(
            frames, self.view, errors, case.seed, everywhere, self._clutter(), self._dark
        ):
            yield replace(look, held=look.time_s > self._start.until_s)

    def _dark(self, time_s: float) -> bool:
        return self._film.at("dark", time_s) is not None

    def _uncovered(self, tiles: Labels, time_s: float) -> Labels:
        """Return the tiles without those under somebody who leans over the table."""
        person = self._film.at("leaning", time_s)
        if person is None or not tiles:
            return tiles
        corners = np.array([tile["corners"] for tile in tiles], np.float64).reshape(-1, 2)
        places = self.view.to_table(corners, self.view.lying_mm)
        half_mm = self.planned.place.table.half_mm
        hidden = person.hides(places, self._start.played_s(time_s), half_mm).reshape(-1, 4)
        return [
            tile | {"visible": round(tile["visible"] * (1 - float(share)), 2)}
            for tile, share in zip(tiles, hidden.mean(axis=1), strict=True)
        ]

    def _clutter(self) -> Callable[[ReadingSampler], list[Thing]] | None:
        kind = "middle" if self.case.start == "dice" else self.case.clutter
        rng = random.Random(f"clutter {kind} {self.case.name}")
        return (lambda draws: things_on(kind, self.planned, draws, rng)) if kind else None


def read_labels(case: GameCase) -> Outcome:
    """Play and read one game; write nothing."""
    begun_s = time.process_time()
    game = WatchedGame(case)
    asked = sorted({(entry.t or 0.0) + SEEN_AFTER_S for entry in game.true})
    heard, tables, follower = TimedRecord(), TableChecks(), game.follower()
    shown: list[tuple[float, Labels]] = []

    def labelled() -> Iterator[tuple[float, Labels]]:
        for time_s, tiles in game.frames():
            tables.see(tiles, time_s)
            shown[:] = [(time_s, tiles)]
            yield time_s, tiles

    for look in game.looks(labelled(), follower):
        heard.take(follower.take(look), look.time_s)
        while asked and asked[0] <= look.time_s:
            del asked[0]
            if not asked or asked[0] > look.time_s:
                decoder = follower.decoder
                tables.ask(shown[0][1], look.time_s, decoder.observation, decoder.view)
    questions = follower.decoder.questions()
    helped = answered(follower.decoder, game.true)
    heard.take(follower.decoder.close(), game.length_s)
    result = outcome(case, "labels", game.true, heard, tables, game.length_s, follower.said)
    cpu_s = round(time.process_time() - begun_s, 1)
    return replace(result, cpu_s=cpu_s, questions=len(questions), untouched_when_answered=helped)


class CameraFollower:
    """Feeds a decoder; after a jolt of the camera only once the table is found again."""

    def __init__(
        self,
        planned: PlannedGame,
        case: GameCase,
        played_s: Callable[[float], float] = lambda film_s: film_s,
    ) -> None:
        """``played_s`` returns the moment of the planned game at a time of the film."""
        self.decoder = RecordedDecoder(case.rules, planned.place.view)
        self.said: list[str] = []
        self._planned, self._played_s = planned, played_s
        self._noise = np.random.default_rng([case.seed, 7])
        self._stood = CameraState()
        self._sight = CameraState()
        self._since_s = -math.inf
        self._found_s = -math.inf
        self._lost = False
        self._looked_s: float | None = None
        """When the last picture came that showed the table."""

    def take(self, look: Look) -> list[Entry]:
        sight = self._planned.mishaps.camera_state_at(self._played_s(look.time_s)).lit(1.0)
        if sight != self._sight:
            self._sight, self._since_s, self._lost = sight, look.time_s, True
        if self._looked_s is not None and look.time_s - self._looked_s > UNSEEN_S:
            self._since_s, self._lost = self._looked_s, True
        self._looked_s = look.time_s
        if self._lost and look.time_s - self._since_s >= CALM_S:
            seen = self.decoder.observation
            placed = () if seen is None else seen.placed
            played_on = look.time_s - self._since_s >= PLAYED_ON_S
            readings, shift = look.readings, self._shift()
            view = found_again(self.decoder.view, placed, readings, shift, played_on=played_on)
            if view is None and look.time_s - self._since_s >= CLEARED_S:
                view = found_again(self.decoder.view, (), readings, shift)
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
