"""A source and a reader for records without a camera."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.events import Entry
from service.table.reader import LookResult
from vision.camera.frames import Frame, Frames
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins


class EmptySource:
    """A source without frames."""

    def __init__(self, name: str) -> None:
        self.name = name

    def frames(self, step_s: float = 0.0) -> Frames:
        yield from ()


class EmptyReader:
    """A reader that tells nothing."""

    def __init__(self) -> None:
        self._heard: Pins | None = None

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        yield from ()

    def take_up(self, before: Sequence[Entry]) -> None:
        """It goes on with any record."""

    def hear(self, pins: Pins) -> None:
        self._heard = pins

    def settled(self) -> Decoding | None:
        pins, self._heard = self._heard, None
        return None if pins is None else Decoding(heard=pins.number)
