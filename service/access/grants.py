"""What a key allows: to show a stream, to watch, to see one hand, to mend, to hand out keys."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from fastapi import Request
from fastapi.requests import HTTPConnection

_IN_SCOPE: Final = "tilesight.role"


class Role(IntEnum):
    """Each may also do what those before it may, but for another seat's page."""

    STREAM = 0
    """Shows the stream page, and opens nothing else."""
    VIEWER = 1
    SEAT = 2
    """Watches, and has one seat's page."""
    SCORER = 3
    """Puts the record right and answers questions."""
    ADMIN = 4
    """Hands out the others' keys, and downloads what single seats knew."""


_READING: Final = ("GET", "HEAD", "OPTIONS")
_STREAM: Final = ("/stream", "/ws/stream", "/tiles.svg", "/static/")
"""What the stream page is made of; what ends in a slash stands for all below it."""


def needed(method: str, path: str) -> Role:
    """The least role that may ask for this; single pages may ask for more."""
    if method not in _READING:
        return Role.SCORER
    return Role.STREAM if _below(path, _STREAM) else Role.VIEWER


def _below(path: str, places: Sequence[str]) -> bool:
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in places)


def grant(connection: HTTPConnection, role: Role) -> None:
    """Write down what whoever asks may do."""
    connection.scope[_IN_SCOPE] = role


def granted(connection: HTTPConnection) -> Role | None:
    """What whoever asks may do; None where nobody has decided it, or it was refused."""
    role = connection.scope.get(_IN_SCOPE)
    return role if isinstance(role, Role) else None


def may_mend(connection: HTTPConnection) -> bool:
    """Whether whoever asks puts the record right, or only watches."""
    role = granted(connection)
    return role is not None and role >= Role.SCORER


def is_admin(request: Request) -> bool:
    """Whether the keeper of the table asks."""
    return granted(request) is Role.ADMIN
