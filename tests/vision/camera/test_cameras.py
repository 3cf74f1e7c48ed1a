"""Cameras are listed by the name that the system gives them."""

from __future__ import annotations

from pathlib import Path

from vision.camera.cameras import FoundCamera, find_cameras


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
