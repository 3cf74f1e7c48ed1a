"""How late a camera's events are told, and what that takes, by processor time alone.

``python -m tests.support.live_clock samples/open-hands.mp4 --width 1920``. The film is enlarged and
comes 30 times a second by a clock that goes on by processor time: what is done with a frame takes
as long as its thread computes, and so does a look, beside it. So a busy machine tells nearly what a
quiet one does; ``tilesight dev benchmark`` measures in real time, which takes a quiet one. With
``--share 0.5`` all that is computed takes twice as long: others have half of each core. With
``--avx2`` nets compute as on an ordinary laptop.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import av
import cv2
import numpy as np

from engine.events import Discard, Entry, GameStart, Win
from service.film.benchmark import (
    CORES,
    FPS,
    GRAIN_GREY,
    GRAINS,
    own_peak_megabytes,
    resampled,
    truth_of,
)
from service.machine.memory import give_back_large_blocks
from service.machine.records import load_record
from service.machine.weights import load_table_detector
from tests.support.ordinary import as_on_avx2
from vision.arrays import Bytes
from vision.attention.schedule import CAMERA
from vision.camera.decoded import UPRIGHT, DecodedFrame
from vision.camera.frames import Frame
from vision.camera.video_file import VideoFile
from vision.compare import aligned, compare, event_key
from vision.pipeline import FrameResult, ReaderSettings, TableReader

APART_ROWS: Final = 16
"""Between two grains, which are parts of one: more than a reader ever takes for one pixel."""
SAME_S: Final = 1.5
"""Two tellings of an event that differ by no more in its time are one."""
DECODED_S: Final = 4.0
"""How much of the film is compressed as a camera does, to measure what decoding takes."""


class WorkClock:
    """Goes on by the processor time of one thread, and to when something comes."""

    def __init__(self, share: float = 1.0) -> None:
        """``share``: of each core, that is left for what is measured."""
        self.share = share
        self.now_s = self.worked_s = 0.0
        self._since_s = time.thread_time()

    def works(self) -> None:
        """Count what this thread has computed since the last call."""
        worked_s = time.thread_time() - self._since_s
        self.now_s += worked_s / self.share
        self.worked_s += worked_s
        self.rests()

    def rests(self) -> None:
        """Do not count it."""
        self._since_s = time.thread_time()

    def until(self, time_s: float) -> None:
        self.now_s = max(self.now_s, time_s)


class Later(Future[Any]):
    """What has been computed already, and is there when the clock says so."""

    def __init__(self, clock: WorkClock, at_s: float) -> None:
        super().__init__()
        self._clock, self.at_s = clock, at_s

    def done(self) -> bool:
        self._clock.works()
        return self._clock.now_s >= self.at_s

    def result(self, timeout: float | None = None) -> Any:
        self._clock.works()
        self._clock.until(self.at_s)
        return super().result(timeout)


class Beside(Executor):
    """A thread that computes one thing after the other beside the thread of a clock."""

    def __init__(self, clock: WorkClock) -> None:
        self._clock = clock
        self.asked = 0
        self.worked_s = self._free_s = 0.0
        self.ends_s: list[float] = []
        """When what was asked for is there, of what nobody was called for."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        clock = self._clock
        clock.works()
        begun_s = time.process_time()
        found = fn(*args, **kwargs)
        took_s = time.process_time() - begun_s
        clock.rests()
        self.asked += 1
        self.worked_s += took_s
        self._free_s = max(clock.now_s, self._free_s) + took_s / clock.share
        self.ends_s.append(self._free_s)
        later = Later(clock, self._free_s)
        later.set_result(found)
        return later

    def called_before(self, time_s: float) -> float | None:
        """When something is there before this time, the earliest first; each is told once."""
        ends_s = self.ends_s[0] if self.ends_s else time_s
        return self.ends_s.pop(0) if ends_s < time_s else None


class ClockedReader(TableReader):
    """Reads a film as a camera whose clock is a ``WorkClock``."""

    def watch(self, film: Film, clock: WorkClock, beside: Beside) -> Iterator[FrameResult]:
        with closing(self._look_reader(beside)) as self._looks:
            yield from self._read(film.frames(clock, beside))


class Film:
    """A film at another size, each picture of it with grain of its own."""

    def __init__(self, source: VideoFile, size_px: tuple[int, int], until_s: float) -> None:
        self._source, self._size_px, self._until_s = source, size_px, until_s
        rng = np.random.default_rng(1)
        width, height = size_px
        # Parts of one grain, so that the memory that is measured is the reader's.
        starts = range(0, GRAINS * APART_ROWS, APART_ROWS)
        grain = rng.normal(0, GRAIN_GREY, (starts.stop + height, width)).round().astype(np.int8)
        self._grains = [grain[at : at + height] for at in starts]
        self.film_s = 0.0

    def frames(self, clock: WorkClock, beside: Beside) -> Iterator[Frame | None]:
        """The newest frame whenever one is asked for, and None where a look is there before."""
        index = 0
        for frame, until_s in self._shown():
            packed: Bytes | None = None
            while index / FPS < until_s - 1e-6:
                while (ends_s := beside.called_before(index / FPS)) is not None:
                    if int(clock.now_s * FPS) < index:
                        clock.until(ends_s)
                        clock.rests()
                        yield None
                        clock.works()
                index = max(index, int(clock.now_s * FPS - 1e-9))
                if index / FPS >= until_s - 1e-6:
                    break
                if packed is None:
                    packed = self._enlarged(frame)
                    shown = packed.copy()
                clock.until(index / FPS)
                self.film_s = index / FPS
                grained = self._with_grain(packed, shown, index)
                clock.rests()
                yield Frame(grained, index / FPS, index)
                clock.works()
                index += 1

    def _shown(self) -> Iterator[tuple[Frame, float]]:
        """The frames of the film, and until when each is shown."""
        for frame in self._source.frames():
            if frame.time_s >= self._until_s:
                return
            yield frame, min(self._until_s, frame.time_s + 1 / self._source.fps)

    def _enlarged(self, frame: Frame) -> Bytes:
        """Brightness and colours one after the other, as OpenCV packs them."""
        image = cv2.resize(frame.image_bgr, self._size_px, interpolation=cv2.INTER_CUBIC)
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)

    def _with_grain(self, packed: Bytes, shown: Bytes, index: int) -> DecodedFrame:
        """A frame of its own; ``shown`` is written anew."""
        height = self._size_px[1]
        grain = self._grains[index % GRAINS]
        cv2.add(packed[:height], grain, shown[:height], dtype=cv2.CV_8U)
        return DecodedFrame(av.VideoFrame.from_ndarray(shown, format="yuv420p"), UPRIGHT)


@dataclass(frozen=True)
class Delays:
    """From the moment at which hands left what they put down to its announcement, in seconds."""

    count: int
    mean_s: float
    p95_s: float
    longest_s: float


@dataclass(frozen=True)
class LiveFigures:
    width: int
    film_s: float
    share: float
    """Of two cores: frames, looks and decoding."""
    frames_share: float
    looks_share: float
    decoding_share: float
    frames_a_second: float
    """Looked at for what moves."""
    looks_a_second: float
    """Of these, whose tiles were read."""
    matched: int
    true: int
    told: int
    discards: Delays | None
    wins: Delays | None
    peak_mb: float | None
    slow: tuple[str, ...]
    """What was said of a computer that is too slow, with the second."""
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def measured(
    source: VideoFile, true: Sequence[Entry], width: int, seconds: float, left: float = 1.0
) -> LiveFigures:
    """``left``: share of each core that others leave."""
    height = 2 * round(width * source.height_px / source.width_px / 2)
    rules = next(entry.event.rules for entry in true if isinstance(entry.event, GameStart))
    detector = load_table_detector()
    clock = WorkClock(left)
    beside = Beside(clock)
    film = Film(source, (width, height), min(seconds, source.duration_s))
    reader = ClockedReader(detector, rules, ReaderSettings(schedule=CAMERA))
    first_s: FirstTold = {}
    told: Sequence[Entry] = ()
    slow: list[str] = []
    frames = 0
    clock.rests()
    for reading in reader.watch(film, clock, beside):
        clock.works()
        frames += 1
        notices = (one for one in reading.notices if one.kind in ("slow", "busy"))
        slow += (f"{one.time_s:.1f} s: {one.text}" for one in notices)
        if reading.decoding is not None:
            told = reading.decoding.told
            note_told(first_s, told, clock.now_s)
        clock.rests()
    film_s = film.film_s
    seen = [entry for entry in true if entry.t is None or entry.t < film_s]
    report = compare(seen, told)
    peak_mb = own_peak_megabytes()  # the film is encoded below, which takes more
    decoding = decoding_share(source, (width, height))
    of_frames, of_looks = (
        worked_s / film_s / CORES for worked_s in (clock.worked_s, beside.worked_s)
    )
    return LiveFigures(
        width,
        film_s,
        of_frames + of_looks + decoding,
        of_frames,
        of_looks,
        decoding,
        frames / film_s,
        beside.asked / film_s,
        report.matched,
        report.matched + len(report.missing),
        report.matched + len(report.extra),
        delays(seen, told, first_s, Discard),
        delays(seen, told, first_s, Win),
        peak_mb,
        tuple(slow),
        tuple(str(event) for event in report.missing),
        tuple(str(event) for event in report.extra),
    )


FirstTold = dict[tuple[object, ...], list[tuple[float, float]]]
"""Of what people hear, who did what with which tile: each time of it that was told, and when it was
told first."""


def note_told(first_s: FirstTold, told: Sequence[Entry], now_s: float) -> None:
    for entry in told:
        known = first_s.setdefault(event_key(entry.event), [])
        if all(time_s != (entry.t or 0.0) for time_s, _ in known):
            known.append((entry.t or 0.0, now_s))


def _heard_s(first_s: FirstTold, entry: Entry) -> float:
    """When an event was heard first; a later look may move its time by a little."""
    known = first_s[event_key(entry.event)]
    return min(now_s for time_s, now_s in known if abs(time_s - (entry.t or 0.0)) <= SAME_S)


def delays(
    true: Sequence[Entry],
    told: Sequence[Entry],
    first_s: FirstTold,
    kind: type[Discard] | type[Win],
) -> Delays | None:
    """Of the events of a kind that were rightly told."""
    first = [entry for entry in true if isinstance(entry.event, kind)]
    second = [entry for entry in told if isinstance(entry.event, kind)]
    keys = ([event_key(entry.event) for entry in entries] for entries in (first, second))
    late = [_heard_s(first_s, second[two]) - (first[one].t or 0.0) for one, two in aligned(*keys)]
    if not late:
        return None
    mean, p95 = float(np.mean(late)), float(np.percentile(late, 95))
    return Delays(len(late), mean, p95, max(late))


def decoding_share(source: VideoFile, size_px: tuple[int, int]) -> float:
    """Share of two cores that it takes to decode such a film, compressed as cameras do it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        resampled(source, size_px, DECODED_S, path)
        begun_s = time.process_time()
        frames = sum(1 for _ in VideoFile(path).frames())
        return (time.process_time() - begun_s) / (frames / FPS) / CORES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("film", type=Path, help="its true record lies beside it")
    parser.add_argument("--width", type=int, default=1920)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--share", type=float, default=1.0, help="of each core, left by others")
    parser.add_argument("--avx2", action="store_true", help="nets without AVX-512 and bf16")
    asked = parser.parse_args()
    if asked.avx2:
        as_on_avx2()
    truth = truth_of(asked.film)
    if truth is None:
        parser.error(f"no true record lies beside {asked.film}")
    give_back_large_blocks()
    true = load_record(str(truth))
    figures = measured(VideoFile(asked.film), true, asked.width, asked.seconds, asked.share)
    print(json.dumps(asdict(figures)))


if __name__ == "__main__":
    main()
