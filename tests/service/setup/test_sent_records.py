"""Records and public logs that a browser sends are kept as records, and opened."""

from __future__ import annotations

import base64
import gzip
import shutil
import socket
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.codec import read_record
from engine.events import Discard
from service.errors import Refused
from service.logs.mjai import write_mjai
from service.logs.record_writer import MOST_EVENTS
from service.setup.sent_records import MOST_SENT, keep_record
from service.setup.uploads import ROOM_LEFT
from tests.support.browsing import PHONE, fits, opened
from tests.support.paths import GAMES, SAMPLES
from tests.support.patience import until
from tests.support.setting_up import set_up_at

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
    with pytest.raises(Refused, match="more than 50000 lines"):
        keep_record(tmp_path, "long.jsonl", RECORD + b"{}\n" * MOST_EVENTS)
    with pytest.raises(Refused, match="larger than 8 MiB"):
        keep_record(tmp_path, "long.jsonl.gz", gzip.compress(b" " * (MOST_SENT + 1)))
    assert names(tmp_path) == []


def test_a_log_makes_no_endless_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("service.logs.record_writer.MOST_EVENTS", 100)
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
    monkeypatch.setattr("service.setup.pages.MOST_SENT", len(RECORD))
    with set_up_at(tmp_path) as setting:
        assert setting.put(FRIDAY, RECORD)["status"] == 200
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
        expect(page.get_by_label("Open a record or a log")).to_be_visible()
        drop(page, "broken.json", b'{"type": "start_game"}\n')
        expect(page.locator("[role=alert]").filter(has_text="broken.json")).to_be_visible()
        assert fits(page)
        page.get_by_label("Open a record or a log").set_input_files(tmp_path / "friday.mjson")
        page.wait_for_url("**/#*")
        expect(page.get_by_role("link", name="The game so far")).to_be_visible()
        assert "friday.jsonl" in names(games / "study")  # where it counts in no standings
        page.close()
