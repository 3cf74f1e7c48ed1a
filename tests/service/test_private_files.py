"""What the program writes is read by nobody else on the machine, whatever the user's umask is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.access.keys import TableKeys, keys_file
from service.files import keep_private, whole_folder, write_whole
from service.hall.access import KeyStore
from service.hall.database import open_database
from service.table.gallery import Gallery
from service.table.record_file import RecordFile
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.paths import ROOT
from tests.support.placed_tiles import look

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
    Gallery(tmp_path / "game-pictures").add(look(0.0))
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
    Gallery(tmp_path / "game-pictures")
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
