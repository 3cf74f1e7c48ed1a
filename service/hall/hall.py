"""All tables of a hall while it runs: lines are stored first, then shown."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from typing import Final

from sqlalchemy import Engine

from engine.errors import NotThere, Refused
from engine.events import Entry
from engine.game import Game
from service.hall.access import KeyStore, database_trouble, each, in_database, in_time
from service.hall.database import AWAY
from service.hall.league import Leagues
from service.hall.names import PlayerNames
from service.hall.people import People
from service.hall.records import Records, TableRow, Taken
from service.hall.remote_table import SILENT_S, RemoteTable
from service.hall.results import Results
from service.hall.webhooks import Webhooks
from service.hall.wire import (
    HallTableView,
    HallView,
    Need,
    PagesView,
    RowView,
    TableCondition,
)
from service.machine.records import replayed
from service.table.view import Moment, shown
from service.web.background import Job, StepFailed
from service.web.grants import Grant, Role
from service.web.subscriber import Subscriber

LOOKS_ON: Final = Grant(Role.VIEWER)
"""What everybody sees of a table here: hidden hands and corrections are its own matter."""
Told = Moment | RowView | None
"""What a page is told of; None where it is closed."""
MOST_TABLES: Final = 200
ALL_PAGES: Final = "*"
"""Stands for every table's page where one table is asked for; no table has this name."""
LOOK_S: Final = 2.0
"""How often to look whether a table has fallen silent, and what else is to be done."""


class Hall:
    """Owned by the server's event loop; calls that wait for the database run in threads."""

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], float] = time.monotonic,
        webhooks: Webhooks | None = None,
        jobs: Sequence[Job] = (),
    ) -> None:
        """Load the tables from the database.

        ``clock`` counts seconds, independent of the time of day. ``jobs``: what else goes on in
        the background.
        """
        self._other_jobs = jobs
        self.webhooks = webhooks
        self.keys = KeyStore(engine)
        self.records = Records(engine)
        self.leagues = Leagues(engine)
        self.results = Results(engine)
        self.people = People(engine)
        self.player_names = PlayerNames(engine)
        self._clock = clock
        self._tables: dict[str, RemoteTable] = {}
        self._writing: dict[str, asyncio.Lock] = {}
        self._updating = asyncio.Lock()
        self._results_wait = asyncio.Event()
        self._subscribers: dict[Subscriber[Told], tuple[str | None, int | None]] = {}
        self._needs: dict[str, list[Need]] = {}
        """Of the tables that were told of: at first none, as an earlier start may have told."""
        self._loaded_s = clock()
        self._has_deleted = True
        """Whether the log of changes may hold what was deleted; after a start nobody knows."""
        self._stale_results: set[int] = set()
        self._news: dict[int, Game] = {}
        """The replays of those of which only lines have come."""
        # The program may have ended before it could, or be newer than the results.
        self._stale_results.update(self.results.with_news())
        if self._stale_results:
            self._results_wait.set()
        for row in self.records.tables():
            self._load_table(row)

    def jobs(self) -> list[Job]:
        """What goes on in the background while the hall is open."""
        own = [
            Job("tables", self._watch, LOOK_S),
            Job("results", self._derive_results, 0.0),
            Job("mistakes", self._judge_games, LOOK_S),
            Job("revoked keys", self._close_revoked, LOOK_S),
            Job("tables on show", self._show_outdated, LOOK_S),
            Job("deleted names in the log", self._empty_log, LOOK_S),
            *self._other_jobs,
        ]
        webhooks = self.webhooks
        return own + ([] if webhooks is None else webhooks.jobs(self._tables.values()))

    async def _watch(self) -> None:
        self.look()

    async def _derive_results(self) -> None:
        """Derive results as soon as lines have changed some; the post is answered before."""
        await self._results_wait.wait()
        self._results_wait.clear()  # first: lines may come while they are derived
        try:
            with database_trouble():
                await self.update_results()
        except BaseException:
            self._results_wait.set()
            raise

    async def _judge_games(self) -> None:
        """Judge the decisions of hands that are over, and of finished games one after another."""
        tables = [of for of in self._tables.values() if of.record is not None]
        shown = {of.record[1]: of.game for of in tables if of.record is not None}
        await asyncio.to_thread(self.results.judge_hands, shown)
        with database_trouble():
            unjudged = await asyncio.to_thread(self.results.unjudged)
            await each(
                lambda game: asyncio.to_thread(self.results.judge, game, shown.get), unjudged
            )

    async def _close_revoked(self) -> None:
        """Close pages whose keys were revoked directly in the database."""
        numbers = {key for _, key in self._subscribers.values() if key is not None}
        if numbers:
            with database_trouble():
                for number in await in_database(self.keys.revoked, numbers):
                    self.close_pages(number)

    def look(self) -> None:
        """Tell the pages where somebody is needed now, or no longer is."""
        for name, watched in self._tables.items():
            if self._needs_now(watched) != self._needs.get(name):
                self._changed(watched, happened=False)

    def find(self, name: str) -> RemoteTable:
        """Return a table; raise ``NotThere``."""
        watched = self._tables.get(name)
        if watched is None:
            raise NotThere(f"there is no table {name} in this hall")
        return watched

    def rows(self, lang: str) -> list[HallTableView]:
        now_s = self._clock()
        return [self._tables[name].row(now_s, lang) for name in sorted(self._tables)]

    async def add_table(self, name: str, title: str) -> str:
        """Add a table and return its key."""
        if len(self._tables) >= MOST_TABLES:
            raise Refused(f"a hall has at most {MOST_TABLES} tables")
        row = await in_database(self.records.add_table, name, title)
        key = await in_database(self.keys.make, "table", row.id, title)
        self._load_table(row)
        self._needs[name] = []
        self._changed(self._tables[name])
        return key

    async def change_table(self, name: str, title: str, league: int | None) -> None:
        """Raise ``NotThere`` for an unknown league."""
        watched = self.find(name)
        if league is not None:
            await in_database(self.leagues.find, league)
        old = watched.table
        await in_database(self.records.change_table, old.id, title, league)
        watched.table = TableRow(old.id, name, title, league)
        self._changed(watched)

    async def post(self, name: str, record: str, first: int, entries: Sequence[Entry]) -> int:
        """Store and show posted lines; return how many lines the record has now.

        Raise ``OutOfStep`` with nothing stored.
        """
        watched = self.find(name)
        results = False
        async with self._one_post_at_a_time(name):
            held = await in_database(self.records.take, watched.table.id, record, first, entries)
            now_s = self._clock()
            # Lines of an earlier post may have been stored after its request had timed out.
            news = held.new > 0 or watched.is_behind(held)
            if news:
                new = entries[len(entries) - held.new :]
                results = await self._show_new(watched, record, held, new, now_s)
            watched.heard_s = now_s
        if news:
            self._changed(watched)
            if self.webhooks is not None:
                self.webhooks.happened()
            if results:
                number = held.record_id
                is_known = number in self._news or number not in self._stale_results
                if is_known and not watched.is_outdated:
                    self._news[number] = watched.game
                self._stale_results.add(number)
                self._results_wait.set()
        return held.lines

    @property
    def is_deriving(self) -> bool:
        """Whether results are not those of all lines yet."""
        return bool(self._stale_results) or self._updating.locked()

    def hear(self, name: str, condition: TableCondition) -> None:
        """Take a table's report about itself."""
        watched = self.find(name)
        unsure = watched.unsure
        watched.condition, watched.heard_s = condition, self._clock()
        if watched.unsure != unsure:
            self._changed(watched)
        self.look()

    async def forget(self, number: int) -> None:
        """Forget a person; raise ``NotThere``.

        What cannot be cleared of the name at once is left to jobs in the background.
        """
        webhooks = self.webhooks
        telling = contextlib.nullcontext() if webhooks is None else webhooks.names_change()
        async with telling, self._updating:
            # First: the person may be deleted even where the database's answer is lost.
            self._has_deleted = True
            for watched in self._tables.values():
                watched.is_outdated = True
            await asyncio.to_thread(self.player_names.forget, number)
            self._news.clear()  # those replays have the name
        for step in (self._show_outdated, self._empty_log):
            with contextlib.suppress(Exception):  # its job tries again, and tells why
                await step()

    async def _show_outdated(self) -> None:
        """Show the tables anew that may show a forgotten name, or could not be read."""

        async def show_anew(watched: RemoteTable) -> None:
            async with self._writing[watched.table.name]:
                await self._show_anew(watched)

        async with self._updating:
            old = [watched for watched in self._tables.values() if watched.is_outdated]
            with database_trouble():
                await each(show_anew, old)

    async def _show_anew(self, watched: RemoteTable) -> None:
        """Show a table with the names that its people have now."""
        if watched.record is not None:
            entries = await asyncio.to_thread(self.records.entries, watched.record[1])
            if entries != list(watched.game.entries):
                game = await asyncio.to_thread(replayed, entries)
                watched.begin(watched.record, game, watched.last_line_s or self._clock())
                self._changed(watched)
        watched.is_outdated = False

    async def _empty_log(self) -> None:
        """Let the database drop its log of changes, where that may hold a deleted name."""
        if self._has_deleted:
            self._has_deleted = False  # first: more may be deleted meanwhile
            try:
                with database_trouble():
                    is_empty = await asyncio.to_thread(self.player_names.empty_log)
            except BaseException:
                self._has_deleted = True
                raise
            if not is_empty:
                self._has_deleted = True
                raise StepFailed("another program reads the database; its log keeps deleted names")

    async def update_results(self) -> None:
        """Update the results of records that have changed; raise what is in the way."""

        def update(number: int) -> None:
            self._stale_results.discard(number)  # first: lines may come while it is updated
            game = self._news.pop(number, None)
            try:
                self.results.update(number, game)
            except BaseException:
                self._stale_results.add(number)
                raise

        async with self._updating:
            await each(
                lambda number: asyncio.to_thread(update, number), sorted(self._stale_results)
            )

    @contextlib.contextmanager
    def subscribed(
        self, table: str | None, key: int | None, lang: str = "en"
    ) -> Iterator[Subscriber[Told]]:
        """Subscribe to messages in a language; ``key`` opened the page.

        ``table`` is one table, ``ALL_PAGES``, or None: a row for each table.
        """
        subscriber = Subscriber[Told](lang)
        self._subscribers[subscriber] = (table, key)
        try:
            yield subscriber
        finally:
            del self._subscribers[subscriber]

    def all_rows(self, lang: str) -> HallView:
        """The first message to a page of the hall."""
        return {"type": "hall", "tables": self.rows(lang)}

    async def all_pages(self, lang: str) -> PagesView:
        """The first message to a page that shows all tables at once, each with its last event."""
        moments = [self._tables[name].moment for name in sorted(self._tables)]
        return {
            "type": "pages",
            "pages": [await shown(at, lang, LOOKS_ON, most=1) for at in moments],
        }

    def close_pages(self, key: int | None = None) -> None:
        """Close the pages that a key has opened, or all pages."""
        for subscriber, (_, own) in self._subscribers.items():
            if key is None or own == key:
                subscriber.too_slow.set()
                subscriber.offer(None)

    async def _show_new(
        self, watched: RemoteTable, record: str, held: Taken, new: Sequence[Entry], now_s: float
    ) -> bool:
        """Show the new lines; return whether results may have changed."""
        same = watched.record == (record, held.record_id)
        if same and len(watched.game.entries) + len(new) == held.lines:
            return await asyncio.to_thread(watched.add, new, now_s)
        game = await asyncio.to_thread(self._replayed, held.record_id)
        watched.begin((record, held.record_id), game, now_s)
        return True

    def _replayed(self, record_id: int) -> Game:
        return replayed(self.records.entries(record_id))

    @contextlib.asynccontextmanager
    async def _one_post_at_a_time(self, name: str) -> AsyncIterator[None]:
        """Let one post of a table run at a time; raise ``NoAnswer`` where that takes too long."""
        async with in_time():
            await self._writing[name].acquire()
        try:
            yield
        finally:
            self._writing[name].release()

    def _load_table(self, row: TableRow) -> None:
        watched = RemoteTable(row, self._clock())
        latest = self.records.latest(row.id)
        if latest is not None:
            name, number, came_s = latest
            ago_s = max(0.0, time.time() - came_s)
            came_s = self._clock() - ago_s
            try:
                watched.begin((name, number), self._replayed(number), came_s)
            except AWAY:
                raise
            except Exception:  # the other tables go on; a job tries again, and tells why
                watched.record, watched.last_line_s = (name, number), came_s
                watched.is_outdated = True
        self._tables[row.name] = watched
        self._writing[row.name] = asyncio.Lock()

    def _needs_now(self, watched: RemoteTable) -> list[Need] | None:
        """What a table needs; None after a start, until the table has had time to say so."""
        now_s = self._clock()
        needs = watched.needs(now_s)
        known = watched.table.name in self._needs or now_s - self._loaded_s > SILENT_S
        return needs if needs or known else None

    def _changed(self, watched: RemoteTable, happened: bool = True) -> None:
        """Tell the pages; the table's own page only where something happened there."""
        name = watched.table.name
        needs = self._needs_now(watched)
        if needs is not None and needs != self._needs.get(name):
            self._needs[name] = needs
            if self.webhooks is not None:
                self.webhooks.needed(watched, needs)
        row = cache(lambda lang: watched.row(self._clock(), lang))
        for subscriber, (about, _) in list(self._subscribers.items()):
            if about is None:
                subscriber.offer({"type": "row", "table": row(subscriber.lang)})
            elif about in (name, ALL_PAGES) and happened:
                subscriber.offer(watched.moment)
