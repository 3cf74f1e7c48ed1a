"""The whole way of one table: frames, closer looks where something changed, lines of the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from vision.calibrate import NoTable, find_table
from vision.decode import Decoder
from vision.frames import Frame
from vision.observe import Observation
from vision.pictures import SourceError
from vision.session import Reading, Reads, Session, Takes
from vision.stream import StreamWatch
from vision.table import TableView

__all__ = ["GATE_S", "Reading", "Reads", "TableReader", "Takes"]

GATE_S: Final = 0.07
"""Frames that follow each other sooner are passed over: hands are not that fast."""
FIND_S: Final = 8.0
"""For how long a table is looked for before it is said that there is none."""


class TableReader:
    """Reads one table; the table is looked for unless it is given."""

    def __init__(
        self,
        detector: Reads,
        rules: str | Callable[[TableView], Takes],
        view: TableView | None = None,
        seat0: str | None = None,
    ) -> None:
        """``rules`` names those of the game, or makes what takes the looks in place of them."""
        self._detector = detector
        self._takes = (lambda view: Decoder(rules, view)) if isinstance(rules, str) else rules
        self._given = view
        self._seat0 = seat0 or "bottom"
        self._session: Session | None = None

    @property
    def view(self) -> TableView | None:
        """The table, once it is known."""
        return self._session.view if self._session else self._given

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        return self._session.decoder.observation if self._session else None

    def read(self, frames: Iterable[Frame]) -> Iterator[Reading]:
        """Look at frames in order; raises ``SourceError`` where no table is to be seen."""
        last: Frame | None = None
        first_s: float | None = None
        watch = StreamWatch()
        for frame in frames:
            if last is not None and frame.time_s - last.time_s < GATE_S:
                continue
            last = frame
            said = tuple(watch.update(frame))
            first_s = frame.time_s if first_s is None else first_s
            if self._session is None:
                self._session = self._begin(frame, frame.time_s - first_s)
            if self._session is None:
                yield Reading(frame, (), notices=said)
                continue
            reading = self._session.read(frame)
            yield replace(reading, notices=(*said, *reading.notices)) if said else reading
        if last is None:
            raise SourceError("there is not one picture in this source")
        if self._session is None:
            raise NoTable("no table was found in any picture; give one with --table table.toml")
        yield Reading(last, self._session.detections, tuple(self._session.decoder.close()))

    def _begin(self, frame: Frame, waited_s: float) -> Session | None:
        height, width = frame.image_bgr.shape[:2]
        if self._given is not None:
            view = self._given.in_picture(width, height)
            return Session(self._detector, self._takes, view, frame)
        try:
            view = replace(find_table(frame.image_bgr), seat0=self._seat0)
        except NoTable:
            if waited_s > FIND_S:
                raise
            return None
        return Session(self._detector, self._takes, view, frame)
