"""What is counted as found, right and false, of tables, rolls of dice and cuts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scores.cuts import pieces
from scores.dice import DiceScore
from scores.tables import errors

from studio.film.dice_rolls import RolledDice
from tests.support.detectors import Hands
from tests.support.drawn_tables import CORNERS, VIEW, drawn
from vision.dice.rolls import Roll


def test_each_way_is_measured_by_the_corner_that_is_off_most() -> None:
    picture = drawn((70, 120, 40), None, tiles=False)
    found = errors(picture, CORNERS.astype(float), Hands(VIEW))
    edge, by_hands = found["edge"], found["hands"]
    assert edge is not None
    assert edge < 0.02
    assert by_hands is not None
    assert edge < by_hands < 0.08
    assert found["together"] is not None
    assert found["together"] < 0.02
    away = errors(picture, CORNERS + np.array([60.0, 0.0]), Hands(VIEW))["edge"]
    assert away is not None
    assert abs(away - 60 / 570) < 0.02


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


SAMPLES = Path(__file__).parents[2] / "samples"


def test_troubled_pieces_of_a_film_are_wholly_the_table() -> None:
    done = list(pieces([SAMPLES / "harbin.mp4"], 3, seed=5))
    assert len({piece.trouble for piece in done}) == 3
    assert all(piece.kept for piece in done), done
    assert all(piece.shown["table"] >= 10 for piece in done)
