"""The page of the game so far: hands, replay, charts, downloads, and what may be sent of it."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path, PurePath
from typing import Final

from fastapi import APIRouter, Request, Response
from typing_extensions import TypedDict

from engine.announce import Turn
from engine.game import Game
from engine.visibility import events_seen
from service.access.grants import AGREED, granted
from service.errors import Forbidden, NotThere, Refused
from service.logs.formats import DOWNLOAD_FORMATS
from service.pages.requests import (
    AgreedChange,
    RefusingRoute,
    file_answer,
    file_of,
    file_or_none,
    json_once,
)
from service.pages.settings import Served, ServedTable
from service.records import evening_of
from service.report.hands import GameShown, games_json
from service.report.player_standings import FinishedGame, Standings, by_rules, results_of
from service.report.public import (
    Announced,
    PublicTable,
    names_of,
    public_announcements,
    public_table,
    worded,
)
from service.report.story import GameStory, StoryEvent, happened_in, last_state_of
from service.table.corrections import at as event_at
from service.table.gallery import Gallery
from service.texts.events import Told, event_json

api = APIRouter(route_class=RefusingRoute)


class HandsPlayed(TypedDict):
    lines: int
    games: list[GameShown]


class ReplayStep(TypedDict):
    number: int
    t: float | None
    event: str
    hand: int | None
    told: Told


class ReplaySteps(TypedDict):
    lines: int
    steps: list[ReplayStep]


class TableAt(TypedDict):
    """The table after one event."""

    number: int
    t: float | None
    table: PublicTable
    said: list[Announced]
    picture: int | None


@api.get("/hands", response_model=HandsPlayed)
async def hands(served: Served) -> Response:
    """Return every hand: winners, payouts line by line, points, the next dealer."""
    table, stories = served.table, served.stories
    game = table.game.with_lines()
    lines = len(game.entries)
    return await json_once(
        served.made,
        "hands",
        lines,
        lambda: {"lines": lines, "games": games_json(stories.games(game), table.lang)},
    )


@api.get("/standings", response_model=Standings)
async def places(served: Served) -> Response:
    """Return people's results in the finished games of this record's folder.

    ``people``: results by the current rules on all evenings. ``payments``: who pays whom how many
    points to settle tonight. ``by_rules``: both for each rule set, with tonight's results apart.
    """
    table, game = served.table, served.table.game.with_lines()
    rules = game.state.rules or table.rules

    def finished() -> tuple[date, tuple[FinishedGame, ...]]:
        tonight = evening_of((served.settings.records or Path()) / table.record_name)
        own = results_of(served.stories.games(game), tonight)
        return tonight, (*own, *(() if served.others is None else served.others.results()))

    # Other records may have changed, too: who pays whom is worked out only if a result has.
    tonight, games = await served.made.once("finished games", object(), finished)
    return await json_once(
        served.made, "standings", (rules, tonight, games), lambda: by_rules(games, rules, tonight)
    )


@api.get("/replay", response_model=ReplaySteps)
async def steps(served: Served) -> Response:
    """Return all events in force, to step through."""
    game = served.table.game.with_lines()
    lines = len(game.entries)
    return await json_once(
        served.made,
        "replay",
        lines,
        lambda: {"lines": lines, "steps": _steps(game, served.stories.games(game))},
    )


@api.get("/replay/{step}")
async def at(served: Served, step: int) -> TableAt:
    """Return the table after one event, with its picture."""
    game = served.table.game.with_lines()

    def shown() -> TableAt:
        events = happened_in(served.stories.games(game))
        if not 0 <= step < len(events):
            raise NotThere(f"the record has {len(events)} steps, counted from 0")
        return _step(events[step], served)

    return await asyncio.to_thread(shown)


@api.get(
    "/download/{form}",
    **file_answer(*sorted({form.media_type for form in DOWNLOAD_FORMATS.values()})),
)
async def download(served: Served, form: str) -> Response:
    """Return the record or a file made of it; whoever runs the table gets those with hidden
    hands."""
    kind = DOWNLOAD_FORMATS.get(form)
    if kind is None:
        known = ", ".join(DOWNLOAD_FORMATS)
        raise NotThere(f"there is no {form}; ask for one of {known}")
    table, entries = served.table, tuple(served.table.game.entries)
    text = await served.made.once(
        ("download", form), len(entries), lambda: kind.write(entries).encode()
    )
    name = PurePath(table.record_name or "game").stem + kind.suffix
    return file_of(name, text, kind.media_type)


def _steps(game: Game, games: tuple[GameStory, ...]) -> list[ReplayStep]:
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
                "told": event_json(shown, names_of(state), state.rules),
            }
        )
    return found


def _step(event: StoryEvent, served: ServedTable) -> TableAt:
    announcements = [
        announcement
        for announcement in public_announcements(event.said)
        if not isinstance(announcement, Turn)
    ]
    state = event.state
    return {
        "number": event.number,
        "t": event.entry.t,
        "table": public_table(state, names_of(state)),
        "said": worded(announcements, served.table.lang, state.names, rules=state.rules),
        "picture": _picture(served.gallery, event),
    }


def _picture(gallery: Gallery | None, event: StoryEvent) -> int | None:
    """The number of the picture of that moment, if there is one."""
    if gallery is None or event.entry.t is None:
        return None
    shot = gallery.at(event.entry.t)
    return None if shot is None else shot.number


WEBP: Final = "image/webp"


class Agreement(TypedDict):
    clips: bool
    """Whether clips are kept."""
    may_agree: bool
    """Whether this key may say so for all."""
    spectators: bool
    link: str | None
    """The game for spectators; None where they are not allowed or cannot reach it."""


@api.get(AGREED.removeprefix("/api"))
def agreement(request: Request, served: Served) -> Agreement:
    """Return what everybody at the table agreed to."""
    settings, agreed = served.settings, served.settings.agreed
    reached = agreed.spectators and settings.needs_key and settings.served_to_network
    link = f"{settings.address(request).rstrip('/')}/game#{settings.keys.viewer}"
    grant = granted(request)
    return {
        "clips": agreed.to_clips(names_of(served.table.game.state)),
        "may_agree": grant is not None and grant.corrects,
        "spectators": agreed.spectators,
        "link": link if reached else None,
    }


@api.post(AGREED.removeprefix("/api"))
async def agree(request: Request, served: Served, asked: AgreedChange) -> Agreement:
    """Say that everybody agrees to ``clips``, or that ``spectators`` may watch.

    Any seat may send ``{"clips": false}``: its clips are deleted.
    """
    grant = granted(request)
    if asked.clips and (grant is None or not grant.corrects):
        raise Forbidden("ask everybody at the table, and let whoever runs it say so")
    if asked.spectators is not None and (grant is None or not grant.runs_table):
        raise Forbidden("only whoever runs the table may let others watch")
    names = names_of(served.table.game.state)
    agreed = served.settings.agreed
    await asyncio.to_thread(agreed.change, names, asked.clips, asked.spectators)
    return agreement(request, served)


@api.get("/events/{number}/clip", **file_answer(WEBP, may_be_none=True))
async def clip(served: Served, number: int, place: int = 0) -> Response:
    """Return the moment of an event as an animated WebP; 204 where no picture was kept.

    It is made once everybody at the table has agreed, and kept beside the record.
    """
    table, agreed, dispute = served.table, served.settings.agreed, served.dispute
    _, old = event_at(table.game.entries, number, place)
    if not agreed.to_clips(names_of(table.game.state)):
        raise Refused("clips are made once everybody at the table has agreed")
    if dispute is None:
        return file_or_none(None, WEBP)
    name = f"{number}-{place}-{round(100 * (old.entry.t or 0.0))}.webp"
    data = await asyncio.to_thread(agreed.clip, name, lambda: dispute.animated(old.entry))
    return file_or_none(data, WEBP)
