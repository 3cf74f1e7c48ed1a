"""Every page on every screen, with touch, in every language: nothing sticks out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.tiles import parse
from service.access.keys import seat_address, table_address
from service.words.files import LANGUAGES
from tests.support.browsing import PATIENCE_MS, fits
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served
from tests.support.setting_up import set_up_at

WIDTHS = (1280, 768, 390, 360)
HIGH = 844
FINGER_PX = 44
LINES = 200

PAGES = {
    "table": (table_address("", KEYS.control), "#events .event"),
    "seat": (seat_address("", KEYS.seats[1]), "#table svg"),
    "game": (f"/game#{KEYS.control}", "#hands button"),
    "drill": (f"/drill#{KEYS.seats[1]}", "#hand button"),
    "stream": ("/stream#table=1", ".player"),
}

TOO_LOW = """least => [...document.querySelectorAll("button, select, summary, header a")].filter(
  (each) => each.checkVisibility() && each.getBoundingClientRect().height < least - 0.5
).map((each) => each.outerHTML)"""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:LINES]), KEYS) as server:
        server.wait_for_end()
        yield server


def touched(browser: Browser, url: str, complaints: list[str]) -> Page:
    page = browser.new_page(viewport={"width": WIDTHS[0], "height": HIGH}, has_touch=True)
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    return page


def looked_at(page: Page, pictures: Path, name: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HIGH})
        if width in (WIDTHS[0], WIDTHS[-1]):
            page.screenshot(path=pictures / f"{name}-{width}.png", full_page=True)
        assert fits(page), (name, width)
        if width < HIGH:
            assert page.evaluate(TOO_LOW, FINGER_PX) == [], (name, width)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_every_screen(
    browser: Browser, server: Served, name: str, tmp_path: Path
) -> None:
    complaints: list[str] = []
    address, shown = PAGES[name]
    page = touched(browser, server.url + address, complaints)
    expect(page.locator(shown).first).to_be_visible()
    chooser = page.locator("#language")
    for lang in LANGUAGES if chooser.count() else ["en"]:
        if chooser.count():
            chooser.select_option(lang)
        looked_at(page, tmp_path, f"{name}-{lang}")
    assert complaints == []
    page.close()


def test_every_step_of_setting_up_fits_every_screen(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path) as setting:
        page = touched(browser, setting.server.url, complaints)
        expect(page.locator("#sources button").first).to_be_visible()
        for lang in LANGUAGES:
            page.locator("#language").select_option(lang)
            for number, step in enumerate(page.locator("#steps button").all()):
                step.tap()
                looked_at(page, tmp_path, f"setup-{lang}-{number}")
        # What is wrong is said where the person looks.
        page.locator("#begin").tap()
        expect(page.locator("#complaint")).to_be_in_viewport()
        page.close()
    assert complaints == []


@pytest.mark.parametrize("width", [360, 390])
def test_a_hand_that_wins_is_entered_with_a_tap_a_tile(
    browser: Browser, server: Served, width: int, tmp_path: Path
) -> None:
    complaints: list[str] = []
    page = touched(browser, server.url, complaints)
    page.set_viewport_size({"width": width, "height": HIGH})
    mend = page.locator("#mend")
    page.locator("#add").tap()
    mend.locator("#mend-type").select_option("win")
    mend.locator(".slots").last.locator(".slot").last.tap()
    for tile in parse("123m 456p 789s 111z 2z"):
        mend.locator(".palette").get_by_role("button", name=tile, exact=True).tap()
    expect(mend.locator(".slots").last.locator(".slot")).to_have_count(13)
    expect(mend.locator(".palette")).to_be_in_viewport(ratio=0.95)
    page.screenshot(path=tmp_path / "win.png")
    sides = mend.locator("button:visible, select:visible").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().right)"
    )
    assert max(sides) <= width
    assert fits(page)
    assert complaints == []
    page.close()
