"""Counts all requests, and logs each as a line of JSON where that is wanted."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from fastapi.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.access.grants import granted
from service.pages.metrics import ServerMetrics
from service.report.public import Json

LONGEST_PATH: Final = 200
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
"""All others are counted as one: the sender must not choose the names of counters."""

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
            self._note(scope, status, time.perf_counter() - begun_s)

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
