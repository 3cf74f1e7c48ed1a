"""Limits the open WebSockets of each key, and closes all of them when the keys are renewed."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import Final

from fastapi import WebSocket
from starlette.types import ASGIApp, Receive, Scope, Send

from service.access.grants import key_noted
from service.access.keys import TableKeys

MOST: Final = 128
"""Sockets; a page with the live picture has two."""
CROWDED: Final = 4029
"""Close code of our own, after the status 429."""
FULL: Final = "too many pages are open with this key: close some of them, or use another key"
TRY_AGAIN: Final = 1013
"""Close code of the WebSocket protocol: a page with a new key comes back."""


class SocketLimit:
    """Passes at most ``MOST`` sockets of one key on to ``app`` at a time."""

    def __init__(self, app: ASGIApp, keys: TableKeys | None = None) -> None:
        """``keys`` are those whose renewal closes all sockets."""
        self._app = app
        self._open: Counter[str] = Counter()
        self._sends: set[Send] = set()
        self._closing: set[asyncio.Task[None]] = set()
        if keys is not None:
            keys.on_renewed.append(self._close_all)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        socket = WebSocket(scope, receive, send)
        # Where no key is needed, the machine that asks is counted.
        key = key_noted(scope) or (f"from {socket.client.host}" if socket.client else "")
        if self._open[key] >= MOST:
            # Only an accepted socket can tell a browser why it is closed.
            await socket.accept()
            await socket.close(CROWDED, FULL)
            return
        self._open[key] += 1
        self._sends.add(send)
        try:
            await self._app(scope, receive, send)
        finally:
            self._sends.discard(send)
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def _close_all(self) -> None:
        for send in self._sends:
            task = asyncio.create_task(_close(send))
            self._closing.add(task)  # the loop itself holds no task
            task.add_done_callback(self._closing.discard)


async def _close(send: Send) -> None:
    # The page may go away by itself at the same moment.
    with contextlib.suppress(RuntimeError, OSError):
        reason = "the keys are renewed"
        await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": reason})
