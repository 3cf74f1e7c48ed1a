"""Answers every question of a stored film twice: by its looks, and by what a reading keeps."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from games.store.film import StoredFilm

from engine.events import Entry, Event
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.kept_looks import Begun, packed_looks
from vision.decoder.pin import Pins
from vision.decoder.question import Answer
from vision.tracking.observe import Look


@dataclass(frozen=True)
class Kept:
    """A film that was read, and what was kept of it."""

    hands: tuple[KeptHand, ...]
    decoding: Decoding


@dataclass(frozen=True)
class AnsweredTwice:
    """What one answer to one question changes, by the film and by what was kept of it."""

    question: str
    same: bool
    """Whether both tell the same game."""
    changed: bool
    """Whether it is another game than without the answer."""
    shown_s: float
    """Processor time until the answered hand is told anew."""
    took_s: float
    """Processor time until all hands that follow are, too."""
    shown_same: bool
    """Whether the events that were told first are those of the whole game."""


def kept_of(film: StoredFilm) -> Kept:
    """Read the film, and keep each hand as a reader does."""
    decoder = Decoder(film.rules, film.view)
    decoder.given = [Begun(film.rules, film.view)]
    hands, told, time_s = list[KeptHand](), tuple[Entry, ...](), 0.0
    for step in film.steps:
        if not isinstance(step, Look):
            decoder.play(step)
            continue
        decoding, time_s = decoder.look(step), step.time_s
        if decoding is not None and decoding.ends_hand(told):
            hands.append(KeptHand(packed_looks(decoder.given), time_s))
            decoder.given = []
        told = told if decoding is None else decoding.told
    ends_s = math.inf if film.ends_s is None else film.ends_s
    hands.append(KeptHand(packed_looks(decoder.given), ends_s))
    return Kept(tuple(hands), decoder.close().until(ends_s))


def answered_twice(film: StoredFilm, kept: Kept) -> Iterator[AnsweredTwice]:
    """Give each question its second answer, and then its last to all of them at once."""
    asked = kept.decoding.questions
    single = [(Answer(one.place, one.choices[1].events),) for one in asked]
    together = tuple(Answer(one.place, one.choices[-1].events) for one in asked)
    game = KeptGame(kept.hands)
    for _ in game.explain(()):
        pass  # as when a folder is opened
    for answers in [*single, *([together] if len(asked) > 1 else [])]:
        decoder = Decoder(film.rules, film.view)
        decoder.hear(Pins(1, answers=answers))
        for step in film.steps:
            if isinstance(step, Look):
                decoder.look(step)
            else:
                decoder.play(step)
        true = decoder.close().until(kept.hands[-1].ends_s)
        begun_s, times_s, tellings = time.process_time(), list[float](), list[Decoding]()
        for now in filter(None, game.explain(answers)):
            tellings.append(now)
            times_s.append(time.process_time() - begun_s)
        whole = tellings[-1]
        yield AnsweredTwice(
            ", ".join(answer.place.id for answer in answers),
            whole.told == true.told and whole.questions == true.questions,
            _events(whole) != _events(kept.decoding),
            times_s[0],
            times_s[-1],
            _events(tellings[0]) == _events(whole),
        )
        for _ in game.explain(()):
            pass  # the next answer is to the film as it was


def _events(decoding: Decoding) -> list[Event]:
    return [entry.event for entry in decoding.told]
