"""The table page: the board stands still, and one place tells what comes by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from engine.events import Win
from service.web.keys import SEATS, TableKeys, seat_address, table_address
from tests.support.browsing import LAPTOP, PHONE, choose_language, menu, opened
from tests.support.keys import KEYS
from tests.support.modules import name_exports
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.scanned import scanned
from tests.support.screens import stands_here
from tests.support.served import served

TELEVISION: Final = {"width": 1920, "height": 1080}
SIZES: Final = ((390, 844), (768, 1024), (1280, 800), (1366, 768), (1920, 1080))
WON: Final = 1 + next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))

MODULES: Final = ("shared/said", "table/app", "table/known", "table/mend_dialog", "table/questions")
ASKED: Final = """() => {
  const pays = { "9s": [-2000, 2000, 0, 0], "6s": [0, 3000, -3000, 0] };
  const choice = (tile, share) => ({ told: ["Bo discards", { tile }], share, deltas: pays[tile] });
  showQuestions([1, 2].map((id) => ({
    id: `q${id}`, t: 110, opens: true, asks: "What did Bo discard?", why: null, spoken: "",
    choices: [choice("9s", 0.8), choice("6s", 0.15), { nothing: true, share: 0.05 }],
  })));
}"""
LONG: Final = "too dark to read the tiles; a hand or a sleeve may lie over the camera " * 3
COMES: Final[dict[str, str]] = {
    "question": ASKED,
    "trouble": f"() => setStatus('failed', {LONG!r})",
    "restart": "() => showBack('a moment')",
    "the film is over": "() => showStatus({ ended: true })",
    "no network": "() => showClosed({ code: 1006 })",
    "announcement": f"() => showSaid([{{ of: 999, kind: 'ready', text: {LONG!r} }}])",
}
"""What may come while a hand is played, as the page is told it."""


COVERED: Final = """({ left, top, width }) =>
  [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5], [0.5, 0], [0.5, 1], [0, 0.5], [1, 0.5]].filter(
    (part) => {
      const [x, y] = part.map((each) => 4 + each * (width - 8));
      return document.elementFromPoint(left + x, top + y).closest("#table") === null;
    })"""
"""Parts of the felt on which something else lies."""


@pytest.fixture(scope="module", params=[60, WON], ids=["playing", "result"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    with served(table_of(ENTRIES[: request.param]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        expect(page.locator("#table svg")).to_be_visible()
        if request.param == WON:
            expect(page.locator("#result .outcome")).to_be_visible()
        name_exports(page, *MODULES)
        yield page
        page.close()


def box(page: Page) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(
        "() => document.querySelector('#table svg').getBoundingClientRect().toJSON()"
    )
    return found


@pytest.mark.parametrize("what", COMES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_nothing_moves_resizes_or_covers_the_felt(
    page: Page, size: tuple[int, int], what: str
) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    before = box(page)
    assert 0 <= before["left"] < before["right"] <= width
    assert 0 <= before["top"] < before["bottom"] <= height
    assert before["width"] == before["height"]
    page.evaluate(COMES[what])
    try:
        assert box(page) == before
        assert page.evaluate(COVERED, before) == []
    finally:
        page.evaluate("() => { showQuestions([]); showBack(null); setStatus('watching', ''); }")
        page.evaluate("tellAgain()")
    assert box(page) == before


WHOLE: Final = """(all) => all.map((each) => {
  const { left, top, width, height, right, bottom } = each.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return inside && each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})"""
"""Whether elements lie wholly on the screen, with nothing over their middle."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("lines", [60, WON], ids=["playing", "result"])
def test_choices_are_wholly_in_sight_beside_their_picture(
    browser: Browser, lines: int, size: tuple[int, int]
) -> None:
    ok, drawn = cv2.imencode(".png", np.full((165, 124, 3), 230, np.uint8))
    assert ok
    with served(table_of(ENTRIES[:lines]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        page.route("**/api/questions/*/*", lambda route: route.fulfill(body=drawn.tobytes()))
        page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(page.locator("#table svg")).to_be_visible()
        if lines == WON:
            expect(page.locator("#result .outcome")).to_be_visible()
        name_exports(page, *MODULES)
        page.evaluate(ASKED)
        tile = page.locator(".question .upright img").first
        expect(tile).to_have_js_property("naturalWidth", 124)
        choices = page.locator("#questions .question").first.locator(".readings button")
        assert choices.evaluate_all(WHOLE) == [True] * 3
        page.close()


def test_a_key_answers_only_what_is_in_sight(browser: Browser) -> None:
    answered: list[str] = []
    with served(table_of(ENTRIES[:WON]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), PHONE, [])
        page.on("request", lambda asked: answered.append(asked.url))
        expect(page.locator("#result .outcome")).to_be_visible()
        name_exports(page, *MODULES)
        page.evaluate(ASKED)
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        expect(page.locator(".readings button").first).not_to_be_in_viewport()
        page.keyboard.press("1")
        page.evaluate("() => scrollTo(0, 0)")
        assert not [url for url in answered if "/api/answers" in url]
        with page.expect_request("**/api/answers*"):
            page.keyboard.press("1")
        page.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_a_result_and_its_buttons_stay_in_sight_beside_a_question(
    browser: Browser, size: tuple[int, int]
) -> None:
    width, height = size
    with served(table_of(ENTRIES[:WON]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        page.set_viewport_size({"width": width, "height": height})
        taps = page.locator("#result .foot button")
        expect(page.get_by_role("button", name="Next game")).to_be_visible()
        headline = page.locator("#result .outcome > *")
        names = ["Dispute it", "Share picture", "Next game"]
        assert taps.all_inner_texts() == names
        assert (
            page.locator("#result :is(.outcome > *, .foot button)").evaluate_all(WHOLE)
            == [True] * 5
        )
        name_exports(page, *MODULES)
        page.evaluate(ASKED)
        assert in_slot(page) == ["questions"]  # the result lends its parts to the slot
        # Upright, the felt leaves room for the question alone: the rest comes after it.
        upright = height > width
        assert headline.evaluate_all(WHOLE) == [not upright or width < 600] * 2
        assert taps.evaluate_all(WHOLE) == [not upright] * 3
        choices = page.locator("#questions .question").first.locator(".readings button")
        expect(choices.first).to_contain_text("Anna pays 2000")
        expect(choices.nth(1)).to_contain_text("Chie pays 3000")
        # What is doubtful of an earlier game waits in the header, and comes when it is asked for.
        page.evaluate("() => showQuestions(asked.map((one) => ({ ...one, opens: false })))")
        assert in_slot(page) == ["result"]
        page.get_by_role("button", name="2 questions").click()
        assert in_slot(page) == ["questions"]  # the result lends its parts to the slot
        page.close()


def test_the_next_game_is_the_thing_to_do_once_this_one_is_over(browser: Browser) -> None:
    for lines, names in (
        (ENTRIES[:WON], ["Dispute it", "Share picture", "Next game"]),
        (ENTRIES, ["Next game", "Dispute it", "Share picture"]),
    ):
        with served(table_of(lines), KEYS) as server:
            server.wait_for_end()
            page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
            expect(page.locator("#result .foot button")).to_have_text(names)
            expect(page.locator("#result .foot .main")).to_have_count(int(lines == ENTRIES))
            page.close()


@pytest.mark.parametrize("what", ["trouble", "restart"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_a_result_and_its_buttons_stay_below_what_is_wrong(
    page: Page, size: tuple[int, int], what: str
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => document.body.classList.remove('seen')")
    first = "trouble" if what == "trouble" else "back"
    result = ["result"] if page.locator("#result .outcome").count() else []
    try:
        page.evaluate("() => showStatus({ ended: false })")
        page.evaluate(COMES[what].replace(LONG, "the camera sends no pictures"))
        assert in_slot(page) == [first, *result]
        assert all(page.locator("#result .foot button").evaluate_all(WHOLE))
        assert all(page.locator(f"#{first}, #{first} button").evaluate_all(WHOLE))
    finally:
        page.evaluate("() => { showBack(null); setStatus('watching', ''); }")
        page.evaluate("tellAgain()")


def in_slot(page: Page) -> list[str]:
    found: list[str] = page.locator("#slot > *").evaluate_all(
        "(all) => all.filter((each) => each.checkVisibility()).map((each) => each.id)"
    )
    return found


def test_the_slot_shows_one_thing_the_most_urgent_first(browser: Browser) -> None:
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        expect(page.locator("#film-over")).to_be_visible()
        expect(page.get_by_role("link", name="The game so far").nth(1)).to_be_visible()
        name_exports(page, *MODULES)
        page.evaluate("() => showStatus({ ended: false })")
        assert in_slot(page) == ["said"]
        page.evaluate(ASKED)
        assert in_slot(page) == ["questions"]
        page.evaluate("() => document.body.classList.add('seen')")
        page.evaluate("() => showBack('a moment')")
        assert in_slot(page) == ["back", "glance"]
        page.evaluate("() => setStatus('failed', 'too dark', '')")
        assert in_slot(page) == ["trouble", "glance"]
        page.evaluate("() => setStatus('watching', '')")
        page.get_by_role("button", name="Correct it").click()
        expect(page.get_by_role("dialog")).to_contain_text("A hand starts")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Yes").click()
        assert in_slot(page) == ["questions"]
        page.evaluate("() => showBack('a moment')")  # it has been said
        assert in_slot(page) == ["questions"]
        page.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_a_tap_lets_picture_and_felt_change_places(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => document.body.classList.add('seen')")
    before = box(page)
    swap = page.get_by_role("button", name="Picture and table change places")
    if not swap.is_visible():
        page.get_by_role("button", name="Live picture").click()
    swap.click()
    try:
        page.evaluate("() => scrollTo(0, 0)")
        assert swap.evaluate("(shown) => shown.getBoundingClientRect().toJSON()") == before
        assert 100 < box(page)["width"] <= width
        stands_here(page, "swapped")
    finally:
        swap.click()
    assert box(page) == before


def test_what_was_saved_is_undone_beside_the_next_question(browser: Browser) -> None:
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        expect(page.locator("#table svg")).to_be_visible()
        name_exports(page, *MODULES)
        page.evaluate(ASKED)
        page.evaluate("() => { showSaved(); asked.shift(); showQuestions(asked); }")
        assert in_slot(page) == ["questions"]
        expect(page.locator("#saved button")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Bo discards").first).to_be_in_viewport()
        page.evaluate("() => showQuestions([])")
        expect(page.locator("#slot > #saved")).to_be_attached()
        page.close()


def test_only_what_is_asked_at_once_is_spoken(browser: Browser) -> None:
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
        expect(page.locator("#table svg")).to_be_visible()
        name_exports(page, *MODULES)
        page.evaluate(
            "() => { window.spoken = [];"
            " speechSynthesis.speak = (words) => window.spoken.push(words.text); }"
        )
        menu(page)
        page.get_by_role("button", name="Speak").click()
        page.keyboard.press("Escape")
        page.evaluate(ASKED)
        page.evaluate(
            """() => {
              window.spoken = [];
              const [one] = asked;
              const ask = (id, opens) => ({ ...one, id, opens, spoken: id });
              showQuestions([ask("earlier", false)]);
              window.four = ["earlier", "first", "second", "third"].map(
                (id) => ask(id, id !== "earlier"));
              showQuestions(four.slice(0, 3));
            }"""
        )
        assert page.evaluate("spoken") == ["first"]
        page.get_by_role("button", name="Later").click()  # the next one takes its place
        assert page.evaluate("spoken") == ["first", "second"]
        page.get_by_role("button", name="Later").click()
        page.evaluate("() => showQuestions(four)")
        assert page.evaluate("spoken") == ["first", "second", "third"]
        page.close()


def test_after_a_restart_it_says_for_how_long_it_looks_again(page: Page) -> None:
    status = page.locator("#status")
    page.evaluate("() => catchUp({ back: true, status: {}, watched_s: 42 })")
    expect(status).to_contain_text(re.compile("catching up 0:4[2-9]"))
    page.evaluate("() => showState({ back: false, status: { ended: false } })")
    expect(status).to_have_text("watching")


def test_before_the_deal_those_who_have_not_scanned_find_their_codes(browser: Browser) -> None:
    keys = TableKeys("control-key", KEYS.seats)
    with served(table_of(ENTRIES[:1]), keys) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, keys.control), LAPTOP, [])
        page.locator("#deal-codes figure").first.wait_for(state="attached")
        name_exports(page, *MODULES)
        page.evaluate("() => { showStatus({ ended: false }); showTable(known.table); }")
        codes = page.locator("#deal-codes figure")
        expect(codes).to_have_count(4)
        expect(codes.first).to_contain_text("Anna")
        for code in codes.all():
            expect(code).to_be_in_viewport(ratio=1)
        assert scanned(codes.first.locator("svg")).endswith(keys.seats[0])
        phone = opened(browser, server.url + seat_address("", keys.seats[0]), PHONE, [])
        expect(codes).to_have_count(3)
        expect(codes.first).to_contain_text("Bo")
        phone.close()
        page.close()


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (3840, 2160)])
def test_a_big_screen_is_read_from_three_metres(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(page.url.replace("/#", "/?tv#"))
    try:
        expect(page.locator("#table svg")).to_be_visible()
        part = height / 1080
        felt = box(page)
        assert felt["width"] == pytest.approx(984 * part, abs=1)
        assert felt["left"] == felt["top"] == pytest.approx(48 * part, abs=1)
        assert page.locator("html").get_attribute("data-theme") == "dark"
        found = page.evaluate(FIRST_SCREEN)
        assert found["letters"] >= 32 * part - 0.1
        assert found["points"] >= 72 * part - 0.1
        taps = page.locator("a, button, select, summary").evaluate_all(
            "(all) => all.filter((each) => each.checkVisibility()).length"
        )
        assert taps == 0
        name_exports(page, *MODULES)
        page.evaluate(ASKED)  # nobody could answer here
        expect(page.locator("#questions")).to_be_hidden()
    finally:
        page.goto(page.url.replace("/?tv#", "/#"))
        expect(page.locator("#table svg")).to_be_visible()
        name_exports(page, *MODULES)


def test_a_big_screen_tells_the_hand_of_the_evening(browser: Browser) -> None:
    over = [at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win)]
    with served(table_of(ENTRIES[: over[4]]), KEYS) as server:
        address = table_address(server.url, KEYS.control).replace("/#", "/?tv#")
        page = opened(browser, address, TELEVISION, [])
        expect(page.locator("#best")).to_contain_text("Hand of the evening: Dan")
        expect(page.locator("#best")).to_be_in_viewport(ratio=1)
        inside = """(frame) => {
          const [around, points] = [frame, frame.parentElement.querySelector(".points")]
            .map((each) => each.getBBox());
          return Math.min(points.x - around.x,
            around.x + around.width - points.x - points.width);
        }"""
        assert page.locator("#table .turn").evaluate(inside) >= 6  # half its stroke, and a gap
        # A correction of an earlier hand counts at once.
        name_exports(page, *MODULES)
        page.route("**/api/hands*", lambda route: route.fulfill(json={"games": []}))
        page.evaluate("() => { mending.lines += 1; showTable(known.table); }")
        expect(page.locator("#best")).to_be_hidden()
        page.close()


def test_a_big_screen_lets_late_phones_in_between_hands_while_a_seat_is_free(
    browser: Browser,
) -> None:
    keys = TableKeys("control-key", KEYS.seats)
    with served(table_of(ENTRIES[:WON]), keys, without_key=None) as server:
        address = table_address(server.url, keys.control).replace("/#", "/?tv#")
        page = opened(browser, address, TELEVISION, [])
        code = page.locator("#late svg")
        expect(page.locator("#result .outcome")).to_be_visible()
        expect(page.locator("body")).to_contain_class("over")
        for part in page.locator("#result :is(.outcome > *, .hand-laid, dd)").all():
            expect(part).to_be_in_viewport(ratio=1)
        expect(code).to_be_in_viewport(ratio=1)
        assert scanned(code).endswith(keys.guest)
        name_exports(page, *MODULES)
        page.evaluate("() => { known.phase = known.table.phase; }")
        page.evaluate("() => showTable({ ...known.table, phase: 'must_discard' })")
        expect(code).to_have_count(0)
        page.evaluate("() => showTable({ ...known.table, phase: known.phase })")
        expect(code).to_be_in_viewport(ratio=1)
        for seat in SEATS:
            keys.choose(f"phone {seat}", seat)
        expect(code).to_have_count(0)
        page.evaluate("() => showTable({ ...known.table, phase: 'must_discard' })")
        page.evaluate("() => showTable({ ...known.table, phase: known.phase })")
        expect(code).to_have_count(0)
        page.close()


def test_a_new_phone_in_mid_hand_is_asked_for_and_esc_ends_the_waiting(browser: Browser) -> None:
    keys = TableKeys("control-key", KEYS.seats)
    with served(table_of(ENTRIES[:60]), keys, without_key=None) as server:
        page = opened(browser, table_address(server.url, keys.control), PHONE, [])
        page.locator("#more").click()
        page.locator("#lost-phones summary").click()
        tap = page.locator("#new-phones button").nth(1)
        page.once("dialog", lambda dialog: dialog.dismiss())
        tap.click()
        assert keys.seats == KEYS.seats
        page.once("dialog", lambda dialog: dialog.accept())
        tap.click()
        expect(page.locator("#new-phone")).to_be_visible()
        expect(page.locator("#new-phone-close")).to_be_in_viewport(ratio=1)
        assert scanned(page.locator("#new-phone svg")).endswith(keys.seats[1])
        page.keyboard.press("Escape")
        expect(page.locator("#new-phone")).to_be_hidden()
        if not page.locator("#menu").is_visible():
            page.locator("#more").click()
        with page.expect_response("**/api/seats*"):
            page.locator("#all-codes summary").click()
        expect(page.locator("#codes figure")).to_have_count(4)
        expect(page.locator("#new-phone")).to_be_hidden()
        expect(page.locator("#typed-code")).to_be_hidden()
        page.locator("#show-card").click()
        for control in ("#card-print", "#card-close"):
            expect(page.locator(control)).to_be_in_viewport(ratio=1)
        page.close()


def test_a_phone_that_watches_or_sits_types_letters_in_the_menu(browser: Browser) -> None:
    keys = TableKeys("control-key", KEYS.seats)
    with served(table_of(ENTRIES[:60]), keys, without_key=None) as server:
        for address in (
            table_address(server.url, keys.viewer),
            seat_address(server.url, keys.seats[1]),
        ):
            page = opened(browser, address, PHONE, [])
            expect(page.locator("#table svg")).to_be_visible()
            page.locator("#more").click()
            expect(page.locator("#typed-code input")).to_be_visible()
            page.goto(f"{server.url}/")  # as it stands beside the code
            expect(page.locator("#table svg")).to_be_visible()
            page.locator("#more").click()
            expect(page.locator("#typed-code input")).to_be_visible()
            page.close()


FIRST_SCREEN: Final = """() => {
  const seen = (each) => {
    const { top, left, width, height } = each.getBoundingClientRect();
    const inside = top < innerHeight && left < innerWidth && width > 1 && height > 1;
    return inside && each.checkVisibility();
  };
  const controls = [...document.querySelectorAll("body > header :is(a, button), #tabs button")];
  const written = [...document.querySelectorAll("main :is(p, li, span, strong, button, dt, dd)")];
  const texts = written.filter((each) =>
    [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== ""));
  const least = (all) =>
    Math.min(...all.map((each) => parseFloat(getComputedStyle(each).fontSize)));
  return {
    controls: controls.filter(seen).length,
    letters: least(texts.filter(seen)),
    points: least([...document.querySelectorAll("#bar strong")]),
    // A drawing does not reach the edge of its tile.
    tile: document.querySelector("#table .river use").width.baseVal.value *
      document.querySelector("#table svg").getBoundingClientRect().width / 1000,
  };
}"""


@pytest.mark.parametrize(
    ("size", "letters", "points", "tile"),
    [((390, 844), 14, 20, 23), ((1280, 800), 16, 28, 38), ((1920, 1080), 16, 28, 58)],
)
def test_it_can_be_read_from_where_people_sit(
    page: Page, size: tuple[int, int], letters: int, points: int, tile: int
) -> None:
    """Few controls, and letters, points and tiles that are large enough."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    found = page.evaluate(FIRST_SCREEN)
    assert found["controls"] <= 7
    assert found["letters"] >= letters
    assert found["points"] >= points
    assert found["tile"] >= tile


def test_what_fails_in_the_background_is_told_to_whoever_runs_the_table(browser: Browser) -> None:
    failing = [{"name": "log", "since": "2026-11-24T21:40:00+00:00", "error": "no space"}]
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        page = browser.new_page(viewport=LAPTOP)  # type: ignore[arg-type]
        page.route("**/health?*", lambda route: route.fulfill(json={"background": failing}))
        page.goto(table_address(server.url, KEYS.control))
        expect(page.locator("#film-over")).to_be_visible()
        name_exports(page, "table/failing")
        page.evaluate("() => watchFailing()")
        line = page.locator("#failing")
        expect(line).to_contain_text("has failed since")
        menu(page)
        choose_language(page, "zh")
        expect(line).to_contain_text("正在重试")
        failing.clear()
        page.evaluate("() => watchFailing()")
        expect(line).to_be_hidden()
        page.close()


CORNERS: Final = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
TROUBLE: Final = "{ problem: 'the camera was moved', trouble_kind: 'moved' }"
MOVED: Final = f"() => showState({{ status: {TROUBLE} }})"


def test_after_the_camera_was_moved_a_person_taps_the_corners(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[list[tuple[float, float]]] = []
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        page = opened(browser, table_address(server.url, KEYS.control), PHONE, [])
        expect(page.locator("#film-over")).to_be_visible()
        expect(page.locator("#fix")).to_be_hidden()
        expect(page.locator("body")).to_contain_class("seen")
        name_exports(page, *MODULES)
        page.evaluate(MOVED)
        assert in_slot(page) == ["trouble", "fix", "glance"]
        page.locator("#fix").click()
        picture = page.locator("#corners-picture")
        for answered in (False, True):
            around = picture.bounding_box()
            assert around is not None
            for x, y in CORNERS:
                picture.click(position={"x": x * around["width"], "y": y * around["height"]})
            if not answered:
                expect(page.locator("#corners-problem")).to_contain_text("no camera is read")
                taken = "service.table.reader_thread.ReaderThread.show_table"
                monkeypatch.setattr(taken, lambda self, corners: shown.append(list(corners)))
        expect(page.locator("#corners-dialog")).to_be_hidden()
        assert np.abs(np.array(shown) - [CORNERS]).max() < 0.02
        page.close()
