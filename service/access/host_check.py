"""By which name a browser asks: requests by any other name than ours are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse

from service.pages.set_up_or_table import Application, Message, Receive, Send

ANY: Final = "*"
_HOST: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?", re.ASCII)
_REFUSAL: Final = "there is nothing by this name here; open the address as it was printed"


class KnownHost:
    """Lets requests through to ``app`` whose ``Host`` is one of ``hosts``; ``*`` is any.

    A foreign page can make its own name point to this machine, but not send another name.
    """

    def __init__(self, app: Application, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] in ("http", "websocket"):
            host = host_of(HTTPConnection(scope))
            if host is None or not self._hosts & {host, ANY}:
                app = JSONResponse({"detail": _REFUSAL}, 400)
        await app(scope, receive, send)


def host_of(connection: HTTPConnection) -> str | None:
    """The name or number that ``Host`` asks for, without port; None where it is no such thing."""
    given = connection.headers.getlist("host")
    found = _HOST.fullmatch(given[0]) if len(given) == 1 else None
    return None if found is None else found[1].strip("[]").lower()


def from_elsewhere(connection: HTTPConnection) -> bool:
    """Whether a page of another site asks; the browser would send it our cookies along."""
    origin = connection.headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc != connection.headers.get("host")
    except ValueError:  # half a bracket
        return True
