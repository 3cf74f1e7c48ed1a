"""Answers every question of a stored film twice: by its looks, and by what a reading keeps."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from games.store.film import StoredFilm

from engine.events import HandEnd
from vision.checkpoint import packed
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.pin import Pins
from vision.decoder.question import Answer
from vision.tracking.kept_looks import packed_looks
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
    hand_s: float
    """Processor time until the hand was explained again, ..."""
    all_s: float
    """... and that with all hands that follow."""


def kept_of(film: StoredFilm) -> Kept:
    """Read the film, and keep each hand as a reader does."""
    decoder = Decoder(film.rules, film.view)
    decoder.given = [film.view]
    hands, ended, time_s = list[KeptHand](), 0, 0.0
    for step in film.steps:
        if not isinstance(step, Look):
            if step == "blinded":
                decoder.blinded()
            else:
                decoder.moved(step)
            continue
        decoding, time_s = decoder.look(step), step.time_s
        over = 0 if decoding is None else _hands_over(decoding)
        if over > ended:
            hands.append(KeptHand(packed_looks(decoder.given), time_s, packed(decoder)))
            decoder.given = []
        ended = max(ended, over)
    hands.append(KeptHand(packed_looks(decoder.given), time_s, b""))
    return Kept(tuple(hands), decoder.close().until(_ends_s(film)))


def answered_twice(film: StoredFilm, kept: Kept) -> Iterator[AnsweredTwice]:
    """Give each question its second answer, and then its last to all of them at once."""
    asked = kept.decoding.questions
    single = [(Answer(one.place, one.choices[1].events),) for one in asked]
    together = tuple(Answer(one.place, one.choices[-1].events) for one in asked)
    for answers in [*single, *([together] if len(asked) > 1 else [])]:
        decoder = Decoder(film.rules, film.view)
        decoder.hear(Pins(1, answers=answers))
        for step in film.steps:
            if isinstance(step, Look):
                decoder.look(step)
            elif step == "blinded":
                decoder.blinded()
            else:
                decoder.moved(step)
        true = decoder.close().until(_ends_s(film))
        game = KeptGame(film.rules, None, kept.hands, _ends_s(film), told=kept.decoding.told)
        begun_s, told = time.process_time(), list[tuple[float, Decoding]]()
        for decoding in game.explain(answers):
            told.append((time.process_time() - begun_s, decoding))
        now = told[-1][1]
        yield AnsweredTwice(
            ", ".join(answer.place.id for answer in answers),
            now.told == true.told and now.questions == true.questions,
            [one.event for one in now.told] != [one.event for one in kept.decoding.told],
            told[0][0],
            told[-1][0],
        )


def _hands_over(decoding: Decoding) -> int:
    return sum(isinstance(entry.event, HandEnd) for entry in decoding.told)


def _ends_s(film: StoredFilm) -> float:
    return math.inf if film.ends_s is None else film.ends_s
