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
    counted = zones.counted(look, nothing, playing=False)
    assert counted.stacks == stacks
    laid_as = tuple(13 - (seat == turned) for seat in range(4))
    assert counted.standing == laid_as
    # Of a hand that is played, a row counts once it has stood; an arm over it hides it.
    stood = [(count, count) for count in laid_as]
    assert zones.counted(look, stood, playing=True).standing == laid_as
    for at in range(4):  # just changed, of another length now, or never seen
        for row in ((laid_as[at], laid_as[at] - 1), (14, 14), ()):
            rows = [row if seat == at else each for seat, each in enumerate(stood)]
            played = zones.counted(look, rows, playing=True).standing
            assert played == tuple(None if seat == at else laid_as[seat] for seat in range(4))
    # Rows of the hand before say nothing of the next deal.
    assert zones.counted(look, [(10, 10)] * 4, playing=False).standing == laid_as
    busy = zones.counted(replace(look, busy=frozenset({turned})), nothing, playing=False)
    assert busy.standing[turned] is None
    assert busy.stacks[turned] is None


@pytest.mark.parametrize("few", range(4))
def test_a_row_of_three_or_fewer_is_not_counted_while_a_hand_is_played(few: int) -> None:
    stage = Stage()
    for seat in range(4):
        stage.stand(seat, few if seat == 1 else 13)
    (look, *_) = stage.shown(0.2)
    zones = Zones(VIEW, 13)
    # The row stood there before its fourth set was claimed: no shorter one takes its place.
    rows = ((13, 13), (4, 4), (13, 13), (13, 13))
    assert zones.counted(look, rows, playing=True).standing == (13, None, 13, 13)
    assert zones.counted(look, rows, playing=False).standing == (13, few, 13, 13)


@pytest.mark.parametrize("playing", [False, True])
def test_a_row_in_whose_midst_a_tile_was_overlooked_is_not_counted(playing: bool) -> None:
    stage = Stage()
    rows = [stage.stand(seat, 13) for seat in range(4)]
    stage.take(rows[1][5], rows[2][12])
    (look, *_) = stage.shown(0.2)
    stood = [(13, 13), (12, 12), (12, 12), (13, 13)]
    counted = Zones(VIEW, 13).counted(look, stood, playing=playing)
    # At the end of a row nobody can tell.
    assert counted.standing == (13, None, 12, 13)


def test_a_drawn_tile_that_stands_apart_is_counted() -> None:
    stage = Stage()
    rows = [stage.stand(seat, 14) for seat in range(4)]
    (look, *_) = stage.shown(0.2)
    last = next(tile for tile in look.placed if tile.id == rows[0][-1])
    stage.change(rows[0][-1], x_mm=last.x_mm + 14.0)
    (look, *_) = stage.shown(0.2)
    assert Zones(VIEW, 13).counted(look, ((),) * 4, playing=False).standing[0] == 14


def test_tiles_that_are_washed_are_no_wall() -> None:
    stage = Stage()
    for seat in range(4):
        for place in range(17):
            # Nearer to the middle and farther from it, as they were pushed.
            stage.put(seat, 26.0 * (place - 8), 110 + 60 * (place % 4))
    (look, *_) = stage.shown(0.2)
    counted = Zones(VIEW, 13).counted(look, ((),) * 4, playing=False)
    assert all(count is not None and count < 12 for count in counted.stacks)


def test_a_wall_that_reaches_round_the_corner_is_counted_by_its_line() -> None:
    stage = Stage()
    for seat in range(4):
        for place in range(17):
            stage.put(seat, 26.0 * place - 170, 200)
    (look, *_) = stage.shown(0.2)
    counted = Zones(VIEW, 13).counted(look, ((),) * 4, playing=False)
    assert counted.stacks == (17, 17, 17, 17)
