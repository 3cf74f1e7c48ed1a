"""What an address of a hall does not take is posted again, in order, and holds up no other."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from engine import game
from engine.events import Entry, GameStart
from service.hall import hall as hall_module
from service.hall import webhook_cursors, webhooks
from service.hall.database import open_database
from service.hall.database_schema import NAMES, WEBHOOK_CURSORS
from service.hall.records import Records, TableRow
from service.hall.webhooks import Webhooks
from service.web import background
from tests.support.halls import LINES, hall_at, on_sqlite
from tests.support.patience import PATIENCE_S, until
from tests.support.peers import dripping
from tests.support.webhook_listener import TROUBLE, listening, post_game, settings


@pytest.fixture
def again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused is posted again without a wait, and jobs that failed go on soon."""
    monkeypatch.setattr(webhook_cursors, "AGAIN_S", (0.0,) * 9)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.05)


@pytest.mark.usefixtures("again_at_once")
@on_sqlite
def test_what_is_not_taken_is_posted_again_also_by_the_next_program(
    database: str, tmp_path: Path
) -> None:
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


@pytest.mark.usefixtures("again_at_once")
@on_sqlite
def test_an_address_that_was_away_from_the_start_is_told_by_the_next_program(
    database: str, tmp_path: Path
) -> None:
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


@pytest.mark.usefixtures("again_at_once")
@on_sqlite
def test_a_message_that_is_posted_again_says_the_same_whatever_came_since(
    database: str, tmp_path: Path
) -> None:
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


@pytest.mark.usefixtures("again_at_once")
@on_sqlite
def test_what_waits_names_nobody_who_is_forgotten(database: str, tmp_path: Path) -> None:
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


@pytest.mark.usefixtures("again_at_once")
@on_sqlite
def test_a_late_correction_of_an_early_line_is_replayed_once_for_all_addresses(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two records by turns, to two addresses that lag behind the corrections."""
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
