"""The drill pages: a seat's decisions for its own key, those of any seat for the control key."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import FastAPI, Request, Response

from engine.events import Seat
from engine.tiles import NotATile, Tile
from service.access.gate import bearer
from service.access.grants import Grant, granted
from service.drill import (
    PASS,
    Decision,
    Mistake,
    asked,
    decisions,
    judged,
    mistake_json,
    mistakes,
)
from service.errors import Forbidden, Malformed, NotThere
from service.report.public import Json
from service.report.story import StoryCache
from service.static_pages import html_page
from service.table.live_table import LiveTable

SEATS: Final = range(4)


def add_drill_pages(app: FastAPI, table: LiveTable, stories: StoryCache) -> None:
    """They tell nothing that a seat has not decided yet."""

    last: tuple[object, list[Mistake]] = (None, [])

    async def made(seat: Seat) -> list[Decision]:
        game = table.game.with_lines()
        return await asyncio.to_thread(lambda: decisions(stories.games(game), seat))

    @app.get("/drill", include_in_schema=False)
    def page() -> Response:
        return html_page("drill.html")

    @app.get("/api/drill")
    async def listed(request: Request, seat: int | None = None) -> Json:
        """List the decisions of a seat whose hand is known."""
        own, grant = _seat_shown(request, seat)
        return {
            "seat": own,
            "any": grant.runs_table,
            "names": table.table()["names"],
            "decisions": [
                {"step": each.step, "hand": each.before.hand_number} for each in await made(own)
            ],
        }

    @app.get("/api/drill/mistakes")
    async def ranked(request: Request, seat: int | None = None) -> Json:
        """The choices of a seat that fell short of the best, the dearest first."""
        nonlocal last
        own, _ = _seat_shown(request, seat)
        game = table.game.with_lines()
        games = await asyncio.to_thread(stories.games, game)
        asked_for = (own, tuple(game.entries))
        if last[0] != asked_for:  # the record has changed, or another seat asks
            last = (asked_for, await asyncio.to_thread(mistakes, games, own))
        return {"seat": own, "mistakes": [mistake_json(one) for one in last[1]]}

    @app.get("/api/drill/{step}")
    async def decision(
        request: Request,
        step: int,
        seat: int | None = None,
        tile: str | None = None,
        offer: str | None = None,
    ) -> Json:
        """Return what the seat knew; with ``tile``, also judge that discard.

        ``offer``: of a claim, a win, or letting the discard pass instead.
        """
        own, _ = _seat_shown(request, seat)
        chosen = next((each for each in await made(own) if each.step == step), None)
        if chosen is None:
            raise NotThere(f"at step {step} this seat decided nothing; choose one that is listed")
        if tile is None and offer is None:
            return asked(chosen, own)
        played = _held(tile, chosen, own) if tile is not None else _offered(offer, chosen)
        return await asyncio.to_thread(judged, chosen, own, played, table.lang)


def _seat_shown(request: Request, wanted: int | None) -> tuple[Seat, Grant]:
    """The seat that was asked for, or else the sender's own; raises ``Forbidden``."""
    # A cookie is not enough: other players may look at the same screen.
    grant = granted(request) if bearer(request) else None
    seat = wanted if wanted is not None else (grant and grant.seat) or 0
    if grant is None or not grant.shows_hand(seat):
        raise Forbidden("open this page from a seat's page, or from the control page")
    if seat not in SEATS:
        raise Malformed("expected a seat from 0 to 3")
    return seat, grant


def _held(code: str, decision: Decision, seat: Seat) -> str:
    try:
        tile = Tile(code)
    except NotATile as error:
        raise Malformed(str(error)) from None
    if not decision.own_turn or tile not in decision.before.players[seat].hand:
        raise NotThere(f"{code} cannot be discarded here")
    return str(tile)


def _offered(name: str | None, decision: Decision) -> str:
    offers = [*decision.offers(), *([] if decision.own_turn else [PASS])]
    if name not in offers:
        raise NotThere(f"there is no choice {name!r}; choose one that is offered")
    return name
