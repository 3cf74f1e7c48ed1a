"""Limits how many WebSockets are open with one key: a key that leaks does not fill the server."""

from __future__ import annotations

from collections import Counter
from typing import Final

from fastapi import WebSocket
from starlette.types import ASGIApp, Receive, Scope, Send

from service.access.grants import key_noted

MOST: Final = 128
"""Sockets; a page with the live picture has two."""
CROWDED: Final = 4029
"""Close code of our own, after the status 429."""
FULL: Final = "too many pages are open with this key: close some of them, or use another key"


class SocketLimit:
    """Passes at most ``MOST`` sockets of one key on to ``app`` at a time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: Counter[str] = Counter()

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
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
