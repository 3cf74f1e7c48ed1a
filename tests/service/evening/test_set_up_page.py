"""A browser sets a table up: with a recording, or with the sample in one click."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from engine.codec import write_record
from service.machine.records import unused
from tests.support.axe import faults
from tests.support.browsing import LAPTOP, PHONE, choose_language, menu, opened
from tests.support.detectors import LeftDark
from tests.support.paths import FILM
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES
from tests.support.screens import WIDTHS, looked_at, stands_here
from tests.support.setting_up import Setting, set_up_at
from vision.camera.cameras import FoundCamera
from vision.camera.live import PacedFile

START = re.compile("^Start")
TAKES_A_TAP = """(shown) => {
  shown.scrollIntoView({ block: "center" });
  const { x, y, width, height } = shown.getBoundingClientRect();
  return shown.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Whether a tap in the middle of something that is shown reaches it."""


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    with set_up_at(tmp_path) as setting:
        yield setting


@pytest.mark.parametrize(
    ("lang", "tag", "says", "tap"),
    [
        ("en", "en", "This page could not be loaded whole.", "Try again"),
        ("zh-CN", "zh-Hans", "页面未能完整加载。", "重试"),
    ],
)
@pytest.mark.parametrize("broken", [None, "export const nothing = 1;", "no script at all"])
def test_a_page_that_lacks_a_module_says_so_and_can_be_loaded_again(
    browser: Browser, setting: Setting, lang: str, tag: str, says: str, tap: str, broken: str | None
) -> None:
    def answer(route: Route) -> None:
        if broken is None:
            route.abort()
        else:
            route.fulfill(content_type="text/javascript", body=broken)

    with browser.new_context(locale=lang) as context:
        page = context.new_page()
        page.route("**/shared/option_controls.js", answer)
        page.goto(setting.server.url)
        expect(page.get_by_role("alert")).to_have_text(says)
        expect(page.locator("html")).to_have_attribute("lang", tag)
        page.unroute("**/shared/option_controls.js")
        page.get_by_role("button", name=tap).click()
        page.locator("body:not([inert]) #sample").wait_for()


def test_only_the_language_that_was_asked_for_last_is_shown(
    browser: Browser, setting: Setting
) -> None:
    late: list[Route] = []
    with browser.new_context(locale="en") as context:
        page = context.new_page()
        page.goto(setting.server.url)
        page.locator("body:not([inert]) #sample").wait_for()
        page.route("**/catalogue.js?lang=zh", lambda route: late.append(route))
        page.locator("#language").select_option("zh")
        choose_language(page, "ja")
        until(lambda: page.evaluate("1") and late)  # the browser is heard meanwhile
        with page.expect_response("**/catalogue.js?lang=zh"):
            late[0].continue_()
        page.evaluate("import('/static/words/catalogue.js?lang=zh').then(() => null)")
        expect(page.locator("html")).to_have_attribute("lang", "ja")
        expect(page.locator("#language")).to_have_value("ja")
        # One that does not come leaves all as it was, and is asked for again.
        page.route("**/catalogue.js?lang=en", lambda route: route.abort())
        page.locator("#language").select_option("en")
        expect(page.locator("#language")).to_have_value("ja")
        assert "tilesight-language=ja" in page.evaluate("document.cookie")
        page.unroute("**/catalogue.js?lang=en")
        choose_language(page, "en")


def test_a_phone_of_the_network_is_told_what_keeps_the_page_shut(
    browser: Browser, setting: Setting
) -> None:
    """Before a table is open nobody has said anything of its key."""
    elsewhere = {"X-Forwarded-For": "10.0.0.9"}
    with browser.new_context(locale="en", extra_http_headers=elsewhere) as context:
        page = context.new_page()
        with page.expect_response("**/api/enter*"):
            page.goto(f"{setting.server.url}/#somekeysomekeysomekey")
        expect(page.locator("#told")).to_have_attribute("data-word", "page.refused.elsewhere")


def test_a_page_that_the_browser_kept_is_loaded_anew(browser: Browser, setting: Setting) -> None:
    """It was left while its game was opened: its buttons are off, and it has no source."""
    with browser.new_context(locale="en") as context:
        page = context.new_page()
        page.goto(setting.server.url)
        begin = page.locator("body:not([inert]) #begin")
        begin.evaluate("(tap) => { tap.disabled = true; }")
        with page.expect_navigation():
            page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
        page.locator("#begin:not(:disabled)").wait_for(state="attached")


BESIDE_PICTURE: Final = """() => {
  const [stage, shown] = ["stage", "shown"].map((id) => document.getElementById(id));
  const [around, picture] = [stage, shown].map((each) => each.getBoundingClientRect());
  return Math.max(...["left", "right", "top", "bottom"].map(
    (side) => Math.abs(around[side] - picture[side])));
}"""
"""Pixels of the stage beside its picture."""


def test_a_game_is_set_up_and_begun(browser: Browser, setting: Setting) -> None:
    complaints: list[str] = []
    page = opened(browser, setting.server.url, PHONE, complaints)
    ahead = page.get_by_role("button", name="Next")
    page.get_by_text("Something else", exact=True).click()
    page.get_by_label("Address, such as rtsp://…").fill("rtsp://127.0.0.1:9/none")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    complaints.clear()  # a refusal is an error in the console
    # What is missing is said beside its control, which is in sight and focused.
    ahead.click()
    expect(page.get_by_role("alert").first).to_have_text("Choose a camera first.")
    expect(page.get_by_role("alert").first).to_be_in_viewport()
    page.get_by_role("button", name="friday.mp4").click()
    expect(page.locator("#rule-set")).to_have_value("harbin-hlr")
    expect(page.locator("#verdict")).to_have_text("This will do, but it could be better.")
    for number, step in enumerate(page.locator("#steps button").all()):
        step.click()
        looked_at(page, f"film-{number}")
        for width in (1920, *WIDTHS):
            page.set_viewport_size({"width": width, "height": 844})
            # Corners are told by their place on the stage.
            drawn = page.locator("#outline").is_visible()
            assert not drawn or page.evaluate(BESIDE_PICTURE) < 1, (number, width)
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        assert faults(page, ("light",)) == []
    page.get_by_role("button", name="1 Camera").click()
    ahead.click()
    expect(page.get_by_role("heading", name="Is the picture good enough?")).to_be_focused()
    # A corner is dragged away with the mouse, and then moved with the keyboard.
    corner = page.get_by_role("button", name="Corner at the bottom right")
    corner.scroll_into_view_if_needed()
    box = corner.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 20, box["y"] + box["height"] / 2 + 10, steps=4)
    page.mouse.up()
    expect(page.get_by_role("button", name="Find them again")).to_be_enabled()
    dragged = setting.check("by_person")["corners"][2]
    assert dragged[0] > 920
    corner.press("Shift+ArrowLeft")
    until(lambda: abs(setting.check("by_person")["corners"][2][0] - dragged[0] + 20) <= 0.6)
    expect(page.locator('[data-name="tile_px"]')).to_contain_text("bring the camera nearer")
    ahead.click()
    for side, name in (("bottom", "Anna"), ("right", "Bo"), ("top", "Chen"), ("left", "Dana")):
        page.get_by_role("textbox", name=f"at the {side}").fill(name)
    page.locator("#players").get_by_text("More", exact=True).click()
    page.get_by_label("The first dealer of the game sits").select_option("at the right")
    looked_at(page, "players")
    page.get_by_role("button", name="Hangzhou", exact=True).click()
    expect(page.locator("#rule-set")).to_have_value("hangzhou")
    page.get_by_text("Change house rules").click()
    page.get_by_text("Claims and wins").click()
    page.locator("#option-wall_only").check()
    page.get_by_text("Course of the game").click()
    page.locator("#option-chips").fill("0")
    page.get_by_text("Course of the game").click()
    ahead.click()
    chips = page.locator("#option-chips")
    expect(chips).to_be_focused()
    expect(chips).to_have_attribute("aria-invalid", "true")
    chips.fill("75")
    choose_language(page, "ja")
    expect(page.locator("#verdict")).to_contain_text("使えますが")
    expect(page.locator("#games [aria-pressed=true]")).to_have_text("杭州麻雀")
    choose_language(page, "en")
    # What was chosen is still chosen in the other language, and after a reload.
    expect(chips).to_have_value("75")
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Light colours").click()
    page.reload()
    expect(chips).to_have_value("75")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    ahead.click()
    expect(page.locator("#summary")).to_contain_text("Anna, Bo, Chen, Dana")
    expect(page.locator("#summary")).to_contain_text("friday.mp4")
    page.get_by_role("button", name=START).click()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#source")).to_have_text("friday.mp4")
    (wanted,) = setting.began
    assert wanted.start.options == {"wall_only": True, "chips": 75}
    assert wanted.start.players == ("Anna", "Bo", "Chen", "Dana")
    assert wanted.start.first_dealer == 1
    # Whoever has set it up finds the codes of the seats on the page.
    menu(page)
    expect(page.get_by_text("Show the codes")).to_be_visible()
    assert complaints == []
    page.close()


SIDES: Final = ("bottom", "right", "top", "left")
SCREENS: Final = ({"width": 1366, "height": 768}, {"width": 360, "height": 740})
FILLED: Final = """() => [...document.querySelectorAll("button, a")].filter((each) =>
  each.checkVisibility() && getComputedStyle(each).backgroundColor
    === getComputedStyle(document.querySelector("#begin")).backgroundColor).map((each) => {
  const { top, bottom } = each.getBoundingClientRect();
  return [each.id, top >= 0 && bottom <= innerHeight];
})"""
"""Filled buttons, and whether they are in sight."""
SIX_TAPS: Final = 6
"""A camera, riichi by the rules that it is played by most, and no names: it was seven."""


@pytest.mark.parametrize("lang", ["en", "zh-CN", "ja"])
def test_each_step_has_its_one_filled_button_in_sight_and_the_picture_beside_it(
    browser: Browser, setting: Setting, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    cameras = [FoundCamera(3, "Over the table")]
    for where in ("pages", "session"):
        monkeypatch.setattr(f"service.evening.{where}.find_cameras", lambda: tuple(cameras))
    monkeypatch.setattr("service.evening.session.open_live", lambda _: PacedFile(FILM, every=True))
    taps = 0

    def tap(shown: Locator) -> None:
        nonlocal taps
        shown.click()
        taps += 1

    def stands(button: str) -> None:
        for size in SCREENS:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(FILLED) == [[button, True]]
            stands_here(page, button)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        if page.locator("#stage").is_visible():  # also beside the last of the options
            expect(page.locator("#stage")).to_be_in_viewport()

    with browser.new_context(locale=lang) as context:
        page = context.new_page()
        page.goto(setting.server.url)
        page.locator("body:not([inert]) .sources [data-key]").first.wait_for()
        assert page.locator("#sample").count() == 1
        stands("next")
        tap(page.get_by_role("button", name="Over the table"))
        expect(page.locator("#verdict")).not_to_be_empty()
        stands("next")
        for step in ("corners", "players"):
            tap(page.locator("#next"))
            expect(page.locator(f"#{step}")).to_be_visible()
            stands("next")
        expect(page.locator("#games button")).to_have_count(7)
        tap(page.locator("#games button").last)
        expect(page.locator("#variants button")).to_have_count(7)
        expect(page.locator("#rule-set")).to_have_value("riichi")
        stands("next")
        page.locator("#house > summary").click()
        stands("next")
        tap(page.locator("#next"))
        stands("begin")
        tap(page.locator("#begin"))
        page.wait_for_url("**/#*")
    assert taps <= SIX_TAPS


def test_without_a_camera_the_sample_is_the_one_filled_button(
    browser: Browser, setting: Setting
) -> None:
    for size in SCREENS:
        page = opened(browser, setting.server.url, size, [])
        page.locator("body:not([inert]) #sample.main").wait_for()
        assert page.evaluate(FILLED) == [["sample", True]]
        page.close()


BOXES: Final = """(ids) => ids.map((id) => {
  const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
  return { x, y, width, height };
})"""


def test_the_picture_has_its_place_before_it_is_there(browser: Browser, setting: Setting) -> None:
    """What lies below it does not move under a finger when it comes."""
    page = opened(browser, setting.server.url, LAPTOP, [])
    page.locator("main.setup").evaluate("(setup) => { setup.dataset.step = 'players'; }")
    heights = [
        page.locator("#shown").evaluate(
            """(shown, src) => {
              if (src) shown.src = src;
              return [shown.naturalWidth, shown.getBoundingClientRect().height];
            }""",
            src,
        )
        for src in ("", f"{setting.server.url}/comes-later.jpg")
    ]
    assert [width for width, _ in heights] == [0, 0]
    assert heights[0][1] == heights[1][1] > 200
    page.close()


def test_who_comes_back_starts_with_one_tap(
    browser: Browser, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the picture of the same camera; another is known by what it sees."""
    cameras = (FoundCamera(3, "Over the table"), FoundCamera(4, "Of the laptop"))
    for where in ("pages", "session"):
        monkeypatch.setattr(f"service.evening.{where}.find_cameras", lambda: cameras)
    monkeypatch.setattr("service.evening.session.open_live", lambda _: PacedFile(FILM, every=True))
    context = browser.new_context(viewport={"width": 1366, "height": 800})
    page = context.new_page()
    page.goto(setting.server.url)
    image = page.get_by_role("button", name="Of the laptop").locator("img")
    until(lambda: image.evaluate("(shown) => shown.naturalWidth") > 0)
    expect(page.locator("#others")).to_be_hidden()  # a camera is what most people choose
    page.get_by_role("button", name="Over the table").click()
    page.get_by_role("button", name="3 Players").click()
    for side, name in zip(SIDES, ("Anna", "Bo", "Chen", "Dana"), strict=True):
        page.locator(f"#name-{side}").fill(name)
    picture = page.locator("#shown")
    until(lambda: picture.evaluate("(shown) => shown.naturalWidth") > 0)
    boxes = page.evaluate(BOXES, ["stage", *(f"name-{side}" for side in SIDES)])
    stage, places = boxes[0], dict(zip(SIDES, boxes[1:], strict=True))
    for place in places.values():
        assert (place["width"], place["height"]) == (200, 48)
        assert stage["x"] <= place["x"] <= stage["x"] + stage["width"] - 200
        assert stage["y"] <= place["y"] <= stage["y"] + stage["height"] - 48
    assert places["left"]["x"] + 200 < places["top"]["x"] == places["bottom"]["x"]
    assert places["bottom"]["x"] + 200 < places["right"]["x"]
    assert places["top"]["y"] + 48 < places["left"]["y"] == places["right"]["y"]
    assert places["right"]["y"] + 48 < places["bottom"]["y"]
    # On the next evening.
    setting.set_up.let_go()
    page.close()
    later = context.new_page()
    later.goto(setting.server.url)
    expect(later.locator("#summary")).to_contain_text("Anna, Bo, Chen, Dana")
    expect(later.locator("#shown")).to_have_attribute("src", re.compile("^blob:"))
    later.get_by_role("button", name="Start as last time").click()
    expect(later.locator("#source")).to_be_attached()
    (wanted,) = setting.began
    assert wanted.start.players == ("Anna", "Bo", "Chen", "Dana")
    context.close()


KEPT: Final = """localStorage.setItem("tilesight-setup", JSON.stringify({
  rules: "hangzhou", offered: "harbin-hlr", options: { wall_only: true }, seat0: "bottom",
  names: { bottom: "Eve", right: "Finn", top: "Gus", left: "Hal" }, source: SOURCE,
}))"""
"""What a browser kept of another evening."""


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ('{ twice: "" }', "8000"),
        ('{ twice: "", twice_offered: "" }', "8000"),  # the program was started otherwise since
        ('{ twice: "", twice_offered: "8000" }', ""),
        ('{ twice: "500", twice_offered: "8000" }', "500"),
    ],
)
def test_payouts_are_read_twice_as_the_program_was_started_or_as_was_chosen_since(
    browser: Browser, setting: Setting, kept: str, shown: str
) -> None:
    setting.set_up.options = replace(setting.set_up.options, read_twice=8000)
    with browser.new_context() as context:
        context.add_init_script(f'localStorage.setItem("tilesight-setup", JSON.stringify({kept}))')
        page = context.new_page()
        page.goto(setting.server.url)
        page.locator("body:not([inert]) #sample").wait_for()
        expect(page.locator("#read-twice")).to_have_value(shown)


def restarted(browser: Browser, setting: Setting, source: str) -> Page:
    """The set-up page in a browser that has set up another game, by the camera that it kept."""
    context = browser.new_context(viewport={"width": 1366, "height": 800}, locale="en")
    context.add_init_script(KEPT.replace("SOURCE", source))
    page = context.new_page()
    page.goto(setting.server.url)
    expect(page.locator("#evening-games li")).to_have_count(1)
    return page


@pytest.fixture
def evening(setting: Setting) -> Path:
    """The record of a game that was played this evening."""
    record = unused(setting.folder, "game", ".jsonl")
    record.write_text(write_record(ENTRIES))
    return record


def test_the_evening_goes_on_with_its_own_people_and_rules(
    browser: Browser, setting: Setting, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cameras = (FoundCamera(3, "Over the table"), FoundCamera(4, "Of the laptop"))
    for where in ("pages", "session"):
        monkeypatch.setattr(f"service.evening.{where}.find_cameras", lambda: cameras)
    monkeypatch.setattr("service.evening.session.open_live", lambda _: PacedFile(FILM, every=True))
    page = restarted(browser, setting, '{ key: "camera-4", asked: { kind: "camera", number: 4 } }')
    go_on = page.get_by_role("button", name="Go on", exact=True)
    go_on.click()
    expect(page.locator("#summary")).to_contain_text("Of the laptop")
    expect(page.locator("#summary")).to_contain_text("Anna, Bo, Chie, Dan")
    page.get_by_role("button", name=START).click()
    expect(page.locator("#source")).to_be_attached()
    (wanted,) = setting.began
    assert wanted.record == evening
    assert wanted.start.players == ("Anna", "Bo", "Chie", "Dan")
    assert (wanted.start.rules, wanted.start.options) == ("riichi-tenhou", {})
    page.context.close()


def test_without_a_camera_the_evening_goes_on_with_what_there_is(
    browser: Browser, setting: Setting, evening: Path
) -> None:
    stream = '{ kind: "stream", address: "rtsp://127.0.0.1:9/none" }'
    page = restarted(browser, setting, f'{{ key: "stream", asked: {stream} }}')
    go_on = page.locator("#go-on")
    expect(go_on).to_have_text("Go on")
    go_on.click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    expect(go_on).to_have_text("Go on without pictures")
    page.get_by_text("Something else", exact=True).click()
    page.get_by_role("button", name="friday.mp4").click()
    expect(page.locator("#verdict")).not_to_be_empty()
    expect(go_on).to_have_text("Go on")
    go_on.click()
    expect(page.locator("#summary")).to_contain_text("friday.mp4")
    page.get_by_role("button", name=START).click()
    expect(page.locator("#source")).to_have_text("friday.mp4")
    assert setting.began[-1].record == evening
    page.context.close()


def open_group(page: Page, name: str) -> None:
    """Open the house rules, and a group of them."""
    if not page.locator("#options").is_visible():
        page.get_by_text("Change house rules").click()
    group = page.locator("#options details").filter(has_text=name)
    if group.get_attribute("open") is None:
        group.locator("> summary").click()


def test_house_rules_are_saved_under_a_name(browser: Browser, setting: Setting) -> None:
    complaints: list[str] = []
    page = opened(browser, setting.server.url, PHONE, complaints)
    page.get_by_role("button", name="3 Players").click()
    rules, games = page.locator("#rule-set"), page.locator("#games")
    wall_only = page.locator("#option-wall_only")
    saved = page.get_by_role("group", name="Saved house rules")
    games.get_by_role("button", name="Hangzhou").click()
    open_group(page, "Claims and wins")
    wall_only.check()
    open_group(page, "Course of the game")
    page.locator("#option-chips").fill("75")
    # What differs from the game's own rules stands as a list, of which a tap takes one back.
    changes = page.locator("#changes li")
    expect(changes).to_have_text(["Wins by own draw only: yes ↶", "Chips of each player: 75 ↶"])
    changes.nth(0).get_by_role("button", name="Take back").click()
    expect(changes).to_have_count(1)
    expect(wall_only).not_to_be_checked()
    page.get_by_role("button", name="Back to preset").click()
    expect(page.locator("#changed")).to_be_hidden()
    open_group(page, "Claims and wins")
    wall_only.check()
    open_group(page, "Course of the game")
    page.locator("#option-chips").fill("75")
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    page.get_by_label("Save as").fill("Tuesdays")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(saved.get_by_role("button", name="Tuesdays", pressed=True)).to_be_visible()
    # Other rules begin with their own; after a reload, one tap brings back what was saved.
    games.get_by_role("button", name="Harbin").click()
    expect(saved.get_by_role("button", name="Tuesdays", pressed=False)).to_be_visible()
    page.reload()
    expect(rules).to_have_value("harbin-hlr")
    saved.get_by_role("button", name="Tuesdays").click()
    expect(rules).to_have_value("hangzhou")
    expect(changes).to_have_text(["Wins by own draw only: yes ↶", "Chips of each player: 75 ↶"])
    looked_at(page, "house-rules")
    assert faults(page, ("light",)) == []
    page.get_by_role("button", name="4 Start").click()
    expect(page.locator("#summary")).to_contain_text("Tuesdays")
    # What the game has by itself is not what was saved; a name is forgotten.
    page.get_by_role("button", name="3 Players").click()
    open_group(page, "Claims and wins")
    wall_only.uncheck()
    expect(saved.get_by_role("button", name="Tuesdays", pressed=False)).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(saved).to_be_hidden()
    assert complaints == []
    page.close()


TALLEST_PX: Final = {1366: 1500, 360: 2500}
"""A page with the largest group of house rules open, by its width: they were 2467 and 3302."""


def test_the_largest_group_of_house_rules_opens_in_reach(
    browser: Browser, setting: Setting
) -> None:
    """In two columns beside the names, a rule and its value in one line, a long list behind a
    tap."""
    page = opened(browser, setting.server.url, LAPTOP, [])
    page.get_by_role("button", name="3 Players").click()
    page.locator("#games").get_by_role("button", name="Riichi").click()
    page.locator("#house > summary").click()
    for width, tallest_px in TALLEST_PX.items():
        page.set_viewport_size({"width": width, "height": 768})
        for group in page.locator("#options > details").all():
            if group.get_attribute("open") is None:
                group.locator("> summary").click()
            assert page.evaluate("document.documentElement.scrollHeight") <= tallest_px
    open_group(page, "Winning hands")
    many = page.locator("#options .many")
    expect(many.locator("summary")).to_have_text("Yakuman that count double: big four winds")
    many.locator("summary").click()
    many.get_by_label("all green").check()
    expect(many.locator("summary")).to_contain_text("all green, big four winds")
    expect(page.locator("#changes")).to_contain_text("all green, big four winds")
    page.close()


def test_a_mirrored_picture_is_put_right_with_a_tick(browser: Browser, tmp_path: Path) -> None:
    shutil.copy(FILM, tmp_path / "friday.mp4")
    complaints: list[str] = []
    with set_up_at(tmp_path, LeftDark) as setting:
        page = opened(browser, setting.server.url, LAPTOP, complaints)
        box = page.get_by_label("The picture is mirrored")
        expect(box).to_be_disabled()
        page.get_by_text("Something else", exact=True).click()
        page.get_by_role("button", name="friday.mp4").click()
        page.get_by_role("button", name="2 Table").click()
        warning = page.locator('[data-name="mirrored"]')
        expect(warning).to_contain_text("tick the box below it")
        expect(page.locator("#verdict")).to_have_attribute("data-grade", "bad")
        box.check()
        expect(page.locator('[data-name="corners"]')).to_be_attached()
        expect(warning).to_have_count(0)
        assert setting.check("mirrored")["corners"] is not None
        expect(box).to_be_checked()
        page.close()
    assert complaints == []


def test_the_sample_plays_after_one_click(browser: Browser, setting: Setting) -> None:
    complaints: list[str] = []
    page = opened(browser, setting.server.url, LAPTOP, complaints)
    page.get_by_role("button", name="Play the built-in sample").click()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator("#source")).to_have_text("sample.mp4")
    expect(page.locator("#rules")).to_have_text("Riichi (EMA 2016)")
    expect(page.locator(".plate[data-seat='1'] .name")).to_have_text("Bo")
    # What is not there yet cannot be tapped in vain: the page waits for its words.
    held: list[Route] = []
    page.route("**/static/words/catalogue.js", lambda words: held.append(words))
    with page.expect_request("**/static/words/catalogue.js"):
        menu(page)
        page.get_by_role("link", name="Set up").click()
    ahead = page.locator("#next")
    expect(ahead).to_be_visible()
    assert not ahead.evaluate(TAKES_A_TAP)
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    page.unroute_all()
    again = page.locator("#sample")
    expect(again).to_contain_text("Play the built-in sample")
    again.click(trial=True)
    assert again.evaluate(TAKES_A_TAP)
    # A running game is not ended without asking; it is found again.
    expect(page.get_by_role("region", name="The running game")).to_contain_text("sample.mp4")
    again.click()
    expect(page.get_by_role("dialog")).to_contain_text(".jsonl")
    page.get_by_role("button", name="Cancel").click()
    expect(again).to_be_enabled()
    again.click()
    page.get_by_role("button", name="End it and start").click()
    expect(page.locator("#log")).to_be_visible()
    assert len(setting.began) == 2
    complaints.remove(next(line for line in complaints if "409" in line))
    complaints.remove(next(line for line in complaints if "409" in line))
    assert complaints == []
    page.close()
