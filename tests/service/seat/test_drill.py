"""The drill and the review: a seat's own decisions once more, and nobody else's."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.answers import what_happened
from engine.codec import read_record
from engine.drill import PASS, decisions
from engine.events import Chow, Discard, Kong, Pung, Win
from engine.game import replay
from engine.review import reviewed
from engine.rules import RULE_SETS
from service.machine.records import tell
from service.seat.drill_views import COSTLIEST, judged, review_json
from service.seat.lessons import QUESTIONS
from service.texts.answers import term_of
from service.texts.pages import terms_of
from tests.support.browsing import (
    LAPTOP,
    PHONE,
    beyond_first_screen,
    choose_language,
    menu,
    opened,
)
from tests.support.golden import WITH_GAME, golden
from tests.support.keys import KEYS
from tests.support.paths import GAMES
from tests.support.riichi_sample import ENTRIES, MIDDLE, table_of
from tests.support.served import Served, served

TWO_HANDS = 200
"""Lines of the sample: enough decisions of everybody."""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:TWO_HANDS]), KEYS) as server:
        server.wait_for_end()
        yield server


def ask(server: Served, path: str, key: str) -> Any:
    answer = server.get(path, key=key)
    assert answer.status == 200, answer.text
    return json.loads(answer.text)


@pytest.mark.parametrize("seat", range(4))
def test_every_discard_of_a_known_hand_before_ready_is_a_decision(seat: int) -> None:
    made = [one for one in decisions(tell(ENTRIES), seat) if isinstance(one.played, Discard)]
    assert len(made) > 60
    for decision in made:
        assert decision.own_turn
        entry = ENTRIES[decision.step].event
        assert entry == decision.played
        assert isinstance(decision.played, Discard)
        player = decision.before.players[seat]
        assert decision.played.tile in player.hand
        assert not player.ready


@pytest.mark.parametrize("seat", range(4))
def test_a_discard_that_could_be_claimed_is_a_decision_too(seat: int) -> None:
    made = [one for one in decisions(tell(ENTRIES), seat) if not one.own_turn]
    assert len(made) > 10
    let_pass = 0
    for decision in made:
        discard, after = ENTRIES[decision.step].event, ENTRIES[decision.step + 1].event
        assert isinstance(discard, Discard)
        assert discard.seat != seat
        assert decision.claims or decision.wins
        hand = decision.before.players[seat].hand
        assert all(tile in hand for claim in decision.claims for tile in claim.own or ())
        if decision.played is None and not decision.gone:
            assert not isinstance(after, Chow | Pung | Win)
            let_pass += 1
        else:
            assert isinstance(after, Chow | Pung | Kong | Win)
            assert (after.seat == seat) is (decision.played is not None)
    assert let_pass > 5


def test_every_win_and_claim_of_a_known_hand_is_among_what_was_offered() -> None:
    moves = [
        decision
        for seat in range(4)
        for decision in decisions(tell(ENTRIES), seat)
        if isinstance(decision.played, Chow | Pung | Kong | Win)
    ]
    assert {type(move.played) for move in moves} >= {Chow, Pung, Win}
    assert all(move.name in move.offers() for move in moves)


@pytest.mark.parametrize("game", ["harbin-hlr", "wsom"])
def test_every_choice_of_every_other_decision_is_judged(game: str) -> None:
    games = tell(read_record((GAMES / f"{game}.jsonl").read_text("utf-8")))
    for seat in range(4):
        for decision in decisions(games, seat)[::2]:
            hand = decision.before.players[seat].hand
            tiles = {str(tile) for tile in hand} if decision.own_turn else {PASS}
            for chosen in (*tiles, *decision.offers()):
                told = judged(decision, seat, chosen, "en")
                assert told["good"] is (told["behind"] is None) or told["best"] == []
                if told["why"] is not None:
                    assert told["why"].startswith("Good: ") is told["good"], told["why"]
                assert isinstance(told["compared"], list)


def test_a_choice_is_compared_with_the_best_and_with_what_was_played(server: Served) -> None:
    key = KEYS.seats[1]
    listed = ask(server, "/api/drill", key)
    assert (listed["seat"], listed["any"]) == (1, False)
    made = decisions(tell(ENTRIES[:TWO_HANDS]), 1)
    assert [one["step"] for one in listed["decisions"]] == [one.step for one in made]
    made = [one for one in made if isinstance(one.played, Discard)]
    step = made[4].step
    assert isinstance(made[4].played, Discard)
    asked = ask(server, f"/api/drill/{step}", key)
    assert asked["hand"] == [str(tile) for tile in made[4].before.players[1].hand]
    tile = asked["hand"][0]
    judged = ask(server, f"/api/drill/{step}?tile={tile}", key)
    assert judged["chosen"] == tile
    assert judged["played"] == str(made[4].played.tile)
    assert judged["good"] is (tile in judged["best"])
    assert judged["hint"]["discards"][0]["tile"] in judged["best"]


def test_what_a_choice_is_behind_in_is_told(server: Served) -> None:
    """Of two discards that are as near to ready, the one with fewer useful tiles is the worse."""
    seen = Counter[str]()
    for decision in decisions(tell(ENTRIES[:TWO_HANDS]), 1):
        if not decision.own_turn or decision.wins:
            continue
        path = f"/api/drill/{decision.step}?tile="
        first = ask(server, path + str(decision.before.players[1].hand[0]), KEYS.seats[1])
        rows = {row["tile"]: row for row in first["hint"]["discards"]}
        best = rows[first["best"][0]]
        for tile, row in list(rows.items())[:: max(1, len(rows) // 3)]:
            behind = ask(server, path + tile, KEYS.seats[1])["behind"]
            steps = row.get("distance", 0) - best.get("distance", 0)
            if steps > 0:
                assert behind == {"in": "steps", "steps": steps}
            elif row["left"] < best["left"]:
                kind = "tiles" if row.get("distance", 0) else "waits"
                assert behind == {"in": kind, "left": row["left"], "best": best["left"]}
            else:
                assert behind is None
            seen[behind["in"] if behind else "best"] += 1
    assert min(seen["steps"], seen["tiles"], seen["best"]) > 3


def test_a_claim_is_compared_with_letting_it_pass(server: Served) -> None:
    made = [
        decision for decision in decisions(tell(ENTRIES[:TWO_HANDS]), 1) if not decision.own_turn
    ]
    for one in made:
        path, key = f"/api/drill/{one.step}", KEYS.seats[1]
        asked = ask(server, path, key)
        assert not asked["own_turn"]
        names = [offer["name"] for offer in asked["offers"]]
        judged = ask(server, f"{path}?offer=pass", key)
        assert judged["best"]
        assert set(judged["best"]) <= {"pass", *names}
        assert judged["good"] is ("pass" in judged["best"])
        assert judged["played"] == (None if one.gone else one.name)
        assert server.get(f"{path}?offer=none", key=key).status == 404
        # What is discarded is for another turn.
        assert server.get(f"{path}?tile={asked['hand'][0]}", key=key).status == 404


def test_a_seat_sees_its_own_decisions_alone(server: Served) -> None:
    steps = {
        seat: {one.step for one in decisions(tell(ENTRIES[:TWO_HANDS]), seat)} for seat in (1, 2)
    }
    other = min(steps[2] - steps[1])
    for key, status in (("", 403), ("wrong", 401), (KEYS.seats[1], 403)):
        assert server.get("/api/drill?seat=2", key=key).status == status
        assert server.get(f"/api/drill/{other}?seat=2", key=key).status == status
    assert server.get(f"/api/drill/{other}", key=KEYS.seats[1]).status == 404
    assert server.get("/api/drill").status == 403
    # Whoever runs the table has the whole record anyway.
    assert ask(server, f"/api/drill/{other}?seat=2", KEYS.control)["seat"] == 2
    assert server.get("/api/drill?seat=7", key=KEYS.control).status == 400
    own = decisions(tell(ENTRIES[:TWO_HANDS]), 0)
    for decision in own[:5]:
        table = ask(server, f"/api/drill/{decision.step}", KEYS.seats[0])["table"]
        assert all(set(player["hand"]) <= {"?"} for player in table["players"])
    step = next(one.step for one in own if one.own_turn)
    for tile, status in (("8x", 400), ("9z", 400), ("1f", 404)):
        assert server.get(f"/api/drill/{step}?tile={tile}", key=KEYS.seats[0]).status == status


def test_a_turn_that_is_not_over_is_no_decision_yet() -> None:
    lines = ENTRIES[: MIDDLE + 1]
    state = tell(lines)[-1].happened[-1].state
    with served(table_of(lines), KEYS) as server:
        server.wait_for_end()
        listed = ask(server, "/api/drill", KEYS.seats[state.turn])
        discards = [line.event for line in lines if isinstance(line.event, Discard)]
        own = [discard for discard in discards if discard.seat == state.turn]
        made = [decision for decision in decisions(tell(lines), state.turn) if decision.own_turn]
        assert len(made) == len(own)
        assert [one.step for one in made] == [
            each["step"]
            for each in listed["decisions"]
            if each["step"] in {one.step for one in made}
        ]


def test_a_decision_and_its_verdict_stand_in_the_first_screen_of_a_phone(
    browser: Browser, server: Served
) -> None:
    size = {"width": 360, "height": 740}
    page = opened(browser, f"{server.url}/drill#{KEYS.seats[0]}", size, [])
    for number in range(1, 12):
        expect(page.locator("#count")).to_contain_text(f"decision {number} ")
        answers = page.locator("#hand button:enabled, #offers button:enabled")
        asked = "#question, #hand button, #offers button"
        assert beyond_first_screen(page, asked) == [], number
        answers.last.click()
        expect(page.locator("#compared li").first).to_be_visible()
        assert beyond_first_screen(page, f"{asked}, #verdict:not(:empty)") == [], number
        page.locator("#next").click()
    page.close()


def test_a_beginner_decides_first(browser: Browser, server: Served) -> None:
    complaints: list[str] = []
    page = opened(browser, f"{server.url}/drill#{KEYS.seats[0]}", PHONE, complaints)
    expect(page.locator("#hand button")).to_have_count(14)
    expect(page.locator("#ranking li")).to_have_count(0)
    expect(page.locator("#seat")).to_be_hidden()
    page.locator("#hand button").first.click()
    expect(page.locator("#compared summary")).to_contain_text(["Yours", "Best", "At the table"])
    expect(page.locator("#verdict")).to_contain_text(" was better: ")
    # On with the keyboard: the next button has the focus.
    expect(page.locator("#next")).to_be_focused()
    page.get_by_text("Every choice, best first").click()
    expect(page.locator("#ranking li").first).to_be_visible()
    expect(page.locator("#ranking em", has_text="your choice")).to_have_count(1)
    expect(page.locator("#ranking em", has_text="played")).not_to_have_count(0)
    expect(page.locator("#tally")).to_contain_text("of 1 as good as the best")
    page.locator("#next").press("Enter")
    expect(page.locator("#count")).to_contain_text("decision 2")
    expect(page.locator("#ranking li")).to_have_count(0)
    menu(page)
    choose_language(page, "ja")
    expect(page.locator("#question")).to_have_text("どの牌を切りますか。")
    page.close()
    # The mistakes are ranked, and each leads to its moment.
    page = opened(browser, f"{server.url}/drill#{KEYS.seats[1]}", PHONE, complaints)
    page.locator("#hand button:enabled").first.click()
    page.locator("#compared summary").first.click()
    expect(page.locator("#compared .wanted .tile").first).to_be_visible()
    # Where there is room beside the table, it stands still, whatever is told meanwhile.
    page.set_viewport_size({"width": LAPTOP["width"], "height": LAPTOP["height"]})
    still = [page.locator(each) for each in ("#table svg", "#hand", "#next")]
    places = [each.bounding_box() for each in still]
    page.get_by_role("button", name="Ask").click()
    page.get_by_role("button", name="What am I playing for?").click()
    expect(page.locator("#answer li").first).to_contain_text(re.compile("away from ready|Ready"))
    assert places == [
        page.locator(each).bounding_box() for each in ("#table svg", "#hand", "#next")
    ]
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    mistakes = page.get_by_role("button", name="Mistakes", exact=True)
    mistakes.click()
    page.get_by_role("button", name="Rank the mistakes").click()
    expect(page.locator("#mistakes li")).to_have_count(5)
    page.get_by_role("button", name=re.compile("All [0-9]+")).click()
    page.locator("#mistakes button").nth(6).click()
    expect(page.locator("#count")).to_contain_text("decision")
    mistakes.click()
    link = page.locator("#mistakes a").first
    at = (link.get_attribute("href") or "").split("?at=")[1].split("#")[0]
    link.click()
    expect(page.locator("#step")).to_have_text(f"Step {int(at) + 1} of {TWO_HANDS}")
    assert complaints == []
    page.close()


def test_a_choice_stands_beside_the_best_and_what_was_played(server: Served) -> None:
    key = KEYS.seats[1]
    own = [one for one in decisions(tell(ENTRIES[:TWO_HANDS]), 1) if one.own_turn and not one.wins]
    good = set()
    for decision in own[:8]:
        tile = str(decision.before.players[1].hand[0])
        judged = ask(server, f"/api/drill/{decision.step}?tile={tile}", key)
        chosen, best, played = judged["compared"]
        assert (chosen["name"], chosen["role"]) == (tile, "chosen")
        assert (played["name"], played["role"]) == (decision.name, "played")
        assert best["name"] in judged["best"]
        good.add(judged["good"])
        assert not judged["good"] or best["name"] == tile
        for one in judged["compared"]:
            assert one["text"] in judged["hint"]["rows"]
            row = next(r for r in judged["hint"]["discards"] if r["tile"] == one["name"])
            assert one["distance"] == row.get("distance", 0)
            assert sum(each["left"] for each in one["tiles"]) == one["left"]
            if not one["wins"]:
                assert one["left"] == row["left"]
    assert good == {True, False}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered_by_what_the_seat_knows(server: Served, question: str) -> None:
    key = KEYS.seats[1]
    step = next(one.step for one in decisions(tell(ENTRIES[:TWO_HANDS]), 1) if not one.own_turn)
    path = f"/api/teach/{question}?step={step}"
    told, *others = [ask(server, f"{path}&lang={lang}", key) for lang in ("en", "zh", "ja")]
    assert told["question"] == question
    for other in others:
        for row, same in zip(told["rows"], other["rows"], strict=True):
            assert row["text"] != same["text"]
            assert {**row, "text": ""} == {**same, "text": ""}
    assert question != "claim" or "yes" in {row["mark"] for row in told["rows"]}
    rows = ask(server, f"/api/teach/{question}", key)["rows"]
    assert [row for row in rows if "term" in row] == (rows[-1:] if question == "happened" else [])
    assert server.get(f"/api/teach/{question}?seat=2", key=key).status == 403
    assert server.get(f"/api/teach/{question}?step=0", key=key).status == 404


@pytest.mark.parametrize("rules", WITH_GAME)
def test_the_rule_behind_what_happened_is_a_term_of_the_game(rules: str) -> None:
    played = replay(golden(rules)).played
    told = [what_happened(played[: at + 1], 1) for at in range(0, len(played), 3)]
    found = {term_of(one, rules) for one in told if one is not None} - {None}
    assert len(found) > 2
    assert found <= set(terms_of(RULE_SETS[rules]))


@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_explains_something_is_a_term_of_the_game(rules: str) -> None:
    explains = RULE_SETS[rules].explains
    assert set(explains.values()) <= set(terms_of(RULE_SETS[rules]))
    assert explains.keys() >= {"payout", "Win"}


def test_mistakes_are_ranked_by_what_they_cost(server: Served) -> None:
    key = KEYS.seats[1]
    told = ask(server, "/api/drill/mistakes", key)
    assert len(told) > 5
    order = [("win", "never", "steps", "waits", "tiles").index(one["behind"]["in"]) for one in told]
    assert order == sorted(order)
    for one in told[:4]:
        assert not ask(server, f"/api/drill/{one['step']}?tile={one['played']}", key)["good"]
    few = [one["behind"] for one in told if one["behind"]["in"] == "tiles"]
    lost = [one["best"] - one["left"] for one in few]
    assert lost == sorted(lost, reverse=True)
    assert server.get("/api/drill/mistakes?seat=2", key=key).status == 403


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


def test_a_review_of_several_games_is_as_sure_as_the_least_sure_of_them() -> None:
    riichi, hangzhou = tell(ENTRIES[:TWO_HANDS]), tell(golden("hangzhou")[:TWO_HANDS])
    for games in ((*riichi, *hangzhou), (*hangzhou, *riichi)):
        told = review_json(games, 0)
        assert len(told["expected"]) == sum(len(reviewed(one, 0)) for one in (riichi, hangzhou))
        assert told["source"] == review_json(hangzhou, 0)["source"]
        assert str(told["source"]).startswith("simulated")


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
    assert complaints == []
    page.close()
