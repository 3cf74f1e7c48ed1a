"""What only one seat may know reaches that seat's page and nothing else, seen from the outside."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from engine.announce import Ready, seen_by
from engine.game import Game, replay
from service.access.grants import Grant, Role
from service.access.keys import TableKeys, keys_file, qr_svg, seat_address, table_address
from tests.support.golden import golden
from tests.support.keys import KEYS
from tests.support.live_table import played
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, served

EVENTS = 150
OVER = ("settled", "before_hand", "after_game")
Messages = list[dict[str, Any]]


@pytest.fixture
def go() -> threading.Event:
    """The game waits until everybody listens."""
    return threading.Event()


@pytest.fixture
def client(go: threading.Event, request: pytest.FixtureRequest) -> Iterator[Served]:
    rules = getattr(request, "param", "harbin-hlr")
    entries = golden(rules)[:EVENTS]
    table = played(entries, rules, go=go)
    with served(table, KEYS, "info") as client:
        yield client
        go.set()


def heard(client: Served, path: str, first: dict[str, str] | None, ready: threading.Barrier) -> str:
    """Everything that a socket brings until the game is over, as it came."""
    texts = []
    with client.socket(path) as socket:
        if first is not None:
            socket.send(json.dumps(first))
            socket.send(json.dumps({"teach": "always"}))
        texts.append(str(socket.recv(PATIENCE_S)))
        ready.wait(PATIENCE_S)
        while '"ended":true' not in texts[-1]:
            texts.append(str(socket.recv(PATIENCE_S)))
    return "\n".join(texts)


def listen_to_all(client: Served, go: threading.Event) -> list[str]:
    """What the four seats' sockets and the public one brought, in this order."""
    ready = threading.Barrier(6)
    with ThreadPoolExecutor(5) as pool:
        listening = [
            pool.submit(heard, client, "/ws/seat", {"key": key}, ready) for key in KEYS.seats
        ]
        listening.append(pool.submit(heard, client, "/ws", None, ready))
        ready.wait(PATIENCE_S)
        go.set()
        return [each.result(PATIENCE_S) for each in listening]


def read(texts: str) -> Messages:
    return [json.loads(text) for text in texts.split("\n")]


@pytest.mark.parametrize(
    "client", ["harbin-hlr", "harbin-treasure", "riichi", "hangzhou"], indirect=True
)
def test_no_socket_brings_what_is_for_another_seat(client: Served, go: threading.Event) -> None:
    *seats, public = listen_to_all(client, go)
    assert '"for"' not in public
    assert '"mine"' not in public
    told = 0
    for seat, texts in enumerate(seats):
        for message in read(texts):
            mine = message.pop("mine")
            assert mine["seat"] == seat
            assert '"for"' not in json.dumps(message)
            private = [*mine["said"], *([mine["hint"]] if mine["hint"] else [])]
            assert all(one.get("for", seat) == seat for one in private)
            told += len(mine["said"])
            for player in message.get("table", {"players": []})["players"]:
                assert player["shown"] or set(player["hand"]) <= {"?"}
    assert told > 0


def test_only_a_ready_player_is_shown_the_dora(client: Served, go: threading.Event) -> None:
    *seats, _ = listen_to_all(client, go)
    ready: set[tuple[int, int]] = set()
    game = Game()
    for entry in golden("harbin-hlr")[:EVENTS]:
        game.submit(entry)
        number, players = game.state.hand_number, game.state.players
        ready |= {(number, seat) for seat, player in enumerate(players) if player.ready}
    looked = 0
    for seat, texts in enumerate(seats):
        for message in read(texts):
            table = message.get("table")
            if table is None or table["phase"] in OVER:
                continue
            assert {one["tile"] for one in table["indicators"]} <= {"?"}
            mine = message["mine"]
            for one in mine["indicators"] if mine["phase"] not in OVER else ():
                if one["tile"] != "?":
                    looked += 1
                    assert (mine["hand_number"], seat) in ready
    assert looked > 0


def test_a_ready_player_hears_the_waits_and_the_others_do_not(
    client: Served, go: threading.Event
) -> None:
    *seats, public = listen_to_all(client, go)
    game = replay(golden("harbin-hlr")[:EVENTS])
    own = [
        said
        for said in game.announcements()
        if isinstance(said, Ready) and said.audience is not None and said.waits
    ]
    assert own
    for said in own:
        assert seen_by(said, None) is None
        for seat, texts in enumerate([*seats, public]):
            found = any(
                one["kind"] == "ready" and one["of"] == said.of and "for" in one
                for message in read(texts)
                for one in message.get("mine", {"said": []})["said"]
            )
            assert found is (seat == said.audience)


def test_a_hint_comes_on_demand_and_to_nobody_else(client: Served, go: threading.Event) -> None:
    go.set()
    client.wait_for_end()
    with client.socket("/ws/seat") as asking, client.socket("/ws/seat") as silent:
        for socket, key in ((asking, "key-0"), (silent, "key-1")):
            socket.send(json.dumps({"key": key}))
            assert json.loads(socket.recv(PATIENCE_S))["mine"]["hint"] is None
        asking.send(json.dumps({"teach": "now"}))
        hint = json.loads(asking.recv(PATIENCE_S))["mine"]["hint"]
        assert hint is None or hint["seat"] == 0
        with pytest.raises(TimeoutError):
            silent.recv(0.3)


@pytest.mark.parametrize(
    "said",
    ['{"key": "key-4"}', '{"key": "control-key"}', '{"key": 0}', "[]", "{", "[" * 999, b"\xff"],
)
def test_who_has_no_key_is_told_nothing(client: Served, said: str | bytes) -> None:
    with client.socket("/ws/seat") as socket:
        socket.send(said)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(PATIENCE_S)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


@pytest.mark.parametrize("said", ["[]", "{", '{"teach": 7}', "x" * 1500])
def test_what_makes_no_sense_is_passed_over(client: Served, said: str) -> None:
    with client.socket("/ws/seat") as socket:
        socket.send('{"key": "key-2"}')
        socket.recv(PATIENCE_S)
        socket.send(said)
        socket.send('{"teach": "now"}')
        assert json.loads(socket.recv(PATIENCE_S))["type"] == "mine"


def test_the_addresses_of_the_seats_are_for_the_keeper_of_the_table(client: Served) -> None:
    for key in (None, "key-0", "", "control-ke"):
        answer = client.get("/api/seats", key=key)
        assert answer.status == 401
        assert "key-" not in answer.text.replace("printed", "")
    seats = json.loads(client.get("/api/seats", key="control-key").text)
    assert [one["seat"] for one in seats] == [0, 1, 2, 3]
    assert [one["address"] for one in seats] == [f"{client.url}/seat#key-{n}" for n in range(4)]
    assert all(one["qr"].startswith("<svg") for one in seats)


def test_no_key_reaches_the_log(
    client: Served,
    go: threading.Event,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    listen_to_all(client, go)
    client.get("/api/seats", key="control-key")
    client.get("/seat")
    logged = "".join(capfd.readouterr()) + caplog.text
    assert "/ws/seat" in logged
    assert "/api/seats" in logged
    for key in (KEYS.control, *KEYS.seats):
        assert key not in logged


def test_keys_are_random_and_kept_out_of_texts() -> None:
    first, second = TableKeys.new(), TableKeys.new()
    words = {first.control, second.control, *first.seats, *second.seats}
    assert len(words) == 10
    assert min(map(len, words)) >= 24
    assert not any(word in repr(first) for word in words)
    assert [first.grant_of(key) for key in first.seats] == [
        Grant(Role.SEAT, seat) for seat in range(4)
    ]
    assert first.grant_of("ключ") is None


def test_the_keys_of_a_record_outlive_a_restart_and_only_the_owner_reads_them(
    tmp_path: Path,
) -> None:
    record = tmp_path / "game.jsonl"
    first = TableKeys.kept_beside(record)
    assert TableKeys.kept_beside(record) == first
    assert TableKeys.kept_beside(tmp_path / "other.jsonl") != first
    assert keys_file(record).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"[", b"{}", b"7", b'["a","b"]', b"[1,2,3,4,5]", b"\xff"])
def test_keys_that_cannot_be_read_are_made_anew(tmp_path: Path, content: bytes) -> None:
    record = tmp_path / "game.jsonl"
    keys_file(record).write_bytes(content)
    made = TableKeys.kept_beside(record)
    assert TableKeys.kept_beside(record) == made
    assert len(set(made.seats)) == 4


def test_a_key_stands_behind_the_part_of_an_address_that_is_sent() -> None:
    assert seat_address("http://host:1/", "word") == "http://host:1/seat#word"
    assert table_address("http://host:1", "word") == "http://host:1/#word"
    assert qr_svg("one") != qr_svg("another")
