"""Each address at each listener of one program with each key, before a table is open and after."""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

import cv2
import pytest

from engine.errors import Refused
from service.evening.wire import OtherChoice
from service.web.keys import TableKeys, keys_file
from service.web.rights import CODE, ENTER, NETWORK, RENEW, VERSION
from tests.support.keys import with_key
from tests.support.paths import FILM
from tests.support.patience import PATIENCE_S
from tests.support.phones import UNTRUSTED
from tests.support.rights_table import (
    EVERYBODY,
    NOBODY,
    PHONE_ROWS,
    ROWS,
    SET_UP_ROWS,
    Row,
    filled,
)
from tests.support.setting_up import Setting, outside_door, set_up_at
from vision.camera.video_file import VideoFile
from vision.detect import Detector

Listener = Literal["here", "network", "phone"]


@dataclass(frozen=True)
class Evening:
    """One program with all its listeners."""

    setting: Setting
    at: dict[Listener, str]
    """Their addresses without a path."""
    phone_key: str


def no_detector(_: Path | None) -> Detector:
    """Loading one takes seconds, and no right depends on what it reads."""
    raise Refused("no detector is needed here")


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    door = outside_door(monkeypatch)
    with set_up_at(tmp_path, load_fitted=no_detector, door=door, on_phone=True) as setting:
        assert setting.ask("/api/setup/network", {"serve": True})["status"] == 200
        setting.set_up.choose(OtherChoice(kind="phone"))
        phone = setting.set_up.phone
        assert phone is not None
        assert door.base is not None
        at: dict[Listener, str] = {
            "here": setting.server.url,
            "network": door.base,
            "phone": phone.address.split("/camera")[0],
        }
        frame = next(VideoFile(FILM).frames())
        jpeg = cv2.imencode(".jpg", frame.image_bgr)[1].tobytes()
        assert asked(at["phone"], "POST", "/frame", phone.camera.key, jpeg)[0] == 200
        yield Evening(setting, at, phone.camera.key)
        while _connections:
            _connections.popitem()[1].close()


def started(evening: Evening) -> TableKeys:
    """Begin a game with the phone as its camera, and return the table's keys."""
    evening.setting.check()
    begun = evening.setting.ask("/api/setup/start", {"rules": "harbin-hlr"})
    assert begun["status"] == 200
    keys = TableKeys.read_from(keys_file(evening.setting.began[-1].record))
    assert keys is not None
    return keys


_connections: Final[dict[str, http.client.HTTPConnection]] = {}


def asked(
    base: str, method: str, path: str, key: str | None, body: bytes = b"{}"
) -> tuple[int, str]:
    """Status and text; a connection is used again, because a handshake takes longer."""
    kind = {"Content-Type": "application/json"} | with_key(key)
    for connection in (_connections.get(base), _connected(base)):
        if connection is None:
            continue
        try:
            connection.request(method, path, None if method == "GET" else body, kind)
            answer = connection.getresponse()
            told = answer.read().decode("utf-8", "replace")
        except (http.client.HTTPException, OSError):  # closed meanwhile
            connection.close()
            continue
        if _connections.get(base) is not connection:
            _connections[base] = connection
        return answer.status, told
    raise AssertionError(f"{base} does not answer {method} {path}")


def _connected(base: str) -> http.client.HTTPConnection:
    where = urlsplit(base).netloc
    if base.startswith("https:"):
        return http.client.HTTPSConnection(where, timeout=PATIENCE_S, context=UNTRUSTED)
    return http.client.HTTPConnection(where, timeout=PATIENCE_S)


UPGRADE: Final = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def opens_socket(base: str, path: str, key: str | None) -> bool:
    """Asked in one thread: websockets' client reads in another while it writes, and over TLS one of
    some hundred handshakes was then not answered."""
    with contextlib.closing(_connected(base)) as connection:
        connection.request("GET", path, headers=UPGRADE | with_key(key))
        return connection.getresponse().status == 101


def is_open(base: str, method: str, path: str, key: str | None) -> bool:
    """Whether a request meets anything: others are refused, or there is nothing."""
    if method == "WEBSOCKET":
        return opens_socket(base, path, key)
    status, told = asked(base, method, path, key)
    assert status < 500, (method, path, told)
    missing = status == 404 and json.loads(told) == {"detail": "Not Found"}
    return status not in (401, 403, 405) and not missing


def may(row: str, rights: Row, who: str, listener: Listener, *, set_up: bool) -> bool:
    """What the written table says of a request."""
    if listener == "phone":
        return who in rights.phone
    if rights.table == EVERYBODY and (not set_up or rights.set_up == EVERYBODY):
        return True
    if set_up:
        return (listener == "here" or rights.anywhere_before) and who in rights.set_up
    if rights.here_alone:
        return listener == "here" and who in rights.table
    as_whom = "scorer" if (who, listener) == ("none", "here") and row != f"POST {ENTER}" else who
    return as_whom in rights.table


def addresses() -> Iterator[tuple[str, str, str, Row]]:
    """Row, method and path of each, with what is written of it."""
    for row, rights in (ROWS | SET_UP_ROWS | PHONE_ROWS).items():
        method, path = row.split()
        path = filled(path)
        yield row, method, path, rights
        if row in ROWS and path.startswith("/api/") and path not in (CODE, ENTER, RENEW, NETWORK):
            yield row, method, VERSION + path.removeprefix("/api"), replace(rights, set_up=NOBODY)


def wrong_answers(
    evening: Evening, keys: dict[str, str | None], *, set_up: bool
) -> list[tuple[str, ...]]:
    wrong: list[tuple[str, ...]] = []
    for row, method, path, rights in addresses():
        for listener, base in evening.at.items():
            for who, key in keys.items():
                found = is_open(base, method, path, key)
                if found is not may(row, rights, who, listener, set_up=set_up):
                    wrong.append((method, path, listener, who, "open" if found else "closed"))
    return wrong


def test_every_listener_opens_what_is_written_and_nothing_else(evening: Evening) -> None:
    phone = evening.phone_key
    keys = {"none": None, "wrong": "wrong", "phone": phone}
    assert wrong_answers(evening, keys, set_up=True) == []
    own = started(evening)
    keys |= {
        "viewer": own.viewer,
        "guest": own.guest,
        "teacher": own.teacher,
        "seat": own.seats[2],
        "scorer": own.scorer,
        "admin": own.control,
    }
    assert wrong_answers(evening, keys, set_up=False) == []
