"""How far each webhook has been told of each record, and when it is tried again."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, and_, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.hall.database import Store
from service.hall.database_schema import LINES, RECORDS, TABLES, WEBHOOK_CURSORS
from service.hall.records import TableRow

AGAIN_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next attempt; what has waited for all of them is given up."""
NO_END: Final = 2**31 - 1
"""The end of a cursor that goes on with the record. Another one tells a single line again."""
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
    """How often the next line was posted in vain."""
    record: str
    """Its name."""
    lines: int
    """How many there are."""
    table: TableRow


class Cursors(Store):
    """A cursor for each address and record, and one for each line that an address has refused.

    Several programs may serve the same address: a line is told twice then, but none is left out.
    """

    def begin(self, urls: Sequence[str]) -> None:
        """Forget other addresses; a new one is told of what comes from now on."""
        with self._engine.begin() as connection:
            connection.execute(delete(WEBHOOK_CURSORS).where(_AT.url.not_in(urls)))
            known = set(connection.execute(select(_AT.url).distinct()).scalars())
            records = connection.execute(select(RECORDS.c.id, RECORDS.c.lines)).all()
            for url in set(urls) - known:
                _begin(connection, url, {row.id: row.lines for row in records})

    def next(self, url: str) -> Cursor | None:
        """The cursor whose next line came first, of those that are due."""
        self._begin_records(url)
        line = and_(LINES.c.record_id == _AT.record_id, LINES.c.number == _AT.next_line)
        asked = (
            select(WEBHOOK_CURSORS, RECORDS.c.lines, RECORDS.c.name.label("record"))
            .add_columns(TABLES.c.id, TABLES.c.name, TABLES.c.title, TABLES.c.league_id)
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

    def taken(self, cursor: Cursor, line: int) -> None:
        """Go on after a line that was taken; an address that takes again gets all that waits."""
        with self._engine.begin() as connection:
            _go_on(connection, cursor, line)
            if cursor.attempts:
                waits = update(WEBHOOK_CURSORS).where(_AT.url == cursor.url, _OPEN)
                connection.execute(waits.values(due_s=0.0))

    def refused(self, cursor: Cursor, line: int) -> bool:
        """Go on without a line, which is told again later; return whether it is given up."""
        own = and_(_of(cursor), _AT.end_line == cursor.end_line)
        with self._engine.begin() as connection:
            if cursor.end_line == NO_END:
                _go_on(connection, cursor, line)
                _tell_again(connection, cursor, line)
                return False
            if cursor.attempts < len(AGAIN_S):
                again = update(WEBHOOK_CURSORS).where(own)
                connection.execute(again.values(_later(cursor.attempts)))
                return False
            _go_on(connection, cursor, line)
        return True

    def postpone(self, url: str, record_id: int | None = None) -> int:
        """Let what is due wait for its next attempt, all or one record's.

        Return how many lines are given up.
        """
        now_s = time.time()
        with self._engine.begin() as connection:
            untold = select(RECORDS.c.id).where(
                RECORDS.c.id == _AT.record_id, RECORDS.c.lines > _AT.next_line
            )
            due = and_(_AT.url == url, _AT.due_s <= now_s, untold.exists())
            if record_id is not None:
                due = and_(due, _AT.record_id == record_id)
            last = and_(due, _AT.attempts >= len(AGAIN_S))
            rows = connection.execute(select(WEBHOOK_CURSORS).where(last)).all()
            given_up = sum(_give_up(connection, row, now_s - sum(AGAIN_S)) for row in rows)
            next_s = case(
                {n: now_s + s for n, s in enumerate(AGAIN_S)},
                value=_AT.attempts,
                else_=now_s + AGAIN_S[-1],
            )
            waits = update(WEBHOOK_CURSORS).where(due)
            connection.execute(waits.values(attempts=_AT.attempts + 1, due_s=next_s))
        return given_up

    def wake(self, record_id: int) -> None:
        """Try again what waits of a record, of which new lines came."""
        waits = and_(_AT.record_id == record_id, _OPEN, _AT.due_s > time.time())
        with self._reading.begin() as connection:
            waiting = connection.execute(select(_AT.url).where(waits)).first() is not None
        if waiting:
            with self._engine.begin() as connection:
                connection.execute(update(WEBHOOK_CURSORS).where(waits).values(due_s=0.0))

    def _begin_records(self, url: str) -> None:
        """Begin with records that came after the address was given."""
        own = and_(_AT.record_id == RECORDS.c.id, _AT.url == url, _OPEN)
        asked = select(RECORDS.c.id).outerjoin(WEBHOOK_CURSORS, own).where(_AT.url.is_(None))
        new = {row.id: 0 for row in self._rows(asked)}
        if new:
            # Another program may serve the same address, and be first.
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


def _give_up(connection: Connection, row: Any, since_s: float) -> int:
    """Pass over the lines that came before that time; return how many."""
    old = select(func.count()).where(
        LINES.c.record_id == row.record_id,
        LINES.c.number >= row.next_line,
        LINES.c.number < row.end_line,
        LINES.c.came_s < since_s,
    )
    count = int(connection.execute(old).scalar_one())
    if count:
        _go_on(connection, row, row.next_line + count - 1)
    return count


def _tell_again(connection: Connection, cursor: Cursor, line: int) -> None:
    """Give a line its own cursor, unless another program has done so."""
    own = and_(_of(cursor), _AT.end_line == line + 1)
    if connection.execute(select(_AT.url).where(own)).first() is None:
        of = {"url": cursor.url, "record_id": cursor.record_id}
        row = of | {"end_line": line + 1, "next_line": line} | _later(0)
        connection.execute(insert(WEBHOOK_CURSORS).values(row))


def _later(attempts: int) -> dict[str, float]:
    """The next attempt after so many in vain before this one."""
    return {"attempts": attempts + 1, "due_s": time.time() + AGAIN_S[attempts]}


def _cursor(row: Any) -> Cursor:
    table = TableRow(row.id, row.name, row.title, row.league_id)
    return Cursor(
        row.url,
        row.record_id,
        row.next_line,
        row.end_line,
        row.attempts,
        row.record,
        row.lines,
        table,
    )
