"""A server that waits to be set up."""

from __future__ import annotations

import contextlib
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service.app import create_set_up
from service.evening.open_table import TableRequest, open_table
from service.evening.session import SetUpSession
from service.evening.studied_games import Study
from service.machine.weights import load_table_detector
from service.pages.network_door import NetworkDoor
from service.pages.settings import LOCAL_HOSTS, OpenTable, PageSettings
from service.table.options import Options
from service.web.connection_limit import set_up_connections
from service.web.keys import TableKeys, table_address
from tests.support.detectors import Blind
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, serving
from vision.detect import Detector
from vision.pipeline import TileReader


@dataclass(frozen=True)
class Setting:
    """A server that waits to be set up, and what became of it."""

    server: Served
    folder: Path
    set_up: SetUpSession
    began: list[TableRequest]

    def ask(self, path: str, body: object, key: str = "") -> dict[str, Any]:
        answer = self.server.post(path, body, {"Authorization": f"Bearer {key}"})
        told: dict[str, Any] = json.loads(answer.text)
        return told | {"status": answer.status}

    def put(self, path: str, data: bytes, **headers: str) -> dict[str, Any]:
        """Send a file; returns the status with what was ``told``, or why it was refused."""
        kind = {"Content-Type": "application/octet-stream", "Host": self.server.host}
        request = urllib.request.Request(
            f"{self.server.url}/api/setup/{path}", data, kind | headers, method="PUT"
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return {"told": json.loads(answer.read()), "status": answer.status}
        except urllib.error.HTTPError as error:
            with error:
                return {**json.loads(error.read()), "status": error.code}

    def check(self, says: str = "corners", key: str | None = None) -> dict[str, Any]:
        """Wait for the first check that says something of that."""

        def found() -> dict[str, Any] | None:
            answer = json.loads(self.server.get("/api/setup/check", key=key).text)
            told: dict[str, Any] | None = answer["found"]
            return told if told is not None and told[says] else None

        checked = until(found)
        assert checked is not None
        return checked


OUTSIDE = "127.0.0.2"
"""Stands for the address in the network: what comes in there is this machine, and yet nobody."""


def outside_door(monkeypatch: pytest.MonkeyPatch) -> NetworkDoor:
    """A door that opens at ``OUTSIDE``."""

    def listening(host: str, port: int) -> socket.socket:
        opened = socket.create_server((OUTSIDE, 0))
        set_up_connections(opened)
        return opened

    monkeypatch.setattr("service.pages.network_door.listening_at", listening)
    return NetworkDoor(0, named=False)


@contextlib.contextmanager
def set_up_at(
    folder: Path,
    load: Callable[[], TileReader] = Blind,
    hosts: Sequence[str] = LOCAL_HOSTS,
    load_fitted: Callable[[Path | None], Detector] = load_table_detector,
    door: NetworkDoor | None = None,
    on_phone: bool = False,
    record: Path | None = None,
) -> Iterator[Setting]:
    began: list[TableRequest] = []
    given, door = door, door or NetworkDoor(0, named=False)
    set_up = SetUpSession(
        load,
        folder,
        Options(record=record),
        load_fitted=load_fitted,
        listeners=door.listeners,
    )
    set_up.on_phone = on_phone

    @contextlib.contextmanager
    def opened(wanted: TableRequest, last: TableKeys | None) -> Iterator[OpenTable]:
        began.append(wanted)
        with open_table(wanted, last, door.listeners) as table:
            settings = PageSettings(
                hosts=hosts,
                keys=table.keys,
                can_set_up=True,
                dispute=table.dispute,
                agreed=table.agreed,
                records=folder,
                network=given,
            )
            yield OpenTable(table.table, settings)

    async def show(wanted: TableRequest) -> str:
        study = Study(wanted, show)
        shown = await pages.show(partial(opened, wanted), wanted.let_go, study)
        return table_address("", shown.keys.control)

    pages = create_set_up(set_up, show, hosts, door=given)
    door.listeners.app = pages.app
    try:
        with serving(pages.app, door=door) as server:
            yield Setting(server, folder, set_up, began)
    finally:
        set_up.close()


def key_in(begun: dict[str, Any]) -> str:
    """The admin page's key of the table that was opened."""
    assert begun["status"] == 200, begun
    return str(begun["page"]).removeprefix("/#")
