"""The table is found by its four standing hands where the felt's edge cannot be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_tables import hands
from tests.support.tables import VIEW
from vision.table.calibrate import NoTable
from vision.table.hand_rows import table_by_hands
from vision.table.view import TableView

LEANING = replace(VIEW, corners_px=((560, 120), (1380, 150), (1540, 1010), (380, 960)))
"""Seen aslant, through a camera that is turned a little."""


@pytest.mark.parametrize("view", [VIEW, LEANING], ids=["from above", "leaning"])
@pytest.mark.parametrize("count", [7, 13])
def test_the_field_is_found_to_a_few_hundredths(view: TableView, count: int) -> None:
    found = table_by_hands(hands(view, count), view.picture_px)
    side = float(np.linalg.norm(view.field_px[2] - view.field_px[3]))
    assert np.abs(found.field_px - view.field_px).max() < 0.06 * side


def test_what_else_lies_about_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    stray = [
        replace(hand, corners_px=hand.corners_px + rng.uniform(-150, 150, 2).astype(np.float32))
        for hand in hands(LEANING)[::8]
    ]
    found = table_by_hands([*hands(LEANING), *stray], LEANING.picture_px)
    side = float(np.linalg.norm(LEANING.field_px[2] - LEANING.field_px[3]))
    assert np.abs(found.field_px - LEANING.field_px).max() < 0.06 * side


@pytest.mark.parametrize("seats", [(0, 1, 2), (0, 2), ()])
def test_without_four_hands_there_is_no_table(seats: tuple[int, ...]) -> None:
    all_hands = hands(VIEW)
    some = [hand for seat in seats for hand in all_hands[13 * seat : 13 * seat + 13]]
    with pytest.raises(NoTable, match="no table"):
        table_by_hands(some, VIEW.picture_px)
