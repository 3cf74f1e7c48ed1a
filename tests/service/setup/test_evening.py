"""An evening outlives its games and a restart: records lie together, phones keep their keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.codec import write_record
from engine.events import GameStart
from service.access.keys import keys_file
from service.commands.serve import _record_at
from service.records import unused
from service.setup.open_table import TableRequest, open_table
from service.table.reader import EmptyReader, EmptySource
from tests.support.riichi_sample import ENTRIES
from tests.support.setting_up import set_up_at

RULES = "riichi-tenhou"
OLD = "game-20200101-200000.jsonl"


def played(record: Path) -> Path:
    record.write_text(write_record(ENTRIES))
    return record


def asked(record: Path) -> TableRequest:
    return TableRequest(EmptySource("none"), EmptyReader, GameStart(RULES), record)


def test_after_a_restart_the_phones_of_this_evening_stay_connected(tmp_path: Path) -> None:
    with open_table(asked(played(tmp_path / OLD))) as yesterday:
        old = yesterday.keys
    first = played(unused(tmp_path, "game", ".jsonl"))
    with open_table(asked(first)) as table:
        keys = table.keys
        assert keys.control != old.control
        # Another host at the same time, in the same folder, gets keys of its own.
        with open_table(asked(played(unused(tmp_path, "game", ".jsonl")))) as other:
            assert other.keys.control != keys.control
        keys_file(other.record.path).unlink()
        other.record.path.unlink()
    with open_table(asked(played(unused(tmp_path, "game", ".jsonl")))) as table:
        assert (table.keys.control, table.keys.seats) == (keys.control, keys.seats)
    with open_table(asked(played(tmp_path / "north.jsonl"))) as table:
        assert table.keys.control != keys.control


def test_a_folder_goes_on_with_the_record_of_this_evening(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "friday"
    new = _record_at(folder)
    assert (new.parent, new.exists()) == (folder, False)
    (told,) = capfd.readouterr().out.splitlines()
    assert told.startswith(f"{folder} is a new folder")
    played(folder / OLD)
    assert _record_at(folder) != folder / OLD
    assert _record_at(folder) == _record_at(played(new).parent) == new
    assert _record_at(tmp_path / "one.jsonl") == tmp_path / "one.jsonl"
    assert capfd.readouterr().out == ""


def test_the_same_people_as_last_time_are_offered(tmp_path: Path) -> None:
    played(tmp_path / OLD)
    with set_up_at(tmp_path) as setting:
        last = setting.server.json("/api/setup")["last"]
        assert (last["rules"], last["names"]) == (RULES, ["Anna", "Bo", "Chie", "Dan"])
        told = setting.ask("/api/setup/start", {"rules": RULES, "names": ["Bo", "bo", "", ""]})
        assert told["status"] == 422
        assert "two players are called" in told["detail"]
