"""Scripted games, read from their labels or from their films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from games.bank import ReadingSampler
from games.films import FPS, SIZE_PX, STYLE
from games.labels import CameraFollower, planned_frames
from games.outcome import GameCase, judged
from games.simulated_detector import HARD, ORDINARY, PERFECT, Labels, Thing, looks

from engine.codec import read_record
from engine.events import Entry
from studio.film.game_film import PlannedGame, Settings, make, plan
from studio.play.scripts import GameScript
from studio.play.truth import seen_entries
from studio.scene import footprint
from studio.things.dice import USUAL_MM
from vision.attention.schedule import LIVE
from vision.camera.video_file import VideoFile
from vision.compare import Report
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import TableView
from vision.tracking.observe import Look

GRADE: Final = "ordinary"
DETECTORS: Final = {"perfect": PERFECT, "ordinary": ORDINARY, "hard": HARD}
READERS: Final = (("perfect", 0), ("ordinary", 97301), ("ordinary", 97302))
"""Detectors, and the seeds of their errors, by which the labels of every script are read."""


@dataclass(frozen=True)
class ScriptLabels:
    """A script that has been played and acted, and the labels of its frames."""

    planned: PlannedGame
    frames: Sequence[tuple[float, Labels]]
    rules: str

    @classmethod
    def of(cls, script: GameScript) -> ScriptLabels:
        planned = plan(_settings(script, Path()))
        frames = list(planned_frames(planned, FPS, planned.begins_s))
        return cls(planned, frames, script.rules)

    def read(self, errors: str, seed: int) -> Report:
        """Read the labels through a simulated detector, whose errors ``seed`` determines."""
        follower, lines = (
            CameraFollower(self.planned, GameCase(GRADE, self.rules, seed)),
            list[Entry](),
        )
        for look in self.looks(errors, seed, follower):
            lines += follower.take(look)
        lines += follower.decoder.close()
        return judged(seen_entries(self.planned.true_record(), (), self.rules), lines)

    def looks(self, errors: str, seed: int, follower: CameraFollower) -> Iterator[Look]:
        """Yield what a simulated detector reads."""
        detector, view = DETECTORS[errors], self.planned.place.view
        clutter = None if detector.bank is None else self._dice
        return looks(self.frames, view, detector, seed, follower.looks_everywhere, clutter)

    def _dice(self, draws: ReadingSampler) -> list[Thing]:
        """Return the dice that lie on the table, each read as something that is no tile."""
        dice = [thing for thing in self.planned.director.things if thing.kind == "die"]
        sides = [USUAL_MM * die.stretch[0] for die in dice]
        return [
            Thing(footprint(die.x_mm, die.y_mm, die.yaw_deg, side, side), *draws.phantom())
            for die, side in zip(dice, sides, strict=True)
        ]


def read_script_film(script: GameScript, folder: Path) -> Report:
    """Read a script's film with the shipped nets; film it first unless it is in the folder."""
    if not (folder / "labels.jsonl").exists() or not (folder / "video.mp4").exists():
        for _ in make(_settings(script, folder)):
            pass
    true = read_record((folder / "seen.jsonl").read_text(encoding="utf-8"))
    settings = ReaderSettings(TableView.load(folder / "table.toml"))
    reader = TableReader(Detector.load(), script.rules, settings)
    entries: Sequence[Entry] = ()
    for reading in reader.read(VideoFile(folder / "video.mp4").frames(LIVE.step_s)):
        entries = entries if reading.decoding is None else reading.decoding.told
    return judged(true, entries)


def _settings(script: GameScript, out: Path) -> Settings:
    width, height = SIZE_PX
    rules, seed = script.rules, script.seed
    return Settings(
        rules, seed, out, 1, width, height, FPS, style=STYLE, grade=GRADE, script=script
    )
