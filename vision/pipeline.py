"""The whole way of one table: frames, closer looks where something changed, lines of the record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.events import DrawnHand, Entry, HandEnd, Seat
from vision.attention.mirror_watch import MirrorWatch, seen_in, wrong_way
from vision.attention.pending import Begin, TileReader, reading_beside
from vision.attention.schedule import LIVE, Schedule
from vision.camera.frames import Frame
from vision.camera.pictures import SourceError
from vision.camera.stream import StreamWatch
from vision.checkpoint import packed, unpacked
from vision.decode import Decoder
from vision.notice import Notice
from vision.seat_camera.witness import NOBODY, Witness
from vision.session import FrameResult, LookSink, Session
from vision.table.calibrate import NoTable
from vision.table.search import look_for_table
from vision.table.view import TableView
from vision.telling.question import Answer, Question
from vision.tracking.observe import Observation

__all__ = ["GATE_S", "FrameResult", "LookSink", "TableReader", "TileReader"]

GATE_S: Final = 0.07
"""Frames that follow each other sooner are passed over: hands are not that fast.

Of a recording too: with fewer frames it is not seen who moved, nor what lay still for a moment."""
FIND_S: Final = 8.0
"""For how long a table is looked for before it is said that there is none."""
HANDS_S: Final = 60.0
"""Where tiles are seen and no edge, it is waited for so long until four hands stand."""
SEARCH_S: Final = 1.0
AGAIN_S: Final = 5.0
"""Until something is told of a game, the table is looked for again so often."""
UNTIL_S: Final = 60.0
ELSEWHERE: Final = 0.08
"""A table is another one when a corner lies elsewhere by more than this share of a side."""
UNSEEN_END: Final = 0.5
"""A hand that is told as drawn with less confidence was not seen to end."""
LEAST_TILES: Final = 24
"""So many tiles lie on no floor."""
KEPT: Final = (
    "_session",
    "_witness",
    "_lines",
    "_questions",
    "_searched_s",
    "_tiles_seen",
    "_told",
    "_open_said",
    "_other",
    "_watch",
    "_first_s",
    "_last_s",
)
"""What a reader that goes on has to know; the rest is what it was made with."""


class TableReader:
    """Reads one table; the table is looked for unless it is given."""

    def __init__(
        self,
        detector: TileReader,
        rules: str | Callable[[TableView], LookSink],
        view: TableView | None = None,
        seat0: str | None = None,
        pace: Schedule = LIVE,
        first_dealer: Seat | None = None,
        mirrored: bool | None = None,
    ) -> None:
        """``rules`` names those of the game, or makes what takes the looks in place of them.

        ``first_dealer`` is who dealt the first hand of the game, where somebody said so.

        With a ``pace`` that has readers, the detector is asked by several threads. Pictures that
        are ``mirrored`` are put right before anything else; with None, it is noticed if they are.
        """
        self._detector = detector
        self._pace = pace
        self._mirrored = mirrored
        self._mirrors = MirrorWatch(detector, mirrored)
        self._before: tuple[Entry, ...] = ()
        self._witness = NOBODY
        self._takes = (
            (lambda view: Decoder(rules, view, self._witness, self._before, first_dealer))
            if isinstance(rules, str)
            else rules
        )
        self._given = view
        self._seat0 = seat0 or "bottom"
        self._session: Session | None = None
        self._answers: deque[Answer] = deque()
        self._lines: list[Entry] = []
        """What follows from answers, until a reading comes that it can be told with."""
        self._questions: tuple[Question, ...] = ()
        self._searched_s = float("-inf")
        self._tiles_seen = False
        self._told = False
        self._open_said = False
        self._other: TableView | None = None
        """Another table than the one that is read, seen once."""
        self._watch = StreamWatch()
        self._first_s: float | None = None
        self._last_s = float("-inf")
        self._hand_over = False
        """A hand has ended since the reader rested last."""
        self.rests = False
        """A hand is over and nothing waits to be read: ``keep`` may be called."""

    @property
    def view(self) -> TableView | None:
        """The table, once it is known."""
        return self._session.view if self._session else self._given

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        return self._session.decoder.observation if self._session else None

    @property
    def questions(self) -> tuple[Question, ...]:
        """What people should be asked now, in the order of play; any thread may look."""
        return self._questions

    @property
    def witness(self) -> Witness:
        """What cameras of single seats see."""
        return self._witness

    def take_up(self, before: Sequence[Entry]) -> None:
        """Go on with a record; to be said before the first frame.

        Lines are numbered after those of the record, and times count from its last one.
        """
        self._before = tuple(before)

    def listen_to(self, witness: Witness) -> None:
        """Settle doubts by what cameras of single seats see; to be said before the first frame.

        What they see may grow meanwhile.
        """
        self._witness = witness

    def answer(self, answer: Answer) -> None:
        """Go on with what a person said, from the next frame on; any thread may call it.

        It may be given before the first frame, as it is when a video is read again.
        """
        self._answers.append(answer)

    def settled(self) -> tuple[Entry, ...]:
        """Lines that follow from answers which came after the last frame of all."""
        lines = tuple(self._answered())
        self._ask()
        return lines

    def keep(self) -> bytes:
        """All that is known while the reader ``rests``, for another one to ``go_on`` with."""
        return packed({name: getattr(self, name) for name in KEPT})

    def go_on(self, kept: bytes) -> None:
        """Go on as the reader would have that kept this; raises ``CheckpointError``.

        To be said before the first frame, which is the one that was looked at last. The frames,
        and what this reader was made with, are to be the same.
        """
        for name, value in unpacked(kept).items():
            setattr(self, name, value)

    def wrong_way(self, frames: Iterable[Frame]) -> str | None:
        """What is wrong, in one line, where these frames are mirrored and nobody said so."""
        pictures = (self._right_way(frame).image_bgr for frame in frames)
        seen = None if self._mirrored is False else seen_in(pictures, self._detector)
        return wrong_way(self._mirrored, seen)

    def _right_way(self, frame: Frame) -> Frame:
        return frame.mirror_image() if self._mirrored else frame

    def read(self, frames: Iterable[Frame]) -> Iterator[FrameResult]:
        """Look at frames in order; raises ``SourceError`` where no table is to be seen."""
        with reading_beside(self._pace) as begin:
            yield from self._read(frames, begin)

    def _read(self, frames: Iterable[Frame], begin: Begin) -> Iterator[FrameResult]:
        last: Frame | None = None
        if self._session is not None:
            self._session.go_on(self._detector, begin)
        for frame in frames:
            last = last or frame
            if frame.time_s - self._last_s < GATE_S:
                continue
            last = frame = self._right_way(frame)
            self._last_s = frame.time_s
            said = tuple(self._watch.update(frame))
            self._first_s = frame.time_s if self._first_s is None else self._first_s
            watched_s = frame.time_s - self._first_s
            if self._session is None:
                self._session = self._begin(frame, watched_s, begin)
            if self._session is None:
                yield FrameResult(frame, (), notices=said)
                continue
            yield from self._told_by(self._find_again(frame, watched_s, begin))
            decoder = self._session.decoder
            moves_again = any(one.kind == "frozen" and not one.lasts for one in said)
            if moves_again and isinstance(decoder, Decoder):
                yield from self._told_by(self._session.settle())
                decoder.blinded()
            self._lines += self._answered()
            yield from self._told_by(self._session.read(frame, said))
            if self._hand_over:
                yield from self._told_by(self._session.settle())
                self._hand_over, self.rests = False, True
                yield FrameResult(frame, self._session.detections)
                self.rests = False
        if last is None:
            raise SourceError("there is not one picture in this source")
        if self._session is None:
            raise NoTable("no table was found in any picture; give one with --table table.toml")
        yield from self._told_by(self._session.settle())
        self._lines += self._answered()
        closing = tuple(self._session.decoder.close())
        self._ask()
        yield FrameResult(last, self._session.detections, (*self._lines, *closing))

    def _told_by(self, readings: Iterable[FrameResult]) -> Iterator[FrameResult]:
        """Readings with what people have said meanwhile, and what is to be said of them."""
        for reading in readings:
            entries, self._lines = (*self._lines, *reading.entries), []
            if entries:
                self._told = True
                self._hand_over |= any(isinstance(one.event, HandEnd) for one in entries)
                self._ask()
            time_s = reading.frame.time_s
            notices = (
                *reading.notices,
                *_ends_unseen(entries, time_s),
                *self._open(time_s),
                *self._mirrors.look(reading.frame, reading.detections),
            )
            yield replace(reading, entries=entries, notices=notices)

    def _open(self, time_s: float) -> Iterator[Notice]:
        """A word, once, where somebody had won before the camera came."""
        decoder = self._session.decoder if self._session is not None else None
        if isinstance(decoder, Decoder) and decoder.found_over and not self._open_said:
            self._open_said = True
            text = "a hand lies open already and nobody saw how: reading begins with the next deal"
            yield Notice("unseen", time_s, text, lasts=False)

    def _answered(self) -> list[Entry]:
        """The lines that are otherwise for what people have said."""
        decoder = self._session.decoder if self._session is not None else None
        lines: list[Entry] = []
        while isinstance(decoder, Decoder) and self._answers:
            lines += decoder.answer(self._answers.popleft())
        return lines

    def _ask(self) -> None:
        decoder = self._session.decoder if self._session is not None else None
        self._questions = tuple(decoder.questions()) if isinstance(decoder, Decoder) else ()

    def _begin(self, frame: Frame, waited_s: float, begin: Begin) -> Session | None:
        width, height = frame.size_px
        if self._given is not None:
            view = self._given.in_picture(width, height)
            return self._new(view, frame, begin)
        if frame.time_s - self._searched_s < SEARCH_S:
            return None
        try:
            view = replace(self._found(frame), seat0=self._seat0)
        except NoTable:
            if waited_s > (HANDS_S if self._tiles_seen else FIND_S):
                raise
            return None
        return self._new(view, frame, begin)

    def _new(self, view: TableView, frame: Frame, begin: Begin) -> Session:
        return Session(self._detector, self._takes, view, frame, self._pace, begin)

    def _find_again(self, frame: Frame, watched_s: float, begin: Begin) -> list[FrameResult]:
        """Go over to another table if it is seen twice and nothing was told of the first.

        Answers what is still to be said of the first one.
        """
        assert self._session is not None, "a table is being read"
        fixed = self._told or self._given is not None or watched_s > UNTIL_S
        if fixed or frame.time_s - self._searched_s < AGAIN_S:
            return []
        try:
            view = replace(self._found(frame), seat0=self._seat0)
        except NoTable:
            return []
        if not _elsewhere(view, self._session.view):
            self._other = None
        elif self._other is None or _elsewhere(view, self._other):
            self._other = view
        else:
            left = self._session.settle()
            if not any(reading.entries for reading in left):
                self._session = self._new(view, frame, begin)
            return left
        return []

    def _found(self, frame: Frame) -> TableView:
        """The table by its edge and its tiles, or by four hands; raises ``NoTable``."""
        self._searched_s = frame.time_s
        picture = frame.image_bgr
        search = look_for_table(lambda px: self._detector.read(picture, None, px), picture)
        self._tiles_seen |= len(search.readings) >= LEAST_TILES
        if search.view is None:
            raise NoTable("no table was found: neither its edge nor four standing hands are seen")
        return search.view


def _elsewhere(view: TableView, other: TableView) -> bool:
    """Whether two tables that were found in pictures of one camera are not the same."""
    side_px = float(np.linalg.norm(np.diff(view.field_px, axis=0), axis=1).mean())
    return float(np.abs(view.field_px - other.field_px).max()) > ELSEWHERE * side_px


def _ends_unseen(entries: Iterable[Entry], time_s: float) -> Iterator[Notice]:
    """A word on each hand of which nobody saw how it ended."""
    for entry in entries:
        doubtful = entry.confidence is not None and entry.confidence < UNSEEN_END
        if isinstance(entry.event, DrawnHand) and doubtful:
            text = "a hand ended and nobody saw how: enter who won, or that it was drawn"
            yield Notice("unseen", time_s, text, lasts=False)
