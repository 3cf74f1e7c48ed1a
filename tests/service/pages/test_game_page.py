"""A browser looks at hands that are over: result, sheet, chart, replay, downloads."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from engine.codec import read_record
from tests.support.browsing import LAPTOP, PHONE, choose_language, menu, opened, tap_on
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, evening_of_two, table_of
from tests.support.screens import looked_at
from tests.support.served import Served, served

TV = {"width": 1920, "height": 1080}


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES), KEYS) as server:
        server.wait_for_end()
        yield server


def game_page(server: Served, key: str = "") -> str:
    return f"{server.url}/game" + (f"#{key}" if key else "")


def test_the_result_of_a_hand_is_laid_out_on_the_page_of_the_table(browser: Browser) -> None:
    end = next(n for n, one in enumerate(ENTRIES) if type(one.event).__name__ == "Win")
    with served(table_of(ENTRIES[: end + 2]), KEYS) as server:
        server.wait_for_end()
        for size in (PHONE, LAPTOP):
            complaints: list[str] = []
            page = opened(browser, server.url, size, complaints)
            result = page.locator("#result")
            expect(result.locator(".outcome")).to_contain_text("wins")
            expect(result.locator(".laid .tile")).to_have_count(14)
            expect(result.locator(".deltas strong")).to_have_count(4)
            expect(result.locator(".ledger dd")).to_have_text(["1 han", "1 han", "30"])
            expect(result.locator(".sum")).to_have_text("2 han 30 fu: 2000")
            expect(result.locator(".payment")).to_have_text("Anna→Bo2000")
            expect(result.locator(".outcome strong")).to_have_text("2000")
            expect(result.locator(".next")).to_contain_text("deal")
            assert complaints == []
            page.close()


def test_the_moves_are_told_in_the_language_that_is_chosen(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, game_page(server), LAPTOP, [])
    page.locator("#rooms [data-room=replay]").click()
    for lang, says in (("en", "discards"), ("ja", "打牌"), ("zh", "打出"), ("en", "discards")):
        menu(page)
        choose_language(page, lang)
        page.keyboard.press("Escape")
        moves = page.locator("#moves li", has_text=says)
        expect(moves.last).to_be_visible()
        others = {"discards", "打牌", "打出"} - {says}
        for other in others:
            expect(page.locator("#moves li", has_text=other)).to_have_count(0)
    page.close()


def test_a_result_becomes_a_picture_to_send(browser: Browser, server: Served) -> None:
    page = opened(browser, game_page(server), PHONE, [])
    menu(page)
    choose_language(page, "ja")
    page.keyboard.press("Escape")
    tap = "画像を共有"
    page.locator("#chosen").get_by_role("button", name=tap).click()
    expect(page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    looked_at(page, "share")
    with page.expect_download() as download:  # this browser has no sheet to share files
        page.get_by_role("dialog").get_by_role("button", name=tap).click()
    data = Path(download.value.path()).read_bytes()
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (1350, 1080, 3)
    assert len(data) < 1_000_000
    # The hand is drawn, its tiles in their colours.
    assert (picture[576:660, 64:1000].min(axis=2) > 200).mean() > 0.4
    page.close()


def test_a_game_is_studied_by_moves_by_links_and_hand_by_hand(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/game?at=60", PHONE, complaints)
    step = page.locator("#step")
    expect(step).to_contain_text("Step 61 of")
    page.keyboard.press("ArrowRight")
    expect(step).to_contain_text("Step 62 of")
    expect(page.locator("#told")).to_contain_text("draws")
    # Draws are no moves to look for: on one, the move before it stays marked.
    expect(page.locator("#moves .now")).to_have_attribute("data-at", "60")
    expect(page.locator("#moves li", has_text="draws")).to_have_count(0)
    # A row of a small felt is shown alone and large.
    page.locator("#table .river .piece").first.click()
    large = page.locator("#loupe .piece").first.bounding_box()
    assert large is not None
    assert large["width"] >= 26
    page.locator("#loupe").click()
    expect(page.locator("#loupe")).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(page.locator("#told")).to_contain_text("A hand starts")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#told")).to_contain_text("A hand starts")
    page.locator("#moves button").nth(5).click()
    expect(page.locator("#moves .now")).to_have_count(1)
    at = page.locator("#moves .now").get_attribute("data-at")
    menu(page)
    page.get_by_role("button", name="Link to this moment").click()
    expect(page.locator("#link-said a")).to_have_attribute("href", f"{server.url}/game?at={at}")
    page.keyboard.press("Escape")
    page.get_by_label("Speed").select_option("200")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#moves .now")).not_to_have_attribute("data-at", at or "")
    page.get_by_role("button", name="Play", exact=True).click()
    # In a field, arrows are the field's.
    page.get_by_label("Speed").focus()
    stays = step.text_content()
    page.keyboard.press("ArrowRight")
    expect(step).to_have_text(stays or "")
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("#hands td button")).to_have_count(12)
    best = page.get_by_role("button", name="Hand of the evening: Dan +13200")
    best.click()
    expect(page.locator("#chosen strong.gain")).to_have_text("+13200")
    page.get_by_role("button", name="Result of East 2, 1 honba", exact=True).click()
    expect(page.locator("#chosen h2")).to_have_text("Result of East 2, 1 honba")
    page.locator("#chosen").get_by_role("button", name="Replay").click()
    expect(page.locator("#sheet")).to_be_hidden()
    # The replay goes to the beginning of that hand, and on from there.
    expect(page.locator("#told")).to_contain_text("A hand starts")
    stays = step.text_content()
    page.get_by_role("slider", name="Replay").press("ArrowRight")
    expect(step).not_to_have_text(stays or "")
    for _ in range(12):
        page.get_by_role("button", name="One step on").click()
    expect(page.locator("#table .river use").first).to_be_attached()
    expect(page.locator("#table .hand .standing").first).to_be_attached()
    chart = page.locator("#chart svg")
    expect(chart.locator("polyline")).to_have_count(4)
    expect(chart).to_have_attribute("aria-label", f"Points over the hands. {lines(server)}")
    expect(page.locator("#places tr")).to_have_count(5)
    menu(page)
    choose_language(page, "zh")
    expect(page.locator("#chosen h2")).to_have_text("东2局1本场结果")
    choose_language(page, "en-native")
    page.reload()
    expect(page.locator("#hands")).to_contain_text("calls ron from")
    expect(page.locator("#hands")).not_to_contain_text("calls hu")
    assert complaints == []
    page.close()


def test_games_of_one_evening_are_one_chart_and_a_tap_tells_a_hand(browser: Browser) -> None:
    with served(table_of(evening_of_two()), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, game_page(server), PHONE, [])
        chart = page.locator("#chart svg")
        expect(chart.locator("polyline")).to_have_count(8)
        expect(chart.locator(".game-mark")).to_have_count(1)
        expect(chart.locator(".chart-name")).to_have_text(["Anna", "Bo", "Chie", "Dan", "Eve"])
        games = server.json("/api/hands")["games"]
        told = chart.get_attribute("aria-label") or ""
        ends = dict(zip(games[0]["names"], games[0]["points"], strict=True))
        for seat, name in enumerate(games[1]["names"]):
            before = ends.get(name, games[0]["start"][seat])
            total = before + games[1]["points"][seat] - games[1]["start"][seat]
            assert f"{name}: " in told
            (series,) = (one for one in told.split(". ") if one.startswith(f"{name}: "))
            assert series.split(", ")[-1] == str(total), "a later game goes on where one ended"
        box = chart.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        sizes = chart.locator("text").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect().height)"
        )
        assert min(sizes) >= 14, "it is read on a phone"
        tap_on(chart, 3)
        expect(page.locator("#chosen h2")).to_contain_text("East 2, 1 honba")
        moments = page.locator("#chosen .strip li")
        expect(moments).to_have_count(3)
        expect(moments.last).to_contain_text("nine terminals")
        page.locator("#hands button").nth(5).click()
        expect(page.locator("#chosen .strip li")).to_have_count(5)  # it stays open
        page.locator("#chosen .strip button").last.click()
        expect(page.locator("#told")).to_contain_text("wins")
        page.close()


def test_a_picture_that_is_gone_gives_way_to_the_felt(browser: Browser, server: Served) -> None:
    page = opened(browser, game_page(server), LAPTOP, [])
    answer = server.json("/api/hands/1/story")
    for moment in answer["moments"]:
        moment["picture"] = "/api/v1/pictures/99999"
    page.route("**/story?*", lambda route: route.fulfill(json=answer))
    page.locator("#hands button").first.click()
    page.locator("#chosen .story summary").click()
    page.locator("#chosen .strip").scroll_into_view_if_needed()
    expect(page.locator("#chosen .strip .felt")).to_have_count(len(answer["moments"]))
    page.close()


def test_between_games_the_table_shows_how_the_evening_went(browser: Browser) -> None:
    with served(table_of(evening_of_two()), KEYS) as server:
        server.wait_for_end()
        for address, size in (("/", PHONE), ("/", LAPTOP), ("/?tv", TV)):
            page = opened(browser, server.url + address, size, [])
            chart = page.locator("#result .chart svg")
            expect(chart).to_be_visible()
            expect(chart.locator("polyline")).to_have_count(8)
            if size is TV:
                box, slot = chart.bounding_box(), page.locator("#slot").bounding_box()
                assert box is not None
                assert slot is not None
                assert box["y"] + box["height"] <= slot["y"] + slot["height"]
                high = chart.locator("text").evaluate_all(
                    "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
                )
                assert min(high) >= 32
            page.close()


def lines(server: Served) -> str:
    (game,) = server.json("/api/hands")["games"]
    hands = game["hands"]
    series = [[game["start"][seat], *(hand["points"][seat] for hand in hands)] for seat in range(4)]
    told = (
        f"{name}: {', '.join(map(str, points))}"
        for name, points in zip(game["names"], series, strict=True)
    )
    return ". ".join(told)


def downloaded(page: Page, form: str) -> str:
    page.get_by_role("button", name="Downloads").click()
    with page.expect_download() as waiting:
        page.locator(f'#forms [data-form="{form}"]').click()
    return Path(waiting.value.path()).read_text("utf-8")


def test_files_are_downloaded(browser: Browser, server: Served) -> None:
    page = opened(browser, game_page(server, KEYS.control), LAPTOP, [])
    assert len(list(csv.DictReader(io.StringIO(downloaded(page, "csv"))))) == 13
    assert "<table" in downloaded(page, "html")
    assert read_record(downloaded(page, "record")) == ENTRIES
    assert downloaded(page, "mjai").startswith('{"type":"start_game"')
    assert '"log"' in downloaded(page, "tenhou6")
    page.close()
    page = opened(browser, game_page(server), LAPTOP, [])
    expect(page.locator("#forms button")).to_have_count(3)
    page.close()


@pytest.mark.parametrize("size", [(390, 844), (768, 1024), (1280, 800), (1920, 1080)])
def test_the_replay_is_seen_whole_and_its_picture_takes_the_place_of_the_felt(
    browser: Browser, server: Served, size: tuple[int, int]
) -> None:
    width, height = size
    page = opened(browser, f"{server.url}/game?at=60", {"width": width, "height": height}, [])
    expect(page.locator("#table svg")).to_be_visible()
    for part in ("#table svg", "#foot", "#told"):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, part
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, part
    foot = page.locator("#foot").bounding_box()
    assert foot is not None
    # On a phone the slider has a line of its own.
    assert foot["height"] == (56 if width > 480 else 96)
    before = page.locator("#table svg").bounding_box()
    picture = page.locator("#moment-picture")
    picture.evaluate("(image) => { image.src = '/static/shared/icon-512.png'; }")
    page.locator("#moment").click()
    page.evaluate("() => scrollTo(0, 0)")
    shown = page.locator("#moment").bounding_box()
    assert before is not None
    assert shown is not None
    assert shown["width"] == pytest.approx(before["width"], abs=2)
    assert shown["y"] == pytest.approx(before["y"], abs=2)
    page.locator("#moment").click()
    page.evaluate("() => scrollTo(0, 0)")
    assert page.locator("#table svg").bounding_box() == before
    page.close()
