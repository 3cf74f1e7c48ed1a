"""A segmenter and a search that are shown a hand-made table."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Event
from tests.support.tables import VIEW, Table, shares
from vision.decoder.decoder import Decoder
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.pin import Pins
from vision.decoder.question import Answer
from vision.decoder.segment import Segmenter
from vision.decoder.table_evidence import TableEvidence


class Seen(Table):
    """What is decoded of a stage."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        super().__init__(rules)
        self.decoder = Decoder(rules, VIEW)
        self._pins = Pins()

    @property
    def segmenter(self) -> Segmenter:
        return self.decoder.segmenter

    @property
    def best(self) -> Hypothesis:
        return self.decoder.search.best

    @property
    def table(self) -> TableEvidence:
        return self.decoder.evidence()

    def show(self, lasts_s: float = 1.2) -> None:
        for observation in self.stage.shown(lasts_s):
            self.decoder.observe(observation)
            self.decoder.search.review(self.table)

    def answer(self, answer: Answer) -> None:
        self._pins = replace(self._pins, answers=(*self._pins.answers, answer))
        self.decoder.hear(self._pins)

    @property
    def events(self) -> list[Event]:
        """What is decoded of the hand, its beginning left out."""
        return [step.event for step in self.best.events if step.event is not None][2:]

    def discard(
        self, seat: int, face: str, place: int = 0, sure: float = 0.97, other: str = "5z"
    ) -> int:
        """A discard somewhere before a seat, and its hand one tile smaller."""
        self.stage.busy = frozenset({seat})
        self.show(0.4)
        u, v = -90 + 45 * (place % 5), 90 + 45 * (place // 5)
        tile = self.stage.put(seat, u, v, face)
        self.stage.change(tile, probabilities=shares(face, sure, other))
        self.show(0.4)
        self.stage.busy = frozenset()
        self.show(0.8)
        return tile
