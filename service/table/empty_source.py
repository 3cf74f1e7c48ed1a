"""A record that is looked at without a camera."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from service.table.reader import LookResult
from vision.camera.frames import Frame, Frames


class EmptySource:
    """A source that is over before it begins."""

    def __init__(self, name: str) -> None:
        self.name = name

    def frames(self, step_s: float = 0.0) -> Frames:
        yield from ()


class EmptyReader:
    """Reads nothing, and says nothing is wrong with that."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        yield from ()
