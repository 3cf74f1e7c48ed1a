"""Who serves a page, at which listener, and with which right: each address of every program.

This is the one table of rights. An address that stands in no row is served to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from typing import Final

from starlette.routing import compile_path

from service.web.grants import Grant, Role

VERSION: Final = "/api/v1"
"""Prefix of the addresses for other programs, which stay."""
AGREED: Final = "/api/agreed"
"""Where everybody at the table may withdraw what was agreed."""
ENTER: Final = "/api/enter"
"""Where a page exchanges the key of its address for a cookie."""
CODE: Final = "/api/code"
"""Where a short code that somebody typed is exchanged for the key that it stands for."""
GUEST: Final = "/api/guest"
"""Where whoever scanned the guest's card chooses a seat."""
NETWORK: Final = "/api/network"
RENEW: Final = "/api/keys"
_READING: Final = ("GET", "HEAD", "OPTIONS")


class Serves(Enum):
    """What a listener serves when a request comes in: a column of the table below."""

    SET_UP = auto()
    """A program without a table: only the machine that it runs on may ask."""
    TABLE = auto()
    """An open table, to this machine and to the network."""
    PHONE = auto()
    """The page of a phone that films, at a port of its own over HTTPS."""
    HALL = auto()
    """A hall and its archive, which are a program of their own."""
    SHADOW = auto()
    """A table that is watched while somebody else keeps the score: nothing of it is told."""


class Right(Enum):
    """What a sender needs for an address; some addresses ask more of what is sent."""

    NOTHING = auto()
    ANY_KEY = auto()
    WATCH = auto()
    AGREE = auto()
    """To sit at the table, or to correct its record."""
    SIT = auto()
    """To sit at the table: what is said there counts for one player alone."""
    TEACH = auto()
    """To be the teacher, or to run the table."""
    TAKE_SEAT = auto()
    CORRECT = auto()
    ADMIN = auto()
    FILM = auto()
    """To be the phone whose camera this is."""
    SET_UP = auto()
    """To be the admin, or the phone that sets up the table which it films."""

    def of(self, grant: Grant) -> bool:
        """Whether a grant includes it."""
        match self:
            case Right.NOTHING | Right.ANY_KEY:
                return True
            case Right.WATCH:
                return grant.watches
            case Right.AGREE:
                return grant.corrects or grant.seat is not None
            case Right.SIT:
                return grant.seat is not None
            case Right.TEACH:
                return grant.admin or grant.teaches
            case Right.TAKE_SEAT:
                return grant.admin or grant.guest
            case Right.CORRECT:
                return grant.corrects
            case Right.ADMIN:
                return grant.admin
            case Right.FILM:
                return grant.films
            case Right.SET_UP:
                return grant.admin or grant.sets_up


@dataclass(frozen=True)
class Words:
    """What is said to those who lack a right: keys of texts in the catalogue."""

    no_key: str
    wrong_key: str
    too_little: Mapping[Role, str]
    """For a key of this role."""
    bring: Mapping[Right, str]
    """For whoever needs this right and may get it with another key."""
    link: str = ""
    """Text of a link to the table, beside these words."""


OF_TABLE: Final = Words(
    "page.refused.no_key",
    "page.refused.wrong_key",
    {Role.VIEWER: "page.refused.viewer", Role.SEAT: "page.refused.seat"},
    {
        Right.ADMIN: "page.refused.admin",
        Right.TAKE_SEAT: "page.refused.guest",
        Right.SIT: "page.refused.no_seat",
        Right.TEACH: "page.refused.teacher",
    },
)
OF_SET_UP: Final = Words(
    "page.refused.running",
    "page.refused.running",
    {},
    {Right.SET_UP: "page.refused.running"},
    "page.setup.to_running",
)
OF_PHONE: Final = Words(
    "page.camera.not_allowed",
    "page.camera.not_allowed",
    {},
    dict.fromkeys((Right.FILM, Right.SET_UP), "page.camera.not_allowed"),
)
OF_HALL: Final = Words(
    "page.refused.hall.no_key",
    "page.refused.hall.wrong_key",
    {
        Role.PUBLIC: "page.refused.hall.public",
        Role.VIEWER: "page.refused.hall.viewer",
        Role.SCORER: "page.refused.hall.scorer",
    },
    {},
)
WORDS: Final[Mapping[Serves, Words]] = {
    Serves.SET_UP: OF_SET_UP,
    Serves.TABLE: OF_TABLE,
    Serves.PHONE: OF_PHONE,
    Serves.HALL: OF_HALL,
    Serves.SHADOW: OF_TABLE,
}


@dataclass(frozen=True)
class Row:
    """The right that an address asks for, by what is served; None where nothing is there."""

    set_up: Right | None = None
    table: Right | None = None
    phone: Right | None = None
    hall: Right | None = None
    shadow: Right | None = None
    here_alone: bool = False
    """Whether the network is refused, whatever it brings."""
    while_opening: bool = False
    """Whether it is answered while a table is being opened; others wait for that table.

    What is for this machine alone waits, too, in a program that sets no table up.
    """
    may_be_kept: bool = False
    """Whether a browser may keep the answer, and ask each time whether it is still so."""

    def right(self, serves: Serves) -> Right | None:
        match serves:
            case Serves.SET_UP:
                return self.set_up
            case Serves.TABLE:
                return self.table
            case Serves.PHONE:
                return self.phone
            case Serves.HALL:
                return self.hall
            case Serves.SHADOW:
                return self.shadow


_ALL: Final = (Right.NOTHING,) * 5
_FREE: Final = Row(*_ALL, while_opening=True, may_be_kept=True)
_EVERYWHERE: Final = Row(Right.ADMIN, Right.WATCH, hall=Right.WATCH)
_IN_SHADOW: Final = Row(table=Right.WATCH, shadow=Right.WATCH)
_LEARN: Final = Row(Right.ADMIN, Right.WATCH)
_WATCH: Final = Row(table=Right.WATCH)
_CORRECT: Final = Row(table=Right.CORRECT)
_ADMIN: Final = Row(table=Right.ADMIN)
_HOST: Final = Row(table=Right.ADMIN, shadow=Right.ADMIN)
_SET_UP: Final = Row(
    *(Right.ADMIN, Right.SET_UP, Right.SET_UP),
    shadow=Right.SET_UP,
    here_alone=True,
    while_opening=True,
)
_PHONE: Final = Row(phone=Right.FILM)
_HALL: Final = Row(hall=Right.WATCH)
_HALL_OF_ALL: Final = Row(hall=Right.ANY_KEY)
_HALL_POSTS: Final = Row(hall=Right.CORRECT)
"""Of the table whose key it is: the hall looks it up."""
_HALL_ADMIN: Final = Row(hall=Right.ADMIN)

ENTRANCE: Final = {
    f"GET /static/{name}": _FREE
    for name in (
        "shared/enter_page.js",
        "shared/enter.js",
        "shared/typed_code.js",
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
}
"""What exchanges the key of an address for a cookie, and says why; nothing of the table."""
_KEPT: Final = {
    "GET /static/{file:path}": Row(
        *(Right.NOTHING, Right.ANY_KEY, Right.NOTHING, Right.ANY_KEY, Right.ANY_KEY),
        while_opening=True,
    ),
    "GET /tiles.svg": Row(Right.ADMIN, Right.ANY_KEY, hall=Right.ANY_KEY),
    "GET /": replace(_EVERYWHERE, shadow=Right.WATCH),
    "GET /shadow": _IN_SHADOW,
    "GET /openapi.json": Row(table=Right.WATCH, hall=Right.WATCH),
    "GET /setup": _SET_UP,
    "GET /camera": Row(phone=Right.NOTHING),
    "GET /learn": _LEARN,
    "GET /lessons": _LEARN,
    "GET /practice": _LEARN,
    "GET /teacher": _LEARN,
    "GET /seat": _WATCH,
    "GET /game": _WATCH,
    "GET /drill": _WATCH,
    "GET /stream": _WATCH,
    "GET /watch": _HALL_OF_ALL,
    "GET /archive": _HALL,
    "GET /tables/{name}": _HALL,
    "GET /leagues": _HALL,
    "GET /leagues/{number}": _HALL,
    "GET /players": _HALL,
    "GET /players/{number}": _HALL,
}
"""Pages and their files: nothing of a game is in them."""
_OF_ALL: Final = {
    f"POST {ENTER}": Row(table=Right.NOTHING, hall=Right.NOTHING, shadow=Right.NOTHING),
    # A code is worth what its key is, and tries are counted; without a table there are no codes.
    f"POST {CODE}": Row(table=Right.NOTHING),
    # Before a table is open it says no more than the page that waits for one, which everybody gets.
    "GET /health": replace(
        _EVERYWHERE, set_up=Right.NOTHING, shadow=Right.WATCH, while_opening=True
    ),
    "GET /metrics": _EVERYWHERE,
    "GET /ws": _WATCH,
    "GET /ws/picture": _WATCH,
    "GET /ws/seat": _WATCH,
    "GET /ws/stream": _WATCH,
    f"GET {VERSION}/listen": Row(table=Right.WATCH, hall=Right.WATCH),
    f"POST {RENEW}": _HOST,
    f"POST {NETWORK}": _HOST,
}
"""What a program is asked beside its pages; a socket is opened with GET."""
_OF_TABLE: Final = {
    "GET /api/table": _WATCH,
    "GET /api/events": _WATCH,
    # It is read anew, or much of the evening is replayed for it: both take seconds.
    "GET /api/events/{number}/crop": _CORRECT,
    "GET /api/events/{number}/ways": _CORRECT,
    "GET /api/events/{number}/clip": _WATCH,
    "GET /api/events/{number}/pictures": _WATCH,
    "GET /api/agreed": _WATCH,
    "GET /api/fouls": _WATCH,
    "GET /api/games": _WATCH,
    "POST /api/games": _CORRECT,
    "GET /api/hands": _WATCH,
    "GET /api/hands/{first}/story": _WATCH,
    "GET /api/standings": _WATCH,
    "GET /api/replay": _WATCH,
    "GET /api/replay/{step}": _WATCH,
    # What is doubtful is told to whoever may settle it, here as in each view of the table.
    "GET /api/questions": _CORRECT,
    "GET /api/questions/{name}/picture": _CORRECT,
    "GET /api/questions/{name}/tiles": _CORRECT,
    "GET /api/pictures/{number}": _WATCH,
    "GET /api/download/csv": _WATCH,
    "GET /api/download/html": _WATCH,
    "GET /api/download/public": _WATCH,
    # The other files show hidden hands.
    "GET /api/download/{form}": _ADMIN,
    # Whoever may see the pictures may see the clip; the host makes it.
    "GET /api/highlights": _WATCH,
    "GET /api/highlights/film": _WATCH,
    "GET /api/highlights/captions": _WATCH,
    "POST /api/highlights": _ADMIN,
    "DELETE /api/highlights": _ADMIN,
    # Of whose decisions they are, the page decides: a seat's own, or for the admin anybody's.
    "GET /api/drill": _WATCH,
    "GET /api/drill/mistakes": _WATCH,
    "GET /api/drill/review": _WATCH,
    "GET /api/drill/{step}": _WATCH,
    "GET /api/teach/{question}": _WATCH,
    # A seat's own steps go to its key alone, as the page sees to.
    "GET /api/first-hand": _WATCH,
    "POST /api/first-hand": Row(table=Right.AGREE),
    "GET /api/rehearsal": _WATCH,
    "POST /api/rehearsal": _CORRECT,
    "GET /api/learn": _LEARN,
    "GET /api/lessons": _LEARN,
    "POST /api/lessons": Row(Right.ADMIN, Right.TEACH),
    "POST /api/practice": _LEARN,
    # What a player shares, by the key of that seat alone; the teacher's page asks with a body, so
    # that no address and no log holds the word of a device.
    "GET /api/sharing": Row(table=Right.SIT),
    "POST /api/sharing": Row(table=Right.SIT),
    "POST /api/teacher": Row(table=Right.TEACH),
    "POST /api/teacher/report": Row(table=Right.TEACH),
    "GET /api/seats": _ADMIN,
    "GET /api/links": _ADMIN,
    "GET /api/shadow": _IN_SHADOW,
    "POST /api/shadow": Row(table=Right.CORRECT, shadow=Right.CORRECT),
    "GET /api/stream": _WATCH,
    f"POST {AGREED}": Row(table=Right.AGREE),
    f"POST {GUEST}": Row(table=Right.TAKE_SEAT),
    "POST /api/events": _CORRECT,
    "POST /api/events/preview": _CORRECT,
    "POST /api/corrections": _CORRECT,
    "POST /api/corrections/preview": _CORRECT,
    "POST /api/undo": _CORRECT,
    "POST /api/next": _CORRECT,
    "POST /api/redo": _CORRECT,
    "POST /api/fouls": _CORRECT,
    "POST /api/answers": _CORRECT,
    "POST /api/reread": _CORRECT,
    "POST /api/corners": _CORRECT,
}
"""Of a table, for its pages and, once it is open, for other programs under ``VERSION``."""
_OF_SET_UP: Final = {
    "GET /api/setup": _SET_UP,
    "GET /api/setup/cameras/{number}/picture": _SET_UP,
    "GET /api/setup/check": _SET_UP,
    "GET /api/setup/picture": _SET_UP,
    "GET /api/setup/set": _SET_UP,
    "POST /api/setup/corners": _SET_UP,
    "POST /api/setup/mirrored": _SET_UP,
    "POST /api/setup/network": _SET_UP,
    "POST /api/setup/set": _SET_UP,
    "POST /api/setup/set/pictures": _SET_UP,
    "DELETE /api/setup/set/pictures": _SET_UP,
    "POST /api/setup/source": _SET_UP,
    "POST /api/setup/start": _SET_UP,
    "PUT /api/setup/recordings/{name}": _SET_UP,
    "PUT /api/setup/records/{name}": _SET_UP,
}
"""Stays while a table is open, to set up the next game."""
_OF_PHONE: Final = {
    "POST /enter": _PHONE,
    "POST /frame": _PHONE,
}
_OF_HALL: Final = {
    f"GET {VERSION}/watch": _HALL_OF_ALL,
    f"GET {VERSION}/rules": _HALL,
    f"GET {VERSION}/tables": _HALL,
    f"POST {VERSION}/tables": _HALL_ADMIN,
    f"GET {VERSION}/tables/{{name}}": _HALL,
    f"PUT {VERSION}/tables/{{name}}": _HALL_ADMIN,
    f"PUT {VERSION}/tables/{{name}}/league": _HALL_ADMIN,
    f"GET {VERSION}/tables/{{name}}/listen": _HALL,
    f"GET {VERSION}/tables/{{name}}/lines": _HALL_POSTS,
    f"POST {VERSION}/tables/{{name}}/lines": _HALL_POSTS,
    f"POST {VERSION}/tables/{{name}}/condition": _HALL_POSTS,
    f"GET {VERSION}/tables/{{name}}/records": _HALL_ADMIN,
    f"GET {VERSION}/tables/{{name}}/record": _HALL_ADMIN,
    f"GET {VERSION}/keys": _HALL_ADMIN,
    f"POST {VERSION}/keys": _HALL_ADMIN,
    f"DELETE {VERSION}/keys/{{number}}": _HALL_ADMIN,
    f"GET {VERSION}/leagues": _HALL,
    f"POST {VERSION}/leagues": _HALL_ADMIN,
    f"GET {VERSION}/leagues/{{number}}": _HALL,
    f"PUT {VERSION}/leagues/{{number}}": _HALL_ADMIN,
    f"GET {VERSION}/leagues/{{number}}/csv": _HALL,
    f"GET {VERSION}/players": _HALL,
    f"GET {VERSION}/players/csv": _HALL,
    f"GET {VERSION}/players/{{number}}": _HALL,
    f"PUT {VERSION}/players/{{number}}": _HALL_ADMIN,
    f"DELETE {VERSION}/players/{{number}}": _HALL_ADMIN,
    f"POST {VERSION}/players/{{number}}/join": _HALL_ADMIN,
    f"POST {VERSION}/players/{{number}}/part": _HALL_ADMIN,
    f"GET {VERSION}/archive": _HALL_ADMIN,
    f"GET {VERSION}/archive/hands": _HALL_ADMIN,
    f"GET {VERSION}/archive/hands/csv": _HALL_ADMIN,
    f"GET {VERSION}/archive/players": _HALL_ADMIN,
    f"GET {VERSION}/archive/questions": _HALL_ADMIN,
    f"GET {VERSION}/archive/readings/{{number}}/files/{{name:path}}": _HALL_ADMIN,
    f"POST {VERSION}/archive/readings/{{number}}/answers": _HALL_ADMIN,
    f"POST {VERSION}/archive/readings/{{number}}/players": _HALL_ADMIN,
}
ROWS: Final[Mapping[str, Row]] = {
    **ENTRANCE,
    **{row: replace(rights, may_be_kept=True) for row, rights in _KEPT.items()},
    **_OF_ALL,
    **_OF_TABLE,
    **{
        row.replace("/api", VERSION, 1): replace(rights, set_up=None)
        for row, rights in _OF_TABLE.items()
    },
    **_OF_SET_UP,
    **_OF_PHONE,
    **_OF_HALL,
}
"""By method and route; the first row that fits counts."""
PAGES: Final[Mapping[Serves, Mapping[str, str]]] = {
    Serves.SET_UP: {"/setup": "setup/setup.html"},
    Serves.TABLE: {
        "/": "table/index.html",
        "/game": "game/game.html",
        "/drill": "seat/drill.html",
        "/learn": "seat/learn.html",
        "/lessons": "seat/lessons.html",
        "/practice": "seat/practice.html",
        "/teacher": "seat/teacher.html",
        "/seat": "seat/seat.html",
        "/stream": "table/stream.html",
        "/shadow": "table/shadow.html",
    },
    Serves.SHADOW: {"/": "table/shadow.html", "/shadow": "table/shadow.html"},
    Serves.PHONE: {"/camera": "phone/camera.html"},
    Serves.HALL: {
        "/": "hall/hall.html",
        "/watch": "hall/watch.html",
        "/archive": "archive/archive.html",
        "/tables/{name}": "hall/table.html",
        "/leagues": "hall/leagues.html",
        "/leagues/{number}": "hall/league.html",
        "/players": "hall/players.html",
        "/players/{number}": "hall/player.html",
    },
}
"""The file of each page."""


@dataclass(frozen=True)
class Asked:
    """What the table says of one request."""

    right: Right
    """What the sender needs, also to be told that there is nothing."""
    words: Words
    missing: int = 0
    """404 where nothing is there, 405 where only other methods are; 0 where it is served."""
    here_alone: bool = False
    """Whether the network is refused, whatever it brings."""


_UNKNOWN: Final = {
    Serves.SET_UP: Right.ADMIN,
    Serves.TABLE: Right.WATCH,
    Serves.PHONE: Right.NOTHING,
    Serves.HALL: Right.WATCH,
    Serves.SHADOW: Right.WATCH,
}
"""Whoever has this right is told that there is nothing at an address; others are refused."""


def asked_by(serves: Serves, method: str, path: str) -> Asked:
    """The row of a request."""
    method = "GET" if method in _READING else method
    others = False
    for row_method, row in _rows_of(path):
        right = row.right(serves)
        if right is None:
            continue
        if row_method == method:
            setting_up = row.here_alone and serves in (Serves.TABLE, Serves.SHADOW)
            words = OF_SET_UP if setting_up else WORDS[serves]
            return Asked(right, words, here_alone=setting_up or serves is Serves.SET_UP)
        others = True
    missing = 405 if others else 404
    return Asked(_UNKNOWN[serves], WORDS[serves], missing, serves is Serves.SET_UP)


def row_of(method: str, path: str) -> Row:
    """The row of an address, whatever is served; one that grants nothing for an unknown one."""
    method = "GET" if method in _READING else method
    return next((row for row_method, row in _rows_of(path) if row_method == method), Row())


def refusal(asked: Asked, grant: Grant) -> tuple[int, str]:
    """Status and text for a grant that lacks the right."""
    if asked.right in asked.words.bring:
        return 401, asked.words.bring[asked.right]
    return 403, asked.words.too_little[grant.role]


def _rows_of(path: str) -> Iterator[tuple[str, Row]]:
    """Methods and rows of an address; one more slash at its end leads to the same."""
    for method, pattern, row in _compiled():
        if pattern.match(path) or pattern.match(path.removesuffix("/")):
            yield method, row


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str], Row], ...]:
    found = ((row.partition(" "), rights) for row, rights in ROWS.items())
    return tuple((method, compile_path(route)[0], rights) for (method, _, route), rights in found)
