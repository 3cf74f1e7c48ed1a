"""What each address has been told of each record: kept in the database, for several halls."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine, delete, select, text

from engine.codec import entry_to_json
from service.hall import webhook_cursors
from service.hall.database import engine_of, open_database, upgrade, upgrading
from service.hall.database_schema import LINES as LINES_TABLE
from service.hall.database_schema import RECORDS, WEBHOOK_ADDRESSES
from service.hall.records import Records
from service.hall.webhook_cursors import Cursors
from service.hall.webhooks import Webhooks
from tests.support.halls import ENTRIES, on_sqlite
from tests.support.webhook_listener import settings


@pytest.fixture
def engines(database: str) -> Iterator[list[Engine]]:
    """Of two programs that share a database."""
    both = [open_database(database) for _ in range(2)]
    yield both
    for engine in both:
        engine.dispose()


def lines_due(cursors: Cursors, url: str) -> list[tuple[str, int]]:
    """Take all that is due at an address; the record and number of each line."""
    taken = []
    while (cursor := cursors.next(url)) is not None:
        taken.append((cursor.record, cursor.next_line))
        cursors.taken(cursor, cursor.next_line)
    return taken


def attempts(database: str) -> dict[str, int]:
    engine = engine_of(database)
    with engine.begin() as connection:
        rows = connection.execute(select(WEBHOOK_ADDRESSES)).all()
    engine.dispose()
    return {row.url: row.attempts for row in rows}


def test_an_address_waits_as_a_whole_and_by_itself(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a", "b"])
    table = records.add_table("north", "North").id
    records.take(table, "x", 0, ENTRIES[:2])
    one = cursors.next("a")
    assert one is not None
    assert not cursors.refused(one, 0)
    following = cursors.next("a")
    assert following is not None
    assert following.next_line == 1, "a line that was refused waits alone"
    assert [cursors.is_away("a"), cursors.is_away("a")] == [0, 0]
    assert attempts(database) == {"a": 1, "b": 0}, "one before its time does not count"
    assert (cursors.is_due("a"), cursors.is_due("b")) == (False, True)
    assert lines_due(cursors, "b") == [("x", 0), ("x", 1)]
    cursors.is_there("a")
    assert (cursors.is_due("a"), attempts(database)["a"]) == (True, 0)
    assert lines_due(cursors, "a") == [("x", 1)]
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,))
    records.take(table, "x", 2, ENTRIES[2:4])
    assert [cursors.is_away("b"), cursors.is_away("b")] == [0, 2], "they had their last attempt"
    records.take(table, "y", 0, ENTRIES[:1])
    assert lines_due(cursors, "b") == [("y", 0)]
    engine.dispose()


def test_a_record_whose_messages_cannot_be_made_waits_alone(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a"])
    table = records.add_table("north", "North").id
    records.take(table, "x", 0, ENTRIES[:2])
    records.take(table, "y", 0, ENTRIES[:1])
    one = cursors.next("a")
    assert one is not None
    assert cursors.unmade(one) == 0
    records.take(table, "x", 2, ENTRIES[2:3])
    assert lines_due(cursors, "a") == [("y", 0)], "new lines do not wake it"
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,))
    assert cursors.unmade(replace(one, attempts=1)) == 3, "they had their last attempt"
    records.take(table, "x", 3, ENTRIES[3:4])
    assert lines_due(cursors, "a") == [("x", 3)]
    engine.dispose()


def test_two_halls_on_one_database_leave_each_other_their_addresses(engines: list[Engine]) -> None:
    one, other = (Cursors(engine) for engine in engines)
    records = Records(engines[0])
    table = records.add_table("north", "North").id
    one.begin(["a"])
    records.take(table, "x", 0, ENTRIES[:2])
    other.begin(["b"])
    assert lines_due(one, "a") == [("x", 0), ("x", 1)]
    records.take(table, "x", 2, ENTRIES[2:3])
    Cursors(engines[0]).begin(["a"])  # the first hall is started again
    assert (lines_due(one, "a"), lines_due(other, "b")) == ([("x", 2)], [("x", 2)])
    records.take(table, "x", 3, ENTRIES[3:4])
    one.begin([])
    one.begin(["c"])  # and with another address, which may be left out by mistake
    one.begin(["a"])
    assert (lines_due(one, "a"), lines_due(other, "b")) == ([("x", 3)], [("x", 3)])


def test_an_address_that_is_served_is_not_forgotten_however_long_that_lasts(
    engines: list[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (Cursors(engine) for engine in engines)
    records = Records(engines[0])
    table = records.add_table("north", "North").id
    one.begin(["left out"])
    one.begin(["a"])
    other.begin(["b"])
    began_s = time.time()
    for hours in range(1, 100, 2):
        monkeypatch.setattr("time.time", lambda at=began_s + 3600 * hours: at)
        assert (one.next("a"), other.next("b")) == (None, None)
    records.take(table, "x", 0, ENTRIES[:1])
    other.begin(["b"])
    told = [("x", 0)]
    assert (lines_due(one, "a"), lines_due(other, "b")) == (told, told)
    assert lines_due(one, "left out") == [], "nobody has served it for three days"


@pytest.mark.parametrize("restarts", [True, False])
def test_no_address_of_a_hall_is_forgotten_when_the_hall_was_off_for_days(
    database: str, monkeypatch: pytest.MonkeyPatch, restarts: bool
) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a", "b"])
    records.take(records.add_table("north", "North").id, "x", 0, ENTRIES[:2])
    later_s = time.time() + 4 * 24 * 3600
    monkeypatch.setattr("time.time", lambda: later_s)
    if restarts:
        cursors = Cursors(engine)
        cursors.begin(["a", "b"])
    told = [("x", 0), ("x", 1)]
    assert (lines_due(cursors, "a"), lines_due(cursors, "b")) == (told, told)
    engine.dispose()


def test_a_hall_that_serves_no_address_forgets_none(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    Cursors(engine).begin(["a"])
    monkeypatch.setattr(webhook_cursors, "FORGOTTEN_S", 0.0)
    Cursors(engine).begin([])
    assert attempts(database) == {"a": 0}
    engine.dispose()


def test_what_is_forgotten_is_said_with_how_many_lines_waited(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    table = records.add_table("north", "North").id
    records.take(table, "x", 0, ENTRIES[:3])
    cursors.begin(["https://user:word@old.example/path"])
    records.take(table, "x", 3, ENTRIES[3:5])
    records.take(table, "y", 0, ENTRIES[:4])
    one = cursors.next("https://user:word@old.example/path")
    assert one is not None
    cursors.refused(one, one.next_line)
    monkeypatch.setattr(webhook_cursors, "FORGOTTEN_S", 0.0)
    said: list[str] = []
    Webhooks(engine, settings(tmp_path, "http://new.example/"), said.append)
    (told,) = said
    assert "old.example" in told
    assert "6 lines" in told
    assert "word" not in told
    engine.dispose()


def test_what_a_clock_that_is_ahead_has_noted_does_not_last(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    began_s, days_s = time.time(), 24 * 3600.0
    monkeypatch.setattr("time.time", lambda: began_s + 30 * days_s)
    Cursors(engine).begin(["a"])
    monkeypatch.setattr("time.time", lambda: began_s)
    Cursors(engine).begin(["a"])
    monkeypatch.setattr("time.time", lambda: began_s + 4 * days_s)
    Cursors(engine).begin(["b"])
    assert attempts(database) == {"b": 0}, "nobody has served the other for four days"
    engine.dispose()


def test_an_address_that_another_program_forgot_begins_anew(
    engines: list[Engine], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (Cursors(engine) for engine in engines)
    records = Records(engines[0])
    table = records.add_table("north", "North").id
    one.begin(["a"])
    records.take(table, "x", 0, ENTRIES[:2])
    monkeypatch.setattr(webhook_cursors, "FORGOTTEN_S", 0.0)
    other.begin(["b"])
    assert lines_due(one, "a") == [], "it is not told all that there ever was"
    records.take(table, "x", 2, ENTRIES[2:3])
    records.take(table, "y", 0, ENTRIES[:1])
    told = [("x", 2), ("y", 0)]
    assert (lines_due(one, "a"), lines_due(other, "b")) == (told, told)


@on_sqlite
def test_a_line_that_was_refused_is_told_again_until_it_is_given_up(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0, 0.0))
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a"])
    records.take(records.add_table("north", "North").id, "x", 0, ENTRIES[:1])
    given_up = []
    while (cursor := cursors.next("a")) is not None:
        given_up.append(cursors.refused(cursor, 0))
    assert given_up == [False, False, True]
    engine.dispose()


@on_sqlite
def test_a_record_that_is_deleted_takes_its_messages_along(database: str) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a"])
    table = records.add_table("north", "North").id
    gone = records.take(table, "x", 0, ENTRIES[:2]).record_id
    records.take(table, "y", 0, ENTRIES[:1])
    assert cursors.next("a") is not None
    with engine.begin() as connection:
        connection.execute(delete(LINES_TABLE).where(LINES_TABLE.c.record_id == gone))
        connection.execute(delete(RECORDS).where(RECORDS.c.id == gone))
    assert lines_due(cursors, "a") == [("y", 0)]
    engine.dispose()


@on_sqlite
def test_an_address_that_was_taken_away_begins_anew(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    table = records.add_table("north", "North").id
    records.take(table, "x", 0, ENTRIES[:1])
    cursors.begin(["a"])
    records.take(table, "x", 1, ENTRIES[1:2])
    cursors.begin(["a", "b"])
    assert (lines_due(cursors, "a"), lines_due(cursors, "b")) == ([("x", 1)], [])
    monkeypatch.setattr(webhook_cursors, "FORGOTTEN_S", 0.0)
    cursors.begin(["b"])
    records.take(table, "x", 2, ENTRIES[2:3])
    cursors.begin(["a", "b"])
    assert (lines_due(cursors, "a"), lines_due(cursors, "b")) == ([], [("x", 2)])
    engine.dispose()


def test_two_programs_that_serve_an_address_leave_no_line_out(engines: list[Engine]) -> None:
    one, other = (Cursors(engine) for engine in engines)
    one.begin(["a"])
    other.begin(["a"])
    records = Records(engines[0])
    records.take(records.add_table("north", "North").id, "x", 0, ENTRIES[:3])
    late = one.next("a")
    assert late is not None
    assert lines_due(other, "a") == [("x", 0), ("x", 1), ("x", 2)]
    one.taken(late, 0)
    assert lines_due(one, "a") == [], "it does not go back"


@on_sqlite
def test_lines_of_several_records_are_told_in_the_order_in_which_they_came(database: str) -> None:
    engine = open_database(database)
    records, cursors = Records(engine), Cursors(engine)
    cursors.begin(["a"])
    table = records.add_table("north", "North").id
    for record, first, last in (("x", 0, 2), ("y", 0, 1), ("x", 2, 3), ("y", 1, 2)):
        records.take(table, record, first, ENTRIES[first:last])
    told = [("x", 0), ("x", 1), ("y", 0), ("x", 2), ("y", 1)]
    assert lines_due(cursors, "a") == told
    engine.dispose()


def test_what_waited_in_an_earlier_version_is_not_lost(database: str) -> None:
    engine = engine_of(database)
    with upgrading(engine) as connection:
        upgrade(connection, "archive_names")
        connection.execute(text("INSERT INTO tables (name, title) VALUES ('5', 'North')"))
        for name, told in (("x", 3), ("y", 4), ("z", None)):
            connection.execute(
                text(
                    "INSERT INTO records (table_id, name, begun_s, lines, webhook_lines) "
                    "SELECT id, :name, 1.5, 4, :told FROM tables"
                ),
                {"name": name, "told": told},
            )
        rows = [
            {"number": number, "line": json.dumps(entry_to_json(entry))}
            for number, entry in enumerate(ENTRIES[:4])
        ]
        connection.execute(
            text(
                "INSERT INTO lines (record_id, number, line, came_s) "
                "SELECT id, :number, :line, 10 * id + :number FROM records"
            ),
            rows,
        )
        (first, second) = connection.execute(
            text("SELECT id FROM records WHERE name != 'z' ORDER BY id")
        ).scalars()
        waiting = (
            (f"{first}-2-hand.started", "a", 7),
            (f"{second}-3-0-event", "a", 2),
            (f"{second}-1-game.started", "b", 0),
            (f"5-{0:016}-needs", "c", 0),
        )
        for name, url, attempts in waiting:
            connection.execute(
                text(
                    "INSERT INTO webhook_messages (id, url, body, due_s, attempts) "
                    "VALUES (:id, :url, '{}', 2.5, :attempts)"
                ),
                {"id": name, "url": url, "attempts": attempts},
            )
    engine.dispose()
    engine = open_database(database)
    cursors = Cursors(engine)
    cursors.begin(["a", "b", "c"])
    next_of_a = cursors.next("a")
    assert next_of_a is not None
    assert (next_of_a.next_line, next_of_a.attempts) == (2, 7)
    assert lines_due(cursors, "a") == [("x", 2), ("x", 3), ("y", 3)]
    assert lines_due(cursors, "b") == [("x", 3), ("y", 1)], "not what was taken"
    assert lines_due(cursors, "c") == [("x", 3)]
    engine.dispose()
