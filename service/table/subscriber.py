"""The queue of messages for one open page."""

from __future__ import annotations

import asyncio
from typing import Final

from service.report.public import Json

QUEUED: Final = 200
"""Messages that may wait for a slow page; with more, it must begin anew."""


class Subscriber:
    """Queues messages for one page, so that no page delays another."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[Json] = asyncio.Queue(QUEUED)
        self.too_slow = asyncio.Event()

    def offer(self, message: Json) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.too_slow.set()
