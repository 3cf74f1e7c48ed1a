"""From looks at one table to what is believed of its game."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from engine.events import (
    Chow,
    Claim,
    Dice,
    Discard,
    Draw,
    Entry,
    Event,
    GameEnd,
    GameStart,
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
from engine.updates import game_begins, pinned
from vision.decoder.changes import (
    CHANGE_NAMES,
    Cleared,
    HandsStand,
    PersonAdded,
    TableChange,
)
from vision.decoder.decoding import ChangeNames, Decoding
from vision.decoder.dice import with_dice
from vision.decoder.drawn import DrawnTiles
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.held_back import HeldBack
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.open_hands import OpenHands
from vision.decoder.pin import Pin, Pins
from vision.decoder.proposals.faces import faces_of, shares_of
from vision.decoder.put_down_by import share_of_place
from vision.decoder.question import Answer, EventPlace, Question, QuestionTile, as_read
from vision.decoder.questions import doubts, how_it_ended, within_reason
from vision.decoder.resumed import resume
from vision.decoder.search import BeamSearch, events_of
from vision.decoder.seat_clocks import SeatClocks
from vision.decoder.segment import Segmenter
from vision.decoder.table_evidence import TableEvidence, in_play
from vision.decoder.unseen_colours import UnseenColours
from vision.decoder.weighing import Weighing, weighed
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

        ``before``: the record to continue; the times of looks count from its last line.
        ``first_dealer``: who dealt the first hand of a game that has no record yet.
        """
        rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
        self.view = view
        self._in_play = in_play(rule_set)
        self._tracker = Tracker(view, self._in_play)
        self._layout = rule_set.layout
        self.segmenter = Segmenter(view, Zones(view, self._layout), rule_set.wins_to_end - 1)
        self._names = ChangeNames()
        begun = resume(rule_set, before, self._names, first_dealer)
        self._since_s = begun.since_s
        """Start of the clock of the looks, in the time of the record."""
        self.search = BeamSearch(rule_set, begun.hypothesis)
        self._places: dict[int, tuple[EventPlace, tuple[QuestionTile, ...]]] = {}
        """Where each change was, and its tiles."""
        held = pinned(before, game_begins(before))
        self._pins = Pins(0, held.in_force, held.removed)
        self._answered: dict[int, Pin] = {}
        """What was answered of changes, without a line of the record."""
        self._taken: list[Answer] = []
        """The answers of which the changes are known."""
        self._laid: dict[_Mark, int] = {}
        """The change that shows a set of which a person told."""
        self._own: dict[_Mark, Entry] = {}
        """The events that people wrote."""
        self._asked: list[Question] = []
        """Questions of the hands that are over."""
        self._witness = witness
        self._clocks = SeatClocks(witness)
        self._open_hands = OpenHands()
        self._drawn = DrawnTiles()
        self._unseen_colours = UnseenColours()
        self._rolls: list[Roll] = []
        self._held_back = HeldBack(self.search, self.segmenter)
        self._undone = 0
        self._put_back = False
        self._left: frozenset[str] = frozenset()
        """Changes before this hand that the rules refuse beside what people wrote."""
        self._steps: Sequence[Explained] = ()
        """What was told last, ..."""
        self._told: list[Entry] = []
        """... and the entry of each of these events."""
        self._told_in: dict[int, int] = {}
        """For each of these entries, by identity, the number of the decoding that first told it."""
        self._number = 0
        self._decoding: Decoding | None = None
        """What was told last, with its questions; None where that has changed."""
        self._frame: int | None = None
        """Index of the frame of the last look."""
        self._game_begins_s = 0.0
        """When a person said that a game ended or began: the next deal comes after it."""
        self._closed = False
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

    def look(self, look: Look) -> Decoding | None:
        """Take one look; returns what is told now where that has changed."""
        self.segmenter.ended = look.held
        self._frame = look.frame
        if look.rolled is not None:
            self._rolls.append(look.rolled)
        return self.observe(self._tracker.update(look))

    def observe(self, observation: Observation) -> Decoding | None:
        """Take what is believed to lie on the table; returns as ``look`` does."""
        self._time_s = observation.time_s
        self.observation = observation
        changes = self.segmenter.update(observation)
        table = self.evidence()
        for change in changes:
            if isinstance(change, HandsStand):
                change = replace(change, time_s=max(change.time_s, self._game_begins_s))
            self._note(change)
            self.search.take(change, table)
            if isinstance(change, HandsStand) and change.snapshot is not None:
                self.segmenter.put_last(self.search.best.last_tile)
            if isinstance(change, Cleared):
                self._asked += self._doubts_of_hand(change.id, table)
                self.segmenter.keep(self.search.tiles)
            if isinstance(change, HandsStand) and change.snapshot is None:
                self._tracker.forget_gone()
        if observation.time_s - self._reviewed_s >= REVIEW_S:
            self._reviewed_s = observation.time_s
            self._clocks.set(self.search.best)
            self.search.review(table)
        return self._decoded()

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved; the tiles have not."""
        self.view = self._tracker.view = self.segmenter.view = self.segmenter.zones.view = view

    def blinded(self) -> None:
        """Forget the last moments, whose pictures were frozen."""
        self.segmenter.blinded()

    def close(self) -> Decoding:
        """End the game; returns all of it."""
        table = self.evidence()
        for change in self.segmenter.shown_at_end(self._time_s):
            self._note(change)
            self.search.take(change, table)
        self._asked += self._doubts(table)
        end = Cleared(self.segmenter.new_id(), self._time_s)
        self._note(end)
        last = self.search.best.last_event()
        if last is not None and isinstance(last[1].event, Win) and self.search.best.playing:
            # Nobody plays on after a hand that was laid open: the rules refuse what was misread.
            self.search.take(end, table)
            self._tell(self._filled(self.search.best.events))
        self.search.close(self._time_s, table, end.id)
        self._frame = None
        self._closed = True
        self._tell(self._filled(self.search.best.events))
        return self.decoding()

    # --- people ---

    def hear(self, pins: Pins) -> Decoding | None:
        """Hold fixed what people say; returns what is told now where that has changed."""
        was, self._pins = self._pins, pins
        if self._take_answers(self._steps) or (pins.own, pins.removed) != (was.own, was.removed):
            self._decode_again(self._pinned())
            self._own = {
                (self._number_of(entry), repr(entry.event), True): entry for entry in pins.own
            }
        if pins.number != was.number:
            self._decoding = None
        return self._decoded(at_once=True)

    def decoding(self) -> Decoding:
        """All that is told now, with the questions about it."""
        if self._decoding is None:
            answered = (self._names[number] for number in self._answered)
            self._number += 1
            here = map(id, self._told)
            self._told_in = {one: self._told_in.get(one, self._number) for one in here}
            self._decoding = Decoding(
                tuple(self._told),
                tuple(self.questions()),
                self._number,
                self._pins.number,
                frozenset(answered),
                self._left,
                self._put_back,
            )
        return self._decoding

    def questions(self) -> list[Question]:
        """What to ask people now, in the order of play, and few enough to be bearable."""
        events = sum(not isinstance(step.event, Draw) for step in self.search.best.events)
        answers = self._pins.answers
        over = [one for one in self._asked if not self._pins.settle(one.place)]
        doubtful = [
            self._as_told(question, over=question in over)
            for question in (*over, *self._doubts(self.evidence()))
            if not any(answer.place.same(question.place) for answer in answers)
        ]
        asked = [question for question in doubtful if question is not None]
        return within_reason(asked, events, len(answers))

    def _as_told(self, question: Question, over: bool) -> Question | None:
        """The question about what is told of its change, which may not be the likeliest now.

        None where it is about one seat's discard, and the record tells none of that seat.

        Of a hand that is not ``over`` the last events are held back: they are told soon.
        """
        name, seat = question.place.happening.id, question.place.seat
        told: Sequence[Event] = [
            entry.event
            for entry in self._told
            if entry.change == name and not isinstance(entry.event, Draw)
        ]
        # A question is about one hand; the same change may have ended the hand before it.
        starts = [at for at, event in enumerate(told) if isinstance(event, HandStart)]
        told = told[starts[-1] :] if starts else told
        if seat is not None:
            alone = [event for event in told if isinstance(event, Discard) and event.seat == seat]
            if not alone and (told or over):
                return None
            told = alone
        return question.told(told) if told or over else question

    def weighing(self, time_s: float) -> Weighing | None:
        """The change nearest to a moment, of those that may still be explained otherwise."""
        kept = [node.change.id for node in self.search.nodes if len(node.hypotheses) > 1]
        if not kept:
            return None
        nearest = min(kept, key=lambda number: abs(self._places[number][0].time_s - time_s))
        return Weighing(*self._places[nearest], weighed(self.search, self.evidence(), nearest))

    def _pinned(self) -> dict[int, Pin]:
        """The pin of each change of which people wrote, by its number."""
        for entry in self._pins.own:
            self._find_change(entry)
        events: dict[int, list[tuple[Event, bool]]] = {}
        for entry in self._pins.in_force:
            number, own = self._number_of(entry), entry.source == "person"
            unseen = isinstance(entry.event, Draw | Discard) and not entry.event.tile.known
            if number is not None and (own or not unseen):
                events.setdefault(number, []).append((entry.event, own))
        found = {number for number, here in events.items() if any(own for _, own in here)}
        named = map(self._names.number, self._pins.removed)
        found |= {number for number in named if number is not None}
        return {
            number: Pin(
                tuple(event for event, _ in events.get(number, ())),
                frozenset(at for at, (_, own) in enumerate(events.get(number, ())) if own),
            )
            for number in found
            if number > BEFORE
        }

    def _number_of(self, entry: Entry) -> int | None:
        """The number of the change that an event in force explains; None where it has none."""
        laid = self._laid.get(_laid_key(entry)) if entry.source == "person" else None
        return self._names.number(str(entry.change)) if laid is None else laid

    def _find_change(self, entry: Entry) -> None:
        """Number the change of which a person tells.

        It may be a set that was seen to be laid, without a meaning. What nobody saw is a change of
        its own.
        """
        number = self._names.number(str(entry.change))
        if isinstance(entry.event, Claim) and _laid_key(entry) not in self._laid:
            laid = self.search.set_laid(entry.event, number)
            if laid is not None:
                self._laid[_laid_key(entry)] = laid
        if self._number_of(entry) is None:
            hand = self.search.nodes[self.search.hand_begins :]
            said_s = self._time_s if entry.t is None else entry.t - self._since_s
            begun_s = hand[0].change.time_s if hand else self._time_s
            time_s = max(min(said_s, self._time_s), begun_s)
            last = self.search.nodes[-2:]
            if isinstance(entry.event, GameEnd | GameStart) and len(last) == 2:
                # A hand that was dealt meanwhile is the first one of the next game.
                dealt = isinstance(last[1].change, HandsStand)
                time_s = last[0].change.time_s if dealt else time_s
                self._game_begins_s = time_s
            change = PersonAdded(self.segmenter.new_id(), time_s)
            self._names.name(change.id, str(entry.change))
            self.search.pins[change.id] = Pin.of_person(entry.event)
            self._note(change)
            self.search.take(change, self.evidence())

    def _take_answers(self, told: Sequence[Explained]) -> bool:
        """Take the answers whose changes are known, or told; returns whether there are new ones."""
        taken = [
            answer
            for answer in self._pins.answers
            if answer not in self._taken and self._answer(answer, told)
        ]
        self._taken += taken
        return bool(taken)

    def _answer(self, answer: Answer, told: Sequence[Explained]) -> bool:
        named = self._names.number(answer.place.change)
        for number, (place, _) in self._places.items():
            if number == named or (named is None and answer.place.happening.same(place)):
                pin = self._answer_pin(answer, number, told)
                if pin is not None:
                    self._answered[number] = pin
                return pin is not None
        return False

    def _answer_pin(self, answer: Answer, number: int, told: Sequence[Explained]) -> Pin | None:
        """A person's answer about a change, as a pin. None if it is about a single discard that is
        not told yet."""
        events, seat = answer.events, answer.place.seat
        if seat is not None:
            before = self._answered.get(number)
            here = events_of(self.search.best, number) if before is None else before.events
            alone = [isinstance(event, Discard) and event.seat == seat for event in here]
            if not any(alone) or all(step.change != number for step in told):
                return None
            pairs = zip(here, alone, strict=True)
            events = tuple(e for event, meant in pairs for e in (events if meant else (event,)))
        return Pin.of_person(*events)

    def _decode_again(self, pins: dict[int, Pin]) -> None:
        """Explain the hand again from the first change of which people say something else."""
        pins = self._answered | pins
        was, self.search.pins = self.search.pins, pins
        other = {
            change for change in was.keys() | pins.keys() if was.get(change) != pins.get(change)
        }
        begins = self.search.hand_begins
        places = [at for at, node in enumerate(self.search.nodes) if node.change.id in other]
        if any(at < begins for at in places) or not places:
            self.search.begin_hand(self._past())
            places = [begins]
        self.search.again(max(begins, min(places)), self.evidence())

    def _past(self) -> Hypothesis:
        """The hands before this one, as the record has them, and what was told since."""
        entries = [(self._names.earlier(str(entry.change)), entry) for entry in self._pins.in_force]
        pins = self.search.pins.items()
        known = {number for number, _ in entries}
        known |= {number for number, pin in pins if self._answered.get(number) != pin}
        for entry in self._told:
            number = self._names.number(str(entry.change))
            new = self._told_in.get(id(entry), self._number) > self._pins.rests_on
            if new and number is not None and number not in known:
                entries.append((number, entry))
        here = {node.change.id for node in self.search.nodes[self.search.hand_begins :]}
        refused: set[str] = set()
        past = replace(self.search.begun, state=State(), hand=(), before=(), earlier=())
        before = list(takewhile(lambda one: one[0] not in here, entries))
        for number, entry in self._as_answered(before):
            time_s = (entry.t or 0.0) - self._since_s
            by_person = entry.source == "person"
            then = past.then(Explained(time_s, number, entry.event, by_person=by_person))
            if then is None:
                refused.add(str(entry.change))
            past = then or past
        self._left = frozenset(refused)
        return past

    def _as_answered(self, past: Sequence[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
        """The events of changes by their numbers, with what was answered without a line."""
        found = list(past)
        begins = self.search.nodes[self.search.hand_begins - 1] if self.search.hand_begins else None
        ends_s = self._since_s + begins.change.time_s if begins is not None else -math.inf
        for number, pin in self._answered.items():
            time_s = self._places[number][0].time_s
            if time_s > ends_s or self.search.pins.get(number) != pin:
                continue
            at = [place for place, (other, _) in enumerate(found) if other == number]
            later = (
                place
                for place, (_, entry) in enumerate(found)
                if entry.t is not None and entry.t > time_s
            )
            place = at[0] if at else next(later, len(found))
            said = [
                (number, Entry(event, time_s, source="person", change=self._names[number]))
                for event in pin.events
            ]
            kept = [one for one in found[place:] if one[0] != number]
            found = [*found[:place], *said, *kept]
        return found

    def _doubts(self, table: TableEvidence) -> list[Question]:
        if not self.search.nodes or self.search.nodes[-1].ends:
            return []
        return doubts(self.search.hypotheses, table, lambda number: self._places[number])

    def _doubts_of_hand(self, ends: int, table: TableEvidence) -> list[Question]:
        """What is not sure in a hand that is over by a change, and why it is."""
        found = doubts(self.search.hypotheses, table, self._places.__getitem__)
        found = [question for question in found if question.place != self._places[ends][0]]
        return [*found, *how_it_ended(self.search.best, ends, self._places.__getitem__)]

    def _note(self, change: TableChange) -> None:
        """Name a change, remember where it was, and apply an answer that came before it."""
        tiles = [
            self.segmenter.tiles[tile] for tile in change.tiles if tile in self.segmenter.tiles
        ]
        middles = [(tile.x_mm, tile.y_mm) for tile in tiles]
        place = EventPlace(CHANGE_NAMES[type(change)], round(self._since_s + change.time_s, 1))
        if middles:
            x_mm, y_mm = (sum(axis) / len(middles) for axis in zip(*middles, strict=True))
            place = replace(place, x_mm=round(x_mm), y_mm=round(y_mm))
        place = replace(place, change=self._names.name(change.id, place.id))
        shown = tuple(QuestionTile.of(tile, self.view, self._since_s) for tile in tiles)
        self._places[change.id] = place, shown
        for answer in self._pins.answers:
            if answer.place.seat is None and answer.place.same(place):
                pin = Pin.of_person(*answer.events)
                self._answered[change.id] = self.search.pins[change.id] = pin
                self._taken.append(answer)

    # --- what is told ---

    def _decoded(self, at_once: bool = False) -> Decoding | None:
        if self._closed:
            due: tuple[Explained, ...] | None = self.search.best.events
        else:
            due = self._held_back.due(self._time_s, at_once)
            if due is not None and self._take_answers(due):
                self._decode_again(self._pinned())
                due = self._held_back.due(self._time_s, at_once)
        if due is not None:
            undone = self.search.best.undone
            put_back, self._undone = undone > self._undone, undone
            if self._tell(self._filled(due, self._time_s)):
                self._put_back = put_back
        return self.decoding() if self._decoding is None else None

    def _tell(self, steps: Sequence[Explained]) -> bool:
        """Tell these steps; what is told already is told as it was. Returns whether any is new."""
        pairs = enumerate(zip(steps, self._steps, strict=False))
        least = min(len(steps), len(self._steps))
        same = next((at for at, (step, was) in pairs if not _as_told(step, was)), least)
        if same == len(steps) == len(self._steps):
            return False
        known = {
            _mark(step): entry
            for step, entry in zip(self._steps[same:], self._told[same:], strict=True)
        }
        entries = self._told[:same]
        for step in steps[same:]:
            entries.append(
                self._own.get(_mark(step)) or known.get(_mark(step)) or self._entry(step)
            )
        self._steps, self._told, self._decoding = steps, entries, None
        return True

    def _filled(
        self, steps: tuple[Explained, ...], time_s: float = float("inf")
    ) -> tuple[Explained, ...]:
        """Add the deals and draws of open hands, which tiles were just drawn, and dice."""
        best = self.search.best
        rows = {seat: row.stood for seat, row in self.segmenter.open_rows.items()}
        states = [state for step, state in best.played if step.event is not None]
        filled = self._open_hands.fill(steps, [*states, best.state], best.rules, rows)
        filled = self._drawn.fill(filled, self.segmenter.apart.stayed)
        filled = self._unseen_colours.fill(filled, best, self.evidence())
        return with_dice(filled, self._rolls, time_s)

    def _entry(self, step: Explained) -> Entry:
        assert step.told is not None, "only events are told"
        read = step.read_in_row or isinstance(step.event, Dice)
        sure = round(step.sure, 3) if read else self.confidence(step)
        return Entry(
            step.told,
            round(self._since_s + step.time_s, 2),
            sure,
            SUPPLIED if step.supplied else self._frame,
            "person" if step.by_person and step.change not in self._answered else "camera",
            self._names[step.change],
        )

    def confidence(self, step: Explained, temperature: float = TEMPERATURE) -> float:
        """How far the hypotheses agree on an event, at most how sure its one face is.

        The faces of sets and hands are read together: hypotheses that read them otherwise count.
        """
        event = step.event
        assert event is not None, "only events are told"
        if step.by_person:
            return 1.0
        either = isinstance(step.told_as, Discard)  # red or not: it is told without its face
        same = sum(
            share
            for hypothesis, share in self.search.shares(temperature)
            if any(
                other.change == step.change
                and other.event is not None
                and _plain(other.event, either) == _plain(event, either)
                for other in self._near(hypothesis, step.change)
            )
        )
        sure = 1.0 if isinstance(event, READ_TOGETHER) else step.sure
        if step.tile is not None and step.tile in self.segmenter.tiles:
            faces = faces_of(step, self.search.best, self.evidence())
            shares = shares_of(faces) if faces else {}
            told = [face for face in shares if either and face.kind == step.face.kind]
            sure = sum(map(shares.__getitem__, told)) or shares.get(step.face, sure)
        return round(min(same, sure, self._share_of_order(step)), 3)

    def _share_of_order(self, step: Explained) -> float:
        """How sure the place of a discard is among discards that nobody saw come and that appeared
        at one moment."""
        shown = {change.id: change for change in self.search.together(step.change)}
        together = [
            (other, other.event, shown[other.change])
            for other in self.search.best.hand
            if other.change in shown and isinstance(other.event, Discard)
        ]
        at = next((at for at, (_, event, _) in enumerate(together) if event == step.event), None)
        if at is None or len(together) < 2:
            return 1.0
        seats = [event.seat for _, event, _ in together]
        tiles = [(other.face, change.seats) for other, _, change in together]
        return share_of_place(at, seats, tiles)

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


_Mark = tuple[object, str, bool]
"""A change, what one event of it was, and whether a person said so."""


def _mark(step: Explained) -> _Mark:
    return step.change, repr(step.told), step.by_person


def _laid_key(entry: Entry) -> _Mark:
    return entry.change, repr(entry.event), True


def _as_told(step: Explained, was: Explained) -> bool:
    return step is was or (
        (step.change, step.by_person) == (was.change, was.by_person) and step.told == was.told
    )


def _plain(event: Event, either: bool = False) -> Event:
    """The event as readings hold it; ``either``: a discarded five may be the red one or not."""
    read = as_read(event)
    if either and isinstance(read, Discard):
        return replace(read, tile=read.tile.kind)
    return read
