"""Tables of a hall and the lines of their records, which are only ever added to."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from engine.errors import Conflict, NotThere
from engine.events import Entry
from service.hall.database import Store
from service.hall.database_schema import LINES, RECORDS, TABLES
from service.hall.names import (
    Line,
    dumped,
    is_same,
    known_numbers,
    line_with_names,
    names_of,
    numbers_in,
    numbers_of,
    people_in,
    read_lines,
    with_numbers,
)

ATTEMPTS: Final = 3
LATER_S: Final = 0.001


class OutOfStep(Conflict):
    """A post does not continue what the hall holds; nothing of it was stored."""


@dataclass(frozen=True)
class TableRow:
    """A table that the hall knows."""

    id: int
    name: str
    """The name in addresses."""
    title: str
    league_id: int | None


@dataclass(frozen=True)
class RecordRow:
    """One record of a table."""

    id: int
    name: str
    lines: int
    league: int | None


@dataclass(frozen=True)
class Taken:
    """How far a record goes."""

    record_id: int
    lines: int
    new: int = 0
    """How many of the lines the last post added."""


class Records(Store):
    """What the tables have posted."""

    def tables(self) -> list[TableRow]:
        return [
            TableRow(**row._mapping) for row in self._rows(select(TABLES).order_by(TABLES.c.name))
        ]

    def touch(self) -> None:
        """Check that the database can be written; raise ``DBAPIError``."""
        with self._engine.begin() as connection:
            connection.execute(select(1))

    def add_table(self, name: str, title: str) -> TableRow:
        """Add a table; raise ``Conflict`` where the name is taken."""
        try:
            with self._engine.begin() as connection:
                done = connection.execute(insert(TABLES).values(name=name, title=title))
                (number,) = done.inserted_primary_key or (0,)
        except IntegrityError:
            raise Conflict(f"there is a table {name} already; give another name") from None
        return TableRow(number, name, title, None)

    def change_table(self, table_id: int, title: str, league_id: int | None) -> None:
        """Change a table; its new records count in this league."""
        change = update(TABLES).where(TABLES.c.id == table_id)
        with self._engine.begin() as connection:
            connection.execute(change.values(title=title, league_id=league_id))

    def line_count(self, table_id: int, record: str) -> int:
        """Number of lines of a record; 0 for an unknown one."""
        with self._reading.begin() as connection:
            row = _record(connection, table_id, record)
        return 0 if row is None else row.lines

    def take(self, table_id: int, record: str, first: int, entries: Sequence[Entry]) -> Taken:
        """Add lines from number ``first`` on; lines that are stored already must be the same.

        So a post may be repeated when its answer was lost. Raise ``OutOfStep``, with nothing
        stored, for a gap and for a line that differs from the stored one.
        """
        lines = [line_with_names(entry) for entry in entries]
        for _ in range(ATTEMPTS):
            # Another hall on the same server may begin the record at the same moment.
            with contextlib.suppress(IntegrityError):
                return self._take(table_id, record, first, lines)
        raise OutOfStep(
            f"another program posts {record} too; ask for its number of lines, and go on from there"
        )

    def _take(self, table_id: int, record: str, first: int, lines: Sequence[Line]) -> Taken:
        with self._engine.begin() as connection:
            now_s = _now_s(connection)
            there = _record(connection, table_id, record) or _begun(
                connection, table_id, record, now_s
            )
            if first > there.lines:
                raise OutOfStep(
                    f"line {there.lines} of {record} is next and line {first} came; "
                    f"post from line {there.lines}"
                )
            held = _lines(connection, there.record_id, first)
            differs = _first_other(connection, held, lines)
            if differs is not None:
                raise OutOfStep(
                    f"line {first + differs} of {record} differs from the stored one; "
                    "lines are never changed, so post a new record under another name"
                )
            new = _numbered(connection, lines[len(held) :])
            begin = there.lines
            rows = [
                {"record_id": there.record_id, "number": number, "line": line, "came_s": now_s}
                for number, line in enumerate(new, start=begin)
            ]
            if rows:
                connection.execute(insert(LINES), rows)
                count = update(RECORDS).where(RECORDS.c.id == there.record_id)
                connection.execute(count.values(lines=begin + len(new)))
        return Taken(there.record_id, begin + len(new), len(new))

    def latest(self, table_id: int) -> tuple[str, int, float] | None:
        """Name and id of the record that last got lines, and when."""
        asked = (
            select(RECORDS.c.name, RECORDS.c.id, LINES.c.came_s)
            .join(LINES, LINES.c.record_id == RECORDS.c.id)
            .where(RECORDS.c.table_id == table_id, LINES.c.number == RECORDS.c.lines - 1)
            .order_by(LINES.c.came_s.desc(), RECORDS.c.id.desc())
            .limit(1)
        )
        return next((tuple(row) for row in self._rows(asked)), None)

    def entries(self, record_id: int, first: int = 0) -> list[Entry]:
        """The lines of a record from number ``first`` on."""
        with self._reading.begin() as connection:
            return read_lines(connection, _lines(connection, record_id, first))

    def listed(self, table_id: int) -> list[RecordRow]:
        """All records of a table, the latest first."""
        league = RECORDS.c.league_id.label("league")
        asked = select(RECORDS.c.id, RECORDS.c.name, RECORDS.c.lines, league)
        own = asked.where(RECORDS.c.table_id == table_id)
        return [RecordRow(**row._mapping) for row in self._rows(own.order_by(RECORDS.c.id.desc()))]

    def find(self, table_id: int, record: str) -> Taken:
        """Return a record; raise ``NotThere``."""
        with self._reading.begin() as connection:
            row = _record(connection, table_id, record)
        if row is None:
            raise NotThere(f"there is no record {record} of this table")
        return row


def _first_other(connection: Connection, held: Sequence[str], lines: Sequence[Line]) -> int | None:
    """Index of the first line that is not the stored one; None where all are."""
    pairs = [*zip(held, lines, strict=False)]
    if not pairs:
        return None
    numbers = known_numbers(connection, (name for _, line in pairs for name in _people(line)))
    alive = names_of(connection, numbers_in(json.loads(own) for own, _ in pairs))
    same = (is_same(own, given, numbers, alive.keys()) for own, given in pairs)
    return next((place for place, is_stored in enumerate(same) if not is_stored), None)


def _numbered(connection: Connection, lines: Sequence[Line]) -> list[str]:
    """New lines as they are stored."""
    playing = (name for line in lines for name in people_in(line)[0])
    ruling = (name for line in lines for name in people_in(line)[1])
    numbers = numbers_of(connection, playing, ruling)
    return [dumped(with_numbers(line, numbers)) for line in lines]


def _people(line: Line) -> list[str]:
    playing, ruling = people_in(line)
    return [*playing, *ruling]


def _now_s(connection: Connection) -> float:
    """The time of day, but later than any stored time, because a clock may be set back."""
    last = select(func.max(LINES.c.came_s)).join(RECORDS, RECORDS.c.id == LINES.c.record_id)
    latest_s = connection.execute(last.where(LINES.c.number == RECORDS.c.lines - 1)).scalar()
    return time.time() if latest_s is None else max(time.time(), latest_s + LATER_S)


def _record(connection: Connection, table_id: int, name: str) -> Taken | None:
    asked = select(RECORDS.c.id, RECORDS.c.lines).where(
        RECORDS.c.table_id == table_id, RECORDS.c.name == name
    )
    # Others who post to the same record wait here.
    row = connection.execute(asked.with_for_update()).one_or_none()
    return None if row is None else Taken(row.id, row.lines)


def _begun(connection: Connection, table_id: int, name: str, now_s: float) -> Taken:
    table = connection.execute(select(TABLES.c.league_id).where(TABLES.c.id == table_id)).one()
    row = {
        "table_id": table_id,
        "name": name,
        "begun_s": now_s,
        "lines": 0,
        "league_id": table.league_id,
    }
    done = connection.execute(insert(RECORDS).values(row))
    (number,) = done.inserted_primary_key or (0,)
    return Taken(number, 0)


def _lines(connection: Connection, record_id: int, first: int) -> list[str]:
    asked = select(LINES.c.line).where(LINES.c.record_id == record_id, LINES.c.number >= first)
    return list(connection.execute(asked.order_by(LINES.c.number)).scalars())
