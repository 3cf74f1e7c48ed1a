"""What was asked of the server: counted, and where it is wanted told in one JSON line each."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from fastapi.requests import HTTPConnection

from service.access.grants import granted
from service.pages.metrics import Measured
from service.pages.set_up_or_table import Application, Message, Receive, Send
from service.report.public import Json

LONGEST_PATH: Final = 200
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")
"""Any other is counted as one: who asks must not choose the names of what is counted."""

Tell = Callable[[str, Json], None]
"""Takes what kind of thing happened, and what is known of it."""


def json_lines(kind: str, told: Json) -> None:
    """One line on standard error."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = json.dumps({"time": now, "kind": kind, **told}, ensure_ascii=False)
    print(line, file=sys.stderr, flush=True)


class RequestLog:
    """Looks at every request from outside; keys, cookies and what stands behind ``?`` stay out."""

    def __init__(self, app: Application, measured: Measured, tell: Tell | None) -> None:
        self._app = app
        self._measured = measured
        self._tell = tell

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
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
                    self._measured.sockets.inc()
                case "websocket.close" if status == 500:
                    status = 403
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            if status == 101:
                self._measured.sockets.dec()
            self._note(scope, status, time.perf_counter() - begun_s)

    def _note(self, scope: Message, status: int, seconds: float) -> None:
        is_socket = scope["type"] == "websocket"
        method = "WEBSOCKET" if is_socket else str(scope["method"])
        counted = method if method in METHODS or is_socket else "OTHER"
        self._measured.requests.labels(counted, str(status)).inc()
        if not is_socket:  # a socket is open for as long as its page is
            self._measured.seconds.observe(seconds)
        if self._tell is None:
            return
        connection = HTTPConnection(scope)
        role = granted(connection)
        told: Json = {
            "method": method,
            "path": str(scope["path"])[:LONGEST_PATH],
            "status": status,
            "ms": round(seconds * 1000, 1),
            "client": connection.client.host if connection.client else None,
            "role": None if role is None else role.name.lower(),
        }
        self._tell("request", told)
