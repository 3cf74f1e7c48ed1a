"""Counts requests for Prometheus, and logs requests and events as lines of JSON.

Also what all applications have in common.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.requests import HTTPConnection
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.pages.requests import use_refusals
from service.report.public import Json
from service.table.live_table import LiveTable
from service.table.view import events_of
from service.web.background import Job
from service.web.connection_limit import SocketLimit
from service.web.gate import Entrance, Gate
from service.web.grants import HostCheck, granted
from service.web.keys import TableKeys
from service.web.static_pages import PageFiles, add_headers

LONGEST_PATH: Final = 200
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
"""All others are counted as one: the sender must not choose the names of counters."""

WAITED_S: Final = "tilesight.waited_s"
"""Where a request keeps how long it waited for a table to be opened: no answer takes that long."""

LogSink = Callable[[str, Json], None]
"""Takes the kind of an entry, and its fields."""


def json_lines(kind: str, fields: Json) -> None:
    """One line on standard error."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = json.dumps({"time": now, "kind": kind, **fields}, ensure_ascii=False)
    print(line, file=sys.stderr, flush=True)


class RequestLog:
    """Counts and logs every request; keys, cookies and what stands behind ``?`` are left out."""

    def __init__(self, app: ASGIApp, metrics: ServerMetrics, log: LogSink | None) -> None:
        self._app = app
        self._metrics = metrics
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        begun_s = time.perf_counter()
        status = 500  # where the application fails, nobody says so

        async def sent(message: Message) -> None:
            nonlocal status
            match message["type"]:
                case "http.response.start" | "websocket.http.response.start":
                    status = message["status"]
                case "websocket.accept":
                    status = 101
                    self._metrics.sockets.inc()
                case "websocket.close" if status == 500:
                    status = 403
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            if status == 101:
                self._metrics.sockets.dec()
            waited_s = scope.get(WAITED_S, 0.0)
            self._note(scope, status, time.perf_counter() - begun_s - waited_s)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        is_socket = scope["type"] == "websocket"
        method = "WEBSOCKET" if is_socket else str(scope["method"])
        counted = method if method in METHODS or is_socket else "OTHER"
        self._metrics.requests.labels(counted, str(status)).inc()
        if not is_socket:  # a socket is open for as long as its page is
            self._metrics.seconds.observe(seconds)
        if self._log is None:
            return
        connection = HTTPConnection(scope)
        grant = granted(connection)
        logged: Json = {
            "method": method,
            "path": str(scope["path"])[:LONGEST_PATH],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "client": connection.client.host if connection.client else None,
            "role": None if grant is None else grant.role.name.lower(),
        }
        self._log("request", logged)


class ServerMetrics:
    """The metrics of one application."""

    def __init__(self, numbers: Collector | None = None) -> None:
        """``numbers`` are those of what is served; memory, files and time are added."""
        self._registry = CollectorRegistry()
        if numbers is not None:
            self._registry.register(numbers)
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "tilesight_requests",
            "Requests that were answered.",
            ("method", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "tilesight_request_seconds",
            "How long an answer took, without the wait for a table that is opened.",
            buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
            registry=self._registry,
        )
        self.sockets = Gauge(
            "tilesight_sockets", "WebSockets that are open now.", registry=self._registry
        )

    def text(self) -> bytes:
        return generate_latest(self._registry)


class TableMetrics(Collector):
    """The metrics of the table that is open, collected on request."""

    def __init__(self, table: Callable[[], LiveTable | None]) -> None:
        self._table = table

    def collect(self) -> Iterator[Metric]:
        table = self._table()
        if table is None:
            return
        rows = (
            ("lines", "Lines of the record.", len(table.game.entries)),
            ("questions", "Questions that wait for an answer.", len(table.asked())),
            ("source_seconds", "Time of the newest picture.", table.reader.time_s or 0.0),
            ("ended", "1 when nothing more comes from the source.", float(table.ended)),
            ("failed", "1 when the table cannot be watched.", float(table.problem is not None)),
        )
        for name, told, value in rows:
            yield GaugeMetricFamily(f"tilesight_{name}", told, value=value)


def guarded_app(
    title: str,
    entrance: Entrance,
    hosts: Sequence[str],
    log: LogSink | None,
    numbers: Collector | None = None,
    keys_of: Callable[[Scope], TableKeys | None] = lambda _: None,
    *inside: Middleware,
    **given: Any,
) -> FastAPI:
    """An application behind its gate, which counts and logs all that it is asked.

    Routes that are added answer refusals. Renewed keys close the sockets that they opened;
    ``keys_of`` are those of a request's table. ``inside`` stand before the gate: what they answer
    is counted, logged and guarded as the rest is, and asked for by known hosts alone.
    """
    app = FastAPI(title=title, docs_url=None, redoc_url=None, **given)
    app.add_middleware(SocketLimit, keys_of=keys_of)
    app.add_middleware(Gate, entrance=entrance)
    for each in inside:
        app.add_middleware(each.cls, *each.args, **each.kwargs)
    app.add_middleware(HostCheck, hosts=hosts)
    add_headers(app)
    metrics = ServerMetrics(numbers)
    app.add_middleware(RequestLog, metrics=metrics, log=log)  # the last stands outside

    @app.get("/metrics", include_in_schema=False)
    async def counted() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    app.mount("/static", PageFiles(), name="static")
    use_refusals(app)
    return app


def add_addresses(app: FastAPI, *routers: APIRouter) -> None:
    """Add the routes of these as they stand; ``include_router`` would make each of them anew for
    every application, and hold up whoever asks it first."""
    assert not app.router.dependencies, "a dependency of the application would not reach them"
    for router in routers:
        app.router.routes.extend(router.routes)


def of_app(name: str) -> Any:
    """What an application keeps for its requests under this name."""

    async def kept(connection: HTTPConnection) -> Any:
        return getattr(connection.app.state, name)

    return Depends(kept)


_LOGGED = ("number", "seat", "t", "confidence", "by_person")


def event_log(table: LiveTable, log: LogSink) -> Job:
    """Log each event, correction and change of status."""
    listening = contextlib.ExitStack()
    subscriber = listening.enter_context(table.subscribed())
    before = table.moment

    async def log_next() -> None:
        nonlocal before
        at = await subscriber.messages.get()
        if at.since is not None:
            log("corrected", {"of": at.since})
        elif len(at.game.entries) > len(before.game.entries):
            (event,) = events_of(at.game, "en", 1)
            told: Json = {name: value for name, value in event.items() if name in _LOGGED}
            # Players' names do not belong in a log.
            log("happened", told | {"event": event["event"]["type"]})
        if at.status != before.status:
            log("status", {"ended": at.status["ended"], "problem": at.status["problem"]})
        before = at

    async def leave() -> None:
        listening.close()

    return Job("log", log_next, at_end=leave)
