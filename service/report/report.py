"""The report of a scored game: one page with its pictures inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import Final

from engine.announce import Announcement, Payout, Problem, Turn
from engine.corrections import RULED_BY, ruled_by
from engine.events import Draw, Entry, Win
from engine.game import replay
from engine.results import played_game
from engine.stories import GameStory, HandStory, StoryEvent, tell_game
from engine.texts.announcements import Speaker, sentence
from service.report.gaps import Gap, gaps_in
from service.report.hands import WinView, win_json, winning_hand
from service.report.pages import PointsChart, jpeg_address, page, points_chart
from service.report.player_standings import PointsPaid, payments, results_of
from service.report.public import Json, places_now
from service.report.questions import report_questions
from service.report.sheet import SheetRow, result_text, round_text, rows
from service.texts.catalogue import texts_of
from service.texts.events import TextPart, event_parts
from service.texts.stories import names_in

DOUBTFUL: Final = 0.8
"""Events with less confidence are pointed out."""


@dataclass(frozen=True)
class ReportLine:
    number: int
    time_s: float | None
    parts: tuple[TextPart, ...]
    confidence: float | None
    doubtful: bool
    picture: str | None
    """A ``data:`` address."""
    problems: tuple[str, ...]
    said: tuple[str, ...]
    """Announcements other than problems and turns."""

    ruled_by: tuple[str, ...]
    """Who ruled on it in a dispute."""
    draw: bool
    """Whether it is only a draw without further announcements."""


@dataclass(frozen=True)
class WonHand:
    laid: WinView
    """As a page of the table has it (``win_json``)."""
    wait: str | None
    """What it waited for; None where the hand has no sets and pair."""


@dataclass(frozen=True)
class Payment:
    giver: str
    to: str
    points: int


@dataclass(frozen=True)
class PaidShown:
    """What a payout consists of."""

    rows: tuple[tuple[str, str], ...]
    """What each item is called, and what it counts with its unit."""
    worth: str | None
    """Their sum."""
    payments: tuple[Payment, ...]


@dataclass(frozen=True)
class Place:
    place: int
    seat: int
    name: str
    points: int
    change: int
    """Since the start of the game."""


@dataclass(frozen=True)
class Chapter:
    title: str
    place: str
    """Round and dealer."""
    result: str
    value: int
    """What the winners were paid by the others."""
    gaps: tuple[str, ...]
    """What the film does not show of it, in sentences."""
    wins: tuple[WonHand, ...]
    paid: tuple[PaidShown, ...]
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    lines: tuple[ReportLine, ...]
    problems: tuple[ReportLine, ...]
    """The lines with problems."""
    doubtful: tuple[ReportLine, ...]


@dataclass(frozen=True)
class Section:
    story: GameStory
    places: tuple[Place, ...]
    """Best first."""
    settled: tuple[Payment, ...]
    """Who pays whom for the whole game, once it is over."""
    rows: tuple[SheetRow, ...]
    chapters: tuple[Chapter, ...]
    chart: PointsChart | None


def to_report(
    entries: Sequence[Entry],
    pictures: Mapping[int, bytes],
    title: str,
    lang: str = "en",
    asked: Json | None = None,
    until_s: float | None = None,
    gaps: Sequence[Gap] = (),
    again: str | None = None,
    tiles: Mapping[str, bytes] = {},
) -> str:
    """The whole page; ``pictures`` are JPEG files by the number of their event.

    ``asked``: the file of questions, whose answers the page saves. ``until_s``: the film was
    read up to this second only. ``gaps``: what was noticed to be missing in the film.
    ``again``: the command that scores the film again with the answers. ``tiles``: pictures of what
    is asked, by the question's id.
    """
    game = replay(entries)
    stories = tell_game(game)
    told = _Told(tuple(entries), pictures, lang, gaps)
    every = list(rows(stories, lang))
    games = [
        Section(
            story,
            places_of_seats(story, lang),
            tuple(Payment(one["from"], one["to"], one["points"]) for one in _settled(story)),
            tuple(row for row in every if row.game == number),
            tuple(_chapter(story, hand, told) for hand in story.hands),
            points_chart(story),
        )
        for number, story in enumerate(stories, start=1)
    ]
    return page(
        "report.html",
        lang=lang,
        say=texts_of(lang),
        title=title,
        games=games,
        asked=report_questions(asked or {}, pictures, tiles, game, lang),
        questions=asked or {},
        until_s=until_s,
        again=again,
    )


@dataclass(frozen=True)
class _Told:
    """What the lines are made of."""

    entries: tuple[Entry, ...]
    pictures: Mapping[int, bytes]
    lang: str
    gaps: Sequence[Gap]

    @cached_property
    def rulings(self) -> bool:
        """Whether somebody ruled at all; looking for it takes long."""
        return any(str(entry.evidence).startswith(RULED_BY) for entry in self.entries)

    def ruled_by(self, number: int) -> tuple[str, ...]:
        return tuple(ruled_by(self.entries, number)) if self.rulings else ()


def _chapter(story: GameStory, hand: HandStory, told: _Told) -> Chapter:
    lang = told.lang
    say = texts_of(lang)
    every = tuple(_line(story, event, told) for event in hand.happened)
    lines = _with_draws(every, say["report.and_then"])
    dealer = names_in(story, lang)[hand.dealer]
    wind = round_text(story, hand, lang)
    return Chapter(
        title=say["report.chapter"].format(number=hand.number),
        place=say["report.of_round" if wind else "report.of_dealer"].format(
            wind=wind, dealer=dealer
        ),
        result=result_text(story, hand, lang),
        value=sum(
            -min(delta, 0)
            for payout in hand.payouts
            for delta in payout.deltas
            if payout.seat is not None
        ),
        gaps=tuple(gap.text(lang) for gap in gaps_in(hand, told.gaps)),
        wins=tuple(_won(hand, win, lang) for win in hand.wins),
        paid=tuple(_ledger(story, payout, lang) for payout in hand.payouts),
        deltas=hand.deltas,
        points=hand.points,
        lines=lines,
        problems=tuple(line for line in lines if line.problems),
        doubtful=tuple(line for line in lines if line.doubtful),
    )


def places_of_seats(story: GameStory, lang: str) -> tuple[Place, ...]:
    points, names = story.points, names_in(story, lang)
    now = places_now(story.happened[-1].state)
    told = (
        Place(one.place or now[one.seat], one.seat, names[one.seat], points[one.seat], one.points)
        for one in played_game(story).seats
    )
    return tuple(sorted(told, key=lambda one: one.place))


def _settled(story: GameStory) -> Sequence[PointsPaid]:
    return payments(game.result for game in results_of([story], date.min))


def _ledger(story: GameStory, payout: Payout, lang: str) -> PaidShown:
    names = names_in(story, lang)
    if payout.seat is not None and payout.pot == 0 and not any(payout.deltas):
        return PaidShown(((sentence(payout, lang, names, rules=story.rules), ""),), None, ())
    rows, worth = Speaker(lang, names, rules=story.rules).ledger(payout)
    if payout.seat is None:
        return PaidShown(rows, worth, ())
    to = names[payout.seat]
    given = [
        Payment(names[seat], to, -delta) for seat, delta in enumerate(payout.deltas) if delta < 0
    ]
    if payout.pot < 0:
        given.append(Payment(texts_of(lang)["page.result.table"], to, -payout.pot))
    return PaidShown(rows, worth, tuple(given))


def _won(hand: HandStory, win: Win, lang: str) -> WonHand:
    found = winning_hand(hand.happened[-1].state, win)
    wait = None if found is None else texts_of(lang)[f"page.wait.{found.wait}"]
    return WonHand(win_json(hand, win), wait)


def _line(story: GameStory, event: StoryEvent, told: _Told) -> ReportLine:
    lang = told.lang
    names = names_in(story, lang)

    def text_of(said: Announcement) -> str:
        return sentence(said, lang, names, rules=story.rules)

    entry = event.entry
    picture = told.pictures.get(event.number)
    return ReportLine(
        number=event.number,
        time_s=entry.t,
        parts=event_parts(entry.event, names, lang, story.rules),
        confidence=entry.confidence,
        doubtful=entry.confidence is not None and entry.confidence < DOUBTFUL,
        picture=jpeg_address(picture),
        problems=tuple(text_of(said) for said in event.said if isinstance(said, Problem)),
        said=tuple(text_of(said) for said in event.said if not isinstance(said, Problem | Turn)),
        ruled_by=told.ruled_by(event.number),
        draw=isinstance(entry.event, Draw) and all(isinstance(said, Turn) for said in event.said),
    )


def _with_draws(lines: Sequence[ReportLine], and_then: str) -> tuple[ReportLine, ...]:
    """Join each draw with the event after it: a draw has no picture of its own."""
    told: list[ReportLine] = []
    for line in lines:
        if told and told[-1].draw and not line.draw:
            drawn = told.pop()
            line = replace(line, parts=(*drawn.parts, and_then, *line.parts))
        told.append(line)
    return tuple(told)
