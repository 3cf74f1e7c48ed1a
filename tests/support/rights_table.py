"""Who may ask for what at each listener: written down once more, and by hand.

An address that is missing here fails ``test_every_route``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_FILLED: Final = {
    "number": "3",
    "step": "3",
    "first": "1",
    "name": "12-1",
    "question": "hand",
    "form": "nothing",
}


def filled(path: str) -> str:
    """A path with something in place of each name."""
    return re.sub(r"{(\w+).*?}", lambda name: _FILLED[name[1]], path)


Who = frozenset[str]
"""Names of those who ask: ``none`` sends no key, ``wrong`` one that opens nothing."""

NOBODY: Final[Who] = frozenset()
EVERYBODY: Final[Who] = frozenset(
    {"none", "wrong", "viewer", "guest", "teacher", "seat", "scorer", "admin", "phone"}
)
ADMIN: Final[Who] = frozenset({"admin"})
MEND: Final[Who] = ADMIN | {"scorer"}
OWN_DECISIONS: Final[Who] = ADMIN | {"seat"}
WATCH: Final[Who] = MEND | {"seat", "viewer", "guest", "teacher"}
TEACH: Final[Who] = ADMIN | {"teacher"}
PHONE: Final[Who] = frozenset({"phone"})


@dataclass(frozen=True)
class Row:
    """Who may ask for one address of a table, of the set-up or of a phone."""

    table: Who = NOBODY
    """Beyond this machine, while a table is open; here, whoever brings no key is a scorer."""
    set_up: Who = NOBODY
    """At this machine, while none is open."""
    phone: Who = NOBODY
    """At the listener of the phone that films."""
    here_alone: bool = False
    """Whether everybody is refused beyond this machine, whatever they bring."""
    anywhere_before: bool = False
    """Whether it is open beyond this machine, too, while no table is; all others are closed then,
    but for the entrance."""


_ALWAYS: Final = Row(WATCH, EVERYBODY)
_SETTING_UP: Final = Row(ADMIN, EVERYBODY, PHONE, here_alone=True)
SET_UP_ROWS: Final[dict[str, Row]] = {
    "GET /setup": _SETTING_UP,
    "GET /api/setup": _SETTING_UP,
    "GET /api/setup/cameras/{number}/picture": _SETTING_UP,
    "GET /api/setup/check": _SETTING_UP,
    "GET /api/setup/picture": _SETTING_UP,
    "GET /api/setup/set": _SETTING_UP,
    "POST /api/setup/corners": _SETTING_UP,
    "POST /api/setup/mirrored": _SETTING_UP,
    "POST /api/setup/network": _SETTING_UP,
    "POST /api/setup/set": _SETTING_UP,
    "POST /api/setup/set/pictures": _SETTING_UP,
    "DELETE /api/setup/set/pictures": _SETTING_UP,
    "POST /api/setup/source": _SETTING_UP,
    "POST /api/setup/start": _SETTING_UP,
    "PUT /api/setup/recordings/{name}": _SETTING_UP,
    "PUT /api/setup/records/{name}": _SETTING_UP,
}
PHONE_ROWS: Final[dict[str, Row]] = {
    "GET /static/shared/style.css": Row(EVERYBODY, EVERYBODY, EVERYBODY),
    "GET /camera": Row(phone=EVERYBODY),
    "POST /enter": Row(phone=PHONE),
    "POST /frame": Row(phone=PHONE),
}
"""Of a phone that films, and what every page needs to say why nothing is shown."""
ROWS: Final[dict[str, Row]] = {
    "GET /": _ALWAYS,
    "GET /openapi.json": Row(WATCH),
    "GET /metrics": _ALWAYS,
    "GET /health": Row(WATCH, EVERYBODY, anywhere_before=True),
    "GET /tiles.svg": _ALWAYS,
    "GET /static/table/app.js": Row(WATCH, EVERYBODY, EVERYBODY, anywhere_before=True),
    "GET /seat": Row(WATCH),
    "GET /game": Row(WATCH),
    "GET /drill": Row(WATCH),
    "GET /learn": _ALWAYS,
    "GET /lessons": _ALWAYS,
    "GET /practice": _ALWAYS,
    "GET /teacher": _ALWAYS,
    "GET /stream": Row(WATCH),
    "GET /shadow": Row(WATCH),
    "GET /api/table": Row(WATCH),
    "GET /api/events": Row(WATCH),
    "GET /api/events/{number}/ways": Row(MEND),
    "GET /api/events/{number}/clip": Row(WATCH),
    "GET /api/events/{number}/crop": Row(MEND),
    "GET /api/events/{number}/pictures": Row(WATCH),
    "GET /api/agreed": Row(WATCH),
    "GET /api/fouls": Row(WATCH),
    "GET /api/games": Row(WATCH),
    "POST /api/games": Row(MEND),
    "GET /api/hands": Row(WATCH),
    "GET /api/hands/{first}/story": Row(WATCH),
    "GET /api/highlights": Row(WATCH),
    "GET /api/highlights/film": Row(WATCH),
    "GET /api/highlights/captions": Row(WATCH),
    "POST /api/highlights": Row(ADMIN),
    "DELETE /api/highlights": Row(ADMIN),
    "GET /api/standings": Row(WATCH),
    "GET /api/replay": Row(WATCH),
    "GET /api/replay/{step}": Row(WATCH),
    "GET /api/questions": Row(MEND),
    "GET /api/questions/{name}/picture": Row(MEND),
    "GET /api/questions/{name}/tiles": Row(MEND),
    "GET /api/pictures/{number}": Row(WATCH),
    "GET /api/download/csv": Row(WATCH),
    "GET /api/download/public": Row(WATCH),
    "GET /api/download/html": Row(WATCH),
    "GET /api/download/record": Row(ADMIN),
    "GET /api/download/mjai": Row(ADMIN),
    "GET /api/download/tenhou6": Row(ADMIN),
    "GET /api/drill": Row(OWN_DECISIONS),
    "GET /api/drill/mistakes": Row(OWN_DECISIONS),
    "GET /api/drill/review": Row(OWN_DECISIONS),
    "GET /api/drill/{step}": Row(OWN_DECISIONS),
    "GET /api/teach/{question}": Row(OWN_DECISIONS),
    "GET /api/first-hand": Row(WATCH),
    "POST /api/first-hand": Row(MEND | {"seat"}),
    "GET /api/rehearsal": Row(WATCH),
    "POST /api/rehearsal": Row(MEND),
    "GET /api/learn": _ALWAYS,
    "GET /api/lessons": _ALWAYS,
    "POST /api/lessons": Row(TEACH, EVERYBODY),
    "POST /api/practice": _ALWAYS,
    "GET /api/sharing": Row(frozenset({"seat"})),
    "POST /api/sharing": Row(frozenset({"seat"})),
    "POST /api/teacher": Row(TEACH),
    "POST /api/teacher/report": Row(TEACH),
    "GET /api/seats": Row(ADMIN),
    "GET /api/links": Row(ADMIN),
    "GET /api/stream": Row(WATCH),
    "GET /api/shadow": Row(WATCH),
    "POST /api/shadow": Row(MEND),
    "POST /api/enter": Row(WATCH),
    "POST /api/code": Row(EVERYBODY),
    "POST /api/agreed": Row(MEND | {"seat"}),
    "POST /api/guest": Row(ADMIN | {"guest"}),
    "POST /api/keys": Row(ADMIN),
    "POST /api/network": Row(ADMIN),
    "POST /api/events": Row(MEND),
    "POST /api/events/preview": Row(MEND),
    "POST /api/corrections": Row(MEND),
    "POST /api/corrections/preview": Row(MEND),
    "POST /api/undo": Row(MEND),
    "POST /api/next": Row(MEND),
    "POST /api/redo": Row(MEND),
    "POST /api/fouls": Row(MEND),
    "POST /api/answers": Row(MEND),
    "POST /api/reread": Row(MEND),
    "POST /api/corners": Row(MEND),
    "WEBSOCKET /ws": Row(WATCH),
    "WEBSOCKET /ws/picture": Row(WATCH),
    "WEBSOCKET /ws/seat": Row(WATCH),
    "WEBSOCKET /ws/stream": Row(WATCH),
}
"""Of a table, by the address that its own pages use."""

_POSTS: Final[Who] = ADMIN | {"own"}
_LOOKS_ON: Final[Who] = _POSTS | {"viewer", "other"}
_LETS_IN: Final[Who] = _LOOKS_ON | {"public"}
HALL_ROWS: Final[dict[str, Who]] = {
    "GET /": _LOOKS_ON,
    "GET /archive": _LOOKS_ON,
    "GET /health": _LOOKS_ON,
    "GET /leagues": _LOOKS_ON,
    "GET /leagues/{number}": _LOOKS_ON,
    "GET /metrics": _LOOKS_ON,
    "GET /openapi.json": _LOOKS_ON,
    "GET /players": _LOOKS_ON,
    "GET /players/{number}": _LOOKS_ON,
    "GET /static/": _LETS_IN,
    "GET /tables/{name}": _LOOKS_ON,
    "GET /tiles.svg": _LETS_IN,
    "GET /watch": _LETS_IN,
    "POST /api/enter": _LETS_IN,
    "GET /api/v1/keys": ADMIN,
    "POST /api/v1/keys": ADMIN,
    "DELETE /api/v1/keys/{number}": ADMIN,
    "GET /api/v1/leagues": _LOOKS_ON,
    "POST /api/v1/leagues": ADMIN,
    "PUT /api/v1/leagues/{number}": ADMIN,
    "GET /api/v1/leagues/{number}": _LOOKS_ON,
    "GET /api/v1/leagues/{number}/csv": _LOOKS_ON,
    "GET /api/v1/players": _LOOKS_ON,
    "GET /api/v1/players/csv": _LOOKS_ON,
    "GET /api/v1/players/{number}": _LOOKS_ON,
    "PUT /api/v1/players/{number}": ADMIN,
    "DELETE /api/v1/players/{number}": ADMIN,
    "POST /api/v1/players/{number}/join": ADMIN,
    "POST /api/v1/players/{number}/part": ADMIN,
    "GET /api/v1/rules": _LOOKS_ON,
    "GET /api/v1/tables": _LOOKS_ON,
    "POST /api/v1/tables": ADMIN,
    "GET /api/v1/tables/{name}": _LOOKS_ON,
    "PUT /api/v1/tables/{name}": ADMIN,
    "PUT /api/v1/tables/{name}/league": ADMIN,
    "POST /api/v1/tables/{name}/condition": _POSTS,
    "GET /api/v1/tables/{name}/lines": _POSTS,
    "POST /api/v1/tables/{name}/lines": _POSTS,
    "GET /api/v1/tables/{name}/record": ADMIN,
    "GET /api/v1/tables/{name}/records": ADMIN,
    "GET /api/v1/archive": ADMIN,
    "GET /api/v1/archive/hands": ADMIN,
    "GET /api/v1/archive/hands/csv": ADMIN,
    "GET /api/v1/archive/players": ADMIN,
    "GET /api/v1/archive/questions": ADMIN,
    "GET /api/v1/archive/readings/{number}/files/{name:path}": ADMIN,
    "POST /api/v1/archive/readings/{number}/answers": ADMIN,
    "POST /api/v1/archive/readings/{number}/players": ADMIN,
    "WEBSOCKET /api/v1/listen": _LOOKS_ON,
    "WEBSOCKET /api/v1/tables/{name}/listen": _LOOKS_ON,
    "WEBSOCKET /api/v1/watch": _LETS_IN,
}
"""Of a hall and its archive, which is the administrators' alone."""
