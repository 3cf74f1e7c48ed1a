"""Which right each address asks for: a table for each program that is served.

The addresses are written as their routes are, and compared as the router compares them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Final

from starlette.routing import compile_path

from service.access.grants import Grant, Role

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
            "enter.js",
            "enter_page.js",
            "words/catalogue.js",
            "words.js",
            "elements.js",
            "style.css",
            "theme.js",
            "manifest.json",
            "icon.svg",
            "icon-192.png",
            "icon-512.png",
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
    # It is read anew, which takes time.
    "GET /api/events/{number}/crop": Right.CORRECT,
    "GET /api/links": Right.RUN,
    "GET /api/seats": Right.RUN,
    "GET /api/stream": Right.RUN,
}
TABLE: Final = Rights(
    {
        **ENTRANCE,
        **_DRAWN,
        "GET /stream": Right.ANY_KEY,
        "GET /ws/stream": Right.ANY_KEY,
        **_OF_TABLE,
        **{row.replace("/api/", "/api/v1/"): right for row, right in _OF_TABLE.items()},
    },
    reading=Right.WATCH,
    changing=Right.CORRECT,
    no_key="page.refused.no_key",
    wrong_key="page.refused.wrong_key",
    too_little={
        Role.STREAM: "page.refused.stream",
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
        Role.STREAM: "page.refused.hall.stream",
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
