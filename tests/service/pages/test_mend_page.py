"""A person puts a game right on the page: a tap on an event or a tile, and one more that mends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from engine.codec import read_record
from engine.events import (
    Correct,
    Discard,
    Entry,
    GameStart,
    HandStart,
    Position,
    Pung,
    Win,
)
from engine.tiles import Tile, parse
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.axe import faults
from tests.support.browsing import LAPTOP, PHONE, choose_language, events, menu, opened
from tests.support.cases import position
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.live_table import KeptLines, frames, resumed
from tests.support.screens import looked_at
from tests.support.served import Served, served
from tests.support.told_reader import HearingTold


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(RECORD)
    return path


@pytest.fixture
def server(record: Path) -> Iterator[Served]:
    kept = RecordFile(record)
    table = resumed(kept.entries, record=kept)
    with served(table) as server:
        server.wait_for_end()
        yield server
    kept.close()


def event(page: Page, number: int) -> Locator:
    return page.locator(f'.event[data-number="{number}"]')


def choose(page: Page, field: str, choice: str) -> None:
    group = page.locator("#mend").get_by_role("group", name=field, exact=True)
    group.get_by_role("button", name=choice, exact=True).click()


class Taps:
    """Counts what a person taps until a change is saved."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._count = 0

    def on(self, target: Locator) -> None:
        target.tap()
        self._count += 1

    def saved(self) -> int:
        self.on(self._page.get_by_role("button", name="Save"))
        expect(self._page.locator("#mend")).to_be_hidden()
        count, self._count = self._count, 0
        return count


def test_few_taps_mend_a_discard_a_hand_and_a_dealer(
    browser: Browser, server: Served, record: Path
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(server.url)
    taps, mend = Taps(page), page.locator("#mend")
    looked_at(page, "problems")
    taps.on(event(page, 6))
    taps.on(mend.locator(".palette").get_by_role("button", name="6p", exact=True))
    assert taps.saved() <= 3
    taps.on(event(page, 8))
    taps.on(mend.locator(".slot").nth(3))
    taps.on(mend.locator(".palette").get_by_role("button", name="6s", exact=True))
    expect(page.locator("#mend-follows li").first).to_be_visible()
    assert taps.saved() <= 4
    taps.on(event(page, 10))
    choices = mend.get_by_role("group", name="Dealer").get_by_role("button")
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(mend.locator(".way")).to_have_text("This hand is not under way")
    looked_at(page, "not-under-way")
    taps.on(choices.nth(2))
    assert taps.saved() <= 3
    given = [one.event for one in read_record(record.read_text())[len(ENTRIES) :]]
    discard, win, dealt = (one.events[0].event for one in given if isinstance(one, Correct))
    assert discard == Discard(3, Tile("6p"))
    assert isinstance(win, Win)
    assert win.hand == parse("13p 6s 56789s 77z")
    assert dealt == HandStart(dealer=2)
    # Names, where the game begins; and a hand that is not under way.
    page.get_by_role("button", name="Game and hand").tap()
    mend.locator(".event").first.tap()
    mend.locator(".names input").first.fill("Nobu")
    mend.get_by_label("Rules", exact=True).select_option(label="Riichi (EMA 2016)")
    mend.get_by_text("House rules").tap()
    mend.get_by_text("Yakuman that count double:").tap()
    mend.get_by_label("thirteen orphans", exact=True).tap()
    page.get_by_role("button", name="Save").tap()
    expect(event(page, 3)).to_contain_text("Nobu")
    line = read_record(record.read_text())[-1].event
    assert isinstance(line, Correct)
    (begun,) = (one.event for one in line.events)
    assert isinstance(begun, GameStart)
    assert begun.rules == "riichi-2016"
    assert begun.options == {"double_yakuman": ("kokushi",)}
    assert complaints == []
    context.close()


def test_nothing_moves_under_a_finger_when_what_follows_is_told(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, server.url, PHONE, [])
    mend, waiting = page.locator("#mend"), Queue[Route]()
    page.locator("#add").click()
    page.route("**/preview?**", waiting.put)
    mend.locator("#mend-type").select_option("drawn_hand")
    while waiting.empty():
        page.wait_for_timeout(20)  # the route is told while the page is waited for
    taps = mend.locator("#mend-content button, footer button")
    before = [tap.bounding_box() for tap in taps.all()]
    waiting.get_nowait().continue_()
    expect(mend.locator("#mend-follows")).not_to_be_empty()
    assert [tap.bounding_box() for tap in taps.all()] == before
    page.close()


def test_one_tap_on_the_first_reading_mends_a_misread_event(
    browser: Browser, server: Served, record: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, PHONE, complaints)
    problems = page.locator("#events .problem")
    expect(problems.first).to_be_visible()
    before = problems.count()
    event(page, 12).click()
    expect(page.locator("#mend .way").first).to_contain_text("solves a problem")
    expect(page.locator("#mend .way").last).to_contain_text("It did not happen")
    assert faults(page, ("light",)) == []
    page.locator("#mend .way").first.click()
    expect(page.locator("#mend-follows del")).to_contain_text("not the turn of Bo")
    looked_at(page, "follows")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#mend")).to_be_hidden()
    expect(problems).to_have_count(before - 1)
    expect(page.locator(".event.by-person")).not_to_have_count(0)
    last = read_record(record.read_text())[-1]
    assert isinstance(last.event, Correct)
    assert (last.event.of, last.source) == (12, "person")
    page.get_by_role("button", name="Undo").click()
    expect(problems).to_have_count(before)
    page.get_by_role("button", name="Redo").click()
    expect(problems).to_have_count(before - 1)
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    assert complaints == []
    page.close()


WIN = ENTRIES[8].event
assert isinstance(WIN, Win)
FOLLOWS = [
    Entry(Correct(6, (Entry(Discard(3, Tile("2p"))),), "reread"), source="camera"),
    Entry(Correct(8, (Entry(replace(WIN, from_seat=3)),), "reread"), source="camera"),
]
"""Not Anna has discarded the winning tile: then it was Dai."""
BACK = [Entry(Correct(number, (ENTRIES[number],), "reread"), source="camera") for number in (6, 8)]


def test_what_else_a_mend_changes_is_shown_and_spoken_once(browser: Browser) -> None:
    complaints: list[str] = []
    reader = HearingTold(ENTRIES, FOLLOWS, BACK)
    table = LiveTable(reader, frames(), KeptLines(), TableSettings("harbin-hlr", "x"))
    with served(table) as server:
        server.wait_for_end()
        page = opened(browser, server.url, PHONE, complaints)
        page.evaluate(
            "() => { window.spoken = [];"
            " speechSynthesis.speak = (words) => window.spoken.push(words.text); }"
        )
        menu(page)
        page.get_by_role("button", name="Speak").click()
        also = page.locator("#also")
        expect(also).to_be_hidden()
        event(page, 7).click()
        page.get_by_role("button", name="It did not happen").click()
        page.get_by_role("button", name="Save").click()
        expect(also.locator("li")).to_have_count(2)
        expect(also.locator("li").last.locator("del")).to_contain_text("Anna")
        expect(also.locator("li").last).to_contain_text("<b>D</b>")
        menu(page)
        choose_language(page, "zh")
        expect(also).to_contain_text("随之更改的还有")
        looked_at(page, "also")
        choose_language(page, "en")
        assert len([text for text in page.evaluate("window.spoken") if "wins" in text]) == 1
        page.get_by_role("button", name="Undo").click()
        expect(also.locator("li").last.locator("del")).to_contain_text("<b>D</b>")
        # What was said first holds again, and was taken back meanwhile: it is said once more.
        wins = [text for text in page.evaluate("window.spoken") if "wins" in text]
        assert len(wins) == len(set(wins)) == 2
        also.get_by_role("button", name="Close").click()
        expect(also).to_be_hidden()
        page.close()
    assert complaints == []


def test_a_tile_of_the_drawn_table_is_mended_with_the_keyboard(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, LAPTOP, complaints)
    tile, ways = page.locator("#table .river .piece").first, page.locator("#mend .way")
    expect(tile).to_have_attribute("aria-label", "Correct: 5m")
    events(page)
    # Whoever looks and mends nothing is back where they were.
    for begun, key in ((page.locator("#events .event").first, "Enter"), (tile, "Space")):
        begun.focus()
        page.keyboard.press(key)
        expect(ways.first).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#mend")).to_be_hidden()
        expect(begun).to_be_focused()
    page.keyboard.press("Enter")
    expect(ways.first).to_be_focused()
    page.locator("#mend .way", has=page.locator('[aria-label="6m"]')).first.press("Enter")
    expect(page.locator("#mend-save")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tile).to_have_attribute("aria-label", "Correct: 6m")
    expect(page.locator("#mend")).to_be_hidden()
    # A tile can be typed: its rank, then its suit.
    tile.focus()
    page.keyboard.press("Enter")
    expect(ways.first).to_be_focused()
    page.keyboard.type("4s")
    page.get_by_role("button", name="Save").press("Enter")
    expect(tile).to_have_attribute("aria-label", "Correct: 4s")
    assert complaints == []
    page.close()


def test_sets_and_flowers_of_a_joined_hand_open_the_events_that_brought_them(
    browser: Browser,
) -> None:
    begun = Position(sets=((),) * 4, rivers=((),) * 4, flowers=((Tile("1f"),), (), (), ()), turn=1)
    pung = Pung(0, 1, Tile("5m"), (Tile("5m"), Tile("5m")))
    start = GameStart("hong-kong", {"flowers": True})
    lines = (start, HandStart(), begun, Discard(1, Tile("5m")), pung)
    entries = [Entry(event) for event in lines]
    complaints: list[str] = []
    with served(resumed(entries, "hong-kong")) as server:
        server.wait_for_end()
        page = opened(browser, server.url, LAPTOP, complaints)
        tiles = page.locator("#table [data-set]")
        expect(tiles).to_have_count(4)
        expect(page.locator("#table [data-set].mendable")).to_have_count(3)
        page.locator("#table [data-set].mendable").first.click()
        expect(page.locator("#mend-type")).to_have_value("pung")
        page.close()
    assert complaints == []


def test_a_winning_tile_laid_apart_opens_its_win(browser: Browser) -> None:
    hands = {"0": "123m 456m 46s 99s"}
    five, begun = Tile("5s"), position(hands, {"0": ["777m"]}, turn=1)
    lines = (GameStart("sichuan-xueliu"), HandStart(), begun, Discard(1, five), Win(0, 1, five))
    complaints: list[str] = []
    with served(resumed([Entry(event) for event in lines], "sichuan-xueliu")) as server:
        server.wait_for_end()
        page = opened(browser, server.url, LAPTOP, complaints)
        felt = page.locator("#table svg")
        # The winner plays on: no stick for a call that nobody made, and the badge says that it won.
        expect(page.locator("#table .stick")).to_have_count(0)
        expect(felt).to_have_attribute("aria-label", re.compile(", won"))
        expect(felt).not_to_have_attribute("aria-label", re.compile(", wins"))
        page.locator("#table [data-set].mendable").last.click()
        expect(page.locator("#mend-type")).to_have_value("win")
        page.close()
    assert complaints == []


def flower_offered(browser: Browser, entries: list[Entry], rules: str) -> bool:
    """Whether the form that adds an event offers flowers, with the tile drawn for one."""
    complaints: list[str] = []
    with served(resumed(entries, rules)) as server:
        server.wait_for_end()
        page = opened(browser, server.url, LAPTOP, complaints)
        events(page)
        page.locator("#add").click()
        expect(page.locator("#mend-type")).to_have_value("discard")
        offered = page.locator("#mend-type option[value=flower]").count() == 1
        if offered:
            page.locator("#mend-type").select_option("flower")
            drawn = page.locator("#mend").get_by_text("Tile drawn in its place", exact=True)
            expect(drawn).to_be_visible()
        page.close()
    assert complaints == []
    return offered


def test_flowers_are_offered_only_where_they_are_played(browser: Browser) -> None:
    for flowers in (True, False):
        start = GameStart("hong-kong", {"flowers": flowers})
        entries = [Entry(start), Entry(HandStart())]
        assert flower_offered(browser, entries, "hong-kong") is flowers


def test_what_cannot_be_is_refused_what_was_missed_inserted_and_a_phantom_removed(
    browser: Browser, server: Served, record: Path
) -> None:
    page = opened(browser, server.url, LAPTOP, [])
    page.get_by_role("button", name="Add an event").click()
    expect(page.locator("#mend .palette").first).to_be_visible()
    assert faults(page) == []
    choose(page, "Who", "<b>D</b>")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_have_text("First choose: Tile")
    page.locator("#mend .palette").get_by_role("button", name="8s").click()
    expect(page.locator("#mend-follows .problem")).to_contain_text("not the turn")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("that cannot be")
    assert record.read_text() == RECORD
    page.get_by_role("button", name="Close").click()
    event(page, 12).click()
    page.get_by_role("button", name="Something before it is missing").click()
    choose(page, "Who", "=1+1")
    page.locator("#mend .palette").get_by_role("button", name="8s").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#events > li").nth(1)).to_contain_text("=1+1 discards")
    events(page)
    page.locator("#events .event").nth(1).click()
    page.get_by_role("button", name="It did not happen").click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#events > li").nth(1)).to_contain_text("Bo discards")
    page.close()
