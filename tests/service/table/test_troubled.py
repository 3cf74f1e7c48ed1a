"""What goes wrong around a live table, seen from the outside: no room, no camera, odd clocks."""

from __future__ import annotations

import ast
import json
import resource
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import ClientConnection

from engine.codec import read_record, write_record
from service.evening.session import SetUpSession
from service.evening.wire import CameraChoice, StartRequest
from service.table.live_table import LiveTable, TableSettings
from service.table.reader_maker import ReaderMaker
from service.table.record_file import sealed_record
from tests.support.detectors import Blind
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, served
from tests.support.table_program import serve_table
from tests.support.told_reader import ToldReader
from tests.support.warm import warm
from vision.attention.schedule import CAMERA
from vision.camera.frames import Frame, Frames, FrameSource
from vision.camera.pictures import SourceError
from vision.camera.reconnecting import ReconnectingCamera

DICE = {"type": "dice", "values": [1, 2]}
AGAIN_S = 0.3
"""Between two attempts to open a camera that was lost."""
WALL_CLOCK = {
    "service/web/background.py": "since when something fails",
    "service/machine/records.py": "names a record, and knows which belong to this evening",
    "service/phone/server.py": "a certificate is valid by the calendar",
    "service/pages/request_log.py": "a log tells the time of day",
    "service/archive/leases.py": "until when a worker has a film",
    "service/hall/access.py": "when a key was made",
    "service/hall/records.py": "when a record was last heard of",
    "service/hall/webhooks.py": "when a message is signed",
    "service/hall/webhook_cursors.py": "when a message is posted again",
    "service/hall/migrations/versions/served_webhooks.py": "since when an address counts as served",
    "service/hall/hall.py": "how long ago that was, after a restart",
}
"""Files that look at the time of day, and what for; a game is timed by none of them."""


def heard(
    socket: ClientConnection, until: Callable[[dict[str, Any]], bool]
) -> list[dict[str, Any]]:
    """Messages until one that is waited for."""
    messages: list[dict[str, Any]] = []
    while not messages or not until(messages[-1]):
        messages.append(json.loads(socket.recv(PATIENCE_S)))
    return messages


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process")
def test_a_full_disk_is_said_and_the_game_goes_on_when_there_is_room_again(tmp_path: Path) -> None:
    told, record = tmp_path / "told.jsonl", tmp_path / "game.jsonl"
    told.write_text(write_record(ENTRIES))
    with (
        warm(serve_table, record, told) as process,
        (client := Served(f"127.0.0.1:{process.told()}")).socket("/ws") as page,
    ):
        assert json.loads(page.recv(PATIENCE_S))["type"] == "table"
        named = [replace(one, change=f"told@{at}") for at, one in enumerate(ENTRIES[:5])]
        room = len(sealed_record(named).encode()) + 20
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (room, -1))
        process.line.send("go on")
        full = heard(page, lambda message: message["status"]["problem"] is not None)
        assert full[-1]["status"]["problem"] == "the record cannot be written: File too large"
        assert full[-1]["status"]["trouble_kind"] == "unwritten"
        announced = [message["happened"][-1]["number"] for message in full[:-1]]
        assert announced == list(range(5))
        health = client.json("/health")
        assert health["problem"] == health["trouble"] == full[-1]["status"]["problem"]
        answer = client.post("/api/events", {"event": DICE, "lines": 5})
        assert answer.status == 507
        assert "nothing was changed" in json.loads(answer.text)["detail"]
        written = record.stat().st_mtime_ns
        until(lambda: record.stat().st_mtime_ns != written)  # it is tried again
        assert record.read_text().count("\n") == 5
        assert client.json("/api/events")["lines"] == 5
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
        whole = len(ENTRIES), None
        after = heard(page, lambda shown: (shown["lines"], shown["status"]["problem"]) == whole)
        numbers = sorted({each["happened"][-1]["number"] for each in after if each["lines"] > 5})
        assert numbers == list(range(5, len(ENTRIES)))
    assert [entry.event for entry in read_record(record.read_text())] == [
        entry.event for entry in ENTRIES
    ]


class Plug:
    """A camera whose plug is pulled when that is wanted, and that is there again later."""

    name = "camera 7"

    def __init__(self, number: int, pulled: threading.Event) -> None:
        """``number`` is how blue its pictures are, no two of which are the same."""
        self._number = number
        self._pulled = pulled

    def frames(self, step_s: float = 0.0) -> Frames:
        begun_s = time.monotonic()
        for index in count():
            if self._pulled.is_set():
                break
            picture = np.full((36, 64, 3), (self._number, index % 250, 0), np.uint8)
            yield Frame(picture, time.monotonic() - begun_s, index)
            time.sleep(0.02)
        raise SourceError("camera 7 stopped sending pictures; plug it in again")


def test_a_camera_that_is_lost_is_said_and_waited_for(tmp_path: Path) -> None:
    pulled = threading.Event()
    opened = 0

    def plugged() -> FrameSource:
        nonlocal opened
        opened += 1
        if opened in (2, 3):
            raise SourceError("camera 7 cannot be opened")
        return Plug(opened, threading.Event() if opened > 1 else pulled)

    source = ReconnectingCamera(plugged, again_s=AGAIN_S)
    table = LiveTable(
        ToldReader([]),
        source.frames(),
        KeptLines(),
        TableSettings("harbin-hlr", source.name, before=ENTRIES),
    )
    source.say = lambda notice: table.reader.notice(notice)
    table.reader.let_go = source.end
    with served(table) as client, client.socket("/ws") as page:
        page.recv(PATIENCE_S)
        pulled.set()
        lost = heard(page, lambda message: message["status"]["problem"] is not None)[-1]
        assert "camera 7 sends no pictures any more; waiting for it" in lost["status"]["problem"]
        event = {"event": DICE, "lines": len(ENTRIES)}
        assert client.post("/api/events", event).status == 200  # people go on meanwhile
        back = heard(page, lambda message: message["status"]["problem"] is None)[-1]["status"]
        assert (back["problem"], back["ended"]) == (None, False)
        # Three times it was waited for, and the clock went on.
        until(lambda: client.json("/health")["time_s"] > 3 * AGAIN_S)
    assert opened == 4


def test_a_camera_chosen_on_the_set_up_page_is_waited_for_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulled = [threading.Event() for _ in range(3)]
    cameras = [Plug(number, each) for number, each in enumerate(pulled)]
    monkeypatch.setattr("service.evening.session.open_live", lambda text: cameras.pop(0))
    monkeypatch.setattr("vision.camera.reconnecting.AGAIN_S", 0.05)
    set_up = SetUpSession(Blind, tmp_path)
    assert set_up.choose(CameraChoice(kind="camera", number=7)) == "camera 7"
    preview = set_up.preview
    assert preview is not None
    until(lambda: preview.number >= 0)
    preview.give_corners(((5, 5), (60, 5), (60, 30), (5, 30)))
    wanted = set_up.begin(StartRequest(rules="harbin-hlr"))
    assert isinstance(wanted.make_reader, partial)
    maker = wanted.make_reader.func
    assert isinstance(maker, ReaderMaker)
    assert maker.pace is CAMERA
    frames = wanted.source.frames()
    first = next(frames)
    pulled[0].set()
    later = next(frame for frame in frames if frame.image_bgr[0, 0, 0] != 0)
    assert later.time_s > first.time_s
    assert len(cameras) == 1
    frames.close()
    set_up.close()


def reads_the_wall_clock(source: str) -> bool:
    asked = {"time.time", "time.strftime", "time.localtime", "datetime.now", "datetime.utcnow"}
    return any(
        ".".join(ast.unparse(node.func).split(".")[-2:]) in asked
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
    )


def test_no_game_is_timed_by_a_clock_that_people_set() -> None:
    files = [path for top in ("engine", "vision", "service") for path in (ROOT / top).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if reads_the_wall_clock(path.read_text("utf-8"))
    }
    assert found == set(WALL_CLOCK)


def test_a_clock_that_jumps_moves_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = count(0)

    def jumping() -> float:
        return 1_700_000_000.0 + (next(jumps) % 2) * 86_400.0

    monkeypatch.setattr("time.time", jumping)
    record = KeptLines()
    source = ReconnectingCamera(lambda: Plug(0, threading.Event()))
    told = [replace(entry, t=round(0.05 * number, 2)) for number, entry in enumerate(ENTRIES)]
    table = LiveTable(
        ToldReader(told), source.frames(), record, TableSettings("harbin-hlr", source.name)
    )
    begun_s = time.monotonic()
    with served(table) as client, client.socket("/ws") as page:
        while len(record.entries) < len(told):
            page.recv(PATIENCE_S)
        shown_s = client.json("/health")["time_s"]
        assert shown_s <= time.monotonic() - begun_s
        answer = client.post("/api/events", {"event": DICE, "lines": len(told)})
        assert answer.status == 200
        lasted_s = time.monotonic() - begun_s
    times = [entry.t or 0.0 for entry in record.entries]
    assert times == sorted(times)
    assert times[-1] <= lasted_s + 0.01  # the record has hundredths of a second
