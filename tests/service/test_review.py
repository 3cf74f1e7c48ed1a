"""The review of a seat's game: what it could expect, and the discards that cost most points."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from service.report.story import tell
from service.review import COSTLIEST, review_json, reviewed
from tests.support.browsing import PHONE, fits, opened
from tests.support.keys import KEYS
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import Served, served

TWO_HANDS = 200


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:TWO_HANDS]), KEYS) as server:
        server.wait_for_end()
        yield server


def test_costs_are_the_distance_to_the_best_discard() -> None:
    rows = reviewed(tell(ENTRIES[:TWO_HANDS]), 0)
    assert len(rows) > 15
    assert all(row.cost >= 0 for row in rows)
    assert any(row.cost == 0 for row in rows)
    told = review_json(tell(ENTRIES[:TWO_HANDS]), 0)
    costs = [one["cost"] for one in told["costliest"]]
    assert 0 < len(costs) <= COSTLIEST
    assert costs == sorted(costs, reverse=True)
    assert told["source"] == "logs"
    assert [one["step"] for one in told["expected"]] == [row.decision.step for row in rows]


def test_a_stance_is_told_only_where_somebody_else_is_ready() -> None:
    for row in reviewed(tell(ENTRIES), 2):
        others = [player for at, player in enumerate(row.decision.before.players) if at != 2]
        assert (row.stance is None) == (not any(player.ready for player in others))


def test_a_seat_reads_its_own_review_only(server: Served) -> None:
    answer = server.get("/api/drill/review", key=KEYS.seats[1])
    assert answer.status == 200, answer.text
    assert json.loads(answer.text)["seat"] == 1
    assert server.get("/api/drill/review?seat=2", key=KEYS.seats[1]).status == 403


def test_the_page_draws_the_review_and_opens_a_decision(server: Served, browser: Browser) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/drill#{KEYS.seats[0]}", PHONE, complaints)
    page.locator("#to-mistakes").click()
    page.get_by_role("button", name="Review this seat's game").click()
    line = page.locator("#costliest li").first
    expect(line).to_contain_text("expected")
    expect(page.locator("#expected polyline")).to_be_attached()
    expect(page.locator("#review-said")).to_contain_text("public games")
    assert "/game?at=" in (line.locator("a").get_attribute("href") or "")
    hand = line.get_by_role("button").inner_text().strip()
    line.get_by_role("button").click()
    expect(page.locator("#count")).to_contain_text(hand.lower(), ignore_case=True)
    assert fits(page)
    assert complaints == []
    page.close()
