"""Lets phones in: the pages at this machine's address in the network."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
from collections.abc import Callable
from typing import Final

from typing_extensions import TypedDict

from engine.errors import Refused
from service.phone.server import LocalName, OwnCertificate, reached_at
from service.web.connection_limit import set_up_connections
from service.web.grants import mark_from_network
from service.web.listeners import Listener, Listeners

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
        self.listeners = Listeners()
        """Where the program listens beside its first port."""
        self.base: str | None = None
        """The address for phones; None while the door is closed."""
        self.name: LocalName | None = None
        self.on_opened: list[Callable[[], None]] = []
        self._opening = asyncio.Lock()

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
            context = None if self.certificate is None else self.certificate.context()
            self.listeners.add(Listener(listening, mark_from_network, context))
            host, self._port = listening.getsockname()[:2]
            self.found_at(host)
            await asyncio.to_thread(self.announce, host)
        for told in self.on_opened:
            told()

    async def close(self) -> None:
        if self.name is not None:
            await asyncio.to_thread(self.name.close)

    def told(self) -> NetworkView:
        """What a page says of it."""
        return {
            "address": self.base,
            "name": None if self.name is None else self.name.address,
            "trusted": self.certificate is not None,
        }


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
    set_up_connections(listening)
    return listening


async def opened(door: NetworkDoor | None) -> NetworkView:
    """Open the door and tell where it is; raises ``Refused`` where there is none."""
    if door is None:
        raise Refused(NO_DOOR)
    await door.open()
    return door.told()
