"""Looks in, lines of the record out: tracker, watcher, interpreter and recorder in a row."""

from __future__ import annotations

from typing import Final

from engine.events import Chow, Discard, Entry, Pung
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from vision.second.witness import NOBODY, Witness
from vision.table.view import TableView
from vision.telling.interpret import Interpreter
from vision.telling.question import Answer, Question
from vision.telling.recorder import Recorder
from vision.telling.scene import Scene, in_play
from vision.telling.story import Told
from vision.tracking.customs import customs_of
from vision.tracking.happen import Watcher
from vision.tracking.observe import Look, Observation
from vision.tracking.track import Tracker
from vision.tracking.zones import Zones

HELD_S: Final = 0.6
"""An event is told when its player's hands have been away for so long: a sign may follow."""
HELD_AT_MOST_S: Final = 2.5
REVIEW_S: Final = 0.5


class Decoder:
    """One game at one table; not for two threads at once."""

    def __init__(self, rules: str | RuleSet, view: TableView, witness: Witness = NOBODY) -> None:
        """``witness``: what cameras of single seats see; it may grow meanwhile."""
        rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
        self.view = view
        self._tracker = Tracker(view)
        self._customs = customs_of(rule_set.id)
        self._watcher = Watcher(view, Zones(view, self._customs))
        self._interpreter = Interpreter(rule_set)
        self._recorder = Recorder()
        self._in_play = in_play(rule_set)
        self._witness = witness
        self._released: set[tuple[float, type]] = set()
        """When what kind of event happened that has been told: it is not held back again."""
        self._undone = 0
        self._time_s = 0.0
        self._reviewed_s = 0.0
        self.observation: Observation | None = None
        """What is believed to lie on the table now."""

    def look(self, look: Look) -> list[Entry]:
        """Take one look; answers new lines of the record, as a rule none."""
        return self.observe(self._tracker.update(look))

    def observe(self, observation: Observation) -> list[Entry]:
        """Take what is believed to lie on the table; answers new lines of the record."""
        self._time_s = observation.time_s
        self.observation = observation
        happened = self._watcher.update(observation)
        scene = self._scene()
        for happening in happened:
            self._interpreter.take(happening, scene)
        if observation.time_s - self._reviewed_s >= REVIEW_S:
            self._reviewed_s = observation.time_s
            self._interpreter.review(scene)
        return self._lines()

    def _lines(self) -> list[Entry]:
        told, undone = self._told(), self._interpreter.best.undone
        put_back, self._undone = undone > self._undone, undone
        return self._recorder.tell(told, self._entry, put_back)

    def moved(self, view: TableView) -> None:
        """The camera stands otherwise now: what lies on the table lies where it lay."""
        self.view = self._tracker.view = self._watcher.view = self._watcher.zones.view = view

    def questions(self) -> list[Question]:
        """What people should be asked now, in the order of play; few enough to be bearable."""
        return self._interpreter.questions(self._scene())

    def answer(self, answer: Answer) -> list[Entry]:
        """Take what a person said of a question; answers the lines that it changes.

        It may be given before what it is about has been seen, as it is when a video is read again.
        """
        self._interpreter.answer(answer, self._scene())
        return self._lines()

    def close(self) -> list[Entry]:
        """The camera stops; answers the last lines."""
        self._interpreter.close(self._time_s, self._scene())
        return self._recorder.tell(self._interpreter.best.told, self._entry)

    def _told(self) -> tuple[Told, ...]:
        """The best story without what may still be about to change."""
        told = self._interpreter.best.told
        count = len(told)
        while count and self._held(told[count - 1]):
            count -= 1
        self._released.update((each.time_s, type(each.event)) for each in told[:count])
        return told[:count]

    def _held(self, told: Told) -> bool:
        if (told.time_s, type(told.event)) in self._released:
            return False
        age = self._time_s - told.time_s
        if age > HELD_AT_MOST_S or not isinstance(told.event, Discard | Chow | Pung):
            return False
        seat = told.event.seat
        return age < HELD_S or self._watcher.busy_at(seat, self._time_s - HELD_S, self._time_s)

    def _entry(self, told: Told) -> Entry:
        sure = self._interpreter.confidence(told)
        return Entry(told.event, t=round(told.time_s, 2), confidence=sure, source="camera")

    def _scene(self) -> Scene:
        watcher = self._watcher
        return Scene(
            watcher.tiles,
            watcher.present,
            self.view.tile_mm,
            self._in_play,
            self._customs,
            self._witness,
        )
