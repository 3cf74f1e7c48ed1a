"""Serves the set-up page, and after it the table that it opened, at one address."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from service.table.live_table import LiveTable
from service.web.keys import TableKeys

_T = TypeVar("_T")
SET_UP: Final = ("/setup", "/api/setup")
"""Addresses that stay while a table is shown, to set up the next game."""
AT_ONCE: Final = ("/health", "/static/")
"""Addresses that are answered while a table is being opened, too."""


@dataclass(frozen=True)
class ShownTable:
    app: FastAPI
    table: LiveTable
    keys: TableKeys

    @property
    def running(self) -> bool:
        """Whether its game would be broken off: pictures may still come."""
        return not self.table.ended


class SetUpOrTable:
    """Passes every request on to the set-up pages or to the table's."""

    def __init__(self, set_up: ASGIApp) -> None:
        self._set_up = set_up
        self.shown: ShownTable | None = None
        self._last: TableKeys | None = None
        """The keys of the evening: those of the last table that was shown."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open = contextlib.AsyncExitStack()
        self._opened = asyncio.Event()
        """Clear while a table is being opened: who asks for it waits."""
        self._opened.set()
        self._let_go: Callable[[], None] | None = None

    async def show(
        self,
        opened: Callable[[TableKeys | None], contextlib.AbstractContextManager[ShownTable]],
        let_go: Callable[[], None],
    ) -> ShownTable:
        """End the table that is shown, and show another.

        ``opened`` gets the keys of the last table; it runs in a thread, for a long record takes
        seconds. ``let_go`` ends the table's pictures, before it is waited for.
        """
        self._opened.clear()
        try:
            return await self._show(opened, let_go)
        finally:
            self._opened.set()

    async def _show(
        self,
        opened: Callable[[TableKeys | None], contextlib.AbstractContextManager[ShownTable]],
        let_go: Callable[[], None],
    ) -> ShownTable:
        await self.clear()
        self._let_go = let_go
        try:
            async with contextlib.AsyncExitStack() as stack:
                shown = await asyncio.to_thread(stack.enter_context, opened(self._last))
                await stack.enter_async_context(shown.app.router.lifespan_context(shown.app))
                self.shown, self._open = shown, stack.pop_all()
                self._last = shown.keys
                return shown
        except BaseException:
            await self.clear()
            raise

    async def clear(self) -> None:
        """End the shown table and close its record."""
        self.shown = None
        if self._let_go is not None:
            await asyncio.to_thread(self._let_go)
            self._let_go = None
        await self._open.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        path = str(scope["path"])
        setting_up = any(path == one or path.startswith(f"{one}/") for one in SET_UP)
        if not setting_up and not path.startswith(AT_ONCE):
            await self._opened.wait()
        shown = self.shown
        app = self._set_up if shown is None or setting_up else shown.app
        await app(scope, receive, send)

    async def set_up_from_thread(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The set-up pages, for a server in another thread: tables live in the loop of this one."""
        theirs = asyncio.get_running_loop()
        assert self._loop is not None, "it is served"
        asked = self._set_up(
            scope,
            lambda: _in_loop(theirs, receive()),
            lambda message: _in_loop(theirs, send(message)),
        )
        await _in_loop(self._loop, asked)

    async def _live(self, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self.clear()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


async def _in_loop(loop: asyncio.AbstractEventLoop, work: Awaitable[_T]) -> _T:
    """Await what belongs to the loop of another thread."""

    async def awaited() -> _T:
        return await work

    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(awaited(), loop))
