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

from engine.game import Game
from service.web.keys import TableKeys, keys_file, qr_svg, seat_address, table_address
from tests.support.golden import golden
from tests.support.keys import KEYS
from tests.support.live_table import played
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, served

PLAYED = golden("harbin-hlr")[:150]
OVER = ("settled", "before_hand", "after_game")
Messages = list[dict[str, Any]]


@pytest.fixture(scope="module")
def over() -> Iterator[Served]:
    """A game that is over."""
    with served(played(PLAYED, "harbin-hlr"), KEYS) as client:
        client.wait_for_end()
        yield client


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


def test_a_socket_brings_what_its_seat_may_know_and_no_key_reaches_the_log(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    go = threading.Event()
    with served(played(PLAYED, "harbin-hlr", go=go), KEYS, "info") as client:
        *seats, public = listen_to_all(client, go)
        client.get("/api/seats", key=KEYS.control)
    assert '"for"' not in public
    assert public.count('"mine"') == public.count('"mine":null') > 0, "what a seat alone knows"
    only_a_ready_player_sees_the_dora([read(texts) for texts in seats])
    logged = "".join(capfd.readouterr()) + caplog.text
    assert "/ws/seat" in logged
    assert "/api/seats" in logged
    assert [key for key in (KEYS.control, *KEYS.seats) if key in logged] == []


def only_a_ready_player_sees_the_dora(told: list[Messages]) -> None:
    ready: set[tuple[int, int]] = set()
    game = Game()
    for entry in PLAYED:
        game.submit(entry)
        number, players = game.state.hand_number, game.state.players
        ready |= {(number, seat) for seat, player in enumerate(players) if player.ready}
    looked = 0
    for seat, messages in enumerate(told):
        for message in messages:
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


def test_a_hint_comes_on_demand_and_to_nobody_else(over: Served) -> None:
    with over.socket("/ws/seat") as asking, over.socket("/ws/seat") as silent:
        for socket, key in ((asking, "key-0"), (silent, "key-1")):
            socket.send(json.dumps({"key": key}))
            assert json.loads(socket.recv(PATIENCE_S))["mine"]["hint"] is None
        asking.send(json.dumps({"teach": "now"}))
        hint = json.loads(asking.recv(PATIENCE_S))["mine"]["hint"]
        assert hint is None or hint["seat"] == 0
        with pytest.raises(TimeoutError):
            silent.recv(0.3)


NO_KEY = ('{"key": "key-4"}', '{"key": "control-key"}', '{"key": 0}', "[]", "{", "[" * 999, b"\xff")


def test_who_has_no_key_is_told_nothing_and_what_makes_no_sense_is_passed_over(
    over: Served,
) -> None:
    for said in NO_KEY:
        with over.socket("/ws/seat") as socket:
            socket.send(said)
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(PATIENCE_S)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    with over.socket("/ws/seat") as socket:
        socket.send('{"key": "key-2"}')
        socket.recv(PATIENCE_S)
        for nonsense in ("[]", "{", '{"teach": 7}', "x" * 1500):
            socket.send(nonsense)
            socket.send('{"teach": "now"}')
            assert json.loads(socket.recv(PATIENCE_S))["type"] == "mine"


def test_whoever_runs_the_table_is_given_the_addresses_of_the_others(over: Served) -> None:
    for key in (None, "key-0", "", "control-ke"):
        for path in ("/api/seats", "/api/links"):
            assert "key-" not in over.get(path, key=key).text.replace("printed", "")
    seats = json.loads(over.get("/api/seats", key="control-key").text)
    assert [seat["seat"] for seat in seats] == [0, 1, 2, 3]
    assert [seat["address"] for seat in seats] == [f"{over.url}/seat#key-{n}" for n in range(4)]
    assert all(seat["qr"].startswith("<svg") for seat in seats)


def test_keys_are_random_and_kept_out_of_texts() -> None:
    first, second = TableKeys.new(), TableKeys.new()
    words = {first.control, second.control, *first.seats, *second.seats}
    assert len(words) == 10
    assert min(map(len, words)) >= 24
    assert not any(word in repr(first) for word in words)
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
