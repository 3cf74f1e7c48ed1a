"""The web application of a hall: its pages and its programming interface."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Literal

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import TypedDict

from service.access.gate import add_enter, in_english
from service.access.grants import Role
from service.background import Background, JobFailing
from service.files import LineSink, to_stderr
from service.hall import api
from service.hall.access import AT_ONCE, NO_ANSWER, NO_DATABASE, RETRY, entrance, in_database
from service.hall.hall import Hall
from service.pages.request_log import LogSink, guarded_app
from service.static_pages import add_pages

LOCAL_HOSTS: Final = ("localhost", "127.0.0.1")
PAGES: Final = {
    "/": "hall.html",
    "/watch": "watch.html",
    "/archive": "archive.html",
    "/tables/{name}": "hall_table.html",
    "/leagues/{number}": "league.html",
    "/players": "players.html",
    "/players/{number}": "player.html",
}


def create_hall(
    hall: Hall,
    hosts: Sequence[str] = LOCAL_HOSTS,
    without_key: Role | None = Role.ADMIN,
    tell: LogSink | None = None,
    say: LineSink = to_stderr,
) -> FastAPI:
    """Make the web application.

    ``hosts``: host names that browsers may use; ``*`` is any. ``without_key``: the role of requests
    without a key; None refuses them. ``tell`` is called for each request, without secrets. ``say``
    informs the person at the machine.
    """
    background = Background(say)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))
        async with background.running(hall.jobs()):
            yield
            hall.close_pages()

    let_in = entrance(hall.keys, without_key)
    app = guarded_app("tilesight hall", let_in, hosts, tell, _Numbers(hall), lifespan=lifespan)
    _answer_without_database(app)
    add_pages(app, PAGES)
    _add_health(app, hall, background)
    add_enter(app, let_in)
    app.state.hall = hall
    for router in (api.api, api.posts, api.sockets):
        app.include_router(router)
    return app


class _Numbers(Collector):
    """The hall's own metrics, collected on request."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        rows = self._hall.rows()
        needing = sum(bool(row["needs"]) for row in rows)
        yield GaugeMetricFamily("tilesight_tables", "Tables of the hall.", value=len(rows))
        yield GaugeMetricFamily(
            "tilesight_tables_in_need", "Tables at which somebody is needed.", value=needing
        )


def _answer_without_database(app: FastAPI) -> None:
    async def gone(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse({"detail": in_english(NO_DATABASE)}, 503, RETRY)

    for kind in NO_ANSWER:
        app.add_exception_handler(kind, gone)


class HallHealth(TypedDict):
    status: Literal["open", "failed"]
    problem: str | None
    background: list[JobFailing]


def _add_health(app: FastAPI, hall: Hall, background: Background) -> None:
    @app.get("/health")
    async def health(response: Response) -> HallHealth:
        """Report whether the hall can take lines, and what fails in the background.

        503 while its database does not answer.
        """
        failing = background.told()
        try:
            await in_database(hall.records.touch)
        except NO_ANSWER:
            response.status_code = 503
            response.headers.update(RETRY)
            return {"status": "failed", "problem": in_english(NO_DATABASE), "background": failing}
        return {"status": "open", "problem": None, "background": failing}
