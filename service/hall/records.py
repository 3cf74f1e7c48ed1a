"""Tables of a hall and the lines of their records, which are only ever added to.

Only the names of people may be taken out of lines.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from engine.codec import entry_from_json, entry_to_json
from engine.corrections import RULED_BY
from engine.errors import Conflict, NotThere
from engine.events import Correct, Entry, GameStart
from service.hall.database import Store
from service.hall.database_schema import LINES, RECORDS, TABLES


def one_line(name: str) -> str:
    """A name as people are told apart by it; PostgreSQL stores no NUL."""
    return " ".join(name.replace("\0", " ").split())


def without(entry: Entry, names: Collection[str]) -> Entry:
    """The same line with these players' names left empty, and without who ruled."""
    event, ruler = entry.event, str(entry.evidence)
    if ruler.startswith(RULED_BY) and without_words(ruler, names) != ruler:
        entry = replace(entry, evidence=None)
    if isinstance(event, GameStart) and event.players is not None:
        kept = tuple("" if one_line(player) in names else player for player in event.players)
        return replace(entry, event=replace(event, players=kept))
    if isinstance(event, Correct):
        events = tuple(without(inner, names) for inner in event.events)
        return replace(entry, event=replace(event, events=events))
    return entry


def without_words(text: str, names: Collection[str]) -> str:
    """A text without these names; a name inside a longer word is another one."""
    for name in sorted(names, key=len, reverse=True):
        words = r"\s+".join(map(re.escape, name.split()))
        text = re.sub(rf"(?<!\w){words}(?!\w)", "", text)
    return text


def names_in(entry: Entry) -> set[str]:
    """The names of players and of who ruled in a line."""
    event, found = entry.event, set()
    if isinstance(entry.evidence, str) and entry.evidence.startswith(RULED_BY):
        found.add(one_line(entry.evidence.removeprefix(RULED_BY)))
    if isinstance(event, GameStart) and event.players is not None:
        found |= {one_line(name) for name in event.players}
    if isinstance(event, Correct):
        found = found.union(*map(names_in, event.events))
    return found - {""}


def same_but_for_names(stored: Entry, given: Entry) -> bool:
    """Whether a line is the stored one, out of which a name was taken meanwhile."""
    return without(given, names_in(given) - names_in(stored)) == stored


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
        lines = [written(entry) for entry in entries]
        for _ in range(ATTEMPTS):
            # Another hall on the same server may begin the record at the same moment.
            with contextlib.suppress(IntegrityError):
                return self._take(table_id, record, first, lines)
        raise OutOfStep(
            f"another program posts {record} too; ask for its number of lines, and go on from there"
        )

    def _take(self, table_id: int, record: str, first: int, lines: Sequence[str]) -> Taken:
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
            for place, (own, given) in enumerate(zip(held, lines, strict=False)):
                if own != given and not same_but_for_names(read(own), read(given)):
                    raise OutOfStep(
                        f"line {first + place} of {record} differs from the stored one; "
                        "lines are never changed, so post a new record under another name"
                    )
            new = lines[len(held) :]
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
            return [read(line) for line in _lines(connection, record_id, first)]

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


def written(entry: Entry) -> str:
    """One line as it is stored: equal events give equal text."""
    return json.dumps(entry_to_json(entry), ensure_ascii=False)


def read(line: str) -> Entry:
    return entry_from_json(json.loads(line))


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
