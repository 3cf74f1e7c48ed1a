"""Work on the whole record runs in threads: in the event loop everybody would wait for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engine.game import Game
from tests.support.halls import LINES, hall_at
from tests.support.keys import KEYS, with_key
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import served

ASKED = (
    "events",
    "events/3/ways",
    "fouls",
    "hands",
    "standings",
    "replay",
    "replay/3",
    "download/record",
    "drill?seat=0",
    "drill/mistakes?seat=0",
    "drill/review?seat=0",
)
"""Addresses that look at the whole record."""
WORK = (
    "engine.visibility.event_seen",
    "service.evening.game_pages.results_of",
    "service.evening.game_pages.games_json",
    "service.table.view.event_json",
    "service.hall.app.write_record",
    "service.pages.bodies.entry_from_json",
)
"""Functions that are called for each of many lines, beside the engine's own steps."""
Noted = list[str]


@pytest.fixture
def in_loop(monkeypatch: pytest.MonkeyPatch) -> Noted:
    """What of this work was done in an event loop."""
    noted: Noted = []

    def watch(owner: object, name: str) -> None:
        work: Callable[..., Any] = getattr(owner, name)

        def watched(*given: Any, **named: Any) -> Any:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop()
                noted.append(name)
            return work(*given, **named)

        monkeypatch.setattr(owner, name, watched)

    watch(Game, "_play")
    for path in WORK:
        module, _, name = path.rpartition(".")
        watch(import_module(module), name)
    return noted


def test_pages_that_look_at_the_whole_record_hold_nobody_up(in_loop: Noted) -> None:
    with served(table_of(ENTRIES), KEYS, without_key=None) as server:
        for path in ASKED:
            in_loop.clear()
            answer = server.get(f"/api/{path}", key=KEYS.control)
            assert answer.status == 200, answer.text
            assert not in_loop, path


def test_corrections_and_their_previews_are_replayed_aside(in_loop: Noted) -> None:
    lines = len(ENTRIES)
    event = {"event": {"type": "dice", "values": [1, 2]}, "lines": lines}
    first = {"of": 0, "place": 0, "do": "confirm", "lines": lines}
    with served(table_of(ENTRIES), KEYS, without_key=None) as server:
        for path, body in (
            ("events/preview", event),
            ("corrections/preview", first),
            ("corrections", first),
            ("undo", {"lines": lines + 1}),
        ):
            in_loop.clear()
            answer = server.post(f"/api/{path}", body, with_key(KEYS.control))
            assert answer.status == 200, answer.text
            assert "_play" not in in_loop, path


def test_lines_that_come_to_a_hall_are_read_and_replayed_aside(
    in_loop: Noted, tmp_path: Path
) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        in_loop.clear()
        assert json.loads(hall.post("north", LINES).text)["lines"] == len(LINES)
        assert not {"_play", "entry_from_json"} & set(in_loop)
        assert hall.ask("GET", "tables/north/record?record=a.jsonl").status == 200
        assert "write_record" not in in_loop
