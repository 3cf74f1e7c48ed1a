"""Pictures are read whole or refused."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import SourceError, find_pictures, read_picture


def write(path: Path) -> Path:
    image = np.random.default_rng(5).integers(0, 255, (90, 160, 3), np.uint8)
    assert cv2.imwrite(str(path), image)
    return path


@pytest.mark.parametrize("suffix", ["jpg", "png", "webp", "bmp"])
def test_a_whole_picture_is_read_and_a_cut_off_one_refused(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path / f"table.{suffix}")
    assert read_picture(path).shape == (90, 160, 3)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SourceError, match=r"table.* (is cut off|is not a picture)"):
        read_picture(path)


def test_a_small_preview_inside_does_not_make_a_cut_off_picture_whole(tmp_path: Path) -> None:
    data = write(tmp_path / "table.jpg").read_bytes()
    preview = b"\xff\xd8 a whole small picture \xff\xd9"
    inside = b"\xff\xe1" + (len(preview) + 2).to_bytes(2, "big") + preview
    path = tmp_path / "phone.jpg"
    path.write_bytes(data[:2] + inside + data[2:])
    assert read_picture(path).shape == (90, 160, 3)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SourceError, match="cut off"):
        read_picture(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8", b"\x89PNG"])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"table\.png"):
        read_picture(path)


def test_a_missing_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no picture"):
        read_picture(tmp_path / "none.jpg")


def test_a_folder_stands_for_its_pictures_by_name(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.PNG"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "notes.txt").write_text("not a picture")
    single = tmp_path / "notes.txt"
    assert find_pictures([tmp_path, single]) == [tmp_path / "a.PNG", tmp_path / "b.jpg", single]


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no picture in the folder"):
        find_pictures([tmp_path])
