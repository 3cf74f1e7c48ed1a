"""``tilesight verify`` says in words whether a record was changed, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.codec import read_record
from engine.errors import Refused
from engine.seal import last_seal
from service.commands.verify import run
from service.machine.records import load_record
from service.table.record_file import sealed_record
from tests.support.paths import GAMES

GAME = GAMES / "harbin-hlr.jsonl"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(sealed_record(load_record(str(GAME))), "utf-8")
    return path


def said(
    capsys: pytest.CaptureFixture[str],
    record: Path,
    lang: str = "en",
    against: str | None = None,
    seal: str | None = None,
) -> tuple[int, list[str]]:
    code = run(str(record), lang, against, seal)
    return code, capsys.readouterr().out.splitlines()


def test_a_record_as_it_was_written(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seal = last_seal(record.read_text("utf-8"))
    code, lines = said(capsys, record, against=str(GAME), seal=seal)
    assert code == 0
    assert lines[-1] == f"{record} is as it was written."
    assert any(str(seal) in line for line in lines)
    assert lines[0].startswith("From event 0 on it was written by this program: tilesight ")


def test_a_changed_line_is_named(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_text("utf-8").splitlines(keepends=True)
    lines[9] = lines[9].replace('"seat": ', '"seat":  ')
    record.write_text("".join(lines), "utf-8")
    code, told = said(capsys, record)
    assert code == 1
    assert told[0] == "Event 9 was changed, or an event before it was added or removed."
    assert not any("as it was written" in line for line in told)


def test_a_missing_end_and_new_seals_are_found_with_what_was_noted(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noted = last_seal(record.read_text("utf-8"))
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(lines[:-1]), "utf-8")
    assert said(capsys, record)[0] == 0
    code, told = said(capsys, record, seal=noted)
    assert code == 1
    assert told[0].startswith("No event has the seal ")
    code, told = said(capsys, record, against=str(GAME))
    assert code == 1
    assert told[0].startswith(f"From event {len(lines) - 1} on, {GAME} has events that are missing")
    entries = read_record(GAME.read_text("utf-8"))
    record.write_text(sealed_record([*entries[:8], *entries[9:]]), "utf-8")
    assert said(capsys, record)[0] == 0
    assert said(capsys, record, seal=noted)[0] == 1
    assert said(capsys, record, against=str(GAME))[1][0] == f"Event 8 differs from that of {GAME}."


def test_a_record_without_seals_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, GAME)
    assert code == 1
    assert told[0] == "No event has a seal: nothing shows whether this record was changed."
    assert not any("as it was written" in line for line in told)


@pytest.mark.parametrize("seal", ["", "12345", "xyzxyzxyz", "0" * 33])
def test_what_is_no_seal_is_refused(record: Path, seal: str) -> None:
    with pytest.raises(Refused, match="give at least the first 8 digits"):
        run(str(record), "en", None, seal)


def test_it_is_said_in_the_language_that_was_asked_for(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(capsys, record, "zh")[1][-1] == f"{record} 与写成时一致。"
    assert said(capsys, record, "ja")[1][-1] == f"{record} は書かれたときのままです。"
