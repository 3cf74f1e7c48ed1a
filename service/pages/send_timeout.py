"""Gives up pages that no longer read what they are sent."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

GIVEN_UP_S: Final = 30.0
VANISHED: Final = 1006
"""Close code of a connection that ended without a close message."""


class SendTimeout:
    """Treats a socket as closed when it accepts nothing for ``seconds``."""

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
    """Let the system drop connections that accept nothing for ``seconds``, where it can."""
    if sys.platform == "linux":
        option = socket.TCP_USER_TIMEOUT
        listening.setsockopt(socket.IPPROTO_TCP, option, round(seconds * 1000))
