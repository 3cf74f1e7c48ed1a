"""From looks at one table to what is believed of its game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from engine.events import (
    Dice,
    Discard,
    Draw,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandStart,
    Seat,
    Win,
)
from engine.first_deal import Counted, LaidSet
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.updates import game_begins, pinned
from vision.arrays import Doubles
from vision.decoder.changes import (
    CHANGE_NAMES,
    Cleared,
    HandsStand,
    PersonAdded,
    TableChange,
)
from vision.decoder.confidence import confidence
from vision.decoder.decoding import ChangeNames, Decoding
from vision.decoder.dice import with_dice
from vision.decoder.drawn import DrawnTiles
from vision.decoder.explained import Explained
from vision.decoder.held_back import HeldBack
from vision.decoder.kept_looks import Step
from vision.decoder.laid_sets import laid_sets
from vision.decoder.lying_tiles import LyingTiles, lying_tiles
from vision.decoder.open_hands import OpenHands
from vision.decoder.people import Mark, People
from vision.decoder.pin import Pin, Pins
from vision.decoder.proposals.whole_hands import prepare
from vision.decoder.question import EventPlace, Question, QuestionTile
from vision.decoder.questions import doubts, how_it_ended, within_reason
from vision.decoder.resumed import resume
from vision.decoder.search import LIKELY, BeamSearch
from vision.decoder.seat_clocks import SeatClocks
from vision.decoder.segment import Segmenter
from vision.decoder.table_evidence import TableEvidence, in_play
from vision.decoder.unseen_colours import UnseenColours
from vision.decoder.unseen_indicators import what_was_not_turned_up
from vision.decoder.weighing import Weighing, weighed
from vision.dice.rolls import Roll
from vision.seat_camera.witness import NOBODY, SeatWitness, Witness
from vision.table.view import TableView
from vision.tracking.observe import Look, Observation
from vision.tracking.track import Tracker
from vision.tracking.zones import Zones

REVIEW_S: Final = 0.5
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
        options: Mapping[str, object] = {},
    ) -> None:
        """``witness``: what the seat cameras see; it may grow meanwhile.

        ``before``: the record to continue; the times of looks count from its last line.
        ``first_dealer``: who dealt the first hand of a game that has no record yet.
        ``options``: with which games are played that the record does not begin.
        """
        rule_set = RULE_SETS[rules] if isinstance(rules, str) else rules
        prepare(rule_set.wall.hand_size)
        self.view = view
        self._layout = rule_set.layout
        self._names = ChangeNames()
        begun = resume(rule_set, before, self._names, first_dealer, options)
        self._options = begun.hypothesis.played_with
        self._in_play = in_play(rule_set, self._options)
        self._tracker = Tracker(view, self._in_play)
        self.segmenter = Segmenter(
            view,
            Zones(view, rule_set.wall.hand_size, self._layout),
            rule_set.payment.most_out,
            rule_set.wall.flowers(self._options) > 0,
            rule_set.payment.wins_to_end is None,
        )
        self._since_s = begun.since_s
        """Start of the clock of the looks, in the time of the record."""
        self.search = BeamSearch(rule_set, begun.hypothesis)
        self._places: dict[int, tuple[EventPlace, tuple[QuestionTile, ...]]] = {}
        """Where each change was, and its tiles."""
        held = pinned(before, game_begins(before))
        pins = Pins(in_force=held.in_force, removed=held.removed)
        self._people = People(pins, self.search, self._names, self._places, self._since_s)
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
        self._steps: Sequence[Explained] = ()
        """What was told last, ..."""
        self._told: list[Entry] = []
        """... and the entry of each of these events."""
        self._told_in: dict[int, int] = {}
        """For each of these entries, by identity, the number of the decoding that first told it."""
        self._number = 0
        self._evidence: TableEvidence | None = None
        self._face_costs: dict[int, tuple[Doubles, Doubles]] = {}
        """What was read of the tiles of this hand, with the costs of all their faces."""
        self._decoding: Decoding | None = None
        """What was told last, with its questions; None where that has changed."""
        self._lying: LyingTiles = {}
        """Where the tiles of a hand that was won lay when they were seen last."""
        self._frame: int | None = None
        """Index of the frame of the last look."""
        self._game_begins_s = 0.0
        """When a person said that a game ended or began: the next deal comes after it."""
        self._closed = False
        self._time_s = 0.0
        self._reviewed_s = 0.0
        self.observation: Observation | None = None
        """What is believed to lie on the table now."""
        self.given: list[Step] | None = None
        """All that it was given since somebody began to keep that; None while nobody does."""

    def __getstate__(self) -> dict[str, object]:
        """What is kept in checkpoints: the evidence knows steps by their ids in memory."""
        return self.__dict__ | {"_evidence": None, "given": None}

    @property
    def rolled(self) -> tuple[int, ...]:
        """What the dice show that were rolled since anything was told; empty where none were."""
        last_s = self._steps[-1].time_s if self._steps else -inf
        return next((roll.values for roll in reversed(self._rolls) if roll.time_s > last_s), ())

    def counted(self) -> Counted | None:
        """Walls, standing hands and dice as numbers, and how sets lie; None before the first look.

        Any thread may ask this.
        """
        seen, segmenter = self.observation, self.segmenter
        if seen is None:
            return None
        rows = segmenter.falls.counted
        counted = segmenter.zones.counted(seen, rows, playing=segmenter.playing)
        return replace(counted, dice=self.rolled, laid=self._laid(seen))

    def _laid(self, seen: Observation) -> tuple[LaidSet, ...]:
        """Claimed sets of this hand that are seen beyond doubt, and which tile lies sideways."""
        nodes = self.search.nodes
        if not nodes or nodes[-1].ends:
            return ()
        return tuple(laid_sets(self.search.best, nodes[-1].hypotheses, seen, self.view.tile_mm))

    @property
    def dice_may_roll(self) -> bool:
        """Whether no hand is being played, or these rules roll dice during one."""
        return not self.segmenter.playing or self._layout.indicator_at == "column"

    @property
    def sticks_may_lie(self) -> bool:
        """Whether a hand is being played in which ready players lay sticks."""
        return self.segmenter.playing and self._layout.ready_sign == "sideways"

    @property
    def holds_back(self) -> bool:
        """Whether an event is known and not told yet, because a moment must pass."""
        return self._held_back.holds

    @property
    def witness(self) -> Witness:
        """What the seat cameras see, with their clocks as far as they are measured."""
        return self._witness

    @property
    def found_over(self) -> bool:
        """Whether a hand lay open when the table was first seen: nobody saw how it was won."""
        return self.segmenter.found_over

    @property
    def passed_on(self) -> object:
        """What the next hand takes over from those before: who deals, counters, points, sticks.

        Where several are likely, all of them with their costs: what follows tells which is true.
        """
        ways, found = self.search.hypotheses, list[tuple[object, float]]()
        for way in ways:
            dearer = round(way.cost - ways[0].cost, 2)
            if dearer < LIKELY and all(way.passed_on != known for known, _ in found):
                found.append((way.passed_on, dearer))
        return found

    def look(self, look: Look) -> Decoding | None:
        """Take one look; returns what is told now where that has changed."""
        self._play_with_options()
        return self.observe(self._tracker.update(look))

    def observe(self, observation: Observation) -> Decoding | None:
        """Take what is believed to lie on the table; returns as ``look`` does.

        Nothing else is known of a look: the same observations tell the same game.
        """
        self._note_given(observation)
        self._play_with_options()
        self.segmenter.ended = observation.held
        self._frame = observation.frame
        if observation.rolled is not None:
            self._rolls.append(observation.rolled)
        self._time_s = observation.time_s
        self.observation = observation
        changes = self.segmenter.update(observation)
        self._evidence = None
        table = self.evidence()
        if observation.time_s - self._reviewed_s >= REVIEW_S:
            self._reviewed_s = observation.time_s
            self._clocks.set(self.search.best)
            # Before the new changes: what they follow from is then explained once.
            self.search.review(table)
        for change in changes:
            if isinstance(change, HandsStand):
                change = replace(change, time_s=max(change.time_s, self._game_begins_s))
                if change.snapshot is not None and self.search.is_another_hand(change, table):
                    ended = self.segmenter.cleared_meanwhile()
                    since_s = self.search.nodes[-1].change.time_s if self.search.nodes else 0.0
                    self._take_cleared(replace(ended, time_s=max(ended.time_s, since_s)), table)
            if isinstance(change, Cleared):
                self._take_cleared(change, table)
                continue
            self._note(change)
            new = self.search.change(change.id) is None
            self.search.take(change, table)
            if new and isinstance(change, HandsStand) and change.snapshot is not None:
                self.segmenter.put_last(self.search.best.last_tile)
            if isinstance(change, HandsStand) and change.snapshot is None:
                self._tracker.forget_gone()
        return self._decoded()

    def _play_with_options(self) -> None:
        """Look for the tiles of the game that is played now: another may have other options."""
        best = self.search.best
        options, rules = best.played_with, best.rules
        if options is self._options:
            return
        self._options, was = options, self._in_play
        self._in_play = self._tracker.in_play = in_play(rules, options)
        self.segmenter.flowers = rules.wall.flowers(options) > 0
        if (was != self._in_play).any():
            self._evidence = None
            self._face_costs.clear()

    def _take_cleared(self, change: Cleared, table: TableEvidence) -> None:
        """A hand is over: what is not sure in it is asked from now on."""
        self._note(change)
        self.search.take(change, table)
        place_of = self._places.__getitem__
        self._asked += [
            question
            for question in self._doubts_of_hand(table, change.unseen)
            if question.place != place_of(change.id)[0]
        ]
        self._asked += how_it_ended(self.search.best, change, place_of)
        self.segmenter.keep(self.search.tiles)
        self._face_costs.clear()

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved; the tiles have not."""
        self._note_given(view)
        self._tracker.moved(view)
        self.view = self.segmenter.view = self.segmenter.zones.view = view
        self._evidence = None

    def blinded(self) -> None:
        """Forget the last moments, whose pictures were frozen."""
        self._note_given("blinded")
        self.segmenter.blinded()

    def play(self, step: Step) -> Decoding | None:
        """Take again what a decoder was given; returns as ``look`` does."""
        if isinstance(step, Observation):
            return self.observe(step)
        if isinstance(step, TableView):
            self.moved(step)
        elif step == "blinded":
            self.blinded()
        return None

    def _note_given(self, step: Step) -> None:
        if self.given is not None:
            self.given.append(step)

    def close(self) -> Decoding:
        """End the game; returns all of it."""
        shown = list(self.segmenter.left_at_end(self._time_s))
        self._evidence = None
        table = self.evidence()
        for change in shown:
            self._note(change)
            self.search.take(change, table)
        if self.search.nodes and not self.search.nodes[-1].ends:
            self._asked += self._doubts_of_hand(table)
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

    def foresee(self, pins: Pins) -> None:
        """Hold fixed what people say of changes that are yet to be seen."""
        self._people.pins = pins

    def hear(self, pins: Pins) -> Decoding | None:
        """Hold fixed what people say; returns what is told now where that has changed."""
        people = self._people
        was, people.pins = people.pins, pins
        other = (pins.own, pins.removed) != (was.own, was.removed)
        if people.take_answers(self._steps) or other:
            self._decode_again()
            people.know_own()
        if pins.number != was.number:
            self._decoding = None
        return self._decoded(at_once=True)

    def decoding(self) -> Decoding:
        """All that is told now, with the questions about it."""
        if self._decoding is None:
            answered = (self._names[number] for number in self._people.answered)
            self._number += 1
            here = map(id, self._told)
            self._told_in = {one: self._told_in.get(one, self._number) for one in here}
            self._decoding = Decoding(
                tuple(self._told),
                self._number,
                self._people.pins.number,
                frozenset(answered),
                self._people.left,
                self._put_back,
                questions=tuple(self.questions()),
                lying=self._lying_now(),
            )
        return self._decoding

    def _lying_now(self) -> LyingTiles:
        """Where the tiles lie that show what was told of the last hand, if it was won."""

        def place(tile: int) -> QuestionTile | None:
            known = self.segmenter.tiles.get(tile)
            return None if known is None else QuestionTile.of(known, self.view, self._since_s)

        self._lying = lying_tiles(self._steps, self._names, place, self._lying)
        return self._lying

    def questions(self) -> list[Question]:
        """What to ask people now, in the order of play, and few enough to be bearable."""
        events = sum(not isinstance(step.event, Draw) for step in self.search.best.events)
        pins = self._people.pins
        over = [one for one in self._asked if not pins.settle(one.place)]
        doubtful = [
            self._as_told(question, over=question in over)
            for question in (*over, *self._doubts(self.evidence()))
            if not any(answer.place.same(question.place) for answer in pins.answers)
        ]
        asked = [question for question in doubtful if question is not None]
        return within_reason(asked, events, len(pins.answers))

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

    def _decode_again(self) -> None:
        """Explain the hand again by what people say now."""
        people = self._people
        for entry in people.pins.own:
            self._find_change(entry)
        rests_on, number = people.pins.rests_on, self._number
        since = [one for one in self._told if self._told_in.get(id(one), number) > rests_on]
        people.decode_again(people.pinned(), since, self.evidence())

    def _find_change(self, entry: Entry) -> None:
        """Number the change of which a person tells.

        It may be a set that was seen to be laid, without a meaning. What nobody saw is a change of
        its own.
        """
        self._people.find_set(entry)
        if self._people.number_of(entry) is None:
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
            if entry.t is None and (denied_s := self.search.denied_s) is not None:
                time_s = denied_s
            change = PersonAdded(self.segmenter.new_id(), time_s)
            self._names.name(change.id, str(entry.change))
            self.search.pins[change.id] = Pin.of_person(entry.event)
            self._note(change)
            self.search.take(change, self.evidence())

    def _doubts(self, table: TableEvidence) -> list[Question]:
        if not self.search.nodes or self.search.nodes[-1].ends:
            return []
        return doubts(self.search.hypotheses, table, lambda number: self._places[number])

    def _doubts_of_hand(self, table: TableEvidence, unseen: bool = False) -> list[Question]:
        """What is not sure in a hand that is over."""
        place_of = self._places.__getitem__
        found = doubts(self.search.hypotheses, table, place_of)
        asked = [question.place for question in found]
        added = what_was_not_turned_up(self.search.best, place_of, unseen=unseen)
        return [*found, *(question for question in added if question.place not in asked)]

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
        self._people.note(change.id, place)

    # --- what is told ---

    def _decoded(self, at_once: bool = False) -> Decoding | None:
        if self._closed:
            due: tuple[Explained, ...] | None = self.search.best.events
        else:
            due = self._held_back.due(self._time_s, at_once)
            if due is not None and self._people.take_answers(due):
                self._decode_again()
                due = self._held_back.due(self._time_s, at_once)
        if due is not None:
            undone = self.search.best.undone
            put_back, self._undone = undone > self._undone, undone
            if self._tell(self._filled(due, self._time_s)):
                self._put_back = put_back
        return self.decoding() if self._decoding is None else None

    def _tell(self, steps: Sequence[Explained]) -> bool:
        """Tell these steps; what is told already is told as it was. Returns whether any is new."""
        if steps is self._steps:
            return False
        pairs = enumerate(zip(steps, self._steps, strict=False))
        least = min(len(steps), len(self._steps))
        same = next((at for at, (step, was) in pairs if not _told_alike(step, was)), least)
        if same == len(steps) == len(self._steps):
            return False
        known = {
            _mark(step): entry
            for step, entry in zip(self._steps[same:], self._told[same:], strict=True)
        }
        entries = self._told[:same]
        for step in steps[same:]:
            entries.append(
                self._people.own.get(_mark(step)) or known.get(_mark(step)) or self._entry(step)
            )
        self._steps, self._told, self._decoding = steps, entries, None
        return True

    def _filled(
        self, steps: tuple[Explained, ...], time_s: float = float("inf")
    ) -> tuple[Explained, ...]:
        """Add the deals and draws of open hands, which tiles were just drawn, and dice."""
        best = self.search.best
        rows = {seat: row.stood for seat, row in self.segmenter.open_rows.items()}
        filled = self._open_hands.fill(steps, best, rows)
        filled = self._drawn.fill(filled, self.segmenter.apart.stayed)
        filled = self._unseen_colours.fill(filled, best, self.evidence())
        return with_dice(filled, self._rolls, time_s)

    def _entry(self, step: Explained) -> Entry:
        assert step.told is not None, "only events are told"
        read = step.read_in_row or isinstance(step.event, Dice)
        sure = round(step.sure, 3) if read else confidence(step, self.search, self.evidence())
        return Entry(
            step.told,
            round(self._since_s + step.time_s, 2),
            sure,
            SUPPLIED if step.supplied else self._frame,
            "person" if step.by_person and step.change not in self._people.answered else "camera",
            self._names[step.change],
        )

    # --- evidence ---

    def evidence(self) -> TableEvidence:
        """What is known of the table now; the same until it is looked at again."""
        segmenter, witness = self.segmenter, self._witness
        if self._evidence is not None and not witness.seats and not segmenter.open_rows:
            return self._evidence
        if segmenter.open_rows:
            rows = {seat: SeatWitness(row) for seat, row in segmenter.open_rows.items()}
            witness = Witness({**rows, **witness.seats})
        self._evidence = TableEvidence(
            segmenter.tiles,
            segmenter.present,
            self.view.tile_mm,
            self._in_play,
            self._layout,
            witness,
            segmenter.falls,
            segmenter.falls.counted,
            segmenter.taken,
            segmenter.gone_s,
            self._face_costs,
        )
        return self._evidence


def _mark(step: Explained) -> Mark:
    return step.change, repr(step.told), step.by_person


def _told_alike(step: Explained, was: Explained) -> bool:
    return step is was or (
        (step.change, step.by_person) == (was.change, was.by_person) and step.told == was.told
    )
