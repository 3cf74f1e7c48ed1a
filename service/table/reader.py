"""What reading a table over time gives: pictures, tiles, and new lines of the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.events import Entry
from vision.camera.frames import Frame
from vision.draw import DrawableTile
from vision.notice import Notice
from vision.seat_camera.witness import Witness
from vision.telling.question import Answer, Question


class LookResult(Protocol):
    """What one look at the table gave."""

    @property
    def frame(self) -> Frame: ...

    @property
    def detections(self) -> Sequence[DrawableTile]:
        """Tiles as last read; may be older than the frame where nothing moved."""
        ...

    @property
    def entries(self) -> Sequence[Entry]:
        """New lines of the record, in order; as a rule none. The first of all starts the game.

        A correction names its line by number, so nobody else may add lines before it.
        """
        ...

    @property
    def notices(self) -> Sequence[Notice]:
        """What there is to say about camera and table, each once."""
        ...


class Reader(Protocol):
    """Turns the frames of one table into lines of its record."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        """Look at every frame; at the end of the frames, give what was still held back."""
        ...


@runtime_checkable
class ResumingReader(Protocol):
    """A reader that goes on with a record, so that nothing of it is told again."""

    def take_up(self, before: Sequence[Entry]) -> None:
        """To be said before the first frame.

        Its lines are then numbered after those of the record, and their times count from the last.
        """
        ...


@runtime_checkable
class CheckpointingReader(Protocol):
    """A reader whose work another reader can continue, also in another process."""

    @property
    def rests(self) -> bool:
        """Nothing waits to be read after the reading that was given last."""
        ...

    def keep(self) -> bytes:
        """All that the reader knows while it rests."""
        ...

    def go_on(self, kept: bytes) -> None:
        """Call it before the first frame, which must be the one that was looked at last."""
        ...


@runtime_checkable
class WitnessingReader(Protocol):
    """A reader that settles doubts by what cameras of single seats see."""

    @property
    def witness(self) -> Witness:
        """What they have seen, including what the reader saw whose work this one continues."""
        ...

    def listen_to(self, witness: Witness) -> None:
        """To be said before the first frame; what they see may grow meanwhile."""
        ...


@runtime_checkable
class QuestionSource(Protocol):
    """A reader that has questions, and goes on with what people answer."""

    @property
    def questions(self) -> Sequence[Question]:
        """What people should be asked now, in the order of play; any thread may look."""
        ...

    def answer(self, answer: Answer) -> None:
        """Take what a person said; any thread may call it, before the first frame too."""
        ...


@runtime_checkable
class MirrorChecker(Protocol):
    """A reader that can tell beforehand that a recording is mirrored."""

    def wrong_way(self, frames: Iterable[Frame]) -> str | None:
        """What is wrong, in one line; a few frames from all over the recording are enough."""
        ...


@dataclass(frozen=True, eq=False)
class PlainLookResult:
    """A reading as a plain value."""

    frame: Frame
    detections: tuple[DrawableTile, ...] = ()
    entries: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()
