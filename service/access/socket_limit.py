"""So many pages may be open with one key: one that got about does not fill the server."""

from __future__ import annotations

from collections import Counter
from typing import Final

from fastapi import WebSocket
from fastapi.requests import HTTPConnection

from service.pages.set_up_or_table import Application, Message, Receive, Send

MOST: Final = 128
"""Sockets; a page with the live picture has two."""
CROWDED: Final = 4029
"""Close code of our own, after the status 429."""
FULL: Final = "too many pages are open with this key: close some of them, or use another key"
_IN_SCOPE: Final = "tilesight.who"


class Crowd:
    """Lets no more than ``MOST`` sockets of one key through to ``app`` at a time."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        who = _who(HTTPConnection(scope))
        if self._open[who] >= MOST:
            # Only an accepted socket can tell a browser why it is closed.
            socket = WebSocket(scope, receive, send)
            await socket.accept()
            await socket.close(CROWDED, FULL)
            return
        self._open[who] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def count_for(connection: HTTPConnection, key: str) -> None:
    """Note that this key opened the connection; to be said only of keys that are good."""
    connection.scope[_IN_SCOPE] = key


def who_opened(scope: Message | None) -> str:
    """The key that opened a connection; empty where none did."""
    told = (scope or {}).get(_IN_SCOPE)
    return told if isinstance(told, str) else ""


def _who(connection: HTTPConnection) -> str:
    """The key, or where none was needed the machine that asks."""
    if told := who_opened(connection.scope):
        return told
    return f"from {connection.client.host}" if connection.client else ""
