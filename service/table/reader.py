"""Interfaces of readers: they turn frames into tiles and into what is told of a game.

A table without a camera has a source without frames, and a reader that tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from engine.events import Entry
from engine.first_deal import Counted
from vision.camera.frames import Frame, Frames
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptHand
from vision.decoder.pin import Pins
from vision.decoder.question import Question
from vision.draw import DrawableTile
from vision.notice import Notice
from vision.seat_camera.witness import Witness
from vision.table.view import Corners, TableView


class LookResult(Protocol):
    """The result of one look at the table."""

    @property
    def frame(self) -> Frame: ...

    @property
    def detections(self) -> Sequence[DrawableTile]:
        """Tiles of the last reading; it may be older than the frame where nothing moved."""
        ...

    @property
    def decoding(self) -> Decoding | None:
        """What is told of the whole game now; None where that has not changed."""
        ...

    @property
    def notices(self) -> Sequence[Notice]:
        """Notices about camera and table, each once."""
        ...


class Reader(Protocol):
    """Tells the game that the frames of one table show."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        """Look at every frame; after the last, tell what was held back."""
        ...

    def resume(self, before: Sequence[Entry]) -> None:
        """Continue a record, from whose last line times count; call it before the first frame."""
        ...

    def hear(self, pins: Pins) -> None:
        """Hold fixed what people say, from the next frame on.

        Any thread may call this, even before the first frame. A decoding says which pins it holds.
        """
        ...

    def settled(self) -> Decoding | None:
        """What is told after the last frame because of what people said since."""
        ...


@runtime_checkable
class StoppableReader(Protocol):
    """A reader that may take long to tell what is settled."""

    def stop(self) -> None:
        """Let ``settled`` end soon; any thread may call this, and nothing is asked after it."""
        ...

    def join(self, timeout_s: float) -> None:
        """Wait until what it does while nobody waits has ended, too."""
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
class LookKeepingReader(Protocol):
    """A reader that keeps what its decoder is given, so that answers explain it again."""

    def keep_looks(self) -> None:
        """Call this before the first frame, after a state is restored."""
        ...

    def kept_hand(self) -> KeptHand | None:
        """What was kept since the last call, while the reader rests or at the end."""
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
class MovableReader(Protocol):
    """A reader that can be shown where the table lies after its camera was moved."""

    def show_table(self, corners: Corners) -> None:
        """Call this from any thread; raises ``SourceError`` for corners that no table has.

        ``corners``: (x, y) of each, in shares of the picture, clockwise from its top left.
        """
        ...


@runtime_checkable
class PlacedReader(Protocol):
    """A reader that knows where the table lies in the picture."""

    @property
    def view(self) -> TableView | None:
        """Any thread may ask this; None before the table is known."""
        ...


@runtime_checkable
class CountingReader(Protocol):
    """A reader that can say how many tiles lie in the walls and stand before the players."""

    def counted(self) -> Counted | None:
        """Any thread may ask this; None before the table is known."""
        ...


@runtime_checkable
class MirrorChecker(Protocol):
    """A reader that can tell beforehand that a recording is mirrored."""

    def wrong_way(self, frames: Iterable[Frame]) -> str | None:
        """Return what is wrong in one line; a few frames from all over the recording are enough."""
        ...


class EmptySource:
    """A source without frames."""

    def __init__(self, name: str) -> None:
        self.name = name

    def frames(self, step_s: float = 0.0) -> Frames:
        yield from ()


class EmptyReader:
    """A reader that tells nothing, and asks what a film left open until somebody puts it right."""

    def __init__(self, asked: Sequence[Question] = ()) -> None:
        self._asked = tuple(asked)
        self._heard = Pins() if asked else None

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        yield from ()

    def resume(self, before: Sequence[Entry]) -> None:
        """It goes on with any record."""

    def hear(self, pins: Pins) -> None:
        self._heard = pins

    def settled(self) -> Decoding | None:
        pins, self._heard = self._heard, None
        if pins is None:
            return None
        asked = (question for question in self._asked if not pins.settle(question.place))
        return Decoding(questions=tuple(asked), heard=pins.number)
