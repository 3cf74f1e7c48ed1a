"""An application asked without a network: every byte that it answers, and what its sockets send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Scope

from tests.support.patience import PATIENCE_S

HOST = "localhost"


def _scope(
    kind: str, path: str, key: str | None, content: str = "application/json"
) -> dict[str, Any]:
    where, _, query = path.partition("?")
    headers = [(b"host", HOST.encode()), (b"content-type", content.encode())]
    if key is not None:
        headers.append((b"authorization", f"Bearer {key}".encode()))
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": unquote(where),
        "raw_path": where.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "server": (HOST, 8000),
        "client": ("127.0.0.1", 50000),
        "subprotocols": [],
        "extensions": {"websocket.http.response": {}},
    }


async def asked(
    app: ASGIApp,
    method: str,
    path: str,
    key: str | None,
    body: object = None,
    arrives: asyncio.Event | None = None,
) -> tuple[int, bytes]:
    """Status, and headers and body as they would go over the line.

    ``body`` is a file as bytes, or what JSON can hold; ``arrives``: when it does.
    """
    told: list[Message] = []
    is_file = isinstance(body, bytes)
    sent = b"" if body is None else body if is_file else json.dumps(body).encode()
    waiting: list[Message] = [{"type": "http.request", "body": sent}]

    async def receive() -> Message:
        if arrives is not None:
            await arrives.wait()
        if not waiting:
            await asyncio.Event().wait()  # nothing more is said
        return waiting.pop()

    async def send(message: Message) -> None:
        told.append(message)

    content = "application/octet-stream" if is_file else "application/json"
    await app({**_scope("http", path, key, content), "method": method}, receive, send)
    lines = [b"%s: %s" % pair for pair in sorted(told[0]["headers"])]
    lines += [message.get("body", b"") for message in told[1:]]
    return told[0]["status"], b"\n".join(lines)


class Socket:
    """One open socket; what it was sent stays in ``told``."""

    def __init__(self, app: ASGIApp, path: str, key: str | None) -> None:
        self.told: list[str] = []
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._come = asyncio.Event()
        self._to_app.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.create_task(self._run(app, _scope("websocket", path, key)))

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        await app(scope, self._to_app.get, self._send)

    async def _send(self, message: Message) -> None:
        if message["type"] != "websocket.accept":
            self.told.append(str(message.get("text", message)))
            self._come.set()

    def say(self, words: object) -> None:
        self._to_app.put_nowait({"type": "websocket.receive", "text": json.dumps(words)})

    async def heard(self, count: int) -> None:
        """Wait until so many messages have come, or the socket is closed."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.told) < count and not self._task.done():
                self._come.clear()
                await asyncio.wait(
                    [self._task, waiting := asyncio.create_task(self._come.wait())],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                waiting.cancel()

    async def close(self) -> None:
        self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})
        async with asyncio.timeout(PATIENCE_S):
            await self._task


def routes_of(app: FastAPI) -> Iterator[str]:
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, Mount):
            yield f"GET {route.path}/"
        elif route.methods is None:
            yield f"WEBSOCKET {route.path}"
        else:
            yield from (f"{method} {route.path}" for method in route.methods - {"HEAD"})
