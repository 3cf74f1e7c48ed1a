"""Interfaces of readers: they turn frames into tiles and lines of the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from engine.events import Entry
from vision.camera.frames import Frame
from vision.decoder.question import Answer, Question
from vision.draw import DrawableTile
from vision.notice import Notice
from vision.seat_camera.witness import Witness


class LookResult(Protocol):
    """The result of one look at the table."""

    @property
    def frame(self) -> Frame: ...

    @property
    def detections(self) -> Sequence[DrawableTile]:
        """Tiles of the last reading; it may be older than the frame where nothing moved."""
        ...

    @property
    def entries(self) -> Sequence[Entry]:
        """New lines of the record in order, usually none. The very first starts the game.

        A correction names its line by its number among the reader's own lines. A reader that takes
        people's lines counts them too: each comes back here, before what follows from it.
        """
        ...

    @property
    def notices(self) -> Sequence[Notice]:
        """Notices about camera and table, each once."""
        ...


class Reader(Protocol):
    """Turns the frames of one table into lines of its record."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        """Look at every frame; after the last, return what was held back."""
        ...


@runtime_checkable
class ResumingReader(Protocol):
    """A reader that can continue a record."""

    def take_up(self, before: Sequence[Entry]) -> None:
        """Call this before the first frame.

        Its lines are then numbered after those of the record, and their times count from the last.
        """
        ...


@runtime_checkable
class CheckpointingReader(Protocol):
    """A reader whose state another reader can take over, even in another process."""

    @property
    def rests(self) -> bool:
        """Whether nothing is waiting to be read."""
        ...

    def keep(self) -> bytes:
        """Return the reader's state while it rests."""
        ...

    def go_on(self, kept: bytes) -> None:
        """Restore a state before the first frame, which must be the last one that was looked at."""
        ...


@runtime_checkable
class WitnessingReader(Protocol):
    """A reader that resolves doubts with what single seats' cameras see."""

    @property
    def witness(self) -> Witness:
        """What the seats' cameras have seen, including that of a restored state."""
        ...

    def listen_to(self, witness: Witness) -> None:
        """Call this before the first frame; the witness may grow meanwhile."""
        ...


@runtime_checkable
class QuestionSource(Protocol):
    """A reader that asks questions."""

    @property
    def questions(self) -> Sequence[Question]:
        """Open questions in order of play; any thread may read them."""
        ...

    def answer(self, answer: Answer) -> None:
        """Take an answer; any thread may call this, even before the first frame."""
        ...


@runtime_checkable
class CorrectableReader(Protocol):
    """A reader that decides again when a person has written a line of the record."""

    def write(self, line: Entry) -> None:
        """Take a person's line, with numbers and times as the reader counts them.

        Any thread may call this. The line comes back in ``LookResult.entries``, or in ``settled``.
        """
        ...


@runtime_checkable
class SettlingReader(Protocol):
    """A reader that takes answers and lines after its last frame, too."""

    def settled(self) -> Sequence[Entry]:
        """Lines that follow from what people said after the last frame; none if called again."""
        ...


@runtime_checkable
class MirrorChecker(Protocol):
    """A reader that can tell beforehand that a recording is mirrored."""

    def wrong_way(self, frames: Iterable[Frame]) -> str | None:
        """Return what is wrong in one line; a few frames from all over the recording are enough."""
        ...


@dataclass(frozen=True, eq=False)
class PlainLookResult:
    """A ``LookResult`` as a plain value."""

    frame: Frame
    detections: tuple[DrawableTile, ...] = ()
    entries: tuple[Entry, ...] = ()
    notices: tuple[Notice, ...] = ()
