"""Recordings that a browser sends: taken, limited, and decoded in a process that may die."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import urllib.error
import urllib.request
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


def sent(setting: Setting, name: str, data: bytes, kind: str = "application/octet-stream") -> int:
    request = urllib.request.Request(
        f"{setting.server.url}/api/setup/recordings/{name}",
        data,
        {"Content-Type": kind, "Host": setting.server.host},
        method="PUT",
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
            status: int = response.status
            return status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_recording_can_be_sent(setting: Setting) -> None:
    data = (FILM).read_bytes()
    assert sent(setting, "my%20game.MP4", data) == 200
    assert setting.check()["good"]
    assert sent(setting, "game.mp4", b"no video") == 422
    assert sent(setting, "game.exe", data) == 422
    assert sent(setting, "game.mp4", data, "text/plain") == 400
    assert [path.name for path in setting.folder.iterdir()] == ["friday.mp4"]


def refused_upload(setting: Setting, name: str, data: bytes) -> str:
    request = urllib.request.Request(
        f"{setting.server.url}/api/setup/recordings/{name}",
        data,
        {"Content-Type": "application/octet-stream", "Host": setting.server.host},
        method="PUT",
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=PATIENCE_S)
    with refused.value as answer:
        assert 400 <= answer.code < 500
        told: str = json.loads(answer.read())["detail"]
    assert "\n" not in told
    return told


def kept(setting: Setting) -> list[Path]:
    """Recordings that were sent and lie on the disk."""
    folder = setting.set_up.uploads.folder
    return [] if folder is None else sorted(folder.iterdir())


@pytest.mark.parametrize(
    ("limits", "data", "told"),
    [
        ({}, b"no video", "not a readable video"),
        ({}, bytes(3_000_000), "not a readable video"),
        ({}, b"#EXTM3U\n#EXTINF:9,\nfriday.mp4\n", "not a readable video"),
        ({"LARGEST": 3000}, (FILM).read_bytes(), "larger than 3000"),
        ({"ROOM_LEFT": 1 << 60}, (FILM).read_bytes(), "no room"),
        ({"LONGEST_S": 0.0}, (FILM).read_bytes(), "too long"),
        ({}, (FILM).read_bytes()[:1_000_000], "game.mp4"),
    ],
)
def test_an_upload_is_limited_and_leaves_nothing_behind(
    setting: Setting,
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, int],
    data: bytes,
    told: str,
) -> None:
    for name, limit in limits.items():
        monkeypatch.setattr(f"service.setup.uploads.{name}", limit)
    assert told in refused_upload(setting, "game.mp4", data)
    assert kept(setting) == []
    assert setting.server.json("/api/setup/check") == {"problem": None, "found": None}


def test_an_upload_that_stops_is_let_go_and_the_next_one_comes(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.setup.uploads.SILENT_S", PATIENCE_S)
    data = (FILM).read_bytes()
    host, port = setting.server.host.split(":")
    head = f"PUT /api/setup/recordings/a.mp4 HTTP/1.1\r\nHost: {setting.server.host}\r\n"
    head += f"Content-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as stuck:
        stuck.sendall(head.encode() + data[:5000])
        until(lambda: kept(setting))
        assert "another recording is being uploaded" in refused_upload(setting, "b.mp4", data)
        # From the next part on, nothing more is waited for.
        monkeypatch.setattr("service.setup.uploads.SILENT_S", 0.2)
        monkeypatch.setattr("service.setup.pages.HEARD_OUT_S", 0.2)
        stuck.sendall(data[5000:10_000])
        told = b""
        while not told.endswith(b"}"):
            told += stuck.recv(10_000)
        assert b"the upload stopped" in told
    assert kept(setting) == []
    assert sent(setting, "b.mp4", data) == 200
    assert len(kept(setting)) == 1
    assert setting.set_up.preview is not None
    assert setting.set_up.preview.source.name == "b.mp4"


def test_a_decoder_that_dies_leaves_the_server_with_one_sentence(setting: Setting) -> None:
    assert sent(setting, "game.mp4", (FILM).read_bytes()) == 200
    setting.check()
    for decoder in decoders():
        os.kill(decoder, signal.SIGSEGV)
    told = until(lambda: setting.server.json("/api/setup/check")["problem"])
    assert "send another file" in told
    assert setting.ask("/api/setup/source", {"kind": "sample"})["status"] == 200
    assert setting.check()["good"]
