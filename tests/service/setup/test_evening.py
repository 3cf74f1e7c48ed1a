"""An evening outlives its games and a restart: records lie together, phones keep their keys."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.codec import write_record
from engine.events import GameStart
from service.access.keys import keys_file
from service.commands.serve import _record_at
from service.errors import Refused
from service.records import unused
from service.setup.open_table import TableRequest, open_table
from service.setup.session import SetUpDefaults, SetUpSession
from service.setup.wire import RecordingChoice, StartRequest
from service.table.reader import EmptyReader, EmptySource
from tests.support.detectors import Blind
from tests.support.paths import FILM
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.setting_up import Setting, set_up_at

RULES = "riichi-tenhou"
OLD = "game-20200101-200000.jsonl"


def played(record: Path) -> Path:
    record.write_text(write_record(ENTRIES))
    return record


def asked(record: Path) -> TableRequest:
    return TableRequest(EmptySource("none"), EmptyReader, GameStart(RULES), record)


def test_after_a_restart_the_phones_of_this_evening_stay_connected(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with open_table(asked(played(tmp_path / OLD))) as yesterday:
        old = yesterday.keys
    first = played(unused(tmp_path, "game", ".jsonl"))
    with open_table(asked(first)) as table:
        keys = table.keys
        assert keys.control != old.control
        # Another host at the same time, in the same folder, is told so and gets keys of its own.
        assert _record_at(tmp_path) != first
        told = [line for line in capfd.readouterr().err.splitlines() if "another" in line]
        assert len(told) == 1
        assert told[0].startswith(f"another tilesight writes {first}")
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


def begun(setting: Setting, rules: str, key: str = "") -> dict[str, Any]:
    return setting.ask("/api/setup/start", {"rules": rules}, key)


def test_where_the_folder_is_gone_the_camera_stays_until_there_is_one(tmp_path: Path) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    evening = tmp_path / "evening"
    with set_up_at(tmp_path, record=evening / "game.jsonl") as setting:
        recording = {"kind": "recording", "name": "friday.mp4"}
        assert setting.ask("/api/setup/source", recording)["status"] == 200
        setting.check()
        for _ in range(2):
            told = begun(setting, RULES)
            assert (told["status"], told["detail"]) == (
                422,
                f"cannot write {evening / 'game.jsonl'}: No such file or directory",
            )
        evening.mkdir()
        assert begun(setting, RULES)["status"] == 200


def test_a_game_of_other_rules_in_the_middle_stays_in_its_record(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    broken_off = unused(tmp_path, "game", ".jsonl")
    broken_off.write_text(write_record(ENTRIES[:MIDDLE]))
    before = broken_off.read_bytes()
    with set_up_at(tmp_path, record=broken_off) as setting:
        setting.ask("/api/setup/source", {"kind": "recording", "name": "friday.mp4"})
        setting.check()
        assert begun(setting, "harbin-hlr")["status"] == 200
        (request,) = setting.began
        assert request.record != broken_off
        assert request.record.parent == tmp_path
    assert broken_off.read_bytes() == before
    told = [line for line in capfd.readouterr().err.splitlines() if "stays in the middle" in line]
    assert told == [
        f"{broken_off} stays in the middle of a game by {RULES}; this one goes to {request.record}"
    ]
    # A record that somebody named is refused in its place, and is not changed.
    named = tmp_path / "named.jsonl"
    named.write_bytes(before)
    session = SetUpSession(Blind, tmp_path, SetUpDefaults(record=named))
    session.choose(RecordingChoice(kind="recording", name="friday.mp4"))
    until(lambda: session.preview is not None and session.preview.check() is not None)
    with pytest.raises(Refused, match="is in the middle of a game by"):
        session.begin(StartRequest(rules="harbin-hlr"))
    assert session.preview is not None, "the camera is still there"
    session.close()
    assert named.read_bytes() == before


def test_the_same_people_as_last_time_are_offered(tmp_path: Path) -> None:
    played(tmp_path / OLD)
    with set_up_at(tmp_path) as setting:
        last = setting.server.json("/api/setup")["last"]
        assert (last["rules"], last["names"]) == (RULES, ["Anna", "Bo", "Chie", "Dan"])
        told = setting.ask("/api/setup/start", {"rules": RULES, "names": ["Bo", "bo", "", ""]})
        assert told["status"] == 422
        assert "two players are called" in told["detail"]
