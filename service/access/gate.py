"""Nobody reaches a table that is served beyond this machine without a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from fastapi import FastAPI, HTTPException, Request, Response, WebSocket
from fastapi.requests import HTTPConnection
from fastapi.responses import HTMLResponse, JSONResponse

from service.access.grants import Role, grant, needed
from service.access.socket_limit import count_for
from service.pages.set_up_or_table import Application, Message, Receive, Send
from service.pages.static_pages import html_of

ENTER: Final = "/api/enter"
OPEN_TO_ALL: Final = (
    ENTER,
    "/static/enter.js",
    "/static/enter_page.js",
    "/static/style.css",
)
"""What brings a key from an address to the server; nothing of the table."""
NO_KEY: Final = "this table is for those who have its key: open the whole address, or scan the code"
WRONG_KEY: Final = "this key opens nothing here; open the address as it was printed, or scan again"
REFUSED: Final = 1008


class Opens(Protocol):
    """Knows keys."""

    def role_of(self, key: str, /) -> Role | None:
        """What a key allows; None for one that opens nothing."""
        ...


_MAY: Final = {
    Role.STREAM: "this key shows the stream page and nothing else",
    Role.VIEWER: "this key is for watching; ask whoever runs the table for the scorer's address",
    Role.SEAT: "a seat's key does not change the record; ask whoever runs the table",
    Role.SCORER: "this is for whoever runs the table",
}


@dataclass(frozen=True)
class _Asker:
    """Whoever sent a request."""

    role: Role | None
    """What they may do; None is nothing."""
    key: str = field(repr=False)
    """The key that gave them their role; empty where none did."""
    refusal: str
    """What to say to them where they may do nothing."""


class Gate:
    """Lets a request through to ``app`` if its key allows it.

    A key comes as ``Authorization: Bearer KEY``, or in a cookie that was given for it: never in
    an address. ``without_key`` is what everybody may do who brings none; None is nothing.
    """

    def __init__(self, app: Application, keys: Opens, without_key: Role | None) -> None:
        self._app = app
        self._keys = keys
        self._without_key = without_key

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        path, method = str(scope["path"]), str(scope.get("method", "GET"))
        if path in OPEN_TO_ALL:
            await self._app(scope, receive, send)
            return
        asker = self._asker(connection)
        role = asker.role
        if role is not None and role >= needed(method, path):
            grant(connection, role)
            if asker.key:
                count_for(connection, asker.key)
            await self._app(scope, receive, send)
            return
        status, told = (401, asker.refusal) if role is None else (403, _MAY[role])
        await refuse(connection, receive, send, status, told)

    def _asker(self, connection: HTTPConnection) -> _Asker:
        given = bearer(connection)
        if given:
            # Who sends a key means to use it: a wrong one is never passed over.
            return _Asker(self._keys.role_of(given), given, WRONG_KEY)
        cookie = connection.cookies.get(cookie_name(connection), "")
        kept = self._keys.role_of(cookie)
        roles = [role for role in (kept, self._without_key) if role is not None]
        return _Asker(max(roles, default=None), "" if kept is None else cookie, NO_KEY)


def add_enter(app: FastAPI, keys: Opens) -> None:
    """Add where a page exchanges the key of its address for a cookie."""

    @app.post(ENTER, include_in_schema=False)
    def enter(request: Request) -> Response:
        given, name = bearer(request), cookie_name(request)
        role = keys.role_of(given)
        if role is None:
            raise HTTPException(401, WRONG_KEY)
        kept = keys.role_of(request.cookies.get(name, ""))
        response = JSONResponse({"role": role.name.lower()})
        if kept is None or kept < role:  # whoever may do more does not lose it on a seat's page
            response.set_cookie(name, given, httponly=True, samesite="strict")
        return response


def role_brought(connection: HTTPConnection, keys: Opens) -> Role | None:
    """What the key that came with a request allows; None where none did, or a wrong one."""
    return keys.role_of(bearer(connection) or connection.cookies.get(cookie_name(connection), ""))


def bearer(connection: HTTPConnection) -> str:
    """The key of the header; empty where there is none."""
    kind, _, key = connection.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def cookie_name(connection: HTTPConnection) -> str:
    """Cookies are shared by all ports of a machine, tables are not."""
    server = connection.scope.get("server")
    return f"tilesight-{server[1] if server else 0}"


async def refuse(
    connection: HTTPConnection,
    receive: Receive,
    send: Send,
    status: int,
    told: str,
    more: Mapping[str, str] | None = None,
) -> None:
    """Say why nothing is shown: to a browser on a page that may bring a key, else in JSON."""
    scope = connection.scope
    headers = {**({"WWW-Authenticate": "Bearer"} if status == 401 else {}), **(more or {})}
    response: Response = JSONResponse({"detail": told}, status, headers)
    if scope["type"] == "websocket":
        socket = WebSocket(scope, receive, send)
        if "websocket.http.response" in scope.get("extensions", {}):
            await socket.send_denial_response(response)
        else:
            await socket.close(REFUSED, told)
        return
    if "text/html" in connection.headers.get("accept", ""):
        # The key of an address stays in the browser: this page brings it here, and asks again.
        page = html_of("enter.html").replace("{told}", told)
        response = HTMLResponse(page, status, headers)
    await response(scope, receive, send)
