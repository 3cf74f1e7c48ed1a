"""Lessons: exercises of every game that the rules answer, set by the host, solved on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.events import Deal, Discard, Entry, GameStart, HandStart
from engine.game import replay
from engine.lessons import TOPICS
from engine.rules import GAMES, RULE_SETS
from engine.texts.files import LANGUAGES
from engine.tiles import Tile, parse
from service.seat.lessons import SetLesson, answered, game_of, lesson_of, lesson_view
from service.table.seat_view import why_no_hint
from service.texts.catalogue import texts_of
from tests.support.browsing import (
    BEYOND,
    LAPTOP,
    PATIENCE_MS,
    PHONE,
    choose_language,
    menu,
    opened,
)
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served

every_game = pytest.mark.parametrize("game", [game.id for game in GAMES])


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:60]), KEYS) as server:
        server.wait_for_end()
        yield server


@every_game
def test_a_game_has_ten_to_fifteen_exercises_from_sets_to_scoring(game: str) -> None:
    topics = list(lesson_of(game, "en"))
    assert 10 <= len(topics) <= 15
    assert topics == [topic for topic, _, _ in TOPICS if topic in topics]
    assert {"set", "discard", "waits", "claim", "first", "points", "payer"} <= set(topics)


@every_game
def test_each_exercise_has_right_and_wrong_answers_and_says_why(game: str) -> None:
    lessons = [lesson_of(game, lang) for lang in ("en", "zh", "ja")]
    for exercise in (one for told in lessons for forms in told.values() for one in forms):
        names = [choice["name"] for choice in exercise["choices"]]
        assert len(set(names)) == len(names) > len(exercise["right"]) > 0
        assert set(exercise["right"]) < set(names)
        for choice in exercise["choices"]:
            assert choice["tile"] or choice["text"]
        shown = exercise["table"]["players"][exercise["seat"]]
        assert shown["shown"] or set(shown["hand"]) <= {"?"}
        assert exercise["why"]
        assert exercise["said"] is None or exercise["said"]["text"]


def test_a_variant_learns_from_the_lesson_of_its_game() -> None:
    assert {game_of(rules) for rules in RULE_SETS} == {game.id for game in GAMES}
    assert game_of("riichi-tenhou") == "riichi"


def test_what_was_missed_is_asked_again_and_what_the_host_set_comes_first() -> None:
    first = lesson_view("riichi", "en")["asked"]
    assert first is not None
    assert (first["topic"], first["tries"]) == ("set", 0)
    again = lesson_view("riichi", "en", "set:wrong,kind:right,distance:right")["asked"]
    assert again is not None
    assert (again["topic"], again["tries"]) == ("set", 1)
    assert again["shown"] != first["shown"]
    ordered = lesson_view("riichi", "en", topics=["waits"])
    assert ordered["topics"][0] == "waits"
    chosen = lesson_view("riichi", "en", "kind:wrong,kind:wrong", "kind")["asked"]
    assert chosen is not None
    assert (chosen["topic"], chosen["tries"]) == ("kind", 2)
    every = ",".join(f"{topic}:right" for topic in ordered["topics"])
    assert lesson_view("riichi", "en", every)["asked"] is None


def test_answers_that_nobody_can_have_given_are_refused(server: Served) -> None:
    for given in ("set", "set:maybe", "set:right;kind:right", "set:right," * 2000):
        assert server.get(f"/api/lessons?given={given}", key=KEYS.seats[1]).status == 422
    assert server.get("/api/lessons?given=nothing:right&topic=x", key=KEYS.seats[1]).status == 200


def test_what_the_host_sets_is_kept_in_the_folder(tmp_path: Path) -> None:
    assert SetLesson(tmp_path).topics == []
    assert SetLesson(tmp_path).change(["waits", "nonsense", "set"]) == ["set", "waits"]
    assert SetLesson(tmp_path).topics == ["set", "waits"]
    (tmp_path / ".lesson.json").write_text("{")
    assert SetLesson(tmp_path).topics == []


def test_only_who_runs_the_table_sets_a_lesson(server: Served) -> None:
    for key, may in ((KEYS.seats[1], False), (KEYS.control, True)):
        told = json.loads(server.get("/api/lessons", key=key).text)
        assert (told["rules"], told["may_set"], told["set"]) == ("riichi", may, [])
        sender = {"Authorization": f"Bearer {key}"}
        answer = server.post("/api/lessons", {"topics": ["first"]}, sender)
        assert (answer.status == 200) is may


ANSWER = """() => {
  const answers = document.querySelector("#offers button") ? "#offers button" : "#hand button";
  [...document.querySelectorAll(answers)].at(-1).click();
  return answers;
}"""
"""Answers a question, and says where its answers stand."""


def go_to(page: Page, at: int) -> None:
    """Choose a topic by its place in the list, and wait for its question."""
    page.locator("#topics li > :first-child").nth(at).evaluate("(topic) => topic.click()")
    asked = page.locator(f"#topics li:nth-child({at + 1}) > [aria-current=true]")
    asked.wait_for(state="attached")
    page.locator("#verdict:empty").wait_for(state="attached")


EACH_IN_SIGHT = f"""async (count) => {{
  const until = async (there) => {{
    const ends = performance.now() + {PATIENCE_MS};
    while (!there()) {{
      if (performance.now() > ends) throw new Error(`it never came to be: ${{there}}`);
      await new Promise((go) => setTimeout(go, 1));
    }}
  }};
  const beyond = {BEYOND};
  const found = [];
  for (let at = 0; at < count; at += 1) {{
    const topic = () => document.querySelectorAll("#topics li > :first-child")[at];
    topic().click();
    await until(() => topic().ariaCurrent === "true");
    let answers = "";
    await until(() => {{  // no tap counts while the question is asked for
      answers = ({ANSWER})();
      return document.querySelector("#verdict").textContent !== "";
    }});
    const parts = `#question, #meant:not(:empty), ${{answers}}, #verdict`;
    found.push(...beyond(parts).map((each) => `${{at}}: ${{each}}`));
  }}
  return found;
}}"""
"""Goes through the topics and answers each; what of them lies beyond the first screen, with the
place of the topic. To ask the browser for each step took longer than what is asked."""


def test_question_answers_and_verdict_stand_in_the_first_screen_of_a_phone(
    browser: Browser, server: Served
) -> None:
    page = opened(browser, server.url, {"width": 360, "height": 740}, [])
    for rules in GAMES:
        page.goto(f"{server.url}/lessons?rules={rules.id}#{KEYS.seats[0]}")
        expect(page.locator("#offers button, #hand button:enabled").first).to_be_visible()
        for lang in LANGUAGES:
            menu(page)
            choose_language(page, lang)
            page.keyboard.press("Escape")
            topics = page.locator("#topics li")
            expect(topics).to_have_count(len(lesson_of(rules.id, lang)))
            assert page.evaluate(EACH_IN_SIGHT, topics.count()) == [], (rules.id, lang)
    page.close()


def test_a_phone_shows_the_felt_where_it_is_asked_about(browser: Browser, server: Served) -> None:
    page = opened(browser, f"{server.url}/lessons#{KEYS.seats[0]}", PHONE, [])
    for at, exercises in enumerate(lesson_of("riichi", "en").values()):
        exercise = exercises[0]
        go_to(page, at)
        expect(page.locator("#table")).to_be_visible(visible=exercise["asks_table"])
        expect(page.locator("#hand")).to_be_visible(visible=exercise["asks_hand"])
        seat = exercise["table"]["players"][exercise["seat"]]
        melds = len(seat["melds"]) if exercise["asks_hand"] else 0
        expect(page.locator("#sets > span")).to_have_count(melds)
    page.set_viewport_size({"width": LAPTOP["width"], "height": LAPTOP["height"]})
    expect(page.locator("#table")).to_be_visible()
    page.close()


def test_a_lesson_is_solved_with_taps_and_goes_on_where_it_was(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/lessons#{KEYS.seats[0]}", LAPTOP, complaints)
    question, count, verdict = map(page.locator, ("#question", "#count", "#verdict"))
    onward = page.locator("#next")
    forms = lesson_of("riichi", "en")["set"]

    def answer(form: int, *, rightly: bool) -> None:
        exercise = forms[form]
        tile = next(
            choice["name"]
            for choice in exercise["choices"]
            if (choice["name"] in exercise["right"]) is rightly
        )
        page.locator("#offers button", has=page.get_by_label(tile, exact=True)).click()

    expect(question).to_have_text("Which tile makes a run with these two?")
    before = page.locator("#table svg").bounding_box()
    answer(0, rightly=False)
    expect(verdict).to_contain_text("once more in another way")
    expect(page.locator("#answer li")).to_contain_text("Three tiles of one suit in a row")
    expect(count).to_contain_text("0 solved")
    assert page.locator("#table svg").bounding_box() == before
    onward.click()
    expect(count).to_contain_text("2 of")
    page.reload()
    expect(count).to_have_text(re.compile("2 of .*, 0 solved"))
    page.get_by_role("button", name="Chow").click()
    expect(verdict).not_to_have_text("")
    onward.click()
    expect(count).to_contain_text("3 of")
    onward.click()
    expect(question).to_have_text("Once more: Which tile makes a run with these two?")
    answer(1, rightly=False)
    onward.click()
    page.locator("#before").click()
    expect(question).to_have_text("Once more: Which tile makes a run with these two?")
    answer(1, rightly=True)
    expect(verdict).to_have_text("Right.")
    expect(count).to_contain_text(re.compile("[12] solved"))
    assert complaints == []
    page.close()


TWICE: Final = """async (control, taps) => {
  const count = document.querySelector("#count"), said = count.textContent;
  const tap = ({ at, ...given }) => {
    const event = new PointerEvent("click", { bubbles: true, ...given });
    if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
    control.dispatchEvent(event);
  };
  tap(taps[0]);
  await new Promise((done) => {
    const seen = new MutationObserver(() => {
      if (count.textContent === said) return;
      seen.disconnect();
      done();
    });
    seen.observe(count, { childList: true, characterData: true, subtree: true });
  });
  tap(taps[1]);
}"""
"""Taps, and taps once more as soon as the next question is there."""


def finger(*at_ms: int) -> list[dict[str, object]]:
    """Taps at these times of the page, later than any mouse has clicked."""
    return [{"pointerType": "touch", "at": at} for at in at_ms]


def test_a_tap_that_is_twice_one_tap_answers_one_question(browser: Browser, server: Served) -> None:
    """However soon the next question is there; the taps of a finger are counted by nobody else."""
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/lessons#{KEYS.seats[0]}", PHONE, complaints)
    count = page.locator("#count")
    expect(count).to_contain_text("1 of")
    exercise = lesson_of("riichi", "en")["set"][0]
    wrong = next(one["name"] for one in exercise["choices"] if one["name"] not in exercise["right"])
    page.locator("#offers button", has=page.get_by_label(wrong, exact=True)).click()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#next").evaluate(TWICE, [{"detail": 1}, {"detail": 2}])
    kept = page.evaluate("JSON.parse(localStorage.getItem('tilesight-lessons-given')).riichi")
    assert kept == ["set:wrong"], "it was answered wrongly, and not passed over then"
    expect(count).to_contain_text("2 of")
    page.locator("#next").evaluate(TWICE, finger(1_000_000, 1_000_299))
    page.locator("#before").evaluate(TWICE, finger(2_000_000, 2_000_299))
    expect(count).to_contain_text("2 of")
    page.locator("#next").evaluate(TWICE, finger(3_000_000, 3_000_300))
    expect(page.locator("#question")).to_contain_text(
        "Once more"
    )  # what was wrong, after two others
    assert len([url for url in asked if "/api/lessons" in url]) == 5
    assert complaints == []
    page.close()


def test_at_the_end_a_lesson_tells_how_much_was_solved(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/lessons#{KEYS.seats[0]}", PHONE, complaints)
    said, question, onward = map(page.locator, ("#count", "#question", "#next"))
    count = len(lesson_of("riichi", "en"))
    for at in range(count):
        expect(said).to_contain_text(f"{at + 1} of {count}")
        onward.click()
    expect(question).to_have_text(f"That was the last question. Solved: 0 of {count}.")
    onward.click()
    expect(said).to_contain_text(f"1 of {count}")
    assert complaints == []
    page.close()


@pytest.mark.parametrize("lang", ["en", "zh", "ja"])
@pytest.mark.parametrize("discarded", [True, False])
def test_who_holds_a_flower_is_told_when_to_lay_it_open(lang: str, discarded: bool) -> None:
    lines = (
        *(GameStart("taiwan"), HandStart(), Deal(1, parse("123456789m 123p 45p 9s 5f"))),
        *(Deal(0, parse("123456789p 12345s 9s 1z 1z")), Discard(0, Tile("9s"))),
    )
    game = replay([Entry(event) for event in (lines if discarded else lines[:-1])])
    assert why_no_hint(game, 1) == ("flower" if discarded else None)
    (row,) = answered("hand", game.played, 1, lang)["rows"]
    later = texts_of(lang)["page.seat.flower_later"]
    assert (row["text"] == later, row["shown"]) == (discarded, [] if discarded else ["5f"])
