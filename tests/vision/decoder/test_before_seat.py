"""What is told of the tiles before one player, as they come to lie there."""

from __future__ import annotations

import pytest

from tests.support.tables import TILE_MM, VIEW, Stage
from vision.tracking.before_seat import BeforeSeat
from vision.tracking.happenings import HandOpened, SetLaid
from vision.tracking.zones import Zones

STRIP_MM = 345.0
"""How far from the middle of the table hands stand and sets lie."""


@pytest.mark.parametrize(
    ("came_s", "cut", "why"),
    [
        ((0.0,) * 3 + (0.2,) * 3, 3, "two pungs"),
        ((0.0,) * 3 + (0.2,) * 4, 3, "a pung and a kong"),
        ((0.0,) * 4 + (0.2,) * 3, 4, "a kong and a pung"),
        ((0.0,) * 4 + (0.2,) * 4, 4, "two kongs"),
        ((0.0,) * 4 + (0.1,) + (0.2,) * 3, 4, "two kongs, a tile of one seen before the others"),
        ((0.0,) * 4 + (0.1,) + (0.3,) * 3, 4, "the same, and much before: no set has five tiles"),
    ],
)
def test_two_sets_that_lie_side_by_side_are_told_apart_by_when_they_came(
    came_s: tuple[float, ...], cut: int, why: str
) -> None:
    stage, zones = Stage(), Zones(VIEW)
    before = BeforeSeat(0, zones)
    stage.stand(0, 7)
    row = []
    for place, first_s in enumerate(came_s):
        tile = stage.put(0, 390.0 - TILE_MM * place, STRIP_MM, "1m" if place < cut else "9p")
        stage.change(tile, first_s=first_s)
        row.append(tile)
    told = [
        happening
        for seen in stage.shown(1.0)
        for happening in before.update(zones.laid(seen), busy=False)
    ]
    sets = {frozenset(one.tiles) for one in told if isinstance(one, SetLaid)}
    assert sets == {frozenset(row[:cut]), frozenset(row[cut:])}, why
    assert len(told) == 2


@pytest.mark.parametrize(
    ("faces", "what"),
    [
        (("3s", "3s", "3s", "3s"), SetLaid),
        (("3s", "3s", "3s", "4s"), HandOpened),
        (("2s", "3s", "4s", "9p"), HandOpened),
    ],
)
def test_four_of_a_kind_beside_the_last_standing_tile_are_a_kong(
    faces: tuple[str, ...], what: type
) -> None:
    """Other four are a hand of which one tile seems to stand."""
    stage, zones = Stage(), Zones(VIEW)
    sets = [
        tuple(
            stage.take_up(stage.put(0, 390.0 - TILE_MM * place, 380.0, face)) for place in range(3)
        )
        for face in ("1m", "9p", "7z")
    ]
    before = BeforeSeat(0, zones, sets)
    stage.stand(0, 1)
    for place, face in enumerate(faces):
        stage.put(0, 150.0 + TILE_MM * place, STRIP_MM, face)
    told = [
        happening
        for seen in stage.shown(6.0)
        for happening in before.update(zones.laid(seen), busy=False)
    ]
    assert [type(one) for one in told] == [what]
