"""A file that is no record is refused and not touched; a torn one is read alike everywhere."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from engine.codec import MOST_LINES, read_record, write_record
from engine.errors import Refused
from engine.events import Entry, GameEnd
from service.commands import export, replay
from service.machine.records import load_record
from service.report.player_standings import Folder
from service.table.record_file import RecordFile
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.riichi_sample import SAMPLE

LINES = RECORD.encode()
BEFORE_S = 1_700_000_000

NO_RECORDS = {
    "one line of JSON": b'{"name": "tilesight", "type": "module"}',
    "one line of an array": b'[{"type": "game_start", "rules": "harbin-hlr"}]',
    "an array in lines": b'[\n{"type": "game_start", "rules": "harbin-hlr"}\n]',
    "a map": b'{"type": "FeatureCollection", "features": [',
    "an indented object": b'{\n "type": "game_start"\n}',
    "a game_start of another program": b'{"type": "start_game", "names": ["a"]}',
    "lines that end in CR": LINES.replace(b"\n", b"\r"),
    "lines that end in CR, torn": LINES.replace(b"\n", b"\r") + b'{"type":',
    "CR among others": LINES + LINES.replace(b"\n", b"\r"),
    "UTF-16": RECORD.encode("utf-16"),
    "UTF-16 without a mark": RECORD.encode("utf-16-le"),
    "UTF-16 in one line": RECORD.replace("\n", " ").encode("utf-16-le"),
    "packed": gzip.compress(LINES),
    "zeros": b"\0" * 4096,
    "zeros between lines": LINES[:200] + b"\0" * 512 + LINES[200:],
    "a whole line of a newer version": LINES + b'{"type": "blessing", "seat": 1}',
    "a field of a newer version": LINES + b'{"type": "hand_end", "by": "vote"}\n',
    "rules of a newer version": b'{"type": "game_start", "rules": "shanghai"}',
    "a note after the last line": LINES + b"Dear diary",
    "torn in the middle": LINES[:300] + LINES[320:],
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "too many lines": b"\n" * (MOST_LINES + 1),
}


@pytest.mark.parametrize("content", NO_RECORDS.values(), ids=NO_RECORDS)
def test_what_is_no_record_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary.json"
    path.write_bytes(content)
    path.chmod(0o644)
    os.utime(path, (BEFORE_S, BEFORE_S))
    with pytest.raises(Refused, match=r"diary\.json.*; it is not changed: name another") as refused:
        RecordFile(path)
    assert "\n" not in str(refused.value)
    about = path.stat()
    assert path.read_bytes() == content
    assert (about.st_mode & 0o777, about.st_mtime) == (0o644, BEFORE_S)
    assert [each.name for each in tmp_path.iterdir()] == ["diary.json"]
    with pytest.raises(Refused, match=r"diary\.json"):
        load_record(str(path))


def test_line_ends_are_named_that_nobody_can_see(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(LINES.replace(b"\n", b"\r"))
    with pytest.raises(Refused, match="lines end in LF, and CR is found here"):
        RecordFile(path)


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        b"\xef\xbb\xbf" + LINES,
        LINES.replace(b"\n", b"\r\n"),
        LINES.rstrip(),
        LINES.replace(b"\n", b"\r\n")[:-1],
        LINES + b"  \n\n",
        b"",
        b"\n \n",
    ],
    ids=["whole", "marked", "CRLF", "without an end", "half an end", "blanks", "empty", "blank"],
)
def test_what_is_a_record_is_gone_on_with(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    record = RecordFile(path)
    assert record.cut is None
    assert record.entries == tuple(ENTRIES if content.strip() else ())
    record.append(Entry(GameEnd()))
    record.close()
    assert path.read_bytes().startswith(content)
    assert load_record(str(path)) == [*record.entries, Entry(GameEnd())]
    assert [each.name for each in tmp_path.iterdir()] == ["game.jsonl"]


FIRST = write_record(ENTRIES[:1]).encode()
TORN = [
    *((LINES, LINES[:cut]) for cut in (1, 5, 12, 30, 44)),
    (LINES, '{"type": "game_start", "players": ["å'.encode()[:-1]),
    (LINES, b"\0" * 512),
    (LINES, b'{"type": "dis\0\0\0\0'),
    (LINES.replace(b"\n", b"\r\n"), b'{"type": "dis'),
    *((b"", FIRST[:cut]) for cut in range(1, len(FIRST) - 1, 7)),
    (b"", b"\xef\xbb\xbf" + FIRST[:-3]),
    (b"", b'{"type":"game_start","rul'),
]


@pytest.mark.parametrize(("whole", "torn"), TORN)
def test_what_is_cut_from_a_torn_record_is_kept_beside_it(
    tmp_path: Path, whole: bytes, torn: bytes
) -> None:
    path = tmp_path / "game.jsonl"
    for number in (1, 2):
        path.write_bytes(whole + torn)
        record = RecordFile(path)
        record.close()
        beside = tmp_path / f"game.jsonl.cut-{number}"
        assert path.read_bytes() == whole
        assert beside.read_bytes() == torn
        assert record.cut is not None
        assert f"{len(torn)} bytes" in record.cut
        assert str(beside) in record.cut
        assert beside.stat().st_mode & 0o077 == 0


def test_what_is_cut_leaves_a_link_alone_that_leads_nowhere(tmp_path: Path) -> None:
    link = tmp_path / "game.jsonl.cut-1"
    link.symlink_to(tmp_path / "gone" / "elsewhere")
    (tmp_path / "game.jsonl").write_bytes(LINES + b'{"type"')
    RecordFile(tmp_path / "game.jsonl").close()
    assert link.is_symlink()
    assert (tmp_path / "game.jsonl.cut-2").read_bytes() == b'{"type"'


def test_a_link_to_a_record_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    path, place = tmp_path / "game.jsonl", tmp_path / "disk" / "friday.jsonl"
    path.symlink_to(place)
    RecordFile(path).close()
    assert not place.exists()
    assert path.is_symlink()
    place.write_bytes(LINES + b'{"type"')
    record = RecordFile(path)
    place.unlink()
    record.append(Entry(GameEnd()))
    record.close()
    assert path.is_symlink()
    assert read_record(place.read_text()) == [*ENTRIES, Entry(GameEnd())]


def test_a_record_that_cannot_be_kept_beside_is_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(LINES + b'{"type"')

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("service.table.record_file.write_whole", full)
    with pytest.raises(Refused, match=r"cannot write .*game\.jsonl\.cut-1: No space left"):
        RecordFile(path)
    assert path.read_bytes() == LINES + b'{"type"'


def test_a_torn_record_is_read_by_every_program_as_it_is_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = SAMPLE.read_bytes()
    path, whole = tmp_path / "game-20261001-200000.jsonl", tmp_path / "whole.jsonl"
    path.write_bytes(over + b'{"type": "game_st')
    whole.write_bytes(over)
    told = f"the last line of {path} was not whole: 17 bytes after event 1085 are left out\n"
    runs: tuple[Callable[[Path], int], ...] = (
        lambda each: replay.run(str(each), "en", False, None),
        lambda each: export.run(str(each), "csv", "en"),
    )
    for run in runs:
        statuses = [run(whole)]
        expected = capsys.readouterr()
        statuses.append(run(path))
        got = capsys.readouterr()
        assert statuses in ([0, 0], [1, 1])
        assert (got.out, got.err) == (expected.out, told)
    whole.unlink()
    (game,) = Folder(tmp_path, "").results()
    assert game.evening == date(2026, 10, 1)
    assert path.read_bytes() == over + b'{"type": "game_st'
    record = RecordFile(path)
    assert list(record.entries) == read_record(over.decode())
    record.close()
