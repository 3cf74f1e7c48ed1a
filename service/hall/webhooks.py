"""Webhooks of a hall: posts what happens, signed, until it is taken.

No message is kept: each is made of the first lines of its record when it is posted, so one that is
posted again says the same. Signatures and headers are those of https://www.standardwebhooks.com.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import Engine
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook

from engine.errors import Refused
from engine.events import Correct, GameEnd, GameStart, HandEnd, HandStart
from engine.game import Game, first_since
from engine.stories import GameStory, HandStory, tell_game
from engine.texts.files import LANGUAGES
from engine.visibility import events_seen
from service.hall.access import database_trouble
from service.hall.database import AWAY
from service.hall.records import Records, TableRow
from service.hall.remote_table import RemoteTable
from service.hall.webhook_cursors import NO_END, Cursor, Cursors
from service.hall.wire import Need
from service.machine.files import LineSink, keep_private
from service.machine.records import replayed
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


@dataclass(frozen=True)
class Message:
    """What is posted. One that is posted again keeps its id."""

    id: str
    kind: str
    data: Json


def messages_of(
    record_id: int, record: str, table: TableRow, game: Game, every: bool
) -> list[Message]:
    """The messages about the newest line of a game; nothing hidden.

    ``every``: one for each event too, not only for hands, games and corrections.
    """
    number = len(game.entries) - 1
    about = about_table(table, record, game) | {"line": number}
    kind = KINDS.get(type(game.entries[number].event))
    found = []
    if kind is not None:
        found.append(Message(f"{record_id}-{number}-{kind}", kind, about | _change(game, number)))
    if every:
        found += [
            Message(f"{record_id}-{number}-{place}-{EVENT}", EVENT, about | data)
            for place, data in _events(game, number)
        ]
    return found


def about_table(table: TableRow, record: str | None, game: Game) -> Json:
    """What every message says of its table."""
    rules = game.state.rules
    return {
        "table": table.name,
        "title": table.title,
        "record": record,
        "rules": rules,
        "rules_titles": rules_titles(rules),
    }


def _change(game: Game, number: int) -> Json:
    event = game.entries[number].event
    of = event.of if isinstance(event, Correct) else number
    data: Json = {} if of == number else {"of": of}
    told, hand = _place(tell_game(game), of)
    if told is not None and isinstance(event, GameStart | GameEnd):
        places = None if told.result is None else list(told.result.places)
        return data | {
            "names": list(names_in(told)),
            "points": list(told.points),
            "places": places,
        }
    if told is not None and hand is not None:
        return data | {"hand": {lang: hand_json(told, hand, lang) for lang in LANGUAGES}}
    return data


def _place(games: tuple[GameStory, ...], number: int) -> tuple[GameStory | None, HandStory | None]:
    """The game and the hand that a line in force belongs to."""
    for game in reversed(games):
        for hand in reversed(game.hands):
            if any(event.number == number for event in hand.happened):
                return game, hand
        if any(event.number == number for event in game.before):
            return game, None
    return None, None


def _events(game: Game, number: int) -> Iterator[tuple[int, Json]]:
    """The events that a line has brought, each with its place among them."""
    state = game.state
    own = len(game.played) - first_since(game.played, number)
    for seen in events_seen(game, last=own):
        event = seen.entry.event
        told = {lang: event_json(event, names_of(state), lang, state.rules) for lang in LANGUAGES}
        yield seen.place, {"event": type(event).__name__, "t": seen.entry.t, "told": told}


ANSWER_S: Final = 15.0
"""Time limit of one request, its whole answer included."""
LOOK_S: Final = 2.0
"""How often to look for messages that are due."""
LONGEST_S: Final = 300.0
"""The longest pause after an address has taken nothing. New messages do not end the pause."""
ABOUT_MESSAGE: Final = frozenset(f"answered {status}" for status in (400, 413, 422))
"""Answers that refuse only one message. After any other failure the address is away: nothing is
posted to it for a while."""
SECRET_BYTES: Final = 24
MOST_KEPT: Final = 8
"""Records whose replays are kept."""
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
            if not _is_address(url):
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


@dataclass(frozen=True)
class _Read:
    """Lines of a record, replayed."""

    record_id: int
    begun_s: float
    """Tells it from a later record with the same number."""
    game: Game

    def of(self, cursor: Cursor) -> Game:
        """The game, if it is of the cursor's record; otherwise an empty one."""
        same = (self.record_id, self.begun_s) == (cursor.record_id, cursor.begun_s)
        return self.game if same else Game()


class _Reads:
    """The last few replays of records: several that are told by turns are not begun anew."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, _Read] = {}

    def keep(self, what: Hashable, read: _Read) -> None:
        self._kept.pop(what, None)
        self._kept[what] = read
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def of(self, cursor: Cursor) -> Game:
        """The longest one of the cursor's record; an empty one for none."""
        return self.up_to(cursor, cursor.lines)

    def up_to(self, cursor: Cursor, count: int) -> Game:
        """The same, of so many lines at most."""
        games = (read.of(cursor) for read in self._kept.values())
        shorter = (game for game in games if len(game.entries) <= count)
        return max(shorter, key=lambda game: len(game.entries), default=Game())

    def clear(self) -> None:
        self._kept.clear()


class Webhooks:
    """Owned by the hall's event loop."""

    def __init__(self, engine: Engine, settings: WebhookSettings, say: LineSink) -> None:
        """``say`` informs the person at the machine."""
        self._cursors = Cursors(engine, self._tell_forgotten)
        self._records = Records(engine)
        self._settings = settings
        self._signer = Webhook(settings.secret)
        self._say = say
        self._tables: Collection[RemoteTable] = ()
        self._posts = {url: _Address() for url in settings.urls}
        self._kept = _Reads()
        """Records that were read and that no table shows."""
        self._unmade: set[int] = set()
        """Records whose messages could not be made; the person knows of it."""
        self._reading = asyncio.Lock()
        """Held while messages are made of lines."""
        self._name_changes = 0
        """What was made before the last one is made anew before it is posted."""
        self._cursors.begin(settings.urls)

    def jobs(self, tables: Collection[RemoteTable]) -> list[Job]:
        """Post messages, first those of lines that came before the start.

        Each address has a job of its own, so that none waits for another. ``tables``: those of the
        hall, also of later ones.
        """
        self._tables = tables
        return [
            Job(f"the webhook {_shown(url)}", partial(self._post_next, url), 0.0, LONGEST_S)
            for url in self._settings.urls
        ]

    def happened(self) -> None:
        """Post the messages about new lines soon."""
        for address in self._posts.values():
            address.has_news = True
            address.news.set()

    def needed(self, watched: RemoteTable, needs: Sequence[Need]) -> None:
        """Post that somebody is needed at a table, or no longer is: of each table the newest."""
        name = watched.table.name
        record = None if watched.record is None else watched.record[0]
        data = about_table(watched.table, record, watched.game) | {"needs": list(needs)}
        message = Message(f"{name}-{secrets.token_hex(8)}-{NEEDS}", NEEDS, data)
        for address in self._posts.values():
            address.needs[name] = message, datetime.now(UTC)
            address.news.set()

    @contextlib.asynccontextmanager
    async def names_change(self) -> AsyncIterator[None]:
        """Make no message meanwhile, and read all lines again afterwards."""
        async with self._reading:
            self._name_changes += 1
            try:
                yield
            finally:
                self._kept.clear()
                for address in self._posts.values():
                    address.told.clear()

    async def _post_next(self, url: str) -> None:
        """Post the next messages of an address; raise ``StepFailed`` where it takes none."""
        address = self._posts[url]
        while not (is_due := address.has_news or await self._is_due(url)) and not address.needs:
            await _set_or_later(address.news)
        await self._post_needs(url)
        if not is_due:
            return
        cursor = None
        with contextlib.suppress(*AWAY):  # other jobs of the hall report it
            cursor = await asyncio.to_thread(self._cursors.next, url)
        if cursor is None:
            await _set_or_later(address.news)
            return
        with database_trouble():
            await self._post_lines(cursor)

    async def _is_due(self, url: str) -> bool:
        with contextlib.suppress(*AWAY):
            return await asyncio.to_thread(self._cursors.is_due, url)
        return False

    async def _post_needs(self, url: str) -> None:
        waiting = self._posts[url].needs
        for table, (need, at) in list(waiting.items()):
            if not await self._is_taken(url, need, at):
                self._say(f"the webhook {_shown(url)} refused to be told who is needed at {table}")
            if waiting[table][0] is need:
                del waiting[table]

    async def _post_lines(self, cursor: Cursor) -> None:
        """Post the messages of the next line that has some."""
        taken, refused = self._posts[cursor.url].taken, set[str]()
        while True:
            names = self._name_changes
            made = await self._next_messages(cursor)
            if made is None:
                return
            line, messages = made
            left = [one for one in messages if one.id not in taken | refused]
            if not left:
                break
            came_s = await asyncio.to_thread(self._cursors.came_s, cursor.record_id, line)
            at = datetime.fromtimestamp(came_s, UTC)
            for message in left:
                if names != self._name_changes:
                    break  # it may name somebody who is forgotten: it is made anew
                is_taken = await self._is_taken(cursor.url, message, at)
                (taken if is_taken else refused).add(message.id)
            else:
                break
        is_done = True
        if refused:
            is_done = await asyncio.to_thread(self._cursors.refused, cursor, line)
            self._tell_given_up(cursor.url, int(is_done))
        else:
            await asyncio.to_thread(self._cursors.taken, cursor, line)
        if is_done:
            taken.difference_update(message.id for message in messages)

    async def _next_messages(self, cursor: Cursor) -> tuple[int, list[Message]] | None:
        """The next line of a cursor that has messages, or its last one, and what they are.

        None where they cannot be made: a fault in one record holds up no other.
        """
        async with self._reading:
            tables = [of for of in self._tables if not of.is_outdated]
            shown = {of.record[1]: of.game for of in tables if of.record is not None}
            try:
                made = await asyncio.to_thread(self._made, cursor, shown.get(cursor.record_id))
            except AWAY:
                raise
            except Exception as error:
                self._tell_unmade(cursor, error)
            else:
                self._unmade.discard(cursor.record_id)
                return made
        self._tell_given_up(cursor.url, await asyncio.to_thread(self._cursors.unmade, cursor))
        return None

    def _tell_unmade(self, cursor: Cursor, error: Exception) -> None:
        if cursor.record_id not in self._unmade:
            self._unmade.add(cursor.record_id)
            why = f"no messages can be made of {cursor.record}"
            # Only the kind of error is told, because its message may hold secrets.
            self._say(f"webhooks: {why}: {type(error).__name__}; tried again")
            told = {"message": f"webhooks: {why}", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)

    def _tell_given_up(self, url: str, lines: int) -> None:
        if lines:
            self._say(f"the webhook {_shown(url)} was never told of {lines} lines; given up")

    def _tell_forgotten(self, url: str, lines: int) -> None:
        why = "no hall has served it for days"
        self._say(f"the webhook {_shown(url)} is forgotten, as {why}; {lines} lines waited for it")

    def _made(self, cursor: Cursor, shown: Game | None) -> tuple[int, list[Message]]:
        game = self._game(cursor, shown)
        last = min(cursor.lines, cursor.end_line) - 1
        every = self._settings.every
        for line in range(cursor.next_line, last + 1):
            if every or type(game.entries[line].event) in KINDS:
                so_far = self._first_lines(cursor, game, line + 1)
                messages = messages_of(cursor.record_id, cursor.record, cursor.table, so_far, every)
                if messages:
                    return line, messages
        return last, []

    def _game(self, cursor: Cursor, shown: Game | None) -> Game:
        """The lines of a cursor's record, replayed; ``shown``: as its table shows them."""
        known = [shown or Game(), self._kept.of(cursor)]
        game = max(known, key=lambda game: len(game.entries))
        there = len(game.entries)
        if there < cursor.lines:  # they came before the start, or another program took them
            new = self._records.entries(cursor.record_id, there)
            game = game.with_lines(*new) if there else replayed(new)
            read = _Read(cursor.record_id, cursor.begun_s, game)
            self._kept.keep(cursor.record_id, read)
        return game

    def _first_lines(self, cursor: Cursor, game: Game, count: int) -> Game:
        """The game that so many lines of a cursor's record tell.

        A later correction of an early line is costly to undo: then each line goes on from the last
        one of which any address was told.
        """
        before = Game()
        if any(isinstance(entry.event, Correct) for entry in game.entries[count:]):
            known = (address.told.up_to(cursor, count) for address in self._posts.values())
            before = max(known, key=lambda told: len(told.entries))
        there = len(before.entries)
        so_far = before.with_lines(*game.entries[there:count]) if there else game.first_lines(count)
        # A line that was refused is told beside the others, and mostly far behind them.
        which = cursor.record_id, cursor.end_line == NO_END
        self._posts[cursor.url].told.keep(which, _Read(cursor.record_id, cursor.begun_s, so_far))
        return so_far

    async def _is_taken(self, url: str, message: Message, at: datetime) -> bool:
        """Post one message, which may be refused; raise ``StepFailed`` where an address is away."""
        self._posts[url].has_news = False
        why = await self._post(url, message, at)
        with database_trouble():
            if why is None or why in ABOUT_MESSAGE:
                await asyncio.to_thread(self._cursors.is_there, url)
                return why is None
            self._tell_given_up(url, await asyncio.to_thread(self._cursors.is_away, url))
        raise StepFailed(f"it took no message: {why}")

    async def _post(self, url: str, message: Message, at: datetime) -> str | None:
        """Post one message; return why it was not taken."""
        body = json.dumps(
            {"type": message.kind, "data": message.data, "timestamp": at.isoformat()},
            ensure_ascii=False,
        )
        now = datetime.now(UTC)
        headers = {
            "Content-Type": "application/json",
            "webhook-id": message.id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": self._signer.sign(message.id, now, body),
        }
        try:
            answer = await ask(url, body.encode(), headers, ANSWER_S)
        except NotAnswered as error:
            return str(error)
        return None if 200 <= answer.status < 300 else f"answered {answer.status}"


class _Address:
    """What one address waits for."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.needs: dict[str, tuple[Message, datetime]] = {}
        """What was not taken yet, by table."""
        self.has_news = False
        """Whether something new came since it was last tried: then it is tried before its time."""
        self.taken: set[str] = set()
        """Ids of the messages it took of lines of which it has not taken all."""
        self.told = _Reads()
        """The lines of each record up to the one of which it was told last."""


async def _set_or_later(event: asyncio.Event) -> None:
    """Wait until something is set, but not for long: another program may write the database."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LOOK_S):
            await event.wait()
    event.clear()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half a bracket, a port that is no number
        return False


def _shown(url: str) -> str:
    """The address without what may be secret in it."""
    return urlsplit(url).hostname or ""
