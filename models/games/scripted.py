"""Scripted games, read from their labels or from their films."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from games.bank import ReadingSampler
from games.films import FPS, SIZE_PX, STYLE
from games.labels import CameraFollower, planned_frames
from games.outcome import GameCase
from games.simulated_detector import HARD, ORDINARY, PERFECT, Labels, Thing, looks

from engine.codec import read_record
from engine.events import Entry, Position
from engine.log import in_force
from studio.film.game_film import PlannedGame, Settings, make, plan
from studio.play.scripts import GameScript
from studio.play.truth import seen_entries
from studio.scene import footprint
from studio.things.dice import USUAL_MM
from vision.attention.schedule import LIVE
from vision.camera.video_file import VideoFile
from vision.compare import Report, compare
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.view import TableView

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
        follower = CameraFollower(self.planned, GameCase(GRADE, self.rules, seed))
        view, everywhere = self.planned.place.view, follower.looks_everywhere
        detector, lines = DETECTORS[errors], list[Entry]()
        clutter = None if detector.bank is None else self._dice
        for look in looks(self.frames, view, detector, seed, everywhere, clutter):
            lines += follower.take(look)
        lines += follower.decoder.close()
        return judged(seen_entries(self.planned.true_record(), (), self.rules), lines)

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


def judged(true: Sequence[Entry], read: Sequence[Entry]) -> Report:
    """Compare two records; a position counts as read only if its rivers and sets are right."""
    report = compare(true, read)
    first, second = _position(true), _position(read)
    if first is None or second is None or _lying(first) == _lying(second):
        return report
    return replace(
        report,
        matched=report.matched - 1,
        missing=(*report.missing, first),
        extra=(*report.extra, second),
    )


def _settings(script: GameScript, out: Path) -> Settings:
    width, height = SIZE_PX
    rules, seed = script.rules, script.seed
    return Settings(
        rules, seed, out, 1, width, height, FPS, style=STYLE, grade=GRADE, script=script
    )


def _position(entries: Sequence[Entry]) -> Position | None:
    events = (event.entry.event for event in in_force(entries))
    return next((event for event in events if isinstance(event, Position)), None)


def _lying(position: Position) -> tuple[object, ...]:
    rivers = tuple(tuple(discard.tile for discard in river) for river in position.rivers or ())
    sets = tuple(
        tuple((type(claim).__name__, claim.tile, claim.from_seat) for claim in claims)
        for claims in position.sets or ()
    )
    return rivers, sets, position.turn
