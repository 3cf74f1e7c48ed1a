"""A hall tells other programs what happens: signed, repeated until taken, nothing hidden."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text, update
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from engine import game
from engine.codec import entry_to_json
from engine.errors import Refused
from engine.events import Entry, GameStart
from service.hall import hall as hall_module
from service.hall import webhook_cursors, webhooks
from service.hall.database import engine_of, open_database, upgrade, upgrading
from service.hall.database_schema import LINES as LINES_TABLE
from service.hall.database_schema import NAMES, RECORDS, WEBHOOK_ADDRESSES, WEBHOOK_CURSORS
from service.hall.records import Records, TableRow
from service.hall.webhook_cursors import Cursors
from service.hall.webhooks import Webhooks, WebhookSettings
from service.web import background
from tests.support.documentation import read
from tests.support.halls import ENTRIES, LINES, HallServed, hall_at, on_sqlite
from tests.support.patience import PATIENCE_S, until
from tests.support.peers import dripping, handling
from tests.support.served import serving


class Listener:
    """Takes what is posted to it; after ``before`` messages it refuses the next ``refused``."""

    def __init__(self) -> None:
        self.before = 0
        self.refused = 0
        self.refuses_with = 503
        self.asked = 0
        self.taken: list[tuple[dict[str, str], str]] = []

    def kinds(self) -> list[str]:
        return [json.loads(body)["type"] for _, body in self.taken]

    def data(self, kind: str) -> list[dict[str, Any]]:
        told = [json.loads(body) for _, body in self.taken]
        return [one["data"] for one in told if one["type"] == kind]

    def came_to(self, line: int) -> bool:
        """Whether the newest message about a line is about this one."""
        lines = [json.loads(body)["data"].get("line", -1) for _, body in self.taken]
        return max(lines, default=-1) == line

    def by_id(self) -> dict[str, str]:
        """Messages about lines; that somebody is needed is no line."""
        return {
            headers["webhook-id"]: body
            for headers, body in self.taken
            if not headers["webhook-id"].endswith("-needs")
        }


@contextmanager
def listening() -> Iterator[tuple[Listener, str]]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            listener.asked += 1
            refuses = 0 < listener.asked - listener.before <= listener.refused
            if not refuses:
                listener.taken.append(
                    ({name.lower(): value for name, value in self.headers.items()}, body)
                )
            self.send_response(listener.refuses_with if refuses else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with handling(Handler) as url:
        yield listener, url


def settings(folder: Path, *urls: str, every: bool = False) -> WebhookSettings:
    return WebhookSettings.read(urls, folder / "webhook.secret", every)


def post_game(hall: HallServed, record: str = "a.jsonl") -> None:
    for first in range(0, len(LINES), 100):
        assert hall.post("north", LINES[first : first + 100], first, record=record).status == 200


def test_hands_and_games_are_told_once_and_signed(database: str, tmp_path: Path) -> None:
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        with hall_at(database, webhooks=told) as hall:
            hall.add("north", title="North")
            post_game(hall)
            assert hall.post("north", LINES[-50:], len(LINES) - 50).status == 200  # sent again
            until(lambda: "game.ended" in listener.kinds())
    # What a table needs is told beside what it records.
    kinds = [kind for kind in listener.kinds() if kind != "needs"]
    assert kinds[0] == "game.started"
    assert kinds.count("hand.started") == kinds.count("hand.ended") == 5
    assert kinds[-1] == "game.ended"
    assert len({headers["webhook-id"] for headers, _ in listener.taken}) == len(listener.taken)
    for headers, body in listener.taken:
        assert Webhook(told.secret).verify(body, headers) == json.loads(body)
        with pytest.raises(WebhookVerificationError):
            Webhook(told.secret).verify(body.replace("North", "South"), headers)
    ended = listener.data("game.ended")[0]
    assert (ended["table"], ended["title"], ended["record"]) == ("north", "North", "a.jsonl")
    assert ended["points"] == [20600, 34000, 16000, 29400]
    hands = listener.data("hand.ended")[0]["hand"]
    said = [str(hands[lang]["payouts"][-1]["rows"]) for lang in ("en", "zh", "ja")]
    assert len(set(said)) == 3


def test_the_receiver_of_the_documentation_prints_messages_like_the_one_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = read("docs/hall.md")
    text = text[text.index("## Webhooks") :]
    (sample,) = re.findall(r"```json\n(.*?)```", text, re.S)
    receiver = re.findall(r"```python\n(.*?)```", text, re.S)[0]
    own = [line for line in receiver.splitlines() if line and "import" not in line]
    assert len(own) <= 5
    settings(tmp_path)
    monkeypatch.chdir(tmp_path)
    printed: list[str] = []
    known: dict[str, Any] = {"print": lambda message: printed.append(str(message))}
    exec(receiver, known)
    with serving(known["app"]) as server:
        told = settings(tmp_path, server.url + "/")
        with hall_at(str(tmp_path / "hall.sqlite3"), webhooks=told) as hall:
            hall.add("north", title="North")
            post_game(hall)

            until(lambda: any("game.ended" in line for line in printed))
    messages = [ast.literal_eval(line) for line in printed]
    (true,) = [message for message in messages if message["type"] == "game.ended"]
    shown = json.loads(sample)
    assert (shown.keys(), shown["data"].keys()) == (true.keys(), true["data"].keys())
    assert shown["data"]["points"] == true["data"]["points"]


@on_sqlite
def test_what_is_not_taken_is_posted_again_also_by_the_next_program(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    with listening() as (listener, url):
        listener.refused = 3
        said: list[str] = []
        with hall_at(
            database, webhooks=settings(tmp_path, "http://127.0.0.1:9/"), say=said.append
        ) as hall:
            hall.add("north")
            post_game(hall)
            until(lambda: said)
            assert said[0].startswith("the webhook 127.0.0.1: it took no message: [Errno ")
            (failing,) = hall.server.json("/health")["background"]
            assert failing["name"] == "the webhook 127.0.0.1"
        with hall_at(database, webhooks=settings(tmp_path, url)) as hall:
            assert hall.post("north", LINES, record="b.jsonl").status == 200
            until(lambda: "game.ended" in listener.kinds())
    assert {one["record"] for one in listener.data("hand.ended")} == {"b.jsonl"}, (
        "messages for an address that is no longer given are dropped"
    )
    assert listener.asked == 3 + len(listener.taken)


def test_an_address_that_never_answers_holds_up_no_other_nor_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "ANSWER_S", 10 * PATIENCE_S)
    with dripping() as peer, listening() as (listener, url):
        told = settings(tmp_path, peer.url, url)
        with hall_at(str(tmp_path / "hall.sqlite3"), webhooks=told) as hall:
            hall.add("north")
            post_game(hall)
            until(lambda: "game.ended" in listener.kinds())
            assert peer.came.is_set()
            assert not peer.left.is_set()
        assert peer.left.wait(PATIENCE_S)


def test_a_message_that_is_refused_holds_up_no_other_and_comes_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (3600.0,) * 9)  # not while this looks
    with listening() as (listener, url):
        listener.before, listener.refused, listener.refuses_with = 1, 1, 400
        told = settings(tmp_path, url, every=True)
        database = str(tmp_path / "hall.sqlite3")
        with hall_at(database, webhooks=told, say=said.append) as hall:
            hall.add("north")
            assert hall.post("north", LINES[:40]).status == 200
            until(partial(listener.came_to, 39))
            first = Records(hall.hall.records._engine).latest(1)
            assert first is not None
            refused = f"{first[1]}-0-0-event"
            assert refused not in listener.by_id()
            monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
            with hall.hall.records._engine.begin() as connection:
                connection.execute(update(WEBHOOK_CURSORS).values(due_s=0.0))
            until(lambda: refused in listener.by_id())
            assert hall.post("north", LINES[40:60], 40).status == 200
            until(partial(listener.came_to, 59))
    ids = [headers["webhook-id"] for headers, _ in listener.taken]
    assert len(set(ids)) == len(ids), "what was taken of the same line does not come again"
    assert said == []


def test_a_need_that_is_refused_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    with listening() as (listener, url):
        listener.refused, listener.refuses_with = 1, 400
        database = str(tmp_path / "hall.sqlite3")
        with hall_at(database, webhooks=settings(tmp_path, url), say=said.append) as hall:
            key = hall.add("north")
            hall.told("POST", "tables/north/condition", TROUBLE, key)
            until(lambda: said)
    assert said == ["the webhook 127.0.0.1 refused to be told who is needed at north"]


def test_a_table_whose_news_cannot_be_made_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    made = webhooks.messages_of

    def messages_of(number: int, record: str, table: TableRow, *given: Any) -> Any:
        if table.name == "north":
            raise RuntimeError("a fault of the program")
        return made(number, record, table, *given)

    monkeypatch.setattr(webhooks, "messages_of", messages_of)
    posted = 100
    said: list[str] = []
    with listening() as (listener, url):
        database = str(tmp_path / "hall.sqlite3")
        with hall_at(database, webhooks=settings(tmp_path, url), say=said.append) as hall:
            for name in ("north", "south"):
                hall.add(name)
                assert hall.post(name, LINES[:100]).status == 200
            while not listener.data("hand.started"):  # north plays on meanwhile
                assert hall.post("north", LINES[posted : posted + 1], posted).status == 200
                posted += 1
            assert hall.post("north", LINES[posted : posted + 1], posted).status == 200
    assert posted < len(LINES)
    assert {one["table"] for one in listener.data("hand.started")} == {"south"}
    assert said == ["webhooks: no messages can be made of a.jsonl: RuntimeError; tried again"]


TROUBLE = {"trouble": "no picture comes", "trouble_kind": "gone"}


@on_sqlite
def test_an_address_that_was_away_from_the_start_is_told_by_the_next_program(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    said: list[str] = []
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        listener.refused = 10**6
        with hall_at(database, webhooks=told, say=said.append) as hall:
            key = hall.add("north")
            hall.told("POST", "tables/north/condition", TROUBLE, key)
            until(lambda: said)
            post_game(hall)
        listener.refused = 0
        with hall_at(database, webhooks=told):
            until(lambda: "game.ended" in listener.kinds())


@on_sqlite
@pytest.mark.parametrize("news", ["lines", "need"])
def test_an_address_that_takes_anything_again_gets_all_that_waits(
    news: str, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (3600.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    said: list[str] = []
    with listening() as (listener, url):
        listener.refused = 10**6
        with hall_at(database, webhooks=settings(tmp_path, url), say=said.append) as hall:
            hall.add("north")
            key = hall.add("south")
            assert hall.post("north", LINES[:100]).status == 200
            until(lambda: said)
            listener.refused = 0
            if news == "lines":
                assert hall.post("south", LINES[:1]).status == 200
            else:
                hall.told("POST", "tables/south/condition", TROUBLE, key)
            until(lambda: listener.data("hand.started"))


@on_sqlite
def test_that_nobody_is_needed_any_more_is_told_after_a_restart(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "LOOK_S", 0.05)
    with listening() as (listener, url):
        told = settings(tmp_path, url)
        with hall_at(database, webhooks=told) as hall:
            key = hall.add("north")
            hall.told("POST", "tables/north/condition", TROUBLE, key)
            until(lambda: listener.data("needs"))
        assert listener.data("needs")[-1]["needs"] != []
        monkeypatch.setattr(hall_module, "SILENT_S", 0.0)
        with hall_at(database, webhooks=told):
            until(lambda: listener.data("needs")[-1]["needs"] == [])


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


def test_two_halls_on_one_database_leave_each_other_their_addresses(database: str) -> None:
    engines = [open_database(database) for _ in range(2)]
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
    for engine in engines:
        engine.dispose()


def test_an_address_that_is_served_is_not_forgotten_however_long_that_lasts(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = [open_database(database) for _ in range(2)]
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
    for engine in engines:
        engine.dispose()


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
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = [open_database(database) for _ in range(2)]
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
    for engine in engines:
        engine.dispose()


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


def test_two_programs_that_serve_an_address_leave_no_line_out(database: str) -> None:
    engines = [open_database(database) for _ in range(2)]
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
    for engine in engines:
        engine.dispose()


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


@on_sqlite
def test_a_message_that_is_posted_again_says_the_same_whatever_came_since(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    lines = [*LINES[:40], {"type": "correct", "of": 30, "events": [LINES[30]]}, *LINES[40:90]]
    with listening() as (listener, url):
        told = settings(tmp_path, url, every=True)
        with hall_at(database, webhooks=told) as hall:
            hall.add("north")
            for first, last in ((0, 20), (20, 41), (41, len(lines))):
                assert hall.post("north", lines[first:last], first).status == 200
                until(partial(listener.came_to, last - 1))
        live = listener.by_id()
        engine = open_database(database)
        with engine.begin() as connection:  # as if none had ever been taken
            connection.execute(update(WEBHOOK_CURSORS).values(next_line=0))
        engine.dispose()
        listener.taken.clear()
        with hall_at(database, webhooks=told):
            until(partial(listener.came_to, len(lines) - 1))
        again = listener.by_id()
    assert again == live
    assert list(again) == list(live), "in the same order"


@on_sqlite
def test_what_waits_names_nobody_who_is_forgotten(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    with listening() as (listener, url):
        listener.refused = 10**6
        with hall_at(database, webhooks=settings(tmp_path, url)) as hall:
            hall.add("north")
            post_game(hall)
            (ben,) = (one for one in hall.told("GET", "players")["people"] if one["name"] == "Ben")
            hall.told("DELETE", f"players/{ben['id']}", {})
            listener.refused = 0
            until(lambda: "game.ended" in listener.kinds())
    bodies = [body for _, body in listener.taken]
    assert all("Dan" in body for body in bodies if "names" in json.loads(body)["data"])
    assert not [body for body in bodies if "Ben" in body]


@on_sqlite
def test_a_correction_and_a_need_are_told_and_nothing_hidden_is(
    database: str, tmp_path: Path
) -> None:
    named = LINES[0] | {"players": ["A", "B", "C", "D"]}
    with (
        listening() as (listener, url),
        hall_at(database, webhooks=settings(tmp_path, url, every=True)) as hall,
    ):
        key = hall.add("north")
        assert hall.post("north", LINES[:60]).status == 200
        correction = {"type": "correct", "of": 0, "events": [named]}
        assert hall.post("north", [correction], 60).status == 200
        trouble = {"trouble": "no picture comes", "trouble_kind": "gone"}
        hall.told("POST", "tables/north/condition", trouble, key)
        until(lambda: {"corrected", "needs"} <= set(listener.kinds()))
    assert listener.data("corrected")[0]["of"] == 0
    assert listener.data("needs")[-1]["needs"][0]["what"] == "trouble"
    drawn = [one["told"]["en"] for one in listener.data("event") if one["event"] == "Draw"]
    assert drawn
    assert all("tile" not in str(parts) or "?" in str(parts) for parts in drawn)


@on_sqlite
def test_a_late_correction_of_an_early_line_is_replayed_once_for_all_addresses(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two records by turns, to two addresses that lag behind the corrections."""
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)
    lines = LINES[:200]
    late = {"type": "correct", "of": 0, "events": [LINES[0] | {"players": ["A", "B", "C", "D"]}]}
    played: list[int] = []
    play = game.Game._play

    def noted(self: Any, event: Any, *rest: Any) -> Any:
        played.append(event.number)
        return play(self, event, *rest)

    with listening() as (one, url), listening() as (other, other_url):
        for listener in (one, other):
            listener.refused, listener.refuses_with = 10**6, 503
        with hall_at(database, webhooks=settings(tmp_path, url, other_url)) as hall:
            for first in range(0, len(lines), 20):
                for table in ("north", "south"):
                    if first == 0:
                        hall.add(table)
                    assert hall.post(table, lines[first : first + 20], first).status == 200
            for table in ("north", "south"):
                assert hall.post(table, [late], len(lines)).status == 200
            monkeypatch.setattr(game.Game, "_play", noted)
            for listener in (one, other):
                listener.refused = 0
            until(lambda: one.kinds().count("corrected") == other.kinds().count("corrected") == 2)
    assert len(played) <= 2 * 2 * len(lines)
    assert one.by_id() == other.by_id()


@pytest.mark.parametrize(
    ("url", "secret", "sentence"),
    [
        ("ftp://example.org", None, "expects an address such as https://example.org, not ftp"),
        ("http://", None, "expects an address such as"),
        ("https://[::1", None, "expects an address such as"),
        ("https://example.org:99999", None, "expects an address such as"),
        ("https://example.org", "%%%", "holds no secret"),
        ("https://example.org", "", "holds no secret"),
    ],
)
def test_settings_that_cannot_work_are_refused(
    tmp_path: Path, url: str, secret: str | None, sentence: str
) -> None:
    file = tmp_path / "webhook.secret"
    if secret is not None:
        file.write_text(secret)
    with pytest.raises(Refused, match=sentence):
        WebhookSettings.read([url], file, every=False)


def test_a_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first, again = (settings(tmp_path, "https://example.org") for _ in range(2))
    assert first.secret == again.secret
    assert first.secret.startswith("whsec_")
    assert (tmp_path / "webhook.secret").stat().st_mode & 0o077 == 0
    assert first.secret not in repr(first)


def test_a_message_that_waits_while_a_person_is_forgotten_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    told = Webhooks(engine, settings(tmp_path, "http://127.0.0.1:1/", every=True), print)
    hall = hall_module.Hall(engine, webhooks=told)
    hall.jobs()
    posted: list[tuple[str, bool]] = []
    number = 0

    async def forget_then_take(_: str, message: webhooks.Message, __: object) -> None:
        posted.append((message.kind, "Xaver" in json.dumps(message.data)))
        if len(posted) == 1:
            await hall.forget(number)

    monkeypatch.setattr(told, "_post", forget_then_take)

    async def post_line() -> None:
        nonlocal number
        await hall.add_table("north", "North")
        start = GameStart("riichi", players=("Xaver", "", "", ""))
        await hall.post("north", "a.jsonl", 0, [Entry(start)])
        with engine.begin() as connection:
            asked = select(NAMES.c.player_id).where(NAMES.c.name == "Xaver")
            number = connection.execute(asked).scalar_one()
        cursor = told._cursors.next("http://127.0.0.1:1/")
        assert cursor is not None
        await told._post_lines(cursor)

    asyncio.run(post_line())
    engine.dispose()
    assert [has_name for _, has_name in posted] == [True, False]
