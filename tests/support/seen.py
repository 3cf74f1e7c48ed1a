"""A watcher and an interpreter that are shown a hand-made table."""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Event
from engine.rules import RULE_SETS
from tests.support.tables import VIEW, Stage, shares
from vision.telling.interpret import Interpreter
from vision.telling.scene import TableEvidence, in_play
from vision.tracking.happen import Watcher
from vision.tracking.observe import Observation
from vision.tracking.zones import Zones


class Seen:
    """What is told of a stage."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        rule_set = RULE_SETS[rules]
        self.layout = rule_set.layout
        self.stage = Stage()
        self.watcher = Watcher(VIEW, Zones(VIEW, self.layout))
        self.interpreter = Interpreter(rule_set)
        self._in_play = in_play(rule_set)

    @property
    def scene(self) -> TableEvidence:
        watcher = self.watcher
        return TableEvidence(
            watcher.tiles,
            watcher.present,
            VIEW.tile_mm,
            self._in_play,
            self.layout,
            falls=watcher.falls,
        )

    def show(self, lasts_s: float = 1.2) -> None:
        self._take(self.stage.shown(lasts_s))

    def _take(self, observations: Iterable[Observation]) -> None:
        for observation in observations:
            happened = self.watcher.update(observation)
            for happening in happened:
                self.interpreter.take(happening, self.scene)
            self.interpreter.review(self.scene)

    @property
    def events(self) -> list[Event]:
        """What is told of the hand, its beginning left out."""
        return [told.event for told in self.interpreter.best.told][2:]

    def deal(self, dealer: int = 0) -> None:
        for seat in range(4):
            self.stage.stand(seat, 14 if seat == dealer else 13)
        self.show(2.0)

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
