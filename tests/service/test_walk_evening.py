"""An evening as people go it, their taps and seconds counted: from the first mend to goodbye."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.machine.records import unused
from service.web.keys import TableKeys, keys_file, seat_address
from tests.support.browsing import LAPTOP, PHONE, menu, opened
from tests.support.paths import SAMPLES
from tests.support.screens import WIDTHS, in_every_language
from tests.support.setting_up import Setting, set_up_at

WIDEST = 1920
"""Pixels of a screen on the wall."""
STANDINGS = {"zh": "排名", "ja": "成績", "en": "Standings"}
PAGE_OF_THE_GAME = {"zh": "对局回顾", "ja": "これまでの対局", "en": "The game so far"}
HINT = {"zh": "给我提示", "ja": "ヒント", "en": "Give me a hint"}
"""What an element says in each language."""
DRAWN = ("hand_start", "drawn_hand", "hand_end", "game_end")


PATIENT_S = 30
"""Nobody waits longer for one act, even on a machine that has a lot else to do."""


class Taps:
    """What one act takes: taps, and seconds from the first one on."""

    def __init__(self) -> None:
        self._count = 0
        self._since_s = 0.0

    def on(self, what: Locator) -> None:
        if not self._count:
            self._since_s = time.monotonic()
        what.click()
        self._count += 1

    def were(self, most: int) -> None:
        took_s = time.monotonic() - self._since_s
        assert (self._count <= most, took_s < PATIENT_S) == (True, True), (self._count, took_s)
        self._count = 0


def play_a_drawn_game(setting: Setting, page: Page, key: str) -> None:
    """What the camera would write: here nobody plays."""
    for kind in DRAWN:
        lines = json.loads(setting.server.get("/api/v1/events", key=key).text)["lines"]
        event = {"type": kind} | ({"reason": "exhausted"} if kind == "drawn_hand" else {})
        told = setting.ask("/api/v1/events", {"event": event, "lines": lines}, key)
        assert told["status"] == 200, told
    expect(page.locator("#events .event").first).to_contain_text("The game")


def stands_in_every_language(page: Page, name: str, what: Locator, says: dict[str, str]) -> None:
    def worded(lang: str) -> None:
        if lang in says:
            expect(what).to_have_text(says[lang])

    in_every_language(page, name, then=worded, widths=(WIDEST, *WIDTHS))


def mends(page: Page, taps: Taps) -> None:
    """A discard is read otherwise, and that is taken back."""
    discard = page.locator("#table .river .mendable").last
    said = discard.inner_html()
    taps.on(discard)
    taps.on(page.locator("#mend .way").first)
    taps.on(page.locator("#mend-save"))
    expect(page.locator("#mend")).to_be_hidden()
    taps.were(3)
    expect(page.locator("#events .by-person").first).to_be_attached()
    taps.on(page.get_by_role("button", name="Undo"))
    expect(page.locator("#events .by-person")).to_have_count(0)
    taps.were(1)
    assert discard.inner_html() == said


def disputes(page: Page, taps: Taps) -> None:
    taps.on(page.get_by_role("button", name="Dispute it"))
    taps.on(page.get_by_role("button", name="It stands as it is"))
    expect(page.locator("#mend")).to_be_hidden()
    taps.were(2)


def is_new(page: Page) -> None:
    """Nothing of the game before stands on the table."""
    expect(page.locator("#events > li")).to_have_count(1)
    expect(page.locator("#events")).to_contain_text("The game starts")
    expect(page.locator("#bar :is(.gain, .loss):not(:empty)")).to_have_count(0)
    expect(page.locator("#saved")).to_be_hidden()
    expect(page.locator("#said li")).to_have_count(0)


def names_are(page: Page, *names: str) -> None:
    for seat, name in enumerate(names):
        expect(page.locator(f".plate[data-seat='{seat}'] .name")).to_have_text(name)


@pytest.mark.film
def test_an_evening_of_three_games(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    taps = Taps()
    record = unused(tmp_path, "game", ".jsonl")
    record.write_bytes((SAMPLES / "riichi.jsonl").read_bytes())
    with set_up_at(tmp_path) as setting:
        page = opened(browser, setting.server.url, LAPTOP, complaints)
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/#*")
        key = page.url.partition("#")[2]
        mends(page, taps)
        stands_in_every_language(page, "over", page.locator("#to-game"), PAGE_OF_THE_GAME)
        disputes(page, taps)
        again = page.get_by_role("button", name="Next game")
        # A moment that was looked at and left is no ruling: nobody is asked who ruled.
        page.get_by_role("button", name="Dispute it").click()
        page.get_by_role("button", name="Close").click()
        expect(page.locator("#events")).to_contain_text("The game ends")
        taps.on(again)
        expect(page.locator("#result")).to_be_hidden()
        taps.were(1)
        is_new(page)
        names_are(page, "Anna", "Bo", "Chie", "Dan")
        play_a_drawn_game(setting, page, key)
        # Two change seats, and a fifth player comes in; two of one name are refused.
        page.get_by_text("Other players or seats").click()
        for input, name in zip(
            page.locator(".next-game input").all(), ("Bo", "Anna", "Chie", "bo"), strict=True
        ):
            input.fill(name)
        again.click()
        expect(page.locator("#mend-problem")).to_contain_text("two players are called")
        page.get_by_role("button", name="Close").click()
        page.locator(".next-game input").last.fill("Eve")
        again.click()
        names_are(page, "Bo", "Anna", "Chie", "Eve")
        play_a_drawn_game(setting, page, key)
        page.close()
    with set_up_at(tmp_path) as setting:  # the program was started again
        page = opened(browser, setting.server.url, LAPTOP, complaints)
        expect(page.locator("#evening-games li")).to_have_count(3)
        expect(page.locator("#evening-games li").last).to_contain_text("Bo, Anna, Chie, Eve")
        expect(page.locator("#next")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
        taps.on(page.get_by_role("button", name="Go on"))
        page.wait_for_url(f"**/#{key}")
        taps.were(1)
        page.close()
        keys = TableKeys.read_from(keys_file(record))
        assert keys is not None
        phone = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        guest = phone.new_page()
        guest.goto(seat_address(setting.server.url, keys.guest))
        taps.on(guest.get_by_role("button", name="Eve", exact=True))
        expect(guest.locator("#whose")).to_have_text("Eve")
        taps.were(2)
        stands_in_every_language(guest, "guest", guest.locator("#hint"), HINT)
        page = opened(browser, f"{setting.server.url}/game#{key}", LAPTOP, complaints)
        expect(page.locator("#places tr")).to_have_count(6)
        expect(page.locator("#tally li").first).to_contain_text("pays")
        stands_in_every_language(page, "standings", page.locator("#standings-title"), STANDINGS)
        page.get_by_role("button", name="Hand of the evening").click()
        taps.on(page.get_by_role("button", name="Share picture"))
        expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
        taps.were(1)
        # Goodbye: what was scanned this evening opens nothing any more.
        page.get_by_role("button", name="Close").click()
        page.get_by_role("link", name="To the table").click()
        page.on("dialog", lambda asked: asked.accept())
        menu(page)
        taps.on(page.get_by_role("button", name="Make new codes"))
        expect(guest.locator("#status")).to_contain_text("Scan")
        taps.were(1)
        # Whoever made them new goes on.
        expect(page).not_to_have_url(re.compile(re.escape(key)))
        expect(page.locator("#menu")).to_be_hidden()
        menu(page)
        expect(page.locator("#seats")).to_be_visible()
        assert setting.server.get("/api/seats", key=key).status == 401
        page.close()
        phone.close()
    assert [complaint for complaint in complaints if "status of 4" not in complaint] == []
