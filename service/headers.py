"""Headers of every answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

_HEADERS: Final = {
    # Nothing from other hosts; our drawings carry inline styles.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_OF_THE_GAME: Final = ("/api/", "/health", "/metrics")
"""Answers that no browser or proxy may keep; pages and pictures without it may be kept."""


def add_headers(app: FastAPI) -> None:
    """Load nothing from other hosts, and send them no address."""

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=400)  # of a request that was broken off; nobody hears it

    @app.exception_handler(WebSocketDisconnect)
    async def left(_: WebSocket, __: WebSocketDisconnect) -> None:
        """The page was closed before it was answered."""

    @app.middleware("http")
    async def headers(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        if "\0" in request.scope["path"]:  # no file system takes it, and not all say so kindly
            return JSONResponse({"detail": "there is nothing at this address"}, 404)
        response = await call_next(request)
        private = request.scope["path"].startswith(_OF_THE_GAME)
        response.headers.update(_HEADERS)
        response.headers["Cache-Control"] = "no-store" if private else "no-cache"
        return response
