"""Shows how far a video has been read, and how long the rest will take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from service.texts.catalogue import terminal_texts, texts_of
from vision.camera.video_file import VideoFile

ProgressCallback = Callable[[float], None]
"""Called with the seconds of video that are done."""

BEGINS_S: Final = 20.0
"""Length of the beginning: finding the table and reading the first deal take longer."""
BEGINS_SHARE: Final = 0.25
"""Weight of the beginning in the estimate: later hands are dealt, too."""
LEAST_S: Final = 20.0
"""Seconds of video that must be read before the first estimate."""
HALF_S: Final = 600.0
"""Half-life of the measured speed: the machine may become busier or less busy."""
CALM_S, CALM_SHARE = 10.0, 0.3
"""The shown time approaches the estimate over this time, or over this share of the rest."""


def no_progress(_: float) -> None:
    """For those whom nobody waits for."""


class TimeEstimate:
    """Estimates how long the rest of a video takes, by how long the last minutes took.

    Seconds of a deal take many times as long as those in which a table lies still: what is shown
    is the mean over both, and runs down like a clock that is put right little by little.
    """

    def __init__(self, total_s: float, since_s: float = 0.0) -> None:
        """``total_s`` is the length of the video, ``since_s`` the place where reading begins."""
        self._total_s = total_s
        self._begins_s = since_s + BEGINS_S
        self._known_s = self._begins_s + LEAST_S
        self._before: tuple[float, float] | None = None
        self._took_s = self._read_s = 0.0
        self._shown_s: float | None = None

    def after(self, now_s: float, done_s: float) -> float | None:
        """Return the seconds to show when ``done_s`` are done; None before the first estimate."""
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
def progress(
    source: VideoFile, since_s: float = 0.0, lang: str | None = None
) -> Iterator[ProgressCallback]:
    """A bar on standard error that follows the time of the video, from a second on.

    It speaks ``lang``, without it the language of the terminal.
    """
    texts = terminal_texts() if lang is None else texts_of(lang)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(texts["cli.progress.of_video"]),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
    )
    total_s = source.duration_s
    remaining = TimeEstimate(total_s, since_s)
    task = bar.add_task(source.name, total=round(total_s), completed=round(since_s), left="")

    def advance(time_s: float) -> None:
        left_s = remaining.after(time.monotonic(), time_s)
        bar.update(
            task, completed=round(time_s), left="" if left_s is None else time_left(left_s, texts)
        )

    with bar:
        yield advance
        bar.update(task, left="")


def time_left(left_s: float, texts: Mapping[str, str]) -> str:
    minutes, seconds = divmod(round(left_s), 60)
    time = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return texts["cli.progress.left"].format(time=time)
