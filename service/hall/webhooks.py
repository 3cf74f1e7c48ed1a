"""Webhooks of a hall: messages wait in the database, and are posted, signed, until taken.

Signatures and headers are those of https://www.standardwebhooks.com.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import Engine, case, delete, insert, select, update
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook

from engine.errors import Refused
from engine.events import Correct, GameEnd, GameStart, HandEnd, HandStart
from engine.stories import GameStory, HandStory, tell_game
from engine.texts.files import LANGUAGES
from engine.visibility import events_seen
from service.hall.access import database_trouble, each
from service.hall.database import AWAY, Store
from service.hall.database_schema import RECORDS, WEBHOOK_MESSAGES
from service.hall.watched_table import WatchedTable
from service.hall.wire import Need
from service.machine.files import LineSink, keep_private
from service.report.hands import hand_json
from service.report.public import Json, names_of
from service.texts.catalogue import rules_titles
from service.texts.events import event_json
from service.texts.stories import names_in
from service.web.background import Job, StepFailed
from service.web.outgoing import NotAnswered, ask
from vision.given_files import read_given

KINDS: Final[dict[type, str]] = {
    GameStart: "game.started",
    HandStart: "hand.started",
    HandEnd: "hand.ended",
    GameEnd: "game.ended",
    Correct: "corrected",
}
NEEDS: Final = "needs"
EVENT: Final = "event"


def news_of(watched: WatchedTable, first: int, every: bool) -> list[tuple[str, Json]]:
    """The messages of the lines from number ``first`` on, each with its id; nothing hidden.

    ``every``: one for each event too, not only for hands, games and corrections.
    """
    entries = watched.game.entries
    if not every and not any(type(entry.event) in KINDS for entry in entries[first:]):
        return []
    of_record = watched.record[1] if watched.record is not None else 0
    about = about_table(watched)
    found: list[tuple[str, Json]] = [
        (f"{of_record}-{number}-{kind}", {"type": kind, "data": about | data})
        for number, kind, data in _changes(watched, first)
    ]
    return [*found, *(_events(watched, first, of_record, about) if every else ())]


def about_table(watched: WatchedTable) -> Json:
    """What every message says of its table."""
    rules = watched.game.state.rules
    return {
        "table": watched.table.name,
        "title": watched.table.title,
        "record": None if watched.record is None else watched.record[0],
        "rules": rules,
        "rules_titles": rules_titles(rules),
    }


def _changes(watched: WatchedTable, first: int) -> Iterator[tuple[int, str, Json]]:
    places = _places(tell_game(watched.game))
    for number, entry in enumerate(watched.game.entries[first:], start=first):
        event = entry.event
        of = event.of if isinstance(event, Correct) else number
        if type(event) not in KINDS or (of == number and number not in places):
            continue  # other events, and lines that a correction has replaced already
        game, hand = places.get(of, (None, None))
        data: Json = {"line": number}
        if of != number:
            data["of"] = of
        if game is not None and isinstance(event, GameStart | GameEnd):
            places_of = None if game.result is None else list(game.result.places)
            data |= {
                "names": list(names_in(game)),
                "points": list(game.points),
                "places": places_of,
            }
        elif game is not None and hand is not None:
            data |= {"hand": {lang: hand_json(game, hand, lang) for lang in LANGUAGES}}
        yield number, KINDS[type(event)], data


def _places(games: tuple[GameStory, ...]) -> dict[int, tuple[GameStory | None, HandStory | None]]:
    """By number of a line in force: the game and the hand that it belongs to."""
    found: dict[int, tuple[GameStory | None, HandStory | None]] = {}
    for game in games:
        found |= {event.number: (game, None) for event in game.before}
        for hand in game.hands:
            found |= {event.number: (game, hand) for event in hand.happened}
    return found


def _events(
    watched: WatchedTable, first: int, of_record: int, about: Json
) -> Iterator[tuple[str, Json]]:
    state = watched.game.state
    for seen in events_seen(watched.game):
        if seen.number >= first:
            event = seen.entry.event
            told = {
                lang: event_json(event, names_of(state), lang, state.rules) for lang in LANGUAGES
            }
            data = {"line": seen.number, "event": type(event).__name__, "t": seen.entry.t}
            name = f"{of_record}-{seen.number}-{seen.place}-{EVENT}"
            yield name, {"type": EVENT, "data": about | data | {"told": told}}


ANSWER_S: Final = 15.0
"""Time limit of one request, its whole answer included."""
LOOK_S: Final = 2.0
"""How often to look for messages that are due."""
LONGEST_S: Final = 300.0
"""The longest pause after an address has taken nothing. New messages do not end the pause."""
ABOUT_MESSAGE: Final = frozenset(f"answered {status}" for status in (400, 413, 422))
"""Answers that refuse only one message. After any other failure nothing is posted to the address
for a while."""
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


class Webhooks:
    """Owned by the hall's event loop."""

    def __init__(self, engine: Engine, settings: WebhookSettings, say: LineSink) -> None:
        """``say`` informs the person at the machine."""
        self._queue = MessageQueue(engine)
        self._settings = settings
        self._signer = Webhook(settings.secret)
        self._say = say
        self._behind: dict[str, tuple[WatchedTable, int]] = {}
        """Tables by name, each with the number of newest lines of which no message may be queued
        yet."""
        self._noted: list[tuple[str, str]] = []
        self._noticed = asyncio.Event()
        self._queued = {url: asyncio.Event() for url in settings.urls}
        self.adding = asyncio.Lock()
        """Held while messages are made of a table's lines and queued."""
        self._queue.forget_others(settings.urls)

    def jobs(self, tables: Iterable[WatchedTable]) -> list[Job]:
        """Queue and post messages, first those of lines that came before the start.

        Each address has a job of its own, so that none waits for another.
        """
        self._behind |= {table.table.name: (table, 0) for table in tables}
        self._noticed.set()
        return [
            Job("webhooks", self._queue_news),
            *(
                Job(f"the webhook {_shown(url)}", partial(self._post_due, url), 0.0, LONGEST_S)
                for url in self._settings.urls
            ),
        ]

    async def happened(self, watched: WatchedTable, new: int) -> None:
        """Queue messages about a table's newest lines; where that fails, they are queued later."""
        _, before = self._behind.get(watched.table.name, (watched, 0))
        self._behind[watched.table.name] = watched, before + new
        with contextlib.suppress(Exception):  # the lines are safe, and the job tells what failed
            await self._catch_up()

    def needed(self, watched: WatchedTable, needs: Sequence[Need]) -> None:
        """Note that somebody is needed at a table, or no longer is."""
        data = about_table(watched) | {"needs": list(needs)}
        name = f"{watched.table.name}-{secrets.token_hex(8)}-{NEEDS}"
        self._noted.append(_dated(name, {"type": NEEDS, "data": data}))
        self._noticed.set()

    async def _queue_news(self) -> None:
        await _set_or_later(self._noticed)
        with database_trouble():
            await self._catch_up()
            if self._noted:
                noted = list(self._noted)
                await asyncio.to_thread(self._queue.add, noted, self._settings.urls, None)
                del self._noted[: len(noted)]
                self._tell_queued()

    async def _catch_up(self) -> None:
        """Queue the messages of each table; a table that fails does not hold up the others."""
        async with self.adding:
            await each(self._add_news, list(self._behind))

    async def _add_news(self, table: str) -> None:
        watched, new = behind = self._behind[table]
        if watched.record is not None:
            number, lines = watched.record[1], len(watched.game.entries)
            told = await asyncio.to_thread(self._queue.told, number)
            first = max(0, lines - new) if told is None else told
            messages = [_dated(*one) for one in news_of(watched, first, self._settings.every)]
            await asyncio.to_thread(self._queue.add, messages, self._settings.urls, (number, lines))
            self._tell_queued()
        if self._behind.get(table) == behind:
            del self._behind[table]

    def _tell_queued(self) -> None:
        for queued in self._queued.values():
            queued.set()

    async def _post_due(self, url: str) -> None:
        """Post the next messages of an address; raise ``StepFailed`` where it takes none."""
        due: Sequence[Any] = ()
        while not due:
            await _set_or_later(self._queued[url])
            with contextlib.suppress(*AWAY):  # the job that queues messages reports it
                due = await asyncio.to_thread(self._queue.due, url)
        with database_trouble():
            for message in due:
                why = await self._post(message)
                if why is None:
                    await asyncio.to_thread(self._queue.taken, message)
                    continue
                only = message.id if why in ABOUT_MESSAGE else None
                given_up = await asyncio.to_thread(self._queue.postpone, url, only)
                if given_up:
                    self._say(f"the webhook {_shown(url)} never took {given_up} messages; given up")
                if only is None:
                    raise StepFailed(f"it took no message: {why}")

    async def _post(self, message: Any) -> str | None:
        """Post one message; return why it was not taken."""
        now = datetime.now(UTC)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(message.id, now, message.body),
        }
        try:
            answer = await ask(message.url, message.body.encode(), headers, ANSWER_S)
        except NotAnswered as error:
            return str(error)
        return None if 200 <= answer.status < 300 else f"answered {answer.status}"


async def _set_or_later(event: asyncio.Event) -> None:
    """Wait until something is set, but not for long: another program may write the database."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LOOK_S):
            await event.wait()
    event.clear()


def _dated(name: str, message: Json) -> tuple[str, str]:
    told = message | {"timestamp": datetime.now(UTC).isoformat()}
    return name, json.dumps(told, ensure_ascii=False)


def _shown(url: str) -> str:
    """The address without what may be secret in it."""
    return urlsplit(url).hostname or ""


AGAIN_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next attempt; after the last one a message is given up."""
APART_S: Final = 1e-6
"""Between messages of one moment, which are posted in the order of the lines. A clock does not tell
them apart."""
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
        """Queue each (id, body) for each address. ``record``: the id of the record, and how many of
        its lines have their messages now."""
        now_s = time.time()
        rows = [
            {"id": name, "url": url, "body": body, "due_s": now_s + place * APART_S, "attempts": 0}
            for place, (name, body) in enumerate(messages)
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
        """Postpone all messages due at an address, or ``only`` one, to their next attempt.

        Return how many are given up instead, after their last attempt.
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
