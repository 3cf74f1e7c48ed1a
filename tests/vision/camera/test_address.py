"""People see only the host of a camera's address, wherever its password stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.camera.address import HIDDEN, shown
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
