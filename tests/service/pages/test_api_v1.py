"""The interface for other programs is as it is described, seen from the outside."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from service.app import create_app
from service.pages.settings import PageSettings
from service.web.keys import TableKeys
from tests.support import wire_types
from tests.support.documentation import read
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, serving

DOCS = read("docs/api.md")
KEYS = TableKeys.new()


@pytest.fixture
def server() -> Iterator[Served]:
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
        server.wait_for_end()
        yield server


@pytest.fixture(scope="module")
def kept() -> Iterator[Served]:
    """For who only reads."""
    with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
        server.wait_for_end()
        yield server


def test_the_types_for_the_pages_are_those_of_answers_and_messages() -> None:
    assert wire_types.FILE.read_text("utf-8") == wire_types.declarations()


def post(server: Served, path: str, body: dict[str, object]) -> tuple[int, int, int | None]:
    """Number of the first line written, of all lines, and of the line corrected."""
    answer = server.post(f"/api/v1/{path}", body)
    assert answer.status == 200, answer.text
    told: dict[str, Any] = json.loads(answer.text)
    return told["number"], told["lines"], told["corrected"]


def test_every_address_for_others_is_described_by_types_and_no_other(kept: Served) -> None:
    paths = kept.json("/openapi.json")["paths"]
    assert all(path.startswith("/api/v1/") or path == "/health" for path in paths)
    for path, methods in paths.items():
        for method, told in methods.items():
            assert told["description"], path
            contents = [told["responses"]["200"]["content"]]
            contents += [told["requestBody"]["content"]] if method == "post" else []
            assert all(kind["schema"] for content in contents for kind in content.values()), path
            if path != "/health":
                assert told["security"] == [{"key": []}]
                assert {"200", "401", "403"} <= told["responses"].keys()
    for line in re.findall(r"(GET|POST) (/api/v1/[a-z]+)(?![a-z/])", DOCS):
        assert line[0].lower() in paths[line[1]]


@pytest.mark.parametrize("path", ["table", "events/12/ways", "hands", "replay/3", "drill?seat=0"])
def test_the_addresses_that_stay_answer_as_those_of_the_pages(kept: Served, path: str) -> None:
    answers = [kept.get(f"/api/{of}{path}", key=KEYS.control) for of in ("", "v1/")]
    assert answers[0].status == 200
    assert answers[0].text == answers[1].text


def test_events_are_those_of_the_public_record(kept: Served) -> None:
    answers = [kept.get("/api/v1/events", key=key).text for key in ("", *KEYS.seats, KEYS.control)]
    assert len(set(answers)) == 1
    told = [one["event"] for one in json.loads(answers[0])["events"]]
    lines = [json.loads(line) for line in kept.get("/api/v1/download/public").text.splitlines()]
    assert [line | event for line, event in zip(lines, told, strict=True)] == lines
    assert all(event["type"] == line["type"] for line, event in zip(lines, told, strict=True))
    assert {"draw", "discard", "win"} <= {event["type"] for event in told}


def test_the_next_game_is_begun_and_undone_with_one_request(server: Served) -> None:
    drawn = {"type": "drawn_hand", "reason": "exhausted"}
    assert server.post("/api/v1/next", {"lines": len(ENTRIES)}).status == 422
    server.post("/api/v1/events", {"event": drawn, "lines": len(ENTRIES)})
    before = server.json("/api/v1/table")["names"]
    names = ["Anna", "Bo", "Chen", "Eve"]
    assert post(server, "next", {"lines": 14, "names": names}) == (14, 16, None)
    assert server.json("/api/v1/table")["names"] == names
    assert server.post("/api/v1/next", {"lines": 16}).status == 422
    assert server.post("/api/v1/undo", {"lines": 16}).status == 200
    assert server.json("/api/v1/table")["names"] == before


@pytest.mark.parametrize(
    ("open_to_all", "key"), [(True, ""), (False, KEYS.scorer)], ids=["open", "with a key"]
)
def test_the_client_of_the_documentation_does_what_it_says(open_to_all: bool, key: str) -> None:
    (program,) = re.findall(r"```python\n(.+?)```", DOCS, re.DOTALL)
    table = table_of_a_game()
    app = (
        create_app(table, PageSettings(keys=KEYS))
        if open_to_all
        else create_app(table, PageSettings(keys=KEYS, without_key=None))
    )
    with serving(app) as server:
        command = [sys.executable, "-W", "error", "-c", program, server.host, key]
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "13 {'type': 'dice', 'values': [3, 4]} []\n"
