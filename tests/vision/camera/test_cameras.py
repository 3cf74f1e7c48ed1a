"""Cameras are listed by the names that the system gives; one that does not answer is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.camera.cameras import FoundCamera, find_cameras
from vision.camera.live import open_live
from vision.camera.pictures import SourceError


def entry(system: Path, folder_name: str, **files: str) -> None:
    folder = system / folder_name
    folder.mkdir()
    for file, text in files.items():
        (folder / file).write_text(text + "\n")


def test_every_camera_is_listed_once_by_number(tmp_path: Path) -> None:
    entry(tmp_path, "video10", name="Document camera", index="0")
    entry(tmp_path, "video2", name="HD Webcam", index="0")
    entry(tmp_path, "video3", name="HD Webcam", index="1")
    entry(tmp_path, "v4l-touch0", name="Touchpad", index="0")
    entry(tmp_path, "video4")
    assert find_cameras(tmp_path) == (
        FoundCamera(2, "HD Webcam"),
        FoundCamera(4, "video4"),
        FoundCamera(10, "Document camera"),
    )


def test_an_address_that_does_not_answer_is_refused_without_its_password() -> None:
    with pytest.raises(SourceError, match="does not answer") as raised:
        open_live("rtsp://owner:secret@127.0.0.1:9/table")
    assert "secret" not in str(raised.value)
    assert str(raised.value).startswith("127.0.0.1 does not answer")
