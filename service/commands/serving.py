"""Serves pages at an address and a port of this machine."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import FrameType
from typing import Final

import uvicorn

from engine.errors import Refused
from service.pages.network_door import NetworkDoor
from service.pages.settings import LOCAL_HOSTS
from service.phone.server import reached_at
from service.web.connection_limit import guard, set_up_connections
from service.web.grants import ANY

GRACE_S: Final = 2
ABANDON_S: Final = 5.0
"""How long what is done first may take to end once nobody waits for it."""
LOOK_S: Final = 0.1


@dataclass(frozen=True)
class ServerAddress:
    listening: socket.socket
    secure: bool = False
    """Whether it is HTTPS."""

    @property
    def host(self) -> str:
        return str(self.listening.getsockname()[0])

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    @property
    def shown(self) -> str:
        """The address for whoever sits at this machine."""
        if ipaddress.ip_address(self.host).is_unspecified:
            return self._at("localhost")
        return self._at(f"[{self.host}]" if ":" in self.host else self.host)

    @property
    def base(self) -> str:
        """The address for phones in the network."""
        return self._at(reached_at(self.host))

    @property
    def hosts(self) -> list[str]:
        """Host names that requests may use."""
        return [*LOCAL_HOSTS, self.host] if self.is_local else [ANY]

    @property
    def is_local(self) -> bool:
        """Whether only this machine reaches it."""
        return ipaddress.ip_address(self.host).is_loopback

    def _at(self, name: str) -> str:
        return f"{'https' if self.secure else 'http'}://{name}:{self.port}"


@dataclass(frozen=True)
class First:
    """What is done as soon as the port is served; where it fails, the program ends."""

    do: Callable[[], Awaitable[object]]
    abandon: Callable[[], None]
    """Lets it end soon: nobody waits for it."""


class PagesServer(uvicorn.Server):
    """The first port, and all other listeners with it.

    Ends at the first Ctrl-C. A second one leaves what is done first as it is; none interrupts the
    tidying up.
    """

    door: NetworkDoor | None = None
    first: First | None = None
    failed: Exception | None = None
    """Why what is done first was not done."""
    _doing: asyncio.Task[None] | None = None
    _asked_again = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.door is not None and self.started:
            await self.door.listeners.begin()
        if self.first is not None and self.started:
            self._doing = asyncio.create_task(self._do(self.first))

    async def _do(self, first: First) -> None:
        try:
            await first.do()
        except Exception as error:
            if not self.should_exit:
                self.failed = error
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.first is not None:
            self.first.abandon()
        if self.door is not None:
            await asyncio.gather(self.door.close(), self.door.listeners.end())
        if self._doing is not None:
            await self._left(self._doing)
        await super().shutdown(sockets)

    async def _left(self, doing: asyncio.Task[None]) -> None:
        """Wait until it has ended, but not for ever: a step may wait for what is gone."""
        ends_s = time.monotonic() + ABANDON_S
        while not (doing.done() or self._asked_again or time.monotonic() > ends_s):
            await asyncio.wait([doing], timeout=LOOK_S)  # a signal wakes no loop
        doing.cancel()
        await asyncio.wait([doing])

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig != signal.SIGINT:
            super().handle_exit(sig, frame)
        self._asked_again = self.should_exit
        self.should_exit = True


def serve(
    config: uvicorn.Config,
    listening: socket.socket,
    door: NetworkDoor | None = None,
    first: First | None = None,
) -> None:
    """Serve until interrupted; to the network as far as ``door`` is open.

    Raises what ``first`` fails with.
    """
    config.timeout_graceful_shutdown = GRACE_S
    network = not ServerAddress(listening).is_local
    own = None if door is None or not network else door.certificate
    server = PagesServer(guard(config, None if own is None else own.context()))
    server.door, server.first = door, first
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, server.handle_exit)
    server.run(sockets=[listening])
    if server.failed is not None:
        raise server.failed


def listen(host: str, port: int) -> socket.socket:
    """Open the port; raises ``Refused``."""
    try:
        listening = socket.create_server((host, port), family=_family(host))
    except OSError as error:
        raise Refused(
            f"cannot serve at {host} port {port}: {os.strerror(error.errno or 0)}; "
            "name another with --host or --port"
        ) from error
    set_up_connections(listening)
    return listening


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
