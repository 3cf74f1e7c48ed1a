"""How far each webhook has been told of each record, and when it is tried again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Engine, and_, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.hall.database import Store
from service.hall.database_schema import (
    LINES,
    RECORDS,
    TABLES,
    WEBHOOK_ADDRESSES,
    WEBHOOK_CURSORS,
)
from service.hall.records import TableRow

AGAIN_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next attempt; what has waited for all of them is given up."""
FORGOTTEN_S: Final = float(sum(AGAIN_S))
"""An address that no hall has served for as long is forgotten: all that waits has waited for it."""
NOTED_S: Final = 3600.0
"""How often it is noted that an address is served."""
NO_END: Final = 2**31 - 1
"""The end of a cursor that goes on with the record. Another one tells a single line again."""
_TO: Final = WEBHOOK_ADDRESSES.c
_AT: Final = WEBHOOK_CURSORS.c
_OPEN: Final = _AT.end_line == NO_END


@dataclass(frozen=True)
class Cursor:
    """Lines of a record that an address is to be told of."""

    url: str
    record_id: int
    next_line: int
    end_line: int
    """The first line that is not meant: ``NO_END``, or the one after a line that was refused."""
    attempts: int
    """How often the messages of the next line were refused, or could not be made."""
    record: str
    """Its name."""
    begun_s: float
    """When the record was begun."""
    lines: int
    """How many there are."""
    table: TableRow


class Cursors(Store):
    """Addresses, a cursor for each of their records, and one for each line that was refused.

    Several halls may use one database, each with addresses of its own. Two may serve the same
    address: a line is told twice then, but none is left out.
    """

    def __init__(
        self, engine: Engine, on_forgotten: Callable[[str, int], object] = lambda *_: None
    ) -> None:
        """``on_forgotten`` takes an address that is forgotten, and how many lines waited for it."""
        super().__init__(engine)
        self._on_forgotten = on_forgotten
        self._own: tuple[str, ...] = ()

    def begin(self, urls: Sequence[str]) -> None:
        """Serve these addresses; a new one is told of what comes from now on."""
        self._own = tuple(urls)
        self._know()
        self._forget()

    def is_due(self, url: str) -> bool:
        """Whether it is time to try an address."""
        later = select(_TO.url).where(_TO.url == url, _TO.due_s > time.time())
        return not self._rows(later)

    def next(self, url: str) -> Cursor | None:
        """The cursor whose next line came first, of those that are due.

        An address that was forgotten meanwhile is a new one.
        """
        if self._know():
            self._forget()
        self._begin_records(url)
        line = and_(LINES.c.record_id == _AT.record_id, LINES.c.number == _AT.next_line)
        asked = (
            select(WEBHOOK_CURSORS, RECORDS.c.lines, RECORDS.c.name.label("record"))
            .add_columns(TABLES.c.id, TABLES.c.name, TABLES.c.title, TABLES.c.league_id)
            .add_columns(RECORDS.c.begun_s)
            .join(RECORDS, RECORDS.c.id == _AT.record_id)
            .join(TABLES, TABLES.c.id == RECORDS.c.table_id)
            .join(LINES, line)
            .where(_AT.url == url, _AT.due_s <= time.time())
            .order_by(LINES.c.came_s, _AT.record_id, _AT.next_line)
            .limit(1)
        )
        return next((_cursor(row) for row in self._rows(asked)), None)

    def came_s(self, record_id: int, number: int) -> float:
        """When a line came."""
        asked = select(LINES.c.came_s).where(LINES.c.record_id == record_id)
        (row,) = self._rows(asked.where(LINES.c.number == number))
        return float(row.came_s)

    def is_there(self, url: str) -> None:
        """Note that an address reads messages: all that waits for it is due."""
        away = and_(_TO.url == url, _TO.attempts > 0)
        if self._rows(select(_TO.url).where(away)):
            with self._engine.begin() as connection:
                back = update(WEBHOOK_ADDRESSES).where(away)
                connection.execute(back.values(attempts=0, due_s=0.0))

    def is_away(self, url: str) -> int:
        """Note that an address took nothing; return how many lines are given up.

        An attempt before its time does not count.
        """
        now_s = time.time()
        due = and_(_TO.url == url, _TO.due_s <= now_s)
        with self._engine.begin() as connection:
            asked = select(_TO.attempts).where(due).with_for_update()
            attempts = connection.execute(asked).scalar_one_or_none()
            if attempts is None:
                return 0
            connection.execute(update(WEBHOOK_ADDRESSES).where(due).values(_later(attempts)))
            if attempts < len(AGAIN_S):
                return 0
            rows = connection.execute(select(WEBHOOK_CURSORS).where(_AT.url == url)).all()
            return sum(_give_up(connection, row, now_s) for row in rows)

    def taken(self, cursor: Cursor, line: int) -> None:
        """Go on after a line that was taken."""
        with self._engine.begin() as connection:
            _go_on(connection, cursor, line)

    def refused(self, cursor: Cursor, line: int) -> bool:
        """Go on without a line, which is told again later; return whether it is given up."""
        with self._engine.begin() as connection:
            if cursor.end_line == NO_END:
                _go_on(connection, cursor, line)
                _tell_again(connection, cursor, line)
                return False
            if cursor.attempts < len(AGAIN_S):
                _postpone(connection, cursor)
                return False
            _go_on(connection, cursor, line)
        return True

    def unmade(self, cursor: Cursor) -> int:
        """Let a record wait whose messages cannot be made; return how many lines are given up."""
        with self._engine.begin() as connection:
            _postpone(connection, cursor)
            if cursor.attempts < len(AGAIN_S):
                return 0
            return _give_up(connection, cursor, time.time())

    def _know(self) -> bool:
        """Note that all own addresses are served; return whether that was due.

        A new one begins after what has come.
        """
        now_s = time.time()
        asked = select(_TO.url, _TO.served_s).where(_TO.url.in_(self._own))
        known = {row.url: row.served_s for row in self._rows(asked)}
        # The clock of another hall may be ahead: what it noted would last too long.
        is_due = not all(now_s - NOTED_S <= at_s <= now_s for at_s in known.values())
        if is_due:
            with self._engine.begin() as connection:
                own = update(WEBHOOK_ADDRESSES).where(_TO.url.in_(self._own))
                connection.execute(own.values(served_s=now_s))
        for url in self._own:
            if url not in known:
                self._begin_address(url, now_s)
        return is_due

    def _begin_address(self, url: str, now_s: float) -> None:
        # Another program may serve the same address, and be first.
        with contextlib.suppress(IntegrityError), self._engine.begin() as connection:
            connection.execute(insert(WEBHOOK_ADDRESSES).values(url=url, served_s=now_s))
            records = connection.execute(select(RECORDS.c.id, RECORDS.c.lines)).all()
            _begin(connection, url, {row.id: row.lines for row in records})

    def _forget(self) -> None:
        """Forget the addresses that no hall serves any more; whoever serves none forgets none."""
        if not self._own:
            return
        old = and_(_TO.url.not_in(self._own), _TO.served_s < time.time() - FORGOTTEN_S)
        gone: dict[str, int] = {}
        with self._engine.begin() as connection:
            for url in connection.execute(select(_TO.url).where(old)).scalars().all():
                waiting = _waiting(connection, url)
                # Another program may have forgotten it, or serve it again since.
                if connection.execute(
                    delete(WEBHOOK_ADDRESSES).where(old, _TO.url == url)
                ).rowcount:
                    gone[url] = waiting
        for url, lines in gone.items():
            self._on_forgotten(url, lines)

    def _begin_records(self, url: str) -> None:
        """Begin with records that came after a known address; earlier ones have a cursor."""
        own = and_(_AT.record_id == RECORDS.c.id, _AT.url == url, _OPEN)
        known = select(_TO.url).where(_TO.url == url).exists()
        asked = select(RECORDS.c.id).outerjoin(WEBHOOK_CURSORS, own).where(_AT.url.is_(None), known)
        new = {row.id: 0 for row in self._rows(asked)}
        if new:
            # Another program may be first, or may have forgotten the address.
            with contextlib.suppress(IntegrityError), self._engine.begin() as connection:
                _begin(connection, url, new)


def _begin(connection: Connection, url: str, first: dict[int, int]) -> None:
    rows = [
        {"url": url, "record_id": number, "end_line": NO_END, "next_line": line}
        for number, line in first.items()
    ]
    if rows:
        connection.execute(insert(WEBHOOK_CURSORS), rows)


def _of(cursor: Any) -> Any:
    return and_(_AT.url == cursor.url, _AT.record_id == cursor.record_id)


def _go_on(connection: Connection, cursor: Any, line: int) -> None:
    """Set a cursor after a line, unless another program has brought it further already."""
    own = and_(_of(cursor), _AT.end_line == cursor.end_line, _AT.next_line <= line)
    if cursor.end_line == line + 1:
        connection.execute(delete(WEBHOOK_CURSORS).where(own))
    else:
        after = {"next_line": line + 1, "attempts": 0, "due_s": 0.0}
        connection.execute(update(WEBHOOK_CURSORS).where(own).values(after))


def _postpone(connection: Connection, cursor: Cursor) -> None:
    own = and_(_of(cursor), _AT.end_line == cursor.end_line)
    later = update(WEBHOOK_CURSORS).where(own).values(_later(cursor.attempts))
    connection.execute(later)


def _give_up(connection: Connection, cursor: Any, now_s: float) -> int:
    """Pass over the lines that have waited for all attempts; return how many."""
    old = select(func.count()).where(
        LINES.c.record_id == cursor.record_id,
        LINES.c.number >= cursor.next_line,
        LINES.c.number < cursor.end_line,
        LINES.c.came_s < now_s - sum(AGAIN_S),
    )
    count = int(connection.execute(old).scalar_one())
    if count:
        _go_on(connection, cursor, cursor.next_line + count - 1)
    return count


def _waiting(connection: Connection, url: str) -> int:
    """How many lines an address has not been told of."""
    begun = select(_AT.record_id).where(_AT.url == url, _OPEN)
    later = select(func.count()).where(LINES.c.record_id.not_in(begun))
    line = and_(LINES.c.record_id == _AT.record_id, LINES.c.number >= _AT.next_line)
    due = select(func.count()).select_from(WEBHOOK_CURSORS).join(LINES, line)
    due = due.where(_AT.url == url, LINES.c.number < _AT.end_line)
    return sum(int(connection.execute(count).scalar_one()) for count in (later, due))


def _tell_again(connection: Connection, cursor: Cursor, line: int) -> None:
    """Give a line its own cursor, unless another program has done so."""
    own = and_(_of(cursor), _AT.end_line == line + 1)
    if connection.execute(select(_AT.url).where(own)).first() is None:
        of = {"url": cursor.url, "record_id": cursor.record_id}
        row = of | {"end_line": line + 1, "next_line": line} | _later(0)
        connection.execute(insert(WEBHOOK_CURSORS).values(row))


def _later(attempts: int) -> dict[str, float]:
    """The next attempt after so many in vain before this one."""
    pause_s = AGAIN_S[min(attempts, len(AGAIN_S) - 1)]
    return {"attempts": attempts + 1, "due_s": time.time() + pause_s}


def _cursor(row: Any) -> Cursor:
    table = TableRow(row.id, row.name, row.title, row.league_id)
    return Cursor(
        row.url,
        row.record_id,
        row.next_line,
        row.end_line,
        row.attempts,
        row.record,
        row.begun_s,
        row.lines,
        table,
    )
