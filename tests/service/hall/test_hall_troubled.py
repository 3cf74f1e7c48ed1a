"""A hall whose database is locked, frozen or away answers soon, and loses nothing."""

from __future__ import annotations

import asyncio
import inspect
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from service.hall import access, database
from service.hall import hall as hall_module
from service.hall.database import open_database
from service.hall.hall import Hall
from service.hall.records import Records
from service.hall.webhooks import WebhookSettings
from tests.support.halls import ENTRIES, LINES, HallServed, hall_at
from tests.support.patience import until
from tests.support.peers import answering
from tests.support.postgres import Postgres

Trouble = Callable[[], AbstractContextManager[None]]


def locked(path: Path) -> Trouble:
    """Another program writes the file, and does not come to an end."""

    @contextmanager
    def writing() -> Iterator[None]:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield

    return writing


def post_in_trouble(hall: HallServed, trouble: Trouble) -> None:
    keys = {name: hall.add(name) for name in ("north", "south")}
    hall.post("north", LINES[:5], key=keys["north"])
    with trouble(), ThreadPoolExecutor(4) as tables:
        names = ("north", "south", "north", "south")
        posts = [
            tables.submit(hall.post, name, LINES[5 * (name == "north") : 9],
                          5 * (name == "north"), keys[name])
            for name in names
        ]  # fmt: skip
        answers = [post.result() for post in posts]
        assert {answer.status for answer in answers} == {503}
        assert {answer.headers["retry-after"] for answer in answers} == {"2"}
        health = hall.server.get("/health")
        assert (health.status, "does not answer" in health.text) == (503, True)

    def comes_again(name: str) -> bool:
        return hall.post(name, LINES[:9], key=keys[name]).status == 200

    until(lambda: comes_again("north"))
    until(lambda: comes_again("south"))
    for name in keys:
        told = hall.ask("GET", f"tables/{name}/record?record=a.jsonl").text
        assert told.count("\n") == 9
        assert len(hall.hall.find(name).game.entries) == 9
    assert hall.server.json("/health")["status"] == "open"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "ANSWER_S", 0.3)
    monkeypatch.setattr(database, "SILENT_S", 1.0)


@pytest.mark.usefixtures("soon")
def test_posts_to_a_locked_file_are_answered_and_come_again(tmp_path: Path) -> None:
    path = tmp_path / "hall.sqlite3"
    with hall_at(str(path)) as hall:
        post_in_trouble(hall, locked(path))


@pytest.mark.usefixtures("soon")
def test_posts_to_a_frozen_server_are_answered_and_come_again(postgres: Postgres) -> None:
    with hall_at(postgres.new_database()) as hall:
        post_in_trouble(hall, postgres.frozen)


@pytest.mark.usefixtures("soon")
def test_a_connection_to_a_frozen_server_is_given_up(postgres: Postgres) -> None:
    engine = open_database(postgres.new_database())
    records = Records(engine)
    records.touch()
    with postgres.frozen(), pytest.raises(DBAPIError):
        records.touch()
    records.touch()
    engine.dispose()


def test_what_goes_on_in_the_background_outlives_a_database_without_free_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_S", 0.1)
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    said: list[str] = []
    with answering(204) as (url, heard):
        told = WebhookSettings.read([url], tmp_path / "webhook.secret", every=False)
        path = str(tmp_path / "hall.sqlite3")
        with hall_at(path, webhooks=told, say=said.append) as hall:
            hall.add("north")
            with ExitStack() as taken:
                for _ in range(15):
                    taken.enter_context(hall.hall.records._reading.connect())
                until(lambda: "mistakes: the database does not answer; tried again" in said)
                health = json.loads(hall.server.get("/health").text)
                assert health["status"] == "failed"
                assert "mistakes" in {one["name"] for one in health["background"]}
            until(lambda: hall.server.json("/health")["background"] == [])
            assert hall.post("north", LINES).status == 200
            until(lambda: any(b"game.ended" in body for _, _, body in heard))
            until(lambda: hall.hall.results.unjudged() == [])


def test_who_only_reads_waits_for_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "hall.sqlite3"
    with hall_at(str(path)) as hall:
        key = hall.add("north")
        with locked(path)():
            assert hall.told("GET", "tables", key=key)["tables"]
            assert hall.told("GET", "tables/north/lines?record=a.jsonl", key=key)["lines"] == 0


def test_a_clock_that_is_set_back_changes_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(database)
    records = Records(engine)
    table = records.add_table("north", "North").id
    records.take(table, "first.jsonl", 0, ENTRIES[:5])
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() - 7200)
    records.take(table, "second.jsonl", 0, ENTRIES[:7])
    hall = Hall(engine)
    row = hall.rows("en")[0]
    assert (row["record"], row["lines"]) == ("second.jsonl", 7)
    assert row["since_line_s"] == pytest.approx(0, abs=60)
    assert row["needs"] == []
    # Nor does one that is set while the hall is open make a table seem silent.
    assert inspect.signature(Hall).parameters["clock"].default is time.monotonic
    engine.dispose()


def test_a_person_is_forgotten_while_nothing_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        for name in ("north", "south"):
            hall.add(name)
            assert hall.post(name, LINES).status == 200
        person = hall.told("GET", "players")["people"][0]

        def away(*_: object) -> None:
            raise OperationalError("SELECT", {}, Exception("database is locked"))

        def failing() -> set[str]:
            return {one["name"] for one in hall.server.json("/health")["background"]}

        with monkeypatch.context() as trouble:
            trouble.setattr(hall.hall.records, "entries", away)
            hall.told("DELETE", f"players/{person['id']}", {})
            until(lambda: "tables on show" in failing())
            assert person["name"] in hall.ask("GET", "tables").text
        until(lambda: person["name"] not in hall.ask("GET", "tables").text)
        until(lambda: failing() == set())


def test_a_record_that_cannot_be_replayed_does_not_keep_a_hall_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    path = tmp_path / "hall.sqlite3"
    with hall_at(str(path)) as hall:
        for name in ("north", "south"):
            hall.add(name)
            assert hall.post(name, LINES[:9]).status == 200
    with closing(sqlite3.connect(path)) as connection, connection:
        (good,) = connection.execute(
            "SELECT line FROM lines WHERE record_id = 1 AND number = 3"
        ).fetchone()
        change = "UPDATE lines SET line = ? WHERE record_id = 1 AND number = 3"
        connection.execute(change, ['{"type": "unheard-of"}'])
        connection.execute("UPDATE records SET told_lines = 0")
    with hall_at(str(path)) as hall:
        rows = {row["name"]: row["lines"] for row in hall.told("GET", "tables")["tables"]}
        assert rows == {"north": 0, "south": 9}

        def failing() -> set[str]:
            return {one["name"] for one in hall.server.json("/health")["background"]}

        until(lambda: failing() == {"tables on show", "results"})
        lines = {"record": "a.jsonl", "from": 9, "lines": LINES[9:12]}
        hall.told("POST", "tables/south/lines", lines)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(change, [good])
        until(lambda: failing() == set())
        assert len(hall.hall.find("north").game.entries) == 9


def test_a_log_that_somebody_reads_is_emptied_of_deleted_names_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    lines = [LINES[0] | {"players": ["Xaver", "", "", ""]}, *LINES[1:]]

    def holding() -> set[str]:
        return {path.name for path in tmp_path.iterdir() if b"Xaver" in path.read_bytes()}

    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        assert hall.post("north", lines).status == 200
        (person,) = hall.told("GET", "players")["people"]
        with closing(sqlite3.connect(tmp_path / "hall.sqlite3")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM lines").fetchall()
            hall.told("DELETE", f"players/{person['id']}", {})
            until(lambda: "its log keeps deleted names" in hall.server.get("/health").text)
            assert holding() != set()
        until(lambda: holding() == set())
        until(lambda: hall.server.json("/health")["background"] == [])


def test_results_are_updated_anew_where_lines_came_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    hall, updated = Hall(engine), list[int]()

    def update(number: int, game: object) -> None:
        updated.append(number)
        if len(updated) == 1:
            hall._stale_results.add(number)  # as a post does

    monkeypatch.setattr(hall.results, "update", update)
    hall._stale_results.add(7)
    for _ in range(3):
        asyncio.run(hall.update_results())
    assert updated == [7, 7]
    engine.dispose()
