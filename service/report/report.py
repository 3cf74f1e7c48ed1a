"""The report of a game: the page of its results, saved as one file with its pictures inside."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from engine.announce import Announcement, Problem, Turn
from engine.corrections import RULED_BY, ruled_by
from engine.events import Draw, Entry, Win
from engine.game import Game, replay
from engine.results import played_game
from engine.second_reading import compared
from engine.stories import GameStory, HandStory, StoryEvent, tell_game
from engine.texts.announcements import sentence
from engine.texts.figures import clock
from service.report.gaps import Gap, gaps_in
from service.report.hand_stories import hand_stories
from service.report.hands import HandView, games_json
from service.report.pages import jpeg_address
from service.report.player_standings import payments, results_of
from service.report.public import Json, places_now
from service.report.saved_page import saved_page
from service.report.saved_views import (
    GameReport,
    HandReport,
    LineView,
    PlaceView,
    SavedQuestion,
    SavedReport,
)
from service.report.sheet import place_text, result_text
from service.texts.catalogue import texts_of
from service.texts.events import event_json
from service.texts.second_reading import read_twice, read_twice_counted
from service.texts.stories import names_in, ranking

DOUBTFUL: Final = 0.8
"""Events with less confidence are pointed out."""


def to_report(
    entries: Sequence[Entry],
    pictures: Mapping[int, bytes],
    title: str = "",
    lang: str = "en",
    asked: Json | None = None,
    until_s: float | None = None,
    gaps: Sequence[Gap] = (),
    again: str | None = None,
    tiles: Mapping[str, bytes] = {},
    events: bool = True,
    seal: str | None = None,
    rehearsed: str | None = None,
) -> str:
    """The whole page; ``pictures`` are JPEG files by the number of their event.

    ``asked``: the file of questions, whose answers the page saves. ``until_s``: the film was
    read up to this second only. ``gaps``: what was noticed to be missing in the film.
    ``again``: the command that scores the film again with the answers. ``tiles``: pictures of what
    is asked, by the question's id. ``events``: whether it lists what happened, hidden hands among
    it; without, it shows what everybody may see.
    ``seal``: that of the record's last event. ``rehearsed``: what was proved of the table.
    """
    game = replay(entries)
    questions: list[SavedQuestion] = []
    if asked:
        from service.report.questions import report_questions  # a record alone needs no vision

        questions = report_questions(asked, pictures, tiles, game, lang)
    games = tell_game(game)
    every = compared(game)
    twice = {one.win.number: read_twice(one, lang) for one in every}
    reading = _Reading(tuple(entries), pictures, lang, gaps, events, twice)
    report: SavedReport = {
        "title": title,
        "until": None if until_s is None else clock(until_s),
        "games": [_game(story, reading) for story in games],
        "questions": questions,
        "asked": asked or {},
        "again": again,
        "stories": _stories(game, games, reading),
        "seal": seal,
        "rehearsed": rehearsed,
        "twice": read_twice_counted(every, lang),
    }
    return saved_page("game/saved.html", lang, title or texts_of(lang)["report.sheet"], report)


def _stories(game: Game, games: Sequence[GameStory], reading: _Reading) -> str:
    shown = reading.pictures if reading.events else {}

    def picture_of(_: Entry, number: int) -> str | None:
        return f"#e{number}" if number in shown else None

    told = hand_stories(game, games, reading.lang, picture_of, with_tables=False)
    written = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    return b64encode(zlib.compress(written, 9)).decode()


@dataclass(frozen=True)
class _Reading:
    """What the lines are made of."""

    entries: tuple[Entry, ...]
    pictures: Mapping[int, bytes]
    lang: str
    gaps: Sequence[Gap]
    events: bool
    twice: Mapping[int, str]
    """What second readings say, by the line of the win."""

    @cached_property
    def rulings(self) -> bool:
        """Whether somebody ruled at all; looking for it takes long."""
        return any(str(entry.evidence).startswith(RULED_BY) for entry in self.entries)

    def ruled_by(self, number: int) -> list[str]:
        say = texts_of(self.lang)["page.game.ruled"]
        names = ruled_by(self.entries, number) if self.rulings else ()
        return [say.format(name=name) for name in names]


def _game(story: GameStory, reading: _Reading) -> GameReport:
    lang = reading.lang
    (view,) = games_json([story], lang)
    names = list(names_in(story, lang))
    hands: list[HandView] = [{**hand, "names": names} for hand in view["hands"]]
    return {
        "view": {**view, "names": names, "hands": hands},
        "over": story.result is not None,
        "ranking": ranking(story, lang),
        "places": places_of_seats(story, lang),
        "settled": list(payments(game.result for game in results_of([story], date.min))),
        "hands": [_hand(story, hand, reading) for hand in story.hands],
    }


def _hand(story: GameStory, hand: HandStory, reading: _Reading) -> HandReport:
    lang = reading.lang
    lines = [_line(story, event, reading) for event in hand.happened if reading.events]
    draws = {event.number for event in hand.happened if _is_only_draw(event)}
    return {
        "place": place_text(story, hand, lang),
        "result": result_text(story, hand, lang),
        "gaps": [gap.text(lang) for gap in gaps_in(hand, reading.gaps)],
        "lines": _with_draws(lines, draws, texts_of(lang)["report.and_then"]),
    }


def places_of_seats(story: GameStory, lang: str) -> list[PlaceView]:
    points, names = story.points, names_in(story, lang)
    now = places_now(story.happened[-1].state)
    places: list[PlaceView] = [
        {
            "place": one.place or now[one.seat],
            "seat": one.seat,
            "name": names[one.seat],
            "points": points[one.seat],
            "change": one.points,
        }
        for one in played_game(story).seats
    ]
    return sorted(places, key=lambda one: one["place"])


def _line(story: GameStory, event: StoryEvent, reading: _Reading) -> LineView:
    lang = reading.lang
    names = names_in(story, lang)

    def text_of(said: Announcement) -> str:
        return sentence(said, lang, names, rules=story.rules)

    entry, sure = event.entry, event.entry.confidence
    others = (said for said in event.said if not isinstance(said, Problem | Turn))
    return {
        "number": event.number,
        "time": "" if entry.t is None else clock(entry.t),
        "told": event_json(entry.event, names, lang, story.rules),
        "doubt": None if sure is None or sure >= DOUBTFUL else round(100 * sure),
        "picture": jpeg_address(reading.pictures.get(event.number)),
        "problems": [text_of(said) for said in event.said if isinstance(said, Problem)],
        "ruled_by": reading.ruled_by(event.number),
        "said": [*(text_of(said) for said in others), *_twice(event, reading)],
    }


def _twice(event: StoryEvent, reading: _Reading) -> Sequence[str]:
    """What a second reading of a win says."""
    said = reading.twice.get(event.number) if isinstance(event.entry.event, Win) else None
    return [] if said is None else [said]


def _is_only_draw(event: StoryEvent) -> bool:
    """Whether it is a draw without further announcements."""
    return isinstance(event.entry.event, Draw) and all(isinstance(one, Turn) for one in event.said)


def _with_draws(lines: Sequence[LineView], draws: set[int], and_then: str) -> list[LineView]:
    """Join each draw with the event after it: a draw has no picture of its own."""
    joined: list[LineView] = []
    for line in lines:
        if joined and joined[-1]["number"] in draws and line["number"] not in draws:
            drawn = joined.pop()
            line = {**line, "told": [*drawn["told"], and_then, *line["told"]]}
        joined.append(line)
    return joined
