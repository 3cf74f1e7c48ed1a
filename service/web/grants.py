"""Roles and what they may do, and names of this machine."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol
from urllib.parse import urlsplit

from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from engine.events import Seat

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
            asked_here = from_network(connection) or phone_of(connection) is not None
            known = asked_here or self._hosts & {host, ANY}
            if host is None or not known:
                app = JSONResponse({"detail": _REFUSAL}, 400)
        await app(scope, receive, send)


def mark_from_network(scope: Scope) -> None:
    """Note that a request came in where the network reaches this machine: it needs a key."""
    scope[_NETWORK] = True


class Filming(Protocol):
    """A phone that films, at a listener of its own."""

    def grant_of(self, key: str) -> Grant | None:
        """What its key allows; None for every other key."""


def mark_as_phone(scope: Scope, phone: Filming) -> None:
    """Note that a request came in where this phone asks."""
    scope[_PHONE] = phone


def phone_of(connection: HTTPConnection) -> Filming | None:
    """The phone at whose listener a request came in; None at every other listener."""
    phone: Filming | None = connection.scope.get(_PHONE)
    return phone


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


class Role(IntEnum):
    """Each role includes those before it, except for another seat's page."""

    PUBLIC = 0
    """Opens the public page of a hall and nothing else."""
    VIEWER = 1
    SEAT = 2
    """Watches, and has one seat's page."""
    SCORER = 3
    """Corrects the record and answers questions."""
    ADMIN = 4
    """Hands out keys, and downloads files that hold hidden hands."""


_GRANT: Final = "tilesight.grant"
_KEY: Final = "tilesight.key"
_ON_KEY: Final = "tilesight.on_key"


@dataclass(frozen=True)
class Grant:
    """What the sender of a request may do."""

    role: Role
    seat: Seat | None = None
    """The seat whose key was sent; None for every other key."""
    guest: bool = False
    """Whether a free seat may be chosen."""
    teaches: bool = False
    """Whether it is the teacher's, who sees what each player shares."""
    films: bool = False
    """Whether it is the phone whose camera a listener serves."""
    sets_up: bool = False
    """Whether the table may be set up; the admin may, too."""
    since: int = 0
    """The line with which the first hand began of which its seat is shown more than all are."""

    def shows_hand(self, seat: Seat) -> bool:
        """Whether it opens what only one seat may see."""
        return self.admin or seat == self.seat

    @property
    def watches(self) -> bool:
        return self.role >= Role.VIEWER

    @property
    def corrects(self) -> bool:
        return self.role >= Role.SCORER

    @property
    def admin(self) -> bool:
        return self.role is Role.ADMIN


def give(connection: HTTPConnection, grant: Grant, key: str) -> None:
    """Attach a grant to a connection, and the key that it came with; empty where none did."""
    connection.scope[_GRANT] = grant
    note_key(connection, key)


def note_key(connection: HTTPConnection, key: str) -> None:
    """Remember a valid key: connections are counted by it."""
    connection.scope[_KEY] = key
    told: Callable[[str], None] | None = connection.scope.get(_ON_KEY)
    if told is not None:
        told(key)


def on_key(scope: Scope, told: Callable[[str], None]) -> None:
    """Let ``told`` know the key that a request turns out to bring, or that it needs none."""
    scope[_ON_KEY] = told


def key_noted(scope: Scope | None) -> str:
    """The valid key that a connection brought; empty where it brought none."""
    key = (scope or {}).get(_KEY)
    return key if isinstance(key, str) else ""


def granted(connection: HTTPConnection) -> Grant | None:
    """The grant of a connection; None where the gate refused it or did not see it."""
    grant = connection.scope.get(_GRANT)
    return grant if isinstance(grant, Grant) else None
