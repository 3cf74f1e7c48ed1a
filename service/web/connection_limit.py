"""Limits connections, and the WebSockets of one key: how many there are, how long they may be
silent and how much they may send."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import socket
import ssl
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

import uvicorn
from fastapi import WebSocket
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service.web.grants import key_noted, on_key
from service.web.keys import TableKeys

MOST: Final = 256
"""Most connections without a key, and also most with one. Together they take half of the 1024 files
that a program may usually open."""
SILENT_S: Final = 10.0
"""Longest time for a whole request to arrive, without its body."""
IDLE_S: Final = 5
"""Longest time from an answer to the next request on the same connection."""
BODY_SILENT_S: Final = 30.0
"""Longest pause while a body arrives."""
BODY_RATE: Final = 4096
"""Bytes a second of a body, on average after the first pause."""
GIVEN_UP_S: Final = 30.0
"""Longest time in which nothing is read of an answer or a message."""
HELD_BACK: Final = 64 * 1024
"""Bytes of an answer that may wait to be encrypted: with more, a slow reader seems to stall."""
LARGEST_HEAD: Final = 16 * 1024
"""Bytes of a request without its body; one packet may be a little larger."""
LARGEST_MESSAGE: Final = 2 * 1024
"""Bytes of a WebSocket message; our pages send about a hundred."""
MOST_HEARD: Final = 4 * 1024
"""Bytes a second of one WebSocket; a page asks for 25 pictures."""
VANISHED: Final = 1006
"""Close code of a WebSocket that ended without a close message."""
WAITING: Final = 128
"""Connections that the system queues until they are accepted."""

Peer = tuple[str, int]


class Connection:
    """One connection: whose it is, and how long it may be silent."""

    key = ""
    """The key of its newest request; empty without one."""
    answering = 0
    """Requests in work. A new request may arrive before the last one is done."""

    def __init__(self, peer: Peer, transport: asyncio.Transport) -> None:
        self.peer = peer
        self._transport = transport
        self._secured: asyncio.Transport | None = None
        self._await_request()

    @property
    def who(self) -> str:
        return self.key or self.peer[0]

    @property
    def gone(self) -> bool:
        return self._transport.is_closing() and not self._transport.get_write_buffer_size()

    def secure(self, secured: asyncio.Transport) -> None:
        """Note the transport that encrypts; parts of an answer wait there, too."""
        secured.set_write_buffer_limits(HELD_BACK)
        self._secured = secured

    def cut(self) -> None:
        self._transport.abort()

    def begin(self) -> None:
        self.answering += 1
        self._silent.cancel()

    def end(self) -> None:
        self.answering -= 1
        if not self.answering:
            self._await_request()

    def _await_request(self, unread: float = math.inf) -> None:
        """Cut the connection off if no request comes in time. ``unread``: bytes of the last answer
        that the other side has not read yet."""
        self._silent = asyncio.get_running_loop().call_later(SILENT_S, self._late, unread)

    def _late(self, before: float) -> None:
        unread = self._transport.get_write_buffer_size()
        if self._secured is not None and not self._transport.is_closing():
            unread += self._secured.get_write_buffer_size()
        if 0 < unread < before:  # the other side is still reading
            self._await_request(unread)
        else:
            self.cut()


class ConnectionLimit:
    """Admits every connection, and closes an older one when there are too many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: dict[Peer, Connection] = {}

    def find(self, peer: Peer | None) -> Connection | None:
        return None if peer is None else self._inside.get(peer)

    def enter(self, connection: Connection) -> None:
        """Count a connection, or count it anew after its key has changed.

        If there are too many, the key with most connections loses its oldest one; without keys, the
        address with most does. What that connection does makes no difference, because strangers can
        always seem busy.
        """
        self._inside.pop(connection.peer, None)
        self._inside[connection.peer] = connection
        self._inside = {peer: inside for peer, inside in self._inside.items() if not inside.gone}
        keyed = bool(connection.key)
        alike = [inside for inside in self._inside.values() if bool(inside.key) is keyed]
        if len(alike) > self._most:
            counted = Counter(inside.who for inside in alike)
            most = max(counted, key=counted.__getitem__)
            theirs = [inside for inside in alike if inside.who == most]
            min(theirs, key=lambda each: keyed and each.answering).cut()


class _Arrival(asyncio.Protocol):
    """Counts a connection and hands it to uvicorn, with ``context`` after a TLS handshake."""

    def __init__(
        self, limit: ConnectionLimit, context: ssl.SSLContext | None, **given: Any
    ) -> None:
        self._limit = limit
        self._context = context
        self._given = given
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = cast(asyncio.Transport, transport)
        # A connection that is lost at once has no address any more.
        host, port, *_ = plain.get_extra_info("peername") or ("", 0)
        self._connection = Connection((host, port), plain)
        self._limit.enter(self._connection)
        if self._context is None:
            self._hand_over(plain)
        else:
            plain.pause_reading()
            securing = self._secure(plain, self._context)
            self._securing = asyncio.get_running_loop().create_task(securing)

    async def _secure(self, plain: asyncio.Transport, context: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        try:
            secured = await loop.start_tls(plain, self, context, server_side=True)
        except OSError:  # the other side is gone, or does not speak TLS
            plain.abort()
            return
        # A connection that is lost during its handshake ends it without an error.
        if secured is not None and not plain.is_closing():
            self._connection.secure(secured)
            self._hand_over(secured)

    def data_received(self, data: bytes) -> None:
        self._early += data  # this part came with the end of the handshake

    def _hand_over(self, transport: asyncio.Transport) -> None:
        served = H11Protocol(**self._given)
        transport.set_protocol(served)
        served.connection_made(transport)
        if self._early:
            served.data_received(self._early)


class _Socket(WebSocketsSansIOProtocol):
    """A WebSocket that is cut off when it sends too much."""

    _second, _heard = -1, 0

    def data_received(self, data: bytes) -> None:
        second, is_head = int(asyncio.get_running_loop().time()), self._second < 0
        if second != self._second:
            self._second, self._heard = second, 0
        self._heard += 0 if is_head else len(data)
        if self._heard > MOST_HEARD:
            self.transport.abort()
        else:
            super().data_received(data)

    async def send(self, message: Any) -> None:
        """A refusal completes the handshake, too: uvicorn would log each one as an error."""
        await super().send(message)
        self.handshake_complete = self.handshake_complete or self.close_sent


class Attended:
    """Tells connections which requests they bring, and cuts those off that stall."""

    def __init__(self, app: ASGIApp, limit: ConnectionLimit) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = self._limit.find(scope.get("client"))
        if connection is None:  # the program starts or ends
            await self._app(scope, receive, send)
            return

        def note(key: str) -> None:
            if key != connection.key:
                connection.key = key
                self._limit.enter(connection)

        async def sent(message: Message) -> None:
            try:
                async with asyncio.timeout(GIVEN_UP_S):
                    await send(message)
            except TimeoutError:
                connection.cut()
                if scope["type"] == "websocket":
                    raise WebSocketDisconnect(VANISHED) from None

        on_key(scope, note)
        connection.begin()
        received = receive if scope["type"] == "websocket" else _Body(receive, connection)
        try:
            await self._app(scope, received, sent)
        finally:
            connection.end()


class _Body:
    """Receives the body of a request as long as it arrives in time."""

    def __init__(self, receive: Receive, connection: Connection) -> None:
        self._receive = receive
        self._connection = connection
        self._more = True
        self._left_s = BODY_SILENT_S
        """How long to wait for the rest; the time of our own work does not count."""

    async def __call__(self) -> Message:
        if not self._more:
            return await self._receive()
        clock = asyncio.get_running_loop().time
        begun_s = clock()
        try:
            async with asyncio.timeout(min(BODY_SILENT_S, self._left_s)):
                message = await self._receive()
        except TimeoutError:
            self._connection.cut()
            return {"type": "http.disconnect"}
        self._left_s += len(message.get("body", b"")) / BODY_RATE - (clock() - begun_s)
        self._more = message.get("more_body", False)
        return message


def guard(
    config: uvicorn.Config, context: ssl.SSLContext | None = None, most: int | None = None
) -> uvicorn.Config:
    """Apply the limits above, with ``most`` in place of ``MOST``; with ``context``, serve HTTPS."""
    limit = ConnectionLimit(MOST if most is None else most)
    # uvloop loses handshakes that begin after a pause, and another listener may serve HTTPS.
    config.loop = "asyncio"
    config.app = Attended(cast(ASGIApp, config.app), limit)
    config.http = cast(type[asyncio.Protocol], partial(_Arrival, limit, context))
    config.ws = _Socket
    config.h11_max_incomplete_event_size = LARGEST_HEAD
    config.ws_max_size = LARGEST_MESSAGE
    config.backlog = WAITING
    config.timeout_keep_alive = IDLE_S
    # A header can claim any sender: only the connection itself tells who asks.
    config.proxy_headers = False
    logging.getLogger("uvicorn.error").addFilter(_is_news)
    return config


def set_up_connections(listening: socket.socket, given_up_s: float = GIVEN_UP_S) -> None:
    """Send answers on connections of this socket at once, and let the system drop those that accept
    nothing for ``given_up_s``, where it can.

    Without it an answer on a connection that is kept waits for 40 ms, until the system of whoever
    asked confirms the one before: asyncio sends at once only on sockets that name their protocol.
    """
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if sys.platform == "linux":
        option = socket.TCP_USER_TIMEOUT
        listening.setsockopt(socket.IPPROTO_TCP, option, round(given_up_s * 1000))


def _is_news(record: logging.LogRecord) -> bool:
    """Whether to log a record. A message that is no text is left out: it ends only the socket that
    sent it."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


MOST_SOCKETS: Final = 128
"""Sockets; a page with the live picture has two."""
CROWDED: Final = 4029
"""Close code of our own, after the status 429."""
FULL: Final = "too many pages are open with this key: close some of them, or use another key"
ENDED: Final = 4001
"""Close code of our own, after the status 401: a page with a new key comes back."""


class SocketLimit:
    """Passes at most ``MOST_SOCKETS`` sockets of one key on to ``app`` at a time."""

    def __init__(
        self, app: ASGIApp, keys_of: Callable[[Scope], TableKeys | None] = lambda _: None
    ) -> None:
        """``keys_of``: the keys of the table that a socket is about; it is closed as soon as its
        own is none of them any more."""
        self._app = app
        self._keys_of = keys_of
        self._keys: TableKeys | None = None
        """Those of the newest socket."""
        self._open: Counter[str] = Counter()
        self._sends: dict[Send, Scope] = {}
        self._closing: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        socket = WebSocket(scope, receive, send)
        # Where no key is needed, the machine that asks is counted.
        key = key_noted(scope) or (f"from {socket.client.host}" if socket.client else "")
        if self._open[key] >= MOST_SOCKETS:
            # Only an accepted socket can tell a browser why it is closed.
            await socket.accept()
            await socket.close(CROWDED, FULL)
            return
        self._open[key] += 1
        self._sends[send] = scope
        keys = self._keys_of(scope)
        if keys is not None and keys is not self._keys:
            self._keys = keys
            keys.on_ended.append(lambda _: self._close_ended(keys))
        try:
            await self._app(scope, receive, send)
        finally:
            del self._sends[send]
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]

    def _close_ended(self, keys: TableKeys) -> None:
        for send, scope in self._sends.items():
            key = key_noted(scope)  # a page that sends its key inside the socket noted it there
            if not key or self._keys_of(scope) is not keys or keys.opens(key):
                continue
            task = asyncio.create_task(_close(send))
            self._closing.add(task)  # the event loop keeps no reference to a task
            task.add_done_callback(self._closing.discard)


async def _close(send: Send) -> None:
    # The page may go away by itself at the same moment.
    with contextlib.suppress(RuntimeError, OSError):
        reason = "this key has ended"
        await send({"type": "websocket.close", "code": ENDED, "reason": reason})
