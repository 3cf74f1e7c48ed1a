"""Browsers that do not read any more, as the server meets them: real sockets, never read."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import socket
import sys
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi import FastAPI

from engine.events import Dice, Entry
from service.app import create_app
from service.commands.serving import listen, serve
from service.pages.settings import PageSettings
from service.table.live_table import LiveTable, TableSettings
from service.table.view import Moment
from service.web.connection_limit import GIVEN_UP_S, LARGEST_MESSAGE
from service.web.keys import TableKeys
from service.web.subscriber import QUEUED, Subscriber
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader

EVENTS = QUEUED + 150
KEYS = TableKeys.new()
STUCK = ("/ws", "/ws/seat")


class Kept(LiveTable):
    """A table that remembers who listened."""

    listened: tuple[Subscriber[Moment], ...] = ()

    @contextlib.contextmanager
    def subscribed(self, lang: str | None = None) -> Iterator[Subscriber[Moment]]:
        with super().subscribed(lang) as subscriber:
            self.listened += (subscriber,)
            yield subscriber


@pytest.fixture
def go() -> threading.Event:
    return threading.Event()


@pytest.fixture
def table(go: threading.Event) -> Kept:
    told = [*ENTRIES, *[Entry(Dice((1 + n % 6, 1)), t=1.2) for n in range(EVENTS)]]
    return Kept(
        ToldReader(told, go=go), frames(), KeptLines(5000), TableSettings("harbin-hlr", "game.mp4")
    )


def stuck_at(server: Served, path: str) -> socket.socket:
    """A page that opens, says what it must, and never reads again."""
    host, port = server.host.split(":")
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    page.settimeout(PATIENCE_S)
    page.connect((host, int(port)))
    key = base64.b64encode(bytes(16)).decode()
    page.sendall(
        f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    assert page.recv(12).endswith(b"101")
    first = json.dumps({"key": KEYS.seats[0]}).encode()
    page.sendall(bytes([0x81, 0x80 | len(first), 0, 0, 0, 0]) + first)  # masked with zeros
    return page


def sockets(server: Served) -> float:
    (value,) = re.findall(r"^tilesight_sockets (\S+)", server.get("/metrics").text, re.MULTILINE)
    return float(value)


def told_meanwhile(server: Served, go: threading.Event) -> list[int]:
    """The numbers of what one page is told that reads while the others do not."""
    with server.socket("/ws") as page:
        page.recv(PATIENCE_S)
        until(lambda: sockets(server) == len(STUCK) + 1)
        go.set()
        numbers: list[int] = []
        while not numbers or numbers[-1] < len(ENTRIES) + EVENTS - 1:
            message = json.loads(page.recv(PATIENCE_S))
            numbers.append(message["happened"][-1]["number"])
    assert server.get("/api/table").status == 200
    return numbers


def test_pages_that_do_not_read_hold_up_nobody(table: Kept, go: threading.Event) -> None:
    with serving(create_app(table, PageSettings(keys=KEYS)), given_up_s=10 * PATIENCE_S) as server:
        stuck = [stuck_at(server, path) for path in STUCK]
        told = told_meanwhile(server, go)
        assert told == sorted(set(told)), "a page that reads is never told anything old"
        for each in stuck:
            each.close()
    slow = [one for one in table.listened if one.too_slow.is_set()]
    assert len(slow) >= 2
    assert all(one.messages.qsize() <= QUEUED for one in table.listened)


def test_pages_that_do_not_read_are_given_up(table: Kept, go: threading.Event) -> None:
    with serving(create_app(table, PageSettings(keys=KEYS)), given_up_s=1.0) as server:
        stuck = [stuck_at(server, path) for path in STUCK]
        until(lambda: len(table.listened) == len(STUCK))
        go.set()
        until(lambda: sockets(server) == 0)
        for each in stuck:
            each.close()


def test_the_program_gives_up_as_these_tests_do(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[uvicorn.Config] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: served.append(self.config))
    with listen("127.0.0.1", 0) as listening:
        serve(uvicorn.Config(FastAPI()), listening)
        if sys.platform == "linux":
            waits = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            assert waits == GIVEN_UP_S * 1000
    (config,) = served
    assert config.ws_max_size == LARGEST_MESSAGE
    assert not config.proxy_headers


def test_a_page_that_vanishes_is_forgotten(table: Kept, go: threading.Event) -> None:
    with serving(create_app(table, PageSettings(keys=KEYS)), given_up_s=2.0) as server:
        gone = [stuck_at(server, path) for path in STUCK]
        until(lambda: len(table.listened) == len(STUCK))
        for each in gone:
            each.close()
        until(lambda: sockets(server) == 0)
        go.set()
        server.wait_for_end()
