"""What may be sent from a table: clips of its moments, and a link for spectators."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import FastAPI, Request, Response

from service.access.grants import AGREED, granted, require_admin
from service.errors import Forbidden, Refused
from service.pages.api_bodies import AgreedChange
from service.pages.settings import PageSettings
from service.report.public import Json, names_of
from service.table.corrections import at
from service.table.live_table import LiveTable

WEBP: Final = "image/webp"


def add_sharing_pages(app: FastAPI, table: LiveTable, settings: PageSettings) -> None:
    agreed, dispute = settings.agreed, settings.dispute

    @app.get(AGREED)
    def agreement(request: Request) -> Json:
        """Return what everybody at the table agreed to.

        ``clips``: whether clips are kept; ``may_agree``: whether this key may say so for all.
        ``link``: the game for spectators; null where they are not allowed or cannot reach it.
        """
        reached = agreed.spectators and settings.needs_key and settings.served_to_network
        link = f"{settings.address(request).rstrip('/')}/game#{settings.keys.viewer}"
        grant = granted(request)
        return {
            "clips": agreed.to_clips(names_of(table.game.state)),
            "may_agree": grant is not None and grant.corrects,
            "spectators": agreed.spectators,
            "link": link if reached else None,
        }

    @app.post(AGREED)
    async def agree(request: Request, asked: AgreedChange) -> Json:
        """``{"clips": true}`` when everybody agrees; ``{"spectators": true}`` lets others watch.

        Any seat may send ``{"clips": false}``: its clips are deleted.
        """
        grant = granted(request)
        if asked.clips and (grant is None or not grant.corrects):
            raise Forbidden("ask everybody at the table, and let whoever runs it say so")
        if asked.spectators is not None:
            require_admin(request, "only whoever runs the table may let others watch")
        names = names_of(table.game.state)
        await asyncio.to_thread(agreed.change, names, asked.clips, asked.spectators)
        return agreement(request)

    @app.get("/api/events/{number}/clip")
    async def clip(number: int, place: int = 0) -> Response:
        """Return the moment of an event as an animated WebP; 204 where no picture was kept.

        It is made once everybody at the table has agreed, and kept beside the record.
        """
        _, old = at(table.game.entries, number, place)
        if not agreed.to_clips(names_of(table.game.state)):
            raise Refused("clips are made once everybody at the table has agreed")
        if dispute is None:
            return Response(status_code=204)
        name = f"{number}-{place}-{round(100 * (old.entry.t or 0.0))}.webp"
        data = await asyncio.to_thread(agreed.clip, name, lambda: dispute.animated(old.entry))
        return Response(status_code=204) if data is None else Response(data, media_type=WEBP)
