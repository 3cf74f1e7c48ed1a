"""Turns the key of a request into a ``Grant``, and refuses requests that have none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from fastapi import FastAPI, HTTPException, Request, Response, WebSocket
from fastapi.requests import HTTPConnection
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service.access.grants import Grant, Role, from_network, give
from service.static_pages import html_of
from service.words.catalogue import words_of

ENTER: Final = "/api/enter"
OPEN_TO_ALL: Final = (
    ENTER,
    *(
        f"/static/{name}"
        for name in (
            "enter.js",
            "enter_page.js",
            "words/catalogue.js",
            "words.js",
            "style.css",
            "theme.js",
            "manifest.json",
            "icon.svg",
            "icon-192.png",
            "icon-512.png",
        )
    ),
)
"""What exchanges the key of an address for a cookie, and says why; nothing of the table."""
NO_KEY: Final = "page.refused.no_key"
WRONG_KEY: Final = "page.refused.wrong_key"
"""Keys of texts, as all that a gate says."""
REFUSED: Final = 1008
"""Close code of the WebSocket protocol."""
_TOO_LITTLE: Final = {
    Role.STREAM: "page.refused.stream",
    Role.VIEWER: "page.refused.viewer",
    Role.SEAT: "page.refused.seat",
}


class KeyRing(Protocol):
    """The keys of one table or hall."""

    def grant_of(self, key: str, /) -> Grant | None:
        """What a key allows; None for one that opens nothing."""
        ...


class KeysUnavailable(Exception):
    """Nobody can say now what a key allows."""

    def __init__(self, text: str, headers: Mapping[str, str]) -> None:
        super().__init__(text)
        self.headers = headers


class Gate:
    """Passes a request on to ``app`` if its key allows it.

    A key comes as ``Authorization: Bearer KEY``, or in a cookie that was given for it: never in
    an address. ``without_key`` is the role of requests without a key; None is none.
    """

    no_key, wrong_key, too_little = NO_KEY, WRONG_KEY, _TOO_LITTLE
    """Keys of the texts for whoever is refused."""

    def __init__(self, app: ASGIApp, keys: KeyRing, without_key: Role | None) -> None:
        self._app = app
        self._keys = keys
        self._without_key = None if without_key is None else Grant(without_key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or scope["path"] in OPEN_TO_ALL:
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        key = key_of(connection)
        try:
            known = await self.grant_of(key)
        except KeysUnavailable as error:
            await refuse(connection, receive, send, 503, str(error), error.headers)
            return
        # Whoever sends a key in the header means to use it: a wrong one is refused.
        needs_key = bearer(connection) or from_network(connection)
        others = None if needs_key else self._without_key
        grants = [grant for grant in (known, others) if grant is not None]
        if not grants:
            told = self.wrong_key if bearer(connection) else self.no_key
            await refuse(connection, receive, send, 401, told)
            return
        grant = max(grants, key=lambda each: each.role)
        if not grant.allows(str(scope.get("method", "GET")), str(scope["path"])):
            await refuse(connection, receive, send, 403, self.too_little[grant.role])
            return
        give(connection, grant, "" if known is None else key)
        await self._app(scope, receive, send)

    async def grant_of(self, key: str) -> Grant | None:
        return self._keys.grant_of(key)


def add_enter(app: FastAPI, keys: KeyRing) -> None:
    """Add the address at which a page exchanges its key for a cookie."""

    @app.post(ENTER, include_in_schema=False)
    def enter(request: Request) -> Response:
        key = bearer(request)
        grant = keys.grant_of(key)
        if grant is None:
            raise HTTPException(401, in_english(WRONG_KEY))
        kept = keys.grant_of(request.cookies.get(_cookie_name(request), ""))
        response = JSONResponse({"role": grant.role.name.lower()})
        if kept is None or kept.role < grant.role:  # a seat's page does not take a right away
            keep_key(response, request, key)
        return response


def keep_key(response: Response, request: Request, key: str) -> None:
    """Let the browser bring this key from now on: over HTTPS alone where it came so."""
    secure = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
    name = _cookie_name(request)
    response.set_cookie(name, key, secure=secure, httponly=True, samesite="strict")


def key_of(connection: HTTPConnection) -> str:
    """The key that came with a request, in the header or else the cookie; empty without one."""
    return bearer(connection) or connection.cookies.get(_cookie_name(connection), "")


def bearer(connection: HTTPConnection) -> str:
    """The key of the ``Authorization`` header; empty where there is none."""
    kind, _, key = connection.headers.get("authorization", "").partition(" ")
    return key.strip() if kind.lower() == "bearer" else ""


def _cookie_name(connection: HTTPConnection) -> str:
    """All ports of a name share cookies, so each has its own, by the port that the browser asks."""
    _, _, port = connection.headers.get("host", "").rpartition(":")
    if not port.isdecimal():
        server = connection.scope.get("server")
        port = str(server[1] if server else 0)
    return f"tilesight-{port}"


def in_english(text: str) -> str:
    """A refusal as programs get it, by the key of its text."""
    return words_of("en")[text]


async def refuse(
    connection: HTTPConnection,
    receive: Receive,
    send: Send,
    status: int,
    text: str,
    more: Mapping[str, str] | None = None,
    link: str = "",
) -> None:
    """Answer why nothing is shown: a browser gets a page that may bring a key, others JSON.

    ``text`` and ``link`` are keys of texts; the link leads to the table.
    """
    scope = connection.scope
    told = in_english(text)
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
        # The key of an address stays in the browser: this page sends it here, and asks again.
        shown = f'<p id="told" role="alert" data-word="{text}"></p>'
        if link:
            shown += f'<p><a href="/" data-word="{link}"></a></p>'
        page = html_of("enter.html").replace("<!-- told -->", shown)
        response = HTMLResponse(page, status, headers)
    await response(scope, receive, send)
