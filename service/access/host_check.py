"""Refuses requests that ask for this machine by a name that is not its own."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

ANY: Final = "*"
_HOST: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?", re.ASCII)
_REFUSAL: Final = "there is nothing by this name here; open the address as it was printed"
_NETWORK: Final = "tilesight.network"
_PHONE: Final = "tilesight.phone"
_FORWARDED: Final = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-real-ip",
)
"""Headers of a proxy, which passes on what others ask."""


class HostCheck:
    """Passes requests on to ``app`` whose ``Host`` is one of ``hosts``; ``*`` is any.

    The page of another site can make its own name point to this machine, but its browser then
    sends that name. Where every request needs a key, any name will do: no other site has the key.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            host = host_of(connection)
            asked_here = from_network(connection) or from_phone(connection)
            known = asked_here or self._hosts & {host, ANY}
            if host is None or not known:
                app = JSONResponse({"detail": _REFUSAL}, 400)
        await app(scope, receive, send)


def mark_from_network(scope: Scope) -> None:
    """Note that a request came in where the network reaches this machine: it needs a key."""
    scope[_NETWORK] = True


def mark_as_phone(scope: Scope) -> None:
    """Note that the phone asks that films the table and sets it up: it has brought its key."""
    scope[_PHONE] = True


def from_phone(connection: HTTPConnection) -> bool:
    return bool(connection.scope.get(_PHONE))


def from_network(connection: HTTPConnection) -> bool:
    """Whether somebody beyond this machine may ask, also through a proxy on it."""
    forwarded = any(name in connection.headers for name in _FORWARDED)
    return forwarded or bool(connection.scope.get(_NETWORK))


def host_of(connection: HTTPConnection) -> str | None:
    """The name or number in ``Host`` without its port; None where it is neither."""
    given = connection.headers.getlist("host")
    found = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    return None if found is None else found[1].strip("[]").lower()


def from_elsewhere(connection: HTTPConnection) -> bool:
    """Whether a page of another site asks; the browser would send our cookies along."""
    origin = connection.headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != connection.headers.get("host")
    except ValueError:  # half a bracket
        return True


def is_local(connection: HTTPConnection) -> bool:
    """Whether this machine itself asks, by one of its numbers or as ``localhost``.

    Another site's name may point to this machine; a number is nobody's name.
    """
    client = connection.client.host if connection.client else ""
    host = host_of(connection) or ""
    if from_network(connection):
        return False
    try:
        if host != "localhost":
            ipaddress.ip_address(host)
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False
