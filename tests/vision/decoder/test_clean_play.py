"""Of clean play at a table that is easy to read nothing is announced, and little is asked."""

from __future__ import annotations

import pytest

from engine.events import HandStart, Kong
from engine.tiles import Tile
from tests.support.recorded import Recorded
from tests.support.tables import shares


@pytest.mark.parametrize("rules", ["hong-kong", "taiwan", "sichuan", "wsom"])
def test_a_kong_that_is_laid_as_soon_as_all_hands_stand_is_told(rules: str) -> None:
    """A draw fewer would be counted to the end of the wall, which then were not used up."""
    table = Recorded(rules)
    stage, hand = table.stage, table.hand_size
    table.show(3.0)
    for seat in range(4):
        stage.stand(seat, hand + (seat == 0))
    table.show(0.5)
    stage.stand(0, hand - 3)
    stage.set_down(0, "9999m", -1)
    table.show(4.0)
    table.discard(0, "1p")
    kongs = [event for event in table.hand if isinstance(event, Kong)]
    assert [(kong.seat, kong.kind, kong.tile) for kong in kongs] == [(0, "closed", Tile("9m"))]
    assert sum(isinstance(event, HandStart) for event in table.events) == 1
    table.check()


@pytest.mark.parametrize("sure", [0.75, 0.55])
def test_a_face_that_moves_no_points_is_asked_and_interrupts_nobody(sure: float) -> None:
    table = Recorded("hong-kong")
    table.deal()
    tile = table.discard(0, "5z")
    table.stage.change(tile, probabilities=shares("5z", sure, "1p"))
    table.plays((1, "9m"), (2, "3s"))
    (asked,) = table.decoder.questions()
    assert len(asked.choices) == 2
    assert not asked.interrupts
    table.check()
