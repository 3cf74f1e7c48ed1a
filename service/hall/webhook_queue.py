"""Messages that wait in the hall's database until an address takes them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import delete, insert, select, update

from service.hall.database import Store
from service.hall.database_schema import RECORDS, WEBHOOK_MESSAGES

AGAIN_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next attempt; after the last one a message is given up."""
AT_ONCE: Final = 50


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

    def due(self) -> Sequence[Any]:
        """Messages to be posted now, those of one address together, the oldest first."""
        columns = WEBHOOK_MESSAGES.c
        asked = select(WEBHOOK_MESSAGES).where(columns.due_s <= time.time())
        return self._rows(asked.order_by(columns.url, columns.due_s, columns.id).limit(AT_ONCE))

    def taken(self, message: Any) -> None:
        """Forget a message that was taken, or given up."""
        with self._engine.begin() as connection:
            connection.execute(delete(WEBHOOK_MESSAGES).where(_is(message)))

    def later(self, message: Any) -> bool:
        """Let a message wait for its next attempt; False where there is none left."""
        if message.attempts >= len(AGAIN_S):
            self.taken(message)
            return False
        due_s = time.time() + AGAIN_S[message.attempts]
        change = update(WEBHOOK_MESSAGES).where(_is(message))
        with self._engine.begin() as connection:
            connection.execute(change.values(attempts=message.attempts + 1, due_s=due_s))
        return True


def _is(message: Any) -> Any:
    columns = WEBHOOK_MESSAGES.c
    return (columns.id == message.id) & (columns.url == message.url)
