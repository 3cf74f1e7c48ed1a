"""Lessons: exercises of every game that the rules answer, set by the host, solved on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.events import Deal, Discard, Entry, GameStart, HandStart
from engine.game import replay
from engine.lessons import TOPICS
from engine.rules import GAMES, RULE_SETS
<<<<<<< HEAD
from engine.texts.files import LANGUAGES
from service.seat.lessons import SetLesson, game_of, lesson_of
from service.texts.catalogue import texts_of
from tests.support.browsing import (
    LAPTOP,
    PHONE,
    beyond_first_screen,
    choose_language,
    menu,
    opened,
)
=======
from engine.tiles import Tile, parse
from service.seat.lessons import SetLesson, answered, game_of, lesson_of
from service.table.seat_view import why_no_hint
from service.texts.catalogue import texts_of
from tests.support.browsing import PHONE, opened
>>>>>>> mend-judge
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
    told = lesson_of(game, "en")
    assert 10 <= len(told) <= 15
    topics = [exercise["topic"] for exercise in told]
    assert topics == [topic for topic, _, _ in TOPICS if topic in topics]
    assert {"set", "discard", "waits", "claim", "first", "points", "payer"} <= set(topics)


@every_game
def test_each_exercise_has_right_and_wrong_answers_and_says_why(game: str) -> None:
    for exercise in (one for lang in ("en", "zh", "ja") for one in lesson_of(game, lang)):
        names = [choice["name"] for choice in exercise["choices"]]
        assert len(set(names)) == len(names) > len(exercise["right"]) > 0
        assert set(exercise["right"]) < set(names)
        for choice in exercise["choices"]:
            assert choice["tile"] or choice["text"]
        shown = exercise["table"]["players"][exercise["seat"]]
        assert shown["shown"] or set(shown["hand"]) <= {"?"}
        assert exercise["why"] or exercise["topic"] in ("set", "kind", "dealer")


def test_a_variant_learns_from_the_lesson_of_its_game() -> None:
    assert {game_of(rules) for rules in RULE_SETS} == {game.id for game in GAMES}
    assert game_of("riichi-tenhou") == "riichi"


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


ANSWER = """(at) => {
  document.querySelectorAll("#topics li > :first-child")[at].click();
  const answers = document.querySelector("#offers button") ? "#offers button" : "#hand button";
  [...document.querySelectorAll(answers)].at(-1).click();
  return answers;
}"""
"""Goes to a topic, and answers it."""


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
            for at in range(len(lesson_of(rules.id, lang))):
                answers = page.evaluate(ANSWER, at)
                parts = f"#question, #meant:not(:empty), {answers}, #verdict"
                assert beyond_first_screen(page, parts) == [], (rules.id, lang, at)
    page.close()


def test_a_phone_shows_the_felt_where_it_is_asked_about(browser: Browser, server: Served) -> None:
    page = opened(browser, f"{server.url}/lessons#{KEYS.seats[0]}", PHONE, [])
    for exercise in lesson_of("riichi", "en"):
        name = texts_of("en")[f"page.lessons.topic.{exercise['topic']}"]
        topic = page.locator("#topics button", has_text=re.compile(f"^{re.escape(name)}"))
        topic.first.evaluate("(topic) => topic.click()")
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
    expect(page.locator("#question")).to_have_text("Which tile makes a run with these two?")
    right = lesson_of("riichi", "en")[0]["right"][0]
    before = page.locator("#table svg").bounding_box()
    page.locator("#offers button", has=page.get_by_label(right, exact=True)).click()
    expect(page.locator("#verdict")).to_have_text("Right.")
    expect(page.locator("#count")).to_contain_text("1 solved")
    assert page.locator("#table svg").bounding_box() == before
    page.reload()
    expect(page.locator("#count")).to_have_text(re.compile("2 of .*, 1 solved"))
    page.get_by_role("button", name="Chow").click()
    expect(page.locator("#verdict")).not_to_have_text("")
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
