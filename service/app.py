"""The web application of one table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Annotated, Final, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Security, WebSocket
from typing_extensions import TypedDict

from service.evening import game_pages
from service.pages import correction_pages
from service.pages.network_door import add_key_renewal, add_network
from service.pages.request_log import TableMetrics, add_addresses, event_log, guarded_app
from service.pages.requests import (
    KEY,
    REFUSALS,
    TOO_SLOW,
    RefusingRoute,
    accepted,
    relay,
    until_gone,
)
from service.pages.settings import PageSettings, ServedTable, TheTable
from service.report.public import PublicTable
from service.seat import drill_pages, private_pages
from service.seat.lessons import game_of, lesson_of
from service.table.live_table import LiveTable
from service.table.view import REMEMBERED
from service.web.background import Background, JobFailing
from service.web.gate import add_enter
from service.web.grants import Grant, Role, granted
from service.web.language import Language
from service.web.rights import PAGES, VERSION, Serves
from service.web.static_pages import add_pages

Listed = Annotated[int, Query(ge=1, le=REMEMBERED)]
PICTURE_WAIT_S: Final = 0.04


class Health(TypedDict):
    status: Literal["watching", "ended", "failed"]
    source: str
    problem: str | None
    """Why nothing more is told."""
    trouble: str | None
    """What is wrong now; a problem, too."""
    time_s: float | None
    events: int
    background: list[JobFailing]


health_page, api, sockets = APIRouter(), APIRouter(route_class=RefusingRoute), APIRouter()


@health_page.get("/health")
def health(request: Request, table: TheTable) -> Health:
    """Report whether the table is watched, how far it is, and what fails in the background."""
    background: Background = request.app.state.background
    return {
        "status": "failed" if table.problem else "ended" if table.ended else "watching",
        "source": table.settings.name,
        "problem": table.problem,
        "trouble": table.trouble,
        "time_s": table.reader.time_s,
        "events": len(table.game.entries),
        "background": background.told(),
    }


@api.get("/table")
def state(table: TheTable) -> PublicTable:
    """Return the table as everybody may see it."""
    return table.table()


for _pages in (correction_pages, game_pages, drill_pages, private_pages):
    api.include_router(_pages.api)


@sockets.websocket(f"{VERSION}/listen")
@sockets.websocket("/ws")
async def messages(
    socket: WebSocket, table: TheTable, lang: Language, last: Listed = REMEMBERED
) -> None:
    """The table, whole again at each change, with what is announced anew: once and in order.

    ``last`` says how many of the last events and announcements are listed.
    """
    if not await accepted(socket):
        return
    grant = granted(socket) or Grant(Role.PUBLIC)
    with table.subscribed(lang) as subscriber:
        # In the step in which it subscribes: what is told from here on is in the queue.
        await until_gone(socket, relay(socket, table.moment, subscriber, grant, most=last))


@sockets.websocket("/ws/picture")
async def pictures(socket: WebSocket, table: TheTable) -> None:
    """One picture each time the page asks."""
    if await accepted(socket):
        asked = asyncio.Event()
        drawing: Executor = socket.app.state.drawing
        await until_gone(
            socket, _send_pictures(socket, table, asked, drawing), lambda _: asked.set()
        )


addresses = APIRouter()
addresses.include_router(health_page)
addresses.include_router(api, prefix="/api", include_in_schema=False)
addresses.include_router(api, prefix=VERSION, responses=REFUSALS, dependencies=[Security(KEY)])
for _sockets in (sockets, private_pages.sockets):
    addresses.include_router(_sockets)


def create_app(table: LiveTable, settings: PageSettings | None = None) -> FastAPI:
    """The web application of one table; the table runs as long as the application does."""
    settings = settings or PageSettings()
    jobs = list(settings.jobs)
    if settings.log is not None:
        jobs.append(partial(event_log, log=settings.log))
    background = Background(settings.say)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(table.run())
        # The first hint reads tables; making the lesson reads all that hints of this game need.
        warming = asyncio.create_task(
            asyncio.to_thread(lesson_of, game_of(table.settings.rules), table.lang)
        )
        async with background.running([job(table) for job in jobs]):
            yield
            table.leave()
            warming.cancel()
            watching.cancel()  # first: the jobs then end with its last lines
            with contextlib.suppress(asyncio.CancelledError):
                await watching
            await table.reader.left()

    keys, numbers = settings.keys, TableMetrics(table)
    if keys.kept_at is None:  # they are this table's alone
        keys.people = table.names
    table.on_names = keys.seated
    keys.on_ended.append(table.players_left)
    entrance = keys.entrance(settings.without_key)
    app = guarded_app(
        "tilesight", entrance, settings.hosts, settings.log, numbers, keys, lifespan=lifespan
    )
    add_enter(app, entrance)
    add_key_renewal(app, keys)
    add_network(app, settings.network)
    app.state.served, app.state.table = ServedTable(table, settings), table
    app.state.background, app.state.lang = background, table.lang
    # A thread keeps the memory of a drawn picture, so one thread draws for all pages.
    app.state.drawing = ThreadPoolExecutor(1, thread_name_prefix="pictures")
    add_addresses(app, addresses)
    add_pages(app, PAGES[Serves.TABLE], "can-set-up" if settings.can_set_up else "")
    return app


async def _send_pictures(
    socket: WebSocket, table: LiveTable, asked: asyncio.Event, drawing: Executor
) -> None:
    """Send one picture each time the page asks: a slow page gets fewer, never old ones."""
    shown = -1
    while True:
        await asked.wait()
        asked.clear()
        while table.reader.newest == shown and not table.gone:
            await asyncio.sleep(PICTURE_WAIT_S)
        if table.gone:
            await socket.close(TOO_SLOW, "the table is closed")
            return
        shown = table.reader.newest
        drawn = asyncio.get_running_loop().run_in_executor(drawing, table.pictures.drawn)
        await socket.send_bytes(await drawn)
