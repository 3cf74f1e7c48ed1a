"""``tilesight benchmark VIDEO``: the speed of reading films, compared with reading every frame."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from service.benchmark.film_process import (
    LIVE,
    RECORDED,
    WHOLE_LIVE,
    WHOLE_RECORDED,
    Figures,
    Task,
    run,
)
from service.benchmark.resampled import FPS, resampled
from vision.camera.video_file import VideoFile

WIDTHS_PX: Final = (1920, 3840)
FRAMES_TO_TRACK: Final = 2
"""Frames in which the library's tracker must see a tile before it reports it."""
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
    sizes = [measure(source, width, task, recorded_s) for width in WIDTHS_PX]
    if as_json:
        print(json.dumps([size.to_json() for size in sizes]))
    else:
        _show(sizes, source)
    return 0


def truth_of(video: Path) -> Path | None:
    """The true record beside a film; without it, no delays are measured."""
    places = [video.with_name(name.format(stem=video.stem)) for name in TRUTHS]
    return next((place for place in places if place.is_file()), None)


def measure(source: VideoFile, width: int, task: Task, recorded_s: float) -> Size:
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
        grid.add_column(f"every whole frame, {size.whole_live.by}", justify="right")
    for name, ours, plain in ROWS:
        grid.add_row(name, *(cell for size in sizes for cell in (ours(size), plain(size))))
    Console().print(grid)
