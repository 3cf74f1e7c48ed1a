"""What a live table announces of a film, and what of it does not stay.

The lines are shown as a live table shows them: each by itself, and together where one of them
corrects another. Nobody says anything, and no question is answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np
from games.intervals import wilson
from games.recorded import RecordedDecoder
from games.store.film import StoredFilm

from engine.announce import Announcement, Problem, Turn, heard_by, itself
from engine.announce_codec import KINDS, announcement_to_json
from engine.codec import event_to_json
from engine.events import Correct, Deal, Draw, Entry, Event
from engine.game import Game, first_since
from engine.news import News
from engine.updates import change_of
from vision.decoder.decoder import Decoder
from vision.decoder.question import Question
from vision.tracking.observe import Look

SILENT: Final = (Draw, Deal)
"""Events of which a page tells nothing that may be wrong."""


@dataclass(frozen=True)
class TakenBack:
    """Something that a live table told, and that did not stay."""

    kind: str
    """Of the announcement, or of the event."""
    told_s: float
    back_s: float
    """When it was told, and when it was taken back, in the film."""
    was: dict[str, object]
    now: list[dict[str, object]]
    """What stands in its place: announcements about the same event, or events of its change."""


@dataclass(frozen=True)
class Alarm:
    """A problem or a question that a live table put before people."""

    at_s: float
    what: list[dict[str, object]]
    """The problem, or the events of the likeliest choice."""
    loss: float = 0.0
    """What hung on a question at most while it was open, in payments of its hand."""
    interrupts: bool = False
    """Whether a page opens the question by itself."""


@dataclass(frozen=True)
class Announced:
    """What a live table announced of one film; all of it can be written as JSON."""

    name: str
    grade: str
    rules: str
    told: dict[str, int] = field(default_factory=dict)
    """How many announcements were made to everybody, by kind."""
    back: list[TakenBack] = field(default_factory=list)
    """Those that were taken back."""
    shown: dict[str, int] = field(default_factory=dict)
    """How many events were shown, by kind."""
    changed: list[TakenBack] = field(default_factory=list)
    """Those that were taken away or shown otherwise later."""
    delays_s: dict[str, list[float]] = field(default_factory=dict)
    """From what happened to when it was told, by kind of announcement and of event; where
    something was told again is left out."""
    problems: list[Alarm] = field(default_factory=list)
    """Problems that were announced, such as fouls."""
    true_problems: int = 0
    """Problems of the game itself, which are announced rightly."""
    waiting: list[Alarm] = field(default_factory=list)
    """Fouls that were listed as not certain, and called out to nobody."""
    asked: list[Alarm] = field(default_factory=list)
    """Questions that were put; one about the same change that comes again counts once."""
    length_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def announced(film: StoredFilm, decoder: type[Decoder] = Decoder) -> Announced:
    """What a live table that reads this film announces."""
    recorded, page = RecordedDecoder(film.rules, film.view, decoder=decoder), Page()
    for step in film.steps:
        if isinstance(step, Look):
            page.show(recorded.look(step), step.time_s)
            page.ask(recorded.decoder.decoding().questions, step.time_s)
        elif step == "blinded":
            recorded.blinded()
        else:
            recorded.moved(step)
    page.show(recorded.close(), film.length_s)
    page.ask(recorded.decoder.decoding().questions, film.length_s)
    return page.done(film)


def figures(games: Sequence[Announced]) -> Iterator[str]:
    """Lines of a table: how much was told of each kind, and what of it did not stay."""
    told, back = Counter[str](), Counter[str]()
    shown, changed = Counter[str](), Counter[str]()
    late_s: dict[str, list[float]] = {}
    for game in games:
        told.update(game.told)
        back.update(one.kind for one in game.back)
        shown.update(game.shown)
        changed.update(one.kind for one in game.changed)
        for kind, delays_s in game.delays_s.items():
            late_s.setdefault(kind, []).extend(delays_s)
    yield from _rows("announced", told, back, late_s)
    yield from _rows("shown", shown, changed, late_s)


def alarms(games: Sequence[Announced]) -> Iterator[str]:
    """A line for each rule set: problems and questions in an hour of play."""
    for rules in sorted({game.rules for game in games}):
        played = [game for game in games if game.rules == rules]
        hours = sum(game.length_s for game in played) / 3600
        problems = sum(len(game.problems) for game in played)
        true = sum(game.true_problems for game in played)
        waiting = sum(len(game.waiting) for game in played)
        asked = sum(len(game.asked) for game in played)
        heavy = sum(one.interrupts for game in played for one in game.asked)
        yield (
            f"{rules}: {60 * hours:.0f} minutes, {problems} problems announced ({true} true), "
            f"{waiting} more waiting, "
            f"{asked} questions ({asked / hours:.1f} an hour), {heavy} of them interrupted "
            f"({heavy / hours:.1f})"
        )


def _rows(
    what: str, told: Counter[str], back: Counter[str], late_s: Mapping[str, Sequence[float]]
) -> Iterator[str]:
    everything = [delay for kind in told for delay in late_s.get(kind, ())]
    all_of_it = ("all", told.total(), back.total(), everything)
    rows = [(kind, told[kind], back[kind], late_s.get(kind, ())) for kind in sorted(told)]
    for kind, count, gone, delays_s in (all_of_it, *rows):
        interval = wilson(gone, count)
        between = "" if interval is None else f" ({interval[0]:.1%} to {interval[1]:.1%})"
        row = f"{what}, {kind}: {gone} of {count} did not stay{between}"
        if delays_s:
            mean_s, most_s = np.mean(delays_s), np.percentile(delays_s, 95)
            row += f", told after {mean_s:.2f} s (95 of 100 within {most_s:.1f})"
        yield row


class Page:
    """A page of a live table, which hears all that everybody hears."""

    def __init__(self) -> None:
        self._game = Game()
        self._told: Counter[str] = Counter()
        self._shown: Counter[str] = Counter()
        self._back: list[TakenBack] = []
        self._changed: list[TakenBack] = []
        self._delays_s: dict[str, list[float]] = {}
        self.problems: list[Alarm] = []
        self.waiting: dict[str, Alarm] = {}
        """Fouls that are not certain, by their words."""
        self.asked: dict[str, Alarm] = {}
        """By the change that they are about."""
        self._since_s: dict[str, float] = {}
        """When each announcement and each event was told last, by its words."""

    def show(self, lines: Sequence[Entry], now_s: float) -> None:
        """Take what the decoder tells at one moment."""
        if any(isinstance(line.event, Correct) for line in lines):
            self._show_together(lines, now_s)
            return
        for line in lines:
            self._show_together([line], now_s)

    def ask(self, questions: Sequence[Question], now_s: float) -> None:
        """Take the questions that stand open at one moment."""
        for question in questions:
            name = question.place.happening.id
            likeliest = [event_to_json(one) for one in question.choices[0].events]
            one = self.asked.setdefault(name, Alarm(now_s, likeliest))
            loss, interrupts = max(one.loss, question.loss), one.interrupts or question.interrupts
            self.asked[name] = replace(one, loss=loss, interrupts=interrupts)

    def done(self, film: StoredFilm) -> Announced:
        return Announced(
            film.name,
            film.grade,
            film.rules,
            dict(self._told),
            self._back,
            dict(self._shown),
            self._changed,
            self._delays_s,
            self.problems,
            sum(isinstance(one, Problem) for one in Game().with_lines(*film.true).announcements()),
            list(self.waiting.values()),
            list(self.asked.values()),
            film.length_s,
        )

    def _show_together(self, lines: Sequence[Entry], now_s: float) -> None:
        before = self._game
        news = News(lambda: self._game)
        for line in lines:
            news.changes(line)
            self._game = self._game.with_lines(line)
        new = news.new()
        said = [one for one in heard_by(new.said, None) if not isinstance(one, Turn)]
        for one in new.gone:
            if not isinstance(one, Turn):
                alike = (other for other in said if _topic(other) == _topic(one))
                instead = [announcement_to_json(other) for other in alike]
                was, told_s = announcement_to_json(one), self._since_s[_words(one)]
                self._back.append(TakenBack(_kind(one), told_s, now_s, was, instead))
        for one in said:
            self._told[_kind(one)] += 1
            if isinstance(one, Problem):
                self.problems.append(Alarm(now_s, [announcement_to_json(one)]))
            self._since_s[_words(one)] = now_s
            happened_s = self._game.entries[one.of].t
            if happened_s is not None and not new.gone:
                self._delays_s.setdefault(_kind(one), []).append(round(now_s - happened_s, 2))
        for one in self._game.announcements(news.first):
            if isinstance(one, Problem) and not one.certain:
                self.waiting.setdefault(_words(one), Alarm(now_s, [announcement_to_json(one)]))
        self._compare_events(before, news.first, now_s)

    def _compare_events(self, before: Game, first: int, now_s: float) -> None:
        was, now = _events(before, first), _events(self._game, first)
        new = [now[at] for at in _not_among(now, was)]
        for change, event in (was[at] for at in _not_among(was, now)):
            instead = [event_to_json(other) for of, other in new if of == change]
            told_s, name = self._since_s[f"{change} {event}"], type(event).__name__
            self._changed.append(TakenBack(name, told_s, now_s, event_to_json(event), instead))
        for change, event in new:
            name = type(event).__name__
            self._shown[name] += 1
            self._since_s[f"{change} {event}"] = now_s
            happened_s = self._game.played[-1].event.entry.t
            if not was and happened_s is not None:
                self._delays_s.setdefault(name, []).append(round(now_s - happened_s, 2))


def _not_among(some: Sequence[object], others: Sequence[object]) -> list[int]:
    """The places of those that others do not have as often; some cannot be hashed."""
    left, found = Counter(map(repr, others)), list[int]()
    for at, one in enumerate(map(repr, some)):
        left[one] -= 1
        if left[one] < 0:
            found.append(at)
    return found


def _events(game: Game, first: int) -> list[tuple[str, Event]]:
    """The events in force of the lines from this one on, each with its change."""
    since = game.played[first_since(game.played, first) :]
    return [
        (change_of(game.entries, played.event), played.event.entry.event)
        for played in since
        if not isinstance(played.event.entry.event, SILENT)
    ]


def _kind(one: Announcement) -> str:
    """What an announcement is counted as: a problem by its code."""
    return f"problem {one.code}" if isinstance(one, Problem) else KINDS[type(one)]


def _topic(one: Announcement) -> tuple[str, int]:
    return KINDS[type(one)], one.of


def _words(one: Announcement) -> str:
    return repr(itself(one))
