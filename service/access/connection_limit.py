"""Limits connections: how many there are, how long they may be silent, how much they may send."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from functools import partial
from typing import Any, Final, Protocol, cast

import uvicorn
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service.access.grants import key_noted

MOST: Final = 256
"""Most connections without a key, and again most with one: together they leave half of the 1024
files that a program may usually open."""
SILENT_S: Final = 10.0
"""Longest time for a whole request to arrive, without its body."""
BODY_SILENT_S: Final = 30.0
"""Longest pause while a body arrives."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of a request without its body; one packet may be a little larger."""
LARGEST_MESSAGE: Final = 16 * 1024
"""Bytes of a WebSocket message; our pages send about a hundred."""
MOST_MESSAGES: Final = 100
"""Messages per second of one WebSocket; a page asks for 25 pictures."""
PIECE: Final = 1024
"""Bytes that are read before messages are counted; they hold two hundred of the smallest."""
TOO_MANY: Final = 1008
NO_TEXT: Final = 1007
"""Close codes of the protocol."""
WAITING: Final = 128
"""Connections that the system queues until they are accepted."""


class Connection(Protocol):
    transport: asyncio.Transport

    @property
    def who(self) -> str:
        """The key of its newest request; empty without one."""
        ...

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        ...


class ConnectionLimit:
    """Admits connections, and closes the one that has been idle longest when there are too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: dict[Connection, None] = {}

    def enter(self, visitor: Connection) -> None:
        self._inside[visitor] = None
        self.make_room()

    def leave(self, visitor: Connection) -> None:
        self._inside.pop(visitor, None)

    def make_room(self) -> None:
        """Close a connection if there are too many, counting those without a key apart from those
        with one.

        Of those with keys, one goes of the key that has the most connections.
        """
        if len(self._inside) <= self._most:
            return
        counted = Counter(visitor.who for visitor in self._inside)
        if counted[""] > self._most:
            self._send_away("")
        elif counted.total() - counted.pop("", 0) > self._most:
            self._send_away(max(counted, key=lambda who: counted[who]))

    def _send_away(self, who: str) -> None:
        theirs = [visitor for visitor in self._inside if visitor.who == who]
        gone = next((visitor for visitor in theirs if visitor.idle), theirs[0])
        self.leave(gone)
        gone.transport.abort()


class LimitedHttp(H11Protocol):
    """An HTTP connection that is closed when no whole request arrives in time."""

    def __init__(self, door: ConnectionLimit, **given: Any) -> None:
        super().__init__(**given)
        self._door = door
        self._early = b""
        self._silent: asyncio.TimerHandle | None = None

    @property
    def who(self) -> str:
        return key_noted(cast(Scope | None, self.scope))

    @property
    def idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self._door.enter(self)
        self._wait(SILENT_S)
        if self._early:
            self.data_received(self._early)

    def data_received(self, data: bytes) -> None:
        if self.transport is None:  # it came with the end of a handshake
            self._early += data
            return
        super().data_received(data)
        if self.idle:
            return  # a few bytes of a request at a time win no more of it
        self._no_longer_wait()
        if self.cycle.more_body:
            self._wait(BODY_SILENT_S)

    def on_response_complete(self) -> None:
        self._wait(SILENT_S)
        super().on_response_complete()
        self._door.make_room()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._forget()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        if self.transport is not None:  # else it is lost in its handshake
            super().connection_lost(exc)

    def _forget(self) -> None:
        self._no_longer_wait()
        self._door.leave(self)

    def _wait(self, seconds: float) -> None:
        self._no_longer_wait()
        self._silent = self.loop.call_later(seconds, self._cut_off)

    def _no_longer_wait(self) -> None:
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None

    def _cut_off(self) -> None:
        if self.flow.read_paused and not self.idle:  # it is we who take our time
            self._wait(BODY_SILENT_S)
        else:
            self.transport.abort()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is closed when it sends too many messages, before all of them are read."""

    idle = False

    def __init__(self, door: ConnectionLimit, **given: Any) -> None:
        super().__init__(**given)
        self._door = door
        self._second, self._heard = 0, 0

    @property
    def who(self) -> str:
        return key_noted(getattr(self, "scope", None))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._door.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def handle_events(self) -> None:
        second = int(self.loop.time())
        if second != self._second:
            self._second, self._heard = second, 0
        self._heard += len(self.conn.events)
        if self._heard <= MOST_MESSAGES:
            super().handle_events()
        else:
            self._send_away(TOO_MANY, "too many messages at once")

    def send_receive_event_to_app(self) -> None:
        try:
            if self.curr_msg_data_type == "text":
                b"".join(self.frames).decode()
        except UnicodeDecodeError:  # uvicorn would log it with a traceback
            self._send_away(NO_TEXT, "no text")
        else:
            super().send_receive_event_to_app()

    def _send_away(self, code: int, why: str) -> None:
        self.conn.send_close(code, why)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.close()


class _Secured(asyncio.Protocol):
    """Counts a connection before its TLS handshake, which may never come."""

    idle, who = True, ""
    transport: asyncio.Transport

    def __init__(self, door: ConnectionLimit, context: ssl.SSLContext, **given: Any) -> None:
        self._door = door
        self._context = context
        self._given = given

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.pause_reading()
        self._door.enter(self)
        self._task = asyncio.get_running_loop().create_task(self._secure())

    async def _secure(self) -> None:
        visitor = LimitedHttp(self._door, **self._given)
        try:
            secured = await asyncio.get_running_loop().start_tls(
                self.transport,
                visitor,
                self._context,
                server_side=True,
                ssl_handshake_timeout=SILENT_S,
            )
        except OSError:  # it has gone, or speaks something else
            self.transport.abort()
            return
        finally:
            self._door.leave(self)
        # A connection that is lost during its handshake ends it without an error.
        if secured is not None and not self.transport.is_closing():
            visitor.connection_made(secured)


def guard(
    config: uvicorn.Config, context: ssl.SSLContext | None = None, most: int | None = None
) -> uvicorn.Config:
    """Apply the limits above, with ``most`` in place of ``MOST``; with ``context``, serve HTTPS."""
    door = ConnectionLimit(MOST if most is None else most)
    http = partial(LimitedHttp, door) if context is None else partial(_Secured, door, context)
    if context is not None:
        config.loop = "asyncio"  # uvloop loses handshakes that begin after a pause
    config.http = cast(type[asyncio.Protocol], http)
    config.ws = cast(type[asyncio.Protocol], partial(LimitedWebSocket, door))
    config.h11_max_incomplete_event_size = LARGEST_HEAD
    config.ws_max_size = LARGEST_MESSAGE
    config.backlog = WAITING
    # A header can claim any sender: only the connection itself tells who asks.
    config.proxy_headers = False
    return config
