"""Events refuse a field of another type when they are made, and say which field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from engine.events import Deal, Discard, Draw, Entry, GameStart, HandStart, Kong, Position, Win
from engine.tiles import Tile

M = Tile("1m")
OTHER: Any = cast(Any, object())

WRONG: dict[str, Callable[[], object]] = {
    "Discard.ready": lambda: Discard(0, M, cast(bool, np.True_)),
    "Discard.drawn": lambda: Discard(0, M, drawn=cast(bool, np.False_)),
    "Discard.seat": lambda: Discard(cast(int, np.int64(1)), M),
    "Discard.tile": lambda: Discard(0, cast(Tile, "1m")),
    "Draw.seat": lambda: Draw(cast(int, None), M),
    "Deal.tiles": lambda: Deal(0, (M, cast(Tile, "1m"))),
    "HandStart.dealer": lambda: HandStart(dealer=True),
    "HandStart.dice": lambda: HandStart(dice=cast(Any, [1, 2])),
    "Kong.own": lambda: Kong(0, "closed", M, own=cast(Any, M)),
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
        with pytest.raises(TypeError, match=f"^{field} must be "):
            WRONG[field]()


def test_an_event_with_a_field_changed_is_checked_too() -> None:
    with pytest.raises(TypeError, match=r"Discard\.ready must be bool, got np\.True_"):
        replace(Discard(0, M), ready=cast(bool, np.True_))
