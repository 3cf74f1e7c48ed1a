"""A decoder with the record that it and people write, in one process and without a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.events import Entry, Seat
from engine.updates import CameraRecord
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
        self._record = CameraRecord(Pins(), before)

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
        withdrawn = self._record.write(line)
        for other in withdrawn:
            self._record.write(other)
        return [*withdrawn, *self._hear()]

    def answer(self, answer: Answer) -> list[Entry]:
        """Take an answer; returns what follows from it."""
        pins = self._record.pins
        return self._hear(replace(pins, answers=(*pins.answers, answer)))

    def _hear(self, said: Pins | None = None) -> list[Entry]:
        record = self._record
        return self.take(self.decoder.hear(record.pins)) if record.pin(said) else []

    def take(self, now: Decoding | None) -> list[Entry]:
        """Write what the decoder tells now; returns the new lines."""
        return [] if now is None else self._record.take(now)
