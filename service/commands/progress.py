"""How far the reading of a video is, and how long it will still take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from vision.camera.video_file import VideoFile

ProgressCallback = Callable[[float], None]
"""Told how many seconds of the video are done."""

BEGINS_S: Final = 20.0
"""The beginning of the video: finding the table and reading the first deal take longer."""
BEGINS_SHARE: Final = 0.25
"""How much the beginning counts in the estimate: later hands are dealt, too."""
LEAST_S: Final = 20.0
"""No estimate is made before so much of the video has been read."""
HALF_S: Final = 600.0
"""The part read so long ago counts half: the machine may be busier or less busy now."""
CALM_S, CALM_SHARE = 10.0, 0.3
"""The time shown approaches the estimate over so long, or over this share of what is left."""


def no_progress(_: float) -> None:
    """For those whom nobody waits for."""


class TimeEstimate:
    """Estimates how long the rest of a video takes, by how long the last minutes took.

    Seconds of a deal take many times as long as those in which a table lies still: what is shown
    is the mean over both, and runs down like a clock that is put right little by little.
    """

    def __init__(self, total_s: float, since_s: float = 0.0) -> None:
        """``total_s``: length of the video; ``since_s``: where in it the reading begins."""
        self._total_s = total_s
        self._begins_s = since_s + BEGINS_S
        self._known_s = self._begins_s + LEAST_S
        self._before: tuple[float, float] | None = None
        self._took_s = self._read_s = 0.0
        self._shown_s: float | None = None

    def after(self, now_s: float, done_s: float) -> float | None:
        """What to show when so much of the video is done; None while nothing can be said."""
        before_s, before_done_s = self._before or (now_s, done_s)
        self._before = now_s, done_s
        took_s, read_s = now_s - before_s, done_s - before_done_s
        share = BEGINS_SHARE if done_s < self._begins_s else 1.0
        fades = 0.5 ** (read_s / HALF_S)
        self._took_s = self._took_s * fades + share * took_s
        self._read_s = self._read_s * fades + share * read_s
        if done_s < self._known_s:
            return None
        wanted_s = max(0.0, self._total_s - done_s) * self._took_s / self._read_s
        if self._shown_s is None:
            self._shown_s = wanted_s
        run_down_s = self._shown_s - took_s
        right = 1 - math.exp(-took_s / max(CALM_S, CALM_SHARE * self._shown_s))
        self._shown_s = max(0.0, run_down_s + right * (wanted_s - run_down_s))
        return self._shown_s


@contextmanager
def progress(source: VideoFile, since_s: float = 0.0) -> Iterator[ProgressCallback]:
    """A bar on standard error that follows the time of the video, from a second on."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("s of video"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
    )
    total_s = source.duration_s
    remaining = TimeEstimate(total_s, since_s)
    task = bar.add_task(source.name, total=round(total_s), completed=round(since_s), left="")

    def advance(time_s: float) -> None:
        left_s = remaining.after(time.monotonic(), time_s)
        bar.update(task, completed=round(time_s), left="" if left_s is None else _left(left_s))

    with bar:
        yield advance
        bar.update(task, left="")


def _left(left_s: float) -> str:
    minutes, seconds = divmod(round(left_s), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02} left"
