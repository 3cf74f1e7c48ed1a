"""The page of the game so far: hands and payouts, replay, charts, and downloads."""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePath
from urllib.parse import quote

from fastapi import FastAPI, Request, Response

from engine.announce import Turn
from engine.game import Game
from engine.visibility import events_seen
from service.access.grants import require_admin
from service.errors import NotThere
from service.pages.downloads import DOWNLOAD_FORMATS
from service.records import evening_of
from service.report.hands import games_json
from service.report.player_standings import Folder, by_rules, results_of
from service.report.public import Json, names_of, public_announcements, public_table, worded
from service.report.story import GameStory, StoryCache, StoryEvent, happened_in, last_state_of
from service.static_pages import html_page
from service.table.gallery import Gallery
from service.table.live_table import LiveTable
from service.words.events import event_json


def add_game_pages(
    app: FastAPI,
    table: LiveTable,
    stories: StoryCache,
    gallery: Gallery | None,
    folder: Path | None,
) -> None:
    """Add the public view of the whole record, and its downloads."""

    @app.get("/game", include_in_schema=False)
    def page() -> Response:
        return html_page("game.html")

    @app.get("/api/hands")
    async def hands() -> Json:
        """Return every hand: winners, payouts line by line, points, the next dealer."""
        game = table.game.with_lines()
        told = await asyncio.to_thread(lambda: games_json(stories.games(game), table.lang))
        return {"lines": len(game.entries), "games": told}

    others = None if folder is None else Folder(folder, table.record_name)

    @app.get("/api/standings")
    async def places() -> Json:
        """Return people's results in the finished games of this record's folder.

        ``people`` by these rules on all evenings, ``payments`` to settle tonight: who pays whom
        how many points. ``by_rules`` has both for each rule set, and ``tonight`` alone.
        """
        game = table.game.with_lines()

        def told() -> Json:
            tonight = evening_of((folder or Path()) / table.record_name)
            own = results_of(stories.games(game), tonight)
            games = [*own, *(() if others is None else others.results())]
            return by_rules(games, game.state.rules or table.rules, tonight)

        return await asyncio.to_thread(told)

    @app.get("/api/replay")
    async def steps() -> Json:
        """Return all events in force, to step through."""
        game = table.game.with_lines()
        steps = await asyncio.to_thread(lambda: _steps(game, stories.games(game)))
        return {"lines": len(game.entries), "steps": steps}

    @app.get("/api/replay/{step}")
    async def at(step: int) -> Json:
        """Return the table after one event, with its picture."""
        game = table.game.with_lines()

        def shown() -> Json:
            events = happened_in(stories.games(game))
            if not 0 <= step < len(events):
                raise NotThere(f"the record has {len(events)} steps, counted from 0")
            return _step(events[step], table.lang) | {"picture": _picture(gallery, events[step])}

        return await asyncio.to_thread(shown)

    @app.get("/api/download/{form}")
    async def download(request: Request, form: str) -> Response:
        """Return the record or a file made of it; whoever runs the table gets those with hidden
        hands."""
        kind = DOWNLOAD_FORMATS.get(form)
        if kind is None:
            known = ", ".join(DOWNLOAD_FORMATS)
            raise NotThere(f"there is no {form}; ask for one of {known}")
        if kind.holds_hands:
            refusal = "this file shows hidden hands; download it from the control page"
            require_admin(request, refusal)
        text = await asyncio.to_thread(kind.write, table.game.entries)
        name = quote(PurePath(table.record_name or "game").stem + kind.suffix)
        disposition = f"attachment; filename*=UTF-8''{name}"
        return Response(
            text, media_type=kind.media_type, headers={"Content-Disposition": disposition}
        )


def _steps(game: Game, games: tuple[GameStory, ...]) -> list[Json]:
    hands = last_state_of(games)
    found: list[Json] = []
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


def _step(event: StoryEvent, lang: str) -> Json:
    said = [one for one in public_announcements(event.said) if not isinstance(one, Turn)]
    return {
        "number": event.number,
        "t": event.entry.t,
        "table": public_table(event.state, names_of(event.state)),
        "said": worded(said, lang, event.state.names, rules=event.state.rules),
    }


def _picture(gallery: Gallery | None, event: StoryEvent) -> int | None:
    """The number of the picture of that moment, if there is one."""
    if gallery is None or event.entry.t is None:
        return None
    shot = gallery.at(event.entry.t)
    return None if shot is None else shot.number
