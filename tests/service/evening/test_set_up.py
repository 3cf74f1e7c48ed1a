"""Setting a table up over HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from engine.codec import write_record
from engine.events import GameStart
from engine.rules import RULE_SETS
from service.evening.session import SetUpSession
from service.evening.wire import StartRequest
from service.table.options import Options
from tests.support.detectors import Blind
from tests.support.paths import FILM, SAMPLES, STATIC
from tests.support.patience import PATIENCE_S, until
from tests.support.riichi_sample import ENTRIES, MIDDLE
from tests.support.setting_up import Setting, key_in, set_up_at
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.detect import Detection
from vision.pipeline import TableReader


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    (tmp_path / "notes.txt").write_text("no video")
    with set_up_at(tmp_path) as setting:
        yield setting


@pytest.fixture(scope="module")
def unbegun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    """A server at which nothing that is asked begins a game."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "notes.txt").write_text("no video")
    (folder / "broken.jsonl").write_text("{\n")
    with set_up_at(folder) as setting:
        yield setting


def test_what_there_is_to_choose_from_is_offered(setting: Setting) -> None:
    offered = setting.server.json("/api/setup")
    assert offered["recordings"] == ["friday.mp4"]
    assert offered["sample"]["names"] == ["Anna", "Bo", "Chen", "Dana"]
    assert [rules["id"] for rules in offered["rules"]] == list(RULE_SETS)
    assert setting.server.get("/").status == 200  # it leads to the set-up page
    assert 'id="begin"' in setting.server.get("/").text


def test_a_recording_is_tried_out_and_begun_with_names_and_options(setting: Setting) -> None:
    asked = {"kind": "recording", "name": "friday.mp4"}
    tried = setting.ask("/api/setup/source", asked)
    assert tried == {"name": "friday.mp4", "asked": asked, "status": 200}
    assert setting.server.json("/api/setup")["tried"] == {"name": "friday.mp4", "asked": asked}
    found = setting.check()
    assert (found["width"], found["height"]) == (1280, 720)
    truth = np.array([[351.2, 52.1], [945.6, 83.2], [905.1, 662.1], [333.5, 635.2]])
    assert np.abs(np.array(found["corners"]) - truth).max() < 8
    assert found["good"]
    assert {finding["name"] for finding in found["findings"]} >= {"tile_px", "blur", "glare"}
    moved = [[351, 52], [945, 84], [905, 660], [334, 635]]
    assert setting.ask("/api/setup/corners", {"corners": moved})["status"] == 200
    assert setting.check("by_person")["corners"] == moved
    assert setting.ask("/api/setup/mirrored", {"mirrored": "yes"})["status"] == 400
    assert setting.ask("/api/setup/mirrored", {"mirrored": True})["status"] == 200
    turned = np.array(setting.check("mirrored")["corners"])
    assert np.abs(turned[:, 0] - (1279 - truth[[1, 0, 3, 2], 0])).max() < 8
    assert setting.ask("/api/setup/corners", {"corners": moved})["status"] == 200
    picture = setting.server.get_bytes("/api/setup/picture")
    assert cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR) is not None
    told = {
        "rules": "harbin-hlr",
        "options": {"shooting_punishment": True},
        "names": ["Anna", "Bo", "", "Dana"],
        "seat0": "right",
        "first_dealer": 0,
        "read_twice": 4,
        "lang": "zh",
    }
    begun = setting.ask("/api/setup/start", told)
    assert begun["page"].startswith("/#")
    (wanted,) = setting.began
    assert wanted.start == GameStart(
        "harbin-hlr", {"shooting_punishment": True}, ("Anna", "Bo", "", "Dana"), first_dealer=0
    )
    assert wanted.record.parent == setting.folder
    assert wanted.options.read_twice == 4
    reader = wanted.make_reader()
    assert isinstance(reader, TableReader)
    view = reader.view
    assert view is not None
    assert (view.seat0, view.corners_px[0]) == ("right", (351.0, 52.0))
    (seen,) = islice(reader.read(wanted.source.frames()), 1)
    assert reader.decoder is not None
    assert reader.decoder.search.best.played_with == wanted.start.options
    given = next(VideoFile(FILM).frames()).image_bgr
    assert np.array_equal(seen.frame.image_bgr, given[:, ::-1])
    # Now the table is shown; the set-up page stays for the next game.
    assert setting.server.json("/health")["source"] == "friday.mp4"
    assert 'class="can-set-up"' in setting.server.get("/").text
    assert setting.server.get("/setup", key=key_in(begun)).status == 200


def closed(page: ClientConnection) -> int | None:
    """Listen until the server closes the socket; answers why it did."""
    with contextlib.suppress(ConnectionClosed):
        deque(page, maxlen=0)
    return page.close_code


def test_another_game_ends_the_one_that_is_shown(setting: Setting) -> None:
    first = setting.ask("/api/setup/start", {"sample": True})
    with setting.server.socket("/ws") as page:
        assert json.loads(page.recv())["type"] == "table"
        kept = setting.ask("/api/setup/start", {"sample": True}, key_in(first))
        assert kept["status"] == 409
        (running,) = (wanted.record.name for wanted in setting.began)
        assert running in kept["detail"]
        offered = json.loads(setting.server.get("/api/setup", key=key_in(first)).text)
        assert offered["running"] == {"source": "sample.mp4", "record": running}
        assert setting.server.json("/health")["status"] == "watching"
        replaced = {"sample": True, "replace": True}
        second = setting.ask("/api/setup/start", replaced, key_in(first))
        assert key_in(second) == key_in(first)  # the phones stay where they are
        assert closed(page) == 1013  # "try again later", which our pages do
    assert len({wanted.record for wanted in setting.began}) == 2
    # It is nobody's evening: it counts in no standings, and no next game follows.
    assert {wanted.record.parent.name for wanted in setting.began} == {"study"}
    assert not any(wanted.has_next for wanted in setting.began)
    assert setting.server.json("/health")["source"] == "sample.mp4"


def test_once_a_table_runs_its_control_key_alone_sets_up_another(setting: Setting) -> None:
    control = key_in(setting.ask("/api/setup/start", {"sample": True}))
    others = json.loads(setting.server.get("/api/seats", key=control).text)
    for key in ("", "wrong", "\xff", others[0]["address"].split("#")[1]):
        for path in ("/setup", "/api/setup", "/api/setup/check", "/api/setup/picture"):
            assert setting.server.get(path, key=key or None).status == 401
        for path in ("start", "source", "corners"):
            refused = setting.ask(f"/api/setup/{path}", {"sample": True, "kind": "sample"}, key)
            assert (refused["status"], set(refused)) == (401, {"status", "detail"})
        assert setting.server.json("/health")["status"] == "watching"
    assert len(setting.began) == 1
    assert setting.set_up.preview is None
    assert setting.server.get("/api/setup", key=control).status == 200


def test_of_many_that_begin_at_once_one_does(setting: Setting) -> None:
    with ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(setting.ask, "/api/setup/start", {"sample": True}) for _ in range(12)]
        told = [one.result(PATIENCE_S)["status"] for one in asked]
    assert sorted(told) == [200] + [401] * (told.count(401)) + [403] * told.count(403)
    assert len(told) == 12
    assert len(setting.began) == 1


def test_a_phone_that_is_chosen_again_keeps_its_address(setting: Setting) -> None:
    phone = {"kind": "phone"}
    first = setting.ask("/api/setup/source", phone)
    assert setting.ask("/api/setup/source", phone) == first
    told = setting.server.json("/api/setup")["tried"]
    assert told["address"] == first["address"]
    assert told["qr"].startswith("<svg")
    # The address of a camera may hold a password.
    stream = {"kind": "stream", "address": "rtsp://me:secret@127.0.0.1:9/none"}
    assert setting.ask("/api/setup/source", stream)["status"] == 422
    assert setting.server.json("/api/setup")["tried"] is None


def test_many_sources_that_are_chosen_at_once_leave_one_open(setting: Setting) -> None:
    with ThreadPoolExecutor(12) as pool:
        asked = [
            pool.submit(setting.ask, "/api/setup/source", {"kind": "phone"}) for _ in range(12)
        ]
        assert {one.result(PATIENCE_S)["status"] for one in asked} == {200}
    phones = setting.set_up.listeners
    assert phones.count == 1
    setting.set_up.let_go()
    assert phones.count == 0


@pytest.mark.parametrize("hosts", [["localhost", "127.0.0.1"], ["*"]])
def test_a_host_that_cannot_be_parsed_is_nobody_s(tmp_path: Path, hosts: list[str]) -> None:
    unreadable = ("", "[::1", "[", "local host", "localhost:", "localhost:http", "me@localhost")
    with set_up_at(tmp_path, hosts=hosts) as setting:
        for host in (*unreadable, "a/../b", "%"):
            connection = http.client.HTTPConnection(setting.server.host, timeout=PATIENCE_S)
            with contextlib.closing(connection):
                connection.putrequest("GET", "/api/setup", skip_host=True)
                connection.putheader("Host", host)
                connection.endheaders()
                assert connection.getresponse().status == 400, host


@pytest.mark.parametrize(
    ("path", "body", "status", "detail"),
    [
        ("source", {"kind": "recording", "name": "../secret.mp4"}, 422, "there is no recording"),
        ("source", {"kind": "recording", "name": "notes.txt"}, 422, "there is no recording"),
        ("source", {"kind": "camera", "number": 77}, 422, "cannot be opened"),
        ("source", {"kind": "camera", "number": "/etc/passwd"}, 400, 'number": expected'),
        ("source", {"kind": "stream", "address": "file:///etc/passwd"}, 422, "begins with rtsp"),
        ("source", {"kind": "telescope"}, 400, "'camera', 'stream', 'rec"),
        ("corners", {"corners": None}, 422, "choose a camera first"),
        ("start", {"rules": "harbin-hlr"}, 422, "choose a camera first"),
        ("start", {"rules": "go"}, 422, "rules"),
        ("start", {"rules": "wsom", "names": ["A", "B"]}, 400, "names"),
        ("start", {"rules": "wsom", "options": {"red": 1}}, 422, "options"),
        ("start", {"rules": "wsom", "seat0": "under"}, 400, "seat0"),
        ("start", {"rules": "wsom", "first_dealer": 4}, 422, "first_dealer"),
        ("start", {"rules": "wsom", "read_twice": 0}, 400, "read_twice"),
        ("start", {"rules": "wsom", "read_twice": "8000 points"}, 400, "read_twice"),
        ("start", {"sample": True, "lang": "xx"}, 400, "lang"),
        ("start", b"{", 400, "not JSON"),
        ("start", {"open": "broken.jsonl"}, 422, "broken.jsonl"),
        ("start", {"open": "other.jsonl"}, 422, "other.jsonl"),
        ("start", {"open": "../log.jsonl"}, 422, "log.jsonl"),
        ("start", {"open": "notes.txt"}, 422, "notes.txt"),
        ("start", {"open": 7}, 422, "7"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    unbegun: Setting, path: str, body: object, status: int, detail: str
) -> None:
    told = unbegun.ask(f"/api/setup/{path}", body)
    assert (told["status"], detail in told["detail"]) == (status, True), told
    assert "\n" not in told["detail"]
    assert unbegun.began == []


def test_corners_that_no_table_has_are_refused(setting: Setting) -> None:
    setting.ask("/api/setup/source", {"kind": "sample"})
    before = setting.check()["corners"]
    for corners in ([[0, 0], [1, 0], [1, 1], [0, 1]], [[0, 0]], "all", [[0, 0, 0]] * 4):
        told = setting.ask("/api/setup/corners", {"corners": corners})
        assert told["status"] in (400, 422)
    assert np.abs(np.array(setting.check()["corners"]) - np.array(before)).max() < 8


def test_neither_other_sites_nor_what_a_proxy_passes_on_set_anything_up(unbegun: Setting) -> None:
    for name, value in (
        ("Origin", "http://evil.example"),
        ("X-Forwarded-For", "for=127.0.0.1"),
        ("Forwarded", "for=127.0.0.1"),
    ):
        answer = unbegun.server.post("/api/setup/start", {"sample": True}, {name: value})
        assert answer.status == 403
    assert unbegun.server.get("/api/setup", host="evil.example").status == 400
    assert unbegun.began == []


@pytest.mark.parametrize(("shipped", "kept"), [("mp4", "mp4"), ("jsonl", "seen.jsonl")])
def test_the_sample_in_the_package_is_that_of_the_samples(shipped: str, kept: str) -> None:
    sample = STATIC.parent / f"sample.{shipped}"
    assert sample.read_bytes() == (SAMPLES / f"open-hands.{kept}").read_bytes()


def test_a_record_is_opened_without_pictures(setting: Setting) -> None:
    shutil.copy(SAMPLES / "riichi.jsonl", setting.folder / "log.jsonl")
    assert setting.server.json("/api/setup")["records"] == ["log.jsonl"]
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


def test_records_with_names_that_are_no_text_are_listed_and_opened(setting: Setting) -> None:
    for spelled in (b"caf\xe9.jsonl", b"caf\xe8.jsonl", b"pi\xf1a.jsonl"):
        shutil.copy(SAMPLES / "riichi.jsonl", setting.folder / os.fsdecode(spelled))
    listed = setting.server.json("/api/setup")["records"]
    assert sorted(listed) == [
        "caf\\xe8.jsonl",
        "caf\\xe9.jsonl",
        "pi\N{REPLACEMENT CHARACTER}a.jsonl",
    ]
    name = "pi\N{REPLACEMENT CHARACTER}a.jsonl"
    assert setting.ask("/api/setup/start", {"open": name})["page"].startswith("/#")
    health = setting.server.wait_for_end()
    assert (health["source"], health["problem"], health["events"]) == (name, None, 1086)


@pytest.mark.parametrize(("lines", "goes_on"), [(MIDDLE, True), (1, False), (0, False)])
def test_a_record_that_broke_off_in_mid_hand_is_said_to_go_on(
    tmp_path: Path, lines: int, goes_on: bool
) -> None:
    record = tmp_path / "evening.jsonl"
    record.write_text(write_record(ENTRIES[:lines]))
    session = SetUpSession(Blind, tmp_path, Options(record=record))
    assert session.goes_on is goes_on
    assert not SetUpSession(Blind, tmp_path).goes_on
    session.close()


class Apart(Blind):
    """Stands in for a detector that is at work for long, and notes who works with it."""

    def __init__(self, held: threading.Event) -> None:
        self._held = held
        self.at_work = False
        self.disturbed = False

    def read(self, image_bgr: Picture, *_: Any, **__: Any) -> list[Detection]:
        self.disturbed |= self.at_work
        self.at_work = True
        self._held.wait(PATIENCE_S)
        self.at_work = False
        return []


def test_no_detector_serves_a_table_and_a_source_that_is_tried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow machine the picture is still being read when the game begins."""
    monkeypatch.setattr("service.evening.preview.STOP_S", 0.1)
    shutil.copy(FILM, tmp_path / "friday.mp4")
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
        key = key_in(setting.ask("/api/setup/start", asked))
        # While the table is watched, the next game is set up.
        assert setting.ask("/api/setup/source", recording, key)["status"] == 200
        setting.check(key=key)
        until(lambda: sum(one.at_work for one in made) == 3)
        held.set()
    assert not any(one.disturbed for one in made)


def test_a_rehearsal_begins_in_a_folder_of_its_own_and_counts_nowhere(setting: Setting) -> None:
    setting.ask("/api/setup/source", {"kind": "recording", "name": "friday.mp4"})
    setting.check()
    begun = setting.ask("/api/setup/start", {"rules": "riichi", "rehearse": True})
    (wanted,) = setting.began
    assert wanted.record.parent == setting.folder / "rehearsal"
    assert (wanted.rehearses, wanted.has_next) == (True, False)
    shown = json.loads(setting.server.get("/api/rehearsal", key=key_in(begun)).text)
    assert (shown["step"], shown["at"]) == ("lay_out", 0)
    offered = json.loads(setting.server.get("/api/setup", key=key_in(begun)).text)
    assert (offered["records"], offered["evening"]) == ([], None)
    game = {"rules": "riichi", "replace": True}
    setting.ask("/api/setup/source", {"kind": "recording", "name": "friday.mp4"}, key_in(begun))
    setting.check(key=key_in(begun))
    again = setting.ask("/api/setup/start", game, key_in(begun))
    assert setting.began[-1].record.parent == setting.folder
    assert json.loads(setting.server.get("/api/rehearsal", key=key_in(again)).text) is None


@pytest.mark.parametrize(
    ("told", "least"), [({}, 8000), ({"read_twice": None}, None), ({"read_twice": 5}, 5)]
)
def test_payouts_are_read_twice_as_the_program_was_started_unless_the_page_says_otherwise(
    tmp_path: Path, told: dict[str, object], least: int | None
) -> None:
    session = SetUpSession(Blind, tmp_path, Options(read_twice=8000))
    assert session._read_twice(StartRequest.model_validate(told)) == least
    assert session.begin(StartRequest(sample=True)).options.read_twice is None
