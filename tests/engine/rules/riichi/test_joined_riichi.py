"""Riichi hands that are joined half way: what a position does not say is unknown, never assumed."""

from __future__ import annotations

from itertools import product

import pytest

from engine.announce import Announcement, Payout, Problem
from engine.events import (
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Win,
)
from engine.game import Game
from engine.rules import RULE_SETS
from engine.tiles import Tile, parse
from tests.support.one_by_one import one_by_one

NO_HANDS = ((), (), ())
NO_SETS = ((), (), ())
FOUR = parse("8888p")


def told(
    position: Position, *events: Event, rules: str = "riichi-2016", **options: object
) -> tuple[Game, list[Announcement]]:
    """The game, and what is said from the position on."""
    game = Game()
    start = (GameStart(rules, options), HandStart(0, Tile("1z")))
    said = [game.submit(Entry(event)) for event in (*start, position, *events)]
    return game, [one for after in said[2:] for one in after]


def codes(said: list[Announcement]) -> list[str]:
    return [one.code for one in said if isinstance(one, Problem)]


def payout(said: list[Announcement]) -> Payout:
    return [one for one in said if isinstance(one, Payout)][-1]


def notes(said: list[Announcement]) -> set[str]:
    return {item.name for item in payout(said).items if item.name.endswith("_unknown")}


def river(seat: int, tiles: str, ready: int | None = None) -> tuple[Discard, ...]:
    return tuple(Discard(seat, tile, at == ready) for at, tile in enumerate(parse(tiles)))


# --- red fives of kongs ---------------------------------------------------------------------------

WITH_REDS = [
    rules
    for rules, played in RULE_SETS.items()
    if any(option.name == "red_fives" for option in played.options)
]


KONGS = (
    Kong(0, "added", Tile("5m"), 1),
    Kong(0, "closed", Tile("5m")),
    Kong(0, "open", Tile("5m"), 1),
    Kong(0, "closed", Tile("5m"), own=parse("??5m?")[:4]),
)


@pytest.mark.parametrize("rules", WITH_REDS)
def test_a_kong_of_fives_holds_the_red_ones(rules: str) -> None:
    def check(case: tuple[int, str, Kong]) -> None:
        reds, tile, kong = case
        own = None if kong.own is None else parse("????")
        kong = Kong(kong.seat, kong.kind, Tile(tile), kong.from_seat, own)
        table = Position(None, ((kong,), *NO_SETS), None, 50, 1)
        game, said = told(table, rules=rules, red_fives=reds)
        assert codes(said) == []
        held = game.state.players[0].melds[0].tiles
        wall = RULE_SETS[rules].wall.under(game.state.options)
        assert sorted(held) == sorted(
            copy
            for copy, copies in wall.items()
            for _ in range(copies)
            if copy.kind == Tile(tile).kind
        )

    every = product((0, 3, 4), ("5m", "5p", "0p", "5s"), KONGS)
    one_by_one((case for case in every if case[0] or case[1] != "0p"), check)


def test_such_a_hand_is_paid_with_its_red_five() -> None:
    table = Position(
        (parse("234m678p22s34s"), *NO_HANDS),
        ((Kong(0, "added", Tile("5m"), 1),), *NO_SETS),
        ((), (), (), river(3, "1z")),
        50,
        0,
        (),
        (Indicator(Tile("1z"), "dora"), Indicator(Tile("1z"), "kan_dora")),
    )
    won = (Draw(0, Tile("2s")), Win(0, 0, Tile("2s")))
    _, said = told(table, *won, rules="riichi-tenhou")
    assert codes(said) == []
    assert payout(said).deltas == (3900, -1300, -1300, -1300)


# --- kongs and riichi -----------------------------------------------------------------------------


@pytest.mark.parametrize("own", [FOUR, None])
@pytest.mark.parametrize("rules", ["riichi", "riichi-2016", "riichi-tenhou", "riichi-mahjong-soul"])
def test_a_kong_may_have_come_before_riichi(rules: str, own: tuple[Tile, ...] | None) -> None:
    table = Position(
        (parse("3333p455p672p"), *NO_HANDS),
        ((Kong(0, "closed", Tile("8p"), own=own),), *NO_SETS),
        (river(0, "9m3s2z", 1), river(1, "5z"), river(2, "1p"), river(3, "3z")),
        37,
        2,
        (0,),
    )
    _, said = told(table, Discard(2, Tile("2p")), Win(0, 2, Tile("2p")), rules=rules)
    assert codes(said) == []
    assert payout(said).deltas[0] > 0
    assert {"riichi_turn_unknown", "furiten_unknown"} <= notes(said)


def test_a_kong_after_the_position_is_judged() -> None:
    hand = parse("33345678p999s22z")
    table = Position((hand, *NO_HANDS), ((), *NO_SETS), None, 40, 0, (0,))
    drawn = Draw(0, Tile("3p"))
    _, said = told(table, drawn, Kong(0, "closed", Tile("3p")))
    assert codes(said) == ["false_kong"]


# --- what was let pass ----------------------------------------------------------------------------

TWO_SIDED = parse("234m567m345p67s22s")


def let_pass(
    *rivers: str, ready: int | None = None, sets: tuple[Pung, ...] = (), turn: int = 1
) -> tuple[list[str], set[str]]:
    """Codes and notes of a win with 5s or 8s on a discard, after these rivers."""
    table = Position(
        (TWO_SIDED, *NO_HANDS),
        ((), (), sets, ()),
        tuple(river(seat, tiles, None if seat else ready) for seat, tiles in enumerate(rivers)),
        50,
        turn,
        () if ready is None else (0,),
        (Indicator(Tile("3z"), "dora"),),
    )
    _, said = told(table, Discard(turn, Tile("8s")), Win(0, turn, Tile("8s")))
    return codes(said), notes(said)


def test_where_nobody_has_claimed_the_rivers_tell_what_was_let_pass() -> None:
    assert let_pass("1m", "", "", "")[0] == []
    assert let_pass("1m9m", "5s", "1z", "1z") == ([], set())  # before the last own draw
    assert let_pass("1m9m", "1z", "1z", "1z", turn=1) == ([], set())
    codes_after, _ = let_pass("1m9m", "1z5s", "1z", "1z", turn=2)
    assert codes_after == ["furiten"]
    codes_before, unknown = let_pass("9p1m9m", "5s1z", "1z2z", "1z3z", ready=1)
    assert (codes_before, unknown) == ([], {"riichi_ura_unknown", "riichi_turn_unknown"})
    assert let_pass("9p1m9m", "1z5s", "1z2z", "1z3z", ready=1)[0] == ["furiten"]


def test_a_claim_hides_what_was_let_pass() -> None:
    pung = Pung(2, 1, Tile("5z"), (Tile("5z"), Tile("5z")))
    assert let_pass("1m9m", "5s", "1z1z", "1z", sets=(pung,)) == ([], {"furiten_unknown"})
    assert let_pass("1m9m", "6s", "1z1z", "1z", sets=(pung,)) == ([], set())
    claimed = Pung(2, 1, Tile("5s"), (Tile("5s"), Tile("5s")))
    assert let_pass("1m9m", "6s", "1z1z", "1z", sets=(claimed,)) == ([], {"furiten_unknown"})


def test_an_own_draw_ends_what_is_not_known_but_not_in_riichi() -> None:
    for ready, unknown in (((), False), ((0,), True)):
        table = Position(
            (TWO_SIDED, *NO_HANDS),
            ((), (), (Pung(2, 1, Tile("5z"), parse("55z")),), ()),  # type: ignore[arg-type]
            (river(0, "1m"), river(1, "5s"), river(2, "1z"), river(3, "1z")),
            50,
            0,
            ready,
        )
        own = (Draw(0, Tile("9p")), Discard(0, Tile("9p")))
        won = (Draw(1, Tile("?")), Discard(1, Tile("8s")), Win(0, 1, Tile("8s")))
        _, said = told(table, *own, *won)
        assert codes(said) == []
        assert ("furiten_unknown" in notes(said)) == unknown


# --- the first turn -------------------------------------------------------------------------------

ORPHANS = parse("19m19p19s1234567z1m")
PLAIN = parse("123m456m789p11s78s")


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (Position((ORPHANS, *NO_HANDS), turn=0), []),
        (Position((ORPHANS, *NO_HANDS), wall_left=83, turn=0), []),
        (Position((ORPHANS, *NO_HANDS), ((), *NO_SETS), ((),) * 4, turn=0), []),
        (Position((ORPHANS, *NO_HANDS), wall_left=40, turn=0), ["no_abortive_draw"]),
        (
            Position((ORPHANS, *NO_HANDS), None, (river(0, "1z"), (), (), ()), turn=0),
            ["no_abortive_draw"],
        ),
    ],
)
def test_nine_terminals_are_refused_only_where_the_first_turn_is_over(
    position: Position, expected: list[str]
) -> None:
    _, said = told(position, DrawnHand("nine_terminals"), rules="riichi-tenhou")
    assert codes(said) == expected


@pytest.mark.parametrize(
    ("position", "unknown"),
    [
        (Position((PLAIN, *NO_HANDS), turn=0), True),
        (Position((PLAIN, *NO_HANDS), wall_left=40, turn=0), False),
        (Position((PLAIN, *NO_HANDS), ((), *NO_SETS), ((),) * 4, turn=0), False),
        (Position((PLAIN, *NO_HANDS), None, ((),) * 4, turn=0), True),
        (Position((PLAIN, *NO_HANDS), ((), *NO_SETS), turn=0), True),
    ],
)
def test_whether_it_is_the_first_turn_is_said_where_it_is_not_known(
    position: Position, unknown: bool
) -> None:
    _, said = told(position, Draw(0, Tile("9s")), Win(0, 0, Tile("9s")))
    assert codes(said) == []
    assert ("first_turn_unknown" in notes(said)) == unknown


@pytest.mark.parametrize("reason", ["four_winds", "four_kongs", "four_ready"])
def test_a_hand_may_be_called_off_for_what_nobody_told(reason: str) -> None:
    drawn = DrawnHand(reason)  # type: ignore[arg-type]
    _, said = told(Position(turn=1), drawn, rules="riichi-tenhou")
    assert codes(said) == []
    none = Position(None, ((), *NO_SETS), ((),) * 4, 40, 1, ())
    _, said = told(none, drawn, rules="riichi-tenhou")
    assert codes(said) == ["no_abortive_draw"]


def test_four_kongs_that_lie_there_do_not_end_the_hand_by_themselves() -> None:
    kongs = [Kong(seat, "closed", Tile(tile)) for seat, tile in enumerate(("1m", "1p", "1s", "2s"))]
    table = Position(None, tuple((kong,) for kong in kongs), None, 40, 1)
    _, said = told(table, Draw(1, Tile("?")), rules="riichi-tenhou")
    assert codes(said) == []


# --- kongs before the last draw, and liability ----------------------------------------------------


def test_whether_the_tile_in_hand_was_drawn_after_a_kong_is_not_known() -> None:
    hand = parse("123m456m789p11s")
    table = Position((hand, *NO_HANDS), ((Kong(0, "closed", Tile("9s")),), *NO_SETS), None, 40, 0)
    _, said = told(table, Win(0, 0, Tile("3m")))
    assert codes(said) == []
    assert "kong_unknown" in notes(said)
    _, said = told(table, Discard(0, Tile("1s")))
    assert codes(said) == []


def test_who_fed_a_fourth_kong_that_lies_there_is_not_known() -> None:
    tiles = ("1m", "1p", "1s", "2s")
    kongs = tuple(Kong(0, "open", Tile(tile), 1) for tile in tiles)
    table = Position((parse("9m"), *NO_HANDS), (kongs, *NO_SETS), None, 40, 0)
    won = (Draw(0, Tile("9m")), Win(0, 0, Tile("9m")))
    _, said = told(table, *won, rules="riichi-m-league")
    assert "riichi_liable_unknown" in notes(said)
    _, said = told(table, *won, rules="riichi-tenhou")
    assert "riichi_liable_unknown" not in notes(said)
