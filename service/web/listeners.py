"""Serves one application at several ports in one event loop: each says where a request came in."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from service.web.connection_limit import guard

GRACE_S: Final = 2
"""How long requests may take to end when a listener is closed."""
STOP_S: Final = 5.0


@dataclass(frozen=True, eq=False)
class Listener:
    """A port beside the first one of the program."""

    socket: socket.socket
    mark: Callable[[Scope], None]
    """Notes in each request where it came in."""
    context: ssl.SSLContext | None = None
    """For HTTPS."""
    most: int | None = None
    """Connections, in place of ``MOST``."""
    grace_s: int = GRACE_S


class Listeners:
    """What a program listens at beside its first port; threads may add and close listeners.

    All serve the same application, whose lifespan is that of the first port's server.
    """

    def __init__(self) -> None:
        self.app: ASGIApp | None = None
        """What is served; set before anything is."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Listener] = []
        self._serving: dict[Listener, tuple[uvicorn.Server, asyncio.Task[None]]] = {}
        self._changing = threading.Lock()

    @property
    def count(self) -> int:
        """How many ports there are beside the first."""
        return len(self._listeners)

    def add(self, listener: Listener) -> None:
        """Serve at this port as soon as the event loop runs; its queue takes connections before."""
        with self._changing:
            self._listeners.append(listener)
            loop = self._loop
        if loop is not None:
            loop.call_soon_threadsafe(self._serve, listener)

    def close(self, listener: Listener) -> None:
        """Stop serving at this port; another thread than the loop's waits for it."""
        with self._changing:
            known = listener in self._listeners
            if known:
                self._listeners.remove(listener)
            loop = self._loop
        if not known:
            return
        if loop is None:
            listener.socket.close()
            return
        ending = asyncio.run_coroutine_threadsafe(self._end(listener), loop)
        if not _runs_here(loop):
            with contextlib.suppress(TimeoutError):
                ending.result(STOP_S)

    async def begin(self) -> None:
        """Serve in this event loop what was added before, and what is added from now on."""
        with self._changing:
            self._loop = asyncio.get_running_loop()
            waiting = tuple(self._listeners)
        for listener in waiting:
            self._serve(listener)

    async def end(self) -> None:
        """Close all of them."""
        with self._changing:
            self._loop = None
            left = tuple(self._listeners)
            self._listeners.clear()
        await asyncio.gather(*map(self._end, left))

    def _serve(self, listener: Listener) -> None:
        if listener in self._serving or listener not in self._listeners:
            return
        assert self.app is not None, "it is set before anything is served"
        config = uvicorn.Config(
            _Marked(self.app, listener.mark),
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=listener.grace_s,
        )
        server = _Beside(guard(config, listener.context, listener.most))
        serving = asyncio.create_task(server.serve(sockets=[listener.socket]))
        self._serving[listener] = server, serving

    async def _end(self, listener: Listener) -> None:
        server, serving = self._serving.pop(listener, (None, None))
        if server is None or serving is None:
            listener.socket.close()
            return
        server.should_exit = True
        await serving


class _Marked:
    def __init__(self, app: ASGIApp, mark: Callable[[Scope], None]) -> None:
        self._app, self._mark = app, mark

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._mark(scope)
        await self._app(scope, receive, send)


class _Beside(uvicorn.Server):
    """A further server in the loop of the first, which hears the signals for all."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _runs_here(loop: asyncio.AbstractEventLoop) -> bool:
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False
