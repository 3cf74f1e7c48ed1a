"""Setting a table up over HTTP: what is offered, tried out, refused and begun."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi import FastAPI
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from engine.events import GameStart
from engine.rules import RULE_SETS
from service.live.opening import Wanted, opened
from service.live.seats import table_address
from service.live.set_up import SetUp
from service.web.app import LOCAL_HOSTS, create_app
from service.web.set_up_pages import create_set_up
from service.web.stage import Stage
from tests.service.served import Served, serving
from tests.vision.test_apart import decoders
from vision.camera.frames import VideoFile
from vision.detect import Detection
from vision.pipeline import Reads, TableReader

SAMPLES = Path(__file__).parents[2] / "samples"
STATIC = Path(__file__).parents[2] / "service" / "static"


class Blind:
    """Stands in for the detector where a test is about what comes before it."""

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: tuple[int, int, int, int] | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        return []


@dataclass(frozen=True)
class Setting:
    """A server that waits to be set up, and what became of it."""

    server: Served
    folder: Path
    set_up: SetUp
    began: list[Wanted]

    def ask(self, path: str, body: object) -> dict[str, Any]:
        answer = self.server.post(path, body)
        told: dict[str, Any] = json.loads(answer.text)
        return told | {"status": answer.status}

    def check(self, until: str = "corners") -> dict[str, Any]:
        """Wait for the first check that says something of ``until``."""
        for _ in range(400):
            told = self.server.json("/api/setup/check")
            if told["found"] is not None and told["found"][until]:
                found: dict[str, Any] = told["found"]
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing is found: {told}")


@contextlib.contextmanager
def set_up_at(folder: Path, load: Callable[[], Reads] = Blind) -> Iterator[Setting]:
    began: list[Wanted] = []
    set_up = SetUp(load, folder)

    @contextlib.contextmanager
    def table_app(wanted: Wanted) -> Iterator[FastAPI]:
        began.append(wanted)
        with opened(wanted) as table:
            keys.append(table.keys.control)
            hosts, shown = [*LOCAL_HOSTS], table.table
            yield create_app(shown, hosts, table.keys, None, True, table.dispute, folder)

    async def show(wanted: Wanted) -> str:
        await stage.show(lambda: table_app(wanted), wanted.let_go)
        return table_address("", keys[-1])

    keys: list[str] = []
    stage = Stage(create_set_up(set_up, show, [*LOCAL_HOSTS]))
    try:
        with serving(stage) as server:
            yield Setting(server, folder, set_up, began)
    finally:
        set_up.close()


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    shutil.copy(SAMPLES / "harbin.mp4", tmp_path / "friday.mp4")
    (tmp_path / "notes.txt").write_text("no video")
    with set_up_at(tmp_path) as setting:
        yield setting


def words(kind: str) -> dict[str, dict[str, str]]:
    told: dict[str, dict[str, dict[str, str]]] = json.loads(
        (STATIC / "options.json").read_text("utf-8")
    )
    return told[kind]


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_every_option_and_value_has_words(lang: str) -> None:
    options = [option for rules in RULE_SETS.values() for option in rules.options]
    names = {option.name for option in options}
    values: Sequence[object] = [
        value
        for option in options
        for value in option.values
        if isinstance(value, str) and option.name != "double_yakuman"  # these are proper names
    ]
    assert [name for name in names if not words("options")[name][lang]] == []
    assert [value for value in values if not words("values")[str(value)][lang]] == []
    assert set(words("options")) == names


def test_what_there_is_to_choose_from_is_offered(setting: Setting) -> None:
    offered = setting.server.json("/api/setup")
    assert offered["recordings"] == ["friday.mp4"]
    assert offered["sample"] is True
    assert [rules["id"] for rules in offered["rules"]] == list(RULE_SETS)
    assert setting.server.get("/").status == 200  # it leads to the set-up page
    assert 'id="begin"' in setting.server.get("/").text


def test_a_recording_is_tried_out_and_begun_with_names_and_options(setting: Setting) -> None:
    assert setting.ask("/api/setup/source", {"kind": "recording", "name": "friday.mp4"}) == {
        "name": "friday.mp4",
        "status": 200,
    }
    found = setting.check()
    assert (found["width"], found["height"]) == (1280, 720)
    truth = np.array([[351.2, 52.1], [945.6, 83.2], [905.1, 662.1], [333.5, 635.2]])
    assert np.abs(np.array(found["corners"]) - truth).max() < 8
    assert found["good"]
    assert {finding["name"] for finding in found["findings"]} >= {"tile_px", "blur", "glare"}
    moved = [[351, 52], [945, 84], [905, 660], [334, 635]]
    assert setting.ask("/api/setup/corners", {"corners": moved})["status"] == 200
    assert setting.check("by_person")["corners"] == moved
    picture = setting.server.get_bytes("/api/setup/picture")
    assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) is not None
    told = {
        "rules": "harbin-hlr",
        "options": {"shooting_punishment": True},
        "names": ["Anna", "Bo", "", "Dana"],
        "seat0": "right",
        "lang": "zh",
    }
    begun = setting.ask("/api/setup/start", told)
    assert begun["page"].startswith("/#")
    (wanted,) = setting.began
    assert wanted.start == GameStart(
        "harbin-hlr", {"shooting_punishment": True}, ("Anna", "Bo", "", "Dana")
    )
    assert wanted.record.parent == setting.folder
    reader = wanted.make_reader()
    assert isinstance(reader, TableReader)
    view = reader.view
    assert view is not None
    assert (view.seat0, view.corners_px[0]) == ("right", (351.0, 52.0))
    # Now the table is shown; the set-up page stays for the next game.
    assert setting.server.json("/health")["source"] == "friday.mp4"
    assert 'class="can-set-up"' in setting.server.get("/").text
    assert setting.server.get("/setup").status == 200


def closed(page: ClientConnection) -> int | None:
    """Listen until the server closes the socket; answers why it did."""
    with contextlib.suppress(ConnectionClosed):
        deque(page, maxlen=0)
    return page.close_code


def test_another_game_ends_the_one_that_is_shown(setting: Setting) -> None:
    first = setting.ask("/api/setup/start", {"sample": True})
    assert first["status"] == 200
    with setting.server.socket("/ws") as page:
        assert json.loads(page.recv())["type"] == "snapshot"
        second = setting.ask("/api/setup/start", {"sample": True})
        assert second["status"] == 200
        assert second["page"] != first["page"]
        assert closed(page) == 1013  # "try again later", which our pages do
    assert len({wanted.record for wanted in setting.began}) == 2
    assert setting.server.json("/health")["source"] == "sample.mp4"


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("source", {"kind": "recording", "name": "../secret.mp4"}, 422, "there is no recording"),
        ("source", {"kind": "recording", "name": "notes.txt"}, 422, "there is no recording"),
        ("source", {"kind": "camera", "number": 77}, 422, "cannot be opened"),
        ("source", {"kind": "camera", "number": "/etc/passwd"}, 400, "number of a camera"),
        ("source", {"kind": "stream", "address": "file:///etc/passwd"}, 422, "begins with rtsp"),
        ("source", {"kind": "telescope"}, 400, "camera, stream, phone"),
        ("corners", {"corners": None}, 422, "choose a camera first"),
        ("start", {"rules": "harbin-hlr"}, 422, "choose a camera first"),
        ("start", {"rules": "go"}, 422, "rules"),
        ("start", {"rules": "wsom", "names": ["A", "B"]}, 400, "names"),
        ("start", {"rules": "wsom", "options": {"red": 1}}, 422, "options"),
        ("start", {"rules": "wsom", "seat0": "under"}, 400, "seat0"),
        ("start", {"sample": True, "lang": "xx"}, 400, "lang"),
        ("start", b"{", 400, "not JSON"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    setting: Setting, path: str, body: object, status: int, detail: str
) -> None:
    told = setting.ask(f"/api/setup/{path}", body)
    assert (told["status"], detail in told["detail"]) == (status, True), told
    assert "\n" not in told["detail"]
    assert setting.began == []


def test_corners_that_no_table_has_are_refused(setting: Setting) -> None:
    setting.ask("/api/setup/source", {"kind": "sample"})
    before = setting.check()["corners"]
    for corners in ([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0]], "all", [[0, 0, 0]] * 4):
        told = setting.ask("/api/setup/corners", {"corners": corners})
        assert told["status"] in (400, 422)
    assert np.abs(np.array(setting.check()["corners"]) - np.array(before)).max() < 8


def sent(setting: Setting, name: str, data: bytes, kind: str = "application/octet-stream") -> int:
    request = urllib.request.Request(
        f"{setting.server.url}/api/setup/recordings/{name}",
        data,
        {"Content-Type": kind, "Host": setting.server.host},
        method="PUT",
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            status: int = response.status
            return status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_recording_can_be_sent(setting: Setting) -> None:
    data = (SAMPLES / "harbin.mp4").read_bytes()
    assert sent(setting, "my%20game.MP4", data) == 200
    assert setting.check()["good"]
    assert sent(setting, "game.mp4", b"no video") == 422
    assert sent(setting, "game.exe", data) == 422
    assert sent(setting, "game.mp4", data, "text/plain") == 400
    assert {path.name for path in setting.folder.iterdir()} == {"friday.mp4", "notes.txt"}


def refused_upload(setting: Setting, name: str, data: bytes) -> str:
    request = urllib.request.Request(
        f"{setting.server.url}/api/setup/recordings/{name}",
        data,
        {"Content-Type": "application/octet-stream", "Host": setting.server.host},
        method="PUT",
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60)
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
        ({}, b"no video", "no video"),
        ({}, bytes(3_000_000), "no video"),
        ({}, b"#EXTM3U\n#EXTINF:9,\nfriday.mp4\n", "no video"),
        ({"LARGEST": 3000}, (SAMPLES / "harbin.mp4").read_bytes(), "larger than 3000"),
        ({"ROOM_LEFT": 1 << 60}, (SAMPLES / "harbin.mp4").read_bytes(), "no room"),
        ({"LONGEST_S": 0.0}, (SAMPLES / "harbin.mp4").read_bytes(), "too long"),
        ({}, (SAMPLES / "harbin.mp4").read_bytes()[:1_000_000], "game.mp4"),
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
        monkeypatch.setattr(f"service.live.uploads.{name}", limit)
    assert told in refused_upload(setting, "game.mp4", data)
    assert kept(setting) == []
    assert setting.server.json("/api/setup/check") == {"problem": None, "found": None}


def test_an_upload_that_stops_is_let_go_and_the_next_one_comes(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live.uploads.SILENT_S", 2.0)
    data = (SAMPLES / "harbin.mp4").read_bytes()
    host, port = setting.server.host.split(":")
    head = f"PUT /api/setup/recordings/a.mp4 HTTP/1.1\r\nHost: {setting.server.host}\r\n"
    head += f"Content-Type: application/octet-stream\r\nContent-Length: {len(data)}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as stuck:
        stuck.sendall(head.encode() + data[:5000])
        assert "another recording is being sent" in refused_upload(setting, "b.mp4", data)
        told = b""
        while not told.endswith(b"}"):
            told += stuck.recv(10_000)
        assert b"stopped coming" in told
    assert kept(setting) == []
    assert sent(setting, "b.mp4", data) == 200
    assert len(kept(setting)) == 1
    assert setting.set_up.preview is not None
    assert setting.set_up.preview.source.name == "b.mp4"


def test_a_decoder_that_dies_leaves_the_server_with_one_sentence(setting: Setting) -> None:
    assert sent(setting, "game.mp4", (SAMPLES / "harbin.mp4").read_bytes()) == 200
    setting.check()
    for decoder in decoders():
        os.kill(decoder, signal.SIGSEGV)
    for _ in range(200):
        told = setting.server.json("/api/setup/check")["problem"]
        if told is not None:
            break
        time.sleep(0.05)
    assert "send another file" in told
    assert setting.ask("/api/setup/source", {"kind": "sample"})["status"] == 200
    assert setting.check()["good"]


def test_pages_of_other_sites_set_nothing_up(setting: Setting) -> None:
    foreign = {"Origin": "http://evil.example"}
    answer = setting.server.post("/api/setup/source", {"kind": "sample"}, foreign)
    assert answer.status == 403
    assert setting.server.get("/api/setup", host="evil.example").status == 400


def test_the_sample_in_the_package_is_that_of_the_samples() -> None:
    first = VideoFile(SAMPLES / "harbin.mp4").duration_s
    shipped = STATIC.parent / "sample.mp4"
    assert VideoFile(shipped).duration_s == first


def test_a_record_is_opened_without_pictures(setting: Setting) -> None:
    shutil.copy(SAMPLES / "riichi.jsonl", setting.folder / "log.jsonl")
    assert setting.server.json("/api/setup")["records"] == ["log.jsonl"]
    for bad in ("other.jsonl", "../log.jsonl", "notes.txt", 7):
        assert setting.ask("/api/setup/start", {"open": bad})["status"] == 422
    begun = setting.ask("/api/setup/start", {"open": "log.jsonl"})
    assert begun["page"].startswith("/#")
    health = setting.server.wait_for_end()
    assert (health["source"], health["problem"], health["events"]) == ("log.jsonl", None, 1086)
    key = begun["page"][2:]
    told = json.loads(setting.server.get("/api/drill?seat=2", key=key).text)
    assert len(told["decisions"]) > 60
    # Nothing was added to it.
    same = (setting.folder / "log.jsonl").read_text() == (SAMPLES / "riichi.jsonl").read_text()
    assert same


def test_a_file_that_is_no_record_is_refused(setting: Setting) -> None:
    (setting.folder / "broken.jsonl").write_text("{\n")
    told = setting.ask("/api/setup/start", {"open": "broken.jsonl"})
    assert told["status"] == 422
    assert "broken.jsonl" in told["detail"]


class Apart(Blind):
    """Stands in for a detector that is at work for long, and notes who works with it."""

    def __init__(self, held: threading.Event) -> None:
        self._held = held
        self.at_work = False
        self.disturbed = False

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: tuple[int, int, int, int] | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        self.disturbed |= self.at_work
        self.at_work = True
        self._held.wait(20)
        self.at_work = False
        return []


def test_no_detector_serves_a_table_and_a_source_that_is_tried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow machine the picture is still being read when the game begins."""
    monkeypatch.setattr("service.live.preview.STOP_S", 0.1)
    shutil.copy(SAMPLES / "harbin.mp4", tmp_path / "friday.mp4")
    made: list[Apart] = []
    held = threading.Event()

    def load() -> Apart:
        made.append(Apart(held))
        return made[-1]

    with set_up_at(tmp_path, load) as setting:
        recording = {"kind": "recording", "name": "friday.mp4"}
        assert setting.ask("/api/setup/source", recording)["status"] == 200
        setting.check()
        names = ["", "", "", ""]
        asked = {"rules": "harbin-hlr", "options": {}, "names": names, "seat0": "bottom"}
        assert setting.ask("/api/setup/start", asked)["status"] == 200
        # While the table is watched, the next game is set up.
        assert setting.ask("/api/setup/source", recording)["status"] == 200
        setting.check()
        for _ in range(200):
            if sum(one.at_work for one in made) == 3:
                break
            time.sleep(0.05)
        assert sum(one.at_work for one in made) == 3
        held.set()
    assert not any(one.disturbed for one in made)
