"""Rolls that were read are counted against the true ones."""

from __future__ import annotations

import pytest
from score_dice import DiceScore

from studio.film.dice_rolls import RolledDice
from vision.dice.rolls import Roll

TRUE = [RolledDice(4.0, (3, 5)), RolledDice(9.0, (1, 1))]


@pytest.mark.parametrize(
    ("read", "counts"),
    [
        ([Roll(4.2, (5, 3)), Roll(8.8, (1, 1))], (2, 0, 0)),
        ([Roll(4.2, (3, 4)), Roll(8.8, (1, 1))], (1, 1, 0)),
        ([Roll(4.2, (3, 5))], (1, 0, 1)),
        ([Roll(4.2, (3, 5)), Roll(6.5, (3, 5)), Roll(9.0, (1, 1))], (2, 1, 0)),
        ([Roll(4.2, (3, 5)), Roll(4.6, (3, 5))], (1, 1, 1)),
        ([], (0, 0, 2)),
    ],
    ids=["all", "a wrong face", "one missed", "one too many", "one told twice", "none"],
)
def test_rolls_are_right_wrong_or_not_read(read: list[Roll], counts: tuple[int, int, int]) -> None:
    assert DiceScore("table", 1.0, TRUE, read).counts() == counts
