"""The reader of a scored folder: it explains the film anew by what people put right, without it."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Deal, Dice, Discard, Draw, Entry, GameEnd, GameStart
from engine.updates import pinned
from service.machine.files import to_stderr
from service.table.evidence import may_show
from service.table.reader import LookResult
from vision.camera.frames import Frame
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame
from vision.decoder.kept_looks import DamagedLooks
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question, as_read

FILLED_IN: Final = Deal, Dice, Draw, GameEnd
"""What is told beside what a change shows: it is no part of an answer."""

AIR_S: Final = 0.05
"""Pause between two steps of what nobody waits for, in which the pages are served."""


class ExplainingReader:
    """Tells the record of a film, and what follows from each line of a person.

    What a person entered that no change shows stays as it was written, and explains nothing.
    """

    def __init__(
        self, game: KeptGame, asked: Sequence[Question], answers: Sequence[Answer] = ()
    ) -> None:
        """``asked``: what the film left open; ``answers``: with which it was read."""
        self._game: KeptGame | None = game
        self._asked = tuple(asked)
        self._answers = tuple(answers)
        self._pins = Pins()
        self._heard: Pins | None = None
        """What people say, as long as nothing is explained by it."""
        self._saying = threading.Lock()
        """Held while what people say is put down or taken up."""
        self._stopped = threading.Event()
        """Nobody waits any more for what is explained."""
        self._begun = False
        self._number = 0
        self._wanted = threading.Event()
        """Somebody waits for what follows from a line."""
        self._explaining: Iterator[Decoding | None] | None = None
        """What is still to be told by what people say."""
        self._preparing: threading.Thread | None = None
        """Explains what may be asked for next, while nobody waits."""

    def read(self, frames: Iterable[Frame]) -> Iterator[LookResult]:
        """Look at nothing; meanwhile every hand is made ready to be explained."""
        if self._asked and self._heard is None:
            self._prepare_soon(self._answers)
        yield from ()

    def resume(self, before: Sequence[Entry]) -> None:
        held = pinned(before)
        self._pins = Pins(in_force=held.in_force, removed=held.removed)
        if held.own or held.removed:
            self._heard = self._pins  # what follows may not have been written to its end

    def hear(self, pins: Pins) -> None:
        with self._saying:
            self._heard = pins

    def stop(self) -> None:
        self._stopped.set()

    def join(self, timeout_s: float) -> None:
        if self._preparing is not None:
            self._preparing.join(timeout_s)

    def settled(self) -> Decoding | None:
        if not self._begun:
            self._begun, self._pins = True, self._heard or self._pins
            return self._as_recorded(self._unexplained())
        while self._take_up() or self._explaining is not None:
            now = self._explained()
            if now is not None:
                return self._as_recorded(now)
        return None

    def _take_up(self) -> bool:
        """Take up what people say now; return whether that is new."""
        with self._saying:
            if self._heard is None or self._stopped.is_set():
                return False
            self._pins, self._heard = self._heard, None
        self._wait()
        game = self._game
        said = answers_of(self._pins, self._answers)
        alone = iter((self._unexplained(),))
        self._explaining = alone if game is None else game.explain(said)
        return True

    def _explained(self) -> Decoding | None:
        """What is told next by what people say.

        None where that is all, they say something else meanwhile, or nobody waits for it.
        """
        assert self._explaining is not None, "what people say was taken up"
        try:
            for now in self._explaining:
                if self._heard is not None or self._stopped.is_set():
                    break
                if now is not None:
                    return now
            else:
                self._prepare_soon(answers_of(self._pins, self._answers))
        except DamagedLooks as error:
            self._give_up(str(error))
            self._explaining = None
            return self._unexplained()
        self._explaining = None
        return None

    def _unexplained(self) -> Decoding:
        """The record as it is, with what the film left open."""
        return Decoding(self._pins.in_force, questions=self._asked)

    def _as_recorded(self, decoding: Decoding) -> Decoding:
        """What is told with people's lines and the record's names and pictures in it."""
        pins = self._pins
        own = {entry.change for entry in pins.own}
        here: dict[str | None, list[Entry]] = {}
        for entry in pins.in_force:
            here.setdefault(entry.change, []).append(entry)
        done: set[str | None] = set()
        in_order = list[Entry]()
        for entry in decoding.told:
            kept = here.get(entry.change, [])
            if entry.change not in own:
                in_order.append(_pictured(entry, kept))
            elif entry.change not in done:
                done.add(entry.change)
                in_order += kept
        self._number += 1
        questions = tuple(one for one in decoding.questions if not pins.settle(one.place))
        return replace(
            decoding,
            told=tuple(in_order),
            questions=questions,
            heard=pins.number,
            number=self._number,
        )

    # --- before anybody answers ---

    def _prepare_soon(self, said: Sequence[Answer]) -> None:
        self._wait()
        if self._game is not None and not self._stopped.is_set():
            self._wanted.clear()
            self._preparing = threading.Thread(
                target=self._prepare, args=(self._game, said), daemon=True, name="looks"
            )
            self._preparing.start()

    def _prepare(self, game: KeptGame, said: Sequence[Answer]) -> None:
        """Explain what is said, and then what each answer to a question would change."""
        asked: Sequence[Question] = ()
        try:
            for now in game.explain(said):
                if self._is_awaited():
                    return
                asked = asked if now is None else now.questions
        except DamagedLooks as error:
            self._give_up(str(error))
            return
        likeliest = [
            _on_page(question, choice)
            for place in range(max((len(one.choices) for one in asked), default=0))
            for question in asked
            for choice in question.choices[place : place + 1]
        ]
        for _ in game.foresee((*said, answer) for answer in likeliest):
            if self._is_awaited():
                return

    def _is_awaited(self) -> bool:
        """Whether to leave off; else pages that are open have had a moment of their own."""
        return self._wanted.wait(AIR_S) or self._stopped.is_set()

    def _wait(self) -> None:
        self._wanted.set()
        if self._preparing is not None:
            self._preparing.join()

    def _give_up(self, why: str) -> None:
        self._game = None
        to_stderr(f"the looks of this film are not used: {why}; an answer changes its line alone")


def _pictured(entry: Entry, kept: Sequence[Entry]) -> Entry:
    """What is told, with the picture and the names that the record has of its change."""
    if isinstance(entry.event, GameStart):
        return next((one for one in kept if isinstance(one.event, GameStart)), entry)
    same = next((one for one in kept if one.event == entry.event), None)
    if same is not None or not may_show(entry.event):
        return same or entry
    shown = (one.evidence for one in kept if isinstance(one.evidence, str))
    return replace(entry, evidence=next(shown, entry.evidence))


def _on_page(question: Question, choice: AnswerChoice) -> Answer:
    """The answer that follows from the lines of a page on which this is chosen."""
    place = EventPlace.of_id(question.place.happening.id) or question.place
    named = replace(place, seat=question.place.seat, change=question.place.happening.id)
    return Answer(named, choice.events)


def answers_of(pins: Pins, before: Sequence[Answer] = ()) -> tuple[Answer, ...]:
    """What people say of the changes that the film shows, and what was answered before.

    Their lines say more than what they answered beside them.
    """
    changes = dict.fromkeys(entry.change for entry in (*pins.own, *pins.removed))
    said = [answer for change in changes for answer in _said_of(str(change), pins)]
    beside = {answer.place.id: answer for answer in pins.answers}
    said += [
        answer
        for answer in beside.values()
        if not any(answer.place.happening.same(one.place.happening) for one in said)
    ]
    kept = (
        answer
        for answer in before
        if not any(answer.place.happening.same(one.place.happening) for one in said)
    )
    return (*kept, *said)


def _said_of(change: str, pins: Pins) -> Iterator[Answer]:
    place = EventPlace.of_id(change)
    if place is None:  # nobody saw it
        return
    place = replace(place, seat=None, change=change)
    here = [
        entry
        for entry in pins.in_force
        if entry.change == change
        and not isinstance(entry.event, GameStart)
        and (entry.source == "person" or not isinstance(entry.event, FILLED_IN))
    ]
    own = [entry.event for entry in here if entry.source == "person"]
    if len(own) == 1 and isinstance(own[0], Discard) and len(here) > 1:
        yield Answer(replace(place, seat=own[0].seat), (as_read(own[0]),))
    elif own or any(entry.change == change for entry in pins.removed):
        yield Answer(place, tuple(as_read(entry.event) for entry in here))
