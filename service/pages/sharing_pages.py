"""What may be sent from a table: clips of its moments, and a link for spectators."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Request, Response
from typing_extensions import TypedDict

from service.access.grants import AGREED, granted
from service.errors import Forbidden, Refused
from service.pages.requests import AgreedChange, RefusingRoute, file_answer, file_or_none
from service.pages.settings import Served
from service.report.public import names_of
from service.table.corrections import at

WEBP: Final = "image/webp"
api = APIRouter(route_class=RefusingRoute)


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
    _, old = at(table.game.entries, number, place)
    if not agreed.to_clips(names_of(table.game.state)):
        raise Refused("clips are made once everybody at the table has agreed")
    if dispute is None:
        return file_or_none(None, WEBP)
    name = f"{number}-{place}-{round(100 * (old.entry.t or 0.0))}.webp"
    data = await asyncio.to_thread(agreed.clip, name, lambda: dispute.animated(old.entry))
    return file_or_none(data, WEBP)
