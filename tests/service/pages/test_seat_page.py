"""A browser opens the pages of the seats, as the players' phones do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from engine.events import Win
from service.web.keys import seat_address, table_address
from tests.support.browsing import LAPTOP, PHONE, choose_language, menu, opened
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, played
from tests.support.modules import name_exports
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES
from tests.support.scanned import scanned
from tests.support.screens import looked_at
from tests.support.seat_camera_game import with_camera
from tests.support.served import Served, served

IN_A_TURN = 24
"""Events until somebody has drawn and has yet to discard; that hand has no sets."""


@pytest.fixture
def server() -> Iterator[Served]:
    entries = ENTRIES[:IN_A_TURN]
    table = played(entries, "riichi")
    with served(table, KEYS) as server:
        server.wait_for_end()
        yield server


def turn_of(server: Served) -> int:
    turn: int = server.json("/api/table")["turn"]
    return turn


def test_a_seat_sees_its_own_hand_and_asks_for_a_hint(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    seat = turn_of(server)
    page = opened(browser, seat_address(server.url, KEYS.seats[seat]), PHONE, complaints)
    # Who is faster than the line is given the hint all the same.
    page.get_by_role("button", name="Give me a hint").click()
    expect(page.locator("#hand .tile")).to_have_count(14)
    expect(page.locator("#hand .tile").last).to_have_class("tile apart")
    expect(page.locator("#whose")).to_have_text(server.json("/api/table")["names"][seat])
    expect(page.locator(f'.plate[data-seat="{seat}"] .name')).to_have_text("You")
    expect(page.locator("#advice li").first).to_contain_text(re.compile("away|wait"))
    expect(page.locator("#advice li").first.locator(".counted").first).to_have_text(
        re.compile("×[1-4]")
    )
    # Table and hand stay in sight, whatever is told meanwhile and however the phone is held.
    name_exports(page, "seat/own_hand")
    for width, height in ((390, 844), (768, 1024), (1280, 800), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        before = page.locator("#table svg").bounding_box()
        page.mouse.wheel(0, 5000)
        page.evaluate("showOwnResult({ won: true, delta: 2000, points: 27000, place: 1 })")
        assert page.locator("#table svg").bounding_box() == before
        for shown in ("#hand", "#table svg"):
            expect(page.locator(shown)).to_be_in_viewport(ratio=1)
        page.evaluate("showOwnResult(null)")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("button", name="Why is my hand not ready").click()
    expect(page.locator("#answer .no").last).to_contain_text("Best discard")
    expect(page.locator("#answer .counted").first).to_be_attached()
    menu(page)
    choose_language(page, "zh")
    expect(page.locator("#answer li").last).to_contain_text("最佳打法")
    expect(page.locator("#advice li").first).to_contain_text(re.compile("[一-鿿]"))
    page.get_by_text("术语").click()
    expect(page.locator("#glossary")).to_contain_text("立直")
    expect(page.locator("#glossary")).not_to_contain_text("财神")
    looked_at(page, "terms")
    # Hints can come always, and still do after a reload.
    page.reload()
    expect(page.locator("#hand .tile")).to_have_count(14)
    expect(page.locator("#advice li")).to_have_count(0)
    menu(page)
    page.locator("#always").check()
    expect(page.locator("#advice li").first).to_be_visible()
    page.reload()
    expect(page.locator("#advice li").first).to_be_visible()
    assert complaints == []
    page.close()
    page = opened(browser, seat_address(server.url, "nothing"), PHONE, [])
    expect(page.locator("#status")).to_contain_text("Scan the seat's code again")
    expect(page.locator("#hand .tile")).to_have_count(0)
    page.close()


BOTTOM: Final = "(name) => document.querySelector(name).getBoundingClientRect().bottom"


def test_who_waits_for_a_seat_waits_on_where_nobody_answers_for_a_while(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, seat_address(server.url, KEYS.guest), PHONE, [])
    title, status = page.locator("#guest-title"), page.locator("#status")
    waits = "A hand is being played. Take your seat when it is over."
    expect(title).to_have_text(waits)
    page.route("**/api/guest*", lambda route: route.abort())
    expect(status).to_have_attribute("data-state", "connecting")
    # It is told in the header: nothing covers what stands below it.
    said = page.evaluate(BOTTOM, "#status"), page.evaluate(BOTTOM, "body > header")
    assert said[0] <= said[1]
    expect(status).to_contain_text("Trying again")
    expect(title).to_have_text(waits)
    page.unroute("**/api/guest*")
    expect(status).to_have_attribute("data-state", "live")
    expect(title).to_have_text(waits)
    page.close()


def test_the_codes_stand_on_the_admin_page_alone(browser: Browser, server: Served) -> None:
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
    menu(page)
    page.get_by_text("Show the codes").click()
    expect(page.locator("#codes svg")).to_have_count(4)
    links = page.locator("#codes a")
    assert [link.get_attribute("href") for link in links.all()] == [
        seat_address(server.url, key) for key in KEYS.seats
    ]
    # A phone's camera reads what the link says.
    assert scanned(page.locator("#codes svg").nth(2)) == seat_address(server.url, KEYS.seats[2])
    page.close()
    page = opened(browser, server.url, LAPTOP, [])
    expect(page.locator("#status")).to_have_attribute("data-state", "ended")
    menu(page)
    expect(page.locator("#seats")).to_be_hidden()
    page.close()


def test_the_own_result_stands_on_top(browser: Browser) -> None:
    end = next(n for n, one in enumerate(ENTRIES) if isinstance(one.event, Win))
    win = ENTRIES[end].event
    assert isinstance(win, Win)
    table = played(ENTRIES[: end + 1], "riichi")
    with served(table, KEYS) as server:
        server.wait_for_end()
        page = opened(browser, seat_address(server.url, KEYS.seats[win.seat]), PHONE, [])
        expect(page.locator("#own-result")).to_contain_text("You won: +2000")
        expect(page.locator("#hand .tile.apart")).to_have_count(1)
        expect(page.locator("#waits .tile")).to_have_count(0)
        expect(page.get_by_role("button", name="Give me a hint")).to_be_disabled()
        expect(page.locator("#no-hint")).to_have_text("No hand is being played.")
        payout = page.locator("#said .payout").first
        expect(payout).to_contain_text("You win")
        payout.get_by_text("Line by line").click()
        expect(payout.locator("li").nth(2)).to_be_visible()
        page.close()
        page = opened(browser, seat_address(server.url, KEYS.seats[win.from_seat]), PHONE, [])
        expect(page.locator("#own-result")).to_contain_text("You pay 2000")
        page.close()


def test_a_seat_lets_a_phone_watch_its_own_hand(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.phone.seat_cameras.UNSEEN_S", 10 * PATIENCE_S)
    table = with_camera(KeptLines())
    assert table.seat_cameras is not None
    with served(table, KEYS) as server:
        server.wait_for_end()
        complaints: list[str] = []
        page = opened(browser, seat_address(server.url, KEYS.seats[1]), PHONE, complaints)
        expect(page.locator("#hand .tile")).to_have_count(13)
        expect(page.locator("#waits")).to_contain_text("You wait for")
        menu(page)
        page.get_by_text("A camera for my hand").click()
        page.get_by_role("button", name="Use a phone").click()
        expect(page.locator("#camera-link svg")).to_be_visible()
        expect(page.locator("#camera-link a")).to_have_attribute("href", re.compile("^https://.*#"))
        expect(page.locator("#camera-state")).to_have_text("Waiting for its pictures.")
        expect(page.locator("#hand .tile")).to_have_count(0)  # the new camera has seen nothing
        expect(page.get_by_role("button", name="Give me a hint")).to_be_disabled()
        assert complaints == []
        page.close()
        other = opened(browser, seat_address(server.url, KEYS.seats[2]), PHONE, [])
        expect(other.locator("#told li")).to_have_count(0)
        expect(other.locator("#waits .tile")).to_have_count(0)
        expect(other.locator("#no-hand")).to_contain_text("let a phone watch it")
        expect(other.locator("#hand .tile")).to_have_count(0)
        other.close()
    table.seat_cameras.close()
