"""Roles, and what the sender of a request may do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Final

from fastapi import Depends, HTTPException
from fastapi.requests import HTTPConnection
from starlette.types import Scope

from engine.events import Seat


class Role(IntEnum):
    """Each role includes those before it, except for another seat's page."""

    STREAM = 0
    """Opens the stream page and nothing else."""
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
_READING: Final = ("GET", "HEAD", "OPTIONS")
GUEST: Final = "/api/guest"
"""Where whoever scanned the guest's card chooses a seat."""
AGREED: Final = "/api/agreed"
_AGREED: Final = (AGREED, "/api/v1/agreed")
"""Where everybody at the table may withdraw what was agreed."""


@dataclass(frozen=True)
class Grant:
    """What the sender of a request may do."""

    role: Role
    seat: Seat | None = None
    """The seat whose key was sent; None for every other key."""
    guest: bool = False
    """Whether a free seat may be chosen."""
    stream_pages: ClassVar[tuple[str, ...]] = ("/stream", "/ws/stream", "/tiles.svg")
    """What ``Role.STREAM`` opens."""

    def allows(self, method: str, path: str) -> bool:
        """Whether the role may ask for an address; some addresses check more."""
        if method not in _READING:
            at_table = (self.guest and path == GUEST) or (self.seat is not None and path in _AGREED)
            return self.corrects or at_table
        shown = path in self.stream_pages or path.startswith("/static/")
        return self.role > Role.STREAM or shown

    def shows_hand(self, seat: Seat) -> bool:
        """Whether it opens what only one seat may see."""
        return self.runs_table or seat == self.seat

    @property
    def corrects(self) -> bool:
        return self.role >= Role.SCORER

    @property
    def runs_table(self) -> bool:
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


def admin_only(refusal: str) -> Any:
    """A dependency of routes that are for whoever runs the table."""

    def check(connection: HTTPConnection) -> None:
        require_admin(connection, refusal)

    return Depends(check)


def require_admin(connection: HTTPConnection, refusal: str) -> None:
    """Raise ``HTTPException`` unless the sender runs the table."""
    grant = granted(connection)
    if grant is None or not grant.runs_table:
        raise HTTPException(401, refusal)
