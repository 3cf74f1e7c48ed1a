"""A decoder with the record that it and people write, in one process and without a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.events import Entry, Seat
from engine.updates import CameraRecord, pinned
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.seat_camera.witness import NOBODY, Witness
from vision.table.view import TableView
from vision.tracking.observe import Look, Observation


class RecordedDecoder:
    """Decodes one game and writes what is told into a record; all lines that it gives are new."""

    def __init__(
        self,
        rules: str,
        view: TableView,
        witness: Witness = NOBODY,
        before: Sequence[Entry] = (),
        first_dealer: Seat | None = None,
        decoder: type[Decoder] = Decoder,
    ) -> None:
        """``decoder``: a class that decodes in the place of the reader's own."""
        self.decoder = decoder(rules, view, witness, before, first_dealer)
        self._record = CameraRecord(before)
        held = pinned(before, self._record.first)
        self._pins = Pins(0, held.in_force, held.removed)
        self._told = 0
        """Number of the last decoding that was written."""

    @property
    def entries(self) -> Sequence[Entry]:
        """The whole record."""
        return self._record.entries

    @property
    def view(self) -> TableView:
        return self.decoder.view

    @property
    def observation(self) -> Observation | None:
        return self.decoder.observation

    def look(self, look: Look) -> list[Entry]:
        return self.take(self.decoder.look(look))

    def observe(self, observation: Observation) -> list[Entry]:
        return self.take(self.decoder.observe(observation))

    def moved(self, view: TableView) -> None:
        self.decoder.moved(view)

    def blinded(self) -> None:
        self.decoder.blinded()

    def close(self) -> list[Entry]:
        return self.take(self.decoder.close())

    def questions(self) -> list[Question]:
        return self.decoder.questions()

    def write(self, line: Entry) -> list[Entry]:
        """Take a line that a person wrote; returns what follows from it."""
        number = len(self.entries)
        withdrawn = self._record.write(line)
        now = pinned(self.entries, self._record.first)
        pins = replace(self._pins, in_force=now.in_force, removed=now.removed, rests_on=self._told)
        lines = self._hear(pins)
        if not withdrawn:
            self._record.because(number)
        return [*withdrawn, *lines]

    def answer(self, answer: Answer) -> list[Entry]:
        """Take an answer; returns what follows from it."""
        return self._hear(replace(self._pins, answers=(*self._pins.answers, answer)))

    def _hear(self, pins: Pins) -> list[Entry]:
        self._pins = replace(pins, number=pins.number + 1)
        return self.take(self.decoder.hear(self._pins))

    def take(self, now: Decoding | None) -> list[Entry]:
        """Write what the decoder tells now; returns the new lines."""
        if now is None:
            return []
        self._told = now.number
        return self._record.take(now.told, now.answered, now.put_back, now.left)
