"""Requests that are broken off, and text that is half a character, leave no traceback anywhere."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import struct
from collections import deque
from collections.abc import MutableMapping
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from service.app import create_app
from service.pages.settings import PageSettings
from tests.support.halls import hall_at
from tests.support.keys import KEYS
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, serving
from tests.support.setting_up import set_up_at

HALF = '"\\udcff"'
"""Half a character, as JSON can write it."""


def broken_off(server: Served, method: str, path: str, kind: str = "application/json") -> None:
    """Announce a body, send a byte of it, and go."""
    host, port = server.host.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as connection:
        head = f"{method} {path} HTTP/1.1\r\nHost: {server.host}\r\nContent-Type: {kind}\r\n"
        connection.sendall(f"{head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
        # Now somebody reads it.
        assert connection.recv(64).startswith(b"HTTP/1.1 100")
        connection.sendall(b"{")
        at_once = struct.pack("ii", 1, 0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)


def answered(server: Served, status: str) -> float:
    """How many requests were answered so."""
    lines = server.get("/metrics").text.splitlines()
    theirs = [line for line in lines if 'requests_total{method="P' in line]
    return sum(float(line.split()[-1]) for line in theirs if f'status="{status}"' in line)


def test_a_table_forgets_requests_that_are_broken_off(caplog: pytest.LogCaptureFixture) -> None:
    paths = [f"/api/{name}" for name in ("events", "corrections", "undo", "fouls", "answers")]
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
        for path in paths:
            broken_off(server, "POST", path)
        until(lambda: answered(server, "400") == len(paths))
    assert caplog.text == ""


def test_a_hall_forgets_requests_that_are_broken_off(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    with hall_at(str(tmp_path_factory.mktemp("hall") / "hall.sqlite3")) as hall:
        hall.add("north")
        broken_off(hall.server, "POST", "/api/v1/tables/north/lines")
        until(lambda: answered(hall.server, "400") == 1)
    assert "Traceback" not in caplog.text


def test_setting_up_forgets_recordings_that_are_broken_off(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    with set_up_at(tmp_path_factory.mktemp("films")) as setting:
        broken_off(setting.server, "POST", "/api/setup/source")
        path = "/api/setup/recordings/a.mp4"
        broken_off(setting.server, "PUT", path, "application/octet-stream")
        until(lambda: answered(setting.server, "400") == 2)
    assert caplog.text == ""


def test_half_a_character_is_refused_wherever_text_is_taken(
    tmp_path_factory: pytest.TempPathFactory, caplog: pytest.LogCaptureFixture
) -> None:
    half = json.loads(HALF)
    start = {"rules": "harbin-hlr", "names": [half] * 4, "lang": half, "open": half}
    with set_up_at(tmp_path_factory.mktemp("films")) as setting:
        asked = {"kind": "stream", "address": f"rtsp://127.0.0.1:9/{half}", "name": half}
        for path, body in (("source", asked), ("start", start), ("start", {"open": half})):
            assert setting.ask(f"/api/setup/{path}", body)["status"] == 400
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
        event = {"type": "game_start", "rules": half, "players": [half] * 4}
        assert server.post("/api/events", {"event": event, "lines": 0}).status == 400
        for path in ("/ws/seat", "/ws/stream"):
            with server.socket(path) as page:
                page.send(f'{{"key": {HALF}, "waits": true}}')
                with pytest.raises(ConnectionClosed, match="1008"):
                    page.recv(PATIENCE_S)
    assert caplog.text == ""


FRAMES = {
    "no text": b"\x81\x82\0\0\0\0\xff\xfe",
    "no kind of frame": b"\x83\x80\0\0\0\0",
    "longer than memory": b"\x81\xff" + b"\x7f" * 12,
    "many pings and a close": b"\x89\x80\0\0\0\0" * 120 + b"\x88\x82\0\0\0\0\x03\xe8",
}


def test_frames_that_make_no_sense_end_their_page_alone(caplog: pytest.LogCaptureFixture) -> None:
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
        for what, frame in FRAMES.items():
            with server.socket("/ws") as page:
                page.socket.sendall(frame)
                with contextlib.suppress(ConnectionClosed):
                    deque(page, maxlen=0)
                assert page.close_code in (1000, 1002, 1007, 1009), what
            assert server.get("/health").status == 200
    assert caplog.text == ""


@pytest.mark.parametrize("path", ["/ws/seat", "/ws/stream"])
@pytest.mark.parametrize("gone_at", ["websocket.accept", "websocket.close"])
def test_a_page_that_goes_before_it_is_answered_is_forgotten(path: str, gone_at: str) -> None:
    app = create_app(table_of_a_game(), PageSettings(keys=KEYS))
    said = deque([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": "[1]"}])
    sent = []

    async def receive() -> dict[str, Any]:
        return said.popleft()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message["type"])
        if message["type"] == gone_at:
            raise OSError("the page has gone")

    scope = {"type": "websocket", "path": path, "headers": [(b"host", b"localhost")]}
    asyncio.run(app({**scope, "query_string": b"", "client": ("127.0.0.1", 1)}, receive, send))
    assert sent[-1] == gone_at
