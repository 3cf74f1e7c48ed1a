"""Each address with each key, and names that lead elsewhere, asked from the outside."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from service.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import Pictures
from service.table.record_file import RecordFile
from service.web import rights
from service.web.grants import Role
from service.web.keys import keys_file
from service.web.rights import CODE, ENTER, NETWORK, RENEW, VERSION, Serves
from tests.support.detectors import Blind
from tests.support.halls import hall_at
from tests.support.harbin_game import RECORD
from tests.support.in_process import routes_of
from tests.support.keys import BY_ROLE, KEYS, with_key
from tests.support.live_table import KeptLines, frames
from tests.support.patience import PATIENCE_S
from tests.support.rights_table import HALL_ROWS, PHONE_ROWS, ROWS, SET_UP_ROWS, WATCH, Who, filled
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader

SECRET: Final = "nobody outside may read this"
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


def mightiest(path: str) -> str:
    """The key that opens an address, if any does: a player alone says what the player shares."""
    return KEYS.seats[2] if path.endswith("/sharing") else KEYS.control


def rows() -> Iterator[tuple[str, str, Who]]:
    """Method, path and whoever may, at our own addresses and at those for others."""
    for row, who in ROWS.items():
        method, path = row.split()
        path = filled(path)
        yield method, path, who.table
        if path.startswith("/api/") and path not in (CODE, ENTER, RENEW, NETWORK):
            yield method, VERSION + path.removeprefix("/api"), who.table
    yield "WEBSOCKET", f"{VERSION}/listen", WATCH


def listed(*serves: Serves) -> set[str]:
    """Rows of the table of rights under which anything is served."""
    return {
        "GET /static/" if "/static/" in row else re.sub(r"/download/\w+$", "/download/{form}", row)
        for row, asks in rights.ROWS.items()
        if any(asks.right(each) for each in serves)
    }


def as_listed(routes: Iterable[str]) -> set[str]:
    """Routes of an application, of which a socket is opened with GET."""
    return {re.sub("^WEBSOCKET", "GET", row) for row in routes}


def test_every_address_stands_in_the_table() -> None:
    app = create_app(
        LiveTable(ToldReader([]), frames(0), KeptLines(), TableSettings("harbin-hlr", "game.mp4"))
    )
    found = {row for row in routes_of(app) if VERSION not in row}
    known = {re.sub(r"/(csv|public|html|record|mjai|tenhou6)$", "/{form}", row) for row in ROWS}
    of_phone = {row for row in PHONE_ROWS if "/static/" not in row}
    assert found - of_phone == {"GET /static/" if "/static/" in row else row for row in known}
    served = listed(Serves.TABLE, Serves.PHONE) - as_listed(SET_UP_ROWS)
    assert as_listed(routes_of(app)) == served


@pytest.mark.parametrize("without_key", [None, Role.ADMIN])
def test_each_key_of_a_hall_opens_what_it_may_and_nothing_else(
    tmp_path: Path, without_key: Role | None
) -> None:
    """Beyond this machine, and at it, where nobody needs a key."""
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=without_key) as hall:
        assert {*routes_of(hall.app)} == {*HALL_ROWS}
        assert as_listed(HALL_ROWS) == listed(Serves.HALL)
        admin = hall.hall.keys.make("admin")
        own, other = (
            hall.told("POST", "tables", {"name": name}, admin)["key"] for name in ("12-1", "south")
        )
        keys = {role: hall.hall.keys.make(role) for role in ("public", "viewer")}
        keys |= {"own": own, "other": other, "admin": admin, "wrong": "wrong"}
        wrong = []
        for row, allowed in HALL_ROWS.items():
            method, path = row.split()
            path = filled(path).replace("/3", "/99")  # the administrator's own key is the first
            for role, key in {**keys, "none": None}.items():
                if method == "WEBSOCKET":
                    may = opens(hall.server, path, key)
                else:
                    may = asked(hall.server, method, path, key)[0] not in (401, 403)
                here = role == "none" and without_key is Role.ADMIN and path != ENTER
                if may is not (("admin" if here else role) in allowed):
                    wrong.append((row, role, may))
        assert wrong == []


ASKERS: Final = {
    **{"none" if role is None else role.name.lower(): key for role, key in BY_ROLE.items()},
    "guest": KEYS.guest,
    "teacher": KEYS.teacher,
}


@pytest.mark.parametrize("who", ASKERS)
def test_each_key_opens_what_it_may_and_nothing_else(place: Place, who: str) -> None:
    key = ASKERS[who]
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
        if may is not (who in allowed):
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
            key = with_key(mightiest(path))
            assert place.server.post(path, {}, foreign | key).status == 403, path
    assert (place.folder / "game.jsonl").read_text() == before


@pytest.mark.parametrize("method", ["PUT", "OPTIONS", "PROPFIND"])
def test_other_methods_do_nothing(place: Place, method: str) -> None:
    before = (place.folder / "game.jsonl").read_text()
    for path in sorted({path for kind, path, _ in rows() if kind != "WEBSOCKET"}):
        if path != ENTER:
            assert asked(place.server, method, path)[0] == 401, path
        assert asked(place.server, method, path, mightiest(path))[0] in (404, 405), path
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
    named = [path for row in ROWS for path in [row.split()[1]] if "{" in path or "download" in path]
    starts = {re.sub(r"({\w+}|csv|public|html|record|mjai|tenhou6).*", "", path) for path in named}
    starts |= {"/", "/static/", "/api/v1/download/", "/api/v1/pictures/"}
    for start in sorted(starts):
        for name in ELSEWHERE:
            status, told = asked(place.server, "GET", start + name, KEYS.control)
            assert 400 <= status < 500, (start, name, status)
            assert SECRET not in told
            assert "root:" not in told
    assert sorted(place.folder.parent.rglob("*")) == before
