"""The web application, asked from the outside."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request

import numpy as np
import pytest

from service.app import addresses, create_app
from service.table.live_table import LiveTable, TableSettings
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.served import served
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames

PAGES = {
    "/": "/static/table/app.js",
    "/static/table/app.js": "/ws/picture",
    "/static/shared/felt.js": "drawTable",
    "/static/shared/style.css": "#table",
    "/tiles.svg": 'id="tile-0p"',
}
"""What some pages and their parts hold."""


def test_what_hints_read_is_read_when_a_table_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, str]] = []
    read = threading.Event()

    def lesson(game: str, lang: str) -> None:
        made.append((game, lang))
        read.set()

    monkeypatch.setattr("service.app.lesson_of", lesson)
    with served(table_of_a_game()):
        assert read.wait(PATIENCE_S)
    assert made == [("harbin-hlr", "en")]


def test_the_addresses_of_tables_are_made_once() -> None:
    for _ in range(2):
        served_by = create_app(table_of_a_game()).router.routes
        assert all(any(route is one for one in served_by) for route in addresses.routes)


def test_a_game_is_told_as_it_goes_and_to_who_comes_late() -> None:
    go, asked = threading.Event(), threading.Event()

    def filmed() -> Frames:
        for index in range(15):
            if index == 12:
                assert asked.wait(PATIENCE_S)
            yield Frame(np.full((36, 64, 3), index, np.uint8), index / 10, index)

    reader = ToldReader(ENTRIES, go=go)
    table = LiveTable(reader, filmed(), KeptLines(), TableSettings("harbin-hlr", "game.mp4"))
    numbers: list[int] = []
    with (
        served(table) as client,
        client.socket("/ws") as page,
        client.socket("/ws/picture") as picture,
    ):
        assert client.json("/health")["status"] == "watching"
        snapshot = json.loads(page.recv(PATIENCE_S))
        assert (snapshot["type"], snapshot["happened"]) == ("table", [])
        # Pictures come when they are asked for.
        for there_are_more in (None, go, asked):
            if there_are_more is not None:
                there_are_more.set()
            picture.send("next")
            jpeg = picture.recv(PATIENCE_S)
            assert isinstance(jpeg, bytes)
            assert jpeg.startswith(b"\xff\xd8")
        while len(numbers) < len(ENTRIES):
            message = json.loads(page.recv(PATIENCE_S))
            numbers.append(message["happened"][-1]["number"])
        assert message["table"]["names"] == ["Anna", "Bo", "=1+1", "<b>D</b>"]
        assert numbers == list(range(len(ENTRIES)))
        health = client.wait_for_end()
        assert health["events"] == len(ENTRIES)
        assert (health["source"], health["problem"]) == ("game.mp4", None)
        assert client.json("/api/table")["points"] == [-3, -1, 5, -1]
        with client.socket("/ws") as late:
            snapshot = json.loads(late.recv(PATIENCE_S))
    payouts = [said for said in snapshot["announced"] if said["kind"] == "payout"]
    assert [payout["deltas"] for payout in payouts] == [[-3, -1, 5, -1]]
    assert "=1+1" in payouts[0]["text"]
    assert snapshot["status"]["ended"] is True
    (draw,) = (told for told in snapshot["happened"] if told["event"]["type"] == "draw")
    assert draw["event"] == {"type": "draw", "seat": 0, "tile": "?"}
    assert draw["told"] == ["Anna draws"]


def test_pages_have_all_their_parts_and_none_from_elsewhere() -> None:
    with served(table_of_a_game()) as client:
        for path, holds in PAGES.items():
            response = client.get(path)
            assert (response.status, holds in response.text) == (200, True), path
            assert "default-src 'self'" in response.headers["content-security-policy"]
            foreign = response.text.replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in foreign
            assert "https://" not in foreign.replace('"https:"', "")
        assert client.get("/static/../main.py").status == 404
        assert client.get("/record").status == 404
        assert client.get("/health", host="elsewhere.example").status == 400
        assert client.get("/health", host="localhost").status == 200
        # Texts are sent again only when they have changed.
        address = "/static/words/catalogue.js"
        first = client.get(address)
        assert "export const WORDS = {" in first.text
        assert first.headers["cache-control"] == "no-cache"
        request = urllib.request.Request(
            client.url + address, headers={"If-None-Match": first.headers["etag"]}
        )
        with pytest.raises(urllib.error.HTTPError, match="304"):
            urllib.request.urlopen(request, timeout=PATIENCE_S)
