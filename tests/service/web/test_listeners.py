"""A program listens at several ports in one event loop; threads add and close them."""

from __future__ import annotations

import asyncio
import http.client
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from starlette.types import Scope

from service.app import create_app
from service.pages.network_door import NetworkDoor
from service.web.grants import mark_from_network
from service.web.listeners import Listener, Listeners
from tests.support.keys import with_key
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.phones import UNTRUSTED, phone_link, serving_phones
from tests.support.served import Served, serving


def unmarked(_: Scope) -> None:
    """It is this machine's own."""


def port() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


def served_at(listener: Listener) -> Served:
    return Served(f"127.0.0.1:{listener.socket.getsockname()[1]}")


def test_a_port_that_was_added_before_the_loop_runs_is_served() -> None:
    door = NetworkDoor(0, named=False)
    listener = Listener(port(), mark_from_network)
    door.listeners.add(listener)
    with serving(create_app(table_of_a_game()), door=door) as first:
        assert first.get("/api/table").status == 200
        assert served_at(listener).get("/api/table").status == 401
    assert door.listeners.count == 0


def test_ports_that_threads_add_and_close_leave_the_others_open() -> None:
    with serving_phones() as listeners, ThreadPoolExecutor(6) as pool:
        stays = Listener(port(), unmarked)
        listeners.add(stays)
        others = [Listener(port(), unmarked) for _ in range(12)]
        list(pool.map(listeners.add, others))
        assert {served_at(each).get("/health").status for each in others} == {200}
        addresses = [each.socket.getsockname() for each in others]
        list(pool.map(listeners.close, others * 2))
        for address in addresses:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(address, timeout=PATIENCE_S).close()
        assert listeners.count == 1
        assert served_at(stays).get("/health").status == 200


def test_a_port_that_nothing_ever_served_is_closed() -> None:
    listeners, listener = Listeners(), Listener(port(), unmarked)
    listeners.add(listener)
    listeners.close(listener)
    assert listener.socket.fileno() < 0


def test_the_loop_itself_closes_a_port_without_waiting_for_it() -> None:
    async def evening() -> None:
        listeners, listener = Listeners(), Listener(port(), unmarked)
        listeners.app = create_app(table_of_a_game())
        await listeners.begin()
        listeners.add(listener)
        await asyncio.sleep(0)
        listeners.close(listener)
        assert listeners.count == 0
        while listener.socket.fileno() >= 0:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(evening(), PATIENCE_S))


def test_a_phone_that_sends_slowly_holds_up_no_other_listener() -> None:
    with phone_link() as link:
        host = link.address.split("/")[2]
        slow = [
            http.client.HTTPSConnection(host, timeout=PATIENCE_S, context=UNTRUSTED)
            for _ in range(8)
        ]
        for phone in slow:
            phone.putrequest("POST", "/frame")
            phone.putheader("Content-Length", "5000000")
            for name, value in with_key(link.camera.key).items():
                phone.putheader(name, value)
            phone.endheaders()
            phone.send(b"\xff\xd8\xff")
        quick = http.client.HTTPSConnection(host, timeout=PATIENCE_S, context=UNTRUSTED)
        with closing(quick):
            quick.request("POST", "/frame", b"no picture", with_key(link.camera.key))
            assert quick.getresponse().status == 422
        for phone in slow:
            phone.close()
