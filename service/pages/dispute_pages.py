"""Pictures of events, for whoever doubts what was recorded."""

from __future__ import annotations

import asyncio

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from service.errors import Refused
from service.pages.checks import answered, body_of, refuse_foreign, whole_number
from service.pages.correction_pages import MOST_LINES
from service.report.public import Json
from service.table.corrections import at
from service.table.dispute import Dispute
from service.table.live_table import Table


def add_dispute_pages(app: FastAPI, table: Table, dispute: Dispute | None) -> None:
    """Who sees the live picture may see these; who puts the record right reads them again."""

    @app.get("/api/events/{number}/pictures")
    async def clip(number: int, place: int = 0) -> JSONResponse:
        """The pictures of a few seconds around an event."""

        async def shots() -> Json:
            _, old = at(table.game.entries, number, place)
            found = dispute.clip(old.entry) if dispute is not None else ()
            return {
                "t": old.entry.t,
                "pictures": [{"number": shot.number, "t": shot.time_s} for shot in found],
            }

        return await answered(shots())

    @app.get("/api/pictures/{number}")
    async def picture(number: int) -> Response:
        """One picture of the table, as a JPEG file."""
        data = None
        if dispute is not None:
            data = await asyncio.to_thread(dispute.gallery.picture, number)
        if data is None:
            raise HTTPException(404, f"there is no picture {number}")
        return Response(data, media_type="image/jpeg")

    @app.post("/api/reread")
    async def reread(request: Request) -> JSONResponse:
        """``{"of": N, "place": 0}``: what the detector sees when it looks again."""

        async def read() -> Json:
            refuse_foreign(request)
            asked = await body_of(request)
            number = whole_number(asked, "of", MOST_LINES)
            _, old = at(table.game.entries, number, whole_number(asked, "place", MOST_LINES, 0))
            if dispute is None:
                raise Refused("no pictures of this table are kept")
            return await asyncio.to_thread(dispute.reread, old.entry)

        return await answered(read())
