"""The report shows what the pages show: hands in sets, sums, a chart, rulings, questions."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from engine.corrections import RULED_BY
from engine.events import Correct, Discard, Draw, Entry, GameStart
from engine.game import replay
from engine.highlights import steps_of_hand
from engine.tiles import CODES, Tile
from service.machine.records import tell
from service.report.downloads import DOWNLOAD_FORMATS
from service.report.hand_stories import PictureOf, hand_stories
from service.report.pages import sprite, use
from service.report.questions import AnswersFile, asked_of, question_rows
from service.report.report import to_report
from service.report.saved_style import saved_style
from service.table.certificate import Standing, rehearsed_beside, rehearsed_text
from tests.support.browsing import PHONE, opened, tap_on
from tests.support.golden import golden
from tests.support.rehearsal_game import HOLDS
from tests.support.screens import looked_at
from vision.decoder.question import AnswerChoice, EventPlace, Question

ENTRIES = golden("riichi")
STORY = tell(ENTRIES)[0]
NUMBER, THROWN = next((n, e.event) for n, e in enumerate(ENTRIES) if isinstance(e.event, Discard))
OTHER = Discard(THROWN.seat, Tile("9s"))
QUESTION = Question(
    EventPlace("put", 0.4, -40, 90),
    (AnswerChoice((THROWN,), 0.61), AnswerChoice((OTHER,), 0.39)),
    NUMBER,
)


@pytest.fixture
def saved(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The saved game as it is opened from a disk, without a network."""
    picture = io.BytesIO()
    Image.new("RGB", (320, 180), (30, 90, 60)).save(picture, "JPEG")
    file = tmp_path / "report.html"
    file.write_text(to_report(ENTRIES, {NUMBER: picture.getvalue()}, "x.mp4"), "utf-8")
    complaints: list[str] = []
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: complaints.extend(elsewhere(request.url)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert complaints == []


def elsewhere(address: str) -> list[str]:
    return [] if address.startswith(("data:", "blob:", "file:")) else [address]


def test_a_win_lies_in_its_sets_with_its_wait_and_its_sum(saved: Page) -> None:
    laid = saved.locator(".hand-laid")
    expect(laid).to_have_count(sum(len(hand.wins) for hand in STORY.hands))
    expect(laid.first.locator(".tile")).to_have_count(14)
    expect(laid.first.locator(".won, .winning .tile")).to_have_count(1)
    text = saved.locator("body").inner_text()
    assert "It waited on both sides of two tiles in a row." in text
    assert "5 han, mangan: 8000 + 2000 (deposits collected) = 10000" in text
    paid = [one.split() for one in saved.locator(".payment").all_inner_texts()]
    assert ["Chiyo", "→", "Dan", "8000"] in paid
    assert ["Table", "→", "Dan", "2000"] in paid


def test_a_saved_game_needs_no_network(saved: Page) -> None:
    events = saved.locator(".event")
    drawn = [entry for entry in ENTRIES if isinstance(entry.event, Draw)]
    assert len(ENTRIES) - len(drawn) - 2 <= events.count() < len(ENTRIES)
    assert any(" han" in one for one in saved.locator(".ledger").all_inner_texts())
    saved.evaluate("document.querySelector('.events').open = true")
    row = saved.locator(f"#e{NUMBER}")
    row.locator("summary").click()
    assert (
        row.locator("img").evaluate("(image) => image.decode().then(() => image.naturalWidth)")
        == 320
    )
    text = saved.locator("body").inner_text()
    assert re.findall(r"\b(?:page|report|place|wind|drawn|rules)\.\w+", text) == []


def test_the_points_are_drawn_from_the_start_to_the_end(saved: Page) -> None:
    lines = saved.locator("#chart polyline").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('points'))"
    )
    assert [len(line.split()) for line in lines] == [len(STORY.hands) + 1] * 4
    ends = [float(line.split()[-1].split(",")[1]) for line in lines]
    assert sorted(range(4), key=ends.__getitem__) == sorted(
        range(4), key=lambda seat: -STORY.points[seat]
    ), "more points lie higher"


CHART = """async (played) => {
  const { alike, drawChart } = await import("shared/chart.js");
  const [{ view }] = JSON.parse(document.querySelector("#report").textContent).games;
  const hand = view.hands[0];
  const games = played.map(([rules, names, count]) => {
    const points = [1, 2, 3, 4];
    const hands = Array.from({ length: count }, (_, at) => ({ ...hand, number: at + 1, points }));
    return { ...view, rules, names, hands, start: [0, 0, 0, 0], points };
  });
  const svg = drawChart(alike(games), null, { width: 320, em: 14 });
  const box = Object.assign(document.createElement("div"), { className: "chart" });
  document.body.append(box);
  box.append(svg);
  box.style.width = "320px";
  const boxes = (of) => [...svg.querySelectorAll(of)].map((each) => each.getBoundingClientRect());
  const at = svg.getBoundingClientRect();
  const touch = (all) => all.some((one, place) => place > 0 && one.left < all[place - 1].right + 1);
  const drawn = {
    names: [...svg.querySelectorAll(".chart-name")].map((each) => each.textContent),
    titles: [...svg.querySelectorAll(".game-name")].map((each) => each.textContent),
    touch: touch(boxes(".game-name")) || touch(boxes(".chart-text[text-anchor=middle]")),
    beyond: boxes("text").some(({ left, right }) => left < at.left - 1 || right > at.right + 1),
    told: svg.getAttribute("aria-label"),
  };
  box.remove();
  return drawn;
}"""
PEOPLE = ["Anna", "Bo", "Chie", "Dan"]


def test_a_chart_keeps_apart_who_has_one_name_and_games_of_other_rules(saved: Page) -> None:
    drawn = saved.evaluate(CHART, [["a", ["Anna", "Bo", "Anna", "WWWWWWWWWWWWW"], 3]])
    assert sorted(drawn["names"])[:2] == ["Anna", "Anna"]
    assert "Anna: 0, 1, 1, 1. Bo: 0, 2, 2, 2. Anna: 0, 3, 3, 3." in drawn["told"]
    assert not drawn["beyond"], "wide letters have room"
    drawn = saved.evaluate(CHART, [["a", PEOPLE, 3], ["b", PEOPLE, 3], ["a", PEOPLE, 3]])
    assert drawn["titles"] == ["Game 1", "Game 3"], "as everywhere else"
    drawn = saved.evaluate(CHART, [["a", PEOPLE, 9], ["a", PEOPLE, 1], ["a", PEOPLE, 9]])
    assert not drawn["touch"], "a name of a game without room is left out"
    assert not saved.evaluate(CHART, [["a", PEOPLE, 200]])["touch"]


def test_a_tap_on_the_chart_tells_that_hand_in_pictures(saved: Page) -> None:
    saved.locator("#sheet summary").click()
    tap_on(saved.locator("#chart svg"), 2)
    hand = STORY.hands[1]
    told = saved.locator(f"#h{hand.happened[0].number} .story")
    expect(told.locator(".strip li")).to_have_count(len(steps_of_hand(hand)))
    expect(told.locator(".felt, img")).to_have_count(len(steps_of_hand(hand)))
    looked_at(saved, "saved-story")


def test_a_printed_page_cuts_no_story_off(saved: Page) -> None:
    first, second = saved.locator(".story").all()[:2]
    first.locator("summary").click()
    expect(first.locator(".strip li").last).to_be_attached()
    saved.emulate_media(media="print")
    assert first.locator(".strip").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    expect(second).to_be_hidden()


def test_styles_of_what_is_not_on_a_page_are_left_out() -> None:
    style = """/* none */ .here, .gone { color: red }
    @media print { .gone { color: blue } } @media print { main .s1 { margin: 0  1px } }
    :is(.gone, #away) p { margin: 0 } :is(.gone, .here) p { margin: 0 }
    [data-of=".gone"] p:not(.gone) { margin: 0 } .here:has(> .gone) { margin: 0 }"""
    page = '<p class="here"></p> made("p", { class: `s${seat}` })'
    assert saved_style(style, page).split("\n") == [
        ".here { color: red }",
        "@media print {",
        "main .s1 { margin: 0 1px }",
        "}",
        ":is(.gone, .here) p { margin: 0 }",
        '[data-of=".gone"] p:not(.gone) { margin: 0 }',
        "",
    ]


def test_a_moment_has_its_picture_or_its_table() -> None:
    hand = STORY.hands[0]
    first, *_, last = (hand.happened[at].number for at in steps_of_hand(hand))
    told = hand_stories(replay(ENTRIES), [STORY], "en", pictured_at(last), with_tables=False)
    moments = told[hand.happened[0].number]
    assert [moment["number"] for moment in moments][:: len(moments) - 1] == [first, last]
    assert [moment["table"] is None for moment in moments] == [False] * (len(moments) - 1) + [True]
    assert moments[-1]["picture"] == "data:picture"


def pictured_at(number: int) -> PictureOf:
    return lambda _, event: "data:picture" if event == number else None


def test_what_needs_no_script_lists_the_same(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    doubted = [
        replace(one, confidence=0.55 if at == NUMBER else 1.0) for at, one in enumerate(ENTRIES)
    ]
    file.write_text(to_report(doubted, {}, "x.mp4"), "utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    text = page.locator("body").inner_text()
    assert "5 han, mangan: 8000 + 2000 (deposits collected) = 10000" in text
    assert f"Please check: event {NUMBER}" in text
    listed = page.locator("noscript .event")
    expect(listed.nth(2)).to_be_visible()
    assert sum(len(hand.happened) for hand in STORY.hands) > listed.count() > len(STORY.hands)
    context.close()


HOSTILE: Final = "</script><!--<script>\u2028'\"&<b>"


def test_a_name_is_no_code(browser: Browser, tmp_path: Path) -> None:
    players = (HOSTILE, "Bo", "Chie", "Dan")
    named = [
        replace(one, event=replace(one.event, players=players))
        if isinstance(one.event, GameStart)
        else one
        for one in ENTRIES
    ]
    text = to_report(named, {}, HOSTILE)
    assert HOSTILE not in text
    file = tmp_path / "report.html"
    file.write_text(text, "utf-8")
    complaints: list[str] = []
    page = opened(browser, file.as_uri(), PHONE, complaints)
    assert HOSTILE in page.locator(".places-of-seats").evaluate("(one) => one.textContent")
    assert HOSTILE in page.locator("#title").evaluate("(one) => one.textContent")
    assert complaints == []
    page.close()


def test_a_download_for_everybody_lists_no_hidden_hand() -> None:
    whole, shown = to_report(ENTRIES, {}), DOWNLOAD_FORMATS["html"].write(ENTRIES, "en", None)
    assert "Aki is dealt" in whole
    assert "is dealt" not in shown
    assert 'class="event"' not in shown


def test_a_saved_game_without_pictures_is_small() -> None:
    whole = to_report(ENTRIES, {}, "x.mp4")
    assert len(whole.encode()) < 270_000
    (stories,) = re.findall(r'"stories":"([^"]*)"', whole)
    assert len(stories) < 6_000, "the tables of all hands in pictures"


def test_whoever_ruled_on_an_event_is_named_there() -> None:
    ruling = Correct(NUMBER, (replace(ENTRIES[NUMBER], source="person"),))
    line = Entry(ruling, source="person", evidence=f"{RULED_BY}Dana <b>")
    page = to_report([*ENTRIES, line], {}, "x.mp4")
    assert page.count("Decided by Dana &lt;b&gt;") == 1, "in the listing"
    assert page.count("Decided by Dana \\u003cb\\u003e") == 1, "in the data of the script"
    undone = Entry(Correct(len(ENTRIES), ()), source="person")
    assert "Decided by" not in to_report([*ENTRIES, line, undone], {}, "x.mp4")


def test_questions_are_answered_with_pictures_of_tiles(browser: Browser, tmp_path: Path) -> None:
    later = replace(QUESTION, place=EventPlace("put", 9.0, 0, 0))
    asked = asked_of(question_rows([QUESTION, later], ENTRIES), "x.mp4")
    file = tmp_path / "report.html"
    file.write_text(to_report(ENTRIES, {}, "x.mp4", "en", asked), "utf-8")
    complaints: list[str] = []
    page = opened(browser, file.as_uri(), PHONE, complaints)
    first, second = page.locator(".asked").all()
    expect(first.locator(".readings > label svg")).to_have_count(2)
    first.get_by_text("39 %").click()
    second.get_by_text("Another tile").click()
    second.locator(".tiles label").nth(30).click()
    looked_at(page, "asked", "en")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the answers").click()
    saved = Path(download.value.path())
    given = [one["answer"] for one in json.loads(saved.read_text("utf-8"))["questions"]]
    assert given[0] == 2
    told = AnswersFile.read(saved).answers
    assert told[0].events == (OTHER,)
    assert told[1].events == (replace(THROWN, tile=Tile(given[1])),)
    assert complaints == []
    page.close()


def test_a_phone_shows_who_pays_whom_and_what_to_check_before_any_event(
    browser: Browser, tmp_path: Path
) -> None:
    picture = Image.new("RGB", (320, 180), (30, 90, 60))
    data = io.BytesIO()
    picture.save(data, "JPEG")
    doubted = NUMBER + 2
    entries = [
        replace(entry, confidence=0.55 if number == doubted else 1.0)
        for number, entry in enumerate(ENTRIES)
    ]
    pictures = {number: data.getvalue() for number in range(NUMBER, NUMBER + 9)}
    asked = asked_of(question_rows([QUESTION], ENTRIES), "x.mp4")
    file = tmp_path / "report.html"
    again = "tilesight score x.mp4 --answers answers.json"
    file.write_text(to_report(entries, pictures, "x.mp4", "en", asked, again=again), "utf-8")
    page = opened(browser, file.as_uri(), PHONE, [])
    expect(page.locator(".places-of-seats li")).to_have_count(4)
    told = page.locator(".places-of-seats strong").all_inner_texts()
    shown = [int(each.replace("−", "-")) for each in told]
    assert shown == sorted(STORY.points, reverse=True)
    # The command stands behind a tap, and nothing says how sure it is where there is no doubt.
    expect(page.get_by_text("--answers")).to_be_hidden()
    assert "100 %" not in page.locator("body").inner_text()
    assert page.locator(".events").first.evaluate("(all) => all.offsetTop") <= 3 * PHONE["height"]
    taps = [tap.bounding_box() for tap in page.locator(".readings > label").all()]
    assert all(tap is not None and tap["height"] >= 56 for tap in taps)
    # Only what is doubtful lies open.
    open_now = page.locator(".event[open]").evaluate_all("(all) => all.map((each) => each.id)")
    assert f"e{doubted}" in open_now
    assert f"e{NUMBER}" not in open_now
    row = page.locator(f"#e{NUMBER} > summary")
    box = row.bounding_box()
    assert box is not None
    assert box["height"] >= 56
    row.click()
    picture_box = row.locator("img").bounding_box()
    assert picture_box is not None
    assert picture_box["width"] == 320
    page.emulate_media(media="print")
    expect(page.locator(f"#e{NUMBER}")).to_be_hidden()
    expect(page.locator(".places-of-seats")).to_be_visible()
    page.close()


def test_the_sprite_has_a_symbol_for_every_tile_a_page_can_show() -> None:
    symbols = list(ElementTree.fromstring(sprite()))
    drawn = {symbol.get("id"): len(symbol) for symbol in symbols}
    assert set(drawn) == {f"tile-{code}" for code in (*CODES, "unknown", "back")}
    assert min(drawn.values()) >= 2
    assert len({ElementTree.tostring(symbol) for symbol in symbols}) == len(symbols)
    assert 'href="#tile-back"' in use(None)
    assert 'href="#tile-0p"' in use(Tile("0p"))


def test_it_says_what_was_proved_of_the_table(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    for standing, said in (
        (Standing(HOLDS), "The table was rehearsed on 2026-11-29: Silver."),
        (
            Standing(HOLDS, ("table", "light")),
            "Silver, which had lapsed (camera or table was moved, other light)",
        ),
    ):
        standing.write(tmp_path / "game-certificate.json")
        proved = rehearsed_text(rehearsed_beside(tmp_path / "game-certificate.json"), "en")
        file.write_text(DOWNLOAD_FORMATS["html"].write(ENTRIES, "en", proved), "utf-8")
        page = opened(browser, file.as_uri(), PHONE, [])
        expect(page.locator("#rehearsed")).to_contain_text(said)
        page.close()
    assert rehearsed_text(rehearsed_beside(tmp_path / "none.json"), "en") is None
    file.write_text(to_report(ENTRIES, {}), "utf-8")
    page = opened(browser, file.as_uri(), PHONE, [])
    expect(page.locator("#rehearsed")).to_be_hidden()
    page.close()


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
def test_every_language_says_what_was_proved(lang: str) -> None:
    none = Standing(replace(HOLDS, grade=None))
    for standing in (Standing(HOLDS), Standing(HOLDS, ("size", "game", "clock")), none):
        said = rehearsed_text(standing, lang)
        assert said is not None
        assert "{" not in said
