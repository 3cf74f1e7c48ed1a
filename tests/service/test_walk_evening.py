"""An evening as people go it, their taps counted: games, other people, a restart, the tally."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.access.keys import TableKeys, keys_file, seat_address
from service.records import unused
from tests.support.browsing import LAPTOP, PHONE, fits, opened
from tests.support.paths import SAMPLES
from tests.support.setting_up import Setting, set_up_at

WIDTHS = (390, 768, 1280, 1920)
LANGUAGES = {"zh": "排名", "ja": "成績", "en": "Standings"}
DRAWN = ("hand_start", "drawn_hand", "hand_end", "game_end")


class Taps:
    def __init__(self) -> None:
        self.count = 0

    def on(self, what: Locator) -> None:
        what.click()
        self.count += 1

    def since(self) -> int:
        count, self.count = self.count, 0
        return count


def play_a_drawn_game(setting: Setting, page: Page, key: str) -> None:
    """What the camera would write: here nobody plays."""
    for kind in DRAWN:
        lines = json.loads(setting.server.get("/api/v1/events", key=key).text)["lines"]
        event = {"type": kind} | ({"reason": "exhausted"} if kind == "drawn_hand" else {})
        told = setting.ask("/api/v1/events", {"event": event, "lines": lines}, key)
        assert told["status"] == 200, told
    expect(page.locator("#events .event").first).to_contain_text("The game")


def names_are(page: Page, *names: str) -> None:
    for seat, name in enumerate(names):
        expect(page.locator(f".plate[data-seat='{seat}'] .name")).to_have_text(name)


@pytest.mark.slow
def test_an_evening_of_three_games(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    taps = Taps()
    record = unused(tmp_path, "game", ".jsonl")
    record.write_bytes((SAMPLES / "riichi.jsonl").read_bytes())
    with set_up_at(tmp_path) as setting:
        page = opened(browser, setting.server.url, LAPTOP, complaints)
        page.get_by_role("button", name=record.name).click()
        page.wait_for_url("**/#*")
        key = page.url.partition("#")[2]
        again = page.get_by_role("button", name="Next game")
        taps.on(again)
        expect(page.locator("#result")).to_be_hidden()
        assert taps.since() == 1
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
        told = setting.ask("/api/setup/start", {"open": record.name})
        assert told["page"] == f"/#{key}"
        keys = TableKeys.read_from(keys_file(record))
        assert keys is not None
        phone = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
        guest = phone.new_page()
        guest.goto(seat_address(setting.server.url, keys.guest))
        taps.on(guest.get_by_role("button", name="Eve", exact=True))
        expect(guest.locator("#whose")).to_have_text("Eve")
        assert taps.since() <= 2
        phone.close()
        page = opened(browser, f"{setting.server.url}/game#{key}", LAPTOP, complaints)
        expect(page.locator("#places tr")).to_have_count(6)
        expect(page.locator("#tally li").first).to_contain_text("pays")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            for language, title in LANGUAGES.items():
                page.locator("#language").select_option(language)
                expect(page.locator("#standings-title")).to_have_text(title)
                assert fits(page), (width, language)
        page.get_by_role("button", name="Hand of the evening").click()
        taps.on(page.get_by_role("button", name="Share picture"))
        expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
        assert taps.since() == 1
        page.close()
    assert [each for each in complaints if "status of 4" not in each] == []
