"""The web application, asked from the outside."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from service.table.live_table import LiveTable, TableSettings
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, served
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames


@pytest.fixture
def go() -> threading.Event:
    """Nothing happens at the table before this is set."""
    return threading.Event()


@pytest.fixture
def asked() -> threading.Event:
    """The last pictures come once this is set."""
    return threading.Event()


@pytest.fixture
def client(go: threading.Event, asked: threading.Event) -> Iterator[Served]:
    def filmed() -> Frames:
        for index in range(15):
            if index == 12:
                assert asked.wait(PATIENCE_S)
            yield Frame(np.full((36, 64, 3), index, np.uint8), index / 10, index)

    table = LiveTable(
        ToldReader(ENTRIES, go=go), filmed(), KeptLines(), TableSettings("harbin-hlr", "game.mp4")
    )
    with served(table) as client:
        yield client
        go.set()
        asked.set()


def ended(client: Served, go: threading.Event, asked: threading.Event) -> dict[str, Any]:
    """Let all of the game be played; what ``/health`` says then."""
    go.set()
    asked.set()
    return client.wait_for_end()


def test_health_says_how_far_the_table_has_got(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    assert client.json("/health")["status"] == "watching"
    health = ended(client, go, asked)
    assert health["events"] == len(ENTRIES)
    assert (health["source"], health["problem"]) == ("game.mp4", None)


def test_the_table_can_be_asked_for(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    ended(client, go, asked)
    assert client.json("/api/table")["points"] == [-3, -1, 5, -1]


def test_a_page_is_told_each_event_once_and_in_order(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    numbers: list[int] = []
    with client.socket("/ws") as socket:
        snapshot = json.loads(socket.recv(PATIENCE_S))
        assert snapshot["type"] == "snapshot"
        assert snapshot["happened"] == []
        go.set()
        asked.set()
        while len(numbers) < len(ENTRIES):
            message = json.loads(socket.recv(PATIENCE_S))
            numbers.append(message["number"])
        assert message["table"]["names"] == ["Anna", "Bo", "=1+1", "<b>D</b>"]
    assert numbers == list(range(len(ENTRIES)))


def test_a_page_that_comes_late_sees_what_happened(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    ended(client, go, asked)
    with client.socket("/ws") as socket:
        snapshot = json.loads(socket.recv(PATIENCE_S))
    payouts = [said for said in snapshot["announced"] if said["kind"] == "payout"]
    assert [payout["deltas"] for payout in payouts] == [[-3, -1, 5, -1]]
    assert "=1+1" in payouts[0]["text"]
    assert snapshot["status"]["ended"] is True


def test_a_drawn_tile_is_sent_to_nobody(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    ended(client, go, asked)
    with client.socket("/ws") as socket:
        snapshot = json.loads(socket.recv(PATIENCE_S))
    happened = snapshot["happened"]
    (draw,) = (message for message in happened if message["event"]["type"] == "draw")
    assert draw["event"] == {"type": "draw", "seat": 0, "tile": "?"}
    assert draw["parts"] == ["Anna draws"]


def test_pictures_come_when_they_are_asked_for(
    client: Served, go: threading.Event, asked: threading.Event
) -> None:
    with client.socket("/ws/picture") as socket:
        for there_are_more in (None, go, asked):
            if there_are_more is not None:
                there_are_more.set()
            socket.send("next")
            picture = socket.recv(PATIENCE_S)
            assert isinstance(picture, bytes)
            assert picture.startswith(b"\xff\xd8")


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("/", "/static/app.js"),
        ("/static/app.js", "/ws/picture"),
        ("/static/drawn_table.js", "drawTable"),
        ("/static/style.css", "#table"),
        ("/tiles.svg", 'id="tile-0p"'),
    ],
)
def test_the_page_has_all_its_parts_and_none_from_elsewhere(
    client: Served, path: str, holds: str
) -> None:
    response = client.get(path)
    assert response.status == 200
    assert holds in response.text
    assert "default-src 'self'" in response.headers["content-security-policy"]
    foreign = response.text.replace("http://www.w3.org/2000/svg", "")
    assert "http://" not in foreign
    assert "https://" not in foreign.replace('"https:"', "")


def test_what_is_not_there_is_not_found(client: Served) -> None:
    assert client.get("/static/../main.py").status == 404
    assert client.get("/record").status == 404


def test_a_foreign_name_for_this_machine_is_refused(client: Served) -> None:
    assert client.get("/health", host="elsewhere.example").status == 400
    assert client.get("/health", host="localhost").status == 200


def test_the_texts_are_sent_again_only_when_they_have_changed(client: Served) -> None:
    address = "/static/words/catalogue.js"
    first = client.get(address)
    assert "const WORDS = {" in first.text
    assert first.headers["cache-control"] == "no-cache"
    request = urllib.request.Request(
        client.url + address, headers={"If-None-Match": first.headers["etag"]}
    )
    with pytest.raises(urllib.error.HTTPError, match="304"):
        urllib.request.urlopen(request, timeout=PATIENCE_S)
