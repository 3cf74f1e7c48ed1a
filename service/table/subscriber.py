"""One open page, and what waits to be sent to it."""

from __future__ import annotations

import asyncio
from typing import Final

from service.report.public import Json

QUEUED: Final = 200
"""Messages that may wait for a slow page; more, and it has to begin anew."""


class Subscriber:
    """One open page: messages wait for it here, so that no page can hold up another."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Json] = asyncio.Queue(QUEUED)
        self.too_slow = asyncio.Event()

    def offer(self, message: Json) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.too_slow.set()
