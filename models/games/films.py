"""A game of the benchmark that is filmed and read with the shipped nets."""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from games.answers import answered
from games.outcome import CALM, GameCase, Outcome, TableChecks, TimedRecord, outcome
from games.recorded import RecordedDecoder
from games.simulated_detector import Labels, label_frames

from engine.codec import read_record
from studio.camera.troubles import GOOD, TroubledCamera, trouble_of
from vision.attention.schedule import LIVE, RECORDED
from vision.camera.frames import Frame, Frames
from vision.camera.video_file import VideoFile
from vision.decoder.decoder import Decoder
from vision.detect import Detector
from vision.pipeline import ReaderSettings, TableReader
from vision.table.calibrate import NoTable
from vision.table.view import TableView

FPS: Final = 5.0
SIZE_PX: Final = (1280, 720)
STYLE: Final = "taiwanese"  # drawn faces that are in no training picture
HANDS: Final = 1
SEEN_AFTER_S: Final = 1.0


def shoot(case: GameCase, folder: Path) -> None:
    """Film the game into a folder, unless it is there."""
    if (folder / "labels.jsonl").exists() and (folder / "video.mp4").exists():
        return
    from studio.film.game_film import Settings, make  # needs OpenGL, which reading does not

    width, height = SIZE_PX
    settings = Settings(
        case.rules, case.seed, folder, HANDS, width, height, FPS, style=STYLE, grade=case.grade
    )
    for _ in make(settings):
        pass


def read_film(case: GameCase, folder: Path) -> Outcome:
    """Read the film in a process of its own, whose memory is measured."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_read, (case, folder))


def _read(case: GameCase, folder: Path) -> Outcome:
    begun_s, camera = time.process_time(), PoorCamera(case, folder)
    try:
        found, result = True, _told(case, camera, None)
    except NoTable:
        view = TableView.load(folder / "table.toml")
        begun_s, camera = time.process_time(), PoorCamera(case, folder)
        found, result = False, _told(case, camera, view)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    figures: dict[str, Any] = {
        "cpu_s": round(time.process_time() - begun_s - camera.spent_s, 1),
        "memory_mb": round(used / (1024 if sys.platform == "linux" else 1024**2), 1),
        "table_found": found,
    }
    return replace(result, **figures)


class PoorCamera:
    """A film, as a camera with the case's trouble would have taken it."""

    def __init__(self, case: GameCase, folder: Path) -> None:
        self.folder = folder
        trouble = GOOD if case.trouble in ("", CALM) else trouble_of(case.trouble)
        self._poor = TroubledCamera(trouble, zlib.crc32(case.name.encode()))
        self._sent = 0
        self.spent_s = 0.0
        """Time of the processor for spoiling it, which no reader spends."""

    def frames(self) -> Frames:
        for frame in VideoFile(self.folder / "video.mp4").frames(LIVE.step_s):
            begun_s = time.thread_time()
            sent = self._poor.send(frame.time_s, frame.image_bgr)
            self.spent_s += time.thread_time() - begun_s
            if sent is not None:
                # What a camera does not send, no computer has failed to read.
                yield replace(frame, pixels=sent, index=self._sent)
                self._sent += 1


def _told(case: GameCase, camera: PoorCamera, view: TableView | None) -> Outcome:
    folder = camera.folder
    true = read_record((folder / "seen.jsonl").read_text(encoding="utf-8"))
    asked = [(entry.t or 0.0) + SEEN_AFTER_S for entry in true]
    heard, tables = TimedRecord(), TableChecks()
    decoders: list[RecordedDecoder] = []
    asked_for: dict[str, Any] = {}

    def takes(found: TableView) -> Decoder:
        decoders.append(RecordedDecoder(case.rules, found))
        return decoders[-1].decoder

    def frames() -> Iterator[Frame]:
        yield from (
            camera.frames() if case.trouble else VideoFile(folder / "video.mp4").frames(LIVE.step_s)
        )
        # After the last frame, before the hand is closed: questions are still open.
        for decoder in decoders:
            asked_for["questions"] = len(decoder.questions())
            asked_for["untouched_when_answered"] = answered(decoder, true)

    schedule = RECORDED if case.trouble else LIVE
    detector = Detector.load(readers=schedule.readers)
    reader = TableReader(detector, takes, ReaderSettings(view, schedule=schedule))
    # A spoilt picture shows tiles elsewhere than the labels of the clean one tell.
    labels = _Labels(folder, tables, known=not case.trouble)
    said: list[str] = []
    now_s = 0.0
    for reading in reader.read(frames()):
        now_s = reading.frame.time_s
        if decoders:
            heard.take(decoders[-1].take(reading.decoding), now_s)
        said += [f"{notice.time_s:.1f} s: {notice.text}" for notice in reading.notices]
        tiles = labels.at(now_s)
        while asked and asked[0] <= now_s:
            del asked[0]
            due = not asked or asked[0] > now_s
            if due and labels.known and reader.view is not None:
                tables.ask(tiles, now_s, reader.observation, reader.view)
    result = outcome(case, "films", true, heard, tables, now_s, said)
    return replace(result, **asked_for)


class _Labels:
    """The labels of a film, read in step with it; a real film has none."""

    def __init__(self, folder: Path, tables: TableChecks, known: bool) -> None:
        path = folder / "labels.jsonl"
        self.known = known and path.exists()
        self._lines: Iterator[tuple[float, Labels]] = label_frames(path) if self.known else iter(())
        self._tables = tables
        self._ahead: tuple[float, Labels] | None = next(self._lines, None)
        self._now: Labels = []

    def at(self, time_s: float) -> Labels:
        """Return the tiles of the frame at this time."""
        while self._ahead is not None and self._ahead[0] <= time_s + 0.5 / FPS:
            self._now = self._ahead[1]
            self._tables.see(self._now, self._ahead[0])
            self._ahead = next(self._lines, None)
        return self._now


def kept(path: Path) -> Outcome | None:
    """Return the figures of a game that was read before."""
    if not path.exists():
        return None
    return Outcome(**json.loads(path.read_text(encoding="utf-8")))
