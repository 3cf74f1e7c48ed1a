"""A table sends its record to a hall, and never waits for it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Win
from engine.rehearsal import BRONZE
from service.app import create_app
from service.commands.serve import home_of
from service.hall import posting
from service.hall.posting import HallLink, Posting
from service.hall.wire import TableCondition
from service.pages.settings import PageSettings
from service.report.public import Json
from service.table.certificate import Standing
from service.table.live_table import LiveTable, TableSettings
from service.web import background
from tests.support.halls import LINES, HallClient, HallServed, hall_at
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.live_table import KeptLines, frames, table_of_a_game
from tests.support.patience import PATIENCE_S, until
from tests.support.peers import dripping
from tests.support.postgres import PASSWORD, Postgres
from tests.support.program import running
from tests.support.rehearsal_game import HOLDS
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader

DICE = {"type": "dice", "values": [3, 4]}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "LOOK_S", 0.05)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.1)


@dataclass(frozen=True)
class CountingLink(HallLink):
    """Remembers what the hall was asked."""

    asked: list[str] = field(default_factory=list)

    async def ask(self, what: str, body: Json | None) -> Json:
        self.asked.append(what)
        return await super().ask(what, body)


@contextmanager
def posted(table: LiveTable, link: HallLink, said: list[str]) -> Iterator[Served]:
    """Serve a table whose lines go to a hall."""
    settings = PageSettings(jobs=(Posting(link, "friday.jsonl").job,), say=said.append)
    with serving(create_app(table, settings)) as server:
        yield server


def lines_of(hall: HallServed) -> int:
    (row,) = hall.told("GET", "tables")["tables"]
    return int(row["lines"])


def add_line(server: Served, lines: int) -> None:
    answer = server.post("/api/events", {"event": DICE, "lines": lines})
    assert answer.status == 200, answer.text


def test_what_is_recorded_comes_to_the_hall_with_what_wants_looking_at(tmp_path: Path) -> None:
    said: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        admin = hall.hall.keys.make("admin")
        key = hall.told("POST", "tables", {"name": "north"}, admin)["key"]
        link = HallLink(hall.server.url, "north", key)
        table = table_of_a_game()
        with posted(table, link, said) as server:
            until(lambda: len(hall.hall.find("north").game.entries) == len(ENTRIES))
            add_line(server, len(ENTRIES))
            until(lambda: len(hall.hall.find("north").game.entries) == len(ENTRIES) + 1)
            table.reader.problem = "the record cannot be written: no room"
            until(lambda: bool(hall.told("GET", "tables", key=key)["tables"][0]["needs"]))
        text = hall.ask("GET", "tables/north/record?record=friday.jsonl", key=admin).text
    assert len(text.splitlines()) == len(ENTRIES) + 1
    assert said == []


def test_a_payout_that_is_asked_is_certain_nowhere_in_the_hall(tmp_path: Path) -> None:
    bronze = Standing(replace(HOLDS, grade=BRONZE))
    entries = read_record(RECORD)
    by_camera = [
        replace(one, source="camera", change="opened@0.7@0,100")
        if isinstance(one.event, Win)
        else one
        for one in entries
    ]
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        key = hall.add("north")
        settings = TableSettings("harbin-hlr", "game.mp4", standing=bronze)
        table = LiveTable(ToldReader(by_camera), frames(), KeptLines(), settings)
        asyncio.run(table.run())
        assert table.unsure
        link = CountingLink(hall.server.url, "north", key)
        with posted(table, link, []):
            until(lambda: lines_of(hall) == len(table.game.entries))
        assert link.asked.index("condition") < link.asked.index("lines")
        shown = hall.told("GET", "tables/north")
        payouts = [one for one in shown["announced"] if one["kind"] == "payout"]
        assert payouts
        assert all(one["unsure"] for one in payouts)
        assert all(one["text"].startswith("Please look") for one in payouts)
        hall.hall.hear("north", TableCondition())
        shown = hall.told("GET", "tables/north")
        assert not any("unsure" in one for one in shown["announced"])


def test_what_counts_nowhere_goes_to_no_hall() -> None:
    hall = HallLink("http://hall.local", "north", "key")
    assert home_of(Path("evenings/game-20261129-200000.jsonl"), hall) == hall
    assert home_of(Path("evenings/rehearsal/rehearsal-20261129-200000.jsonl"), hall) is None
    assert home_of(Path("evenings/study/sample-20261129-200000.jsonl"), hall) is None


def test_a_hall_that_is_away_holds_nobody_up_and_gets_all_of_it_later(tmp_path: Path) -> None:
    database, said = str(tmp_path / "hall.sqlite3"), list[str]()
    with hall_at(database) as hall:
        key = hall.add("north")
        port = int(hall.server.host.rpartition(":")[2])
    with posted(table_of_a_game(), HallLink(f"http://127.0.0.1:{port}", "north", key), said) as at:
        until(lambda: bool(said))
        add_line(at, len(ENTRIES))
        with hall_at(database, port=port) as hall:
            # The hall may leave between writing the lines and saying so.
            until(lambda: "posting to the hall: works again" in said)
            assert lines_of(hall) == len(ENTRIES) + 1
        add_line(at, len(ENTRIES) + 1)
        with hall_at(database, port=port) as hall:
            until(lambda: lines_of(hall) == len(ENTRIES) + 2)
    assert said[0].startswith("posting to the hall: it cannot be reached: ")
    assert not any(key in line for line in said)


def test_a_hall_that_answers_without_end_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "ANSWER_S", 10 * PATIENCE_S)
    said: list[str] = []
    with dripping() as peer:
        link = CountingLink(peer.url.removesuffix("/hook"), "north", "key")
        with posted(table_of_a_game(), link, said) as server:
            assert peer.came.wait(PATIENCE_S)
            for number in range(5):
                add_line(server, len(ENTRIES) + number)
            assert server.json("/health")["events"] == len(ENTRIES) + 5
            # All that while, the table's first request has been waiting for its answer.
            assert (len(link.asked), said) == (1, [])
            assert not peer.left.is_set()
        assert peer.left.wait(PATIENCE_S), "the end of the program waits for the hall"
    assert said == []


def test_a_refusal_is_said_once_and_the_table_goes_on(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        admin = hall.hall.keys.make("admin")
        key = hall.told("POST", "tables", {"name": "north"}, admin)["key"]
        hall.told("POST", "tables", {"name": "south"}, admin)
        hall.post("north", LINES[: len(ENTRIES)], key=key, record="friday.jsonl")
        longer = hall.told("POST", "tables", {"name": "west"}, admin)["key"]
        hall.post("west", LINES[: len(ENTRIES) + 5], key=longer, record="friday.jsonl")
        for table, word, sentence in [
            ("north", "wrong", "this address opens nothing here any more"),
            ("south", key, "this is another table's key"),
            ("east", key, "there is no table east"),
            ("north", key, "differs from the stored one"),
            ("west", longer, "name another record with --record"),
        ]:
            (said,) = refusals(CountingLink(hall.server.url, table, word))
            assert sentence in said
        assert lines_of_table(hall, "north", admin) == LINES[: len(ENTRIES)]


def refusals(link: CountingLink) -> list[str]:
    """What is said at a table that the hall refuses, while the game there goes on."""
    said: list[str] = []
    with posted(table_of_a_game(), link, said) as server:
        until(lambda: bool(said))
        add_line(server, len(ENTRIES))
        attempts = len(link.asked)
        until(lambda: len(link.asked) >= attempts + 2)
    return said


def lines_of_table(hall: HallServed, table: str, key: str) -> list[object]:
    text = hall.ask("GET", f"tables/{table}/record?record=friday.jsonl", key=key).text
    return [json.loads(line) for line in text.splitlines()]


def test_where_a_table_is_sent_is_checked_first(tmp_path: Path) -> None:
    key = tmp_path / "hall.key"
    key.write_text("abc-def\n")
    link = HallLink.of("http://hall.local:8100/tables/north/", key)
    assert (link.host, link.table) == ("http://hall.local:8100", "north")
    assert "abc-def" not in repr(link)
    (tmp_path / "two").write_text("one two")
    for url, file, sentence in [
        ("hall.local/tables/north", key, "expected --hall-url"),
        ("ftp://hall.local/tables/north", key, "expected --hall-url"),
        ("http://hall.local/", key, "expected --hall-url"),
        ("http://hall.local:port/tables/north", key, "expected --hall-url"),
        ("http://[hall/tables/north", key, "expected --hall-url"),
        ("http://me:abc@hall.local/tables/north", key, "expected --hall-url"),
        ("http://hall.local/tables/north", tmp_path / "none", "cannot read the key"),
        ("http://hall.local/tables/north", tmp_path / "two", "does not hold one key"),
    ]:
        with pytest.raises(Refused, match=sentence):
            HallLink.of(url, file)


def test_the_program_keeps_a_hall_in_postgres_and_tells_no_secret(postgres: Postgres) -> None:
    database = postgres.new_database()
    words = ["hall", "--port", "0", "--host", "0.0.0.0", "--json-log"]
    with running(*words, env={"TILESIGHT_DATABASE": database}) as program:
        told = [program.line() for _ in range(3)]
        try:
            (url,) = re.findall(r"http://localhost:\d+", told[0])
            (admin,) = re.findall(r"/#(\S+)", told[1])
            hall = HallClient(Served(url.removeprefix("http://")))
            hall.told("POST", "tables", {"name": "north"}, admin)
            assert hall.ask("GET", "tables").status == 401
        finally:
            program.stop()
            told += program.stdout.readlines() + program.stderr.readlines()
    assert program.process.returncode == 0
    assert PASSWORD not in "".join(told)
    logged = [line for line in told if line.startswith("{")]
    assert logged
    assert admin not in "".join(logged)
    with hall_at(database, without_key=None) as again:
        assert again.hall.keys.any_admin(), "it is told only once"
        (row,) = again.told("GET", "tables", key=admin)["tables"]
    assert row["name"] == "north"
