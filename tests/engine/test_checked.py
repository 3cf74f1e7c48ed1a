"""Events refuse a field of another type when they are made, and say which field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from engine.events import (
    Chow,
    Correct,
    Deal,
    Dice,
    Discard,
    Draw,
    Entry,
    GameStart,
    HandStart,
    Indicator,
    Kong,
    Position,
    Win,
)
from engine.evolve import evolve
from engine.fields import Unreadable
from engine.state import Phase, State
from engine.tile_counts import seen_by
from engine.tiles import Tile

M = Tile("1m")
OTHER: Any = cast(Any, object())

WRONG: dict[str, Callable[[], object]] = {
    "Discard.ready": lambda: Discard(0, M, cast(bool, np.True_)),
    "Discard.drawn": lambda: Discard(0, M, drawn=cast(bool, np.False_)),
    "Discard.seat": lambda: Discard(cast(int, np.int64(1)), M),
    "Discard.tile": lambda: Discard(0, cast(Tile, "1x")),
    "Draw.seat": lambda: Draw(cast(int, None), M),
    "Deal.tiles": lambda: Deal(0, (M, cast(Tile, 1))),
    "HandStart.dealer": lambda: HandStart(dealer=True),
    "HandStart.dice": lambda: HandStart(dice=(1, cast(int, "2"))),
    "Kong.own": lambda: Kong(0, "closed", M, own=cast(Any, 4)),
    "Win.claimed": lambda: Win(0, 0, M, claimed=cast(int, 8.0)),
    "GameStart.players": lambda: GameStart("riichi", players=("a", "b", "c", cast(str, 4))),
    "GameStart.options": lambda: GameStart("riichi", {"uma": (1, OTHER)}),
    "Position.rivers": lambda: Position(rivers=((), (), (), (cast(Discard, Draw(3, M)),))),
    "Entry.event": lambda: Entry(cast(Any, Entry(Draw(0, M)))),
    "Entry.t": lambda: Entry(Draw(0, M), t=cast(float, "1")),
    "Entry.evidence": lambda: Entry(Draw(0, M), evidence=cast(int, np.int64(3))),
}


@pytest.mark.parametrize("field", WRONG)
def test_a_field_of_another_type_is_named_when_the_event_is_made(field: str) -> None:
    for _ in range(2):  # nothing that was refused is taken for known
        with pytest.raises(Unreadable, match=f"^expected .* in {field}$"):
            WRONG[field]()


def test_an_event_with_a_field_changed_is_checked_too() -> None:
    with pytest.raises(Unreadable, match=r"expected bool, got np\.True_ .* in Discard\.ready"):
        replace(Discard(0, M), ready=cast(bool, np.True_))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: Discard(7, M), "a whole number from 0 to 3, got 7 in Discard.seat"),
        (lambda: Win(0, 4, M), "a whole number from 0 to 3, got 4 in Win.from_seat"),
        (lambda: Dice((1, 7)), "a whole number from 1 to 6, got 7 in Dice.values[1]"),
        (lambda: HandStart(honba=-1), "a whole number of at least 0, got -1 in HandStart.honba"),
        (lambda: Draw(0, M, cast(Any, "end")), 'one of wall, tail, got "end" in Draw.end'),
        (
            lambda: Chow(0, 3, M, cast(Any, (M,))),
            "2 tiles such as 123m 0p 77z ?, got ('1m',) in Chow.own",
        ),
        (
            lambda: GameStart("riichi", points=(1, 2)),
            "a list of 4 int, got (1, 2) in GameStart.points",
        ),
        (
            lambda: Correct(0, cast(Any, (Discard(0, M),))),
            f"a list of Entry, got {Discard(0, M)!r} of {Discard} in Correct.events",
        ),
    ],
)
def test_a_value_beyond_its_limits_is_named_in_one_line(
    wrong: Callable[[], object], told: str
) -> None:
    with pytest.raises(Unreadable) as error:
        wrong()
    assert str(error.value) == f"expected {told}"


def test_what_stands_for_a_value_in_a_record_is_taken_for_it() -> None:
    text, listed = cast(Any, "1m"), cast(Any, ["1m", M])
    assert type(Discard(0, text).tile) is Tile
    assert Deal(0, cast(Any, "11m")) == Deal(0, listed) == Deal(0, (M, M))
    assert Position(hands=cast(Any, ["1m", "", "", ""])).hands == ((M,), (), (), ())
    assert GameStart("riichi", {"uma": [1, 2, 3, 4]}).options == {"uma": (1, 2, 3, 4)}


def test_an_indicator_that_the_rules_hide_is_not_seen() -> None:
    turned = (Indicator(Tile("1m"), "treasure"), Indicator(Tile("2m"), "dora"))
    state = State(indicators=turned)
    assert seen_by(state, None) == {Tile("1m"): 1, Tile("2m"): 1}
    assert seen_by(state, None, {"treasure"}) == {Tile("2m"): 1}


def test_a_copy_has_the_changes_and_the_rest_as_it_was() -> None:
    state = State(turn=2, points=(1, 2, 3, 4))
    changed = evolve(state, turn=3, phase=Phase.TO_DRAW)
    assert changed == replace(state, turn=3, phase=Phase.TO_DRAW)
    assert hash(changed.players) == hash(state.players)
    assert state == State(turn=2, points=(1, 2, 3, 4))


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="State has no field 'seat'"):
        evolve(State(), seat=1)
