"""Where people look rather than read: the strip of a hand, and the clip of the evening."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path, PurePath
from typing import Final

from av import FFmpegError
from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from typing_extensions import TypedDict

from engine.errors import NotThere
from engine.events import Entry
from engine.game import Game
from engine.highlights import BestWin, best_wins
from engine.stories import GameStory, StoryEvent
from engine.texts.figures import signed
from service.evening.film_in_record import film_begins_s
from service.machine.records import day_named
from service.pages.bodies import RequestBody
from service.pages.requests import DoneView, RefusingRoute, file_answer, file_or_none, json_once
from service.pages.settings import OpenTable, Served
from service.report.hand_stories import StoryMoment, hand_stories
from service.report.sheet import place_text, result_text
from service.table.clip_maker import KeptClip, Progress, Shows, Stopped, Told
from service.table.dispute import same_people, signs_at
from service.table.highlight_clip import (
    AFTER_S,
    BEFORE_S,
    FORMS,
    MOST_PIECES,
    Clip,
    Line,
    NoPictures,
    Piece,
    kept_footage,
    make_clip,
)
from service.table.lettering import BETWEEN, can_be_written
from service.table.pictures import Pictures
from service.texts.catalogue import rules_title, texts_of
from service.texts.events import named
from service.texts.stories import names_in
from service.web.grants import granted
from service.web.language import Language
from service.web.rights import VERSION
from vision.camera.address import readable
from vision.camera.live import PacedFile
from vision.camera.pictures import Picture, SourceError

api = APIRouter(route_class=RefusingRoute)
WEBVTT: Final = "text/vtt"


class HandStrip(TypedDict):
    lines: int
    moments: list[StoryMoment]


@api.get("/hands/{first}/story", response_model=HandStrip)
async def story(served: Served, first: int, lang: Language) -> Response:
    """Return a hand, by the number of its first line, as a few moments.

    Each has its sentence, the table as it lay, and the address of its picture where one is kept.
    """
    game = served.table.game.with_lines()
    lines = len(game.entries)

    def made() -> HandStrip:
        found = hand_stories(
            game, served.stories.games(game), lang, _picture_of(served), first=first
        )
        if first not in found:
            raise NotThere(f"no hand begins with line {first}; the list of hands has them all")
        return {"lines": lines, "moments": found[first]}

    # Pictures come and go without a line, and where as many go as come.
    shots = served.table.pictures.shots
    mark = lines, len(shots), max((shot.number for shot in shots), default=-1)
    return await json_once(served.made, ("story", first, lang), mark, made)


def _picture_of(served: OpenTable) -> Callable[[Entry, int], str | None]:
    def address(entry: Entry, _: int) -> str | None:
        shot = None if entry.t is None else served.table.pictures.of_moment(entry.t)
        return None if shot is None else f"{VERSION}/pictures/{shot.number}"

    return address


class ClipView(TypedDict):
    """The clip of the evening: whether there is one, or why not."""

    making: bool
    done: float
    """Which share of it is made."""
    problem: str | None
    """Why none was made, in a sentence."""
    seconds: float | None
    """How long the one lasts that is there; None without one."""
    kind: str | None
    may_make: bool
    """Whether this key may have one made."""
    wins: int
    """How many wins it would show if everybody agreed."""


class ClipWish(RequestBody):
    """Have one made."""


@api.get("/highlights")
async def highlights(request: Request, served: Served, lang: Language) -> ClipView:
    """Return whether there is a clip of the evening, and how far one is that is being made."""
    grant, maker = granted(request), served.clip
    making = maker.making
    kept = None if making else await asyncio.to_thread(_offered, served)
    game = served.table.game
    wins = await served.made.once(
        "wins",
        len(game.entries),
        lambda: len(best_wins(served.stories.games(game.with_lines()), MOST_PIECES, _has_time)),
    )
    trouble = None if making else maker.trouble
    return {
        "making": making,
        "done": round(maker.done, 3) if making else 0.0,
        "problem": None if trouble is None else texts_of(lang)[f"page.clip.trouble.{trouble}"],
        "seconds": None if kept is None else kept.seconds,
        "kind": None if kept is None else kept.media_type,
        "may_make": grant is not None and grant.admin,
        "wins": wins,
    }


@api.post("/highlights")
async def make_highlights(served: Served, lang: Language, asked: ClipWish) -> DoneView:
    """Have a clip of the evening made in the background, in this language.

    It shows the best wins among those of which everybody who sat there agreed to clips.
    """
    served.clip.start(lambda progress: _made(served, lang, progress))
    return {}


@api.delete("/highlights")
async def cancel_highlights(served: Served) -> DoneView:
    """Give up the clip that is being made."""
    served.clip.cancel()
    return {}


@api.get("/highlights/film", **file_answer(*(form.media_type for form in FORMS)))
async def highlights_film(served: Served) -> Response:
    """Return the clip of the evening."""
    kept = await asyncio.to_thread(_there, served)
    name = PurePath(readable(served.table.settings.record_name) or "game").stem
    return FileResponse(
        kept.film,
        media_type=kept.media_type,
        filename=f"{name}{kept.film.suffix}",
        content_disposition_type="inline",
    )


@api.get("/highlights/captions", **file_answer(WEBVTT))
async def highlights_captions(served: Served) -> Response:
    """Return what is said in the clip, as WebVTT."""
    kept = await asyncio.to_thread(_there, served)
    return file_or_none(await asyncio.to_thread(kept.captions.read_bytes), WEBVTT)


def _there(served: OpenTable) -> KeptClip:
    """The clip that is offered; raises ``NotThere``."""
    kept = None if served.clip.making else _offered(served)
    if kept is None:
        raise NotThere("there is no clip of this evening; whoever runs the table has one made")
    return kept


def _offered(served: OpenTable) -> KeptClip | None:
    """The clip, as long as the record tells what it says, and everybody agrees to it."""
    kept = served.clip.kept
    return kept if kept is not None and _stands(served, kept.shows) else None


def _stands(served: OpenTable, shows: Shows) -> bool:
    """Whether the record as it is now tells what a clip says, and everybody agrees to it."""
    game = served.table.game.with_lines()
    told = _told(game)
    every = best_wins(served.stories.games(game), len(game.entries))
    wins = {told[id(one.event.entry)]: one for one in every}
    if any(each not in wins for each in shows.of):  # it was put right since
        return False
    if _seal([wins[each] for each in shows.of]) != shows.seal:
        return False
    return all(_agreed(served, game, number, place) for number, place in shows.of)


def _seal(wins: Sequence[BestWin]) -> str:
    """Of what is said of wins that only a correction changes: not of what comes after them."""
    said = [[one.game.rules, *names_in(one.game), *_said(one, "en")] for one in wins]
    return blake2b(json.dumps(said).encode(), digest_size=16).hexdigest()


def _agreed(served: OpenTable, game: Game, number: int, place: int) -> bool:
    people = signs_at(game, number, place)
    return served.settings.agreed.to_clips(people, same_people(game, people))


def _made(served: OpenTable, lang: str, progress: Progress) -> tuple[Clip, Shows]:
    """The clip of what is known now; raises ``Stopped``."""
    game = served.table.game.with_lines()
    games = served.stories.games(game)
    told = _told(game)
    if not best_wins(games, 1, _has_time):
        raise Stopped("no_wins")

    def may_show(event: StoryEvent) -> bool:
        return _has_time(event) and _agreed(served, game, *told[id(event.entry)])

    best = best_wins(games, MOST_PIECES, may_show)
    if not best:
        raise Stopped("not_agreed")
    source = FilmOrPictures(served.settings.film, _film_begins_s(served), served.table.pictures)
    title = _title(served, best, lang)
    try:
        clip = make_clip(title, [piece_of(one, lang) for one in best], source.between, progress)
    except NoPictures:
        raise Stopped("film_gone" if source.gone else "no_pictures") from None
    shows = Shows(tuple(told[id(one.event.entry)] for one in best), _seal(best))
    if not _stands(served, shows):  # somebody said no while it was made
        raise Stopped("not_agreed")
    return clip, shows


def _has_time(event: StoryEvent) -> bool:
    return event.entry.t is not None


def _told(game: Game) -> dict[int, Told]:
    """Line and place there of each event in force, by the identity of its entry."""
    found: dict[int, Told] = {}
    number, place = -1, 0
    for one in game.played:
        place = place + 1 if one.event.number == number else 0
        number = one.event.number
        found[id(one.event.entry)] = number, place
    return found


def _title(served: OpenTable, best: Sequence[BestWin], lang: str) -> list[Line]:
    """What it is, who played, when and by which rules."""
    names = dict.fromkeys(name for one in best for name in names_in(one.game, lang))
    written = dict.fromkeys(name for one in best for name in names_written(one.game, lang))
    rules = dict.fromkeys(rules_title(one.game.rules, lang) for one in best)
    day = day_named(Path(served.table.settings.record_name))
    about = BETWEEN.join([*([day] if day else []), *rules])
    what = texts_of(lang)["page.clip.title"]
    return [
        Line(what, what),
        Line(BETWEEN.join(names), BETWEEN.join(written)),
        Line(about, about),
    ]


def names_written(game: GameStory, lang: str) -> tuple[str, ...]:
    """What pictures call the four: who has a name that no font here can write is called by the
    colour of the seat."""
    names = names_in(game, lang)
    return named([name if can_be_written(name) else "" for name in names], lang)


def piece_of(one: BestWin, lang: str) -> Piece:
    say, time_s = texts_of(lang), one.event.entry.t
    assert time_s is not None, "only what has a time is shown"
    reasons = [say[f"page.clip.reason.{reason.value}"] for reason in one.reasons]
    said, written = (
        BETWEEN.join([*_said(one, lang, names), *reasons])
        for names in (None, names_written(one.game, lang))
    )
    return Piece(max(0.0, time_s - BEFORE_S), time_s + AFTER_S, Line(said, written))


def _said(one: BestWin, lang: str, names: Sequence[str] | None = None) -> list[str]:
    game, hand = one.game, one.hand
    result, place = (text(game, hand, lang, names) for text in (result_text, place_text))
    return [result, signed(one.points), place]


def _film_begins_s(served: OpenTable) -> float | None:
    """When the film begins, in the time of the record; None where it shows another game."""
    mark = served.table.settings.film
    return None if mark is None else film_begins_s(served.table.game.entries, mark)


class FilmOrPictures:
    """A piece of the film, where there is one and it can be read; else the kept pictures."""

    def __init__(self, film: PacedFile | None, begins_s: float | None, pictures: Pictures) -> None:
        self._film, self._begins_s = film, begins_s
        self._kept = kept_footage(pictures)
        self.gone = False
        """Whether the film could not be read."""

    def between(self, from_s: float, to_s: float) -> Iterator[tuple[float, Picture]]:
        begun = False
        for time_s, image in self._of_film(from_s, to_s):
            begun = True
            yield time_s, image
        if not begun:
            yield from self._kept(from_s, to_s)

    def _of_film(self, from_s: float, to_s: float) -> Iterator[tuple[float, Picture]]:
        film, begins_s = self._film, self._begins_s
        if film is None or begins_s is None or from_s < begins_s:
            return
        try:
            for frame in film.between(from_s - begins_s, to_s - begins_s):
                yield frame.time_s + begins_s, frame.image_bgr
        except (SourceError, OSError, FFmpegError):
            self.gone = True
