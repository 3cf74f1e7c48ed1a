"""Connections that fill the server, say nothing or talk without end, as the server meets them."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from service.commands.serving import listen
from service.web import connection_limit as visitors
from tests.support.halls import hall_at
from tests.support.keys import KEYS, with_key
from tests.support.live_table import table_of_a_game
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S, until
from tests.support.phones import phone_link
from tests.support.served import Served, served

LARGE = 16 * 1024 * 1024
SOON_S = 0.3


@pytest.fixture
def server() -> Iterator[Served]:
    with served(table_of_a_game(), KEYS, without_key=None) as server:
        yield server


def opened(host: str) -> socket.socket:
    name, port = host.split(":")
    return socket.create_connection((name, int(port)), timeout=PATIENCE_S)


def taken(connection: socket.socket, data: bytes, most: int) -> int:
    """How many bytes the server takes of what is sent again and again, up to ``most``."""
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            connection.sendall(data)
            sent += len(data)
    return sent


def is_cut(connection: socket.socket) -> bool:
    """Wait for the server to end the connection; false where it goes on for long."""
    try:
        while connection.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def test_headers_without_end_are_not_read(server: Served) -> None:
    with opened(server.host) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {server.host}\r\n".encode())
        assert taken(connection, b"a: b\r\n" * 40_000, LARGE) < LARGE


SILENT = {
    "nothing": b"",
    "a word": b"GET / HT",
    "half a head": b"GET /api/table HTTP/1.1\r\nHost: localhost\r\nX-",
    "one request and a half": b"GET /tiles.svg HTTP/1.1\r\nHost: localhost\r\n\r\nGET",
    "half a body": b"POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
    b"\r\nAuthorization: Bearer %s\r\nContent-Length: 99\r\n\r\n{" % KEYS.scorer.encode(),
}


def test_who_says_nothing_more_or_a_byte_now_and_then_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, server: Served
) -> None:
    monkeypatch.setattr(visitors, "SILENT_S", SOON_S)
    monkeypatch.setattr(visitors, "BODY_SILENT_S", SOON_S)
    over = threading.Event()
    with ExitStack() as stack:
        silent = {what: stack.enter_context(opened(server.host)) for what in SILENT}
        for what, connection in silent.items():
            connection.sendall(SILENT[what])
        assert [what for what, connection in silent.items() if not is_cut(connection)] == []
        slow = stack.enter_context(opened(server.host))

        def trickle() -> None:
            with contextlib.suppress(OSError):
                while not over.wait(SOON_S / 10):
                    slow.sendall(b"G")

        trickling = threading.Thread(target=trickle)
        trickling.start()
        stack.callback(trickling.join)
        stack.callback(over.set)
        assert is_cut(slow)


class Carrier(asyncio.Transport):
    """A connection whose peer reads nothing."""

    cut = False

    def abort(self) -> None:
        self.cut = True

    def is_closing(self) -> bool:
        return self.cut

    def get_write_buffer_size(self) -> int:
        return 0 if self.cut else 1000


CAME = {
    "the oldest of one address": (["a", "a", "a", "a", "a"], 0),
    "the oldest of the address that has most": (["a", "b", "b", "c", "d"], 1),
    "the oldest of all": (["a", "b", "c", "d", "e"], 0),
    "the oldest of a key, whatever address": (["a+k", "b+l", "c+l", "d+l", "a+k"], 1),
    "none while those with keys count apart": (["a+k", "a", "a", "a", "b"], None),
    "the oldest stranger, who can always seem busy": (["a!", "a", "a", "a", "a"], 0),
    "of a key first those who wait for nothing": (["a+k!", "b+k", "c+k", "d+k", "e+k"], 1),
}
"""Hosts that came, each with its key behind a plus; a mark stands for one that is answered."""


@pytest.mark.parametrize(("came", "gone"), CAME.values(), ids=CAME)
def test_one_too_many_sends_away(came: list[str], gone: int | None) -> None:
    async def enter_all() -> list[bool]:
        limit, carriers = visitors.ConnectionLimit(4), []
        for port, each in enumerate(came):
            host, _, key = each.rstrip("!").partition("+")
            carriers.append(Carrier())
            connection = visitors.Connection((host, port), carriers[-1])
            connection.key, connection.answering = key, each.count("!")
            limit.enter(connection)
        return [carrier.cut for carrier in carriers]

    assert asyncio.run(enter_all()) == [number == gone for number in range(len(came))]


async def attended(app: ASGIApp, receive: Receive, send: Send) -> bool:
    """Whether the connection is cut off while an application answers."""
    limit, carrier = visitors.ConnectionLimit(4), Carrier()
    limit.enter(visitors.Connection(("a", 1), carrier))
    await visitors.Attended(app, limit)({"type": "http", "client": ("a", 1)}, receive, send)
    return carrier.cut


def test_who_reads_no_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "GIVEN_UP_S", SOON_S)

    async def silent() -> Message:
        raise AssertionError("nothing is asked for")

    async def unread(_: Message) -> None:
        await asyncio.Event().wait()

    assert asyncio.run(attended(PlainTextResponse("an answer"), silent, unread))


class Emptied(Carrier):
    """Holds less each time, or what it takes from the layer above."""

    def __init__(self, *held: int) -> None:
        super().__init__()
        self.held = list(held)
        self.over = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        return self.held.pop(0)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        assert high == visitors.HELD_BACK

    def abort(self) -> None:
        self.over.set()


def test_who_reads_slowly_over_https_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "SILENT_S", 0.001)

    async def read_on() -> list[int]:
        plain, secured = Emptied(20, 80, 40, 0), Emptied(90, 0, 0, 0)
        visitors.Connection(("a", 1), plain).secure(secured)
        await asyncio.wait_for(plain.over.wait(), PATIENCE_S)
        return plain.held

    assert asyncio.run(read_on()) == [], "only when all was read"


def test_who_stops_reading_an_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "SILENT_S", 0.001)

    async def wait() -> list[int]:
        carrier = Emptied(20, 10, 10, 10)
        visitors.Connection(("a", 1), carrier)
        await asyncio.wait_for(carrier.over.wait(), PATIENCE_S)
        return carrier.held

    assert asyncio.run(wait()) == [10], "at the first time at which it had read nothing"


def test_a_body_in_single_bytes_wins_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "BODY_SILENT_S", SOON_S)

    async def a_byte() -> Message:
        await asyncio.sleep(SOON_S / 10)
        return {"type": "http.request", "body": b"1", "more_body": True}

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    async def sent(_: Message) -> None:
        raise AssertionError("nothing is answered")

    assert asyncio.run(attended(reading, a_byte, sent))


@pytest.fixture
def only_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is cut off for being silent: it takes a busy machine long to open many connections."""
    monkeypatch.setattr(visitors, "IDLE_S", round(PATIENCE_S))
    monkeypatch.setattr(visitors, "SILENT_S", PATIENCE_S)


@pytest.mark.usefixtures("only_room")
def test_silent_connections_take_no_room_from_those_with_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(visitors, "MOST", 8)
    with ExitStack() as stack:
        server = stack.enter_context(served(table_of_a_game(), KEYS, without_key=None))
        holder = stack.enter_context(
            contextlib.closing(http.client.HTTPConnection(server.host, timeout=PATIENCE_S))
        )
        page = stack.enter_context(
            connect(f"ws://{server.host}/ws", additional_headers=with_key(KEYS.viewer))
        )
        page.recv(PATIENCE_S)
        silent = []
        for number in range(60):
            silent.append(stack.enter_context(opened(server.host)))
            if number % 20 == 0:
                holder.request("GET", "/api/table", headers=with_key(KEYS.scorer))
                assert json.loads(holder.getresponse().read())
                assert server.get("/api/table", key=KEYS.viewer).status == 200
        assert all(map(is_cut, silent[:-8]))
        event = {"type": "dice", "values": [1, 2]}
        lines = json.loads(server.get("/api/events", key=KEYS.viewer).text)["lines"]
        posted = server.post("/api/events", {"event": event, "lines": lines}, with_key(KEYS.scorer))
        assert posted.status == 200
        assert json.loads(page.recv(PATIENCE_S))["type"] == "table"


@pytest.mark.usefixtures("only_room")
def test_a_phone_finds_room_among_those_who_begin_no_handshake(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.phone.server.MOST_CONNECTIONS", 4)
    jpeg = cv2.imencode(".jpg", np.zeros((36, 64, 3), np.uint8))[1].tobytes()
    trusting = ssl._create_unverified_context()
    with ExitStack() as stack:
        link = stack.enter_context(phone_link())
        host = link.address.split("/")[2]
        phone = http.client.HTTPSConnection(host, timeout=PATIENCE_S, context=trusting)
        stack.enter_context(contextlib.closing(phone))
        silent = []
        for number in range(30):
            silent.append(stack.enter_context(opened(host)))
            if number % 10 == 0:
                phone.request("POST", "/frame", jpeg, with_key(link.camera.key))
                assert json.loads(phone.getresponse().read()) == {"width": 64, "height": 36}
        assert all(map(is_cut, silent[:-4]))
        head = opened(host)
        talking = stack.enter_context(trusting.wrap_socket(head, server_hostname="localhost"))
        talking.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert taken(talking, b"a: b\r\n" * 40_000, LARGE) < LARGE


def test_who_begins_no_handshake_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "SILENT_S", SOON_S)
    with phone_link() as link:
        for said in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n"):
            with opened(link.address.split("/")[2]) as connection:
                connection.sendall(said)
                assert is_cut(connection)


def test_a_flood_of_messages_ends_its_own_page_and_no_other(server: Served) -> None:
    flood = bytes([0x81, 0x81, 0, 0, 0, 0, 0x20]) * 100_000
    with server_page(server) as other, server_page(server) as page:
        assert taken(page.socket, flood, 10 * len(flood)) < 10 * len(flood)
        until(lambda: server.get("/metrics", key=KEYS.viewer).text.count("tilesight_sockets 1.0"))
        with pytest.raises(ConnectionClosed):
            page.recv(PATIENCE_S)
        other.ping().wait(PATIENCE_S)


def server_page(server: Served) -> ClientConnection:
    return connect(f"ws://{server.host}/ws/picture", additional_headers=with_key(KEYS.viewer))


MOST = 3


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "MOST_SOCKETS", MOST)


def watching(server: Served, key: str) -> ClientConnection:
    headers = {"Authorization": f"Bearer {key}"}
    return connect(f"ws://{server.host}/ws", additional_headers=headers, open_timeout=PATIENCE_S)


def is_let_in(server: Served, key: str) -> bool:
    """Whether there is room; that of a page which has gone is free a moment later."""
    with watching(server, key) as page, contextlib.suppress(ConnectionClosed):
        return is_shown(page)
    return False


def is_shown(page: ClientConnection) -> bool:
    return bool(json.loads(page.recv(PATIENCE_S))["type"] == "table")


@pytest.mark.usefixtures("few")
def test_one_page_too_many_is_told_so_and_takes_nothing_from_the_others(server: Served) -> None:
    with ExitStack() as pages:
        first = [pages.enter_context(watching(server, KEYS.viewer)) for _ in range(MOST)]
        assert all(map(is_shown, first))
        with watching(server, KEYS.viewer) as more, pytest.raises(ConnectionClosed) as closed:
            more.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
            visitors.CROWDED,
            visitors.FULL,
        )
        # Other keys have room of their own, and a page that is closed makes room.
        with watching(server, KEYS.scorer) as other:
            assert is_shown(other)
        first[0].close()
        until(lambda: is_let_in(server, KEYS.viewer))


@pytest.mark.usefixtures("few")
def test_a_hall_has_room_for_so_many_too(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall, ExitStack() as pages:
        listen = "/api/v1/listen"
        for _ in range(MOST):
            pages.enter_context(hall.server.socket(listen)).recv()
        with hall.server.socket(listen) as more, pytest.raises(ConnectionClosed, match="too many"):
            more.recv()


def test_answers_on_connections_that_are_kept_leave_at_once() -> None:
    """Without it each waits for 40 ms."""
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()) as asking,
        listening.accept()[0] as accepted,
    ):
        assert asking.fileno() != accepted.fileno()
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    opening = [
        path
        for path in (ROOT / "service").rglob("*.py")
        if "create_server(" in path.read_text("utf-8")
    ]
    assert len(opening) == 3
    assert all("set_up_connections(listening)" in path.read_text("utf-8") for path in opening)


def test_a_refused_socket_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    with served(table_of_a_game(), KEYS, without_key=None) as server:
        address = f"{server.url.replace('http', 'ws')}/ws"
        logging.getLogger("uvicorn.error").addHandler(caplog.handler)  # uvicorn keeps them there
        with pytest.raises(InvalidStatus), connect(address, additional_headers=with_key("wrong")):
            pass
    assert [one.getMessage() for one in caplog.records if one.name == "uvicorn.error"] == []
