"""Answers every question of a stored film twice: by its looks, and by what a reading keeps."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

from games.store.film import StoredFilm

from engine.events import HandEnd
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
    took_s: float
    """Processor time of explaining the hand again, with all hands that follow."""


def kept_of(film: StoredFilm) -> Kept:
    """Read the film, and keep each hand as a reader does."""
    decoder = Decoder(film.rules, film.view)
    decoder.given = [Begun(film.rules, film.view)]
    hands, ended, time_s = list[KeptHand](), 0, 0.0
    for step in film.steps:
        if not isinstance(step, Look):
            decoder.play(step)
            continue
        decoding, time_s = decoder.look(step), step.time_s
        over = 0 if decoding is None else _hands_over(decoding)
        if over > ended:
            hands.append(KeptHand(packed_looks(decoder.given), time_s))
            decoder.given = []
        ended = max(ended, over)
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
        begun_s = time.process_time()
        (now,) = filter(None, game.explain(answers))
        took_s = time.process_time() - begun_s
        yield AnsweredTwice(
            ", ".join(answer.place.id for answer in answers),
            now.told == true.told and now.questions == true.questions,
            [one.event for one in now.told] != [one.event for one in kept.decoding.told],
            took_s,
        )
        for _ in game.explain(()):
            pass  # the next answer is to the film as it was


def _hands_over(decoding: Decoding) -> int:
    return sum(isinstance(entry.event, HandEnd) for entry in decoding.told)
