"""Reads a film in a process of its own, so that its time and memory can be measured.

``python -m service.benchmark.film_process TASK``: a ``Task`` in JSON in, ``Figures`` in JSON out.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol

import numpy as np
import typer
from numpy.typing import NDArray

from engine.codec import read_record
from engine.events import Chow, Discard, Entry, Indicator, Kong, Pung, Win
from service.benchmark.peak_memory import own_peak_megabytes
from service.memory import give_back_large_blocks
from service.records import read_text
from service.table.reader import Reader
from service.weights import load_detector
from vision.attention.schedule import LIVE as LIVE_PACE
from vision.attention.schedule import RECORDED as RECORDED_PACE
from vision.camera.buffer import ahead
from vision.camera.frames import Frame, Frames
from vision.camera.live import PacedFile
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.compare import compare
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.detect import Detection, Detector
from vision.pipeline import STEP_S, ReaderSettings, TableReader, TileReader
from vision.table.view import TableView
from vision.tracking.observe import Look, Observation

LIVE, RECORDED = "live", "recorded"
WHOLE_LIVE, WHOLE_RECORDED = "whole frames live", "whole frames recorded"
WHOLE_FRAMES: Final = 10
"""Frames of a recording that are read, spread over it: each costs the same."""
UNTOLD_S: Final = 3.0
"""Events this close to the end are not counted: they may be announced after it."""


@dataclass(frozen=True)
class Task:
    """What to measure, and on which film."""

    way: str
    video: str
    seconds: float
    rules: str
    table: str | None = None
    seat0: str | None = None
    truth: str | None = None
    """Path of the film's true record."""


@dataclass(frozen=True)
class Figures:
    film_s: float
    wall_s: float
    cpu_s: float
    """Of all cores together."""
    frames: int
    """Frames that were looked at."""
    peak_mb: float | None
    """Peak memory; None where the system does not report it."""
    delays_s: tuple[float, ...] = ()
    by: str = "tilesight"
    """Name of the tracker."""
    told_film_s: float = 0.0
    told_wall_s: float = 0.0
    """When the first line was told, by the film and by the wall: until then the table was found,
    nets set themselves up and the tiles were dealt. Both are 0 where nothing was told."""
    decoder_s: float = 0.0
    """Processor time of the tracker and the decoder."""


class TimedSink:
    """A decoder, and the processor time that it has taken."""

    def __init__(self, decoder: Decoder) -> None:
        self.decoder, self.taken_s = decoder, 0.0

    @property
    def observation(self) -> Observation | None:
        return self.decoder.observation

    @property
    def dice_may_roll(self) -> bool:
        return self.decoder.dice_may_roll

    def look(self, look: Look) -> Decoding | None:
        begun_s = time.thread_time()
        decoding = self.decoder.look(look)
        self.taken_s += time.thread_time() - begun_s
        return decoding

    def moved(self, view: TableView) -> None:
        self.decoder.moved(view)

    def close(self) -> Decoding:
        return self.decoder.close()


def run(task: Task) -> Figures:
    """Measure in a new process."""
    command = [sys.executable, "-m", "service.benchmark.film_process", json.dumps(asdict(task))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    return Figures(**(told | {"delays_s": tuple(told["delays_s"])}))


def measure(task: Task) -> Figures:
    """Measure in this process; the clock starts when the weights are loaded."""
    pace = RECORDED_PACE if task.way == RECORDED else LIVE_PACE
    detector = load_detector(readers=pace.readers)
    view = None if task.table is None else TableView.load(Path(task.table), task.seat0)
    with contextlib.closing(_frames(task)) as frames:
        if task.way in (WHOLE_LIVE, WHOLE_RECORDED):
            return whole(frames, detector, view, task)
        true = () if task.truth is None else read_record(read_text(str(task.truth)))
        sinks: list[TimedSink] = []

        def sink(view: TableView) -> TimedSink:
            sinks.append(TimedSink(Decoder(task.rules, view)))
            return sinks[-1]

        reader = TableReader(detector, sink, ReaderSettings(view, task.seat0, pace))
        done, announced = watch(frames, reader, task.seconds)
        done = replace(done, decoder_s=sum(one.taken_s for one in sinks))
        if task.way != LIVE:
            return done
        late = delays_s(true, announced.entries(), done.film_s - UNTOLD_S)
        return replace(done, delays_s=late)


def watch(frames: Frames, reader: Reader, seconds: float) -> tuple[Figures, AnnouncementTimes]:
    """Read a film as it comes; an event is announced at the film's time of that moment."""
    clock, announced = Clock(), AnnouncementTimes()
    for reading in reader.read(frames):
        clock.saw(reading.frame)
        if reading.decoding is not None and reading.decoding.told:
            clock.told()
            announced.take(reading.decoding.told, clock.film_now_s)
        if reading.frame.time_s >= seconds:
            break
    return clock.figures(), announced


def whole(frames: Frames, detector: TileReader, view: TableView | None, task: Task) -> Figures:
    """Read every whole frame with the same weights, and track with the library's own tracker.

    Of a recording, decoding is not counted, and a few frames stand for all.
    """
    first = next(frames)
    tile_px = _tile_px(first, detector, view)
    by, follow = library_tracker()
    clock = Clock()
    looking_s = 0.0
    for frame in frames:
        begun_s = time.monotonic()
        tiles = detector.read(frame.image_bgr, None, tile_px)
        if follow is not None:
            follow(tiles, frame.image_bgr)
        looking_s += time.monotonic() - begun_s
        clock.saw(frame)
        if frame.time_s >= task.seconds:
            break
    done = clock.figures(by)
    return done if task.way == WHOLE_LIVE else replace(done, wall_s=looking_s)


def _tile_px(frame: Frame, detector: TileReader, view: TableView | None) -> float | None:
    """Width of the tiles, so that it need not be found anew in every frame."""
    if view is not None:
        return view.in_picture(*frame.size_px).tile_px
    widths = sorted(tile.width_px for tile in detector.read(frame.image_bgr, None, None))
    return widths[len(widths) // 2] if widths else None


class Clock:
    """Measures wall time, processor time and film time since it was made."""

    def __init__(self) -> None:
        self._begun_s, self._cpu_s = time.monotonic(), time.process_time()
        self._zero_s = float("inf")
        self._film_s = self._first_s = 0.0
        self._told_s = (0.0, 0.0)
        self._frames = 0

    def saw(self, frame: Frame) -> None:
        """Note a frame that was looked at."""
        # No frame arrives early, so the earliest one tells when the film began.
        self._zero_s = min(self._zero_s, time.monotonic() - frame.time_s)
        self._first_s = frame.time_s if not self._frames else self._first_s
        self._film_s = frame.time_s
        self._frames += 1

    def told(self) -> None:
        """Note that the last frame brought record lines."""
        if self._told_s == (0.0, 0.0):
            self._told_s = self._film_s - self._first_s, time.monotonic() - self._begun_s

    @property
    def film_now_s(self) -> float:
        """Where a film that plays in real time is now."""
        return time.monotonic() - self._zero_s

    def figures(self, by: str = "tilesight") -> Figures:
        return Figures(
            self._film_s - self._first_s,
            time.monotonic() - self._begun_s,
            time.process_time() - self._cpu_s,
            self._frames,
            own_peak_megabytes(),
            by=by,
            told_film_s=self._told_s[0],
            told_wall_s=self._told_s[1],
        )


def _frames(task: Task) -> Frames:
    path = Path(task.video)
    if task.way in (LIVE, WHOLE_LIVE):
        return PacedFile(path).frames()
    if task.way == RECORDED:
        return ahead(VideoFile(path).frames(STEP_S))
    return VideoFile(path).frames(task.seconds / WHOLE_FRAMES)


def main(arguments: Sequence[str]) -> None:
    give_back_large_blocks()
    print(json.dumps(asdict(measure(Task(**json.loads(arguments[0]))))))


if __name__ == "__main__":
    main(sys.argv[1:])


ACTS: Final = (Discard, Chow, Pung, Kong, Win, Indicator)
"""Events that a hand causes directly; deals and ends of hands are inferred from several signs."""


class AnnouncementTimes:
    """Collects what is told, and when each event was first announced in its final form."""

    def __init__(self) -> None:
        self._told: Sequence[Entry] = ()
        self._first_s: dict[str, float] = {}

    def take(self, told: Sequence[Entry], now_s: float) -> None:
        self._told = told
        for entry in told:
            self._first_s.setdefault(f"{entry.event} {entry.t}", now_s)

    def entries(self) -> list[Entry]:
        """The events told last, each with the time of its announcement."""
        return [
            replace(entry, t=self._first_s.get(f"{entry.event} {entry.t}")) for entry in self._told
        ]


def delays_s(true: Sequence[Entry], told: Sequence[Entry], until_s: float) -> tuple[float, ...]:
    """Return the delay of every correctly read event before ``until_s``.

    The true record's times are when hands left what they had put down.
    """
    seen = [one for one in true if one.t is None or one.t < until_s]
    timed = [one if isinstance(one.event, ACTS) else replace(one, t=None) for one in seen]
    return compare(timed, told).late_s


MODELS: Final = Path(__file__).parents[2] / "models"
ONLY_IN_SOURCE: Final = "not compared with other runtimes: models/rivals.py is in the source only"
NO_TRACKER: Final = "no tracker: it is in the source only"

Runs = Callable[[], object] | str
"""The same task done by another runtime, or why it is not."""
WholeFrameTracker = Callable[[Sequence[Detection], Picture], object]
"""Takes the tiles of one whole frame."""


class Rival(Protocol):
    """Another runtime that does what the detector does."""

    name: str

    def window(self, detector: Detector, window: Picture) -> Runs: ...

    def tiles(self, detector: Detector, crops: NDArray[np.uint8]) -> Runs: ...

    def table(self, detector: Detector, image: Picture, tile_px: float) -> Runs: ...


def rivals() -> Sequence[Rival]:
    """Other runtimes, installed or not; none, and a line that says so, without the source."""
    module = _module()
    if module is None:
        typer.echo(ONLY_IN_SOURCE, err=True)
        return ()
    found: Sequence[Rival] = module.rivals()
    return found


def library_tracker() -> tuple[str, WholeFrameTracker | None]:
    """The tracker of the detector's library and its name; None where there is none."""
    module = _module()
    if module is None:
        return NO_TRACKER, None
    found: tuple[str, WholeFrameTracker | None] = module.library_tracker()
    return found


def _module() -> ModuleType | None:
    if not (MODELS / "rivals.py").is_file():
        return None
    if str(MODELS) not in sys.path:
        sys.path.append(str(MODELS))
    return import_module("rivals")
