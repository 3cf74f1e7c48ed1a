"""The table is found by its four standing hands where the felt's edge cannot be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.tables import TILE_MM, VIEW, Read
from vision.table.calibrate import NoTable
from vision.table.hand_rows import table_by_hands
from vision.table.view import TableView, from_seat
from vision.tiles.classes import FACES, Side

LEANING = replace(VIEW, corners_px=((560, 120), (1380, 150), (1540, 1010), (380, 960)))
"""Seen aslant, through a camera that is turned a little."""


def hands(view: TableView, count: int = 13, noise_px: float = 0.8) -> list[Read]:
    """Standing tiles before all players; which of their sides is the upper one is not told."""
    rng = np.random.default_rng(3)
    thick = 0.75 * TILE_MM
    size = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([TILE_MM, thick]) / 2
    found = []
    for seat in range(4):
        for place in range(count):
            own = size + np.array([-200.0 + (TILE_MM + 0.4) * place, 345.0])
            seen = view.to_image(from_seat(own, seat), view.standing_mm)
            seen = np.roll(seen, 2 * int(rng.integers(2)), axis=0)
            seen = seen + rng.normal(0, noise_px, (4, 2))
            none = np.zeros(len(FACES), np.float32)
            found.append(Read(Side.STANDING, seen.astype(np.float32), 0.9, none))
    return found


@pytest.mark.parametrize("view", [VIEW, LEANING], ids=["from above", "leaning"])
@pytest.mark.parametrize("count", [7, 13])
def test_the_field_is_found_to_a_few_hundredths(view: TableView, count: int) -> None:
    found = table_by_hands(hands(view, count), view.picture_px)
    side = float(np.linalg.norm(view.field_px[2] - view.field_px[3]))
    assert np.abs(found.field_px - view.field_px).max() < 0.06 * side


def test_what_else_lies_about_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    stray = [
        replace(one, corners_px=one.corners_px + rng.uniform(-150, 150, 2).astype(np.float32))
        for one in hands(LEANING)[::8]
    ]
    found = table_by_hands([*hands(LEANING), *stray], LEANING.picture_px)
    side = float(np.linalg.norm(LEANING.field_px[2] - LEANING.field_px[3]))
    assert np.abs(found.field_px - LEANING.field_px).max() < 0.06 * side


@pytest.mark.parametrize("seats", [(0, 1, 2), (0, 2), ()])
def test_without_four_hands_there_is_no_table(seats: tuple[int, ...]) -> None:
    all_hands = hands(VIEW)
    some = [one for seat in seats for one in all_hands[13 * seat : 13 * seat + 13]]
    with pytest.raises(NoTable, match="no table"):
        table_by_hands(some, VIEW.picture_px)
