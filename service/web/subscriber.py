"""Queues of messages, one for each page that listens."""

from __future__ import annotations

import asyncio
from typing import Final, Generic, TypeVar

MessageT = TypeVar("MessageT")
QUEUED: Final = 200
"""Messages that may wait for a slow page; with more, it must begin anew."""
LAGS: Final = 8
"""So many messages wait for a page that lags. Of pages that keep up, none waited after any of 1,133
messages of three games that were played at once."""


class Subscriber(Generic[MessageT]):
    """Queues messages for one page, so that no page delays another."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        """What it is told in."""
        self.messages: asyncio.Queue[MessageT] = asyncio.Queue(QUEUED)
        self.too_slow = asyncio.Event()

    async def waiting(self) -> list[MessageT]:
        """The next message; of a page that lags all that wait, oldest first."""
        messages, behind = [await self.messages.get()], self.messages.qsize()
        if behind >= LAGS:
            messages += [self.messages.get_nowait() for _ in range(behind)]
        return messages

    def offer(self, message: MessageT) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.too_slow.set()
