"""The drill: a seat's own decisions once more, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.events import Discard
from service.live.drill import decisions
from service.live.seats import table_address
from service.telling.story import tell
from tests.service.served import Served, served
from tests.service.test_game_pages import ENTRIES, MIDDLE, table_of
from tests.service.test_page import CHROMIUM, LAPTOP, PHONE, browser, opened
from tests.service.test_seats import KEYS

__all__ = ["browser"]

TWO_HANDS = 200
"""Lines of the sample: enough decisions of everybody."""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:TWO_HANDS]), KEYS) as server:
        server.wait_for_end()
        yield server


def ask(server: Served, path: str, key: str) -> dict[str, Any]:
    answer = server.get(path, key=key)
    assert answer.status == 200, answer.text
    told: dict[str, Any] = json.loads(answer.text)
    return told


@pytest.mark.parametrize("seat", range(4))
def test_every_discard_of_a_known_hand_before_ready_is_a_decision(seat: int) -> None:
    made = decisions(tell(ENTRIES), seat)
    assert len(made) > 60
    for decision in made:
        entry = ENTRIES[decision.step].event
        assert entry == decision.played
        player = decision.before.players[seat]
        assert decision.played.tile in player.hand
        assert not player.ready


def test_a_choice_is_compared_with_the_best_and_with_what_was_played(server: Served) -> None:
    key = KEYS.seats[1]
    listed = ask(server, "/api/drill", key)
    assert (listed["seat"], listed["any"]) == (1, False)
    made = decisions(tell(ENTRIES[:TWO_HANDS]), 1)
    assert [one["step"] for one in listed["decisions"]] == [one.step for one in made]
    step = made[4].step
    asked = ask(server, f"/api/drill/{step}", key)
    assert asked["hand"] == [str(tile) for tile in made[4].before.players[1].hand]
    tile = asked["hand"][0]
    judged = ask(server, f"/api/drill/{step}?tile={tile}", key)
    assert judged["chosen"] == tile
    assert judged["played"] == str(made[4].played.tile)
    assert judged["good"] is (tile in judged["best"])
    assert judged["hint"]["discards"][0]["tile"] in judged["best"]


def test_a_seat_sees_its_own_decisions_alone(server: Served) -> None:
    other = decisions(tell(ENTRIES[:TWO_HANDS]), 2)[0].step
    for key, status in (("", 403), ("wrong", 401), (KEYS.seats[1], 403)):
        assert server.get("/api/drill?seat=2", key=key).status == status
        assert server.get(f"/api/drill/{other}?seat=2", key=key).status == status
    assert server.get(f"/api/drill/{other}", key=KEYS.seats[1]).status == 404
    assert server.get("/api/drill").status == 403
    # Whoever runs the table has the whole record anyway.
    assert ask(server, f"/api/drill/{other}?seat=2", KEYS.control)["seat"] == 2


def test_what_is_asked_tells_no_other_hand(server: Served) -> None:
    for decision in decisions(tell(ENTRIES[:TWO_HANDS]), 0)[:5]:
        asked = ask(server, f"/api/drill/{decision.step}", KEYS.seats[0])
        table = asked["table"]
        assert isinstance(table, dict)
        assert all(set(player["hand"]) <= {"?"} for player in table["players"])


def test_a_turn_that_is_not_over_is_no_decision_yet() -> None:
    lines = ENTRIES[: MIDDLE + 1]
    state = tell(lines)[-1].happened[-1].state
    with served(table_of(lines), KEYS) as server:
        server.wait_for_end()
        listed = ask(server, "/api/drill", KEYS.seats[state.turn])
        discards = [one.event for one in lines if isinstance(one.event, Discard)]
        own = [one for one in discards if one.seat == state.turn]
        assert len(listed["decisions"]) == len(own)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/api/drill/0", 404), ("/api/drill/x", 422), ("/api/drill?seat=7", 403)],
)
def test_what_is_not_there_is_told(server: Served, path: str, status: int) -> None:
    assert server.get(path, key=KEYS.seats[0]).status == status


def test_a_tile_that_is_not_held_is_refused(server: Served) -> None:
    decision = decisions(tell(ENTRIES[:TWO_HANDS]), 0)[0]
    for tile, status in (("8x", 400), ("9z", 400), ("1f", 404)):
        answer = server.get(f"/api/drill/{decision.step}?tile={tile}", key=KEYS.seats[0])
        assert answer.status == status
    assert server.get("/api/drill?seat=7", key=KEYS.control).status == 400


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_beginner_decides_first(
    browser: Browser, server: Served, size: dict[str, int], tmp_path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/drill#{KEYS.seats[0]}", size, complaints)
    expect(page.locator("#hand button")).to_have_count(14)
    expect(page.locator("#ranking li")).to_have_count(0)
    expect(page.locator("#seat")).to_be_hidden()
    page.locator("#hand button").first.click()
    expect(page.locator("#verdict")).to_contain_text("At the table:")
    expect(page.locator("#ranking li").first).to_be_visible()
    expect(page.locator("#ranking em", has_text="your choice")).to_have_count(1)
    expect(page.locator("#ranking em", has_text="played")).not_to_have_count(0)
    expect(page.locator("#tally")).to_contain_text("of 1 as good as the best")
    page.screenshot(path=tmp_path / "drill.png", full_page=True)
    # On with the keyboard: the next button has the focus.
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_contain_text("decision 2")
    expect(page.locator("#ranking li")).to_have_count(0)
    page.get_by_label("Language").select_option("ja")
    expect(page.locator("#question")).to_have_text("どの牌を切りますか。")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
    page.close()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_whoever_runs_the_table_chooses_the_seat(browser: Browser, server: Served) -> None:
    page = opened(browser, table_address(server.url, KEYS.control), LAPTOP, [])
    page.get_by_role("link", name="The game so far").click()
    page.get_by_role("link", name="Drill").click()
    page.get_by_label("Whose decisions").select_option("3")
    expect(page.locator("#hand button")).not_to_have_count(0)
    page.goto(f"{server.url}/drill")
    expect(page.locator("#question")).to_contain_text("open this page from a seat's page")
    page.close()
