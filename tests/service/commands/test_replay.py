from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from service.commands.replay import run
from tests.support.paths import GAMES
from tests.support.program import started

BINARY = bytes(range(256))
GAME = GAMES / "harbin-hlr.jsonl"


def piped(monkeypatch: pytest.MonkeyPatch, written: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(written)))


def test_a_record_may_come_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    piped(monkeypatch, b"\xef\xbb\xbf" + b'{"type":"hand_end"}\n')
    assert run("-", "en", True, None) == 1
    (said,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (said["kind"], said["code"], said["of"]) == ("problem", "no_game", 0)
    piped(monkeypatch, BINARY)
    assert run("-", "en", True, None) == 2
    assert "standard input, line 2" in capsys.readouterr().err


def test_a_record_may_be_told_without_the_lines_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = GAME.read_text("utf-8").splitlines()
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join([*lines[:30], "{", *lines[30:60], "[]"]), "utf-8")
    assert run(str(path), "en", False, None, go_on=True) == 2
    out, err = capsys.readouterr()
    run(str(GAME), "en", False, None)
    whole = capsys.readouterr().out
    before = [line for line in whole.splitlines() if int(line.split()[0]) < 30]
    assert out.splitlines()[: len(before)] == before
    assert len(out.splitlines()) > len(before)
    assert [line.split(": ")[1] for line in err.splitlines()] == [
        f"{path}, line 31",
        f"{path}, line 62",
    ]


def test_every_line_of_json_is_an_announcement_with_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(str(GAME), "en", True, None) == 1
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"ready", "not_ready", "payout", "problem", "turn", "hand_result", "game_result"} == {
        one["kind"] for one in said
    }
    assert all(one["text"] and isinstance(one["of"], int) for one in said)
    assert 0 in {one["for"] for one in said if "for" in one}


def test_a_record_without_a_problem_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ['{"type":"game_start","rules":"harbin-hlr"}', '{"type":"game_end"}']
    path = tmp_path / "short.jsonl"
    path.write_text("\n".join(lines))
    assert run(str(path), "en", False, None) == 0
    begun, ended, result = capsys.readouterr().out.splitlines()
    assert begun == "   0  The game starts, played by Harbin Limiting Rules"
    assert (ended[:4], result[:22]) == ("   1", "   1  The game is over")


def test_text_tells_what_happened_and_how_much_of_the_wall_can_be_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(str(GAMES / "riichi.jsonl"), "en", False, None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "   1  Seat 0 to play, 70 tiles in the wall"  # 004, 2.6: 14 are dead
    assert lines[3].startswith("   2  [for 0] Seat 0 is dealt ")
    assert "   9  Seat 1 discards red dragon" in lines
    wins = [line for line in lines if " wins with " in line]
    assert wins
    assert all(line[6:].startswith("Seat ") for line in wins)
    run(str(GAMES / "riichi.jsonl"), "ja", False, 1)
    assert "   8  [席1宛] 席1が 八筒 を引く" in capsys.readouterr().out.splitlines()


def test_a_reader_that_stops_early_is_no_failure() -> None:
    code = (
        "import sys; from service.commands.replay import run; "
        f"sys.exit(run({str(GAME)!r}, 'en', 1, 0))"
    )
    with started([sys.executable, "-c", code]) as program:
        program.line()
        program.stdout.close()
        assert program.stderr.read() == ""
    assert program.process.returncode == 1


def test_no_seat_is_told_which_tiles_a_hand_may_have_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "record.jsonl"
    hand = ["1m", "2m", "3m", "4m", "6m", "7m", "8m", "1p", "2p", "3p", "5s", "5s", "9s", "9s"]
    events = [
        {"type": "game_start", "rules": "harbin-hlr"},
        {"type": "hand_start", "dealer": 0},
        {"type": "deal", "seat": 0, "tiles": hand},
        {"type": "discard", "seat": 0, "tile": "5m"},  # not held; 4m or 6m was meant
    ]
    record.write_text("\n".join(json.dumps(event) for event in events))
    counts = {}
    for seat in (None, 0, 1):
        run(str(record), "en", True, seat)
        said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        [problem] = [one for one in said if one["kind"] == "problem"]
        counts[seat] = len(problem["suggestions"])
    # They are tried with the hands of all, so they are for who may know all of these.
    assert counts[None] > 0
    assert counts[0] == counts[1] == 0


def test_hints_are_for_the_eyes_of_their_own_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = tmp_path / "begun.jsonl"
    begun.write_text("\n".join(GAME.read_text("utf-8").splitlines()[:60]), "utf-8")
    told = {}
    for seat in (None, 0, 1):
        run(str(begun), "en", True, seat, hints=True)
        told[seat] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hints = [one for one in told[None] if one["kind"] == "hint"]
    assert hints
    assert all(hint["for"] == hint["seat"] for hint in hints)
    for seat in (0, 1):
        own = [one for one in told[seat] if one["kind"] == "hint"]
        assert own == [hint for hint in hints if hint["for"] == seat]
    run(str(begun), "en", True, None)
    plain = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one for one in told[None] if one["kind"] != "hint"] == plain
