"""Turn looks into lines of the record: tracker, watcher, interpreter and recorder in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.events import Chow, Dice, Discard, Entry, HandStart, Pung, Seat
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from vision.dice.rolls import Roll
from vision.seat_camera.clock_offset import PutDown, shift_between
from vision.seat_camera.witness import NOBODY, SeatWitness, Witness
from vision.table.view import TableView
from vision.telling.drawn_told import DrawnTold
from vision.telling.interpret import Interpreter
from vision.telling.open_hands import OpenHands
from vision.telling.question import Answer, Question
from vision.telling.recorder import Recorder
from vision.telling.rolls_told import with_dice
from vision.telling.scene import TableEvidence, in_play
from vision.telling.story import Told
from vision.telling.taken_up import BEFORE, taken_up
from vision.tracking.found import Found
from vision.tracking.happen import Watcher
from vision.tracking.happenings import Washed
from vision.tracking.observe import Look, Observation
from vision.tracking.track import Tracker
from vision.tracking.zones import Zones

HELD_S: Final = 0.3
"""An event is told after its player's hands have been away this long, because a sign may follow."""
HELD_AT_MOST_S: Final = 2.5
OUT_OF_ORDER_S: Final = 10.0
"""An event that was seen late is told at most this long after one that happened later."""
REVIEW_S: Final = 0.5
SURELY_TOLD: Final = 0.8
"""Least confidence of the discards that set the clocks of seat cameras."""
SUPPLIED: Final = "supplied"
"""Evidence of an event that nobody saw but that follows from what lay there before and after."""


class Decoder:
    """Decodes one game at one table; not safe for two threads at once."""

    def __init__(
        self,
        rules: str | RuleSet,
        view: TableView,
        witness: Witness = NOBODY,
        before: Sequence[Entry] = (),
        first_dealer: Seat | None = None,
    ) -> None:
        """``witness``: what the seat cameras see; it may grow meanwhile.

        ``before``: the record to continue. New lines are numbered after it, and their times count
        from its last one. ``first_dealer``: who dealt the first hand of a game that has no record
        yet.
        """
        rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
        self.view = view
        self._in_play = in_play(rule_set)
        self._tracker = Tracker(view, self._in_play)
        self._layout = rule_set.layout
        self._watcher = Watcher(view, Zones(view, self._layout))
        begun = taken_up(rule_set, before, first_dealer)
        self._interpreter = Interpreter(rule_set, begun.story)
        known = zip(begun.numbers, begun.story.told, strict=True)
        self._recorder = Recorder(begun.lines, tuple(known))
        self._witness = witness
        self._compared: dict[int, int] = {}
        """How many discards set the clock of each seat's camera."""
        self._open_hands = OpenHands()
        self._drawn = DrawnTold()
        self._rolls: list[Roll] = []
        self._released: set[tuple[float, type]] = set()
        """Time and type of events that were told: they are not held back again."""
        self._undone = 0
        self._time_s = 0.0
        self._reviewed_s = 0.0
        self.observation: Observation | None = None
        """What is believed to lie on the table now."""

    @property
    def dice_may_roll(self) -> bool:
        """Whether no hand is being played, or these rules roll dice during one."""
        return not self._watcher.playing or self._layout.rolls_in_play

    @property
    def found_over(self) -> bool:
        """Whether a hand lay open when the table was first seen: nobody saw how it was won."""
        return self._watcher.found_over

    def look(self, look: Look) -> list[Entry]:
        """Take one look and return new lines of the record, usually none."""
        if look.rolled is not None:
            self._rolls.append(look.rolled)
        return self.observe(self._tracker.update(look))

    def observe(self, observation: Observation) -> list[Entry]:
        """Take what is believed to lie on the table and return new lines of the record."""
        self._time_s = observation.time_s
        self.observation = observation
        happened = self._watcher.update(observation)
        scene = self._scene()
        for happening in happened:
            self._interpreter.take(happening, scene)
            if isinstance(happening, Found):
                self._watcher.put_last(self._interpreter.best.last_tile)
            if isinstance(happening, Washed):
                self._watcher.keep(self._interpreter.tiles)
        if observation.time_s - self._reviewed_s >= REVIEW_S:
            self._reviewed_s = observation.time_s
            self._set_clocks()
            self._interpreter.review(scene)
        return self._lines()

    def _lines(self) -> list[Entry]:
        told = with_dice(self._filled(self._told()), self._rolls, self._time_s)
        undone = self._interpreter.best.undone
        put_back, self._undone = undone > self._undone, undone
        return self._recorder.tell(told, self._entry, put_back)

    def _set_clocks(self) -> None:
        """Measure how far the clocks of recorded seat cameras are off."""
        for seat, witness in self._witness.seats.items():
            if witness.given:
                continue
            known = [
                PutDown(told.time_s, told.event.tile)
                for told in self._interpreter.best.told
                if isinstance(told.event, Discard)
                and told.event.seat == seat
                and told.sure > SURELY_TOLD
            ]
            if len(known) > self._compared.get(seat, 0):
                self._compared[seat] = len(known)
                shift_s = shift_between(known, witness.hands.stood)
                witness.shift_s = witness.shift_s if shift_s is None else shift_s

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved; the tiles have not."""
        self.view = self._tracker.view = self._watcher.view = self._watcher.zones.view = view

    def blinded(self) -> None:
        """Forget the last moments, whose pictures were frozen."""
        self._watcher.blinded()

    def questions(self) -> list[Question]:
        """What to ask people now, in the order of play, and few enough to be bearable."""
        return self._interpreter.questions(self._scene())

    def answer(self, answer: Answer) -> list[Entry]:
        """Take an answer and return the lines that it changes.

        It may come before its question, as it does when a video is read again.
        """
        self._interpreter.answer(answer, self._scene())
        return self._lines()

    def close(self) -> list[Entry]:
        """End the game and return the last lines."""
        for happening in self._watcher.shown_at_end(self._time_s):
            self._interpreter.take(happening, self._scene())
        self._interpreter.close(self._time_s, self._scene())
        told = with_dice(self._filled(self._interpreter.best.told[:]), self._rolls)
        return self._recorder.tell(told, self._entry)

    def _filled(self, told: tuple[Told, ...]) -> tuple[Told, ...]:
        """Add the deals and draws of open hands, and which tiles were just drawn."""
        rows = {seat: row.seen() for seat, row in self._watcher.open_rows.items()}
        filled = self._open_hands.fill(told, self._interpreter.best, rows)
        return self._drawn.fill(filled, self._watcher.apart.stayed)

    def _told(self) -> tuple[Told, ...]:
        """The best story without its last events that may still change."""
        told = self._interpreter.best.told
        count = len(told)
        while count and self._held(told[count - 1]):
            count -= 1
        # Older events are no longer held back, whatever was told of them.
        since_s = self._time_s - HELD_AT_MOST_S
        self._released = {one for one in self._released if one[0] >= since_s}
        for each in reversed(told[:count]):
            if each.time_s < since_s - OUT_OF_ORDER_S:
                break
            self._released.add((each.time_s, type(each.event)))
        return told[:count]

    def _held(self, told: Told) -> bool:
        if told.cause == BEFORE or (told.time_s, type(told.event)) in self._released:
            return False
        age = self._time_s - told.time_s
        if age > HELD_AT_MOST_S or not isinstance(told.event, Discard | Chow | Pung):
            return False
        if age < HELD_S or not isinstance(told.event, Discard):
            return age < HELD_S  # who claims must discard: the hand does not go away
        return self._watcher.busy_at(told.event.seat, self._time_s - HELD_S, self._time_s)

    def _entry(self, told: Told) -> Entry:
        event = told.event
        read = told.read_in_row or isinstance(event, Dice)
        # Stories do not contain the values of dice.
        plain = (
            replace(told, event=replace(event, dice=None)) if isinstance(event, HandStart) else told
        )
        sure = round(told.sure, 3) if read else self._interpreter.confidence(plain)
        evidence = SUPPLIED if told.supplied else None
        return Entry(told.event, round(told.time_s, 2), sure, evidence, "camera")

    def _scene(self) -> TableEvidence:
        watcher, witness = self._watcher, self._witness
        if watcher.open_rows:
            rows = {seat: SeatWitness(row) for seat, row in watcher.open_rows.items()}
            witness = Witness({**rows, **witness.seats})
        return TableEvidence(
            watcher.tiles,
            watcher.present,
            self.view.tile_mm,
            self._in_play,
            self._layout,
            witness,
            watcher.falls,
        )
