"""The whole way as people go it, with the real page, the real server and the film of the sample.

Set up, play, mend, dispute, replay, export; and a recorded game is learnt from. What the sample
shows is told as its truth has it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.codec import read_record
from engine.events import Correct, Discard
from engine.log import in_force
from service.evening.sent_records import SAMPLE as SAMPLE_FILM
from tests.support.browsing import PHONE, events, menu, opened
from tests.support.paths import SAMPLES, STATIC, static_files
from tests.support.screens import looked_at
from tests.support.setting_up import Setting, set_up_at
from tests.support.told_reader import ToldReader

NAMES = ("Anna", "Bo", "Chen", "Dana")
SAMPLE = SAMPLES / "open-hands.seen.jsonl"
TWO_HANDS = 200
"""Lines of the recorded riichi game."""


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setting]:
    told = ToldReader(read_record(SAMPLE.read_text()))
    monkeypatch.setattr("service.table.reader_maker.TableReader", lambda *_: told)
    lines = (SAMPLES / "riichi.jsonl").read_text().splitlines()[:TWO_HANDS]
    (tmp_path / "lesson.jsonl").write_text("\n".join(lines) + "\n")
    shutil.copy(str(SAMPLE_FILM), tmp_path / "friday.mp4")
    with set_up_at(tmp_path) as setting:
        yield setting


class Walk:
    """One person's way."""

    def __init__(self, page: Page, setting: Setting) -> None:
        self.page, self.setting = page, setting

    def at(self, station: str) -> None:
        """All of it can be used and read there, on every screen."""
        looked_at(self.page, station)

    @property
    def record(self) -> Path:
        (path,) = self.setting.folder.glob("game-*.jsonl")
        return path

    def discards(self) -> list[Discard]:
        events = (each.entry.event for each in in_force(read_record(self.record.read_text())))
        return [event for event in events if isinstance(event, Discard)]

    def corrections(self) -> int:
        """Lines that people have written."""
        entries = read_record(self.record.read_text())
        return sum(
            entry.source == "person" and isinstance(entry.event, Correct) for entry in entries
        )

    def set_up(self) -> None:
        self.page.get_by_text("Something else", exact=True).click()
        self.page.get_by_role("button", name="friday.mp4").click()
        expect(self.page.locator("#verdict")).not_to_be_empty()
        self.at("camera")
        self.page.get_by_role("button", name="2 Table").click()
        expect(self.page.locator("#corners .findings li").first).to_be_attached()
        self.at("table")
        self.page.get_by_role("button", name="3 Players").click()
        for side, name in zip(("bottom", "right", "top", "left"), NAMES, strict=True):
            self.page.get_by_role("textbox", name=f"at the {side}").fill(name)
        self.page.get_by_role("button", name="Riichi", exact=True).click()
        self.page.get_by_role("button", name="EMA 2016", exact=True).click()
        self.at("players")
        self.page.get_by_role("button", name="4 Start").click()
        self.page.get_by_label("Read the recording as fast").check()
        self.at("set-up")
        self.page.get_by_role("button", name=re.compile("^Start")).click()
        self.page.wait_for_url("**/#*")

    def watch(self) -> None:
        expect(self.page.locator("#waiting")).to_be_hidden()
        # The page shows the table before its key is exchanged; the seats' codes come after.
        menu(self.page)
        expect(self.page.locator("#seats")).to_be_visible()
        self.page.keyboard.press("Escape")
        expect(self.page.locator(".plate[data-seat='1'] .name")).to_have_text("Bo")

    def see_the_end(self) -> None:
        status = self.page.locator("#status")
        expect(status).to_have_attribute("data-state", "ended")
        expect(self.page.locator("#result .outcome span")).to_have_text("Bo wins from Dana")
        payouts = self.page.locator("#events .payout")
        expect(payouts.nth(1)).to_contain_text("Bo +3600")
        # The ura dora are seen after the win, and add nothing.
        expect(payouts.first).to_contain_text("nothing more is paid")
        self.at("played")

    def mend(self) -> None:
        """A tile of a river is tapped and read otherwise; then this is undone."""
        before, written = self.discards(), self.corrections()
        self.page.locator("#table .river .mendable").last.click()
        self.at("mending")
        ways = self.page.locator("#mend .way")
        expect(ways.first).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#mend-save")).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#mend")).to_be_hidden()
        assert self.corrections() == written + 1
        assert self.discards() != before
        self.page.get_by_role("button", name="Undo").first.click()
        expect(self.page.locator("#redo")).to_be_enabled()
        assert self.discards() == before

    def dispute(self, event: Locator, shown_at_once: bool = False) -> None:
        event.click()
        if not shown_at_once:
            self.page.get_by_role("button", name="Show the pictures").click()
        expect(self.page.locator("#mend img.clip").first).to_be_visible()
        read = re.compile("Read now:|not seen")
        expect(self.page.locator("#mend")).to_contain_text(read)
        self.at("disputed")
        self.page.get_by_role("button", name="Close").click()

    def replay_and_export(self) -> None:
        self.page.locator("#to-game").click()  # a film that is over offers it in the slot, too
        self.page.get_by_role("button", name="Replay").first.click()
        slider = self.page.get_by_role("slider", name="Replay")
        expect(slider).to_be_enabled()
        slider.focus()
        self.page.keyboard.press("Home")
        expect(self.page.locator("#step")).to_contain_text("Step 1 of")
        for _ in range(3):
            self.page.keyboard.press("ArrowRight")
        expect(self.page.locator("#step")).to_contain_text("Step 4 of")
        expect(self.page.locator("#moment-picture")).to_be_visible()
        self.at("replay")
        self.page.get_by_role("button", name="Downloads").click()
        for name, suffix in (("Score sheet (CSV)", ".csv"), ("Record with all", ".jsonl")):
            with self.page.expect_download() as download:
                self.page.get_by_role("button", name=name).click()
            assert download.value.suggested_filename.endswith(suffix)
        kept = Path(download.value.path()).read_text()
        assert read_record(kept) == read_record(self.record.read_text())

    def learn(self) -> None:
        """A recorded game whose hands are known is opened, and one's own decisions are made."""
        self.page.goto(f"{self.setting.server.url}/setup")
        # This evening's games stand apart from what is opened for study.
        self.page.get_by_text("Something else", exact=True).click()
        self.page.get_by_role("button", name="lesson.jsonl").click()
        events(self.page)
        expect(self.page.locator("#events .event").first).to_be_visible()
        menu(self.page)
        expect(self.page.locator("#seats")).to_be_visible()
        self.page.keyboard.press("Escape")
        self.page.locator("#to-game").click()  # a film that is over offers it in the slot, too
        self.page.get_by_role("link", name="Drill").click()
        self.page.locator("#hand button:enabled, #offers button:enabled").first.click()
        expect(self.page.locator("#compared li").last).to_contain_text("At the table")
        self.page.get_by_text("Every choice, best first").click()
        expect(self.page.locator("#ranking li").first).to_be_visible()
        self.at("drill")


@pytest.mark.film
def test_the_whole_way(browser: Browser, setting: Setting) -> None:
    complaints: list[str] = []
    foreign: list[str] = []
    page = opened(browser, setting.server.url, PHONE, complaints)
    page.on("request", lambda request: foreign.append(request.url))
    walk = Walk(page, setting)
    walk.set_up()
    walk.watch()
    walk.see_the_end()
    walk.mend()
    walk.dispute(page.get_by_role("button", name="Dispute it"), shown_at_once=True)
    events(page)
    walk.dispute(page.locator("#events .event", has_text="discards").first)
    walk.replay_and_export()
    walk.learn()
    # Everything comes from this server; so it works where there is no other.
    own = (setting.server.url, setting.server.url.replace("http", "ws"), "blob:", "data:")
    assert [url for url in foreign if not url.startswith(own)] == []
    assert complaints == []
    page.close()


def test_the_pages_know_no_other_hosts() -> None:
    files = (*static_files("").values(), *(STATIC.parent / "templates").iterdir())
    for path in (file for file in files if file.suffix != ".png"):
        named = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", path.read_text("utf-8"))
        assert set(named) <= {"http://www.w3.org"}, path.name
