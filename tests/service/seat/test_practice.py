"""A practice hand: it ends, breaks no rule, and shows the learner no hand of the others."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.advice import advice
from engine.announce import Problem
from engine.errors import NotThere, Refused
from engine.events import Entry, GameStart, Win
from engine.practice import PASS, READY, WIN, PracticeHand, tiles_to_shuffle
from engine.rules import GAMES, RULE_SETS
from engine.texts.files import LANGUAGES
from engine.tiles import Tile
from engine.visibility import concealed
from service.app import create_app
from service.pages.bodies import PracticeWish
from service.pages.settings import PageSettings
from service.seat import practice
from service.seat.practice import LEARNER, MOST_HANDS, MOST_WAITING, PracticeHands, view_of
from tests.support.browsing import PHONE, opened
from tests.support.in_process import asked
from tests.support.keys import KEYS
from tests.support.live_table import in_loop, resumed, table_of_a_game
from tests.support.patience import PATIENCE_S
from tests.support.setting_up import set_up_at

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS)


def shuffled(rules: str, seed: int) -> list[Tile]:
    wall = tiles_to_shuffle(rules)
    Random(seed).shuffle(wall)
    return wall


def likes(hand: PracticeHand, random: Random) -> str:
    """What a learner does who follows the hints, and claims what comes."""
    choices = hand.choices()
    if WIN in choices:
        return WIN
    hint = hand.rules.hint(hand.game.state, hand.seat)
    tiles = [str(row.tile) for row in hint.discards]
    best = [*(f"{READY}{tile}" for tile in tiles), *tiles]
    wanted = [name for name in best if name in choices]
    return wanted[0] if wanted else random.choice(list(choices))


def played(rules: str, seed: int) -> Iterator[PracticeHand]:
    """The hand at each choice of the learner, and when it is over."""
    random = Random(seed)
    wall = shuffled(rules, seed)
    hand = PracticeHand.dealt(rules, wall, LEARNER, random.randrange(4), random.randint(1, 6))
    while not hand.over:
        yield hand
        hand.choose(likes(hand, random))
    yield hand


@every_rule_set
def test_a_hand_is_played_to_its_end_and_breaks_no_rule(rules: str) -> None:
    *_, hand = played(rules, 1)
    state = hand.state
    assert hand.over
    assert hand.choices() == {}
    assert state.winners or state.drawn_reason
    said = [one for each in hand.game.played for one in each.announcements]
    problems = [one for one in said if isinstance(one, Problem) and one.seat != LEARNER]
    assert problems == []
    known = [tile for player in state.players for tile in player.hand]
    assert all(tile.known for tile in known), "everybody shows the hand at the end"


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("hangzhou", {"permanent_fortune": True}),  # no indicator is turned up
        ("hangzhou", {"immediate_third_time": True}),
        ("wsom", {"pattern_table": "current"}),
        ("riichi", {"red_fives": 0}),
        ("hong-kong", {"flowers": True}),
        ("sichuan", {"void_suit": True, "exchange": True}),
    ],
)
def test_a_hand_begins_under_house_rules(rules: str, told: dict[str, object]) -> None:
    wall = tiles_to_shuffle(rules, told)
    Random(3).shuffle(wall)
    hand = PracticeHand.dealt(rules, wall, LEARNER, LEARNER, 2, told)
    assert told.items() <= dict(hand.game.state.options).items()
    assert hand.choices() or hand.over


def test_simple_players_win_hands_of_every_game() -> None:
    for game in GAMES:
        wins = sum(
            isinstance(each.event.entry.event, Win) and each.event.entry.event.seat != LEARNER
            for seed in range(10, 13)
            for each in list(played(game.id, seed))[-1].game.played
        )
        assert wins > 0, game.id


def views(hand: PracticeHand, lang: str = "en") -> str:
    return json.dumps(view_of("one", hand, lang), sort_keys=True)


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_learner_cannot_tell_what_the_others_hold_nor_what_comes(rules: str, lang: str) -> None:
    """The first choice of a learner who deals: all but the own tiles may be otherwise."""
    wall, told = shuffled(rules, 5), []
    # Flowers are laid open by whoever holds them, and an indicator may lie at the end of the wall.
    plain = [tile for tile in wall[:-1] if tile.suit != "f"]
    flowers = [tile for tile in wall[:-1] if tile.suit == "f"]
    own = RULE_SETS[rules].wall.hand_size + 1
    for seed in range(4):
        rest = plain[own:]
        Random(seed).shuffle(rest)
        mixed = [*plain[:own], *rest, *flowers, wall[-1]]
        told.append(views(PracticeHand.dealt(rules, mixed, LEARNER, LEARNER, 2), lang))
    assert len(set(told)) == 1


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_no_view_holds_a_tile_that_only_others_know(rules: str) -> None:
    for hand in played(rules, 2):
        if hand.over:
            continue
        view: Any = view_of("one", hand, "en")
        for seat, player in enumerate(view["table"]["players"]):
            lying = hand.game.state.open_hand(seat)
            assert [tile for tile in player.get("hand", []) if tile != "?"] == [
                str(tile) for tile in lying
            ]
        for parts in view["happened"]:
            assert not {"drawn from the wall"} & {part for part in parts if isinstance(part, str)}
        assert all(one.get("audience") in (None, LEARNER) for one in view["said"])


def test_what_is_not_offered_changes_nothing() -> None:
    hand = next(played("riichi", 1))
    before = len(hand.game.entries)
    with pytest.raises(KeyError):
        hand.choose("nonsense")
    assert len(hand.game.entries) == before
    assert PASS not in hand.choices() or hand.game.state.last_discard is not None


@in_loop
async def test_hands_that_were_left_long_ago_go() -> None:
    app = create_app(table_of_a_game(), PageSettings(keys=KEYS, without_key=None))

    async def ask(body: object, key: str | None = KEYS.viewer) -> tuple[int, Any]:
        status, told = await asked(app, "POST", "/api/practice", key, body)
        return status, json.loads(told.strip().rpartition(b"\n")[2])

    assert (await ask({}, None))[0] == 401
    status, first = await ask({"rules": "wsom"})
    assert (status, first["rules"]) == (200, "wsom")
    again = await ask({"hand": first["hand"]})
    assert again == (200, first)
    assert (await ask({"hand": first["hand"], "do": "nonsense"}))[0] == 400
    assert (await ask({"hand": "nonsense"}))[0] == 404
    for _ in range(MOST_HANDS):
        app.state.practice._hands[str(len(app.state.practice._hands))] = next(
            iter(app.state.practice._hands.values())
        )
    await ask({"rules": "wsom"})
    assert (await ask({"hand": first["hand"]}))[0] == 404
    assert len(app.state.practice._hands) == MOST_HANDS


@pytest.mark.parametrize("rules", ["harbin-hlr", "hangzhou", "wsom", "riichi"])
def test_what_is_judged_hangs_on_nothing_that_the_seat_cannot_see(rules: str) -> None:
    """The hints of the learner and of each simple player, by the table and by what each knows."""
    for hand in played(rules, 3):
        if hand.over:
            return
        for seat in range(4):
            known = concealed(hand.state, hand.rules, seat)
            assert hand.rules.hint(hand.state, seat) == hand.rules.hint(known, seat)
        known = concealed(hand.state, hand.rules, LEARNER)
        for tile in set(hand.state.players[LEARNER].hand):
            seen = (advice(hand.rules, state, LEARNER, tile, True) for state in (hand.state, known))
            assert len(set(map(str, seen))) == 1


@in_loop
async def test_the_house_rules_of_the_table_are_practised() -> None:
    """Of the table's own rule set; of any other, its usual rules."""
    table = resumed([Entry(GameStart("riichi-m-league", options={"red_fives": 0}))], "riichi")
    app = create_app(table, PageSettings(keys=KEYS, without_key=None))
    found = {}
    for rules in ("", "riichi-m-league", "riichi-wrc", "nonsense"):
        _, told = await asked(app, "POST", "/api/practice", KEYS.viewer, {"rules": rules})
        view = json.loads(told.strip().rpartition(b"\n")[2])
        hand = app.state.practice._hands[view["hand"]].hand
        found[rules] = view["rules"], hand.game.state.options.get("red_fives")
        assert view["rules"] in view["games"]
    assert found["riichi-m-league"] == found[""] == ("riichi-m-league", 0)
    assert found["riichi-wrc"] == ("riichi-wrc", 0)
    assert found["nonsense"][0] == GAMES[0].id


@in_loop
async def test_many_who_practise_hold_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def slow(rules: str, told: object) -> PracticeHand:
        go_on.wait(PATIENCE_S)
        raise NotThere("it was only to take time")

    monkeypatch.setattr(practice, "_dealt", slow)
    hands = PracticeHands()
    asks = [asyncio.create_task(hands.play(PracticeWish(), "wsom", "en")) for _ in range(1000)]
    await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.to_thread(lambda: None), PATIENCE_S)
    assert not any(ask.done() and not ask.exception() for ask in asks)
    refused = [ask for ask in asks if ask.done()]
    assert len(refused) == len(asks) - MOST_WAITING
    assert all(isinstance(ask.exception(), Refused) for ask in refused)
    go_on.set()
    await asyncio.wait(asks, timeout=PATIENCE_S)
    assert hands._waiting == 0


def test_a_hand_is_played_from_learn_without_a_table(browser: Browser, tmp_path: Path) -> None:
    complaints: list[str] = []
    with set_up_at(tmp_path) as setting:
        page = opened(
            browser, f"{setting.server.url}/learn?rules=wsom&page=pays", PHONE, complaints
        )
        page.get_by_role("link", name="Play a practice hand").click()
        tiles = page.locator("#hand button:enabled")
        tap = page.locator("#hand button:enabled, #offers button:enabled").first
        discarded = False
        while not discarded:  # a hand may begin with claims that are let pass
            expect(tap).to_be_visible()
            discarded = tiles.count() > 0
            (tiles.first if discarded else tap).click()
        expect(page.locator("#table svg")).to_be_visible()
        expect(page.locator("#verdict:not(:empty), #happened:not(:empty)").first).to_be_visible()
        page.locator("#next").click()
        expect(tap).to_be_visible()
        page.close()
    assert complaints == []
