"""Messages that wait in the hall's database until an address takes them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import case, delete, insert, select, update

from service.hall.database import Store
from service.hall.database_schema import RECORDS, WEBHOOK_MESSAGES

AGAIN_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next attempt; after the last one a message is given up."""
AT_ONCE: Final = 50
"""Messages of one address that are read at once."""


class MessageQueue(Store):
    """Messages that wait, and how far each record has been told."""

    def told(self, record_id: int) -> int | None:
        """How many lines of a record there are messages of; None where there never was one."""
        asked = select(RECORDS.c.webhook_lines).where(RECORDS.c.id == record_id)
        return next((row.webhook_lines for row in self._rows(asked)), None)

    def add(
        self,
        messages: Sequence[tuple[str, str]],
        urls: Sequence[str],
        record: tuple[int, int] | None,
    ) -> None:
        """Queue each (id, body) for each address; ``record`` is its id and the lines now told."""
        rows = [
            {"id": name, "url": url, "body": body, "due_s": time.time(), "attempts": 0}
            for name, body in messages
            for url in urls
        ]
        with self._engine.begin() as connection:
            if rows:
                connection.execute(insert(WEBHOOK_MESSAGES), rows)
            if record is not None:
                own = update(RECORDS).where(RECORDS.c.id == record[0])
                connection.execute(own.values(webhook_lines=record[1]))

    def due(self, url: str) -> Sequence[Any]:
        """Messages to be posted to an address now, the oldest first."""
        columns = WEBHOOK_MESSAGES.c
        asked = select(WEBHOOK_MESSAGES).where(columns.url == url, columns.due_s <= time.time())
        return self._rows(asked.order_by(columns.due_s, columns.id).limit(AT_ONCE))

    def taken(self, message: Any) -> None:
        """Forget a message that was taken."""
        columns = WEBHOOK_MESSAGES.c
        own = (columns.id == message.id) & (columns.url == message.url)
        with self._engine.begin() as connection:
            connection.execute(delete(WEBHOOK_MESSAGES).where(own))

    def postpone(self, url: str, only: str | None = None) -> int:
        """Let what is due at an address wait for its next attempt, or one message ``only``.

        Return how many had their last attempt, and are given up.
        """
        now_s, columns = time.time(), WEBHOOK_MESSAGES.c
        meant = (columns.url == url) & (columns.due_s <= now_s)
        if only is not None:
            meant &= columns.id == only
        next_s = case({n: now_s + s for n, s in enumerate(AGAIN_S)}, value=columns.attempts)
        waits = update(WEBHOOK_MESSAGES).where(meant)
        last = delete(WEBHOOK_MESSAGES).where(meant, columns.attempts >= len(AGAIN_S))
        with self._engine.begin() as connection:
            given_up = connection.execute(last).rowcount
            connection.execute(waits.values(attempts=columns.attempts + 1, due_s=next_s))
        return given_up

    def forget_others(self, urls: Sequence[str]) -> None:
        """Forget what waits for addresses that are no longer given."""
        with self._engine.begin() as connection:
            connection.execute(delete(WEBHOOK_MESSAGES).where(WEBHOOK_MESSAGES.c.url.not_in(urls)))
