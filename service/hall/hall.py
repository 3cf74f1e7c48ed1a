"""All tables of a hall while it is open: lines are kept first, then shown."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Final

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from engine.events import Entry
from service.errors import Refused
from service.hall.deadlines import NO_ANSWER, in_database, in_time
from service.hall.keys import KeyStore
from service.hall.league import Leagues
from service.hall.records import Records, TableRow, Taken
from service.hall.request_bodies import TableCondition
from service.hall.watched_table import WatchedTable
from service.report.public import Json
from service.table.corrections import NotThere
from service.table.subscriber import Subscriber

MOST_TABLES: Final = 200
LOOK_S: Final = 2.0
"""How often it is seen whether a table has fallen silent."""


class Hall:
    """Owned by the loop of the server; whatever waits for the database waits in a thread."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        """Take up the tables as the database has them.

        ``clock`` counts seconds, whatever the time of day is set to.
        """
        self.keys = KeyStore(engine)
        self.records = Records(engine)
        self.leagues = Leagues(engine)
        self._clock = clock
        self._tables: dict[str, WatchedTable] = {}
        self._writing: dict[str, asyncio.Lock] = {}
        self._telling = asyncio.Lock()
        self._subscribers: dict[Subscriber, tuple[str | None, int | None]] = {}
        self._needs: dict[str, list[Json]] = {}
        self._untold: set[int] = set()
        for number in self.leagues.untold():  # the program was ended before, or is newer
            self.leagues.retell(number)
        for row in self.records.tables():
            self._take_up(row)

    async def run(self) -> None:
        """Look after the tables until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.look()
            await self.tell_results()
            await self._let_go_revoked()

    async def _let_go_revoked(self) -> None:
        """Close pages whose keys somebody revoked in the database, beside this program."""
        numbers = {key for _, key in self._subscribers.values() if key is not None}
        if numbers:
            with contextlib.suppress(*NO_ANSWER):
                for number in await in_database(self.keys.revoked, numbers):
                    self.send_away(number)

    def look(self) -> None:
        """Tell the pages where somebody is needed now, or no longer is."""
        for name, watched in self._tables.items():
            if watched.needs(self._clock()) != self._needs.get(name, []):
                self._changed(watched, happened=False)

    def find(self, name: str) -> WatchedTable:
        """Raises ``NotThere``."""
        watched = self._tables.get(name)
        if watched is None:
            raise NotThere(f"there is no table {name} in this hall; ask for the list of them")
        return watched

    def rows(self) -> list[Json]:
        now_s = self._clock()
        return [self._tables[name].row(now_s) for name in sorted(self._tables)]

    async def add_table(self, name: str, title: str) -> str:
        """Make room for a table; answers its key."""
        if len(self._tables) >= MOST_TABLES:
            raise Refused(f"a hall has at most {MOST_TABLES} tables")
        row = await in_database(self.records.add_table, name, title)
        key = await in_database(self.keys.make, "table", row.id, title)
        self._take_up(row)
        self._changed(self._tables[name])
        return key

    async def change_table(self, name: str, title: str, league: int | None) -> None:
        """Raises ``NotThere`` for a league that there is not."""
        watched = self.find(name)
        if league is not None:
            await in_database(self.leagues.find, league)
        old = watched.table
        await in_database(self.records.change_table, old.id, title, league)
        watched.table = TableRow(old.id, name, title, league)
        self._changed(watched)

    async def post(self, name: str, record: str, first: int, entries: Sequence[Entry]) -> int:
        """Keep what a table sends and show it; answers how many lines the record has now.

        Raises ``OutOfStep`` with nothing taken.
        """
        watched = self.find(name)
        results = False
        async with self._writing_to(name):
            held = await in_database(self.records.take, watched.table.id, record, first, entries)
            now_s = self._clock()
            # Lines may stand there since an attempt that was not waited for any longer.
            news = held.new > 0 or watched.is_behind(held)
            if news:
                new = entries[len(entries) - held.new :]
                results = await self._go_on(watched, record, held, new, now_s)
            watched.heard_s = now_s
        if news:
            self._changed(watched)
            if results:
                self._untold.add(held.record_id)
                await self.tell_results()
        return held.lines

    def hear(self, name: str, condition: TableCondition) -> None:
        """Take what a table says about itself."""
        watched = self.find(name)
        watched.condition, watched.heard_s = condition, self._clock()
        self.look()

    async def tell_results(self) -> None:
        """Read the results out of records that say something new about them.

        What cannot be written now is tried again later: the lines are safe.
        """
        async with self._telling:
            for number in sorted(self._untold):
                with contextlib.suppress(DBAPIError):
                    await asyncio.to_thread(self.leagues.retell, number)
                    self._untold.discard(number)

    @contextlib.contextmanager
    def subscribed(self, table: str | None, key: int | None) -> Iterator[Subscriber]:
        """Messages about one table or, for None, about all of them; ``key`` opened the page."""
        subscriber = Subscriber()
        self._subscribers[subscriber] = (table, key)
        try:
            yield subscriber
        finally:
            del self._subscribers[subscriber]

    def all_rows(self) -> Json:
        """What a page of the hall is told first."""
        return {"type": "hall", "tables": self.rows()}

    def page(self, name: str) -> Json:
        """What a page of one table is told, first and whenever something happens there."""
        return {"type": "page", **self.find(name).page()}

    def send_away(self, key: int | None = None) -> None:
        """Close the pages that a key has opened, or all of them."""
        for subscriber, (_, own) in self._subscribers.items():
            if key is None or own == key:
                subscriber.too_slow.set()
                subscriber.offer({"type": "closed"})

    async def _go_on(
        self, watched: WatchedTable, record: str, held: Taken, new: Sequence[Entry], now_s: float
    ) -> bool:
        """Show the new lines; answers whether results may be others now."""
        same = watched.record == (record, held.record_id)
        if same and len(watched.game.entries) + len(new) == held.lines:
            return watched.add(new, now_s)
        entries = await asyncio.to_thread(self.records.entries, held.record_id)
        watched.begin((record, held.record_id), entries, now_s)
        return True

    @contextlib.asynccontextmanager
    async def _writing_to(self, name: str) -> AsyncIterator[None]:
        """One post of a table after the other; raises ``NoAnswer`` where that takes too long."""
        async with in_time():
            await self._writing[name].acquire()
        try:
            yield
        finally:
            self._writing[name].release()

    def _take_up(self, row: TableRow) -> None:
        watched = WatchedTable(row, self._clock())
        latest = self.records.latest(row.id)
        if latest is not None:
            name, number, came_s = latest
            ago_s = max(0.0, time.time() - came_s)
            entries = self.records.entries(number)
            watched.begin((name, number), entries, self._clock() - ago_s)
        self._tables[row.name] = watched
        self._writing[row.name] = asyncio.Lock()

    def _changed(self, watched: WatchedTable, happened: bool = True) -> None:
        """Tell the pages; that of the table itself only where something happened there."""
        name = watched.table.name
        row = watched.row(self._clock())
        self._needs[name] = watched.needs(self._clock())
        page: Json | None = None
        for subscriber, (about, _) in list(self._subscribers.items()):
            if about is None:
                subscriber.offer({"type": "table", "table": row})
            elif about == name and happened:
                page = page or self.page(name)
                subscriber.offer(page)
