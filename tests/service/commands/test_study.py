"""``serve RECORD``: played games for drills, lessons and replay, without a camera."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.codec import write_record
from engine.errors import Refused
from service.app import create_app
from service.commands import serve as command
from service.evening.open_table import TableRequest, open_table
from service.pages.settings import PageSettings
from service.table.options import Options
from tests.support.paths import GAMES
from tests.support.riichi_sample import ENTRIES
from tests.support.served import Served, serving


def test_several_games_are_drilled_through_and_count_in_no_standings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[TableRequest] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "_serve_one", lambda _, request, *given: asked.append(request))
    settings = Options("riichi")
    first = tmp_path / "friday.jsonl"
    first.write_text(write_record(ENTRIES[:200]))
    assert command.study([first], settings) == 0
    assert command.study([first, GAMES / "wsom.jsonl"], settings) == 0
    counts = [_decisions(request) for request in asked]
    assert 0 < counts[0] < counts[1]
    assert {each.record.parent for each in asked} == {Path("study")}
    assert not any(each.has_next for each in asked)
    assert first.read_text() == write_record(ENTRIES[:200])
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(Refused, match="not in any of the known formats"):
        command.study([tmp_path / "empty.jsonl"], settings)


def _decisions(request: TableRequest) -> int:
    with open_table(request) as shown:
        pages = PageSettings(keys=shown.keys)
        with serving(create_app(shown.table, pages)) as server:
            server.wait_for_end()
            return _asked_of(server, shown.keys.control)


def _asked_of(server: Served, key: str) -> int:
    assert server.get("/api/lessons", key=key).status == 200
    told = json.loads(server.get("/api/drill?seat=0", key=key).text)
    return len(told["decisions"])
