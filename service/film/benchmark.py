"""``tilesight dev benchmark FILM``: the speed of reading films, beside that of reading every frame.

Each way is measured in a process of its own, so that its time and memory can be told:
``python -m service.film.benchmark TASK`` takes a ``Task`` in JSON and prints ``Figures`` in JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from engine.events import Chow, Discard, Entry, Indicator, Kong, Pung, Win
from service.machine.memory import give_back_large_blocks
from service.machine.records import load_record
from service.machine.weights import load_detector
from service.table.reader import Reader
from vision.attention.schedule import CAMERA as LIVE_PACE
from vision.attention.schedule import RECORDED as RECORDED_PACE
from vision.camera.frames import Frame, Frames
from vision.camera.live import PacedFile
from vision.camera.video_file import VideoFile
from vision.compare import compare
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.pipeline import ReaderSettings, TableReader, TileReader
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
    """Processor time of all cores together."""
    frames: int
    """Frames that were looked at."""
    peak_mb: float | None
    """Peak memory; None where the system does not report it."""
    delays_s: tuple[float, ...] = ()
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

    @property
    def sticks_may_lie(self) -> bool:
        return self.decoder.sticks_may_lie

    @property
    def holds_back(self) -> bool:
        return self.decoder.holds_back

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
    command = [sys.executable, "-m", "service.film.benchmark", json.dumps(asdict(task))]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    told = json.loads(done.stdout.splitlines()[-1])
    return Figures(**(told | {"delays_s": tuple(told["delays_s"])}))


def measure(task: Task) -> Figures:
    """Measure in this process; the clock starts when the weights are loaded."""
    pace = RECORDED_PACE if task.way == RECORDED else LIVE_PACE
    detector = load_detector(readers=pace.readers if task.way in (LIVE, RECORDED) else 0)
    view = None if task.table is None else TableView.load(Path(task.table), task.seat0)
    with contextlib.closing(_frames(task)) as frames:
        if task.way in (WHOLE_LIVE, WHOLE_RECORDED):
            return whole(frames, detector, view, task)
        true = () if task.truth is None else load_record(str(task.truth))
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
    """Read every whole frame with the same weights, and track nothing.

    Of a recording, decoding is not counted, and a few frames stand for all.
    """
    first = next(frames)
    tile_px = _tile_px(first, detector, view)
    clock = Clock()
    looking_s = 0.0
    for frame in frames:
        begun_s = time.monotonic()
        detector.read(frame.image_bgr, None, tile_px)
        looking_s += time.monotonic() - begun_s
        clock.saw(frame)
        if frame.time_s >= task.seconds:
            break
    done = clock.figures()
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

    def figures(self) -> Figures:
        return Figures(
            self._film_s - self._first_s,
            time.monotonic() - self._begun_s,
            time.process_time() - self._cpu_s,
            self._frames,
            own_peak_megabytes(),
            told_film_s=self._told_s[0],
            told_wall_s=self._told_s[1],
        )


def _frames(task: Task) -> Frames:
    path = Path(task.video)
    if task.way in (LIVE, WHOLE_LIVE):
        return PacedFile(path).frames()
    if task.way == RECORDED:
        return RECORDED_PACE.frames(VideoFile(path))
    return VideoFile(path).frames(task.seconds / WHOLE_FRAMES)


def main(arguments: Sequence[str]) -> None:
    give_back_large_blocks()
    print(json.dumps(asdict(measure(Task(**json.loads(arguments[0]))))))


def own_peak_megabytes() -> float | None:
    """Peak memory of this process on Linux; None elsewhere.

    ``getrusage`` would tell the size of whoever started this process where that was larger.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    for line in status.read_text("utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


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
    seen = [entry for entry in true if entry.t is None or entry.t < until_s]
    timed = [entry if isinstance(entry.event, ACTS) else replace(entry, t=None) for entry in seen]
    return compare(timed, told).late_s


FPS: Final = 30
GRAIN_GREY: Final = 2.5
"""Standard deviation of the grain added to each picture: repeated pictures would cost nothing."""
GRAINS: Final = 7
"""Number of grain patterns, used in turn."""
QUALITY: Final = {"crf": "23", "preset": "ultrafast", "g": str(2 * FPS), "bf": "0"}
"""Compression as cameras use it: a key frame every two seconds, and no frame depends on a later
one."""
WIDTHS_PX: Final = (1920, 3840)
FRAMES_TO_TRACK: Final = 2
"""Frames in which a tracker must see a tile before it reports it."""
CORES: Final = 2
"""Cores that the processor share refers to."""
WHOLE_LIVE_S: Final = 15.0
"""Seconds for which every whole frame is read live: each frame costs the same."""
LEAST_FPS: Final = 25.0
"""A film of the right size with this frame rate is not resampled."""
TRUTHS: Final = ("{stem}.seen.jsonl", "{stem}.record.jsonl", "seen.jsonl", "record.jsonl")
"""Possible names of a film's true record."""


@dataclass(frozen=True)
class Size:
    """Measurements on films of one size."""

    width: int
    height: int
    as_it_was: bool
    """The film was not resampled."""
    recorded: Figures
    live: Figures
    whole_recorded: Figures
    whole_live: Figures

    @property
    def times_real(self) -> tuple[float, float]:
        """Speed relative to real time for a recording: ours, and with every whole frame."""
        plain = self.whole_recorded
        return (self.recorded.film_s / self.recorded.wall_s, plain.frames / FPS / plain.wall_s)

    @property
    def times_real_in_play(self) -> float | None:
        """The same from the first record line on: the cost of each further minute of a game."""
        done = self.recorded
        wall_s = done.wall_s - done.told_wall_s
        return (done.film_s - done.told_film_s) / wall_s if done.told_wall_s and wall_s else None

    @property
    def share(self) -> tuple[float, float]:
        """Share of two cores while it is played live: ours, and with every whole frame."""
        live, plain = self.live, self.whole_live
        return live.cpu_s / live.wall_s / CORES, plain.cpu_s / plain.wall_s / CORES

    @property
    def delay_s(self) -> tuple[float, float] | None:
        """From the hand leaving to the announcement: mean and 95th percentile."""
        late = self.live.delays_s
        return (float(np.mean(late)), float(np.percentile(late, 95))) if late else None

    @property
    def plain_delay_s(self) -> float:
        """The least delay with every whole frame: its tracker must see a tile in two frames."""
        return FRAMES_TO_TRACK * self.whole_live.wall_s / max(1, self.whole_live.frames)

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {
            "times_real": self.times_real,
            "times_real_in_play": self.times_real_in_play,
            "share_of_two_cores": self.share,
            "delay_s": self.delay_s,
            "plain_delay_s": self.plain_delay_s,
        }


def measure_all(
    video: Path,
    seconds: float,
    recorded_seconds: float,
    as_json: bool,
    rules: str,
    table: Path | None,
    seat0: str | None,
) -> int:
    """Measure the beginning of a recorded game at every size and print the figures.

    ``seconds`` of it are watched live, ``recorded_seconds`` are read as a recording.
    """
    source = VideoFile(video)
    if table is not None:
        TableView.load(table)  # refused now, not in the process that measures
    truth = truth_of(video)
    task = Task(
        LIVE,
        str(video),
        min(seconds, source.duration_s),
        rules,
        None if table is None else str(table),
        seat0,
        None if truth is None else str(truth),
    )
    recorded_s = min(recorded_seconds, source.duration_s)
    sizes = [measure_size(source, width, task, recorded_s) for width in WIDTHS_PX]
    if as_json:
        print(json.dumps([size.to_json() for size in sizes]))
    else:
        _show(sizes, source)
    return 0


def truth_of(video: Path) -> Path | None:
    """The true record beside a film; without it, no delays are measured."""
    places = [video.with_name(name.format(stem=video.stem)) for name in TRUTHS]
    return next((place for place in places if place.is_file()), None)


def measure_size(source: VideoFile, width: int, task: Task, recorded_s: float) -> Size:
    """Measure every way to read a film of this width, each in a process of its own.

    ``recorded_s``: how much of it is read as a recording.
    """
    height = 2 * round(width * source.height_px / source.width_px / 2)
    as_it_was = source.width_px == width and source.fps >= LEAST_FPS
    with tempfile.TemporaryDirectory() as folder:
        film = source.path
        if not as_it_was:
            film = Path(folder) / "film.mp4"
            resampled(source, (width, height), max(task.seconds, recorded_s), film)
        here = replace(task, video=str(film.resolve()))
        return Size(
            width,
            height,
            as_it_was,
            run(replace(here, way=RECORDED, seconds=recorded_s)),
            run(here),
            run(replace(here, way=WHOLE_RECORDED)),
            run(replace(here, way=WHOLE_LIVE, seconds=min(task.seconds, WHOLE_LIVE_S))),
        )


def resampled(source: VideoFile, size_px: tuple[int, int], seconds: float, path: Path) -> None:
    """Write the beginning of a video at 30 frames a second, each frame with its own grain."""
    width, height = size_px
    rng = np.random.default_rng(1)
    grains = [
        rng.normal(0, GRAIN_GREY, (height, width)).round().astype(np.int8) for _ in range(GRAINS)
    ]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(FPS))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = dict(QUALITY)
        number = 0
        for frame in source.frames():
            if frame.time_s >= seconds:
                break
            image = cv2.resize(frame.image_bgr, size_px, interpolation=cv2.INTER_CUBIC)
            packed = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
            while number / FPS < frame.time_s + 1 / source.fps - 1e-6:
                shown = packed.copy()
                cv2.add(packed[:height], grains[number % GRAINS], shown[:height], dtype=cv2.CV_8U)
                for packet in stream.encode(av.VideoFrame.from_ndarray(shown, format="yuv420p")):
                    container.mux(packet)
                number += 1
        for packet in stream.encode():
            container.mux(packet)


FilmRow = tuple[str, Callable[[Size], str], Callable[[Size], str]]
"""Name of a row, and its cells: ours, and with every whole frame."""


def _delay(size: Size) -> str:
    if size.delay_s is None:
        return "no true record beside it"
    return f"{size.delay_s[0]:.2f} / {size.delay_s[1]:.2f} ({len(size.live.delays_s)} events)"


def _in_play(size: Size) -> str:
    if size.times_real_in_play is None:
        return "nothing was told"
    begun = size.recorded
    opening = f"{begun.told_wall_s:.1f} s for the {begun.told_film_s:.0f} before"
    return f"{size.times_real_in_play:.1f} ({opening})"


def _decoder(figures: Figures) -> float:
    """Share of two cores that the decoder takes while the film is read."""
    return figures.decoder_s / figures.wall_s / CORES


def _megabytes(figures: Figures) -> str:
    return "not told" if figures.peak_mb is None else f"{figures.peak_mb:.0f}"


ROWS: Final[tuple[FilmRow, ...]] = (
    (
        "recorded: times real time",
        lambda size: f"{size.times_real[0]:.1f}",
        lambda size: f"{size.times_real[1]:.2f}",
    ),
    ("recorded: the same from the first line on", _in_play, lambda size: "not measured"),
    (
        f"live at {FPS} fps: share of two cores",
        lambda size: f"{size.share[0]:.0%}",
        lambda size: f"{size.share[1]:.0%}",
    ),
    (
        "live: frames looked at a second",
        lambda size: f"{size.live.frames / size.live.wall_s:.1f}",
        lambda size: f"{size.whole_live.frames / size.whole_live.wall_s:.1f}",
    ),
    (
        "live: delay, mean / 95th percentile, s",
        _delay,
        lambda size: f"two frames at best: {size.plain_delay_s:.2f}",
    ),
    (
        "decoder: share of two cores, live / recorded",
        lambda size: f"{_decoder(size.live):.1%} / {_decoder(size.recorded):.1%}",
        lambda size: "none",
    ),
    (
        "memory, live, MB",
        lambda size: _megabytes(size.live),
        lambda size: _megabytes(size.whole_live),
    ),
    (
        "memory, recorded, MB",
        lambda size: _megabytes(size.recorded),
        lambda size: _megabytes(size.whole_recorded),
    ),
)


def _show(sizes: Sequence[Size], source: VideoFile) -> None:
    grid = Grid(title=f"{source.name}, {os.cpu_count()} cores of {platform.machine()}")
    grid.add_column()
    for size in sizes:
        made = "" if size.as_it_was else f", resampled to {FPS} fps"
        grid.add_column(f"{size.width}x{size.height}{made}", justify="right")
        grid.add_column("every whole frame", justify="right")
    for name, ours, plain in ROWS:
        grid.add_row(name, *(cell for size in sizes for cell in (ours(size), plain(size))))
    Console().print(grid)


if __name__ == "__main__":
    main(sys.argv[1:])
