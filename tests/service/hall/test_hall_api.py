"""Tables post to a hall over HTTP; what is wrong is refused and changes nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from service.hall.remote_table import SILENT_S
from service.report.sheet import BYTE_ORDER_MARK
from tests.support.documentation import read
from tests.support.halls import LINES, SAMPLE, HallServed, hall_at, on_sqlite
from tests.support.keys import with_key
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Postgres
from tests.support.served import Answer

DEALT = {"type": "deal", "seat": 0, "tiles": ["1m"] * 2 + ["9s"] * 2 + ["5p"] * 9}


@pytest.fixture
def hall(database: str) -> Iterator[HallServed]:
    with hall_at(database) as hall:
        yield hall


@pytest.fixture
def far(tmp_path: Path) -> Iterator[HallServed]:
    """A hall as other machines meet it: nothing without a key."""
    with hall_at(str(tmp_path / "far.sqlite3"), without_key=None) as hall:
        yield hall


def listen(hall: HallServed, path: str, key: str = "") -> ClientConnection:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    url = f"ws://{hall.server.host}/api/v1/{path}"
    return connect(url, additional_headers=headers, open_timeout=PATIENCE_S)


def refused(answer: Answer, status: int) -> str:
    assert answer.status == status, answer.text
    detail = json.loads(answer.text)["detail"]
    assert detail
    assert "\n" not in detail
    return str(detail)


def test_a_game_is_posted_watched_and_counted(hall: HallServed) -> None:
    key = hall.add("north", title="North table")
    league = hall.told(
        "POST", "leagues", {"name": "Club", "season": "2026", "rules": "riichi-tenhou"}
    )
    hall.told("PUT", "tables/north", {"league": league["id"]})
    with listen(hall, "listen") as socket, listen(hall, "listen?lang=zh") as other:
        assert json.loads(socket.recv())["tables"][0]["phase"] == "before_game"
        other.recv()
        assert json.loads(hall.post("north", LINES[:300], key=key).text)["lines"] == 300
        row, same = (json.loads(each.recv())["table"] for each in (socket, other))
    assert row["title"] == "North table"
    assert row["names"] == ["Aki", "Ben", "Chiyo", "Dan"]
    assert row["hand"] > 1
    assert row["said"][0]["text"] != same["said"][0]["text"]
    assert row["said"][0]["key"] == same["said"][0]["key"]
    hall.post("north", LINES[250:], 250, key)  # a part of it comes again
    (row,) = hall.told("GET", "tables")["tables"]
    assert (row["phase"], row["lines"]) == ("after_game", len(LINES))
    told = hall.told("GET", f"leagues/{league['id']}")
    assert [one["name"] for one in told["people"]] == ["Ben", "Dan", "Aki", "Chiyo"]
    assert told["people"][0]["points"] == 9_000
    assert told["people"][0]["places"] == [1, 0, 0, 0]
    (game,) = told["games"]
    assert [one["place"] for one in game["players"]] == [1, 2, 3, 4]
    assert hall.told("GET", f"tables/{game['table_name']}")["title"] == game["table"]
    for one in (*told["people"], *game["players"]):
        assert hall.told("GET", f"players/{one['player']}")["person"]["name"] == one["name"]
    written = hall.ask("GET", f"leagues/{league['id']}/csv").text
    assert written.startswith(BYTE_ORDER_MARK)
    sheet = written.removeprefix(BYTE_ORDER_MARK).splitlines()
    assert sheet[1] == '1,"Ben",1,9000,9000.0,1.00,1,0,0,0'
    points, average = sheet[4].split(",")[3:5]
    assert float(average) == int(points) < 0
    back = hall.ask("GET", "tables/north/record?record=a.jsonl").text.splitlines()
    assert [json.loads(line) for line in back] == LINES


@on_sqlite
def test_a_correction_after_the_game_changes_what_counts(hall: HallServed) -> None:
    hall.add("north")
    league = hall.told(
        "POST", "leagues", {"name": "Club", "season": "2026", "rules": "riichi-tenhou"}
    )["id"]
    hall.post("north", LINES)
    assert hall.told("GET", f"leagues/{league}")["people"] == []
    hall.told("PUT", "tables/north/league", {"record": "a.jsonl", "league": league})
    names = {"players": ["=Aki", "Ben", "Chiyo", "Dan"]}
    renamed = {"type": "correct", "of": 0, "events": [LINES[0] | names]}
    hall.post("north", [renamed], len(LINES))
    assert hall.told("GET", f"leagues/{league}")["people"][2]["name"] == "=Aki"
    assert "'=Aki" in hall.ask("GET", f"leagues/{league}/csv").text
    hall.post("north", [{"type": "correct", "of": len(LINES) - 1, "events": []}], len(LINES) + 1)
    assert hall.told("GET", f"leagues/{league}")["games"] == []


def test_what_is_wrong_is_one_sentence_and_changes_nothing(hall: HallServed) -> None:
    key, other = hall.add("north"), hall.add("south")
    hall.post("north", LINES[:3], key=key)
    with listen(hall, "tables/north/listen") as socket:
        before = json.loads(socket.recv())
    good = {"record": "a.jsonl", "from": 3, "lines": LINES[3:4]}
    wrong: list[tuple[str, object, str, int]] = [
        ("tables/west/lines", good, key, 404),
        ("tables/north/lines", good, other, 403),
        ("tables/north/lines", good, "no-key-at-all", 401),
        ("tables/north/lines", good | {"lines": [LINES[3], {"type": "fly"}]}, key, 422),
        ("tables/north/lines", good | {"lines": [LINES[0] | {"rules": "chess"}]}, key, 422),
        ("tables/north/lines", good | {"lines": "all"}, key, 400),
        ("tables/north/lines", good | {"from": -1}, key, 400),
        ("tables/north/lines", good | {"from": 10**30}, key, 400),
        ("tables/north/lines", good | {"from": 5}, key, 409),
        ("tables/north/lines", good | {"from": 2}, key, 409),
        ("tables/north/lines", good | {"record": "a\0b"}, key, 400),
        ("tables/north/lines", good | {"record": "\ud800"}, key, 400),
        ("tables/north/lines", [], key, 400),
        ("tables", {"name": "north"}, "", 409),
        ("tables", {"name": "North Table"}, "", 400),
        ("tables", {"name": "east"}, key, 403),
        ("keys", {"role": "emperor"}, "", 400),
        ("keys", {"role": "table"}, "", 422),
        ("keys", {"role": "viewer", "table": "north"}, "", 422),
        ("leagues", {"name": "Club", "season": "1", "rules": "chess"}, "", 400),
        ("tables/north/condition", {"questions": "many"}, key, 400),
    ]
    for path, body, opens, status in wrong:
        refused(hall.ask("POST", path, body, opens), status)
    for path, status in [
        ("tables/west", 404),
        ("leagues/77", 404),
        ("leagues/77/csv", 404),
        (f"leagues/{10**30}", 422),
        ("tables/north/record?record=other", 404),
        ("tables/north/lines", 422),
    ]:
        refused(hall.ask("GET", path), status)
    refused(hall.ask("PUT", "tables/north", {"league": 77}), 404)
    refused(hall.ask("DELETE", "keys/99", {}), 404)
    assert hall.told("GET", "tables/north") == before
    assert hall.told("GET", "tables/north/lines?record=a.jsonl")["lines"] == 3
    assert len(hall.told("GET", "tables")["tables"]) == 2


@on_sqlite
def test_nobody_administers_a_hall_through_a_proxy_without_a_key(hall: HallServed) -> None:
    passed_on = {"X-Forwarded-For": "192.0.2.7"}
    path, body = "/api/v1/keys", {"role": "admin"}
    assert hall.server.post(path, body, passed_on).status == 401
    admin = with_key(hall.hall.keys.make("admin"))
    named = {**passed_on, **admin, "Host": "hall.example"}
    assert hall.server.post(path, body, named).status == 200


def test_everything_beyond_this_machine_needs_a_key(far: HallServed) -> None:
    admin = far.hall.keys.make("admin")
    refused(far.ask("GET", "tables"), 401)
    refused(far.ask("POST", "tables", {"name": "north"}), 401)
    made = far.told("POST", "tables", {"name": "north"}, admin)
    key = made["key"]
    assert made == {"role": "table", "table": "north", "key": key}
    viewer = far.told("POST", "keys", {"role": "viewer"}, admin)["key"]
    assert far.post("north", LINES[:3], key=key).status == 200
    refused(far.post("north", LINES[3:5], 3, viewer), 403)
    for path in ("keys", "tables/north/records", "tables/north/record?record=a.jsonl"):
        refused(far.ask("GET", path, key=viewer), 403)
        assert far.ask("GET", path, key=admin).status == 200
    refused(far.ask("POST", "keys", {"role": "admin"}, viewer), 403)
    assert far.told("GET", "tables", key=viewer)["tables"][0]["lines"] == 3
    listed = far.ask("GET", "keys", key=admin).text
    assert not any(secret in listed for secret in (admin, key, viewer))


def test_a_revoked_key_opens_nothing_and_its_pages_are_closed(far: HallServed) -> None:
    admin = far.hall.keys.make("admin")
    viewer = far.told("POST", "keys", {"role": "viewer"}, admin)["key"]
    number = far.told("GET", "keys", key=admin)[-1]["id"]
    with listen(far, "listen", viewer) as socket:
        socket.recv()
        assert far.told("DELETE", f"keys/{number}", {}, admin) == {}
        with pytest.raises(Exception, match="begin anew"):
            socket.recv(timeout=PATIENCE_S)
    refused(far.ask("GET", "tables", key=viewer), 401)


@on_sqlite
def test_no_page_shows_what_one_seat_alone_knows(hall: HallServed) -> None:
    hall.add("north")
    start = {"type": "game_start", "rules": "harbin-treasure", "players": ["A", "B", "C", "D"]}
    hidden = {"type": "indicator", "kind": "treasure", "tile": "7s"}
    lines = [start, {"type": "hand_start"}, DEALT, hidden]
    lines += [{"type": "draw", "seat": 0, "tile": "3z"}]
    with listen(hall, "tables/north/listen") as one, listen(hall, "listen") as all_of_them:
        heard = [one.recv(), all_of_them.recv()]
        assert hall.post("north", lines).status == 200
        heard += [one.recv(), all_of_them.recv()]
    heard += [hall.ask("GET", "tables/north").text, hall.ask("GET", "tables").text]
    for text in heard:
        assert not re.search(r'"(7s|3z|1m|9s|5p)"', str(text))
    assert json.loads(heard[2])["lines"] == len(lines)


@on_sqlite
def test_it_is_said_where_somebody_is_needed(
    hall: HallServed, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.add("north")
    now_s = hall.hall._clock()
    monkeypatch.setattr(hall.hall, "_clock", lambda: now_s)
    start = {"type": "game_start", "rules": "harbin-hlr"}
    foul = {"type": "foul", "seat": 1, "offence": "exposed_tile", "tiles": ["1m"]}
    hall.post("north", [start, {"type": "hand_start"}, foul])

    def needs() -> list[dict[str, Any]]:
        (row,) = hall.told("GET", "tables")["tables"]
        told: list[dict[str, Any]] = row["needs"]
        return told

    assert needs() == [{"what": "fouls", "count": 1}]
    confirmed = {"type": "correct", "of": 2, "events": [foul | {"source": "person"}]}
    hall.post("north", [confirmed], 3)
    assert needs() == []
    lost = {"trouble": "the camera is gone", "questions": 2}
    hall.told("POST", "tables/north/condition", lost)
    assert needs() == [
        {"what": "trouble", "text": "the camera is gone", "kind": None},
        {"what": "questions", "count": 2},
    ]
    hall.told("POST", "tables/north/condition", {})
    with listen(hall, "listen") as socket:
        assert json.loads(socket.recv())["tables"][0]["needs"] == []
        now_s += SILENT_S + 1  # the page is told by the hall itself
        assert json.loads(socket.recv(timeout=PATIENCE_S))["table"]["needs"] == [{"what": "silent"}]


def test_a_hall_goes_on_where_it_stood(database: str) -> None:
    with hall_at(database) as hall:
        key = hall.add("north")
        hall.post("north", LINES[:200], key=key)
        before = hall.told("GET", "tables/north")
    with hall_at(database) as hall:
        assert hall.told("GET", "tables/north") == before
        asked = "tables/north/lines?record=a.jsonl"
        assert hall.told("GET", asked, key=key)["lines"] == 200


def test_a_server_that_goes_away_is_said_and_nothing_is_lost(postgres: Postgres) -> None:
    with hall_at(postgres.new_database()) as hall:
        key = hall.add("north")
        hall.post("north", LINES[:10], key=key)
        postgres.stop()
        try:
            detail = refused(hall.post("north", LINES[10:20], 10, key), 503)
            assert "try again" in detail
            refused(hall.ask("GET", "leagues"), 503)
            assert hall.told("GET", "tables")["tables"][0]["lines"] == 10
        finally:
            postgres.start()
        assert json.loads(hall.post("north", LINES[10:20], 10, key).text)["lines"] == 20
        assert hall.told("GET", "tables")["tables"][0]["lines"] == 20


@on_sqlite
def test_every_address_is_described_by_the_types_of_its_request_and_answer(
    hall: HallServed,
) -> None:
    described = hall.server.json("/openapi.json")
    for path, methods in described["paths"].items():
        for method, about in methods.items():
            assert about["description"], path
            contents = [about["responses"]["200"]["content"]]
            contents += [about["requestBody"]["content"]] if "requestBody" in about else []
            for content in contents:
                assert all(kind["schema"] or path == "/health" for kind in content.values()), path
            assert method == "get" or path == "/health" or about["security"] == [{"key": []}]
    assert described["components"]["schemas"]["NewTable"]["properties"]["name"]["examples"]
    assert described["components"]["schemas"]["Post"]["required"] == ["record", "from", "lines"]


@on_sqlite
def test_its_health_and_metrics_are_told(hall: HallServed) -> None:
    hall.add("north")
    health = hall.server.json("/health")
    assert health == {"status": "open", "problem": None, "background": []}
    assert "tilesight_tables 1.0" in hall.server.get("/metrics").text


def test_the_client_of_the_documentation_posts_a_record(far: HallServed) -> None:
    interface = read("docs/hall.md").partition("## The programming interface")[2]
    (program,) = re.findall(r"```python\n(.+?)```", interface, re.DOTALL)
    key = far.told("POST", "tables", {"name": "north"}, far.hall.keys.make("admin"))["key"]
    page = f"{far.server.url}/tables/north"
    for _ in range(2):  # the second time there is nothing left to send
        command = [sys.executable, "-W", "error", "-c", program, page, key, str(SAMPLE)]
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        assert ran.stdout == f"the hall has {len(LINES)} lines of {SAMPLE.name}\n"
