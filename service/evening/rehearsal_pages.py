"""The rehearsal on the page of its table: what to do now, and what came out."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter

from engine.errors import Refused
from service.pages.bodies import RehearsalWish
from service.pages.requests import RefusingRoute
from service.pages.settings import Served
from service.table.rehearsed_table import RehearsalView
from service.web.language import Language

ADDRESS: Final = "/rehearsal"

api = APIRouter(route_class=RefusingRoute)


@api.get(ADDRESS)
async def shown(served: Served, lang: Language) -> RehearsalView | None:
    """Where the rehearsal is; null at a table where a game is played."""
    rehearsed = served.table.rehearsed
    return None if rehearsed is None else await asyncio.to_thread(rehearsed.view, lang)


@api.post(ADDRESS)
async def go_on(served: Served, wish: RehearsalWish, lang: Language) -> RehearsalView:
    """``{"done": 2}``: what card 2 says is done; 0: the set is laid out. Nothing changes where
    another card is shown by now. ``{"stop": true}``: end it half way."""
    rehearsed = served.table.rehearsed
    if rehearsed is None:
        raise Refused("nothing is rehearsed at this table; a rehearsal begins on the set-up page")
    if wish.stop:
        await asyncio.to_thread(rehearsed.stop)
    elif wish.done is not None:
        await asyncio.to_thread(rehearsed.go_on, wish.done)
    return await asyncio.to_thread(rehearsed.view, lang)
