"""Every page can be used with the keyboard and a screen reader, as far as axe-core can tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.axe import faults
from tests.support.browsing import LAPTOP, PHONE, opened
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served
from tests.support.setting_up import set_up_at

LINES = 200


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:LINES]), KEYS) as server:
        server.wait_for_end()
        yield server


def test_axe_finds_no_fault_in_the_dialogs(browser: Browser, server: Served) -> None:
    page = opened(browser, server.url, PHONE, [])
    page.locator("#events .event").first.click()
    expect(page.locator("#mend .way").first).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Add an event").click()
    expect(page.locator("#mend .palette").first).to_be_visible()
    assert faults(page) == []
    page.close()


def test_axe_finds_no_fault_in_setting_up(browser: Browser, tmp_path: Path) -> None:
    with set_up_at(tmp_path) as setting:
        page = opened(browser, setting.server.url, LAPTOP, [])
        page.get_by_role("button", name="The built-in sample", exact=True).click()
        expect(page.locator("#verdict")).not_to_be_empty()
        for step in page.locator("#steps button").all():
            step.click()
            assert faults(page) == []
        # Dark is the system's wish by now; the colours that a person has chosen stay.
        page.get_by_role("button", name="Light colours").click()
        page.reload()
        expect(page.locator("html")).to_have_attribute("data-theme", "light")
        app = json.loads(setting.server.get("/static/manifest.json").text)
        for icon in app["icons"]:
            assert setting.server.get_bytes(f"/static/{icon['src']}")
        page.close()


def test_the_keyboard_reaches_everything_and_comes_back(browser: Browser, server: Served) -> None:
    """From an event in the list to its dialog, and back to where one was."""
    page = opened(browser, server.url, LAPTOP, [])
    event = page.locator("#events .event").first
    event.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#mend .way").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#mend")).to_be_hidden()
    expect(event).to_be_focused()
    tile = page.locator("#table .river .mendable").last
    tile.focus()
    page.keyboard.press("Space")
    expect(page.locator("#mend .way").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(tile).to_be_focused()
    page.close()
