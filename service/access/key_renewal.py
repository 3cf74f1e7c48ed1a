"""New keys for a table whose keys have come into wrong hands: the old ones open nothing at once."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import JSONResponse

from service.access.gate import cookie_name
from service.access.grants import is_admin
from service.access.seat_keys import SeatKeys
from service.errors import Malformed
from service.pages.checks import answered, body_of, refuse_foreign
from service.pages.set_up_or_table import Application, Message, Receive, Send
from service.pages.sockets import TOO_SLOW
from service.report.public import Json

RENEW: Final = "/api/keys"


class Renewed:
    """Closes every socket when the keys are renewed: their pages come back, if they still may."""

    def __init__(self, app: Application, keys: SeatKeys) -> None:
        self._app = app
        self._open: set[Send] = set()
        self._closing: set[asyncio.Task[None]] = set()
        keys.on_renewed.append(self._close_all)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
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


def add_renewing(app: FastAPI, keys: SeatKeys) -> None:
    """Add where whoever runs the table asks for new keys: ``{"renew": true}``."""

    @app.post(RENEW, include_in_schema=False)
    async def renew(request: Request) -> Response:
        if not is_admin(request):
            raise HTTPException(401, "new codes are for whoever runs the table")

        async def renewed() -> Json:
            refuse_foreign(request)
            if (await body_of(request)).get("renew") is not True:
                raise Malformed('expected "renew" to be true')
            keys.renew()
            return {"key": keys.control}

        answer: JSONResponse = await answered(renewed())
        if answer.status_code == 200:
            name = cookie_name(request)
            answer.set_cookie(name, keys.control, httponly=True, samesite="strict")
        return answer


async def _close(send: Send) -> None:
    # A page that goes away by itself in this moment is gone all the same.
    with contextlib.suppress(RuntimeError, OSError):
        await send({"type": "websocket.close", "code": TOO_SLOW, "reason": "the keys are renewed"})
