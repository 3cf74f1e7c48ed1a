"""Files and folders are there whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from service.errors import Refused
from service.files import whole_folder, write_whole


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
