from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from engine.events import Discard
from engine.tiles import Tile
from vision.decoder.explained import Explained
from vision.decoder.held_back import HELD_AT_MOST_S, HELD_S, HeldBack
from vision.decoder.search import BeamSearch
from vision.decoder.segment import Segmenter

STEP = Explained(5.0, 7, Discard(2, Tile("5m")), tile=1)


@pytest.mark.parametrize(
    ("after_s", "busy", "told"),
    [
        (HELD_S / 2, False, False),
        (2 * HELD_S, False, True),
        (2 * HELD_S, True, False),
        (HELD_AT_MOST_S + 0.1, True, True),
    ],
)
def test_a_discard_is_told_once_the_hands_of_its_player_are_away(
    after_s: float, busy: bool, told: bool
) -> None:
    """Until then the tile may be turned sideways; but nobody waits for ever."""
    best = SimpleNamespace(events=(STEP,))
    search = SimpleNamespace(best=best, change=lambda number: None)
    table = SimpleNamespace(present={1}, busy_at=lambda seat, from_s, until_s: busy and seat == 2)
    held = HeldBack(cast(BeamSearch, search), cast(Segmenter, table))
    assert held.due(STEP.time_s + after_s) == ((STEP,) if told else ())
