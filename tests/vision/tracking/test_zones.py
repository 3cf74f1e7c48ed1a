"""Whose a tile is, by where it lies; each player's hand stands where it is seen to stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.tables import VIEW, Stage
from vision.tracking.observe import Observation
from vision.tracking.zones import Zones

NEARER_MM = 45.0
"""How much nearer to the middle one player sets the hand up."""


def seen(near: int, *faces: int) -> Observation:
    """Four hands, of which one stands nearer; faces lie before these players, just inside it."""
    stage = Stage()
    for seat in range(4):
        stage.stand(seat, 13)
    hands = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    for seat in faces:
        stage.put(seat, 0.0, 345 - NEARER_MM - 16, "5z")
    (look, *_) = stage.shown(0.2)
    x, y = ((0, -1), (-1, 0), (0, 1), (1, 0))[near]
    placed = tuple(
        replace(tile, x_mm=tile.x_mm + NEARER_MM * x, y_mm=tile.y_mm + NEARER_MM * y)
        if tile.id in hands
        and tile.own_places[near][1] > 300
        and abs(tile.own_places[near][0]) < 300
        else tile
        for tile in look.placed
    )
    return replace(look, placed=placed)


@pytest.mark.parametrize("near", range(4))
def test_a_hand_that_stands_nearer_to_the_middle_has_its_strip_there(near: int) -> None:
    zones, across = Zones(VIEW, 13), (near + 2) % 4
    for _ in range(40):
        zones.laid(seen(near))
    laid = zones.laid(seen(near, near, across))
    assert [len(faces) for faces in laid.flat] == [int(seat == near) for seat in range(4)]
    assert len(laid.middle) == 1, "before the player across it is a discard"
    assert laid.standing == (13, 13, 13, 13)


@pytest.mark.parametrize("turned", range(4))
def test_walls_and_standing_hands_are_counted_by_seat(turned: int) -> None:
    stage, stacks = Stage(), (3, 2, 0, 1)
    for seat in range(4):
        stage.stand(seat, 13 - (seat == turned))
        for place in range(stacks[seat]):
            stage.put(seat, 26.0 * place, 200)
    (look, *_) = stage.shown(0.2)
    zones, nothing = Zones(VIEW, 13), ((),) * 4
    counted = zones.counted(look, nothing)
    assert counted.stacks == stacks
    assert counted.standing == tuple(13 - (seat == turned) for seat in range(4))
    # Of a hand that is played, a row counts once it has stood; an arm over it hides it.
    stood = ((13, 13), (14, 13), (14, 14), ())
    assert zones.counted(look, stood).standing == (13, None, 14, counted.standing[3])
    busy = zones.counted(replace(look, busy=frozenset({turned})), nothing)
    assert busy.standing[turned] is None
    assert busy.stacks[turned] is None
