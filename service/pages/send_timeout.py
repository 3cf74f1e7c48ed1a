"""Pages that do not read any more are given up: neither tasks nor the system wait for ever."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

GIVEN_UP_S: Final = 30.0
VANISHED: Final = 1006
"""Close code of a connection that ended without a word."""


class SendTimeout:
    """Passes everything on to ``app``; a socket that takes nothing for so long counts as gone."""

    def __init__(self, app: ASGIApp, seconds: float = GIVEN_UP_S) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            try:
                async with asyncio.timeout(self._seconds):
                    await send(message)
            except TimeoutError:
                raise WebSocketDisconnect(VANISHED) from None

        await self._app(scope, receive, sent)


def give_up_after(listening: socket.socket, seconds: float = GIVEN_UP_S) -> None:
    """Let the system break off connections that take nothing for so long, where it can."""
    if sys.platform == "linux":
        option = socket.TCP_USER_TIMEOUT
        listening.setsockopt(socket.IPPROTO_TCP, option, round(seconds * 1000))
