"""How often tables are found: what is counted as found, and by which way."""

from __future__ import annotations

import numpy as np
from score_tables import errors

from tests.support.detectors import Blind, Hands
from tests.support.drawn_tables import CORNERS, VIEW, drawn


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


def test_without_an_edge_and_without_tiles_nothing_is_found() -> None:
    plain = np.full((720, 1280, 3), 90, np.uint8)
    found = errors(plain, CORNERS.astype(float), Blind())
    assert [found[way] for way in ("edge", "hands", "together")] == [None, None, None]
