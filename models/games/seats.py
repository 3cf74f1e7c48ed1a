"""Games read from labels with and without seat cameras: how many doubts these settle."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from games.labels import planned_frames
from games.recorded import RecordedDecoder
from games.simulated_detector import HARD, ORDINARY, DetectorErrors, looks
from numpy.typing import NDArray

from engine.events import Discard, Entry
from engine.log import in_force
from engine.tiles import UNKNOWN
from studio.film.game_film import PlannedGame, Settings, plan, seat_label_camera
from studio.play.truth import seen_entries, true_entries
from studio.scene import Label
from vision.compare import NOTHING, Report, compare
from vision.seat_camera.row_reader import StandingRow
from vision.seat_camera.standing_hand import HandWatch
from vision.seat_camera.witness import SeatWitness, Witness
from vision.tiles.classes import FACE_INDEX, FACES

FPS: Final = 5.0
FOUND: Final = 0.98  # share of a row's tiles that one look finds
RIGHT: Final = 0.96  # share of tiles that are always named right
VISIBLE: Final = 0.6
ERRORS: Final = {"ordinary": ORDINARY, "hard": HARD}


@dataclass(frozen=True)
class GameReading:
    """One game read in one way."""

    report: Report
    questions: int
    unknown: int
    """Discards of unknown face."""
    shifts: tuple[float | None, ...] = ()
    """Clock offset found for each seat."""

    def plus(self, other: GameReading) -> GameReading:
        report = self.report.together(other.report)
        shifts = self.shifts + other.shifts
        return GameReading(
            report, self.questions + other.questions, self.unknown + other.unknown, shifts
        )

    def __str__(self) -> str:
        wrong = len(self.report.missing) + len(self.report.extra)
        return (
            f"precision {self.report.precision:.4f}, recall {self.report.recall:.4f}, {wrong} "
            f"events missing or invented, {self.questions} questions, {self.unknown} discards "
            "of unknown face"
        )


NONE: Final = GameReading(NOTHING, 0, 0)


def read_both(
    rules: str, seed: int, errors: str, seats: tuple[int, ...], shift_s: float | None = 0.0
) -> tuple[GameReading, GameReading]:
    """Read a game without and with cameras at these seats; ``shift_s`` None must be found."""
    settings = Settings(rules, seed, Path(), fps=FPS, grade=errors, video=False)
    planned = plan(settings)
    begins_s = 4.3 if shift_s is None else shift_s
    hands = {
        seat: SeatWitness(hands_of(settings, planned, seat, begins_s), shift_s, shift_s is not None)
        for seat in seats
    }
    true = seen_entries(true_entries(planned.director.marks), (), rules)
    kinds = ERRORS[errors]
    without = _read(rules, planned, kinds, seed, Witness(), true)
    return without, _read(rules, planned, kinds, seed, Witness(hands), true)


def hands_of(
    settings: Settings, planned: PlannedGame, seat: int, begins_s: float = 0.0
) -> HandWatch:
    """Return what a seat's camera reads of its hand, with realistic errors."""
    eye, watch = seat_label_camera(settings, planned.place, seat), HandWatch()
    rng = random.Random(f"row {settings.seed} {seat}")
    taken_for: dict[int, str] = {}
    count = math.ceil((planned.director.now - begins_s) * FPS) + 1
    for number in range(count):
        time_s = number / FPS
        labels = eye.labels(planned.scene_at(time_s + begins_s))
        watch.look(time_s, _row(labels, rng, taken_for))
    return watch


def _row(
    labels: tuple[Label, ...], rng: random.Random, taken_for: dict[int, str]
) -> StandingRow | None:
    found = [label for label in labels if label.visible >= VISIBLE and rng.random() < FOUND]
    if len(found) < 4:
        return None
    faces = np.array([_faces(label, rng, taken_for) for label in found])
    quads = np.array([label.corners_px for label in found], np.float64)
    wide = float(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1).mean())
    return StandingRow(faces, quads, quads[:, :, 0].mean(axis=1) / wide)


def _faces(label: Label, rng: random.Random, taken_for: dict[int, str]) -> NDArray[np.float64]:
    if label.id not in taken_for:
        wrong = rng.random() > RIGHT
        taken_for[label.id] = rng.choice(FACES[:34]) if wrong else label.tile
    sure = rng.uniform(0.6, 0.99) if taken_for[label.id] == label.tile else rng.uniform(0.4, 0.7)
    faces = np.full(len(FACES), (1 - sure) / len(FACES))
    faces[FACE_INDEX[taken_for[label.id]]] += sure
    return faces


def _read(
    rules: str,
    planned: PlannedGame,
    errors: DetectorErrors,
    seed: int,
    witness: Witness,
    true: list[Entry],
) -> GameReading:
    decoder = RecordedDecoder(rules, planned.place.view, witness)
    lines: list[Entry] = []
    for look in looks(planned_frames(planned, FPS), planned.place.view, errors, seed):
        lines += decoder.look(look)
    questions = len(decoder.questions())
    lines += decoder.close()
    read = [event.entry for event in in_force(lines)]
    unknown = sum(
        isinstance(entry.event, Discard) and entry.event.tile == UNKNOWN for entry in read
    )
    shifts = tuple(seat.shift_s for seat in witness.seats.values())
    return GameReading(compare(true, read), questions, unknown, shifts)
