"""The page of the game so far: hands, replay, charts, downloads, and what may be sent of it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from datetime import date
from pathlib import Path, PurePath
from typing import Annotated, Final

from fastapi import APIRouter, Request, Response
from typing_extensions import TypedDict

from engine.corrections import at as event_at
from engine.errors import Forbidden, NotThere, Refused
from engine.game import Game
from engine.stories import GameStory, last_state_of
from engine.visibility import events_seen
from service.evening.studied_games import Study
from service.evening.wire import GameChosen, StudiedGameView
from service.machine.records import evening_of
from service.pages.bodies import AgreedChange
from service.pages.request_log import of_app
from service.pages.requests import (
    DoneView,
    RefusingRoute,
    file_answer,
    file_of,
    file_or_none,
    json_once,
)
from service.pages.settings import Served
from service.report.downloads import DOWNLOAD_FORMATS
from service.report.hands import GameView, games_json
from service.report.player_standings import FinishedGame, Standings, by_rules, results_of
from service.report.public import names_of
from service.table.certificate import rehearsed_text
from service.table.dispute import Sign, same_people, signs_at, signs_now
from service.table.picture_files import clip_name
from service.table.view import TableView, moment_after, table_view
from service.texts.events import Parts, event_json
from service.web.grants import Grant, Role, granted
from service.web.language import Language
from service.web.rights import AGREED
from vision.camera.address import readable

api = APIRouter(route_class=RefusingRoute)
ToChoose = Annotated[Study | None, of_app("study")]


class HandsPlayed(TypedDict):
    lines: int
    games: list[GameView]


class ReplayStep(TypedDict):
    number: int
    t: float | None
    event: str
    hand: int | None
    told: Parts


class ReplaySteps(TypedDict):
    lines: int
    steps: list[ReplayStep]


@api.get("/games")
async def games_to_choose(request: Request, study: ToChoose) -> list[StudiedGameView]:
    """List the games that are studied, where there are several; one is at the table."""
    grant = granted(request)
    may_choose = grant is not None and grant.corrects
    return [] if study is None else study.views(may_choose=may_choose)


@api.post("/games")
async def choose_game(study: ToChoose, asked: GameChosen) -> DoneView:
    """Put another one of them on the table: ``{"number": 1}``."""
    if study is None:
        raise NotThere("there is one game here, and none to choose")
    await study.choose(asked.number)
    return {}


@api.get("/hands", response_model=HandsPlayed)
async def hands(served: Served, lang: Language) -> Response:
    """Return every hand: winners, payouts line by line, points, the next dealer."""
    stories, game = served.stories, served.table.game.with_lines()
    lines, unsure = len(game.entries), served.table.unsure
    return await json_once(
        served.made,
        ("hands", lang),
        (lines, unsure),
        lambda: {"lines": lines, "games": games_json(stories.games(game), lang, unsure)},
    )


@api.get("/standings", response_model=Standings)
async def places(served: Served) -> Response:
    """Return people's results in the finished games of this record's folder.

    ``people``: results by the current rules on all evenings. ``payments``: who pays whom how many
    points to settle tonight. ``by_rules``: both for each rule set, with tonight's results apart.
    ``unreadable``: a line about each file that is no record, and is not counted.
    """
    table, game = served.table, served.table.game.with_lines()
    rules = game.state.rules or table.settings.rules

    def finished() -> tuple[date, tuple[FinishedGame, ...], tuple[str, ...]]:
        tonight = evening_of((served.settings.records or Path()) / table.settings.record_name)
        own = results_of(served.stories.games(game), tonight)
        others = served.others
        if others is None:
            return tonight, (*own,), ()
        return tonight, (*own, *others.results()), tuple(others.unreadable())

    # Other records may have changed, too: who pays whom is worked out only if a result has.
    tonight, games, unreadable = await served.made.once("finished games", object(), finished)
    return await json_once(
        served.made,
        "standings",
        (rules, tonight, games, unreadable),
        lambda: by_rules(games, rules, tonight, unreadable),
    )


@api.get("/replay", response_model=ReplaySteps)
async def steps(served: Served, lang: Language) -> Response:
    """Return all events in force, to step through."""
    game = served.table.game.with_lines()
    lines = len(game.entries)
    return await json_once(
        served.made,
        ("replay", lang),
        lines,
        lambda: {"lines": lines, "steps": steps_of(game, served.stories.games(game), lang)},
    )


@api.get("/replay/{step}")
async def at(request: Request, served: Served, step: int, lang: Language) -> TableView:
    """Return the table as it was after one event, with what was announced by it and its picture.

    It lists this event alone, and the last announcement.
    """
    grant = granted(request) or Grant(Role.PUBLIC)
    now = replace(served.table.moment, game=served.table.game)

    def shown() -> TableView:
        return table_view(moment_after(now, step, served.table.pictures), lang, grant, most=1)

    return await asyncio.to_thread(shown)


@api.get(
    "/download/{form}",
    **file_answer(*sorted({form.media_type for form in DOWNLOAD_FORMATS.values()})),
)
async def download(served: Served, form: str, lang: Language) -> Response:
    """Return the record or a file made of it; whoever runs the table gets those with hidden
    hands."""
    kind = DOWNLOAD_FORMATS.get(form)
    if kind is None:
        known = ", ".join(DOWNLOAD_FORMATS)
        raise NotThere(f"there is no {form}; ask for one of {known}")
    table, entries = served.table, tuple(served.table.game.entries)
    made_for = ("download", form, lang if kind.has_sentences else "")

    def written() -> bytes:
        return kind.write(entries, lang, rehearsed_text(table.proved(), lang)).encode()

    text = await served.made.once(made_for, len(entries), written)
    name = PurePath(readable(table.settings.record_name) or "game").stem + kind.suffix
    return file_of(name, text, kind.media_type)


def steps_of(game: Game, games: tuple[GameStory, ...], lang: str) -> list[ReplayStep]:
    hands = last_state_of(games)
    found: list[ReplayStep] = []
    for place, (event, seen) in enumerate(zip(game.played, events_seen(game), strict=True)):
        hand = hands.get(place)
        shown, state = seen.entry.event, event.state
        found.append(
            {
                "number": seen.number,
                "t": seen.entry.t,
                "event": type(shown).__name__,
                "hand": None if hand is None else hand.number,
                "told": event_json(shown, names_of(state), lang, state.rules),
            }
        )
    return found


WEBP: Final = "image/webp"
NOT_AGREED: Final = "clips are made once everybody who sat at the table has agreed"


class Agreement(TypedDict):
    clips: bool
    """Whether clips are kept: of an event, or of those who sit at the table now."""
    may_agree: bool
    """Whether this key may say so for all."""
    said_no: bool
    """Whether the player of this key has said no."""
    spectators: bool
    link: str | None
    """The game for spectators; None where they are not allowed or cannot reach it."""


@api.get(AGREED.removeprefix("/api"))
async def agreement(
    request: Request, served: Served, of: int | None = None, place: int = 0
) -> Agreement:
    """Return what everybody at the table agreed to; ``of`` an event: who sat there then."""
    settings, agreed, game = served.settings, served.settings.agreed, served.table.game
    spectator = settings.keys.spectator
    reached = spectator and settings.needs_key and settings.served_to_network
    link = f"{settings.address(request).rstrip('/')}/game#{spectator}"
    grant = granted(request)
    seat = None if grant is None else grant.seat
    people = _asked(game, of, place)
    own = frozenset[Sign]() if seat is None else same_people(game, signs_now(game, seat))
    return {
        "clips": agreed.to_clips(people, same_people(game, people)),
        "may_agree": grant is not None and grant.corrects,
        "said_no": agreed.refused(own),
        "spectators": bool(spectator),
        "link": link if reached else None,
    }


def _asked(game: Game, of: int | None, place: int) -> Collection[Sign]:
    """Whose consent clips need: of an event, or of those who sit at the table now."""
    if of is None:
        return signs_now(game)
    event_at(game.entries, of, place)
    return signs_at(game, of, place)


@api.post(AGREED.removeprefix("/api"))
async def agree(request: Request, served: Served, asked: AgreedChange) -> Agreement:
    """Say that everybody agrees to ``clips``, or that ``spectators`` may watch.

    ``of`` an event: everybody who sat there then. A seat speaks for its own player alone; once one
    has said ``{"clips": false}``, all clips are deleted, and nobody else takes that back.
    """
    grant, game = granted(request), served.table.game
    if asked.spectators is not None:
        if grant is None or not grant.admin:
            raise Forbidden("only whoever runs the table may let others watch")
        served.settings.keys.let_watch(asked.spectators)
    if asked.clips is not None:
        seat = None if grant is None else grant.seat
        own = None if seat is None else same_people(game, signs_now(game, seat))
        people = _asked(game, asked.of, asked.place) if own is None else own
        change = served.settings.agreed.change
        await asyncio.to_thread(change, people, asked.clips, own is not None)
    return await agreement(request, served, asked.of, asked.place)


@api.get("/events/{number}/clip", **file_answer(WEBP, may_be_none=True))
async def clip(served: Served, number: int, place: int = 0) -> Response:
    """Return the moment of an event as an animated WebP; 204 where no picture was kept.

    It is made once everybody who sat there has agreed, and kept beside the record.
    """
    table, agreed, dispute = served.table, served.settings.agreed, served.dispute
    _, old = event_at(table.game.entries, number, place)
    people = signs_at(table.game, number, place)
    known_as = same_people(table.game, people)
    if not agreed.to_clips(people, known_as):
        raise Refused(NOT_AGREED)
    if dispute is None:
        return file_or_none(None, WEBP)
    name = clip_name(number, place, old.entry.t or 0.0)
    # One is made at a time; whether it is kept already is looked up each time.
    data = await served.clips.once(
        "clip", object(), lambda: agreed.clip(name, lambda: dispute.animated(old.entry))
    )
    if not agreed.to_clips(people, known_as):  # somebody said no while it was made
        agreed.delete_clips()
        raise Refused(NOT_AGREED)
    return file_or_none(data, WEBP)
