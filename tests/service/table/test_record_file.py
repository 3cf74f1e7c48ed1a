"""The record on disk is gone on with, whatever ended the program before."""

from __future__ import annotations

import errno
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.codec import read_record, write_record
from engine.errors import Refused
from engine.seal import check_seals
from service.table.record_file import RecordFile
from tests.support.harbin_game import ENTRIES, RECORD


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(RECORD)
    return path


@contextmanager
def a_full_disk(room: int) -> Iterator[None]:
    """No file may grow beyond ``room`` bytes: a write that does not fit is cut short."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize(
    ("content", "cut"),
    [
        (RECORD, 0),
        (RECORD.rstrip("\n"), 0),
        (RECORD + "{", 1),
        (RECORD + '{"type":"disc', 13),
        (RECORD + '{"type":"discard","seat":1,"tile":"5m"', 38),
    ],
    ids=["whole", "without an end", "torn at once", "torn in a word", "torn at its end"],
)
def test_a_record_is_gone_on_with_but_for_a_torn_last_line(
    path: Path, content: str, cut: int
) -> None:
    path.write_text(content)
    said: list[str] = []
    record = RecordFile(path, said.append)
    assert record.entries == tuple(ENTRIES)
    assert (record.cut is not None) is (cut > 0)
    assert cut == 0 or f"{cut} bytes after event 12" in str(record.cut)
    record.append(ENTRIES[-1])
    assert said == [], "nobody else has changed it"
    record.close()
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1]]


def test_lines_are_sealed_also_after_a_restart_and_after_lines_without_a_seal(path: Path) -> None:
    for _ in range(2):
        record = RecordFile(path)
        record.append(ENTRIES[-1])
        record.append(ENTRIES[-1])
        assert record.remarks == []
        record.close()
    report = check_seals(path.read_text())
    assert report.whole
    assert (report.first, report.lines) == (len(ENTRIES), len(ENTRIES) + 4)
    assert set(report.makers) == {len(ENTRIES)}, "the second time it is the same program"


def test_a_line_says_which_program_writes_from_it_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    record = RecordFile(path)
    for entry in (*ENTRIES, *ENTRIES):
        record.append(entry)
    record.close()
    text = path.read_text()
    assert set(check_seals(text).makers) == {0, len(ENTRIES)}, "each game says it"
    made_by = check_seals(text).makers[0]
    assert set(made_by) == {"tilesight", "program", "weights"}
    other = text.replace(str(made_by["weights"]), "0" * 16)
    path.write_text(other.splitlines()[0] + "\n")
    record = RecordFile(path)
    record.append(ENTRIES[1])
    record.append(ENTRIES[2])
    record.close()
    assert set(check_seals(path.read_text()).makers) == {0, 1}, "other weights wrote the first"


def test_a_record_that_somebody_changed_is_told_and_gone_on_with(path: Path) -> None:
    record = RecordFile(path)
    record.hold([])
    for entry in ENTRIES:
        record.append(entry)
    record.close()
    lines = path.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace('"type"', '"type" ', 1)
    path.write_text("".join(lines))
    record = RecordFile(path)
    (remark,) = record.remarks
    assert remark.startswith(f"the seal of event 2 of {path} does not fit")
    record.append(ENTRIES[-1])
    record.close()
    assert check_seals(path.read_text()).changed == (2,), "going on hides nothing"


def test_a_line_that_could_not_be_written_leaves_the_seals_whole(path: Path) -> None:
    record = RecordFile(path)
    record.append(ENTRIES[-1])
    with a_full_disk(path.stat().st_size + 10), pytest.raises(OSError, match="large"):
        record.append(ENTRIES[-1])
    record.append(ENTRIES[-1])
    record.close()
    assert check_seals(path.read_text()).whole


def test_lines_that_are_kept_keep_their_seals(path: Path) -> None:
    record = RecordFile(path)
    record.append(ENTRIES[-1])
    record.close()
    before = path.read_text()
    record = RecordFile(path)
    record.hold(ENTRIES)
    record.append(ENTRIES[-1])
    record.close()
    assert path.read_text() == before


def test_a_file_that_is_no_record_is_left_as_it_is(path: Path) -> None:
    for content in (b"Dear diary", b"\xff\xfe\n", b'{"type":"dance"}\n', b"\x00" * 30):
        path.write_bytes(content)
        with pytest.raises(Refused, match=r"game\.jsonl"):
            RecordFile(path)
        assert path.read_bytes() == content


def test_two_programs_do_not_write_one_record(path: Path) -> None:
    first = RecordFile(path)
    with pytest.raises(Refused, match="being written by another"):
        RecordFile(path)
    first.close()
    RecordFile(path).close()


def test_a_line_that_does_not_fit_on_the_disk_leaves_nothing(path: Path) -> None:
    record = RecordFile(path)
    full = os.strerror(errno.EFBIG)
    with a_full_disk(len(RECORD.encode()) + 10), pytest.raises(OSError, match=full):
        record.append(ENTRIES[-1])
    assert path.read_text() == RECORD
    record.append(ENTRIES[-1])  # there is room again
    record.close()
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1]]


def test_the_line_is_synced_before_append_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = RecordFile(path)
    synced: list[int] = []
    sync = os.fsync

    def noted(descriptor: int) -> None:
        sync(descriptor)
        synced.append(len(path.read_text().splitlines()))

    monkeypatch.setattr("os.fsync", noted)
    record.append(ENTRIES[-1])
    assert synced == [len(ENTRIES) + 1]
    record.close()


def test_what_is_dropped_for_another_beginning_is_kept_beside(path: Path) -> None:
    path.write_text(write_record(ENTRIES))
    record = RecordFile(path)
    record.hold(ENTRIES[:5])
    assert record.entries == tuple(ENTRIES[:5])
    assert [*path.parent.iterdir()] == [path], "the lines that are kept begin so"
    other = [ENTRIES[0], *ENTRIES[6:9]]
    record.hold(other)
    record.close()
    assert read_record(path.read_text()) == other
    (beside,) = (each for each in path.parent.iterdir() if each != path)
    assert read_record(beside.read_text()) == ENTRIES[:5]


def test_a_record_without_a_line_leaves_no_file(tmp_path: Path) -> None:
    RecordFile(tmp_path / "game.jsonl").close()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_that_a_person_made_stays(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").touch()
    RecordFile(tmp_path / "game.jsonl").close()
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


Meddling = Callable[[Path], object]


def cut(path: Path) -> None:
    os.truncate(path, 40)


def replaced(path: Path) -> None:
    path.with_name("other").write_text("Dear diary\n")
    path.with_name("other").rename(path)


def added_to(path: Path) -> None:
    with path.open("a") as file:
        file.write("Dear diary\n")


@pytest.mark.parametrize("meddling", [Path.unlink, cut, replaced, added_to])
def test_a_record_that_is_deleted_or_changed_is_written_again_whole(
    path: Path, meddling: Meddling
) -> None:
    said: list[str] = []
    record = RecordFile(path, said.append)
    meddling(path)
    there = path.read_bytes() if path.exists() else b""
    for _ in range(2):
        record.append(ENTRIES[-1])
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1], ENTRIES[-1]]
    meddling(path)
    record.close()
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1], ENTRIES[-1]]
    assert [line.partition(":")[0] for line in said] == [
        f"{path} was deleted or changed by another program"
    ] * 2
    aside = path.with_name("game.jsonl.other-1")
    assert (aside.read_bytes() if aside.exists() else b"") == there  # what others wrote is kept


def test_a_record_that_another_program_writes_meanwhile_is_left_to_it(path: Path) -> None:
    record = RecordFile(path)
    path.unlink()
    other = RecordFile(path)
    with pytest.raises(OSError, match="another tilesight writes"):
        record.append(ENTRIES[-1])
    other.append(ENTRIES[0])
    assert read_record(path.read_text()) == [ENTRIES[0]]
    other.close()
    record.append(ENTRIES[-1])
    record.close()
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1]]


def test_a_record_in_a_folder_that_is_gone_is_not_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    folder.mkdir()
    record = RecordFile(folder / "game.jsonl")
    (folder / "game.jsonl").unlink()
    folder.rmdir()
    with pytest.raises(FileNotFoundError):
        record.append(ENTRIES[0])
    folder.mkdir()
    record.append(ENTRIES[0])
    record.close()
    assert read_record((folder / "game.jsonl").read_text()) == [ENTRIES[0]]


def test_a_full_disk_while_it_is_written_again_loses_nothing(path: Path) -> None:
    record = RecordFile(path)
    path.unlink()
    with a_full_disk(30), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
        record.append(ENTRIES[-1])
    assert list(path.parent.iterdir()) == []
    record.append(ENTRIES[-1])
    record.close()
    assert read_record(path.read_text()) == [*ENTRIES, ENTRIES[-1]]
