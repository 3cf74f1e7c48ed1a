"""The real server, in a thread of the test."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Any
from unittest.mock import patch

import uvicorn
from starlette.types import ASGIApp
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from service.app import create_app
from service.commands.serving import PagesServer
from service.pages.network_door import NetworkDoor
from service.pages.settings import PageSettings
from service.table.live_table import LiveTable
from service.web import connection_limit
from service.web.connection_limit import guard, set_up_connections
from service.web.grants import Role
from service.web.keys import TableKeys
from tests.support.patience import PATIENCE_S, until

SHUT_S = 20
"""How long those who still listen may take to go when a server ends."""


@dataclass(frozen=True)
class Answer:
    """What the server said to a request."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass(frozen=True)
class Served:
    """A client of the server."""

    host: str

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def get(
        self,
        path: str,
        host: str | None = None,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        headers = {"Host": host or self.host, **(headers or {})}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        request = urllib.request.Request(self.url + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return _answer(response.status, response)
        except urllib.error.HTTPError as error:
            with error:
                return _answer(error.code, error)

    def get_bytes(self, path: str) -> bytes:
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE_S) as response:
            data: bytes = response.read()
            return data

    def post(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Answer:
        """Send JSON, or bytes as they are."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = {"Content-Type": "application/json", "Host": self.host, **(headers or {})}
        request = urllib.request.Request(self.url + path, data=data, headers=kind)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return Answer(response.status, {}, response.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, {}, error.read().decode())

    def json(self, path: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.get(path).text)
        return answer

    def socket(self, path: str, origin: str | None = None) -> ClientConnection:
        claimed = None if origin is None else Origin(origin)
        return connect(f"ws://{self.host}{path}", origin=claimed, open_timeout=PATIENCE_S)

    def wait_for_end(self) -> dict[str, Any]:
        """Wait until the recording is over; answers what ``/health`` says then."""

        def ended() -> dict[str, Any] | None:
            health = self.json("/health")
            return health if health["status"] == "ended" else None

        health = until(ended)
        assert health is not None
        return health


def _answer(status: int, said: HTTPResponse | urllib.error.HTTPError) -> Answer:
    headers = {name.lower(): value for name, value in said.headers.items()}
    return Answer(status, headers, said.read().decode())


@contextmanager
def served(
    table: LiveTable,
    keys: TableKeys | None = None,
    log_level: str = "warning",
    without_key: Role | None = Role.SCORER,
) -> Iterator[Served]:
    """Serve a table at a free port of this machine."""
    settings = PageSettings(keys=keys or TableKeys.new(), without_key=without_key)
    door = NetworkDoor(0, named=False)
    if table.seat_cameras is not None:
        table.seat_cameras.listeners = door.listeners
    with serving(create_app(table, settings), log_level, door=door) as server:
        yield server


@contextmanager
def serving(
    app: ASGIApp,
    log_level: str = "warning",
    given_up_s: float | None = None,
    port: int = 0,
    door: NetworkDoor | None = None,
) -> Iterator[Served]:
    """Serve an application at a port of this machine, a free one without ``port``.

    With ``given_up_s`` the system holds little for those who do not read, who are given up then.
    """
    listening = socket.create_server(("127.0.0.1", port))
    if given_up_s is None:
        given_up_s = connection_limit.GIVEN_UP_S
    else:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    set_up_connections(listening, given_up_s)
    config = uvicorn.Config(
        app, log_level=log_level, timeout_graceful_shutdown=SHUT_S, lifespan="on"
    )
    server = PagesServer(guard(config))
    server.door = door or NetworkDoor(0, named=False)
    server.door.listeners.app = app
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server does not start"
            time.sleep(0.01)
        with patch.object(connection_limit, "GIVEN_UP_S", given_up_s):
            yield Served(f"127.0.0.1:{listening.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listening.close()
