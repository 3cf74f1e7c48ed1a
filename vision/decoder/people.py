"""What people have said of a game: which changes it is about, and the hand explained by it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from engine.events import (
    Claim,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
)
from engine.state import Phase, State
from vision.decoder.decoding import ChangeNames
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.pin import Pin, Pins, same_act
from vision.decoder.question import Answer, EventPlace, QuestionTile
from vision.decoder.search import BeamSearch, events_of
from vision.decoder.table_evidence import TableEvidence

ENDS: Final = DrawnHand("exhausted"), HandEnd()
"""What an answer denies that does not name it, where nothing is told yet, ..."""
ENDING: Final = {"dealt", "opened", "washed"}
"""... of changes in which that may be told: who names a discard says nothing of the end."""
Places = Mapping[int, tuple[EventPlace, tuple[QuestionTile, ...]]]
"""Where each change was, and its tiles."""
Mark = tuple[object, str, bool]
"""A change, what one event of it was, and whether a person said so."""


class People:
    """Their lines and answers, by the changes that these are about."""

    def __init__(
        self, pins: Pins, search: BeamSearch, names: ChangeNames, places: Places, since_s: float
    ) -> None:
        """``since_s``: start of the clock of the looks, in the time of the record."""
        self._pins = pins
        self.answered: dict[int, Pin] = {}
        """What was answered of changes, without a line of the record."""
        self.own: dict[Mark, Entry] = {}
        """The events that people wrote."""
        self.left: frozenset[str] = frozenset()
        """Changes before this hand that the rules refuse beside what people wrote."""
        self._search, self._names, self._places = search, names, places
        self._since_s = since_s
        self._taken: list[Answer] = []
        """The answers of which the changes are known."""
        self._laid: dict[Mark, int] = {}
        """The change that shows a set of which a person told."""
        self.pins = pins

    @property
    def pins(self) -> Pins:
        return self._pins

    @pins.setter
    def pins(self, pins: Pins) -> None:
        self._pins = pins
        # Of what another program saw, nothing but the record tells.
        self._search.denied_earlier_s = tuple(
            (entry.t or 0.0) - self._since_s
            for entry in pins.removed
            if isinstance(entry.event, DrawnHand) and not self._is_here(entry)
        )

    def _is_here(self, entry: Entry) -> bool:
        """Whether this program has seen the change of an event."""
        number = self._names.number(str(entry.change))
        return number is not None and number > BEFORE

    # --- what they wrote ---

    def pinned(self) -> dict[int, Pin]:
        """The pin of each change of which people wrote, by its number."""
        events: dict[int, list[tuple[Event, bool]]] = {}
        for entry in self.pins.in_force:
            number, own = self.number_of(entry), entry.source == "person"
            unseen = isinstance(entry.event, Draw | Discard) and not entry.event.tile.known
            if number is not None and (own or not unseen):
                events.setdefault(number, []).append((entry.event, own))
        found = {number for number, here in events.items() if any(own for _, own in here)}
        removed: dict[int, list[Event]] = {}
        for entry in self.pins.removed:
            number = self._names.number(str(entry.change))
            if number is not None:
                removed.setdefault(number, []).append(entry.event)
        return {
            number: Pin(
                tuple(event for event, _ in events.get(number, ())),
                frozenset(at for at, (_, own) in enumerate(events.get(number, ())) if own),
                tuple(removed.get(number, ())),
            )
            for number in found | removed.keys()
            if number > BEFORE
        }

    def number_of(self, entry: Entry) -> int | None:
        """The number of the change that an event in force explains; None where it has none."""
        laid = self._laid.get(_laid_key(entry)) if entry.source == "person" else None
        return self._names.number(str(entry.change)) if laid is None else laid

    def find_set(self, entry: Entry) -> None:
        """A set of which a person tells may have been seen to be laid, without a meaning."""
        if isinstance(entry.event, Claim) and _laid_key(entry) not in self._laid:
            number = self._names.number(str(entry.change))
            laid = self._search.set_laid(entry.event, number)
            if laid is not None:
                self._laid[_laid_key(entry)] = laid

    def know_own(self) -> None:
        """Remember the events that people wrote by their changes, which are known now."""
        self.own = {
            (self.number_of(entry), repr(entry.event), True): entry for entry in self.pins.own
        }

    # --- what they answered ---

    def note(self, change: int, place: EventPlace) -> None:
        """A change is seen: an answer about it may have come before."""
        for answer in self.pins.answers:
            if answer.place.seat is None and answer.place.same(place):
                pin = _answered(answer.events, ENDS if place.what in ENDING else ())
                self.answered[change] = self._search.pins[change] = pin
                self._taken.append(answer)

    def take_answers(self, told: Sequence[Explained]) -> bool:
        """Take the answers whose changes are known, or told; returns whether there are new ones."""
        taken = [
            answer
            for answer in self.pins.answers
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
                    self.answered[number] = pin
                return pin is not None
        return False

    def _answer_pin(self, answer: Answer, number: int, told: Sequence[Explained]) -> Pin | None:
        """A person's answer about a change, as a pin. None if it is about a single discard that is
        not told yet."""
        events, seat = answer.events, answer.place.seat
        if seat is not None:
            before = self.answered.get(number)
            here = events_of(self._search.best, number) if before is None else before.events
            alone = [isinstance(event, Discard) and event.seat == seat for event in here]
            if not any(alone) or all(step.change != number for step in told):
                return None
            pairs = zip(here, alone, strict=True)
            events = tuple(e for event, meant in pairs for e in (events if meant else (event,)))
        return _answered(events, [s.event for s in told if s.change == number and s.event])

    # --- the hand by what they said ---

    def decode_again(
        self, pins: Mapping[int, Pin], told: Sequence[Entry], table: TableEvidence
    ) -> None:
        """Explain the hand again from the first change of which people say something else.

        ``told``: what was told since the record was written that the pins rest on.
        """
        now = self.answered | dict(pins)
        was, self._search.pins = self._search.pins, now
        other = {change for change in was.keys() | now.keys() if was.get(change) != now.get(change)}
        begins = self._search.hand_begins
        places = [at for at, node in enumerate(self._search.nodes) if node.change.id in other]
        if any(at < begins for at in places) or not places:
            self._search.begin_hand(self._past(told))
            places = [begins]
        self._search.again(max(begins, min(places)), table)

    def _past(self, told: Sequence[Entry]) -> Hypothesis:
        """The hands before this one, as the record has them, and what was told since."""
        entries = [(self._names.earlier(str(entry.change)), entry) for entry in self.pins.in_force]
        pins = self._search.pins.items()
        known = {number for number, _ in entries}
        known |= {number for number, pin in pins if self.answered.get(number) != pin}
        for entry in told:
            number = self._names.number(str(entry.change))
            if number is not None and number not in known:
                entries.append((number, entry))
        here = {node.change.id for node in self._search.nodes[self._search.hand_begins :]}
        refused: set[str] = set()
        taken_away = {entry.change for entry in self.pins.removed}
        past = replace(self._search.begun, state=State(), hand=(), before=(), earlier=())
        before = list(takewhile(lambda one: one[0] not in here, entries))
        for number, entry in self._as_answered(before):
            time_s = (entry.t or 0.0) - self._since_s
            by_person = entry.source == "person"
            if isinstance(entry.event, HandStart | GameEnd):
                past = self._over(past, time_s, number)
            then = past.then(Explained(time_s, number, entry.event, by_person=by_person))
            if then is None and entry.change not in taken_away:
                refused.add(str(entry.change))
            past = then or past
        self.left = frozenset(refused)
        return past

    def _over(self, past: Hypothesis, time_s: float, number: int) -> Hypothesis:
        """The past with its last hand over, before what begins only then.

        The line that said so may have gone with an end in whose place a person put another one.
        """
        pin = self._search.pins.get(number)
        if past.state.phase is not Phase.SETTLED or (pin is not None and pin.refuses(HandEnd())):
            return past
        return past.then(Explained(time_s, number, HandEnd())) or past

    def _as_answered(self, past: Sequence[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
        """The events of changes by their numbers, with what was answered without a line."""
        found, search = list(past), self._search
        begins = search.nodes[search.hand_begins - 1] if search.hand_begins else None
        ends_s = self._since_s + begins.change.time_s if begins is not None else -math.inf
        for number, pin in self.answered.items():
            time_s = self._places[number][0].time_s
            if time_s > ends_s or search.pins.get(number) != pin:
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


def _answered(events: Sequence[Event], told: Sequence[Event]) -> Pin:
    """An answer as a pin; it denies what was ``told`` and what it does not name.

    An answer to how a hand begins says nothing of the game, nor of the hand before.
    """
    if any(isinstance(event, HandStart) for event in events):
        starts = [at for at, event in enumerate(told) if isinstance(event, HandStart)]
        told = told[starts[-1] :] if starts else ()
    denied = (
        event
        for event in told
        if not isinstance(event, GameStart) and not any(same_act(event, said) for said in events)
    )
    return replace(Pin.of_person(*events), removed=tuple(denied))


def _laid_key(entry: Entry) -> Mark:
    return entry.change, repr(entry.event), True
