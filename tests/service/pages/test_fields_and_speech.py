"""What the page of a table may say and offer, and that it says it once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from engine.codec import entry_to_json
from engine.events import GameStart, Win
from tests.support.browsing import LAPTOP, PATIENCE_MS, choose_language, menu, opened
from tests.support.keys import KEYS, with_key
from tests.support.modules import name_exports
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.screens import LINES, PAGES
from tests.support.served import Served, served

WON_LINES: Final = 1 + next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:LINES]), KEYS) as server:
        server.wait_for_end()
        yield server


def test_nothing_can_be_put_right_where_no_table_is_drawn_yet(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url + PAGES["table"].address, LAPTOP, complaints)
    expect(page.locator(PAGES["table"].shown).first).to_be_visible()
    name_exports(page, "shared/elements", "table/known", "table/mendable")
    page.evaluate("() => { $('table').replaceChildren(); offerMending(); }")
    page.evaluate("() => { known.table = null; offerMending(); }")
    assert complaints == []
    page.close()


def test_who_has_no_name_is_called_by_colour_where_the_next_players_are_typed(
    browser: Browser,
) -> None:
    unnamed = [
        replace(entry, event=replace(entry.event, players=("Anna", "", "", "")))
        if isinstance(entry.event, GameStart)
        else entry
        for entry in ENTRIES[:WON_LINES]
    ]
    with served(table_of(unnamed), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, server.url + PAGES["table"].address, LAPTOP, [])
        page.get_by_text("Other players or seats").click()
        fields = page.locator(".next-game input")
        for lang, colours in (("en", ("Purple",)), ("zh", ("紫家", "绿家", "棕家"))):
            menu(page)
            choose_language(page, lang)
            page.keyboard.press("Escape")
            expect(fields.first).to_have_value("Anna")
            for field, colour in zip(fields.all()[1:], colours, strict=False):
                expect(field).to_have_value("")
                expect(field).to_have_attribute("placeholder", colour)
                expect(field).to_have_attribute("aria-label", colour)
        assert re.findall("[A-Za-z]{2,}", page.locator(".next-game").inner_text()) == []
        page.close()


def test_a_next_game_that_is_refused_opens_nothing_of_before(browser: Browser) -> None:
    with served(table_of(ENTRIES[:WON_LINES]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, server.url + PAGES["table"].address, LAPTOP, [])
        page.get_by_role("button", name="Dispute it").first.click()
        expect(page.locator("#mend .ruling")).to_be_visible()
        page.locator("#mend-close").click()
        page.get_by_text("Other players or seats").click()
        for field, name in zip(
            page.locator(".next-game input").all(), ("Bo", "Anna", "Chie", "bo"), strict=True
        ):
            field.fill(name)
        page.get_by_role("button", name="Next game").click()
        expect(page.locator("#mend-problem")).to_contain_text("two players are called bo")
        expect(page.locator("#mend-title")).to_have_text("Not saved")
        expect(page.locator("#mend .ruling")).to_have_count(0)
        assert page.locator("#mend-content").inner_text() == ""
        expect(page.locator("#mend button:visible")).to_have_count(1)
        page.locator("#mend-close").click()
        menu(page)
        choose_language(page, "zh")
        page.keyboard.press("Escape")
        # What was typed stays where it is.
        page.locator(".next-game > button").click()
        expect(page.locator("#mend-problem")).to_contain_text("都叫bo")
        page.close()


SPEECH: Final = """
  window.spoken = [];
  const touched = () => sessionStorage.getItem("touched") === String(performance.timeOrigin);
  const touch = () => sessionStorage.setItem("touched", performance.timeOrigin);
  addEventListener("pointerdown", touch, true);
  const activation = { get hasBeenActive() { return touched(); } };
  Object.defineProperty(navigator, "userActivation", { value: SAYS_SO ? activation : undefined });
  speechSynthesis.speak = (words) => {
    if (touched()) { window.spoken.push(words.text); return; }
    const refused = { error: "not-allowed", utterance: words };
    setTimeout(() => words.dispatchEvent(new SpeechSynthesisErrorEvent("error", refused)));
  };
"""
"""A browser that lets no page speak before it was touched; it may tell so beforehand or not."""


@pytest.mark.parametrize("says_so", ["true", "false"])
def test_what_the_browser_will_not_say_is_said_after_one_touch(
    browser: Browser, says_so: str
) -> None:
    with served(table_of(ENTRIES[: WON_LINES - 1]), KEYS) as server:
        server.wait_for_end()
        context = browser.new_context()
        context.add_init_script(SPEECH.replace("SAYS_SO", says_so))
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(server.url + PAGES["table"].address)
        expect(page.locator(PAGES["table"].shown).first).to_be_visible()
        menu(page)
        page.get_by_role("button", name="Speak").click()
        expect(page.locator("#let-speak")).to_be_hidden()
        page.reload()
        expect(page.locator(PAGES["table"].shown).first).to_be_visible()
        body = {"event": entry_to_json(ENTRIES[WON_LINES - 1]), "lines": WON_LINES - 1}
        answer = server.post("/api/events", body, with_key(KEYS.control))
        assert answer.status == 200, answer.text
        expect(page.locator("#let-speak")).to_be_visible()
        expect(page.locator("#let-speak")).to_have_text("Tap once so that this page may speak")
        assert page.evaluate("window.spoken") == []
        # Also over another reload nobody has heard it.
        page.reload()
        expect(page.locator("#let-speak")).to_be_visible()
        expect(page.locator("#result")).to_be_visible()
        page.locator("#let-speak").click()
        expect(page.locator("#let-speak")).to_be_hidden()
        page.wait_for_function("window.spoken.length > 0")
        spoken = page.evaluate("window.spoken")
        assert len(set(spoken)) == len(spoken)
        assert any("wins" in text for text in spoken)
        page.locator("#now").click()
        assert page.evaluate("window.spoken") == spoken
        context.close()
