"""How far the reading of a video is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from vision.camera.frames import VideoFile

Advance = Callable[[float], None]
"""Told how many seconds of the video are done."""


def no_progress(_: float) -> None:
    """For those whom nobody waits for."""


@contextmanager
def progress(source: VideoFile, since_s: float = 0.0) -> Iterator[Advance]:
    """A bar on standard error that follows the time of the video, from a second on."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("s of video"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    task = bar.add_task(source.name, total=round(source.duration_s), completed=round(since_s))
    with bar:
        yield lambda time_s: bar.update(task, completed=round(time_s))
