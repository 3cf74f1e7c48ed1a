"""Turns the key of a request into a ``Grant``, and refuses requests that have none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import FastAPI, HTTPException, Request, Response, WebSocket
from fastapi.requests import HTTPConnection
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from service.texts.catalogue import texts_of
from service.texts.refusals import refusal_in
from service.web.grants import Grant, Role, from_network, give, is_local
from service.web.language import language_of
from service.web.page_files import html_of
from service.web.rights import ENTER, WORDS, Right, Serves, asked_by, refusal

ELSEWHERE: Final = "page.refused.elsewhere"
"""Key of a text, as all that a gate says."""
REFUSED: Final = 1008
"""Close code of the WebSocket protocol."""


class KeysUnavailable(Exception):
    """Nobody can say now what a key allows."""

    def __init__(self, text: str, headers: Mapping[str, str]) -> None:
        super().__init__(text)
        self.headers = headers


@dataclass(frozen=True)
class Entrance:
    """How one program turns requests into grants, and what it serves."""

    serves: Callable[[HTTPConnection], Serves]
    look_up: Callable[[HTTPConnection, str], Awaitable[Grant | None]]
    """What a key allows; None for one that opens nothing. Raises ``KeysUnavailable``."""
    without_key: Callable[[HTTPConnection], Role | None]
    """The role of a request without a key; None is none."""

    async def grant(self, connection: HTTPConnection) -> tuple[Grant | None, str]:
        """What a request may do, and the valid key that it brought; empty where it brought none."""
        key = key_of(connection)
        known = await self.look_up(connection, key)
        role = self.without_key(connection)
        grants = [*(() if known is None else (known,)), *(() if role is None else (Grant(role),))]
        best = max(grants, key=lambda grant: grant.role, default=None)
        return best, "" if known is None else key


def at_this_machine(role: Role | None) -> Callable[[HTTPConnection], Role | None]:
    """Give a role to whoever asks from this machine itself and sends no key.

    Whoever sends a key in the header means to use it: a wrong one is refused.
    """

    def without_key(connection: HTTPConnection) -> Role | None:
        return None if bearer(connection) or from_network(connection) else role

    return without_key


class Gate:
    """Passes a request on to ``app`` if its grant includes the right of its address.

    An address that stands in no row of the table of rights is passed on for nobody.

    A key comes as ``Authorization: Bearer KEY``, or in a cookie that was given for it: never in
    an address.
    """

    def __init__(self, app: ASGIApp, entrance: Entrance) -> None:
        self._app = app
        self._entrance = entrance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        serves = self._entrance.serves(connection)
        asked = asked_by(serves, str(scope.get("method", "GET")), str(scope["path"]))
        app = _Nothing(asked.missing) if asked.missing else self._app
        if asked.right is Right.NOTHING:
            await app(scope, receive, send)
            return
        if asked.here_alone and not is_local(connection):
            await refuse(connection, receive, send, 403, ELSEWHERE)
            return
        try:
            grant, key = await self._entrance.grant(connection)
        except KeysUnavailable as error:
            await refuse(connection, receive, send, 503, str(error), error.headers)
            return
        if grant is None:
            told = asked.words.wrong_key if bearer(connection) else asked.words.no_key
            await refuse(connection, receive, send, 401, told, link=asked.words.link)
        elif not asked.right.of(grant):
            status, told = refusal(asked, grant)
            await refuse(connection, receive, send, status, told, link=asked.words.link)
        else:
            give(connection, grant, key)
            await app(scope, receive, send)


class _Nothing:
    """Answers that nothing is there: 404, or 405 where only other methods are."""

    def __init__(self, status: int) -> None:
        self._status = status

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = HTTPStatus(self._status).phrase
        detail = refusal_in(told, language_of(HTTPConnection(scope)), self._status)
        await _answer(JSONResponse({"detail": detail}, self._status), told, scope, receive, send)


def add_enter(app: FastAPI, entrance: Entrance) -> None:
    """Add the address at which a page exchanges its key for a cookie."""

    @app.post(ENTER, include_in_schema=False)
    async def enter(request: Request) -> Response:
        try:
            key = bearer(request)
            grant = await entrance.look_up(request, key)
            kept = await entrance.look_up(request, cookie_key(request))
        except KeysUnavailable as error:
            raise HTTPException(503, _said(str(error), request), dict(error.headers)) from None
        if grant is None:
            raise HTTPException(401, _said(WORDS[entrance.serves(request)].wrong_key, request))
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
    return bearer(connection) or cookie_key(connection)


def cookie_key(connection: HTTPConnection) -> str:
    """The key of the browser's cookie; empty where there is none."""
    return connection.cookies.get(_cookie_name(connection), "")


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
    return texts_of("en")[text]


def _said(text: str, connection: HTTPConnection) -> str:
    """The same in the language of whoever asks."""
    return texts_of(language_of(connection))[text]


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
    headers = {**({"WWW-Authenticate": "Bearer"} if status == 401 else {}), **(more or {})}
    response: Response = JSONResponse({"detail": _said(text, connection)}, status, headers)
    if scope["type"] == "http" and "text/html" in connection.headers.get("accept", ""):
        # The key of an address stays in the browser: this page sends it here, and asks again.
        shown = f'<p id="told" role="alert" data-word="{text}"></p>'
        if link:
            shown += f'<p><a href="/" data-word="{link}"></a></p>'
        page = html_of("shared/enter.html", language_of(connection)).replace("<!-- told -->", shown)
        response = HTMLResponse(page, status, headers)
    await _answer(response, in_english(text), scope, receive, send)


async def _answer(
    response: Response, told: str, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a request, or a socket before it is opened."""
    if scope["type"] != "websocket":
        await response(scope, receive, send)
        return
    socket = WebSocket(scope, receive, send)
    if "websocket.http.response" in scope.get("extensions", {}):
        await socket.send_denial_response(response)
    else:
        await socket.close(REFUSED, told)
