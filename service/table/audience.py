"""The pages that listen to one table, and what is announced to them and when."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Final

from engine.game import Game
from service.report.public import Announced
from service.table.page_messages import (
    Lately,
    News,
    ReadOtherwise,
    Subscriber,
    TableMessage,
    TableStatus,
    lately,
)

HELD_S: Final = 5.0
"""Longest wait of announcements for what the reader says to people's lines."""


class Audience:
    """Those who listen to a table, and what they have not heard yet."""

    def __init__(self, game: Callable[[], Game], lang: str) -> None:
        """``game`` returns the game as it is now."""
        self._game, self._lang = game, lang
        self.news = News(game)
        self.waits_since_s = float("-inf")
        """When the reader was last given what people say, which announcements wait for."""
        self._subscribers: set[Subscriber] = set()
        self._worded: tuple[int, Lately] | None = None
        """What happened last in words, and the lines of the record that it is of."""

    def wait(self) -> float:
        """Hold announcements back from now on; returns since when."""
        self.waits_since_s = asyncio.get_running_loop().time()
        return self.waits_since_s

    def waits_no_longer(self) -> bool:
        return asyncio.get_running_loop().time() >= self.waits_since_s + HELD_S

    def take_news(self) -> tuple[list[Announced], list[ReadOtherwise]]:
        """What nobody has heard yet; from now on everybody has."""
        news = self.news.rows(self._lang), self.news.reread()
        self.news.told()
        return news

    def lately(self) -> Lately:
        """What happened last, put into words once for all pages: a record only grows."""
        lines = len(self._game().entries)
        if self._worded is None or self._worded[0] != lines:
            self._worded = lines, lately(self._game(), self._lang)
        return self._worded[1]

    @contextlib.contextmanager
    def subscribed(self) -> Iterator[Subscriber]:
        """Receive messages from now on."""
        subscriber = Subscriber()
        self._subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            self._subscribers.discard(subscriber)

    def send(self, message: TableMessage) -> None:
        for subscriber in self._subscribers:
            subscriber.offer(message)

    def leave(self, last: TableStatus) -> None:
        """Close every page's connection."""
        for subscriber in self._subscribers:
            subscriber.too_slow.set()
            subscriber.offer(last)
