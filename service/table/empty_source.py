"""A source and a reader for records without a camera."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from service.table.reader import LookResult
from vision.camera.frames import Frame, Frames


class EmptySource:
    """A source without frames."""

    def __init__(self, name: str) -> None:
        self.name = name

    def frames(self, step_s: float = 0.0) -> Frames:
        yield from ()


class EmptyReader:
    """A reader that finds nothing."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        yield from ()
