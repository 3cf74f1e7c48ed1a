"""A decoder that is shown a hand-made table."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Entry, Event
from engine.game import replay
from engine.state import State
from tests.support.tables import VIEW, Table, plain, shares
from vision.decoder.decoder import Decoder
from vision.decoder.pin import Pins
from vision.decoder.question import Answer


class Seen(Table):
    """What is decoded of a stage."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        super().__init__(rules)
        self.decoder = Decoder(rules, VIEW)
        self._pins = Pins()

    def show(self, lasts_s: float = 1.2) -> None:
        for observation in self.stage.shown(lasts_s):
            self.decoder.observe(observation)

    def answer(self, answer: Answer) -> None:
        self._pins = replace(self._pins, answers=(*self._pins.answers, answer))
        self.decoder.hear(self._pins)

    @property
    def told(self) -> tuple[Entry, ...]:
        """All that is told of the game."""
        return self.decoder.decoding().told

    @property
    def state(self) -> State:
        """The hand as it stands by what is told."""
        return replay(self.told).state

    @property
    def events(self) -> list[Event]:
        """What is told of the hand, its beginning left out."""
        return [plain(entry.event) for entry in self.told][2:]

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
