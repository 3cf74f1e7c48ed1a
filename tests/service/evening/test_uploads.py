"""Recordings and records that a browser sends: taken, limited, kept, and decoded apart."""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.codec import MOST_LINES, read_record
from engine.errors import Refused
from engine.events import Discard
from engine.logs.mjai import write_mjai
from service.evening.sent_records import MOST_SENT, keep_record
from service.evening.uploads import ROOM_LEFT
from tests.support.browsing import PHONE, opened
from tests.support.decoders import decoders
from tests.support.paths import FILM, GAMES, SAMPLES
from tests.support.patience import PATIENCE_S, until
from tests.support.screens import looked_at
from tests.support.setting_up import Setting, set_up_at


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setting]:
    monkeypatch.setattr("service.evening.pages.HEARD_OUT_S", PATIENCE_S)
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
                patched.setattr(f"service.evening.uploads.{name}", limit)
            told = setting.put("recordings/game.mp4", data)
        assert (400 <= told["status"] < 500, says in told["detail"]) == (True, True), told
        assert "\n" not in told["detail"]
        assert kept(setting) == []
    assert setting.server.json("/api/setup/check") == {"problem": None, "found": None}
    data = FILM.read_bytes()
    tried = {"name": "my game.MP4", "asked": None}
    assert setting.put("recordings/my%20game.MP4", data) == {"told": tried, "status": 200}
    assert setting.check()["good"]
    assert setting.put("recordings/game.exe", data)["status"] == 422
    plain = {"Content-Type": "text/plain"}
    assert setting.put("recordings/game.mp4", data, **plain)["status"] == 400
    assert [path.name for path in setting.folder.iterdir()] == ["friday.mp4"]


def test_an_upload_that_stops_is_let_go_and_the_next_one_comes(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.evening.uploads.SILENT_S", PATIENCE_S)
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
        monkeypatch.setattr("service.evening.uploads.SILENT_S", 0.2)
        monkeypatch.setattr("service.evening.pages.HEARD_OUT_S", 0.2)
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


RECORD = (GAMES / "riichi-tenhou.jsonl").read_bytes()
PLAYED = (SAMPLES / "riichi.jsonl").read_text("utf-8")
MJAI = write_mjai(read_record(PLAYED)).encode()
FRIDAY = "records/friday.jsonl"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def discarded(text: str) -> list[str]:
    return [str(one.event.tile) for one in read_record(text) if isinstance(one.event, Discard)]


def test_the_same_record_is_kept_once_and_no_other_is_replaced(tmp_path: Path) -> None:
    assert keep_record(tmp_path, "friday.jsonl", RECORD) == "friday.jsonl"
    assert keep_record(tmp_path, "friday.jsonl", RECORD) == "friday.jsonl"
    assert keep_record(tmp_path, "friday.mjlog.gz", gzip.compress(MJAI)) == "friday-1.jsonl"
    assert names(tmp_path) == ["friday-1.jsonl", "friday.jsonl"]
    kept, again = (discarded((tmp_path / name).read_text()) for name in names(tmp_path)[::-1])
    assert kept == discarded(RECORD.decode())
    assert again == discarded(PLAYED)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd.jsonl"),
        ("..\\..\\boot.ini", "boot.jsonl"),
        (".hidden.jsonl", "game.jsonl"),
        ("Freitag <b>?*:|.json", "Freitag -b.jsonl"),
        ("金曜日の対局.json", "金曜日の対局.jsonl"),
        ("x" * 300, "x" * 80 + ".jsonl"),
        ("aux.jsonl", "game-aux.jsonl"),
        ("Com1.of-a-port.json", "game-Com1.jsonl"),
        ("console.jsonl", "console.jsonl"),
    ],
)
def test_a_name_stays_in_the_folder(tmp_path: Path, name: str, kept: str) -> None:
    assert keep_record(tmp_path, name, RECORD) == kept
    assert names(tmp_path) == [kept]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not in any of the known formats"),
        (b"a picture", "not in any of the known formats"),
        (b"\xff\xfe\x00", "expected text in UTF-8"),
        (gzip.compress(MJAI)[:-20], "the packed file is cut off"),
        (RECORD[: len(RECORD) // 2], "line "),
        (RECORD.replace(b"riichi-tenhou", b"bridge"), "bridge"),
        (b'{"type": "start_game"}\n{"type": "flies"}', "flies"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, data: bytes, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        keep_record(tmp_path, "friday.jsonl", data)
    assert str(refused.value).startswith("friday.jsonl")
    assert "\n" not in str(refused.value)
    assert names(tmp_path) == []


def test_a_long_record_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="more than 20000 lines"):
        keep_record(tmp_path, "long.jsonl", RECORD + b"{}\n" * MOST_LINES)
    with pytest.raises(Refused, match="larger than 8 MiB"):
        keep_record(tmp_path, "long.jsonl.gz", gzip.compress(b" " * (MOST_SENT + 1)))
    assert names(tmp_path) == []


def test_a_log_makes_no_endless_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("engine.logs.record_writer.MOST_LINES", 100)
    with pytest.raises(Refused, match="more than 100 events"):
        keep_record(tmp_path, "long.mjson", MJAI)


def test_room_is_left_on_the_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    full = shutil.disk_usage(tmp_path)._replace(free=ROOM_LEFT + len(RECORD) // 2)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(Refused, match="no room for this record"):
        keep_record(tmp_path, "friday.jsonl", RECORD)
    assert names(tmp_path) == []


def test_records_are_received_one_at_a_time(tmp_path: Path) -> None:
    with set_up_at(tmp_path) as setting, socket.socket() as slow:
        host, port = setting.server.host.split(":")
        slow.connect((host, int(port)))
        head = (
            "PUT /api/setup/records/slow.jsonl HTTP/1.1",
            f"Host: {setting.server.host}",
            "Content-Type: application/octet-stream",
            f"Content-Length: {len(RECORD)}",
        )
        slow.sendall("\r\n".join((*head, "", "")).encode() + RECORD[:10])

        def second() -> int:
            return int(setting.put(FRIDAY, RECORD)["status"])

        until(lambda: second() == 422)
        assert "another record is being received" in setting.put(FRIDAY, RECORD)["detail"]
        slow.sendall(RECORD[10:])
        assert b" 200 " in slow.recv(65536)
        assert second() == 200


def test_only_a_browser_of_this_page_sends_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.evening.pages.MOST_SENT", len(RECORD))
    with set_up_at(tmp_path) as setting:
        kept = {"told": "study/friday.jsonl", "status": 200}
        assert setting.put(FRIDAY, RECORD) == kept
        assert setting.put(FRIDAY, RECORD, Origin="https://elsewhere.example")["status"] == 403
        assert setting.put(FRIDAY, RECORD, **{"Content-Type": "text/plain"})["status"] == 400
        told = setting.put(FRIDAY, RECORD + b"\n")
        assert told["detail"] == f"the record is larger than {len(RECORD)} bytes"
        assert names(tmp_path / "study") == ["friday.jsonl"]


def drop(page: Page, name: str, data: bytes) -> None:
    page.evaluate(
        """([name, data]) => {
          const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        [name, base64.b64encode(data).decode()],
    )


def test_a_log_is_opened_by_choosing_or_dropping_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "friday.mjson").write_bytes(MJAI)
    games = tmp_path / "games"
    games.mkdir()
    with set_up_at(games) as setting:
        page = opened(browser, f"{setting.server.url}/setup", PHONE, [])
        page.get_by_text("Something else", exact=True).click()
        expect(page.get_by_label("Open a record or a log")).to_be_visible()
        drop(page, "broken.json", b'{"type": "start_game"}\n')
        expect(page.locator("[role=alert]").filter(has_text="broken.json")).to_be_visible()
        looked_at(page, "refused")
        page.get_by_label("Open a record or a log").set_input_files(tmp_path / "friday.mjson")
        page.wait_for_url("**/#*")
        expect(page.get_by_role("link", name="The game so far")).to_be_visible()
        assert "friday.jsonl" in names(games / "study")  # where it counts in no standings
        page.close()
