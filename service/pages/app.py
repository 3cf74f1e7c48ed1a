"""The web application of one table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Final

from fastapi import FastAPI, Response, WebSocket

from service.access.connection_limit import SocketLimit
from service.access.gate import Gate, add_enter
from service.access.grants import granted
from service.access.host_check import HostCheck
from service.background import Background
from service.pages.api_v1 import add_version
from service.pages.correction_pages import (
    add_correction_pages,
    add_dispute_pages,
    add_question_pages,
)
from service.pages.drill_pages import add_drill_pages
from service.pages.game_pages import add_game_pages
from service.pages.key_renewal import add_key_renewal
from service.pages.network_door import add_network
from service.pages.request_log import (
    RequestLog,
    ServerMetrics,
    TableMetrics,
    add_metrics,
    event_log,
)
from service.pages.requests import TOO_SLOW, accepted, until_gone, use_refusals
from service.pages.seat_pages import add_seat_pages
from service.pages.settings import PageSettings
from service.pages.sharing_pages import add_sharing_pages
from service.pages.stream_pages import add_stream_pages
from service.report.pages import sprite
from service.report.public import Json, PublicTable
from service.report.story import StoryCache
from service.static_pages import PageFiles, add_headers, html_of
from service.table.live_table import LiveTable
from service.table.page_messages import Subscriber

PICTURE_WAIT_S: Final = 0.04


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
        async with background.running([job(table) for job in jobs]):
            yield
            table.leave()
            watching.cancel()  # first: the jobs then end with its last lines
            with contextlib.suppress(asyncio.CancelledError):
                await watching

    app = FastAPI(title="tilesight", lifespan=lifespan, docs_url=None, redoc_url=None)
    keys = settings.keys
    app.add_middleware(SocketLimit, keys=keys)
    app.add_middleware(Gate, keys=keys, without_key=settings.without_key)
    app.add_middleware(HostCheck, hosts=settings.hosts)
    add_headers(app)
    metrics = ServerMetrics(TableMetrics(table))
    app.add_middleware(RequestLog, metrics=metrics, log=settings.log)  # the last stands outside
    add_metrics(app, metrics)
    use_refusals(app)
    _routes(app, table, settings.can_set_up, background)
    add_enter(app, keys)
    add_key_renewal(app, keys)
    add_network(app, settings.network)
    add_correction_pages(app, table)
    add_seat_pages(app, table, settings)
    stories = StoryCache()
    gallery = None if settings.dispute is None else settings.dispute.gallery
    add_game_pages(app, table, stories, gallery, settings.records)
    add_drill_pages(app, table, stories)
    add_stream_pages(app, table, settings)
    add_dispute_pages(app, table, settings.dispute)
    add_sharing_pages(app, table, settings)
    add_question_pages(app, table, gallery)
    add_version(app)
    app.mount("/static", PageFiles(), name="static")
    return app


def _routes(app: FastAPI, table: LiveTable, can_set_up: bool, background: Background) -> None:
    @app.get("/", include_in_schema=False)
    def index() -> Response:
        html = html_of("index.html")
        if can_set_up:
            html = html.replace("<body", '<body class="can-set-up"')
        return Response(html, media_type="text/html")

    @app.get("/tiles.svg", include_in_schema=False)
    def tiles() -> Response:
        return Response(sprite(), media_type="image/svg+xml")

    @app.get("/health")
    def health() -> Json:
        """Report whether the table is watched, how far it is, and what fails in the background."""
        return {
            "status": "failed" if table.problem else "ended" if table.ended else "watching",
            "source": table.name,
            "problem": table.problem,
            "time_s": table.reader.time_s,
            "events": len(table.game.entries),
            "background": background.told(),
        }

    @app.get("/api/table")
    def state() -> PublicTable:
        """Return the table as everybody may see it."""
        return table.table()

    @app.websocket("/ws")
    async def messages(socket: WebSocket) -> None:
        if not await accepted(socket):
            return
        with table.subscribed() as subscriber:
            # Nothing awaits here, so each event is either in the snapshot or in the queue.
            grant = granted(socket)
            may_correct = grant is not None and grant.corrects
            snapshot = table.snapshot() | {"may_mend": may_correct}
            await until_gone(socket, _send_messages(socket, snapshot, subscriber))

    # A thread keeps the memory of a drawn picture, so one thread draws for all pages.
    drawing = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    @app.websocket("/ws/picture")
    async def pictures(socket: WebSocket) -> None:
        if await accepted(socket):
            asked = asyncio.Event()
            await until_gone(
                socket, _send_pictures(socket, table, asked, drawing), lambda _: asked.set()
            )


async def _send_messages(socket: WebSocket, snapshot: Json, subscriber: Subscriber) -> None:
    await socket.send_json(snapshot)
    while not subscriber.too_slow.is_set():
        await socket.send_json(await subscriber.messages.get())
    await socket.close(TOO_SLOW, "too slow")


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
        drawn = asyncio.get_running_loop().run_in_executor(drawing, table.reader.picture)
        await socket.send_bytes(await drawn)
