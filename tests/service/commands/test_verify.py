"""``tilesight verify`` says in words whether a record was changed, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.codec import entry_to_json, read_record, write_record
from engine.errors import Refused
from engine.events import Correct, Entry
from engine.rehearsal import Share
from engine.seal import last_seal, sealed
from service.commands.verify import run
from service.machine.records import load_record, tell
from service.report.score_keeper import hands_read
from service.report.sheet import csv_file, to_csv
from service.table.record_file import RecordFile, sealed_record
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
    for against, noted in ((str(GAME), None), (None, seal), (str(GAME), seal)):
        code, lines = said(capsys, record, against=against, seal=noted)
        assert code == 0
        assert lines[-1] == f"{record} is as it was written."
    assert any(str(seal) in line for line in lines)
    says = "From event 0 on the record says that this program wrote it: tilesight "
    assert lines[0].startswith(says)


def test_without_what_was_noted_it_claims_no_more_than_seals_show(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = said(capsys, record)
    assert code == 0
    assert lines[-1].startswith(f"No change shows in {record}. A missing end, or seals made anew,")


def test_a_changed_line_is_named(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_text("utf-8").splitlines(keepends=True)
    lines[9] = lines[9].replace('"seat": ', '"seat":  ')
    record.write_text("".join(lines), "utf-8")
    code, told = said(capsys, record)
    assert code == 1
    assert told[0] == (
        "The seal of event 9 does not fit: it or something before it was changed, added or removed."
    )
    assert not any("as it was written" in line for line in told)


def test_many_lines_are_told_in_one(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = record.read_text("utf-8").splitlines()
    plain = [line.rpartition(', "seal"')[0] + "}" for line in lines]
    record.write_text("\n".join([*lines[:4], *plain[4:-1], lines[-1]]), "utf-8")
    code, told = said(capsys, record)
    assert (code, told[0]) == (1, f"Events 4 to {len(lines) - 2} have no seal.")
    record.write_text("\n".join([*lines[:4], lines[3], *lines[4:]]), "utf-8")
    told = said(capsys, record, against=str(GAME))[1]
    differ = [line for line in told if "differ" in line]
    assert len(differ) == 1
    assert differ[0].startswith(f"Event 4 differs from that of {GAME}; ")


def test_events_that_were_added_after_the_noted_seal_are_counted(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noted = last_seal(record.read_text("utf-8"))
    last = len(read_record(record.read_text("utf-8"))) - 1
    writing = RecordFile(record)
    writing.append(Entry(Correct(10, ()), source="person", evidence="ruled by Chen"))
    writing.close()
    code, told = said(capsys, record, seal=noted)
    assert code == 1
    assert told[0] == f"The seal is that of event {last}: 1 event was added after it."
    assert not any("as it was written" in line for line in told)


def test_what_a_record_says_of_its_program_is_not_trusted(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = {"tilesight": f"0.1\n{record} is as it was written.\n\x1b[2K", "extra": "x" * 999}
    first, *others = read_record(record.read_text("utf-8"))
    text, _ = sealed("", {**entry_to_json(first), "made_by": forged})
    record.write_text(text + "\n" + write_record(others), "utf-8")
    told = said(capsys, record)[1]
    assert f"{record} is as it was written." not in told
    assert not any("\x1b" in line or len(line) > 300 for line in told)
    assert any("another program than this one" in line for line in told)


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
    told = said(capsys, record, against=str(GAME))[1]
    assert told[0].startswith(f"Event 8 differs from that of {GAME}; ")


def test_a_record_without_seals_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, GAME)
    assert code == 1
    assert told[0] == "No event has a seal: nothing shows whether this record was changed."
    assert not any("as it was written" in line for line in told)


@pytest.mark.parametrize("seal", ["", "12345678", "xyz" * 6, "0" * 33])
def test_what_is_no_seal_is_refused(record: Path, seal: str) -> None:
    with pytest.raises(Refused, match="give at least the first 16 digits"):
        run(str(record), "en", None, seal)


def test_it_is_said_in_the_language_that_was_asked_for(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lang, sentence in (("zh", " 与写成时一致。"), ("ja", " は書かれたときのままです。")):
        assert said(capsys, record, lang, str(GAME))[1][-1] == f"{record}{sentence}"


def test_one_copy_alone_comes_from_standard_input() -> None:
    with pytest.raises(Refused, match="one of the two copies"):
        run("-", "en", "-", None)


def test_a_score_sheet_beside_the_record(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tell(load_record(str(record)))
    kept = tmp_path / "kept.csv"
    kept.write_text(csv_file(to_csv(games)), "utf-8")
    hands = hands_read(games)
    assert run(str(record), "en", None, None, str(kept)) == 0
    moving = sum(bool(hand.moved) for hand in hands)
    assert 1 < moving < len(hands), "nobody wrote down the hands that moved nothing"
    least = int(100 * Share(moving, moving).at_least)
    assert f"{moving} are as written down: at least {least}%" in capsys.readouterr().out
    # Nobody wrote anything down: each hand that moved something differs.
    heading, *_ = to_csv(games).splitlines()
    kept.write_text(heading, "utf-8")
    assert run(str(record), "en", None, None, str(kept)) == 1
    differ = [hand for hand in hands if hand.moved]
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(differ) + 1
    assert all("not written down" in line for line in lines[:-1])
    with pytest.raises(Refused, match="--scores: give it without --against and --seal"):
        run(str(record), "en", str(record), None, str(kept))
