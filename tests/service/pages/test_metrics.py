"""What the server counts and logs of itself, seen from the outside, and what it never does."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.app import create_app, create_set_up
from service.evening.open_table import TableRequest
from service.evening.session import SetUpSession
from service.pages.settings import LOCAL_HOSTS, PageSettings
from service.web.keys import TableKeys
from tests.support.detectors import Blind
from tests.support.harbin_game import ENTRIES
from tests.support.keys import with_key
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, serving

KEYS = TableKeys.new()
EVENT = {"type": "dice", "values": [1, 2]}
Lines = list[tuple[str, dict[str, Any]]]


@pytest.fixture
def told() -> Lines:
    return []


@pytest.fixture
def server(told: Lines) -> Iterator[Served]:
    app = create_app(
        table_of_a_game(),
        PageSettings(keys=KEYS, log=lambda kind, what: told.append((kind, dict(what)))),
    )
    with serving(app) as server:
        yield server


def measured(server: Served) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    families = text_string_to_metric_families(server.get("/metrics").text)
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def wait_for(server: Served, *name: str, value: float) -> dict[tuple[str, ...], float]:
    """An answer is counted just after it was sent."""

    def counted() -> dict[tuple[str, ...], float]:
        now = measured(server)
        return now if now.get(name) == value else {}

    return until(counted)


def test_requests_sockets_and_the_table_are_counted(server: Served) -> None:
    server.wait_for_end()
    before = measured(server)
    assert before["tilesight_lines",] == len(ENTRIES)
    assert (before["tilesight_ended",], before["tilesight_failed",]) == (1, 0)
    with server.socket("/ws") as socket:
        socket.recv(PATIENCE_S)
        assert measured(server)["tilesight_sockets",] == 1
        server.post("/api/events", {"event": EVENT, "lines": len(ENTRIES)})
        server.get("/no/such/page")
    wait_for(server, "tilesight_requests_total", "GET", "404", value=1)
    after = wait_for(server, "tilesight_sockets", value=0)
    if sys.platform == "linux":
        assert after["process_resident_memory_bytes",] > 10_000_000
    assert after["tilesight_lines",] == len(ENTRIES) + 1
    assert after["tilesight_requests_total", "POST", "200"] == 1
    assert after["tilesight_requests_total", "GET", "404"] == 1
    assert after["tilesight_requests_total", "WEBSOCKET", "101"] == 1
    assert after["tilesight_request_seconds_count",] > before["tilesight_request_seconds_count",]


def test_who_asks_does_not_choose_what_is_counted(server: Served) -> None:
    for method in ("PROPFIND", "MKCOL"):
        request = urllib.request.Request(f"{server.url}/health", method=method)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=PATIENCE_S)
        refused.value.close()
    wait_for(server, "tilesight_requests_total", "OTHER", "405", value=2)


def test_requests_and_events_are_told_without_a_secret(server: Served, told: Lines) -> None:
    server.wait_for_end()
    server.get("/api/seats?key=hidden", key=KEYS.control)
    server.get("/api/seats", key=f"{KEYS.viewer}x")
    server.post("/api/enter", b"", with_key(KEYS.scorer))
    server.post("/api/events", {"event": EVENT, "lines": len(ENTRIES)})
    with server.socket("/ws/seat") as socket:
        socket.send(json.dumps({"key": KEYS.seats[1]}))
        socket.recv(PATIENCE_S)
    wait_for(server, "tilesight_requests_total", "WEBSOCKET", "101", value=1)
    requests = {(what["path"], what["status"]): what for kind, what in told if kind == "request"}
    assert requests["/api/seats", 200]["role"] == "admin"
    assert requests["/api/seats", 401]["role"] is None
    assert requests["/ws/seat", 101]["method"] == "WEBSOCKET"
    (happened,) = [what for kind, what in told if kind == "happened"]
    assert (happened["number"], happened["event"]) == (len(ENTRIES), "dice")
    lines = json.dumps(told)
    for secret in (KEYS.control, KEYS.viewer, KEYS.scorer, *KEYS.seats, "hidden"):
        assert secret not in lines


def test_setting_up_is_measured_and_told_too(tmp_path: Path, told: Lines) -> None:
    async def show(_: TableRequest) -> str:
        return "/"

    set_up = SetUpSession(Blind, tmp_path)
    app = create_set_up(set_up, show, [*LOCAL_HOSTS], lambda kind, what: told.append((kind, what)))
    with serving(app.app) as server:
        assert server.json("/health") == {"status": "setting up"}
        server.post("/api/setup/source", {"kind": "telescope"})
        wait_for(server, "tilesight_requests_total", "POST", "400", value=1)
    set_up.close()
    assert ("/api/setup/source", 400) in [(what["path"], what["status"]) for _, what in told]
