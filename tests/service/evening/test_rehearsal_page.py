"""A rehearsal on the page of its table: card by card, aloud too, and what it has shown."""

from __future__ import annotations

import errno
import json
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.rehearsal import BRONZE, SILVER, Share
from service.table.certificate import Standing, TableCertificate
from service.table.live_table import LiveTable, TableSettings
from service.table.rehearsed_table import RehearsedTable, ToldLines
from service.web.keys import table_address
from tests.support.browsing import LAPTOP, PHONE, opened
from tests.support.detectors import Blind
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames
from tests.support.patience import PATIENCE_S
from tests.support.rehearsal_game import BEGUN, HOLDS, IDS, LINES, RULES, laid, told
from tests.support.screens import in_every_language, stands
from tests.support.served import Served, served
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame
from vision.errors import ProfileError
from vision.table.view import TableView
from vision.tile_set.enroll import LaidOutSet

VIEW = TableView(
    ((128.0, 36.0), (512.0, 36.0), (512.0, 324.0), (128.0, 324.0)), (800, 800), (640, 360)
)


class Watched:
    """A table at which time passes when a test says so."""

    ended = False

    def __init__(self) -> None:
        self.entries: Sequence[Entry] = ()
        self.clock_s: float | None = 0.0
        rng = np.random.default_rng(1)
        picture = rng.integers(30, 230, (360, 640, 3), np.uint8)
        self.seen: tuple[Frame, TableView] | None = (Frame(picture, 0.0, 0), VIEW)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Watched, RehearsedTable]:
    """A rehearsal before its first card."""
    monkeypatch.setattr("service.table.rehearsed_table.Detector", Blind)
    monkeypatch.setattr("service.table.rehearsed_table.laid_out", lambda *_, **__: laid())
    record = tmp_path / "rehearsal-20261129-200000.jsonl"
    rehearsed = RehearsedTable(record, RULES, "camera 0", None, Blind)
    table = Watched()
    rehearsed.table = table
    return table, rehearsed


def play(table: Watched, rehearsed: RehearsedTable, cards: int = len(BEGUN)) -> None:
    """Go through so many taps; each line is told half a second after it happened."""
    file = ToldLines(KeptLines(), rehearsed)
    told = read_record(LINES.strip())
    for number, at in enumerate(BEGUN[:cards]):
        due = [one for one in told if (one.t or 0.0) < at]
        for entry in due[len(table.entries) :]:
            table.clock_s = (entry.t or 0.0) + 0.5
            file.append(entry)
            table.entries = [*table.entries, entry]
        table.clock_s = at
        rehearsed.go_on(number)


def test_it_leads_from_the_set_over_the_cards_to_a_certificate(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    assert rehearsed.view("en")["step"] == "lay_out"
    play(table, rehearsed, 2)
    shown = rehearsed.view("en")
    assert (shown["step"], shown["at"], shown["of"]) == ("card", 2, len(IDS))
    assert shown["text"].startswith("Somebody discards")
    assert not [*tmp_path.glob("*certificate.json")]


def test_its_result_waits_for_what_is_told_late(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    play(table, rehearsed)
    assert rehearsed.view("en")["step"] == "settles"
    assert not [*tmp_path.glob("*certificate.json")]
    table.clock_s = BEGUN[-1] + 7
    shown = rehearsed.view("en")
    assert (shown["step"], shown["grade"]) == ("over", "gold")
    assert any("17 of 17" in line for line in shown["result"])
    (kept,) = tmp_path.glob("*-certificate.json")
    certificate = TableCertificate.read(kept)
    assert certificate.delay_s == pytest.approx(0.5, abs=0.05)
    assert certificate.conditions.corners is not None
    assert [*tmp_path.glob("*-cards.json")]
    kept.unlink()
    assert rehearsed.view("ja")["grade"] == "gold"
    assert not [*tmp_path.glob("*-certificate.json")]  # written once


def test_stopped_half_way_it_says_what_is_missing(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    play(table, rehearsed, 3)
    rehearsed.stop()
    shown = rehearsed.view("en")
    assert (shown["step"], shown["grade"]) == ("over", None)
    assert sum(line.startswith("Missing: ") for line in shown["result"]) == len(IDS) - 2
    assert not [*tmp_path.glob("*-certificate.json")]


@pytest.fixture
def server(watched: tuple[Watched, RehearsedTable]) -> Iterator[Served]:
    _, rehearsed = watched
    settings = TableSettings(RULES, "camera 0", start=GameStart(RULES), has_next=False)
    live = LiveTable(ToldReader([]), frames(2), KeptLines(), settings)
    live.rehearsed = rehearsed
    with served(live, KEYS) as server:
        server.wait_for_end()
        yield server


def test_two_phones_that_tap_together_finish_one_card(
    watched: tuple[Watched, RehearsedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, rehearsed = watched
    reading, read = threading.Event(), threading.Event()

    def slowly(*_: object, **__: object) -> LaidOutSet:
        reading.set()
        read.wait(PATIENCE_S)
        return laid()

    monkeypatch.setattr("service.table.rehearsed_table.laid_out", slowly)
    tap = threading.Thread(target=rehearsed.go_on, args=(0,))
    tap.start()
    assert reading.wait(PATIENCE_S)
    # Pages hear at once where it is, and a second tap does not wait for the first.
    assert rehearsed.view("en")["step"] == "lay_out"
    rehearsed.go_on(0)
    read.set()
    tap.join()
    rehearsed.go_on(0)
    assert rehearsed.view("en")["at"] == 1
    rehearsed.go_on(1)
    rehearsed.go_on(1)
    assert rehearsed.view("en")["at"] == 2


def test_a_tap_alone_does_not_do_what_takes_time(
    watched: tuple[Watched, RehearsedTable],
) -> None:
    table, rehearsed = watched
    play(table, rehearsed, 3)
    arms = rehearsed.view("en")
    assert "arms over the middle" in arms["text"]
    table.clock_s = BEGUN[2] + 1.2
    with pytest.raises(Refused, match="go on with it for 4 s more"):
        rehearsed.go_on(3)
    assert rehearsed.view("en") == arms
    table.clock_s = BEGUN[2] + 5
    rehearsed.go_on(3)
    assert rehearsed.view("en")["at"] == 4


def test_no_page_has_to_be_open_at_the_end(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    play(table, rehearsed)
    rehearsed.keep()
    assert not [*tmp_path.glob("*.json")]
    table.clock_s = BEGUN[-1] + 7
    rehearsed.keep()
    assert len([*tmp_path.glob("*.json")]) == 2
    table.entries = []  # what is taken back later changes nothing of it
    assert rehearsed.view("en")["grade"] == "gold"


def test_a_full_disk_is_told_beside_the_result(
    watched: tuple[Watched, RehearsedTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rehearsed = watched
    play(table, rehearsed)
    table.clock_s = BEGUN[-1] + 7

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("service.table.certificate.write_whole", full)
    shown = rehearsed.view("en")
    assert "not written: No space left" in shown["result"][0]
    assert shown["grade"] == "gold"


def test_a_rehearsal_without_a_grade_is_kept_too(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    for number, at in enumerate(BEGUN):  # nobody does what the cards say
        table.clock_s = at
        rehearsed.go_on(number)
    table.clock_s = BEGUN[-1] + 7
    assert rehearsed.view("en")["grade"] is None
    (kept,) = tmp_path.glob("*-certificate.json")
    assert TableCertificate.read(kept).grade is None


def test_a_camera_that_goes_away_ends_it_without_a_grade(
    watched: tuple[Watched, RehearsedTable], tmp_path: Path
) -> None:
    table, rehearsed = watched
    play(table, rehearsed, 3)
    table.ended = True
    assert rehearsed.view("en")["step"] == "over"
    assert not [*tmp_path.glob("*-certificate.json")]


def test_before_the_first_picture_nothing_is_done(watched: tuple[Watched, RehearsedTable]) -> None:
    table, rehearsed = watched
    table.seen = None
    with pytest.raises(Refused, match="no table has been found"):
        rehearsed.go_on(0)
    assert rehearsed.view("en")["step"] == "lay_out"


def wish(server: Served, key: str, **body: object) -> int:
    sender = {"Authorization": f"Bearer {key}"}
    return server.post("/api/rehearsal", body, headers=sender).status


def test_who_runs_the_table_leads_and_everybody_sees_it(server: Served) -> None:
    assert wish(server, KEYS.viewer, done=0) == 403
    assert wish(server, KEYS.control, done="often") == 400
    assert wish(server, KEYS.control) == 200
    assert json.loads(server.get("/api/rehearsal", key=KEYS.viewer).text)["step"] == "lay_out"
    assert wish(server, KEYS.scorer, done=0) == 200
    assert json.loads(server.get("/api/rehearsal", key=KEYS.viewer).text)["at"] == 1


def test_a_game_is_no_rehearsal() -> None:
    live = LiveTable(ToldReader([]), frames(2), KeptLines(), TableSettings(RULES, "camera 0"))
    with served(live, KEYS) as server:
        assert json.loads(server.get("/api/rehearsal", key=KEYS.viewer).text) is None
        assert wish(server, KEYS.control, done=0) == 422


def shot(page: object, name: str) -> None:
    if folder := os.environ.get("SCREENS"):
        page.screenshot(path=f"{folder}/{name}.png")  # type: ignore[attr-defined]


def test_the_page_leads_through_it(
    browser: Browser,
    server: Served,
    watched: tuple[Watched, RehearsedTable],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, rehearsed = watched
    complaints: list[str] = []
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    box = page.locator("#rehearsal")
    expect(box.locator(".now")).to_contain_text("Lay out one tile of every kind")
    shot(page, "lay-out")

    def too_few(*_: object, **__: object) -> LaidOutSet:
        raise ProfileError("only 3 tiles were found face up")

    with monkeypatch.context() as unseen:
        unseen.setattr("service.table.rehearsed_table.laid_out", too_few)
        box.get_by_role("button", name="Laid out").click()
        expect(box.locator(".wrong")).to_contain_text("only 3 tiles")
    stands(page, "rehearsal-refused")
    assert all("422" in one for one in complaints)  # the browser's own line about a refusal
    complaints.clear()
    box.get_by_role("button", name="Laid out").click()
    expect(box.locator(".step")).to_have_text(f"Card 1 of {len(IDS)}")
    shot(page, "card")
    in_every_language(page, "rehearsal-card")
    box.get_by_role("button", name="Done").click()
    expect(box.locator(".step")).to_have_text(f"Card 2 of {len(IDS)}")
    rehearsed.rehearsal.begun_s.clear()
    play(table, rehearsed)
    table.clock_s = BEGUN[-1] + 7
    expect(box.locator(".now")).to_contain_text("Gold")
    shot(page, "result")
    in_every_language(page, "rehearsal-result")
    assert complaints == []
    page.close()


def test_what_has_lapsed_is_seen_and_what_holds_stands_in_the_menu(browser: Browser) -> None:
    complaints: list[str] = []
    for lapsed in ((), ("table", "light")):
        standing = Standing(HOLDS, lapsed)
        settings = TableSettings(RULES, "camera 0", start=GameStart(RULES), standing=standing)
        live = LiveTable(ToldReader([]), frames(2), KeptLines(), settings)
        with served(live, KEYS) as server:
            server.wait_for_end()
            page = opened(browser, table_address(server.url, KEYS.control), PHONE, complaints)
            if lapsed:
                expect(page.locator("#lapsed")).to_contain_text("camera or table was moved")
                in_every_language(page, "certificate-lapsed")
                shot(page, "lapsed")
            else:
                page.locator("#more").click()
                expect(page.locator("#certified")).to_contain_text("Silver: of 100 events")
                expect(page.locator("#lapsed")).to_be_hidden()
                shot(page, "certified")
            health = json.loads(server.get("/health").text)["certificate"]
            assert health["lapsed"] == [*lapsed]
            assert health["grade"] == (None if lapsed else SILVER.name)
            page.close()
    assert complaints == []
    assert HOLDS.events == Share(22, 23)


def test_the_result_of_a_payout_that_is_asked_says_so(browser: Browser) -> None:
    entries = read_record("\n".join(told(0.99)))
    standing = Standing(replace(HOLDS, grade=BRONZE))
    settings = TableSettings("harbin-hlr", "camera 0", standing=standing)
    live = LiveTable(ToldReader(entries), frames(), KeptLines(), settings)
    complaints: list[str] = []
    with served(live, KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), PHONE, complaints)
        expect(page.locator("#result .look")).to_have_text("Please look before you pay.")
        in_every_language(page, "payout-asked")
        shot(page, "payout-asked")
        expect(page.locator("#result .look")).to_be_visible()
        page.locator("#questions .readings button").first.click()
        expect(page.locator("#result .outcome")).to_be_visible()
        expect(page.locator("#result .look")).to_have_count(0)
        page.close()
    assert complaints == []
