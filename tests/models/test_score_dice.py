"""Rolls that were read are counted against the true ones."""

from __future__ import annotations

import pytest
from score_dice import Score

from studio.film.dice_rolls import Rolled
from vision.dice.rolls import Roll

TRUE = [Rolled(4.0, (3, 5)), Rolled(9.0, (1, 1))]


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
    assert Score("table", 1.0, TRUE, read).counts() == counts
