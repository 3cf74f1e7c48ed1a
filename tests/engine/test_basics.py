"""What a beginner is told of each game: facts from its rules, and a hand that they pay."""

from __future__ import annotations

import pytest

from engine.announce import Payout
from engine.basics import OTHERS, basics, chosen, paid, plain_hand
from engine.events import Deal, Discard, Event, GameStart, HandStart, Indicator, Pung, Win
from engine.game import Game
from engine.rules import GAMES, RULE_SETS
from engine.rules.teaching import LEARNER, LEFT
from engine.tiles import Tile

every_game = pytest.mark.parametrize("game", [game.id for game in GAMES])

PAID = {
    # Whoever discards without being ready pays 3, the others 1.
    "harbin-hlr": (-1, 5, -1, -3),
    # The same discard is paid by its player alone.
    "harbin-treasure": (0, 3, 0, -3),
    # Own draw 1; the banker pays double.
    "hangzhou": (-2, 4, -1, -1),
    # Value honor 10 and concealed hand 5; so little all pay alike.
    "wsom": (-15, 45, -15, -15),
    # Half flush 3 and dragon pung 1: 4 faan are 16, and the discarder pays double.
    "hong-kong": (-16, 64, -16, -32),
    # Pungs double the stake of 1.
    "sichuan": (0, 2, 0, -2),
    # Base 3, own draw 1, dragon pung 1; the dealer pays a tai more.
    "taiwan": (-6, 16, -5, -5),
    # 1 han and 30 fu on a discard.
    "riichi": (0, 1000, 0, -1000),
}


def test_every_game_has_an_example() -> None:
    assert {game.id for game in GAMES if game.teaching.example} == set(PAID)


@every_game
def test_the_example_is_paid_by_the_rules(game: str) -> None:
    payout = paid(RULE_SETS[game])
    assert (payout.seat, payout.deltas) == (LEARNER, PAID[game])
    assert [item for item in payout.items if item.unit == "note"] == []


def test_a_hand_that_is_played_is_paid_like_the_example() -> None:
    example = RULE_SETS["riichi"].teaching.example
    assert example is not None
    white, outer, wind = Tile("5z"), Tile("9p"), Tile("1z")
    game = Game()
    events: tuple[Event, ...] = (
        GameStart("riichi"),
        HandStart(),
        Deal(LEARNER, (*example.held, white, white, outer)),
        Indicator(wind, "dora"),
        Discard(LEFT, white),
        Pung(LEARNER, LEFT, white, (white, white)),
        Discard(LEARNER, outer),
        Discard(2, wind),
        Discard(3, example.tile),
        Win(LEARNER, 3, example.tile),
    )
    said = [one for event in events for one in game.submit(event)]
    assert [one.deltas for one in said if isinstance(one, Payout)] == [PAID["riichi"]]


@every_game
def test_a_game_has_its_wall_and_nobody_claims_a_chow_from_across(game: str) -> None:
    told = basics(RULE_SETS[game])
    assert told.total == 4 * len(told.kinds)
    assert len(told.kinds) + len(told.left_out) == 34
    assert told.claimed_from["pung"] == told.claimed_from["kong"] == OTHERS
    assert told.claimed_from["chow"] == (() if game == "sichuan" else (LEFT,))
    assert told.claimed_from["win"] == (() if game == "hangzhou" else OTHERS)
    assert (told.ready_chow_from == OTHERS) is game.startswith("harbin")


@pytest.mark.parametrize(
    ("game", "refused"),
    [
        ("harbin-hlr", "not_open"),
        ("harbin-treasure", "not_open"),
        ("hangzhou", "claim_forbidden"),
        ("wsom", None),
        ("hong-kong", "too_few_faan"),
        ("sichuan", "three_suits"),
        ("taiwan", None),
        ("riichi", "no_yaku"),
    ],
)
def test_sets_and_a_pair_alone_win_in_two_games_only(game: str, refused: str | None) -> None:
    rules = RULE_SETS[game]
    plain = basics(rules).plain
    assert plain.tile == plain_hand(rules).tile
    assert [why.code for why in plain.refused] == ([] if refused is None else [refused])
    assert (plain.win is not None) is (refused is None)


def test_what_a_hand_needs_besides_its_form_is_the_rules_own() -> None:
    told = {game.id: basics(game) for game in GAMES}
    harbin = {"not_open", "no_terminal_or_dragon", "no_pung", "no_chow", "one_suit"}
    assert set(told["harbin-hlr"].conditions) == harbin
    assert told["riichi"].conditions == ("no_yaku",)
    assert (told["hong-kong"].conditions, told["hong-kong"].least) == ((), {"minimum_faan": 3})
    assert told["wsom"].conditions == ()


@every_game
def test_what_an_example_pays_is_told_under_any_option(game: str) -> None:
    rules = RULE_SETS[game]
    for option in rules.options:
        switched = (not option.default,) if isinstance(option.default, bool) else ()
        for value in (*option.values, *switched):
            told = chosen({option.name: [value] if isinstance(option.default, tuple) else value})
            assert sum(paid(rules, told).deltas) == 0, told


def test_options_change_what_is_told() -> None:
    hong_kong = RULE_SETS["hong-kong"]
    assert len(basics(hong_kong, (("flowers", True),)).flowers) == 8
    assert basics(hong_kong, (("minimum_faan", 1),)).least == {"minimum_faan": 1}
    assert basics(RULE_SETS["riichi"], (("red_fives", 0),)).red == ()
