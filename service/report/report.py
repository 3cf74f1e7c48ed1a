"""The report of a scored game: one page with its pictures inside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.announce import Announcement, Problem, Turn
from engine.events import Draw, Entry
from service.report.pages import page
from service.report.public import Json
from service.report.sheet import SheetRow, item_words, result_words, round_words, rows
from service.report.story import GameStory, HandStory, StoryEvent, tell
from service.words.announcements import sentence
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

    draw: bool
    """Whether it is only a draw without further announcements."""


@dataclass(frozen=True)
class Chapter:
    title: str
    place: str
    """Round and dealer."""
    result: str
    items: str
    deltas: tuple[int, ...]
    points: tuple[int, ...]
    lines: tuple[ReportLine, ...]
    problems: tuple[ReportLine, ...]
    """The lines with problems."""
    doubtful: tuple[ReportLine, ...]


@dataclass(frozen=True)
class ReportQuestion:
    number: int
    time_s: float
    picture: str | None
    choices: tuple[tuple[str, int], ...]
    """The text of each choice, and its share in percent."""


@dataclass(frozen=True)
class Section:
    story: GameStory
    rows: tuple[SheetRow, ...]
    chapters: tuple[Chapter, ...]


def to_report(
    entries: Sequence[Entry],
    pictures: Mapping[int, bytes],
    title: str,
    lang: str = "en",
    asked: Json | None = None,
    until_s: float | None = None,
) -> str:
    """The whole page; ``pictures`` are JPEG files by the number of their event.

    ``asked``: the file of questions, whose answers the page saves. ``until_s``: the film was
    read up to this second only.
    """
    stories = tell(entries)
    every = list(rows(stories, lang))
    games = [
        Section(
            story,
            tuple(row for row in every if row.game == number),
            tuple(_chapter(story, hand, pictures, lang) for hand in story.hands),
        )
        for number, story in enumerate(stories, start=1)
    ]
    return page(
        "report.html",
        lang=lang,
        say=words_of(lang),
        title=title,
        games=games,
        asked=_asked(asked or {}, pictures),
        questions=asked or {},
        until_s=until_s,
    )


def _asked(asked: Json, pictures: Mapping[int, bytes]) -> tuple[ReportQuestion, ...]:
    questions = asked.get("questions", [])
    assert isinstance(questions, list), "a file of questions holds a list of them"
    return tuple(
        ReportQuestion(
            one["number"],
            one["t"],
            _address(next((pictures[at] for at in sorted(pictures) if at >= one["number"]), None)),
            tuple((choice["text"], round(100 * choice["share"])) for choice in one["choices"]),
        )
        for one in questions
    )


def _address(picture: bytes | None) -> str | None:
    return f"data:image/jpeg;base64,{b64encode(picture).decode()}" if picture else None


def _chapter(
    story: GameStory, hand: HandStory, pictures: Mapping[int, bytes], lang: str
) -> Chapter:
    say = words_of(lang)
    told = tuple(_line(story, event, pictures, lang) for event in hand.happened)
    lines = _with_draws(told, say["report.and_then"])
    dealer = story.names_in(lang)[hand.dealer]
    return Chapter(
        title=say["report.chapter"].format(number=hand.number),
        place=say["report.of_round"].format(wind=round_words(hand, lang), dealer=dealer),
        result=result_words(story, hand, lang),
        items=item_words(hand.items, lang),
        deltas=hand.deltas,
        points=hand.points,
        lines=lines,
        problems=tuple(line for line in lines if line.problems),
        doubtful=tuple(line for line in lines if line.doubtful),
    )


def _line(
    story: GameStory, event: StoryEvent, pictures: Mapping[int, bytes], lang: str
) -> ReportLine:
    names = story.names_in(lang)

    def words(said: Announcement) -> str:
        return sentence(said, lang, names, rules=story.rules)

    entry = event.entry
    picture = pictures.get(event.number)
    return ReportLine(
        number=event.number,
        time_s=entry.t,
        parts=event_parts(entry.event, names, lang, story.rules),
        confidence=entry.confidence,
        doubtful=entry.confidence is not None and entry.confidence < DOUBTFUL,
        picture=_address(picture),
        problems=tuple(words(said) for said in event.said if isinstance(said, Problem)),
        said=tuple(words(said) for said in event.said if not isinstance(said, Problem | Turn)),
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
