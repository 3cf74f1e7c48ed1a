"""From looks at one table to lines of the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import (
    Chow,
    Correct,
    Dice,
    Discard,
    Draw,
    Entry,
    HandStart,
    Kong,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import State
from vision.decoder.changes import (
    CHANGE_NAMES,
    Cleared,
    HandsStand,
    PersonSaid,
    TableChange,
)
from vision.decoder.dice import with_dice
from vision.decoder.drawn import DrawnTiles
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.held_back import HeldBack
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.journal import Journal
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.open_hands import OpenHands
from vision.decoder.proposals.faces import faces_of, shares_of
from vision.decoder.question import Answer, EventPlace, Question, QuestionTile
from vision.decoder.questions import doubts, within_reason
from vision.decoder.search import BeamSearch, events_of
from vision.decoder.seat_clocks import SeatClocks
from vision.decoder.segment import Segmenter
from vision.decoder.shared_row import SharedRow
from vision.decoder.table_evidence import TableEvidence, in_play
from vision.decoder.taken_up import taken_up
from vision.decoder.words import Words
from vision.dice.rolls import Roll
from vision.seat_camera.witness import NOBODY, SeatWitness, Witness
from vision.table.view import TableView
from vision.tracking.observe import Look, Observation
from vision.tracking.track import Tracker
from vision.tracking.zones import Zones

REVIEW_S: Final = 0.5
READ_TOGETHER: Final = (Chow, Pung, Kong, Win, Reveal)
"""Events of several faces."""
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
        self.segmenter = Segmenter(view, Zones(view, self._layout))
        begun = taken_up(rule_set, before, first_dealer)
        self.search = BeamSearch(rule_set, begun.hypothesis)
        self._journal = Journal(before, begun.first)
        self._places: dict[int, tuple[EventPlace, tuple[QuestionTile, ...]]] = {}
        """Where each change was, and its tiles."""
        self._answers: list[Answer] = []
        self._answered: dict[int, Words] = {}
        """What was answered of changes, by their ids."""
        self._followed: dict[int, list[int]] = {}
        """Corrections that followed from what people wrote, by the number of their line."""
        self._asked: list[Question] = []
        """Questions of the hands that are over."""
        self._witness = witness
        self._clocks = SeatClocks(witness)
        self._open_hands = OpenHands()
        self._drawn = DrawnTiles()
        self._rolls: list[Roll] = []
        self._held_back = HeldBack(self.search, self.segmenter)
        self._undone = 0
        self._time_s = 0.0
        self._reviewed_s = 0.0
        self.observation: Observation | None = None
        """What is believed to lie on the table now."""

    @property
    def dice_may_roll(self) -> bool:
        """Whether no hand is being played, or these rules roll dice during one."""
        return not self.segmenter.playing or self._layout.rolls_in_play

    @property
    def found_over(self) -> bool:
        """Whether a hand lay open when the table was first seen: nobody saw how it was won."""
        return self.segmenter.found_over

    def look(self, look: Look) -> list[Entry]:
        """Take one look and return new lines of the record, usually none."""
        self.segmenter.ended = look.held
        if look.rolled is not None:
            self._rolls.append(look.rolled)
        return self.observe(self._tracker.update(look))

    def observe(self, observation: Observation) -> list[Entry]:
        """Take what is believed to lie on the table and return new lines of the record."""
        self._time_s = observation.time_s
        self.observation = observation
        changes = self.segmenter.update(observation)
        table = self.evidence()
        for change in changes:
            if isinstance(change, Cleared):
                self._asked += self._doubts(table)
            self._note(change)
            self.search.take(change, table)
            if isinstance(change, HandsStand) and change.snapshot is not None:
                self.segmenter.put_last(self.search.best.last_tile)
            if isinstance(change, Cleared):
                self.segmenter.keep(self.search.tiles)
            if isinstance(change, HandsStand) and change.snapshot is None:
                self._tracker.forget_gone()
        if observation.time_s - self._reviewed_s >= REVIEW_S:
            self._reviewed_s = observation.time_s
            self._clocks.set(self.search.best)
            self.search.review(table)
        return self._lines()

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved; the tiles have not."""
        self.view = self._tracker.view = self.segmenter.view = self.segmenter.zones.view = view

    def blinded(self) -> None:
        """Forget the last moments, whose pictures were frozen."""
        self.segmenter.blinded()

    def close(self) -> list[Entry]:
        """End the game and return the last lines."""
        table = self.evidence()
        for change in self.segmenter.shown_at_end(self._time_s):
            self._note(change)
            self.search.take(change, table)
        self._asked += self._doubts(table)
        self.search.close(self._time_s, table, self.segmenter.new_id())
        return self._journal.tell(self._filled(self.search.best.events), self._entry)

    # --- people ---

    def questions(self) -> list[Question]:
        """What to ask people now, in the order of play, and few enough to be bearable."""
        events = sum(not isinstance(step.event, Draw) for step in self.search.best.events)
        doubtful = [
            one
            for one in (*self._asked, *self._doubts(self.evidence()))
            if not any(answer.place.same(one.place) for answer in self._answers)
        ]
        return within_reason(doubtful, events, len(self._answers))

    def answer(self, answer: Answer) -> list[Entry]:
        """Take an answer and return the lines that it changes.

        It may come before its question, as it does when a video is read again.
        """
        self._answers.append(answer)
        for number, (place, _) in self._places.items():
            if answer.place.happening.same(place):
                self._hear(number, answer)
                return self._lines(at_once=True)
        return []

    def write(self, line: Entry) -> list[Entry]:
        """Take a line that a person wrote, and return the lines that follow from it.

        It has the next number of the record: that of an event, of a correction, or of what takes a
        correction back.
        """
        number = self._journal.said(line)
        if isinstance(line.event, Correct):
            of = line.event.of
            for entry in line.event.events:
                laid = self.search.set_laid(entry, self._journal.change_of(of))
                if laid is not None:
                    self._journal.inserted(of, entry.event, laid)
        elif (laid := self.search.set_laid(line)) is not None:
            self._journal.of_person(number, laid)
        else:
            change = PersonSaid(self.segmenter.new_id(), self._time_s)
            self._journal.of_person(number, change.id)
            self.search.said[change.id] = Words.of_person(line.event)
            self._note(change)
            self.search.take(change, self.evidence())
        withdrawn = self._withdrawn_with(line)
        self._decode_again(self._journal.words())
        lines = [*withdrawn, *self._lines(at_once=True)]
        last = len(self._journal.entries)
        followed = zip(range(last - len(lines), last), lines, strict=True)
        self._followed[number] = [at for at, one in followed if isinstance(one.event, Correct)]
        return lines

    def _withdrawn_with(self, line: Entry) -> list[Entry]:
        """Lines that take back what followed from a correction that is taken back.

        A hand that goes on is decoded again instead.
        """
        event = line.event
        if not isinstance(event, Correct) or event.events or event.of not in self._followed:
            return []
        was = self._journal.entries[event.of].event
        change = self._journal.change_of(was.of) if isinstance(was, Correct) else None
        if any(node.change.id == change for node in self.search.nodes[self.search.hand_begins :]):
            return []
        return [self._journal.withdraw(number) for number in self._followed.pop(event.of)]

    def _hear(self, number: int, answer: Answer) -> None:
        """Hold a change for what a person answered."""
        said = answer.events
        if answer.place.seat is not None:
            said = tuple(
                other
                for event in events_of(self.search.best, number)
                for other in (
                    said
                    if isinstance(event, Discard) and event.seat == answer.place.seat
                    else (event,)
                )
            )
        self._answered[number] = Words.of_person(*said)
        self._decode_again(self._journal.words())

    def _decode_again(self, words: dict[int, Words]) -> None:
        """Explain the hand again from the first change of which people say something else."""
        words = self._answered | words
        was, self.search.said = self.search.said, words
        other = {
            change for change in was.keys() | words.keys() if was.get(change) != words.get(change)
        }
        begins = self.search.hand_begins
        places = [at for at, node in enumerate(self.search.nodes) if node.change.id in other]
        if any(at < begins for at in places) or not places:
            self.search.begin_hand(self._past())
            places = [begins]
        self.search.again(max(begins, min(places)), self.evidence())

    def _past(self) -> Hypothesis:
        """The hands before this one, as the record stands."""
        begun, lines = self.search.begun, self._journal.stands
        starts = [at for at, (_, event) in enumerate(lines) if isinstance(event, HandStart)]
        if starts and self.search.nodes[self.search.hand_begins :]:
            continued = lines[starts[-1]][0] < self._journal.known
            if continued:  # the hand began before the program did
                lines = [one for one in lines if one[0] < self._journal.known]
            else:
                lines = lines[: starts[-1]]
        past = replace(begun, state=State(), steps=SharedRow(), before=SharedRow())
        for number, event in lines:
            by_person = self._journal.is_by_person(number)
            past = past.then(Explained(0.0, BEFORE, event, by_person=by_person)) or past
        return replace(past, cost=0.0)

    def _doubts(self, table: TableEvidence) -> list[Question]:
        if not self.search.nodes or self.search.nodes[-1].ends:
            return []
        return doubts(self.search.hypotheses, table, lambda number: self._places[number])

    def _note(self, change: TableChange) -> None:
        """Remember where a change was, and apply an answer that came before it."""
        tiles = [
            self.segmenter.tiles[tile] for tile in change.tiles if tile in self.segmenter.tiles
        ]
        middles = [(tile.x_mm, tile.y_mm) for tile in tiles]
        place = EventPlace(CHANGE_NAMES[type(change)], round(change.time_s, 1))
        if middles:
            x_mm, y_mm = (sum(axis) / len(middles) for axis in zip(*middles, strict=True))
            place = replace(place, x_mm=round(x_mm), y_mm=round(y_mm))
        self._places[change.id] = place, tuple(QuestionTile.of(tile, self.view) for tile in tiles)
        for answer in self._answers:
            if answer.place.seat is None and answer.place.same(place):
                words = Words.of_person(*answer.events)
                self._answered[change.id] = self.search.said[change.id] = words

    # --- lines ---

    def _lines(self, at_once: bool = False) -> list[Entry]:
        due = self._held_back.due(self._time_s, at_once)
        if due is None:
            return []
        undone = self.search.best.undone
        put_back, self._undone = undone > self._undone, undone
        steps = self._filled(due, self._time_s)
        return self._journal.tell(steps, self._entry, put_back)

    def _filled(
        self, steps: tuple[Explained, ...], time_s: float = float("inf")
    ) -> tuple[Explained, ...]:
        """Add the deals and draws of open hands, which tiles were just drawn, and dice."""
        best = self.search.best
        rows = {seat: row.stood for seat, row in self.segmenter.open_rows.items()}
        states = [
            state
            for step, state in zip(best.steps, best.before, strict=True)
            if step.event is not None
        ]
        filled = self._open_hands.fill(steps, [*states, best.state], best.rules, rows)
        filled = self._drawn.fill(filled, self.segmenter.apart.stayed)
        return with_dice(filled, self._rolls, time_s)

    def _entry(self, step: Explained) -> Entry:
        assert step.event is not None, "only events are written"
        read = step.read_in_row or isinstance(step.event, Dice)
        sure = round(step.sure, 3) if read else self.confidence(step)
        evidence = SUPPLIED if step.supplied else None
        return Entry(step.event, round(step.time_s, 2), sure, evidence, "camera")

    def confidence(self, step: Explained, temperature: float = TEMPERATURE) -> float:
        """How far the hypotheses agree on an event, at most how sure its one face is.

        The faces of sets and hands are read together: hypotheses that read them otherwise count.
        """
        event = step.event
        if step.by_person:
            return 1.0
        if isinstance(event, HandStart):
            event = replace(event, dice=None)  # hypotheses do not hold the values of dice
        same = sum(
            share
            for hypothesis, share in self.search.shares(temperature)
            if any(
                other.change == step.change and _plain(other.event) == _plain(event)
                for other in self._near(hypothesis, step.change)
            )
        )
        sure = 1.0 if isinstance(event, READ_TOGETHER) else step.sure
        if step.tile is not None and step.tile in self.segmenter.tiles:
            faces = faces_of(step, self.search.best, self.evidence())
            sure = shares_of(faces).get(step.face, sure) if faces else sure
        return round(min(same, sure), 3)

    @staticmethod
    def _near(hypothesis: Hypothesis, change: int) -> Iterator[Explained]:
        """The steps of a change, the last one first."""
        found = False
        for step in reversed(hypothesis.steps):
            if step.change == change:
                found = True
                yield step
            elif found and isinstance(step.event, HandStart):
                return

    # --- evidence ---

    def evidence(self) -> TableEvidence:
        """What is known of the table now."""
        segmenter, witness = self.segmenter, self._witness
        if segmenter.open_rows:
            rows = {seat: SeatWitness(row) for seat, row in segmenter.open_rows.items()}
            witness = Witness({**rows, **witness.seats})
        return TableEvidence(
            segmenter.tiles,
            segmenter.present,
            self.view.tile_mm,
            self._in_play,
            self._layout,
            witness,
            segmenter.falls,
            segmenter.taken,
        )


def _plain(event: object) -> object:
    """The event without what no hypothesis holds."""
    return replace(event, drawn=None) if isinstance(event, Discard) else event
