"""Files and folders are there whole or not at all, and nobody but their owner reads them."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from engine.errors import Refused
from service.archive.kept import FilmCache
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.hall.access import KeyStore
from service.hall.database import open_database
from service.machine.files import keep_private, locked, whole_folder, write_whole
from service.table.pictures import Pictures
from service.table.record_file import RecordFile
from service.web.keys import TableKeys, keys_file
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.paths import ROOT
from tests.support.placed_tiles import look


def test_a_folder_gets_its_name_when_it_is_full(tmp_path: Path) -> None:
    target = tmp_path / "game"
    with whole_folder(target) as folder:
        (folder / "record.jsonl").write_text("{}")
        assert not target.exists()
    assert (target / "record.jsonl").read_text() == "{}"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    with contextlib.suppress(RuntimeError), whole_folder(tmp_path / "game") as folder:
        (folder / "record.jsonl").write_text("{}")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_filled_and_a_full_one_refused(tmp_path: Path) -> None:
    target = tmp_path / "game"
    target.mkdir()
    with whole_folder(target) as folder:
        (folder / "a").write_text("")
    with pytest.raises(Refused, match="is there already"), whole_folder(target):
        pass
    assert [path.name for path in target.iterdir()] == ["a"]


def test_a_folder_in_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no folder"), whole_folder(tmp_path / "a" / "b"):
        pass


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_whole(path, "old")
    write_whole(path, "new\r\nlines")
    assert path.read_bytes() == b"new\r\nlines"
    assert list(tmp_path.iterdir()) == [path]


def test_a_refusal_of_the_disk_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 250}"  # its own name fits, that of the unfinished file does not
    with pytest.raises(OSError, match="File name too long") as refused:
        write_whole(path, "text")
    assert refused.value.filename == str(path)
    with pytest.raises(OSError, match="File name too long") as refused, whole_folder(path):
        pass
    assert refused.value.filename == str(path)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")


@pytest.fixture(autouse=True)
def everybody_may_read_what_is_made() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.stat().st_mode & 0o077]


def test_a_record_its_keys_and_its_pictures_are_private(tmp_path: Path) -> None:
    record = RecordFile(tmp_path / "game.jsonl")
    record.append(ENTRIES[0])
    TableKeys.kept_beside(record.path)
    Pictures.kept_in(tmp_path / "game-pictures").see(look(0.0))
    (tmp_path / "game.jsonl").unlink()
    record.append(ENTRIES[1])  # written again
    record.close()
    assert open_to_others(tmp_path) == [next((tmp_path / "game-pictures").iterdir())]
    assert (tmp_path / "game-pictures").stat().st_mode & 0o777 == 0o700


def test_the_database_of_a_hall_is_private_with_what_lies_beside_it(tmp_path: Path) -> None:
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    KeyStore(engine).make("viewer")
    assert {path.name for path in tmp_path.iterdir()} >= {"hall.sqlite3", "hall.sqlite3-wal"}
    assert open_to_others(tmp_path) == []
    engine.dispose()


def test_what_was_open_to_others_is_closed_when_it_is_used_again(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    TableKeys.kept_beside(record)
    (tmp_path / "game-pictures").mkdir()
    engine = open_database(str(tmp_path / "hall.sqlite3"))
    engine.dispose()
    for path in tmp_path.iterdir():
        path.chmod(0o755 if path.is_dir() else 0o664)
    RecordFile(record).close()
    keys = TableKeys.kept_beside(record)
    Pictures.kept_in(tmp_path / "game-pictures")
    open_database(str(tmp_path / "hall.sqlite3")).dispose()
    assert open_to_others(tmp_path) == []
    assert keys == TableKeys.kept_beside(record)
    assert keys_file(record).stat().st_mode & 0o777 == 0o600


def test_rights_that_cannot_be_changed_are_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    path.touch(0o644)
    monkeypatch.setattr(Path, "chmod", lambda *_: None)  # as on a stick, which knows no rights
    said: list[str] = []
    keep_private(path, said.append)
    (line,) = said
    assert "other users of this machine may read" in line
    assert str(path) in line


def test_what_is_written_whole_is_private(tmp_path: Path) -> None:
    write_whole(tmp_path / "sheet.csv", "1")
    with whole_folder(tmp_path / "game") as folder:
        (folder / "evidence").mkdir(0o700)
    assert open_to_others(tmp_path) == []


def test_the_program_gives_nothing_that_it_makes_to_others(tmp_path: Path) -> None:
    program = (
        "import sys; from service.main import main; sys.argv = ['tilesight', 'replay', '-']\n"
        "try: main()\n"
        f"finally: open({str(tmp_path / 'made')!r}, 'w').close()"
    )
    subprocess.run([sys.executable, "-c", program], input=RECORD.encode(), cwd=ROOT, check=False)
    assert open_to_others(tmp_path) == []
    assert (tmp_path / "made").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked otherwise there")
@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF])
def test_a_folder_without_file_locks_is_named_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuses(file: object, how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("fcntl.flock", refuses)
    told = rf"^files in {re.escape(str(tmp_path))} cannot be locked"
    record = tmp_path / "game.jsonl"
    with pytest.raises(Refused, match=told):
        RecordFile(record)
    ledger = cast("Ledger", None)
    with pytest.raises(Refused, match=told):
        Worker(ledger, tmp_path).tidy()
    with (
        pytest.raises(Refused, match=told),
        FilmCache(tmp_path, 1 << 20).held("memory://films/a.mp4", "f", lambda: None),
    ):
        pass


def test_a_lock_that_another_holds_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("w") as one, path.open("w") as other:
        assert locked(one, path)
        assert locked(other, path) is (sys.platform == "win32")
        assert locked(one, path, shared=True)
        assert locked(other, path, shared=True)


def test_a_name_that_is_no_text_is_written_with_replacements(tmp_path: Path) -> None:
    write_whole(tmp_path / "report.html", "<h1>\udcb5.mp4</h1>")
    assert (tmp_path / "report.html").read_text("utf-8") == "<h1>?.mp4</h1>"
