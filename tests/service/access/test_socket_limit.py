"""So many pages may be open with one key: who comes after them is told why, and the others stay."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from service.access import connection_limit as crowd
from tests.support.halls import hall_at
from tests.support.harbin_game import ENTRIES
from tests.support.keys import KEYS
from tests.support.patience import PATIENCE_S, until
from tests.support.riichi_sample import table_of
from tests.support.served import Served, served

MOST = 3


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST_SOCKETS", MOST)


@pytest.fixture
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES), KEYS, without_key=None) as server:
        yield server


def opened(server: Served, key: str) -> ClientConnection:
    headers = {"Authorization": f"Bearer {key}"}
    return connect(f"ws://{server.host}/ws", additional_headers=headers, open_timeout=PATIENCE_S)


def is_let_in(server: Served, key: str) -> bool:
    """Whether there is room; that of a page which has gone is free a moment later."""
    with opened(server, key) as page, contextlib.suppress(ConnectionClosed):
        return is_shown(page)
    return False


def is_shown(page: ClientConnection) -> bool:
    return bool(json.loads(page.recv(PATIENCE_S))["type"] == "snapshot")


def test_one_page_too_many_is_told_so_and_takes_nothing_from_the_others(server: Served) -> None:
    with ExitStack() as pages:
        first = [pages.enter_context(opened(server, KEYS.viewer)) for _ in range(MOST)]
        assert all(map(is_shown, first))
        with opened(server, KEYS.viewer) as more, pytest.raises(ConnectionClosed) as closed:
            more.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (crowd.CROWDED, crowd.FULL)
        # Other keys have room of their own, and a page that is closed makes room.
        with opened(server, KEYS.scorer) as other:
            assert is_shown(other)
        first[0].close()
        until(lambda: is_let_in(server, KEYS.viewer))


def test_a_hall_has_room_for_so_many_too(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall, ExitStack() as pages:
        listen = "/api/v1/listen"
        for _ in range(MOST):
            pages.enter_context(hall.server.socket(listen)).recv()
        with hall.server.socket(listen) as more, pytest.raises(ConnectionClosed, match="too many"):
            more.recv()
