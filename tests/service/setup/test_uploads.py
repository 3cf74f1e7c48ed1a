"""Recordings that a browser sends: taken, limited, and decoded in a process that may die."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.decoders import decoders
from tests.support.paths import FILM
from tests.support.patience import PATIENCE_S, until
from tests.support.setting_up import Setting, set_up_at


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setting]:
    monkeypatch.setattr("service.setup.pages.HEARD_OUT_S", PATIENCE_S)
    shutil.copy(FILM, tmp_path / "friday.mp4")
    with set_up_at(tmp_path) as setting:
        yield setting


def kept(setting: Setting) -> list[Path]:
    """Recordings that were sent and lie on the disk."""
    folder = setting.set_up.uploads.folder
    return [] if folder is None else sorted(folder.iterdir())


LIMITED: list[tuple[dict[str, float], bytes, str]] = [
    ({}, b"no video", "not a readable video"),
    ({}, bytes(3_000_000), "not a readable video"),
    ({}, b"#EXTM3U\n#EXTINF:9,\nfriday.mp4\n", "not a readable video"),
    ({"LARGEST": 3000}, FILM.read_bytes(), "larger than 3000"),
    ({"ROOM_LEFT": 1 << 60}, FILM.read_bytes(), "no room"),
    ({"LONGEST_S": 0.0}, FILM.read_bytes(), "too long"),
    ({}, FILM.read_bytes()[:1_000_000], "game.mp4"),
]


def test_a_recording_is_limited_leaves_nothing_behind_and_can_be_sent(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limits, data, says in LIMITED:
        with monkeypatch.context() as patched:
            for name, limit in limits.items():
                patched.setattr(f"service.setup.uploads.{name}", limit)
            told = setting.put("recordings/game.mp4", data)
        assert (400 <= told["status"] < 500, says in told["detail"]) == (True, True), told
        assert "\n" not in told["detail"]
        assert kept(setting) == []
    assert setting.server.json("/api/setup/check") == {"problem": None, "found": None}
    data = FILM.read_bytes()
    assert setting.put("recordings/my%20game.MP4", data)["status"] == 200
    assert setting.check()["good"]
    assert setting.put("recordings/game.exe", data)["status"] == 422
    plain = {"Content-Type": "text/plain"}
    assert setting.put("recordings/game.mp4", data, **plain)["status"] == 400
    assert [path.name for path in setting.folder.iterdir()] == ["friday.mp4"]


def test_an_upload_that_stops_is_let_go_and_the_next_one_comes(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.setup.uploads.SILENT_S", PATIENCE_S)
    data = FILM.read_bytes()
    host, port = setting.server.host.split(":")
    head = f"PUT /api/setup/recordings/a.mp4 HTTP/1.1\r\nHost: {setting.server.host}\r\n"
    head += f"Content-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as stuck:
        stuck.sendall(head.encode() + data[:5000])
        until(lambda: kept(setting))
        told = setting.put("recordings/b.mp4", data)
        assert "another recording is being uploaded" in told["detail"]
        # From the next part on, nothing more is waited for.
        monkeypatch.setattr("service.setup.uploads.SILENT_S", 0.2)
        monkeypatch.setattr("service.setup.pages.HEARD_OUT_S", 0.2)
        stuck.sendall(data[5000:10_000])
        heard = b""
        while not heard.endswith(b"}"):
            heard += stuck.recv(10_000)
        assert b"the upload stopped" in heard
    assert kept(setting) == []
    assert setting.put("recordings/b.mp4", data)["status"] == 200
    assert len(kept(setting)) == 1
    assert setting.set_up.preview is not None
    assert setting.set_up.preview.source.name == "b.mp4"


def test_a_decoder_that_dies_leaves_the_server_with_one_sentence(setting: Setting) -> None:
    assert setting.put("recordings/game.mp4", FILM.read_bytes())["status"] == 200
    setting.check()
    for decoder in decoders():
        os.kill(decoder, signal.SIGSEGV)
    told = until(lambda: setting.server.json("/api/setup/check")["problem"])
    assert "send another file" in told
    assert setting.ask("/api/setup/source", {"kind": "sample"})["status"] == 200
    assert setting.check()["good"]
