"""Whose furiten ends with a claim, by the option of the rules (004, 3.4.5)."""

from __future__ import annotations

import pytest

from engine.rules.riichi.table_state import NEW
from engine.rules.riichi.waits import claimed, let_pass
from engine.state import Player, State
from engine.tiles import Tile

LET_PASS, CLAIMED = Tile("1m"), Tile("9p")


@pytest.mark.parametrize(
    ("ends", "still"), [("any_claim", {2}), ("own_claim", {2, 3}), ("own_draw", {2, 3})]
)
def test_a_claim_never_ends_the_furiten_of_who_has_declared_riichi(
    ends: str, still: set[int]
) -> None:
    before = State(players=tuple(Player(ready=seat == 2) for seat in range(4)))
    table = let_pass(NEW, 0, LET_PASS)
    after = claimed(table, before, 1, CLAIMED, {"temporary_furiten_ends": ends})
    assert {seat for seat in range(4) if LET_PASS in after.passed[seat]} == still
