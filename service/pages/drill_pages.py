"""The drill: a seat's own decisions, for its own key; for the control key, those of any seat."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import FastAPI, Header, Response
from fastapi.responses import JSONResponse

from engine.events import Seat
from engine.tiles import NotATile, Tile
from service.access.seat_keys import SeatKeys
from service.drill import PASS, Decision, asked, decisions, judged
from service.errors import Forbidden, Malformed
from service.pages.checks import answered
from service.pages.static_pages import html_page
from service.report.public import Json
from service.report.retold import Retold
from service.table.corrections import NotThere
from service.table.live_table import Table

SEATS: Final = range(4)


def add_drill_pages(app: FastAPI, table: Table, keys: SeatKeys, retold: Retold) -> None:
    """Nothing here tells what a seat has not decided yet: only discards that lie on the table."""

    def seat_for(authorization: str, wanted: int | None) -> Seat:
        key = authorization.removeprefix("Bearer ")
        own = keys.seat_of(key)
        if own is not None and wanted in (None, own):
            return own
        if not keys.opens_control(key):
            raise Forbidden("open this page from a seat's page, or from the control page")
        seat = wanted or 0
        if seat not in SEATS:
            raise Malformed("expected a seat from 0 to 3")
        return seat

    async def made(seat: Seat) -> list[Decision]:
        games = await asyncio.to_thread(retold.games, table.game.with_lines())
        return await asyncio.to_thread(decisions, games, seat)

    async def one(step: int, seat: Seat) -> Decision:
        found = [each for each in await made(seat) if each.step == step]
        if not found:
            raise NotThere(f"at step {step} this seat decided nothing; choose one that is listed")
        return found[0]

    @app.get("/drill", include_in_schema=False)
    def page() -> Response:
        return html_page("drill.html")

    @app.get("/api/drill")
    async def listed(
        seat: int | None = None, authorization: Annotated[str, Header()] = ""
    ) -> JSONResponse:
        """The decisions of a seat whose hand was known."""

        async def told() -> Json:
            own = seat_for(authorization, seat)
            return {
                "seat": own,
                "any": keys.opens_control(authorization.removeprefix("Bearer ")),
                "names": table.table()["names"],
                "decisions": [
                    {"step": each.step, "hand": each.before.hand_number} for each in await made(own)
                ],
            }

        return await answered(told())

    @app.get("/api/drill/{step}")
    async def decision(
        step: int,
        seat: int | None = None,
        tile: str | None = None,
        offer: str | None = None,
        authorization: Annotated[str, Header()] = "",
    ) -> JSONResponse:
        """What the seat knew then; with a ``tile``, what is said of discarding it.

        ``offer``: of a claim, a win, or letting the discard pass instead.
        """

        async def told() -> Json:
            own = seat_for(authorization, seat)
            chosen = await one(step, own)
            if tile is None and offer is None:
                return asked(chosen, own)
            made = _held(tile, chosen, own) if tile is not None else _offered(offer, chosen)
            return await asyncio.to_thread(judged, chosen, own, made, table.lang)

        return await answered(told())


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
