"""``serve RECORD``: played games for drills, lessons and replay, without a camera."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.codec import write_record
from engine.errors import Refused
from engine.events import Entry
from engine.game import replay
from service.app import create_app
from service.commands import serve as command
from service.evening.open_table import TableRequest, open_table
from service.evening.studied_games import at_game
from service.machine.records import load_record
from service.pages.settings import PageSettings
from service.table.options import Options
from service.table.record_file import RecordFile
from tests.support.paths import GAMES
from tests.support.riichi_sample import ENTRIES
from tests.support.served import Served, serving

OTHERS = load_record(str(GAMES / "wsom.jsonl"))


def studied(records: list[Path], monkeypatch: pytest.MonkeyPatch) -> TableRequest:
    asked: list[TableRequest] = []
    monkeypatch.setattr(command, "_serve_one", lambda _, request, *given: asked.append(request))
    assert command.study(records, Options("riichi")) == 0
    return asked[0]


def test_a_game_is_drilled_through_and_counts_in_no_standings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = tmp_path / "friday.jsonl"
    first.write_text(write_record(ENTRIES[:200]))
    request = studied([first], monkeypatch)
    assert _decisions(request) > 0
    assert (request.record.parent, request.has_next) == (Path("study"), False)
    assert request.games == (), "there is nothing to choose"
    assert first.read_text() == write_record(ENTRIES[:200])
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(Refused, match="not in any of the known formats"):
        command.study([tmp_path / "empty.jsonl"], Options("riichi"))


def test_each_of_several_games_keeps_its_rules_and_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    evening = tmp_path / "evening.jsonl"
    evening.write_text(write_record([*ENTRIES[:200], *OTHERS]))
    request = studied([GAMES / "hong-kong.jsonl", evening], monkeypatch)
    assert [game.told["rules"] for game in request.games] == ["hong-kong", "riichi-tenhou", "wsom"]
    assert request.record == request.games[0].record
    for number, game in enumerate(request.games):
        shown = at_game(request, number)
        state = replay(load_record(str(shown.record))).state
        assert (shown.start.rules, state.rules) == (game.told["rules"],) * 2
        assert list(state.names) == (game.told["names"] or [""] * 4)
        assert shown.record.parent == Path("study")
    assert request.games[1].of == request.games[2].of


def test_what_was_put_right_in_one_of_several_games_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    evening = tmp_path / "evening.jsonl"
    evening.write_text(write_record([*ENTRIES, *OTHERS]))
    record = RecordFile(studied([evening], monkeypatch).games[1].record)
    lines = len(record.entries)
    record.append(Entry(OTHERS[-1].event))
    record.close()
    again = studied([evening], monkeypatch).games[1].record
    assert again == record.path
    assert len(load_record(str(again))) == lines + 1


def _decisions(request: TableRequest) -> int:
    with open_table(request) as shown:
        pages = PageSettings(keys=shown.keys)
        with serving(create_app(shown.table, pages)) as server:
            server.wait_for_end()
            return _asked_of(server, shown.keys.control)


def _asked_of(server: Served, key: str) -> int:
    assert server.get("/api/lessons", key=key).status == 200
    assert server.get("/api/games", key=key).text == "[]"
    told = json.loads(server.get("/api/drill?seat=0", key=key).text)
    return len(told["decisions"])
