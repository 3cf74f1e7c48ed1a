"""Beyond this machine nothing is seen or changed without a key, seen from the outside."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi import Request, Response
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from service.app import create_app
from service.pages.settings import PageSettings
from service.phone.server import reached_at
from service.web.gate import keep_key
from service.web.grants import is_local
from tests.support.harbin_game import ENTRIES
from tests.support.keys import KEYS, with_key
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.program import running
from tests.support.served import Answer, Served, served, serving

EVERYWHERE = ["/", "/seat", "/game", "/drill", "/health", "/api/table", "/api/events", "/api/hands"]


@pytest.fixture
def server() -> Iterator[Served]:
    """As it is served beyond this machine."""
    with served(table_of_a_game(), KEYS, without_key=None) as server:
        yield server


def listened(server: Served, path: str, headers: Mapping[str, str]) -> str:
    address = f"ws://{server.host}{path}"
    with connect(address, additional_headers=headers, open_timeout=PATIENCE_S) as socket:
        return str(socket.recv(PATIENCE_S))


def detail(answer: Answer) -> str:
    told: str = json.loads(answer.text)["detail"]
    assert "\n" not in told
    return told


def test_nothing_is_told_without_a_key(server: Served) -> None:
    for path in (*EVERYWHERE, "/static/table/app.js", "/tiles.svg", "/no/such/page"):
        for key, says in ((None, "scan its code"), ("wrong", "opens nothing any more")):
            answer = server.get(path, key=key)
            assert (answer.status, says in detail(answer)) == (401, True), path


def test_keys_for_watching_and_mending_are_given_out_where_they_are_needed(server: Served) -> None:
    links = json.loads(server.get("/api/links", key=KEYS.control).text)
    assert [(role, link["address"].split("#")[1]) for role, link in links.items()] == [
        ("viewer", KEYS.viewer),
        ("scorer", KEYS.scorer),
        ("guest", KEYS.guest),
        ("teacher", KEYS.teacher),
    ]
    assert all(link["qr"].startswith("<svg") for link in links.values())


def cookie_for(scheme: str, **headers: str) -> str:
    """The cookie that keeps a key after a request with such headers."""
    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "scheme": scheme, "server": ("192.0.2.5", 8100), "path": "/"}
    response = Response()
    keep_key(response, Request({**scope, "query_string": b"", "headers": given}), "a-key")
    return response.headers["set-cookie"]


def test_a_key_that_came_over_https_is_sent_over_nothing_else() -> None:
    assert "Secure" not in cookie_for("http")
    assert "Secure" in cookie_for("https")
    assert "Secure" in cookie_for("http", **{"x-forwarded-proto": "https"})


def test_servers_of_one_name_keep_their_keys_apart() -> None:
    """Also where both listen at the same port and are reached at two."""
    ports = [
        cookie_for("http", host=f"table.example{port}")[:14] for port in (":9000", ":9001", "")
    ]
    assert ports == ["tilesight-9000", "tilesight-9001", "tilesight-8100"]


def test_a_key_is_exchanged_for_a_cookie_that_opens_sockets_too(server: Served) -> None:
    request = urllib.request.Request(
        f"{server.url}/api/enter", data=b"", headers=with_key(KEYS.viewer)
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
        given = response.headers["Set-Cookie"]
        assert json.loads(response.read()) == {"role": "viewer"}
    assert {"HttpOnly", "SameSite=strict"} <= set(given.split("; "))
    cookie = {"Cookie": given.split(";")[0]}
    assert json.loads(listened(server, "/ws", cookie))["type"] == "table"
    with pytest.raises(InvalidStatus, match="403"):
        listened(server, "/ws", {**cookie, "Origin": "https://elsewhere.example"})
    for headers in ({}, with_key("wrong")):
        assert server.post("/api/enter", b"", headers).status == 401


def test_the_page_of_a_seat_takes_no_right_away(server: Served) -> None:
    """A browser that scores the table may open a seat's page, too."""
    for kept, taken in ((KEYS.viewer, True), (KEYS.control, False)):
        cookie = {"Cookie": f"tilesight-{server.host.rpartition(':')[2]}={kept}"}
        request = urllib.request.Request(
            f"{server.url}/api/enter", data=b"", headers=with_key(KEYS.seats[0]) | cookie
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
            assert (response.headers["Set-Cookie"] is not None) is taken


def test_this_machine_needs_no_key_but_what_a_proxy_passes_on_does() -> None:
    body = {"event": {"type": "dice", "values": [1, 2]}, "lines": len(ENTRIES)}
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as at_home:
        answers = {path: at_home.get(path) for path in EVERYWHERE}
        assert {answer.status for answer in answers.values()} == {200}
        kept = {path: answer.headers["cache-control"] for path, answer in answers.items()}
        game = {path for path, how in kept.items() if how == "no-store"}
        assert game == {"/health", "/api/table", "/api/events", "/api/hands"}
        for name in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
            assert at_home.post("/api/events", body, {name: "for=127.0.0.1"}).status == 401
        named = {"Via": "1.1 a", "Host": "table.example", **with_key(KEYS.scorer)}
        assert at_home.post("/api/events", body, named).status == 200
        body["lines"] = len(ENTRIES) + 1
        assert at_home.post("/api/events", body).status == 200
        assert at_home.get("/api/seats").status == 401
        assert at_home.get("/api/table", key="wrong").status == 401


def test_the_program_gives_out_addresses_and_refuses_who_has_none(tmp_path: Path) -> None:
    name = reached_at("0.0.0.0")
    video = tmp_path / "table.mp4"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), 25, (160, 90))
    for _ in range(10):
        writer.write(np.zeros((90, 160, 3), np.uint8))
    writer.release()
    arguments = ["serve", str(video), "--host", "0.0.0.0"]
    arguments += ["--port", "0", "--json-log"]
    with running(*arguments, "--record", str(tmp_path / "game.jsonl")) as program:
        told = ""
        while "for you alone" not in told:
            told += program.line()
        keys = dict(re.findall(r"(to watch|to put the record right|alone): \S+#(\S+)", told))
        port = re.findall(r":(\d+)/", told)[0]
        for host in (f"127.0.0.1:{port}", f"{name}:{port}"):
            client = Served(host)
            while True:
                try:
                    status = client.get("/api/table").status
                    break
                except urllib.error.URLError:
                    continue
            assert status == 401
            assert client.get("/api/table", key=keys["to watch"]).status == 200
            assert client.get("/api/seats", key=keys["to put the record right"]).status == 401
            assert client.get("/api/seats", key=keys["alone"]).status == 200
        program.stop()
        said = program.stdout.read()
        logged = program.stderr.read()
        assert not any(key in said + logged for key in keys.values())
    requests = [line for line in map(json.loads, logged.splitlines()) if line["kind"] == "request"]
    assert ("/api/table", 401, None) in {
        (line["path"], line["status"], line["role"]) for line in requests
    }
    assert "admin" in {line["role"] for line in requests}
    assert program.process.returncode == 0


@pytest.mark.parametrize(
    ("client", "host", "local"),
    [
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("::1", "[::1]:8000", True),
        ("127.0.0.1", "0.0.0.0:8000", True),
        ("127.0.0.1", "elsewhere.example:8000", False),  # a foreign page's name for this machine
        ("127.0.0.1", "", False),
        ("127.0.0.1", "127.0.0.1:80:80", False),
        ("127.0.0.1", "[::1", False),
        ("127.0.0.1", "local\thost", False),
        ("192.0.2.7", "localhost:8000", False),
        ("192.0.2.7", "192.0.2.2:8000", False),
    ],
)
def test_a_table_is_set_up_at_this_machine_by_its_own_name(
    client: str, host: str, local: bool
) -> None:
    headers = [(b"host", host.encode())]
    scope = {
        "type": "http",
        "client": (client, 5),
        "headers": headers,
        "path": "/",
        "scheme": "http",
    }
    assert is_local(Request(scope)) is local
