"""Each address with each key, and names that lead elsewhere, asked from the outside."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from service.app import create_app
from service.pages.requests import VERSION
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import Pictures
from service.table.record_file import RecordFile
from service.web.grants import ENTER, HALL, NETWORK, RENEW, TABLE, Rights, Role
from service.web.keys import keys_file
from tests.support.detectors import Blind
from tests.support.halls import hall_at
from tests.support.harbin_game import RECORD
from tests.support.in_process import routes_of
from tests.support.keys import BY_ROLE, KEYS, with_key
from tests.support.live_table import KeptLines, frames
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader

SECRET: Final = "nobody outside may read this"
WATCH = ALL = frozenset(Role) - {Role.PUBLIC}
"""No key of a table opens less than a viewer's."""
MEND = frozenset({Role.SCORER, Role.ADMIN})
OWN_DECISIONS = frozenset({Role.SEAT, Role.ADMIN})
KEEPER = frozenset({Role.ADMIN})

MAY: Final[dict[str, frozenset[Role]]] = {
    "GET /": WATCH,
    "GET /openapi.json": WATCH,
    "GET /metrics": WATCH,
    "GET /health": WATCH,
    "GET /tiles.svg": ALL,
    "GET /static/table/app.js": ALL,
    "GET /seat": WATCH,
    "GET /game": WATCH,
    "GET /drill": WATCH,
    "GET /learn": WATCH,
    "GET /lessons": WATCH,
    "GET /stream": ALL,
    "GET /api/table": WATCH,
    "GET /api/events": WATCH,
    "GET /api/events/{number}/ways": MEND,
    "GET /api/events/{number}/clip": WATCH,
    "GET /api/events/{number}/crop": MEND,
    "GET /api/events/{number}/pictures": WATCH,
    "GET /api/agreed": WATCH,
    "GET /api/fouls": WATCH,
    "GET /api/hands": WATCH,
    "GET /api/standings": WATCH,
    "GET /api/replay": WATCH,
    "GET /api/replay/{step}": WATCH,
    "GET /api/questions": MEND,
    "GET /api/questions/{name}/picture": MEND,
    "GET /api/questions/{name}/tiles": MEND,
    "GET /api/pictures/{number}": WATCH,
    "GET /api/download/csv": WATCH,
    "GET /api/download/public": WATCH,
    "GET /api/download/html": WATCH,
    "GET /api/download/record": KEEPER,
    "GET /api/download/mjai": KEEPER,
    "GET /api/download/tenhou6": KEEPER,
    "GET /api/drill": OWN_DECISIONS,
    "GET /api/drill/mistakes": OWN_DECISIONS,
    "GET /api/drill/review": OWN_DECISIONS,
    "GET /api/drill/{step}": OWN_DECISIONS,
    "GET /api/teach/{question}": OWN_DECISIONS,
    "GET /api/learn": WATCH,
    "GET /api/lessons": WATCH,
    "POST /api/lessons": KEEPER,
    "GET /api/seats": KEEPER,
    "GET /api/links": KEEPER,
    "GET /api/stream": WATCH,
    "POST /api/enter": ALL,
    "POST /api/agreed": MEND | {Role.SEAT},
    "POST /api/guest": KEEPER,
    "POST /api/keys": KEEPER,
    "POST /api/network": KEEPER,
    "POST /api/events": MEND,
    "POST /api/events/preview": MEND,
    "POST /api/corrections": MEND,
    "POST /api/corrections/preview": MEND,
    "POST /api/undo": MEND,
    "POST /api/next": MEND,
    "POST /api/redo": MEND,
    "POST /api/fouls": MEND,
    "POST /api/answers": MEND,
    "POST /api/reread": MEND,
    "POST /api/corners": MEND,
    "WEBSOCKET /ws": WATCH,
    "WEBSOCKET /ws/picture": WATCH,
    "WEBSOCKET /ws/seat": WATCH,
    "WEBSOCKET /ws/stream": ALL,
}
"""Who may ask for what; an address that is missing here fails the first test."""
POSTS = frozenset({"own", "admin"})
HALL_ADMIN = frozenset({"admin"})
HALL_MAY: Final[dict[str, frozenset[str]]] = {
    "GET /api/v1/tables/{name}/lines": POSTS,
    "POST /api/v1/tables/{name}/lines": POSTS,
    "POST /api/v1/tables/{name}/condition": POSTS,
    "GET /api/v1/tables/{name}/records": HALL_ADMIN,
    "GET /api/v1/tables/{name}/record": HALL_ADMIN,
    "GET /api/v1/keys": HALL_ADMIN,
}
"""Of a hall; what else is read is for every watcher, what else is changed for administrators, and
the whole archive is theirs."""
_FILLED: Final = {"number": "3", "step": "3", "name": "12-1", "question": "hand"}
ELSEWHERE: Final = (
    "../secret.txt",
    "..%2fsecret.txt",
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%5csecret.txt",
    "..%252fsecret.txt",
    "%2fetc%2fpasswd",
    "//etc/passwd",
    ".game.jsonl.keys",
    "..%00",
    "%ff%fe",
    "C:%5cWindows",
)


@dataclass(frozen=True)
class Place:
    """A table served to others, and the folder that its record lies in."""

    server: Served
    folder: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    around = tmp_path_factory.mktemp("around")
    (around / "secret.txt").write_text(SECRET)
    folder = around / "games"
    folder.mkdir()
    path = folder / "game.jsonl"
    path.write_text(RECORD)
    keys_file(path).write_text(SECRET)
    record = RecordFile(path)
    pictures = Pictures.kept_in(folder / "game-pictures")
    table = LiveTable(
        ToldReader([]),
        frames(2),
        record,
        TableSettings("harbin-hlr", "game.mp4", before=record.entries, pictures=pictures),
    )
    app = create_app(
        table,
        PageSettings(keys=KEYS, dispute=Dispute(pictures, Blind), records=folder, without_key=None),
    )
    with serving(app) as server:
        yield Place(server, folder)
    record.close()


def asked(server: Served, method: str, path: str, key: str | None = None) -> tuple[int, str]:
    """Status and text of the answer for exactly this path; most clients would tidy it up."""
    connection = http.client.HTTPConnection(server.host, timeout=PATIENCE_S)
    with contextlib.closing(connection):
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", server.host)
        if key is not None:
            connection.putheader("Authorization", f"Bearer {key}")
        body = b"" if method in ("GET", "HEAD") else b"{}"
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")


def opens(server: Served, path: str, key: str | None) -> bool:
    headers = with_key(key)
    try:
        with connect(
            f"ws://{server.host}{path}", additional_headers=headers, open_timeout=PATIENCE_S
        ) as socket:
            socket.send("{}")
            return True
    except InvalidStatus as refused:
        return refused.response.status_code not in (401, 403)


def rows() -> Iterator[tuple[str, str, frozenset[Role]]]:
    """Method, path and whoever may, at our own addresses and at those for others."""
    for row, allowed in MAY.items():
        method, path = row.split()
        path = re.sub(r"{(\w+)}", lambda name: _FILLED[name[1]], path)
        yield method, path, allowed
        if path.startswith("/api/") and path not in (ENTER, RENEW, NETWORK):
            yield method, VERSION + path.removeprefix("/api"), allowed
    yield "WEBSOCKET", f"{VERSION}/listen", MAY["WEBSOCKET /ws"]


def stale(rights: Rights, routes: set[str]) -> set[str]:
    """Rows of a table of rights that are of no address."""
    kept = {row for row in rights.rows if not re.search(r"/static/|/download/|:path", row)}
    ours = kept if rights is HALL else {row for row in kept if VERSION not in row}
    return ours - {row.replace("WEBSOCKET", "GET") for row in routes}


def test_every_address_stands_in_the_table() -> None:
    app = create_app(
        LiveTable(ToldReader([]), frames(0), KeptLines(), TableSettings("harbin-hlr", "game.mp4"))
    )
    found = {row for row in routes_of(app) if VERSION not in row}
    listed = {re.sub(r"/(csv|public|html|record|mjai|tenhou6)$", "/{form}", row) for row in MAY}
    assert found == {"GET /static/" if "/static/" in row else row for row in listed}
    assert stale(TABLE, found) == set()


def test_each_key_of_a_hall_opens_what_it_may_and_nothing_else(tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        admin = hall.hall.keys.make("admin")
        own, other = (
            hall.told("POST", "tables", {"name": name}, admin)["key"] for name in ("north", "south")
        )
        keys = {role: hall.hall.keys.make(role) for role in ("public", "viewer")}
        keys |= {"own": own, "other": other, "admin": admin, "": "wrong"}
        wrong = []
        for row in routes_of(hall.app):
            method, path = row.split()
            if "{number}" in path and method == "DELETE":
                continue  # it would take the administrator's own key away
            usual = frozenset({"viewer", "own", "other", "admin"})
            changes = method not in ("GET", "WEBSOCKET") or "/v1/archive" in path
            open_to = HALL_MAY.get(row, HALL_ADMIN if changes else usual)
            if path in ("/watch", "/api/v1/watch", "/tiles.svg", "/static/"):
                open_to = usual | {"public"}
            for role, key in keys.items():
                asked_at = re.sub(r"{(\w+).*?}", lambda at: {"name": "north"}.get(at[1], "1"), path)
                if method == "WEBSOCKET":
                    may = opens(hall.server, asked_at, key)
                else:
                    may = asked(hall.server, method, asked_at, key)[0] not in (401, 403)
                if path != ENTER and may is not (role in open_to):
                    wrong.append((row, role, may))
        assert wrong == []
        assert stale(HALL, {*routes_of(hall.app)}) == set()


@pytest.mark.parametrize("role", BY_ROLE)
def test_each_key_opens_what_it_may_and_nothing_else(place: Place, role: Role | None) -> None:
    key = BY_ROLE[role]
    wrong, before = [], (place.folder / "game.jsonl").read_text()
    for method, path, allowed in rows():
        if method == "WEBSOCKET":
            may = opens(place.server, path, key)
            told = "opened" if may else "refused"
        else:
            status, told = asked(place.server, method, path, key)
            assert status < 500, (method, path, told)
            may = status not in (401, 403)
            if not may:
                assert "\n" not in json.loads(told)["detail"]
        if may is not (role in allowed):
            wrong.append((method, path, told[:80]))
    assert wrong == []
    assert (place.folder / "game.jsonl").read_text() == before


def test_pages_of_other_sites_are_refused_whatever_key_they_ride_on(place: Place) -> None:
    before = (place.folder / "game.jsonl").read_text()
    foreign = with_key(KEYS.control) | {"Origin": "https://elsewhere.example"}
    for method, path, _ in rows():
        if method == "WEBSOCKET":
            with pytest.raises(InvalidStatus, match="403"):
                connect(f"ws://{place.server.host}{path}", additional_headers=foreign).close()
        elif method == "POST" and path != ENTER:
            assert place.server.post(path, {}, foreign).status == 403, path
    assert (place.folder / "game.jsonl").read_text() == before


@pytest.mark.parametrize("method", ["PUT", "OPTIONS", "PROPFIND"])
def test_other_methods_do_nothing(place: Place, method: str) -> None:
    before = (place.folder / "game.jsonl").read_text()
    for path in sorted({path for kind, path, _ in rows() if kind != "WEBSOCKET"}):
        if path != ENTER:
            assert asked(place.server, method, path)[0] == 401, path
        assert asked(place.server, method, path, KEYS.control)[0] in (404, 405), path
    assert (place.folder / "game.jsonl").read_text() == before


def test_no_name_leads_out_of_a_hall(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(SECRET)
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        paths = hall.server.json("/openapi.json")["paths"]
        starts = {path.split("{")[0] for path in paths if "{" in path} | {"/", "/static/"}
        for start in sorted(starts):
            for name in ELSEWHERE:
                status, told = asked(hall.server, "GET", start + name)
                # The page of a table that is not there is a page, and says so itself.
                assert status < 500, (start, name)
                assert SECRET not in told
                assert "root:" not in told


def test_no_name_leads_out_of_what_is_served(place: Place) -> None:
    before = sorted(place.folder.parent.rglob("*"))
    named = [path for row in MAY for path in [row.split()[1]] if "{" in path or "download" in path]
    starts = {re.sub(r"({\w+}|csv|public|html|record|mjai|tenhou6).*", "", path) for path in named}
    starts |= {"/", "/static/", "/api/v1/download/", "/api/v1/pictures/"}
    for start in sorted(starts):
        for name in ELSEWHERE:
            status, told = asked(place.server, "GET", start + name, KEYS.control)
            assert 400 <= status < 500, (start, name, status)
            assert SECRET not in told
            assert "root:" not in told
    assert sorted(place.folder.parent.rglob("*")) == before
