"""Joining half way: what nobody told is unknown, neither assumed nor held against anybody."""

from __future__ import annotations

import pytest

from engine.announce import Announcement, NotReady, Payout, Problem, Ready
from engine.events import (
    Chow,
    Discard,
    Draw,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandEnd,
    HandStart,
    Kong,
    Position,
    Reveal,
    Win,
)
from engine.game import Game
from engine.state import UNSEEN_SET, SetKind
from engine.tiles import UNKNOWN, Tile, parse

TEN = parse("123m 789m 46s 22s")
WAIT = Tile("5s")
NO_HANDS = ((), (), ())


def told(
    *events: Event, options: dict[str, object] | None = None
) -> tuple[Game, list[Announcement]]:
    """The game, and what is said from the third line on."""
    game = Game()
    start = (GameStart("harbin-hlr", options or {}), HandStart())
    said = [game.submit(Entry(event)) for event in (*start, *events)]
    return game, [one for after in said[2:] for one in after]


def codes(said: list[Announcement]) -> list[str]:
    return [one.code for one in said if isinstance(one, Problem)]


def payout(said: list[Announcement]) -> Payout:
    return next(one for one in said if isinstance(one, Payout))


def test_a_hand_of_ten_tiles_has_a_set_that_nobody_told() -> None:
    game, said = told(Position(hands=(TEN, *NO_HANDS), turn=1))
    assert game.state.players[0].melds == (UNSEEN_SET,)
    assert not [one for one in said if isinstance(one, Ready)]


@pytest.mark.parametrize("count", [12, 15])
def test_no_number_of_sets_explains_such_a_hand(count: int) -> None:
    _, said = told(Position(hands=(parse("?" * count), *NO_HANDS)))
    assert codes(said) == ["contradicts"]


@pytest.mark.parametrize(
    "win",
    [
        (Discard(1, WAIT), Win(0, 1, WAIT, TEN)),
        (Draw(1, Tile("?")), Discard(1, WAIT), Reveal(0, TEN), Win(0, 1, WAIT)),
    ],
)
def test_a_shown_hand_tells_how_many_sets_it_has(win: tuple[Event, ...]) -> None:
    game, said = told(Position(turn=1, ready=(0,)), *win)
    assert codes(said) == []
    assert payout(said).deltas == (5, -3, -1, -1)
    assert game.state.players[0].melds == (UNSEEN_SET,)


def test_an_own_draw_of_a_hand_whose_sets_nobody_told_is_paid() -> None:
    _, said = told(Position(turn=0, ready=(0,)), Win(0, 0, WAIT, TEN))
    assert codes(said) == []
    assert payout(said).deltas == (6, -2, -2, -2)


def test_a_call_of_ready_is_judged_once_thirteen_tiles_show_that_there_is_no_set() -> None:
    hidden = (Position(turn=0), Discard(0, WAIT, ready=True))
    _, said = told(*hidden)
    assert next(one for one in said if isinstance(one, Ready)).unknown
    _, said = told(*hidden, Reveal(0, (*TEN, *parse("111p"))))
    assert [one.missing for one in said if isinstance(one, NotReady)] == [("not_open",)]
    _, said = told(*hidden, Reveal(0, TEN))
    assert codes(said) == []


def test_a_tile_is_added_to_a_pung_that_nobody_told() -> None:
    game, said = told(Position(turn=1, ready=(0,)), Kong(1, "added", WAIT))
    assert codes(said) == []
    assert [meld.kind for meld in game.state.players[1].melds] == [SetKind.ADDED_KONG]
    _, said = told(Position(turn=1, ready=(0,)), Kong(1, "added", WAIT), Win(0, 1, WAIT, TEN))
    assert payout(said).deltas == (6, -2, -2, -2)


def test_a_set_claimed_with_hidden_tiles_leaves_the_conditions_open() -> None:
    unseen = Chow(0, 3, Tile("4m"), (UNKNOWN, UNKNOWN), ready=True)
    held = (*TEN[:6], *parse("46s 2s 3p 9p 9p 1s"))
    table = Position(hands=(held, *NO_HANDS), turn=3, sets=((), (), (), ()), ready=())
    _, said = told(table, Discard(3, Tile("4m")), unseen)
    assert codes(said) == []


def test_who_was_ready_is_not_known_where_nobody_told_it() -> None:
    _, said = told(Position(turn=1), Discard(1, WAIT), Win(0, 1, WAIT))
    assert codes(said) == []
    assert [item.name for item in payout(said).items] == ["discard_not_ready", "ready_unknown"]
    _, said = told(Position(turn=1, ready=()), Discard(1, WAIT), Win(0, 1, WAIT))
    assert codes(said) == ["not_ready"]


def test_nobody_is_punished_for_sets_that_nobody_told() -> None:
    options: dict[str, object] = {"no_melding_punishment": True}
    after = (Discard(1, WAIT), Win(0, 1, WAIT))
    _, said = told(Position(turn=1, ready=(0,)), *after, options=options)
    assert payout(said).deltas == (5, -3, -1, -1)
    assert [item.name for item in payout(said).items][1:] == ["sets_unknown"] * 2
    none: Position = Position(turn=1, ready=(0,), sets=((), (), (), ()))
    _, said = told(none, *after, options=options)
    assert payout(said).deltas == (9, -3, -3, -3)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ((), []),
        ((Position(turn=1),), []),
        ((Position(turn=1, wall_left=40),), ["wall_not_used_up"]),
        ((Discard(0, WAIT),), ["wall_not_used_up"]),
    ],
)
def test_a_hand_is_drawn_too_early_only_where_the_wall_was_counted(
    before: tuple[Event, ...], expected: list[str]
) -> None:
    _, said = told(*before, DrawnHand("exhausted"))
    assert codes(said) == expected


@pytest.mark.parametrize("wrong", [HandStart(dealer=3), HandStart(honba=1), HandStart(deposits=2)])
def test_only_the_first_hand_may_begin_anywhere(wrong: HandStart) -> None:
    _, said = told(DrawnHand("exhausted"), HandEnd(), wrong)
    assert codes(said) == ["contradicts"]
    game = Game()
    game.submit(Entry(GameStart("harbin-hlr")))
    assert not [one for one in game.submit(Entry(wrong)) if isinstance(one, Problem)]
