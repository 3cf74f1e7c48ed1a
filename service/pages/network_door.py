"""Lets phones in: the pages at this machine's address in the network, and new keys for them."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import TypedDict

from engine.errors import Refused
from service.pages.requests import NetworkWish, Renewal
from service.phone.server import LocalName, OwnCertificate, reached_at
from service.web.connection_limit import give_up_after, guard
from service.web.gate import keep_key
from service.web.grants import mark_from_network
from service.web.keys import TableKeys
from service.web.rights import NETWORK, RENEW

GRACE_S: Final = 2
NO_DOOR: Final = "this program cannot be served to the network while it runs"
NO_NETWORK: Final = "this machine is in no network; connect it to the phones' network first"


class NetworkView(TypedDict):
    address: str | None
    """For phones; None while only this machine reaches the pages."""
    name: str | None
    """The address by the name that is announced."""
    trusted: bool


class NetworkDoor:
    """Where phones reach the pages; closed while only this machine does.

    What comes in through it brings a key: the rights of this machine itself end at the door.
    """

    def __init__(
        self, port: int, certificate: OwnCertificate | None = None, named: bool = True
    ) -> None:
        self._port = port
        self.certificate = certificate
        self._named = named
        self.app: ASGIApp | None = None
        """What is served; set before the door is opened."""
        self.base: str | None = None
        """The address for phones; None while the door is closed."""
        self.name: LocalName | None = None
        self.on_opened: list[Callable[[], None]] = []
        self._opening = asyncio.Lock()
        self._server: uvicorn.Server | None = None
        self._serving: asyncio.Task[None] | None = None

    def found_at(self, host: str) -> None:
        """Say that the pages are served to the network, at this address."""
        known, scheme = reached_at(host), "http"
        if self.certificate is not None:
            known, scheme = self.certificate.name_for(known), "https"
        self.base = f"{scheme}://{known}:{self._port}"

    def announce(self, host: str) -> None:
        """Announce the name; blocks for about a second."""
        if self._named:
            secure = self.certificate is not None
            self.name = LocalName.announced(reached_at(host), self._port, secure)

    async def open(self) -> None:
        """Serve at the address in the network, too; raises ``Refused`` where nothing can."""
        async with self._opening:
            if self.base is not None:
                return
            listening = listening_at(reached_at("0.0.0.0"), self._port)
            config = uvicorn.Config(
                _FromNetwork(self._served),
                log_level="warning",
                lifespan="off",
                timeout_graceful_shutdown=GRACE_S,
            )
            context = None if self.certificate is None else self.certificate.context()
            self._server = _Beside(guard(config, context))
            self._serving = asyncio.create_task(self._server.serve(sockets=[listening]))
            host, self._port = listening.getsockname()[:2]
            self.found_at(host)
            await asyncio.to_thread(self.announce, host)
        for told in self.on_opened:
            told()

    async def close(self) -> None:
        if self.name is not None:
            await asyncio.to_thread(self.name.close)
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await self._serving

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.app is not None, "it is set before anything is served"
        await self.app(scope, receive, send)

    def told(self) -> NetworkView:
        """What a page says of it."""
        return {
            "address": self.base,
            "name": None if self.name is None else self.name.address,
            "trusted": self.certificate is not None,
        }


class _FromNetwork:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        mark_from_network(scope)
        await self._app(scope, receive, send)


class _Beside(uvicorn.Server):
    """A second server in the loop of the first, which hears the signals for both."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listening_at(host: str, port: int) -> socket.socket:
    try:
        if ipaddress.ip_address(host).is_loopback:
            raise Refused(NO_NETWORK)
    except ValueError:
        raise Refused(NO_NETWORK) from None
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        told = os.strerror(error.errno or 0)
        raise Refused(f"cannot serve at {host} port {port}: {told}") from error
    give_up_after(listening)
    return listening


async def opened(door: NetworkDoor | None) -> NetworkView:
    """Open the door and tell where it is; raises ``Refused`` where there is none."""
    if door is None:
        raise Refused(NO_DOOR)
    await door.open()
    return door.told()


def add_network(app: FastAPI, door: NetworkDoor | None) -> None:
    """Add the address at which whoever runs the table opens the door: ``{"serve": true}``."""

    @app.post(NETWORK, include_in_schema=False)
    async def serve(_: NetworkWish) -> NetworkView:
        return await opened(door)


def add_key_renewal(app: FastAPI, keys: TableKeys) -> None:
    """Add the address at which whoever runs the table asks for new keys: ``{"renew": true}``, or
    for a new code of one ``seat``."""

    @app.post(RENEW, include_in_schema=False)
    async def renew(request: Request, asked: Renewal) -> Response:
        if asked.seat is not None:
            keys.new_code(asked.seat)
            return JSONResponse({"key": keys.control})
        keys.renew()
        answer = JSONResponse({"key": keys.control})
        keep_key(answer, request, keys.control)
        return answer
