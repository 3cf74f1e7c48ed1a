"""What of an evening outlives its games and a restart."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.codec import write_record
from engine.errors import Refused
from engine.events import Entry, GameEnd, GameStart, HandStart
from engine.game import replay
from service.commands.serve import record_at
from service.evening.open_table import TableRequest, open_table
from service.evening.session import SetUpSession
from service.evening.wire import RecordingChoice, StartRequest
from service.machine.records import unused
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from service.web.keys import keys_file
from tests.support.detectors import Blind
from tests.support.paths import FILM
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.setting_up import Setting, key_in, set_up_at

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
        assert record_at(tmp_path) != first
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


def test_what_was_played_this_evening_is_shown(tmp_path: Path) -> None:
    played(tmp_path / OLD)
    with set_up_at(tmp_path) as setting:
        assert setting.server.json("/api/setup")["evening"] is None
        record = played(unused(tmp_path, "game", ".jsonl"))
        names = ["Anna", "Bo", "Chie", "Dan"]
        by_rules = json.loads(json.dumps(dict(replay(ENTRIES).state.options)))
        who = {"rules": RULES, "options": by_rules, "names": names}
        game = {**who, "hands": 12, "over": True}
        evening = {"record": record.name, "games": [game]}
        assert setting.server.json("/api/setup")["evening"] == evening
        # A hand that broke off is none, and only the last game goes on.
        begun = ENTRIES[:MIDDLE]
        broken_off, open_still = (
            {**who, "hands": 0, "over": True},
            {**who, "hands": 0, "over": False},
        )
        for lines, games in (
            (begun, [open_still]),
            ([*begun, Entry(GameEnd())], [broken_off]),
            ([*begun, *begun], [broken_off, open_still]),
        ):
            record.write_text(write_record(lines))
            assert setting.server.json("/api/setup")["evening"]["games"] == games


def tried_out(folder: Path, record: Path | None = None) -> SetUpSession:
    """A program that was started anew, with the table in the picture."""
    session = SetUpSession(Blind, folder, Options(record=record))
    session.choose(RecordingChoice(kind="recording", name="friday.mp4"))
    until(lambda: session.preview is not None and session.preview.check() is not None)
    return session


def test_whoever_goes_on_with_the_evening_adds_to_its_record(tmp_path: Path) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    yesterday = played(tmp_path / OLD)
    with contextlib.closing(tried_out(tmp_path)) as session:
        record = played(unused(tmp_path, "game", ".jsonl"))
        for other in (yesterday.name, "game.jsonl", "../game.jsonl", ""):
            with pytest.raises(Refused, match="is not the record of this evening"):
                session.begin(StartRequest(rules=RULES, evening=other))
        evening = session.evening()
        assert evening is not None
        assert evening["record"] == record.name
        begun = session.begin(StartRequest(rules=RULES, evening=evening["record"]))
        assert begun.record == record
    # Whoever does not go on with it begins a record of its own.
    with contextlib.closing(tried_out(tmp_path)) as session:
        assert session.begin(StartRequest(rules=RULES)).record != record


def test_the_evening_is_of_the_record_that_was_named_or_of_nobody_else(tmp_path: Path) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    record = played(unused(tmp_path, "game", ".jsonl"))
    named = tmp_path / "friday.jsonl"
    with contextlib.closing(tried_out(tmp_path, named)) as session:
        assert session.evening() is None
        with pytest.raises(Refused, match="is not the record of this evening"):
            session.begin(StartRequest(rules=RULES, evening=record.name))
        played(named)
        evening = session.evening()
        assert evening is not None
        assert evening["record"] == named.name
        assert session.begin(StartRequest(rules=RULES, evening=named.name)).record == named
    # Another table in the folder writes its own evening.
    with open_table(asked(record)), contextlib.closing(tried_out(tmp_path)) as session:
        assert session.evening() is None
        with pytest.raises(Refused, match="is not the record of this evening"):
            session.begin(StartRequest(rules=RULES, evening=record.name))


def test_from_a_record_without_pictures_the_evening_goes_on_with_a_camera(tmp_path: Path) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    record = played(unused(tmp_path, "game", ".jsonl"))
    with set_up_at(tmp_path) as setting:
        key = key_in(setting.ask("/api/setup/start", {"open": record.name}))
        setting.server.wait_for_end()
        offered = json.loads(setting.server.get("/api/setup", key=key).text)
        assert offered["evening"]["record"] == record.name
        recording = {"kind": "recording", "name": "friday.mp4"}
        assert setting.ask("/api/setup/source", recording, key)["status"] == 200
        setting.check(key=key)
        told = {"rules": RULES, "evening": record.name}
        assert setting.ask("/api/setup/start", told, key)["status"] == 200
        assert setting.began[-1].record == record


def test_a_folder_goes_on_with_the_record_of_this_evening(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "friday"
    new = record_at(folder)
    assert (new.parent, new.exists()) == (folder, False)
    (told,) = capfd.readouterr().out.splitlines()
    assert told.startswith(f"{folder} is a new folder")
    played(folder / OLD)
    assert record_at(folder) != folder / OLD
    played(new)
    assert record_at(folder) == new
    assert record_at(tmp_path / "one.jsonl") == tmp_path / "one.jsonl"
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
    session = SetUpSession(Blind, tmp_path, Options(record=named))
    session.choose(RecordingChoice(kind="recording", name="friday.mp4"))
    until(lambda: session.preview is not None and session.preview.check() is not None)
    with pytest.raises(Refused, match="is in the middle of a game by"):
        session.begin(StartRequest(rules="harbin-hlr"))
    assert session.preview is not None, "the camera is still there"
    session.close()
    assert named.read_bytes() == before


@pytest.mark.parametrize(
    ("played_by", "chosen", "goes_on"),
    [
        ({}, {}, True),
        ({"uma": (20, 10, -10, -20)}, {"uma": [20, 10, -10, -20]}, True),
        ({"uma": (20, 10, -10, -20)}, {}, False),
        ({}, {"uma": [20, 10, -10, -20]}, False),
    ],
)
def test_a_game_in_the_middle_goes_on_under_the_house_rules_that_the_page_shows(
    tmp_path: Path, played_by: dict[str, object], chosen: dict[str, object], goes_on: bool
) -> None:
    """The page leaves out what is as usual, which people chose no less."""
    shutil.copy(FILM, tmp_path / "friday.mp4")
    broken_off = unused(tmp_path, "game", ".jsonl")
    broken_off.write_text(
        write_record(Entry(e) for e in (GameStart("riichi", played_by), HandStart()))
    )
    session = SetUpSession(Blind, tmp_path, Options(record=broken_off))
    session.choose(RecordingChoice(kind="recording", name="friday.mp4"))
    until(lambda: session.preview is not None and session.preview.check() is not None)
    request = session.begin(StartRequest(rules="riichi", options=chosen))
    assert (request.record == broken_off) is goes_on
    session.close()


def test_the_same_people_as_last_time_are_offered(tmp_path: Path) -> None:
    played(tmp_path / OLD)
    with set_up_at(tmp_path) as setting:
        last = setting.server.json("/api/setup")["last"]
        assert (last["rules"], last["names"]) == (RULES, ["Anna", "Bo", "Chie", "Dan"])
        told = setting.ask("/api/setup/start", {"rules": RULES, "names": ["Bo", "bo", "", ""]})
        assert told["status"] == 422
        assert "two players are called" in told["detail"]
