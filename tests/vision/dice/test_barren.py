"""A place that shows no dice is not searched again until it changes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice.barren import LOOKS, BarrenCloth
from vision.dice.cubes import Cube

SIZE_MM = 200
EVERYWHERE = np.ones((SIZE_MM, SIZE_MM), bool)
CLOTH = np.full((SIZE_MM, SIZE_MM), 90, np.uint8)
A_DIE = Cube(-40.0, 30.0, 16.0, 0.0, 0.95)


@pytest.fixture
def cloth() -> BarrenCloth:
    """Searched in vain as often as it takes."""
    return looked_at(BarrenCloth(SIZE_MM), LOOKS)


def looked_at(cloth: BarrenCloth, times: int, *dice: Cube) -> BarrenCloth:
    for _ in range(times):
        cloth.look(CLOTH, EVERYWHERE)
        cloth.searched(dice)
    return cloth


def barren(cloth: BarrenCloth) -> NDArray[np.bool_]:
    return cloth.within((-100.0, -100.0), (2 * SIZE_MM, 2 * SIZE_MM))


def test_a_place_is_left_out_after_searches_in_vain(cloth: BarrenCloth) -> None:
    assert not barren(looked_at(BarrenCloth(SIZE_MM), LOOKS - 1)).any()
    assert barren(cloth).all()


def test_what_changes_is_searched_again_and_noise_is_no_change(cloth: BarrenCloth) -> None:
    noise = np.random.default_rng(1).normal(0, 3, CLOTH.shape)
    cloth.look(np.clip(CLOTH + noise, 0, 255).astype(np.uint8), EVERYWHERE)
    assert barren(cloth).all()
    other = CLOTH.copy()
    other[120:136, 40:56] = 160
    cloth.look(other, EVERYWHERE)
    assert not barren(cloth)[2 * 118 : 2 * 138, 2 * 38 : 2 * 58].any()
    assert barren(cloth)[:, 2 * 100 :].all()


def test_a_hand_over_it_changes_nothing_where_it_was_not_looked_at(cloth: BarrenCloth) -> None:
    cloth.look(CLOTH // 2, ~EVERYWHERE)
    cloth.look(CLOTH, EVERYWHERE)
    assert barren(cloth).all()


def test_around_a_die_the_search_goes_on() -> None:
    cloth = looked_at(BarrenCloth(SIZE_MM), LOOKS, A_DIE)
    x, y = (round(2 * (at + 100)) for at in (A_DIE.x_mm, A_DIE.y_mm))
    assert not barren(cloth)[y - 20 : y + 20, x - 20 : x + 20].any()
    assert barren(cloth).mean() > 0.9
