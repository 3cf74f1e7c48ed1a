"""What all WebSockets of the pages have in common."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from service.access.host_check import from_elsewhere

TOO_SLOW: Final = 1013
"""Close code "try again later": the page reconnects and begins anew."""


async def accepted(socket: WebSocket) -> bool:
    """Whether the page may listen, and is still there.

    Pages of other sites are refused: a browser sends them here with our visitor's rights.
    """
    if from_elsewhere(socket):
        await socket.close(1008, "pages of other sites may not listen")
        return False
    try:
        await socket.accept()
    except OSError:  # it has gone already
        return False
    return True


async def until_gone(
    socket: WebSocket, sending: Awaitable[None], heard: Callable[[str], None] | None = None
) -> None:
    """Send until the page closes; receiving is what detects that."""
    sender = asyncio.ensure_future(sending)
    listener = asyncio.ensure_future(_listen(socket, heard))
    _, left = await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    for task in (sender, listener):
        # The page may have closed just before a send.
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


async def _listen(socket: WebSocket, heard: Callable[[str], None] | None) -> None:
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # bytes: our pages send none
            return
        if heard is not None:
            heard(text)
