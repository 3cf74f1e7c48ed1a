"""Every page on every screen, with touch, in every language: all fits and can be read, and axe
finds no fault."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.texts.files import LANGUAGES
from engine.tiles import parse
from service.report.report import to_report
from tests.support.axe import faults
from tests.support.browsing import choose_language, menu
from tests.support.contrast import all_can_be_read
from tests.support.halls import LINES as HALL_LINES
from tests.support.halls import hall_at
from tests.support.keys import KEYS
from tests.support.phones import phone_link
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.screens import (
    HALL_PAGES,
    HIGH,
    LINES,
    PAGES,
    POPOVERS,
    STATES,
    WIDTHS,
    in_every_language,
    looked_at,
    stands,
    touched,
)
from tests.support.served import Served, served
from tests.support.setting_up import set_up_at

pytestmark = pytest.mark.film


TableAt = Callable[[int], Served]
WITH_AXE: Final = ("mend-win", "seat-result", "seat-told")
"""States whose parts axe meets on no page as it comes; it takes a second and a half for each."""


@pytest.fixture(scope="module")
def table_at() -> Iterator[TableAt]:
    """A table at which so many lines of the sample have been played."""
    with contextlib.ExitStack() as stack:

        @cache
        def at(lines: int) -> Served:
            server = stack.enter_context(served(table_of(ENTRIES[:lines]), KEYS))
            server.wait_for_end()
            return server

        yield at


@pytest.fixture
def server(table_at: TableAt) -> Served:
    return table_at(LINES)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_every_screen(browser: Browser, server: Served, name: str) -> None:
    complaints: list[str] = []
    screen = PAGES[name]
    page = touched(browser, server.url + screen.address, complaints)
    screen.come(page)
    in_every_language(page, name, screen)
    for width in (WIDTHS[0], WIDTHS[-1]):
        page.set_viewport_size({"width": width, "height": HIGH})
        assert faults(page, ("light",), screen.is_over_picture) == []
    page.set_viewport_size({"width": WIDTHS[0], "height": HIGH})
    if not screen.is_over_picture:
        all_can_be_read(page, name)
    assert complaints == []
    page.close()


@pytest.mark.parametrize("name", STATES)
def test_what_opens_on_a_page_fits_every_screen(
    browser: Browser, table_at: TableAt, name: str
) -> None:
    complaints: list[str] = []
    screen = STATES[name]
    page = touched(browser, table_at(screen.lines).url + screen.address, complaints)
    in_every_language(page, name, screen)
    if name in WITH_AXE:
        assert faults(page, ("light",)) == []
    assert complaints == []
    page.close()


@pytest.mark.parametrize("name", POPOVERS)
def test_axe_finds_no_fault_in_what_opens_over_a_page(
    browser: Browser, table_at: TableAt, name: str
) -> None:
    screen, opener = POPOVERS[name]
    page = touched(browser, table_at(screen.lines).url + screen.address, [])
    screen.come(page)
    page.locator(opener).click()
    expect(page.locator("[popover]:popover-open")).to_be_visible()
    assert faults(page, ("light",)) == []
    page.close()


def test_every_page_of_a_hall_fits_every_screen(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        league = {"name": "Club league", "season": "2026", "rules": "riichi-tenhou"}
        number = hall.told("POST", "leagues", league)["id"]
        key = hall.add("north", title="The north table")
        hall.told("PUT", "tables/north", {"title": "The north table", "league": number})
        assert hall.post("north", HALL_LINES, key=key).status == 200
        for address, shown in HALL_PAGES.items():
            page = touched(browser, f"{hall.server.url}/{address}", complaints)
            expect(page.locator(shown).first).to_be_visible()
            in_every_language(page, f"hall-{address.replace('/', '-')}")
            page.set_viewport_size({"width": WIDTHS[0], "height": HIGH})
            all_can_be_read(page, address)
            if page.locator("#more").count():
                menu(page)
                assert faults(page, ("light",)) == [], address
            page.close()
    assert complaints == []


def test_every_step_of_setting_up_fits_every_screen(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path) as setting:
        page = touched(browser, setting.server.url, complaints)
        expect(page.locator("#sources button").first).to_be_visible()
        for lang in LANGUAGES:
            choose_language(page, lang)
            for number, step in enumerate(page.locator("#steps button").all()):
                step.tap()
                looked_at(page, f"setup-{lang}-{number}", lang)
        page.set_viewport_size({"width": WIDTHS[0], "height": HIGH})
        for number, step in enumerate(page.locator("#steps button").all()):
            step.tap()
            all_can_be_read(page, f"setup-{number}")
        # What is wrong is said where the person looks.
        page.locator("#begin").tap()
        expect(page.locator("#complaint")).to_be_in_viewport()
        page.close()
    assert complaints == []


def test_the_phone_that_is_the_camera_fits_every_screen(browser: Browser) -> None:
    complaints: list[str] = []
    with phone_link() as link:
        page = touched(browser, link.address, complaints)
        expect(page.locator("#go")).to_be_visible()
        in_every_language(page, "camera")
        page.close()
    assert complaints == []


def test_a_page_that_needs_a_key_says_so_on_every_screen(browser: Browser, tmp_path: Path) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        page = touched(browser, hall.server.url, [])
        expect(page.locator("#told")).to_contain_text("opens with its whole address")
        looked_at(page, "key")
        page.close()
        with in_language(browser, "zh-CN", f"{hall.server.url}/#wrong") as page:
            expect(page.locator("#told")).to_contain_text("这个网址已失效")


@contextlib.contextmanager
def in_language(browser: Browser, locale: str, url: str) -> Iterator[Page]:
    """A page in a browser that is set to a language."""
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


def test_a_page_is_in_the_language_of_the_browser_until_a_person_chooses(
    browser: Browser, server: Served
) -> None:
    for locale, lang in (("ja-JP", "ja"), ("zh-TW", "zh"), ("fr-FR", "en")):
        with in_language(browser, locale, server.url) as page:
            expect(page.locator("#language")).to_have_value(lang)
            menu(page)
            choose_language(page, "en-native")
            page.reload()
            expect(page.locator("#language")).to_have_value("en-native")


def test_who_may_not_end_a_running_table_is_told_so_with_its_link(
    browser: Browser, tmp_path: Path
) -> None:
    with set_up_at(tmp_path) as setting:
        assert setting.ask("/api/setup/start", {"sample": True})["status"] == 200
        with in_language(browser, "ja-JP", f"{setting.server.url}/setup") as page:
            expect(page.locator("#told")).to_contain_text("卓が進行中です")
            page.get_by_role("link", name="進行中の対局へ").click()
            expect(page.locator("#table svg")).to_be_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_report_fits_every_screen(browser: Browser, lang: str, tmp_path: Path) -> None:
    complaints: list[str] = []
    file = tmp_path / "report.html"
    file.write_text(to_report(ENTRIES[:LINES], {}, "evening.mp4", lang), "utf-8")
    page = touched(browser, file.as_uri(), complaints)
    looked_at(page, f"report-{lang}", lang)
    page.set_viewport_size({"width": WIDTHS[0], "height": HIGH})
    if lang == "en":
        all_can_be_read(page, "report")
    page.close()
    assert complaints == []


def test_a_hand_that_wins_is_entered_with_a_tap_a_tile(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    page = touched(browser, server.url, complaints)
    page.set_viewport_size({"width": WIDTHS[-1], "height": HIGH})
    mend = page.locator("#mend")
    page.locator("#add").tap()
    mend.locator("#mend-type").select_option("win")
    mend.locator(".slots").last.locator(".slot").last.tap()
    for tile in parse("123m 456p 789s 111z 2z"):
        mend.locator(".palette").get_by_role("button", name=tile, exact=True).tap()
    expect(mend.locator(".slots").last.locator(".slot")).to_have_count(13)
    expect(mend.locator(".palette")).to_be_in_viewport(ratio=0.95)
    sides = mend.locator("button:visible, select:visible").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().right)"
    )
    assert max(sides) <= WIDTHS[-1]
    stands(page, "a hand that wins", WIDTHS[-1:])
    assert complaints == []
    page.close()
