"""Whoever runs the table makes its keys new: the old ones open nothing, open pages are closed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from service.main import run
from service.web.keys import TableKeys, keys_file
from tests.support.halls import LINES, hall_at
from tests.support.keys import with_key
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, served


@pytest.fixture
def keys(tmp_path: Path) -> TableKeys:
    return TableKeys.kept_beside(tmp_path / "game.jsonl")


@pytest.fixture
def server(keys: TableKeys) -> Iterator[Served]:
    with served(table_of_a_game(), keys, without_key=None) as server:
        yield server


def statuses(server: Served, keys: list[str]) -> set[int]:
    return {server.get("/api/table", key=key).status for key in keys}


def listening(server: Served, path: str, key: str) -> ClientConnection:
    return connect(
        f"ws://{server.host}{path}", additional_headers=with_key(key), open_timeout=PATIENCE_S
    )


def closed(socket: ClientConnection) -> bool:
    try:
        while True:
            socket.recv(PATIENCE_S)
    except ConnectionClosed:
        return True


def test_old_keys_open_nothing_and_their_sockets_are_closed(
    server: Served, keys: TableKeys, tmp_path: Path
) -> None:
    old = [keys.control, keys.viewer, keys.scorer, *keys.seats]
    with (
        listening(server, "/ws", keys.viewer) as table,
        listening(server, "/ws/picture", keys.viewer) as picture,
        listening(server, "/ws/seat", keys.seats[1]) as seat,
    ):
        seat.send(json.dumps({"key": keys.seats[1]}))
        for socket in (table, seat):
            socket.recv(PATIENCE_S)
        answer = server.post("/api/keys", {"renew": True}, with_key(old[0]))
        assert answer.status == 200
        assert all(map(closed, (table, picture, seat)))
    assert json.loads(answer.text) == {"key": keys.control}
    assert statuses(server, old) == {401}
    new = [keys.control, keys.viewer, keys.scorer, *keys.seats]
    assert statuses(server, new) == {200}
    assert not set(new) & set(old)
    assert TableKeys.kept_beside(tmp_path / "game.jsonl") == keys  # after a restart, too


def test_keys_that_cannot_be_kept_stay_as_they_are(
    server: Served, keys: TableKeys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = keys.control
    assert server.post("/api/keys", {}, with_key(before)).status == 400
    monkeypatch.setattr("service.web.keys.write_whole", full)
    assert server.post("/api/keys", {"renew": True}, with_key(before)).status == 507
    assert statuses(server, [before]) == {200}
    assert before in keys_file(tmp_path / "game.jsonl").read_text()


def test_a_command_makes_a_tables_keys_new_beside_a_hall_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.hall.hall.LOOK_S", 0.05)
    database = str(tmp_path / "hall.sqlite3")
    with hall_at(database, without_key=None) as hall:
        admin = hall.hall.keys.make("admin")
        old = hall.told("POST", "tables", {"name": "north"}, admin)["key"]
        other = hall.told("POST", "tables", {"name": "south"}, admin)["key"]
        with listening(hall.server, "/api/v1/listen", old) as page:
            page.recv(PATIENCE_S)
            assert run(["hall", "--database", database, "--revoke", "north"]) == 0
            assert closed(page)
        new = capsys.readouterr().out.split()[-1]
        posted = [hall.post("north", LINES[:3], key=key).status for key in (old, new, other)]
        assert posted == [401, 200, 403]
        assert hall.post("south", LINES[:3], key=other).status == 200
    assert run(["hall", "--database", database, "--revoke", "west"]) == 2
    assert "there is no table west" in capsys.readouterr().err
    nowhere = tmp_path / "nowhere.sqlite3"
    assert run(["hall", "--database", str(nowhere), "--revoke", "north"]) == 2
    assert f"there is no database {nowhere}" in capsys.readouterr().err
    assert not nowhere.exists()
