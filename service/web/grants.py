"""Roles and what they may do, which right each address asks for, and names of this machine."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from starlette.routing import compile_path
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
    """Runs the table: hands out keys, and downloads files that hold hidden hands."""


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

    def shows_hand(self, seat: Seat) -> bool:
        """Whether it opens what only one seat may see."""
        return self.runs_table or seat == self.seat

    @property
    def watches(self) -> bool:
        return self.role >= Role.VIEWER

    @property
    def corrects(self) -> bool:
        return self.role >= Role.SCORER

    @property
    def runs_table(self) -> bool:
        return self.role is Role.ADMIN


def give(connection: HTTPConnection, grant: Grant, key: str) -> None:
    """Attach a grant to a connection, and the key that it came with; empty where none did."""
    connection.scope[_GRANT] = grant
    if not from_phone(connection):  # its connection is counted by its own server
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


AGREED: Final = "/api/agreed"
"""Where everybody at the table may withdraw what was agreed."""
ENTER: Final = "/api/enter"
"""Where a page exchanges the key of its address for a cookie."""
GUEST: Final = "/api/guest"
"""Where whoever scanned the guest's card chooses a seat."""
NETWORK: Final = "/api/network"
RENEW: Final = "/api/keys"
_READING: Final = ("GET", "HEAD", "OPTIONS")


class Right(Enum):
    """What a sender needs for an address; some addresses ask more of what is sent."""

    NOTHING = auto()
    ANY_KEY = auto()
    WATCH = auto()
    AGREE = auto()
    """To sit at the table, or to correct its record."""
    TAKE_SEAT = auto()
    CORRECT = auto()
    RUN = auto()

    def of(self, grant: Grant) -> bool:
        """Whether a grant includes it."""
        match self:
            case Right.NOTHING | Right.ANY_KEY:
                return True
            case Right.WATCH:
                return grant.watches
            case Right.AGREE:
                return grant.corrects or grant.seat is not None
            case Right.TAKE_SEAT:
                return grant.runs_table or grant.guest
            case Right.CORRECT:
                return grant.corrects
            case Right.RUN:
                return grant.runs_table


@dataclass(frozen=True)
class Rights:
    """The right of each address of one program, and what is said to those who lack it.

    Texts are given by their keys in the catalogue.
    """

    rows: Mapping[str, Right]
    """By method and route; the first row that fits counts. A socket is read by GET."""
    reading: Right
    """Of addresses in no row that are only read."""
    changing: Right
    no_key: str
    wrong_key: str
    too_little: Mapping[Role, str]
    """For a key of this role."""
    bring: Mapping[Right, str] = field(default_factory=dict)
    """For whoever needs this right and may get it with another key."""
    link: str = ""
    """Text of a link to the table, beside these words."""

    def asked_by(self, method: str, path: str) -> Right:
        """The right that a request needs."""
        reads = method in _READING
        for row, right in self.rows.items():
            its_method, route = row.split()
            if its_method == ("GET" if reads else method) and _pattern(route).match(path):
                return right
        return self.reading if reads else self.changing

    def refusal(self, right: Right, grant: Grant) -> tuple[int, str]:
        """Status and text for a grant that lacks a right."""
        if right in self.bring:
            return 401, self.bring[right]
        return 403, self.too_little[grant.role]


@cache
def _pattern(route: str) -> re.Pattern[str]:
    return compile_path(route)[0]


ENTRANCE: Final = {
    f"POST {ENTER}": Right.NOTHING,
    **{
        f"GET /static/{name}": Right.NOTHING
        for name in (
            "shared/enter_page.js",
            "shared/enter.js",
            "shared/asking.js",
            "shared/elements.js",
            "shared/words.js",
            "words/catalogue.js",
            "shared/style.css",
            "shared/theme.js",
            "shared/manifest.json",
            "shared/icon.svg",
            "shared/icon-192.png",
            "shared/icon-512.png",
        )
    },
}
"""What exchanges the key of an address for a cookie, and says why; nothing of the table."""
_DRAWN: Final = {"GET /static/{file:path}": Right.ANY_KEY, "GET /tiles.svg": Right.ANY_KEY}
_OF_TABLE: Final = {
    f"POST {AGREED}": Right.AGREE,
    f"POST {GUEST}": Right.TAKE_SEAT,
    f"POST {NETWORK}": Right.RUN,
    f"POST {RENEW}": Right.RUN,
    "POST /api/lessons": Right.RUN,
    "GET /api/download/csv": Right.WATCH,
    "GET /api/download/html": Right.WATCH,
    "GET /api/download/public": Right.WATCH,
    # The other files show hidden hands.
    "GET /api/download/{form}": Right.RUN,
    # It is read anew, or much of the evening is replayed for it: both take seconds.
    "GET /api/events/{number}/crop": Right.CORRECT,
    "GET /api/events/{number}/ways": Right.CORRECT,
    "GET /api/links": Right.RUN,
    # What is doubtful is told to whoever may settle it, here as in each view of the table.
    "GET /api/questions": Right.CORRECT,
    "GET /api/questions/{rest:path}": Right.CORRECT,
    "GET /api/seats": Right.RUN,
}
TABLE: Final = Rights(
    {
        **ENTRANCE,
        **_DRAWN,
        **_OF_TABLE,
        **{row.replace("/api/", "/api/v1/"): right for row, right in _OF_TABLE.items()},
    },
    reading=Right.WATCH,
    changing=Right.CORRECT,
    no_key="page.refused.no_key",
    wrong_key="page.refused.wrong_key",
    too_little={
        Role.VIEWER: "page.refused.viewer",
        Role.SEAT: "page.refused.seat",
    },
    bring={Right.RUN: "page.refused.control", Right.TAKE_SEAT: "page.refused.guest"},
)
HALL: Final = Rights(
    {
        **ENTRANCE,
        **_DRAWN,
        "GET /watch": Right.ANY_KEY,
        "GET /api/v1/watch": Right.ANY_KEY,
        # Of the table whose key it is: the hall looks it up.
        "GET /api/v1/tables/{name}/lines": Right.CORRECT,
        "POST /api/v1/tables/{name}/lines": Right.CORRECT,
        "POST /api/v1/tables/{name}/condition": Right.CORRECT,
        "GET /api/v1/tables/{name}/records": Right.RUN,
        "GET /api/v1/tables/{name}/record": Right.RUN,
        "GET /api/v1/keys": Right.RUN,
        "GET /api/v1/archive": Right.RUN,
        "GET /api/v1/archive/{rest:path}": Right.RUN,
    },
    reading=Right.WATCH,
    changing=Right.RUN,
    no_key="page.refused.hall.no_key",
    wrong_key="page.refused.hall.wrong_key",
    too_little={
        Role.PUBLIC: "page.refused.hall.public",
        Role.VIEWER: "page.refused.hall.viewer",
        Role.SCORER: "page.refused.hall.scorer",
    },
)
SET_UP: Final = Rights(
    ENTRANCE,
    reading=Right.RUN,
    changing=Right.RUN,
    no_key="page.refused.running",
    wrong_key="page.refused.running",
    too_little={},
    bring={Right.RUN: "page.refused.running"},
    link="page.setup.to_running",
)
