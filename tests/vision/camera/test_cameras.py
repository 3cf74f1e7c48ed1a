"""Cameras are found by name, and of an address people see only the host."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import cv2
import pytest

from vision.camera.address import HIDDEN, shown
from vision.camera.cameras import FoundCamera, find_cameras
from vision.camera.live import open_live
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("rtsp://192.0.2.7/table", "192.0.2.7"),
        ("rtsp://owner:secret@192.0.2.7:554/table", "192.0.2.7"),
        ("rtsp://cam.local:554/user=admin&password=secret", "cam.local"),
        ("http://cam.local?user=admin&password=secret", "cam.local"),
        ("https://cam.local#secret", "cam.local"),
        ("rtsp://owner:sec@ret@cam.local/", "cam.local"),
        ("rtsp://[2001:db8::7]:554/secret", "[2001:db8::7]"),
        ("RTSP:/owner:secret@cam.local/", "cam.local"),
        # Text before a slash may be half of a password.
        ("rtsp://owner:sec/ret@cam.local/", HIDDEN),
        ("rtsp://owner:se@sec/ret@cam.local/", HIDDEN),
        ("rtsp://cam.local;password=secret/", HIDDEN),
        ("rtsp:///password=secret", HIDDEN),
        ("rtsp://[secret/", HIDDEN),
        # A mistyped address is refused as a file, and the message names it.
        (" rtsp://owner:secret@cam.local/", "cam.local"),
        ("cache:http://owner:secret@cam.local/", "cam.local"),
        ("owner:secret@cam.local:554/table", "cam.local"),
        ("rtsp:owner:secret@cam.local/table", "cam.local"),
        ("game.mp4", "game.mp4"),
        ("films/cam@2.mp4", "films/cam@2.mp4"),
        ("C:/films/cam@2.mp4", "C:/films/cam@2.mp4"),
        ("C:/films/game.mp4", "C:/films/game.mp4"),
        ("films/a:b/game.mp4", "films/a:b/game.mp4"),
    ],
)
def test_a_source_is_called_by_its_host(address: str, name: str) -> None:
    assert shown(address) == name
    assert shown(Path(address)) in (name, HIDDEN)


def test_an_address_in_the_place_of_a_file_keeps_its_password() -> None:
    with pytest.raises(SourceError, match=r"no video file cam\.local$"):
        VideoFile(Path("rtsp://owner:secret@cam.local/?password=secret"))


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


@dataclass(frozen=True)
class Enumerated:
    """Stands in for what the library tells of a camera."""

    index: int
    name: str


@pytest.mark.parametrize(
    ("system", "by_interface", "found"),
    [
        (
            "win32",
            {cv2.CAP_MSMF: ["Integrated", "BRIO"], cv2.CAP_DSHOW: ["BRIO", "OBS", "Integrated"]},
            (FoundCamera(0, "Integrated"), FoundCamera(1, "BRIO"), FoundCamera(701, "OBS")),
        ),
        (
            "darwin",
            {cv2.CAP_AVFOUNDATION: ["FaceTime HD Camera", "BRIO"]},
            (FoundCamera(0, "FaceTime HD Camera"), FoundCamera(1, "BRIO")),
        ),
    ],
)
def test_other_systems_list_their_cameras(
    system: str,
    by_interface: Mapping[int, list[str]],
    found: tuple[FoundCamera, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = ModuleType("cv2_enumerate_cameras")
    vars(library)["enumerate_cameras"] = lambda interface: [
        Enumerated(number, name) for number, name in enumerate(by_interface[interface])
    ]
    monkeypatch.setitem(sys.modules, "cv2_enumerate_cameras", library)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    assert find_cameras() == found


def test_an_address_that_does_not_answer_is_refused_without_its_password() -> None:
    with pytest.raises(SourceError, match="does not answer") as raised:
        open_live("rtsp://owner:secret@127.0.0.1:9/table")
    assert "secret" not in str(raised.value)
    assert str(raised.value).startswith("127.0.0.1 does not answer")
