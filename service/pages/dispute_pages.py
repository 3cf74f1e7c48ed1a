"""Pictures of events, for whoever doubts the record."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import FastAPI, Request, Response

from engine.rules import RULE_SETS
from service.access.grants import granted
from service.errors import Forbidden, NotThere, Refused
from service.pages.api_bodies import OneEvent
from service.report.public import Json
from service.report.rulings import ruled_by
from service.table.corrections import at
from service.table.dispute import Dispute
from service.table.live_table import LiveTable

JPEG: Final = "image/jpeg"


def add_dispute_pages(app: FastAPI, table: LiveTable, dispute: Dispute | None) -> None:
    """Watchers may see these pictures; whoever may correct the record has them read again."""

    @app.get("/api/events/{number}/pictures")
    async def clip(number: int, place: int = 0) -> Json:
        """Return the pictures of a few seconds around an event, and who has ruled on it."""
        _, old = at(table.game.entries, number, place)
        found = dispute.clip(old.entry) if dispute is not None else ()
        pictures = [{"number": one.number, "t": one.time_s} for one in found]
        by = ruled_by(table.game.entries, number)
        return {"t": old.entry.t, "pictures": pictures, "ruled_by": by}

    @app.get("/api/events/{number}/crop")
    async def crop(request: Request, number: int, place: int = 0) -> Response:
        """Return the tiles of an event, enlarged and ringed, as a JPEG file; 204 where none is
        seen. It is read anew, so it is for whoever may correct the record."""
        grant = granted(request)
        if grant is None or not grant.corrects:
            raise Forbidden("this key is for watching; ask for the pictures of the event")
        _, old = at(table.game.entries, number, place)
        data = None if dispute is None else await asyncio.to_thread(dispute.crop, old.entry)
        return Response(status_code=204) if data is None else Response(data, media_type=JPEG)

    @app.get("/api/pictures/{number}")
    async def picture(number: int) -> Response:
        """Return one picture of the table as a JPEG file."""
        data = None
        if dispute is not None:
            data = await asyncio.to_thread(dispute.gallery.picture, number)
        if data is None:
            raise NotThere(f"there is no picture {number}")
        return Response(data, media_type=JPEG)

    @app.post("/api/reread")
    async def reread(asked: OneEvent) -> Json:
        """``{"of": N, "place": 0}``: what the detector sees when it looks again."""
        _, old = at(table.game.entries, asked.of, asked.place)
        if dispute is None:
            raise Refused("no pictures of this table are kept")
        game = table.game
        plain = RULE_SETS[table.rules].wall
        faces = plain if game.rules is None else game.rules.tiles(game.state.options)
        return await asyncio.to_thread(dispute.reread, old.entry, faces)
