"""The live page: one table, its picture, and what the engine says about it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Response, WebSocket
from fastapi.staticfiles import StaticFiles

from service.access.gate import Gate, add_enter
from service.access.grants import Role, may_mend
from service.access.host_check import KnownHost
from service.access.key_renewal import Renewed, add_renewing
from service.access.seat_keys import SeatKeys
from service.access.socket_limit import Crowd
from service.pages.api_v1 import add_version
from service.pages.checks import answer_unreadable
from service.pages.correction_pages import add_mend_pages
from service.pages.dispute_pages import add_dispute_pages
from service.pages.drill_pages import add_drill_pages
from service.pages.event_log import tell_events
from service.pages.game_pages import add_game_pages
from service.pages.headers import add_headers
from service.pages.metrics import Measured, TableNumbers, add_metrics
from service.pages.question_pages import add_asking_pages
from service.pages.request_log import RequestLog, Tell
from service.pages.seat_pages import add_seat_pages
from service.pages.sockets import TOO_SLOW, accepted, until_gone
from service.pages.static_pages import html_of
from service.pages.stream_pages import add_stream_pages
from service.report.public import Json
from service.report.retold import Retold
from service.report.tile_art import sprite
from service.table.dispute import Dispute
from service.table.live_table import Table
from service.table.subscriber import Subscriber

STATIC: Final = files("service") / "static"
PICTURE_WAIT_S: Final = 0.04
LOCAL_HOSTS: Final = ("localhost", "127.0.0.1")

Beside = Callable[[Table], Coroutine[object, object, None]]
"""Does something for a table until it is cancelled."""


def create_app(
    table: Table,
    hosts: Sequence[str] = LOCAL_HOSTS,
    keys: SeatKeys | None = None,
    seats_at: str | None = None,
    can_set_up: bool = False,
    dispute: Dispute | None = None,
    records: Path | None = None,
    without_key: Role | None = Role.SCORER,
    tell: Tell | None = None,
    beside: Sequence[Beside] = (),
) -> FastAPI:
    """The web application of one table; the table runs as long as the application does.

    ``hosts`` are the names by which browsers may ask for it; ``*`` is any. ``keys`` open the pages
    of the seats, which phones find at ``seats_at``. ``can_set_up``: there is a page at ``/setup``.
    ``dispute`` has pictures of what happened, ``records`` is the folder of other games.
    ``without_key``: what may be done by whoever brings no key; None is nothing. ``tell``
    is told each request and event, without secrets. ``beside`` runs as long as the table does.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(table.run())]
        if tell is not None:
            tasks.append(asyncio.create_task(tell_events(table, tell)))
        tasks += [asyncio.create_task(each(table)) for each in beside]
        yield
        table.leave()
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    app = FastAPI(title="tilesight", lifespan=lifespan, docs_url=None, redoc_url=None)
    keys = keys or SeatKeys.new()
    app.add_middleware(Renewed, keys=keys)
    app.add_middleware(Crowd)
    app.add_middleware(Gate, keys=keys, without_key=without_key)
    app.add_middleware(KnownHost, hosts=hosts)
    add_headers(app)
    measured = Measured(TableNumbers(table))
    app.add_middleware(RequestLog, measured=measured, tell=tell)  # the last stands outside
    add_metrics(app, measured)
    answer_unreadable(app)
    _routes(app, table, can_set_up)
    add_enter(app, keys)
    add_renewing(app, keys)
    add_mend_pages(app, table)
    add_seat_pages(app, table, keys, seats_at, without_key is None)
    retold = Retold()
    gallery = None if dispute is None else dispute.gallery
    add_game_pages(app, table, retold, gallery, records)
    add_drill_pages(app, table, keys, retold)
    watching_key = keys.viewer if without_key is None else ""
    add_stream_pages(app, table, keys, seats_at, watching_key)
    add_dispute_pages(app, table, dispute)
    add_asking_pages(app, table, gallery)
    add_version(app)
    app.mount("/static", StaticFiles(directory=str(STATIC)), name="static")
    return app


def _routes(app: FastAPI, table: Table, can_set_up: bool) -> None:
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
        """Whether the table is being watched, and how far it has got."""
        return {
            "status": "failed" if table.problem else "ended" if table.ended else "watching",
            "source": table.name,
            "problem": table.problem,
            "time_s": table.time_s,
            "events": len(table.game.entries),
        }

    @app.get("/api/table")
    def state() -> Json:
        """The table as everybody may see it."""
        return table.table()

    @app.websocket("/ws")
    async def messages(socket: WebSocket) -> None:
        if not await accepted(socket):
            return
        with table.subscribed() as subscriber:
            # No pause in between: what happens now is in the one or comes through the other.
            snapshot = table.snapshot() | {"may_mend": may_mend(socket)}
            await until_gone(socket, _send_messages(socket, snapshot, subscriber))

    # Every thread that has drawn a picture keeps the memory for another: one draws for all pages.
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
    socket: WebSocket, table: Table, asked: asyncio.Event, drawing: Executor
) -> None:
    """One picture each time the page asks for the next: a slow page gets fewer, never old ones."""
    shown = -1
    while True:
        await asked.wait()
        asked.clear()
        while table.newest == shown and not table.gone:
            await asyncio.sleep(PICTURE_WAIT_S)
        if table.gone:
            await socket.close(TOO_SLOW, "the table is closed")
            return
        shown = table.newest
        drawn = asyncio.get_running_loop().run_in_executor(drawing, table.picture)
        await socket.send_bytes(await drawn)
