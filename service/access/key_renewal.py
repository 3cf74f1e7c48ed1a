"""New keys for a table whose keys got into wrong hands: the old ones stop working at once."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service.access.gate import cookie_name
from service.access.grants import admin_only
from service.access.seat_keys import SeatKeys
from service.pages.api_bodies import Renewal
from service.pages.sockets import TOO_SLOW

RENEW: Final = "/api/keys"


class RenewalClosing:
    """Closes every socket when the keys are renewed; a page with a new key comes back."""

    def __init__(self, app: ASGIApp, keys: SeatKeys) -> None:
        self._app = app
        self._open: set[Send] = set()
        self._closing: set[asyncio.Task[None]] = set()
        keys.on_renewed.append(self._close_all)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        self._open.add(send)
        try:
            await self._app(scope, receive, send)
        finally:
            self._open.discard(send)

    def _close_all(self) -> None:
        for send in self._open:
            task = asyncio.create_task(_close(send))
            self._closing.add(task)  # the loop itself holds no task
            task.add_done_callback(self._closing.discard)


def add_key_renewal(app: FastAPI, keys: SeatKeys) -> None:
    """Add the address at which whoever runs the table asks for new keys: ``{"renew": true}``."""

    for_admin = admin_only("new codes are for whoever runs the table")

    @app.post(RENEW, include_in_schema=False, dependencies=[for_admin])
    async def renew(request: Request, _: Renewal) -> Response:
        keys.renew()
        answer = JSONResponse({"key": keys.control})
        answer.set_cookie(cookie_name(request), keys.control, httponly=True, samesite="strict")
        return answer


async def _close(send: Send) -> None:
    # The page may go away by itself at the same moment.
    with contextlib.suppress(RuntimeError, OSError):
        await send({"type": "websocket.close", "code": TOO_SLOW, "reason": "the keys are renewed"})
