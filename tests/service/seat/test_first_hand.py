"""The first hand at the table: what everybody and each seat is told, by whom it is switched."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.announce import Problem
from engine.events import (
    Chow,
    Discard,
    Draw,
    Entry,
    Foul,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Pung,
)
from engine.first_deal import Counted, LaidSet, Slip, Step, before_first_turn
from engine.first_hand import turned_place
from engine.game import Game, replay
from engine.rules import RULE_SETS
from engine.texts.files import LANGUAGES
from engine.tiles import UNKNOWN, Tile
from service.machine.records import tonight
from service.seat.first_hand import _Guide, first_hand_view
from service.table.first_hand import LAG_S, READ_S, STILL_S, FirstHand
from service.web.keys import seat_address, table_address
from tests.support.browsing import LAPTOP, PHONE, opened
from tests.support.golden import WITH_GAME
from tests.support.keys import KEYS
from tests.support.properties import every_rule_set
from tests.support.random_games import played
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.screens import stands_here
from tests.support.served import Served, served

NOTHING = Counted()
INSIDE = re.compile(r"[{}_]|(?:first|tile)\.[a-z0-9]|None")
"""What stands in no sentence."""
AFTER_A_CLAIM = 1 + next(at for at, line in enumerate(ENTRIES) if isinstance(line.event, Pung))
AFTER_A_DISCARD = 1 + next(
    at for at, line in enumerate(ENTRIES) if at > 30 and isinstance(line.event, Discard)
)


def told(game: Game, lang: str, seat: int | None, counted: Counted = NOTHING) -> list[str]:
    view = first_hand_view(game, seat, lang, counted, FirstHand(None))
    return [*(step["text"] for step in (*view["deal"], *view["now"])), *view["wrong"]]


@every_rule_set
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_whole_in_every_language(rules: str, lang: str) -> None:
    game = played(rules, 3)
    for count in range(1, len(game.played) + 1, 3):
        so_far = game.as_it_was(count)
        for seat in (None, count % 4):
            for text in told(so_far, lang, seat):
                assert text
                assert INSIDE.search(text) is None, text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_step_before_the_first_turn_has_its_words(lang: str) -> None:
    # By each house rule and with dice and tiles that were counted.
    for rules, options in (("sichuan", {"exchange": True, "void_suit": True}), ("taiwan", {})):
        game = replay([Entry(GameStart(rules, options))])
        counted = Counted(standing=(4, 4, 0, 0), dice=(2, 5))
        assert {"break_at", "takes"} <= {
            step.code for step in before_first_turn(RULE_SETS[rules], game.state, counted)
        }
        for seat in (None, 0):
            assert all(INSIDE.search(text) is None for text in told(game, lang, seat, counted))
    waiting = replace(game.state, may_deal=(1, 2))
    (step,) = before_first_turn(RULE_SETS["taiwan"], waiting)
    assert (
        INSIDE.search(_Guide(lang, waiting, None, RULE_SETS["taiwan"]).step(step)["text"]) is None
    )


@every_rule_set
@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_mistake_is_told_kindly_and_by_its_rule(rules: str, lang: str) -> None:
    known, state = RULE_SETS[rules], played(rules, 3).played[20].state
    for seat in (None, 1):
        guide = _Guide(lang, state, seat, known)
        ends = ("four_winds", "four_kongs", "four_ready") if rules.startswith("riichi") else ()
        for end in ("wall_empty", "wall_empty_after", "settle_drawn", *(f"ends_{e}" for e in ends)):
            assert INSIDE.search(guide.step(Step(end))["text"]) is None
        for code in ("wall_short", "wall_long", "too_many", "too_few"):
            said = guide.slip(Slip(code, 1, {"count": 3, "wanted": 4}))
            assert INSIDE.search(said) is None, said
        values = {"set": 0, "place": 1, "wanted": 2, "from": 2}
        if known.layout.turned_by_rule:
            assert INSIDE.search(guide.slip(Slip("laid_wrong", 1, values))) is None
        for code, ruling in known.problems.items():
            if ruling.source:
                problem = Problem(code, 1, False, ruling.source, ruling.follows)
                said = guide.problem(problem)
                assert ".." not in said
                assert "{" not in said


def test_a_seat_sees_its_own_claims_and_the_table_what_anybody_may_claim() -> None:
    game = replay(ENTRIES[:AFTER_A_DISCARD])
    table = first_hand_view(game, None, "en", Counted(), FirstHand(None))
    assert [step["code"] for step in table["now"]][:2] == ["thrown", "may_win"]
    assert table["now"][-1]["code"] == "draw_after"
    thrown = ENTRIES[AFTER_A_DISCARD - 1].event
    assert isinstance(thrown, Discard)
    assert table["now"][0]["groups"] == [[str(thrown.tile)]]
    turn = game.state.turn
    own = first_hand_view(game, turn, "en", Counted(), FirstHand(None))["now"]
    assert own[-1]["text"] == "Does nobody want it? Then you take a tile from the wall."
    waits = first_hand_view(game, (turn + 1) % 4, "en", Counted(), FirstHand(None))["now"]
    assert waits[-1]["text"].startswith("Now it is the turn of ")


def test_the_set_is_laid_as_its_discarder_asks() -> None:
    game = replay(ENTRIES[:AFTER_A_CLAIM])
    laid, throws, *_ = first_hand_view(game, None, "en", Counted(), FirstHand(None))["now"]
    claim = ENTRIES[AFTER_A_CLAIM - 1].event
    assert isinstance(claim, Pung)
    assert laid["turned"] == {3: 0, 2: 1, 1: 2}[(claim.from_seat - claim.seat) % 4]
    assert laid["groups"][0][laid["turned"]] == claim.tile
    assert throws["code"] == "discard"


def test_the_counted_tiles_lead_on_and_people_may_be_ahead_of_them() -> None:
    game = replay([Entry(GameStart("riichi"))])

    def at(counted: Counted, first: FirstHand) -> str:
        view = first_hand_view(game, None, "en", counted, first)
        return view["deal"][view["at"]]["code"]

    first = FirstHand(None)
    assert at(Counted(), first) == "sit"
    assert at(Counted(stacks=(17, 17, 16, 17)), first) == "build"
    assert at(Counted(stacks=(17, 17, 17, 17)), first) == "dice"
    assert at(Counted(standing=(4, 4, 0, 0)), first) == "takes"
    # Once it was whole, a wall from which tiles are taken leads nobody back, and is not too short.
    taken = Counted(stacks=(17, 15, 17, 17))
    assert at(taken, first) == "take"
    assert first_hand_view(game, None, "en", taken, first)["wrong"] == []
    first.go_to((0, 0), 6)
    assert at(Counted(stacks=(17, 17, 17, 17)), first) == "sort"
    first.go_to((0, 0), 1)
    assert at(Counted(stacks=(17, 17, 17, 17)), first) == "build"  # people may look back
    # In the next hand all begins anew.
    game = replay([*played("riichi", 3).entries][:-1])
    assert isinstance(game.entries[-1].event, HandEnd)
    assert at(Counted(), first) == "sit"
    # The hands of before still stand: they are neither dealt nor wrong.
    old = Counted(standing=(13, 14, 13, 13))
    assert at(old, first) == "sit"
    assert first_hand_view(game, None, "en", old, first)["wrong"] == []
    assert at(Counted(standing=(0, 0, None, 0)), first) == "sit"
    assert at(Counted(standing=(4, 0, 0, 0)), first) == "takes"


def test_a_game_in_a_record_of_its_own_begins_when_the_hand_of_before_is_washed() -> None:
    """As where the next game has other rules: its record and its table are new."""
    game, first = replay([Entry(GameStart("hangzhou"))]), FirstHand(None)

    def shown(counted: Counted) -> tuple[str, list[str]]:
        view = first_hand_view(game, None, "en", counted, first)
        return view["deal"][view["at"]]["code"], view["wrong"]

    start = shown(Counted())
    assert start[0].startswith("sit")
    assert shown(Counted(standing=(13, 14, 13, 8))) == start, "neither dealt, nor a hand too short"
    assert shown(Counted(standing=(0, 0, None, 0))) == start
    assert shown(Counted(standing=(4, 0, 0, 0))) == ("takes", [])


def test_the_next_game_of_a_record_begins_with_its_first_step() -> None:
    first, start = FirstHand(None), Entry(GameStart("riichi"))
    deal = first_hand_view(replay([start]), None, "en", NOTHING, first)["deal"]
    first.go_to((0, 0), len(deal) - 1)
    assert first_hand_view(replay([start]), None, "en", NOTHING, first)["at"] == len(deal) - 1
    again = replay([start, start])
    assert first_hand_view(again, None, "en", NOTHING, first)["at"] == 0
    built = Counted(stacks=(17, 17, 17, 17))
    view = first_hand_view(again, None, "en", built, first)
    assert view["deal"][view["at"]]["code"] == "dice"


class Clock:
    """Seconds that pass as the test says."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_short_wall_is_told_to_its_builder() -> None:
    game = replay([Entry(GameStart("riichi", players=("Anna", "Bo", "Chie", "Dan")))])
    short = Counted(stacks=(17, 16, 17, 17))
    clock = Clock()
    first = FirstHand(None, clock)
    assert first_hand_view(game, 1, "en", short, first)["wrong"] == []  # it may still be built
    clock.now_s = STILL_S
    (said,) = first_hand_view(game, 1, "en", short, first)["wrong"]
    assert said.startswith("Your wall is too short: 16 of 17 stacks.")
    (said,) = first_hand_view(game, None, "en", short, first)["wrong"]
    assert said.startswith("The wall of Bo is too short")
    longer = Counted(stacks=(17, 16, 17, 16))
    assert first_hand_view(game, None, "en", longer, first)["wrong"] == []


def test_a_mistake_is_told_once_although_more_happens_at_once() -> None:
    clock = Clock()
    first = FirstHand(None, clock)
    lines = [Entry(GameStart("riichi")), Entry(HandStart())]
    lines.append(Entry(Indicator(Tile("9s"), "dora")))
    lines += [Entry(Draw(0, UNKNOWN)), Entry(Discard(0, Tile("4p")))]

    def wrong(more: list[Entry]) -> list[str]:
        return first_hand_view(replay([*lines, *more]), None, "en", Counted(), first)["wrong"]

    assert wrong([]) == []
    # One message brings the mistake and what follows it.
    chow = Chow(2, 0, Tile("4p"), (Tile("5p"), Tile("6p")))
    both = [Entry(chow), Entry(Discard(2, Tile("1s")))]
    (said,) = wrong(both)
    assert "on the left" in said
    clock.now_s = READ_S - 0.1
    assert wrong(both) == [said]
    clock.now_s = READ_S
    assert wrong(both) == []
    # Whoever asks first only now is told nothing of what is over.
    late = first_hand_view(replay([*lines, *both]), None, "en", Counted(), FirstHand(None, clock))
    assert late["wrong"] == []


def test_a_wrong_number_is_told_once_it_lasts_and_a_wrong_set_once() -> None:
    clock, at = Clock(), (0, 1)
    first = FirstHand(None, clock)
    assert first.lasting(at, ["few"]) == {"few": 0.0}
    clock.now_s = LAG_S - 0.1
    assert first.lasting(at, []) == {}  # it was work in progress
    assert first.lasting(at, ["few", "set"], ["set"]) == {"few": 0.0, "set": 0.0}
    clock.now_s += LAG_S
    assert first.lasting(at, ["few", "set"], ["set"]) == {"few": LAG_S, "set": LAG_S}
    first.lasting(at, [])
    clock.now_s += 1.0
    # The number is wrong anew; of the set everybody has heard.
    assert first.lasting(at, ["few", "set"], ["set"]) == {"few": 0.0, "set": LAG_S + 1.0}
    assert first.lasting((0, 2), ["set"], ["set"]) == {"set": 0.0}  # another hand


def test_a_set_that_lies_wrongly_is_told_once_with_the_rule_of_its_game() -> None:
    at = AFTER_A_CLAIM
    game, claim = replay(ENTRIES[:at]), ENTRIES[at - 1].event
    assert isinstance(claim, Pung)
    index = len(game.state.players[claim.seat].melds) - 1
    right = turned_place(RULE_SETS["riichi"].layout, claim.seat, claim.from_seat, 3)
    assert right is not None
    wrong = Counted(laid=(LaidSet(claim.seat, index, (right + 1) % 3),))
    clock = Clock()
    first = FirstHand(None, clock)
    assert first_hand_view(game, None, "en", wrong, first)["wrong"] == []
    clock.now_s = LAG_S
    (said,) = first_hand_view(game, None, "en", wrong, first)["wrong"]
    assert said.endswith("sideways (004, 3.3.5). Turn it round: then everybody sees who threw it.")
    assert first_hand_view(game, claim.seat, "en", wrong, first)["wrong"][0].startswith("Your set")
    clock.now_s = LAG_S + READ_S
    assert first_hand_view(game, None, "en", wrong, first)["wrong"] == []
    as_it_should = Counted(laid=(LaidSet(claim.seat, index, right),))
    assert first_hand_view(game, None, "en", as_it_should, FirstHand(None))["wrong"] == []


def test_hands_are_judged_once_the_dealer_of_the_game_may_be_known() -> None:
    game, clock = replay([Entry(GameStart("riichi"))]), Clock()
    first = FirstHand(None, clock)
    bare = Counted(standing=(0, 0, 0, 0))
    assert first_hand_view(game, None, "en", bare, first)["wrong"] == []
    dealt = Counted(standing=(13, 13, 14, 13))  # the camera has not yet told who deals
    assert first_hand_view(game, None, "en", dealt, first)["wrong"] == []
    clock.now_s = LAG_S
    assert "14 tiles" in first_hand_view(game, None, "en", dealt, first)["wrong"][0]


def test_nobodys_tiles_are_counted_after_a_play_against_the_rules() -> None:
    clock = Clock()
    first = FirstHand(None, clock)
    lines = [Entry(GameStart("riichi")), Entry(HandStart())]
    lines.append(Entry(Indicator(Tile("9s"), "dora")))
    few = Counted(standing=(14, 13, 12, 13))

    def told_after(more: list[Entry]) -> list[str]:
        return first_hand_view(replay([*lines, *more]), None, "en", few, first)["wrong"]

    assert told_after([]) == []
    clock.now_s = LAG_S
    assert "12 tiles" in told_after([])[0]
    (said,) = told_after([Entry(Foul(2, "two_discards"))])
    assert said == "Teal discarded two tiles. One tile a turn: take the second one back."


def test_what_no_rule_of_the_game_forbids_is_told_without_a_source() -> None:
    lines = [Entry(GameStart("riichi")), Entry(HandStart()), Entry(Discard(2, Tile("5p")))]
    (said,) = first_hand_view(replay(lines), 2, "en", Counted(), FirstHand(None))["wrong"]
    assert said == (
        "It is not your turn. Take it back: turns go to the right, one after the other."
    )


def test_after_the_game_nothing_is_told() -> None:
    view = first_hand_view(played("riichi", 3), None, "en", Counted(), FirstHand(None))
    assert (view["deal"], view["now"], view["wrong"]) == ([], [], [])


def test_the_switch_stays_through_a_restart(tmp_path: Path) -> None:
    assert not FirstHand(tmp_path).on
    FirstHand(tmp_path).switch(True)
    assert FirstHand(tmp_path).on
    (tmp_path / ".first-hand.json").write_text("[")
    assert not FirstHand(tmp_path).on
    first = FirstHand(None)
    first.switch(True)
    assert first.on


def test_the_switch_ends_with_the_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = FirstHand(tmp_path)
    first.switch(True)
    day = tonight()
    monkeypatch.setattr("service.table.first_hand.tonight", lambda: day + timedelta(days=1))
    assert not first.on
    assert not FirstHand(tmp_path).on  # nor after a restart
    first.switch(True)
    assert first.on


def test_what_is_said_for_a_win_says_how_it_is_won() -> None:
    thrown = replay(ENTRIES[:AFTER_A_DISCARD]).state
    for lang, discard, draw in (("ja", "ロン", "ツモ"), ("en", "Ron", "Tsumo")):
        by_discard = _Guide(lang, thrown, None, RULE_SETS["riichi"])
        assert discard in by_discard.step(Step("say_win", 1))["text"]
        drawn = replace(thrown, last_discard=None)
        by_draw = _Guide(lang, drawn, None, RULE_SETS["riichi"])
        assert draw in by_draw.step(Step("own_win", 1))["text"]


def test_a_mistake_tells_what_the_rules_let_follow() -> None:
    guide = _Guide("en", played("riichi", 3).played[20].state, None, RULE_SETS["riichi"])
    said = guide.problem(
        Problem("not_a_win", 1, False, "source", "cannot_win", values={"tile": Tile("1p")})
    )
    assert "Not yet: look which set or pair is missing. This hand can no longer win." in said
    agreed = guide.problem(
        Problem("not_a_win", 1, False, "source", "people_decide", values={"tile": Tile("1p")})
    )
    assert agreed.endswith("is missing.")


@pytest.fixture
def server() -> Iterator[Served]:
    with served(table_of(ENTRIES[:AFTER_A_DISCARD]), KEYS) as server:
        server.wait_for_end()
        yield server


def wish(server: Served, key: str, **body: object) -> int:
    sender = {"Authorization": f"Bearer {key}"}
    return server.post("/api/first-hand", body, headers=sender).status


def test_who_runs_the_table_leads_everybody_and_who_sits_there_goes_on(server: Served) -> None:
    assert wish(server, KEYS.seats[1], on=True) == 403
    assert wish(server, KEYS.seats[1], at=2) == 200
    assert wish(server, KEYS.viewer, at=2) == 403
    assert wish(server, KEYS.control, on=True) == 200
    assert json.loads(server.get("/api/first-hand", key=KEYS.viewer).text)["on"]


def test_what_a_seat_is_told_goes_to_its_key_alone(server: Served) -> None:
    assert server.get("/api/first-hand?seat=1", key=KEYS.seats[1]).status == 200
    assert server.get("/api/first-hand?seat=1", key=KEYS.seats[2]).status == 403
    assert server.get("/api/first-hand?seat=1", key=KEYS.viewer).status == 403
    assert server.get("/api/first-hand?seat=7", key=KEYS.control).status == 400


def test_a_phone_leads_once_the_host_says_so_and_ends_it_with_one_tap(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    seat = json.loads(server.get("/api/table", key=KEYS.control).text)["turn"]
    page = opened(browser, seat_address(server.url, KEYS.seats[seat]), PHONE, complaints)
    led = page.locator("#first-hand")
    expect(page.locator("#table svg").first).to_be_visible()
    expect(led).to_be_hidden()
    felt = page.locator("#table").bounding_box()
    assert wish(server, KEYS.control, on=True) == 200
    expect(led.locator("li").last).to_have_text(
        "Does nobody want it? Then you take a tile from the wall."
    )
    assert page.locator("#table").bounding_box() == felt  # the board stands still
    stands_here(page, "led")
    led.get_by_role("button", name="Go on without help").click()
    expect(led).to_be_hidden()
    page.reload()
    expect(page.locator("#table svg").first).to_be_visible()
    expect(led).to_be_hidden()
    page.close()
    table = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    expect(table.locator("#first-hand li").first).to_contain_text("put this tile down")
    table.get_by_role("button", name="Go on without help").click()
    expect(table.locator("#first-hand")).to_be_hidden()
    table.close()
    assert complaints == []


def test_a_page_that_is_not_led_asks_nothing_and_a_refusal_is_told(
    browser: Browser, server: Served
) -> None:
    complaints: list[str] = []
    asked: list[str] = []
    page = opened(browser, seat_address(server.url, KEYS.seats[1]), PHONE, complaints)
    page.on(
        "request", lambda sent: asked.append(sent.url) if "/api/first-hand" in sent.url else None
    )
    led = page.locator("#first-hand")
    expect(page.locator("#table svg").first).to_be_visible()
    assert wish(server, KEYS.control, at=1) == 200  # a message without a new line
    table = opened(browser, table_address(server.url, KEYS.control), LAPTOP, complaints)
    expect(table.locator("#table svg").first).to_be_visible()
    page.evaluate("() => null")
    assert asked == []
    page.route(
        "**/api/first-hand?*",
        lambda route: route.fulfill(status=403, json={"detail": "This seat is taken."}),
    )
    assert wish(server, KEYS.control, on=True) == 200
    expect(led.locator(".wrong")).to_have_text("This seat is taken.")
    page.unroute("**/api/first-hand?*")
    led.get_by_role("button", name="Go on without help").click()
    expect(led).to_be_hidden()
    before = len(asked)
    for on in (False, True):
        assert wish(server, KEYS.control, on=on) == 200
        everybody = expect(table.locator("#first-hand"))
        everybody.to_be_visible() if on else everybody.to_be_hidden()
    page.evaluate("() => null")
    expect(led).to_be_hidden()
    assert len(asked) == before  # the own choice counts
    page.close()


def test_players_go_through_the_deal_together(browser: Browser) -> None:
    complaints: list[str] = []
    with served(table_of(ENTRIES[:1]), KEYS) as server:
        server.wait_for_end()
        one, other = (
            opened(browser, f"{server.url}/seat?lead#{KEYS.seats[seat]}", PHONE, complaints)
            for seat in (1, 2)
        )
        steps = [page.locator("#first-hand .step") for page in (one, other)]
        for step in steps:
            expect(step).to_have_text("Step 1 of 10")
        one.get_by_role("button", name="Done, next").click()
        for step in steps:
            expect(step).to_have_text("Step 2 of 10")
        expect(other.locator("#first-hand .now")).to_contain_text("17 long, two tiles high")
        one.close()
        other.close()
    assert complaints == []


def test_all_games_with_a_played_hand_are_led() -> None:
    for rules in WITH_GAME:
        view = first_hand_view(
            replay([Entry(GameStart(rules))]), None, "en", Counted(), FirstHand(None)
        )
        assert view["deal"][-1]["code"] == "first_turn"
