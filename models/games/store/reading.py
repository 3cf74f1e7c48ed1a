"""Run a decoder over a stored film: what it tells, and the time of the processor it takes."""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np
from games.outcome import TimedRecord, judged, untrue_in_position
from games.recorded import RecordedDecoder
from games.store.film import StoredFilm
from games.store.hands import Evening, Told, evening

from engine.codec import entry_to_json, event_to_json
from engine.events import Correct, DrawnHand, Entry, Foul, Reveal, Win
from engine.log import in_force
from vision.compare import Report, compare
from vision.decoder.decoder import Decoder
from vision.decoder.decoding import Decoding
from vision.decoder.question import Question
from vision.tracking.observe import Look, Observation

P = ParamSpec("P")
R = TypeVar("R")
SCRIPTED: Final = "cases"
"""The group of scripted games: their positions count as read only where they are right."""


@dataclass(frozen=True)
class FilmReading:
    """What one decoder made of one film; all of it can be written as JSON."""

    name: str
    grade: str
    rules: str
    film_s: float
    looks: int
    matched: int
    missing: list[dict[str, object]]
    extra: list[dict[str, object]]
    paid: list[dict[str, Any]]
    """For each hand the true payments and those that were read."""
    ready_wrong: int
    """Claims of readiness that only one of the records has."""
    questions: int
    """Open at the end."""
    rereads: int
    """Lines that correct what had been told."""
    backwards: int
    """Events that are told with an earlier time than the event before them."""
    delays_s: list[float]
    """For each right event, the time from the hand leaving to its record."""
    look_ms: list[float]
    """Processor time of each look, with following the tiles, ..."""
    observe_ms: list[float]
    """... and of what the decoder did with what then lay there; empty if it does not tell apart."""
    look_times_s: list[float]
    """The time of each look in the film."""
    close_ms: float
    told: list[dict[str, object]]
    """The events that stand at the end."""
    error: str = ""
    """Where the decoder failed."""
    begun: Sequence[Told] = field(default_factory=list)
    standing: Told = field(default_factory=dict)
    wrong_unasked: int = 0
    """As in ``hands.Evening``: with no question about the end of that hand, whatever else is asked
    in the film."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """The questions that are open at the end: when, about what, and the choices."""

    @property
    def group(self) -> str:
        return self.name.split("/")[0]

    @property
    def events(self) -> int:
        return self.matched + len(self.missing)

    @property
    def wrong(self) -> int:
        return len(self.missing) + len(self.extra)

    @property
    def hands(self) -> int:
        return len(self.paid)

    @property
    def paid_right(self) -> int:
        return sum(hand["true"] == hand["read"] for hand in self.paid)

    @property
    def paid_wrong_unasked(self) -> int:
        """Hands told with wrong payments in a film without a question."""
        wrong = sum(hand["read"] not in (None, hand["true"]) for hand in self.paid)
        return 0 if self.questions else wrong

    @property
    def evening(self) -> Evening:
        return Evening(self.begun, self.standing, self.wrong_unasked)

    @property
    def standing_wrong(self) -> bool:
        """Whether anybody's points at the end are not the true ones."""
        return bool(self.standing) and self.standing["true"] != self.standing["read"]

    @property
    def cpu_s(self) -> float:
        """All processor time, with following the tiles."""
        return (sum(self.look_ms) + self.close_ms) / 1000

    @property
    def decoder_s(self) -> float:
        """The decoder's share of it."""
        return (sum(self.observe_ms or self.look_ms) + self.close_ms) / 1000

    def percentile_ms(self, percent: float) -> float:
        return float(np.percentile(self.look_ms, percent)) if self.look_ms else 0.0

    @property
    def slowest(self) -> tuple[float, float]:
        """The milliseconds of the slowest look, and its time in the film."""
        return max(zip(self.look_ms, self.look_times_s, strict=True), default=(0.0, 0.0))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(eq=False)
class _Watch:
    """Processor time of calls, in milliseconds."""

    spent_ms: list[float] = field(default_factory=list)

    def timed(self, call: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        begun_s = time.process_time()
        try:
            return call(*given, **named)
        finally:
            self.spent_ms.append(round(1000 * (time.process_time() - begun_s), 3))


def decoder_named(name: str) -> type[Decoder]:
    """Return the class ``MODULE:CLASS``."""
    module, _, cls = name.partition(":")
    found: type[Decoder] = getattr(import_module(module), cls)
    return found


def read(film: StoredFilm, decoder: type[Decoder] = Decoder) -> FilmReading:
    """Run a decoder of this class over the film; a decoder that fails has told what it told."""
    # A program that reads a film collects as this tree's does, and holds no other film.
    if find_spec("vision.cycles") is not None:
        import_module("vision.cycles").collect_seldom()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    looks, observed, closed = _Watch(), _Watch(), _Watch()
    heard, at_s, error = TimedRecord(), list[float](), ""
    questions: list[Question] = []
    told: list[Entry] = []
    report, untrue = compare(film.true, ()), list[dict[str, object]]()
    try:
        recorded = RecordedDecoder(film.rules, film.view, decoder=decoder)
        _time_observing(recorded.decoder, observed)
        for step in film.steps:
            if isinstance(step, Look):
                at_s.append(step.time_s)
                decoding = looks.timed(recorded.decoder.look, step)
                heard.take(recorded.take(decoding), step.time_s)
            elif step == "blinded":
                recorded.blinded()
            else:
                recorded.moved(step)
        decoding = closed.timed(recorded.decoder.close)
        questions = recorded.questions()
        if film.ends_s is not None:
            decoding = decoding.until(film.ends_s)
        heard.take(recorded.take(decoding), film.length_s)
        told = heard.as_told()
        report, untrue = _judged(film, told)
    except Exception:
        error = traceback.format_exc()
    in_order = [event.entry for event in in_force(heard.lines)]
    asked_s = [question.place.time_s for question in questions if about_an_end(question)]
    hands = evening(film.true, in_order, asked_s)
    times = [entry.t for entry in in_order if entry.t is not None]
    return FilmReading(
        film.name,
        film.grade,
        film.rules,
        round(film.length_s, 1),
        len(at_s),
        report.matched,
        [event_to_json(event) for event in report.missing],
        [*(event_to_json(event) for event in report.extra), *untrue],
        [
            {"true": list(hand.true), "read": None if hand.read is None else list(hand.read)}
            for hand in report.hands
        ],
        report.ready_all - report.ready_right,
        len(questions),
        sum(isinstance(line.event, Correct) for line in heard.lines),
        sum(then < before for before, then in pairwise(times)),
        [round(late_s, 2) for late_s in report.late_s],
        looks.spent_ms,
        observed.spent_ms,
        at_s[: len(looks.spent_ms)],
        sum(closed.spent_ms),
        [
            entry_to_json(replace(entry, evidence=None, source=None, change=None))
            for entry in in_order
        ],
        error,
        hands.begun,
        hands.standing,
        hands.wrong_unasked,
        [_plain(question) for question in questions],
    )


def about_an_end(question: Question) -> bool:
    """Whether a hand may have ended otherwise, or a hand that was shown is another one.

    A question about a discard mends no payment.
    """
    events = [event for choice in question.choices for event in choice.events]
    return any(isinstance(event, Win | DrawnHand | Reveal | Foul) for event in events)


def _plain(question: Question) -> dict[str, Any]:
    choices = [[event_to_json(event) for event in one.events] for one in question.choices]
    return {"t": question.place.time_s, "about": question.place.id, "choices": choices}


def _judged(film: StoredFilm, told: Sequence[Entry]) -> tuple[Report, list[dict[str, object]]]:
    if film.group == SCRIPTED:
        return judged(film.true, told), []
    untrue = [event_to_json(event) for event in untrue_in_position(film.true, told)]
    return compare(film.true, told), untrue


def _time_observing(decoder: Decoder, watch: _Watch) -> None:
    """Also time what the decoder does in each look after its tiles were followed.

    It is wrapped from outside, because decoders of other trees have no place for a clock.
    """
    observe = decoder.observe

    def observed(observation: Observation) -> Decoding | None:
        return watch.timed(observe, observation)

    decoder.observe = observed  # type: ignore[method-assign]
