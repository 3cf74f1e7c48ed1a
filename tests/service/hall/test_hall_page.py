"""A browser runs a hall: adds a table, watches it play, and looks at the standings."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from service.texts.catalogue import rules_titles
from tests.support.axe import faults
from tests.support.browsing import PHONE, choose_language, menu, opened
from tests.support.halls import LINES, HallServed, hall_at
from tests.support.screens import looked_at, stands


def open_parts(page: Page) -> None:
    menu(page)
    for summary in page.locator("#manage summary").all():
        summary.click()


def test_a_hall_is_run_and_watched(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        page = opened(browser, hall.server.url, PHONE, complaints)
        expect(page.locator("#first h2")).to_have_text("Add your first table")
        stands(page, "hall-first")  # where keys are made
        page.get_by_label("Name in addresses").fill("north")
        page.get_by_label("Title").fill("<b>North</b>")
        page.get_by_role("button", name="Add", exact=True).click()
        key = page.locator("#secret code").first.inner_text()
        expect(page.locator(".card h3")).to_contain_text("<b>North</b>")
        expect(page.locator("#first")).to_be_hidden()
        expect(page.locator("#secret")).to_be_visible()
        open_parts(page)
        expect(page.locator("#make-key select")).to_have_value("public")
        expect(page.locator("#manage").get_by_label("Title")).to_be_visible()
        page.keyboard.press("Escape")
        begin_a_season(page)
        assert hall.post("north", LINES[:40], key=key).status == 200
        expect(page.locator(".card .dealer")).to_have_count(1)
        expect(page.locator("#quiet")).to_be_visible()
        trouble = {"trouble": "no picture comes", "trouble_kind": "gone"}
        hall.told("POST", "tables/north/condition", trouble, key)
        expect(page.locator("#needs li")).to_have_text("<b>North</b>: Trouble: no picture comes")
        looked_at(page, "hall-trouble")
        look_at_the_table(page, hall, key)
        look_at_the_league(page, hall)
        assert complaints == []
        page.close()


def begin_a_season(page: Page) -> None:
    tab = page.get_by_role("link", name="Leagues", exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-current", "page")
    page.get_by_role("textbox", name="League").fill("Club league")
    page.get_by_role("textbox", name="Season").fill("2026")
    page.get_by_label("Rules").select_option(label=rules_titles("riichi-tenhou")["en"])
    page.get_by_role("button", name="Begin a season").click()
    expect(page.locator("#seasons a")).to_have_text("Club league 2026")
    with page.expect_response("**/tables/north?*"):  # what begins before belongs to no league
        page.get_by_label("<b>North</b> plays in").select_option("1")
    expect(page.locator("#wrong")).to_be_hidden()
    looked_at(page, "hall-leagues")
    assert faults(page) == []
    page.get_by_role("link", name="Tables", exact=True).click()
    expect(page.locator(".card")).to_be_visible()


def look_at_the_table(page: Page, hall: HallServed, key: str) -> None:
    page.keyboard.press("Escape")
    page.locator(".card").click()
    expect(page.locator(".plate .name").first).to_have_text("Aki")
    expect(page.locator("#events > li")).to_have_count(40)
    assert page.locator("main button").count() == 0, "this page is for watching"
    discard = max(n for n, one in enumerate(LINES[:40]) if one["type"] == "discard")
    told = LINES[discard] | {"source": "person"}
    ruling = {"type": "correct", "of": discard, "events": [told], "evidence": "ruled by Ref <b>"}
    hall.post("north", [ruling | {"source": "person"}], 40, key)
    expect(page.locator("#events > li", has_text="Decided by Ref <b>")).to_have_count(1)
    hall.post("north", LINES[40:], 41, key)
    expect(page.locator("#said li").first).to_contain_text("The game is over")
    menu(page)
    choose_language(page, "ja")
    expect(page.locator("#said li").first).to_contain_text("対局終了")
    expect(page.locator("#said li").first).to_contain_text("1位 Ben 34000点")
    expect(page.locator("#bar strong").nth(1)).to_have_text("34000")  # with the stick that was left
    looked_at(page, "hall-over")
    page.get_by_role("link", name="すべての卓").click()
    expect(page.locator(".card")).to_contain_text("終局")
    expect(page.locator("#needs")).to_contain_text("カメラの映像が途絶えました")


def look_at_the_league(page: Page, hall: HallServed) -> None:
    menu(page)
    page.get_by_label("言語").select_option("en")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Leagues", exact=True).click()
    page.locator("#seasons a").click()
    expect(page.get_by_role("link", name="Leagues")).to_have_attribute("aria-current", "true")
    expect(page.locator("#people li")).to_have_count(4)
    first = page.locator("#people li").first
    expect(first).to_have_text(re.compile(r"1\s*Ben\s*\+9000\s*1\s*▾\s*Games\s*1"))
    # On a phone a tap opens the rest.
    expect(first.locator("dl")).to_be_hidden()
    first.get_by_role("button", name="All figures").click()
    expect(first.locator("dl")).to_be_visible()
    expect(page.locator("#games tr")).to_contain_text("1. Ben +9000")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (CSV)").click()
    assert Path(download.value.path()).read_text("utf-8").startswith('\ufeff"rank","name","games"')
    expect(page.locator("#games").get_by_role("link", name="Ben")).to_be_visible()
    page.locator("#people").get_by_role("link", name="Ben").click()
    expect(page.locator("#title")).to_have_text("Ben")


def test_a_key_opens_the_page_and_only_its_owner_sees_what_runs_the_hall(
    browser: Browser, tmp_path: Path
) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        admin, viewer = (hall.hall.keys.make(role) for role in ("admin", "viewer"))
        hall.told("POST", "tables", {"name": "north"}, admin)
        for key, manages in ((viewer, False), (admin, True)):
            context = browser.new_context()
            page = context.new_page()
            page.goto(f"{hall.server.url}/")
            expect(page.locator("#told")).to_contain_text("opens with its whole address")
            page.goto(f"{hall.server.url}/#{key}")
            expect(page.locator(".card")).to_have_count(1)
            menu(page)
            expect(page.locator("#manage")).to_be_visible(visible=manages)
            context.close()


def test_a_double_tap_makes_one_key(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        page = opened(browser, hall.server.url, PHONE, complaints)
        open_parts(page)
        page.locator("#make-key button").dblclick()
        expect(page.locator("#secret code")).to_have_count(1)
        expect(page.locator("#keys tr")).to_have_count(2)  # that of the table, and this one
        page.locator("#make-key button").click()
        expect(page.locator("#keys tr")).to_have_count(3)
        assert len(hall.told("GET", "keys")) == 3
        assert complaints == []
        page.close()


def test_where_a_table_plays_is_shown_as_the_hall_holds_it(
    browser: Browser, tmp_path: Path
) -> None:
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        hall.add("north")
        season = {"name": "Club", "season": "2026", "rules": "riichi-tenhou"}
        league = str(hall.told("POST", "leagues", season)["id"])
        page = opened(browser, f"{hall.server.url}/leagues", PHONE, [])
        plays = page.get_by_label("north plays in")
        page.route("**/api/v1/tables/north*", lambda route: route.abort())
        plays.select_option(league)
        expect(page.locator("#wrong")).not_to_have_text("")
        expect(plays).to_have_value("")
        page.unroute("**/api/v1/tables/north*")
        plays.select_option(league)
        expect(page.locator("#wrong")).to_have_text("")
        menu(page)
        choose_language(page, "zh")  # all is drawn anew before the hall is asked again
        expect(page.locator("#plays-in select")).to_have_value(league)
        page.close()


def test_a_public_link_shows_the_tables_and_nothing_else(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with hall_at(str(tmp_path / "hall.sqlite3"), without_key=None) as hall:
        admin, public = (hall.hall.keys.make(role) for role in ("admin", "public"))
        for name in ("north", "south"):
            hall.told("POST", "tables", {"name": name, "title": f"<b>{name}</b>"}, admin)
        assert hall.post("north", LINES[:40], key=admin).status == 200
        page = opened(browser, f"{hall.server.url}/watch#{public}", PHONE, complaints)
        expect(page.locator("#watched h2")).to_have_count(2)
        expect(page.locator("[data-name=north] .plate .name").first).to_have_text("Aki")
        assert hall.post("north", LINES[40:], 40, key=admin).status == 200
        expect(page.locator("[data-name=north] .said")).to_contain_text("The game is over")
        stands(page, "watch-over")
        assert faults(page, ("light",)) == []
        page.goto(f"{hall.server.url}/watch?tables=south")
        expect(page.locator("#watched h2")).to_have_text(re.compile("<b>south</b>"))
        assert [complaint for complaint in complaints if "401" not in complaint] == []
        page.close()
        for path in ("tables", "tables/north", "leagues", "players", "keys"):
            assert hall.ask("GET", path, key=public).status == 403, path
        assert hall.post("north", LINES[:1], key=public).status == 403
