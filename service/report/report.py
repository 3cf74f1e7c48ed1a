"""The report of a scored game: one page with its pictures inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.announce import Announcement, Problem, Turn
from engine.events import Draw, Entry, Win
from engine.game import replay
from service.report.gaps import Gap, gaps_in
from service.report.hands import WinShown, win_json, winning_hand
from service.report.pages import PointsChart, jpeg_address, page, points_chart
from service.report.public import RULED_BY, Json, ruled_by
from service.report.questions import report_questions
from service.report.sheet import SheetRow, item_words, result_words, round_words, rows
from service.report.story import GameStory, HandStory, StoryEvent, tell_game
from service.words.announcements import explained, sentence
from service.words.catalogue import words_of
from service.words.events import TextPart, event_parts

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
    laid: WinShown
    """As a page of the table has it (``win_json``)."""
    wait: str | None
    """What it waited for; None where the hand has no sets and pair."""
    why: tuple[str, ...]
    """Why it is worth what is paid, in sentences."""


@dataclass(frozen=True)
class Chapter:
    title: str
    place: str
    """Round and dealer."""
    result: str
    items: str
    gaps: tuple[str, ...]
    """What the film does not show of it, in sentences."""
    wins: tuple[WonHand, ...]
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    lines: tuple[ReportLine, ...]
    problems: tuple[ReportLine, ...]
    """The lines with problems."""
    doubtful: tuple[ReportLine, ...]


@dataclass(frozen=True)
class Section:
    story: GameStory
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
            tuple(row for row in every if row.game == number),
            tuple(_chapter(story, hand, told) for hand in story.hands),
            points_chart(story),
        )
        for number, story in enumerate(stories, start=1)
    ]
    return page(
        "report.html",
        lang=lang,
        say=words_of(lang),
        title=title,
        games=games,
        asked=report_questions(asked or {}, pictures, tiles, game, lang),
        questions=asked or {},
        until_s=until_s,
        again=again,
        made={
            "title": title,
            "lang": lang,
            "again": again,
            "gaps": [[gap.since_s, gap.until_s] for gap in gaps],
        },
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
    say = words_of(lang)
    every = tuple(_line(story, event, told) for event in hand.happened)
    lines = _with_draws(every, say["report.and_then"])
    dealer = story.names_in(lang)[hand.dealer]
    wind = round_words(story, hand, lang)
    return Chapter(
        title=say["report.chapter"].format(number=hand.number),
        place=say["report.of_round" if wind else "report.of_dealer"].format(
            wind=wind, dealer=dealer
        ),
        result=result_words(story, hand, lang),
        items=item_words(hand.items, lang, story.rules, story.names_in(lang)),
        gaps=tuple(gap.words(lang) for gap in gaps_in(hand, told.gaps)),
        wins=tuple(_won(story, hand, win, lang) for win in hand.wins),
        deltas=hand.deltas,
        points=hand.points,
        lines=lines,
        problems=tuple(line for line in lines if line.problems),
        doubtful=tuple(line for line in lines if line.doubtful),
    )


def _won(story: GameStory, hand: HandStory, win: Win, lang: str) -> WonHand:
    names = story.names_in(lang)
    paid = [payout for payout in hand.payouts if payout.seat == win.seat]
    why = [line for one in paid for line in explained(one, lang, names, None, story.rules)]
    found = winning_hand(hand.happened[-1].state, win)
    wait = None if found is None else words_of(lang)[f"page.wait.{found.wait}"]
    return WonHand(win_json(hand, win), wait, tuple(why))


def _line(story: GameStory, event: StoryEvent, told: _Told) -> ReportLine:
    lang = told.lang
    names = story.names_in(lang)

    def words(said: Announcement) -> str:
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
        problems=tuple(words(said) for said in event.said if isinstance(said, Problem)),
        said=tuple(words(said) for said in event.said if not isinstance(said, Problem | Turn)),
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
