"""Webhooks of a hall: messages wait in the database, and are posted, signed, until taken.

Signatures and headers are those of https://www.standardwebhooks.com.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPException
from itertools import groupby
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook

from service.errors import Refused
from service.hall.watched_table import WatchedTable
from service.hall.webhook_news import NEEDS, about_table, news_of
from service.hall.webhook_queue import MessageQueue
from service.private_files import LineSink, keep_private
from service.report.public import Json
from vision.given_files import read_given

ANSWER_S: Final = 15.0
"""Time limit of one request."""
LOOK_S: Final = 2.0
"""How often to look for messages that are due."""
SECRET_BYTES: Final = 24
LARGEST_SECRET: Final = 64 * 1024


@dataclass(frozen=True)
class WebhookSettings:
    """Where messages go, and what signs them."""

    urls: tuple[str, ...]
    secret: str = field(repr=False)
    """``whsec_`` and base64."""
    every: bool = False
    """A message for each event, not only for hands, games and corrections."""

    @classmethod
    def read(cls, urls: Sequence[str], secret_file: Path, every: bool) -> WebhookSettings:
        """Read the secret, which is made where the file is missing; raise ``Refused``."""
        for url in urls:
            parts = urlsplit(url)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise Refused(
                    f"--webhook expects an address such as https://example.org, not {url}"
                )
        try:
            if not secret_file.exists():
                made = base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()
                secret_file.write_text(f"whsec_{made}\n", "utf-8")
            secret = read_given(secret_file, LARGEST_SECRET).decode().strip()
            keep_private(secret_file)
            Webhook(secret)
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise Refused(f"cannot read the webhooks' secret in {secret_file}: {why}") from None
        except (ValueError, EmptyWebhookSecretError):
            raise Refused(
                f"{secret_file} holds no secret; write whsec_ and base64 into it, or delete it"
            ) from None
        return cls(tuple(dict.fromkeys(urls)), secret, every)


class _NoRedirects(HTTPRedirectHandler):
    """A message is for the address that was given, and no other."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = build_opener(_NoRedirects())


class Webhooks:
    """Owned by the hall's event loop."""

    def __init__(self, engine: Engine, settings: WebhookSettings, say: LineSink) -> None:
        """``say`` informs the person at the machine."""
        self._queue = MessageQueue(engine)
        self._settings = settings
        self._signer = Webhook(settings.secret)
        self._say = say
        self._failing: set[str] = set()
        self._noted: list[tuple[str, str]] = []
        self._news = asyncio.Event()
        self._adding = asyncio.Lock()

    async def happened(self, watched: WatchedTable, new: int) -> None:
        """Queue what a table's newest lines are news of; a later call makes up for a failed one."""
        if watched.record is None:
            return
        with contextlib.suppress(DBAPIError):
            async with self._adding:
                await self._add_news(watched, new)
        self._news.set()

    async def _add_news(self, watched: WatchedTable, new: int) -> None:
        assert watched.record is not None
        number, lines = watched.record[1], len(watched.game.entries)
        told = await asyncio.to_thread(self._queue.told, number)
        first = lines - new if told is None else told
        messages = [_dated(*one) for one in news_of(watched, first, self._settings.every)]
        await asyncio.to_thread(self._queue.add, messages, self._settings.urls, (number, lines))

    def needed(self, watched: WatchedTable, needs: Sequence[Json]) -> None:
        """Note that somebody is needed at a table, or no longer is."""
        data = about_table(watched) | {"needs": list(needs)}
        name = f"{watched.table.name}-{secrets.token_hex(8)}-{NEEDS}"
        self._noted.append(_dated(name, {"type": NEEDS, "data": data}))
        self._news.set()

    async def run(self) -> None:
        """Post what is due until cancelled."""
        while True:
            with contextlib.suppress(DBAPIError):
                if self._noted:
                    noted = list(self._noted)
                    await asyncio.to_thread(self._queue.add, noted, self._settings.urls, None)
                    del self._noted[: len(noted)]
                await self._post_due()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), LOOK_S)
            self._news.clear()

    async def _post_due(self) -> None:
        due = await asyncio.to_thread(self._queue.due)
        by_url = [list(rows) for _, rows in groupby(due, lambda row: row.url)]
        await asyncio.gather(*(asyncio.to_thread(self._post_all, rows) for rows in by_url))

    def _post_all(self, messages: Sequence[Any]) -> None:
        """Post the messages of one address; after a failure the rest waits as well."""
        for message in messages:
            if message.url not in self._settings.urls:
                self._queue.taken(message)
                continue
            why = self._post(message)
            if why is None:
                self._queue.taken(message)
                if message.url in self._failing:
                    self._failing.discard(message.url)
                    self._say(f"the webhook {_shown(message.url)} takes messages again")
                continue
            if message.url not in self._failing:
                self._failing.add(message.url)
                self._say(f"the webhook {_shown(message.url)} took no message ({why}); tried again")
            if not self._queue.later(message):
                self._say(f"the webhook {_shown(message.url)} never took {message.id}; given up")
            return

    def _post(self, message: Any) -> str | None:
        """Post one message; return why it was not taken."""
        now = datetime.now(UTC)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(message.id, now, message.body),
        }
        try:
            with _OPENER.open(
                Request(message.url, message.body.encode(), headers), timeout=ANSWER_S
            ):
                return None
        except HTTPError as error:
            with error:
                return f"it answered {error.code}"
        except (OSError, HTTPException, ValueError) as error:
            return str(getattr(error, "reason", error)) or type(error).__name__


def _dated(name: str, message: Json) -> tuple[str, str]:
    told = message | {"timestamp": datetime.now(UTC).isoformat()}
    return name, json.dumps(told, ensure_ascii=False)


def _shown(url: str) -> str:
    """The address without what may be secret in it."""
    return urlsplit(url).hostname or ""
