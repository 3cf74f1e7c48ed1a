"""Who only watches is offered nothing that would be refused; the others find their codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.sync.client import connect

from service.web.keys import seat_address, table_address
from tests.support.browsing import LAPTOP, PHONE, choose_language, events, menu, opened
from tests.support.keys import KEYS
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.screens import in_every_language, looked_at
from tests.support.served import Served, served

ENDED = next(at for at, entry in enumerate(ENTRIES) if type(entry.event).__name__ == "HandEnd") + 1


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:ENDED]), KEYS, without_key=None) as server:
        yield server


def test_each_key_opens_a_page_with_what_it_may(browser: Browser, server: Served) -> None:
    page = browser.new_page()
    for address, says in (
        (server.url, "scan its code"),
        (table_address(server.url, "wrong"), "opens nothing any more"),
    ):
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text(says)
    page.close()
    watch(browser, table_address(server.url, KEYS.viewer))
    page = opened(browser, table_address(server.url, KEYS.scorer), LAPTOP, [])
    expect(page.get_by_role("button", name="Add an event")).to_be_visible()
    expect(page.locator("#table .mendable").first).to_be_visible()
    page.close()
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
    menu(page)
    page.get_by_text("Codes for watching").click()
    expect(page.get_by_role("link", name="To watch")).to_be_visible()
    expect(page.get_by_role("img", name="To put the record right")).to_be_visible()
    choose_language(page, "zh")
    expect(page.get_by_role("link", name="更正记录")).to_be_visible()
    page.close()


def test_a_shared_result_links_to_its_moment_once_spectators_may_watch(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
    page.get_by_role("button", name="Share picture").click()
    dialog = page.get_by_role("dialog", name="Share picture")
    expect(dialog.get_by_role("img")).to_be_visible()
    expect(dialog.get_by_role("button", name="Link to this moment")).to_be_hidden()
    dialog.get_by_role("button", name="Close").click()
    menu(page)
    page.get_by_label("Spectators may watch").check()
    expect(page.get_by_label("Spectators may watch")).to_be_enabled()
    page.reload()
    menu(page)
    expect(page.get_by_label("Spectators may watch")).to_be_checked()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share picture").click()
    dialog.get_by_role("button", name="Link to this moment").click()
    link = dialog.get_by_role("link").get_attribute("href") or ""
    page.close()
    assert KEYS.control not in link
    someone = browser.new_context(viewport=PHONE).new_page()  # type: ignore[arg-type]
    someone.goto(link)
    expect(someone.locator("#told")).to_contain_text("wins")
    expect(someone.locator("#moves .now")).to_be_visible()
    looked_at(someone, "moment")
    someone.context.close()


def test_any_player_may_say_no_to_clips_with_one_tap(browser: Browser, server: Served) -> None:
    headers = {"Authorization": f"Bearer {KEYS.scorer}"}
    assert server.post("/api/agreed", {"clips": True}, headers).status == 200
    page = opened(browser, seat_address(server.url, KEYS.seats[1]), PHONE, [])
    expect(page.locator("#clips")).to_be_visible()
    in_every_language(page, "agreed")
    page.get_by_role("button", name="I do not agree").click()
    expect(page.locator("#clips")).to_be_hidden()
    assert not json.loads(server.get("/api/agreed", key=KEYS.scorer).text)["clips"]
    page.close()


def watch(browser: Browser, address: str) -> None:
    """Who only watches sees the evidence, and no buttons that mend."""
    complaints: list[str] = []
    page = opened(browser, address, LAPTOP, complaints)
    events(page)
    expect(page.locator("#events .event").first).to_be_visible()
    complaints.clear()  # the first answer, before the key was brought, is a refusal
    for name in ("Undo", "Redo", "Add an event"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    expect(page.locator("#table .mendable")).to_have_count(0)
    menu(page)
    expect(page.locator("#seats")).to_be_hidden()
    page.keyboard.press("Escape")
    page.locator("#events .event").first.click()
    expect(page.locator("#mend")).to_contain_text("No pictures of this moment were kept.")
    expect(page.locator("#mend .way")).to_have_count(0)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Fouls").click()
    expect(page.locator("#mend-content")).to_have_text("Nothing against the rules has been seen.")
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    assert complaints == []
    page.close()


def test_a_page_that_is_turned_away_says_why(
    browser: Browser, server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.web.connection_limit.MOST_SOCKETS", 3)
    headers = {"Authorization": f"Bearer {KEYS.viewer}"}
    with ExitStack() as others:
        for _ in range(3):
            socket = connect(f"ws://{server.host}/ws", additional_headers=headers)
            others.enter_context(socket).recv(PATIENCE_S)
        page = opened(browser, table_address(server.url, KEYS.viewer), LAPTOP, [])
        expect(page.locator("#status")).to_contain_text("too many pages are open")
    expect(page.locator("#status")).to_have_attribute("data-state", "ended")
    page.close()


def typed_in(page: Page, url: str, letters: str) -> None:
    """Type a code on a phone that has no address but the table's; a wrong one first."""
    page.goto(url)
    field = page.get_by_label("Or type the four letters")
    field.fill("bbbb" if letters.upper() != "BBBB" else "cccc")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#code-wrong")).to_contain_text("open nothing")
    looked_at(page, "wrong-code")
    field.fill(letters)
    page.get_by_role("button", name="Open").click()


def test_guests_scan_one_code_and_tap_a_seat_that_is_free(
    browser: Browser, server: Served, tmp_path: Path
) -> None:
    KEYS.taken.clear()
    complaints: list[str] = []
    control = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    menu(control)
    control.get_by_role("button", name="The guest's card").click()
    card = control.locator("#card")
    expect(card.get_by_role("listitem")).to_have_count(3)
    expect(card.get_by_role("img")).to_be_visible()
    control.screenshot(path=tmp_path / "card.png")
    phones = [browser.new_context(viewport=PHONE) for _ in range(2)]  # type: ignore[arg-type]
    pages = [phone.new_page() for phone in phones]
    for page, name in zip(pages, ("Bo", "Chie"), strict=True):
        page.goto(seat_address(server.url, KEYS.guest))
        expect(page.get_by_role("heading", name="Where do you sit?")).to_be_visible()
        page.screenshot(path=tmp_path / f"guest-{name}.png")
        looked_at(page, "guest")
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#whose")).to_have_text(name)
    # Whoever scans again finds the own seat, and nobody takes another one's.
    pages[0].goto("about:blank")
    pages[0].goto(seat_address(server.url, KEYS.guest))
    expect(pages[0].get_by_role("button", name="Chie: taken")).to_be_disabled()
    pages[0].get_by_role("button", name="Bo", exact=True).click()
    expect(pages[0].locator("#whose")).to_have_text("Bo")
    wish = {"device": "another phone that came", "seat": 2}
    headers = {"Authorization": f"Bearer {KEYS.guest}"}
    assert server.post("/api/guest", wish, headers).status == 409
    assert server.post("/api/undo", {}, headers).status == 403
    # Who lost a phone is in again by one tap of the host: the old one is out, and the new one
    # scans, or types four letters; the others are left alone.
    control.get_by_role("button", name="Close").click()
    menu(control)
    control.locator("#lost-phones summary").click()
    control.get_by_role("button", name="New phone for Bo").click()
    lost = control.get_by_role("dialog", name="New phone for Bo")
    expect(lost.get_by_role("img", name="Bo")).to_be_visible()
    expect(pages[0].get_by_role("heading", name="Where do you sit?")).to_be_visible()
    new = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    phones.append(new)
    pages.append(new.new_page())
    typed_in(pages[2], server.url, lost.locator(".letters").inner_text())
    expect(pages[2].locator("#whose")).to_have_text("Bo")
    expect(lost).to_be_hidden()
    expect(pages[1].locator("#whose")).to_have_text("Chie")
    # Guests type the letters of the card, and choose their seat as those who scan it.
    card_again = control.get_by_role("button", name="The guest's card")
    menu(control)
    card_again.click()
    guests = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    phones.append(guests)
    pages.append(guests.new_page())
    typed_in(pages[3], server.url, card.locator(".letters").inner_text().lower())
    expect(pages[3].get_by_role("button", name="Bo: taken")).to_be_disabled()
    expect(pages[3].get_by_role("button", name="Anna", exact=True)).to_be_enabled()
    # A phone of another evening is told in one line, and opens nothing.
    pages[1].goto(seat_address(server.url, "a-key-of-yesterday"))
    expect(pages[1].locator("#status")).to_contain_text("Scan")
    for phone in phones:
        phone.close()
    control.close()
