"""The interface for other programs is as it is described, seen from the outside."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from service.access.keys import TableKeys
from service.pages.api_v1 import EXAMPLES
from service.pages.app import create_app
from service.pages.settings import PageSettings
from tests.support.documentation import read
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.served import Answer, Served, serving

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


def as_shown(answer: Answer, example: object) -> dict[str, Any]:
    assert answer.status == 200, answer.text
    told: dict[str, Any] = json.loads(answer.text)
    assert isinstance(example, dict)
    assert told.keys() == example.keys()
    for name in ("number", "lines", "corrected"):
        assert told.get(name) == example.get(name)
    return told


def post(server: Served, path: str) -> dict[str, Any]:
    example = EXAMPLES["POST", path]
    return as_shown(server.post(f"/api/v1/{path}", example.asked), example.answer)


def test_every_address_for_others_is_described_and_no_other(kept: Served) -> None:
    paths = kept.json("/openapi.json")["paths"]
    assert all(path.startswith("/api/v1/") or path == "/health" for path in paths)
    assert {f"/api/v1/{path}" for _, path in EXAMPLES} <= paths.keys()
    for path, methods in paths.items():
        for method, told in methods.items():
            assert told["description"], path
            if method == "post":
                body = told.get("requestBody", {}).get("content", {})
                assert "example" in body.get("application/json", {}), path
            if path != "/health":
                assert told["security"] == [{"key": []}]
                assert {"200", "401", "403"} <= told["responses"].keys()
    for line in re.findall(r"(GET|POST) (/api/v1/[a-z]+)(?![a-z/])", DOCS):
        assert line[0].lower() in paths[line[1]]


@pytest.mark.parametrize("path", [path for method, path in EXAMPLES if method == "GET"])
def test_an_answer_has_the_form_of_its_example(kept: Served, path: str) -> None:
    example = EXAMPLES["GET", path].answer
    asked = path.replace("{number}", "12").replace("{step}", "3")
    told = as_shown(kept.get(f"/api/v1/{asked}", key=KEYS.control), example)
    assert told == json.loads(kept.get(f"/api/{asked}", key=KEYS.control).text)
    for name, rows in example.items():
        if isinstance(rows, list) and told[name]:
            first = rows[0] if rows else None
            assert not isinstance(first, dict) or told[name][0].keys() == first.keys()


def test_events_are_those_of_the_public_record(kept: Served) -> None:
    answers = [kept.get("/api/v1/events", key=key).text for key in ("", *KEYS.seats, KEYS.control)]
    assert len(set(answers)) == 1
    told = [one["event"] for one in json.loads(answers[0])["events"]]
    lines = [json.loads(line) for line in kept.get("/api/v1/download/public").text.splitlines()]
    assert [line | event for line, event in zip(lines, told, strict=True)] == lines
    assert all(event["type"] == line["type"] for line, event in zip(lines, told, strict=True))
    assert {"draw", "discard", "win"} <= {event["type"] for event in told}


def test_every_answer_that_is_an_object_has_an_example(kept: Served) -> None:
    without = {
        path.removeprefix("/api/v1/")
        for path, methods in kept.json("/openapi.json")["paths"].items()
        if "get" in methods and "example" not in str(methods["get"]["responses"]["200"])
    }
    lists_and_files = {"seats", "links", "download/{form}", "pictures/{number}"}
    lists_and_files |= {"events/{number}/crop", "events/{number}/clip", "drill/mistakes"}
    lists_and_files |= {
        "questions/{name}/picture",
        "questions/{name}/tiles",
        "drill",
        "drill/{step}",
        "/health",
    }
    assert without == lists_and_files


def test_an_event_is_added_and_a_foul_confirmed_by_example() -> None:
    foul = {"type": "foul", "seat": 1, "offence": "exposed_tile", "tiles": ["1m"]}
    for path, before in (("events", None), ("fouls", foul)):
        with serving(create_app(table_of_a_game(), PageSettings(keys=KEYS))) as server:
            if before is not None:
                server.post("/api/v1/events", {"event": before, "lines": len(ENTRIES)})
            post(server, path)


def test_an_event_is_corrected_and_that_is_undone_and_redone_by_example(server: Served) -> None:
    for path in ("corrections", "undo", "redo"):
        post(server, path)


def test_the_next_game_is_begun_by_example_and_undone_with_one_request(server: Served) -> None:
    drawn = {"type": "drawn_hand", "reason": "exhausted"}
    assert server.post("/api/v1/next", {"lines": len(ENTRIES)}).status == 422
    server.post("/api/v1/events", {"event": drawn, "lines": len(ENTRIES)})
    before = server.json("/api/v1/table")["names"]
    post(server, "next")
    assert server.json("/api/v1/table")["names"] == ["Anna", "Bo", "Chen", "Eve"]
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
