"""A hand of Hangzhou that is dealt won: any of its fourteen tiles may have come last."""

from __future__ import annotations

import pytest

from engine.announce import Payout
from engine.events import Deal, Entry, Event, GameStart, HandStart, Indicator, Win
from engine.game import replay
from engine.tiles import UNKNOWN, Tile, parse

HAND = parse("7m7m8m1s2s6s6s5z5z6z6z6z6z")
"""With 1s seven pairs; 6s is fortune, so that with another tile last the eye is wild."""


@pytest.mark.parametrize("told", [True, False])
def test_the_last_tile_of_a_dealt_win_is_free_whether_or_not_the_deal_was_told(told: bool) -> None:
    deals = [Deal(seat, (UNKNOWN,) * (14 if seat == 2 else 13)) for seat in range(4)]
    events: list[Event] = [
        GameStart("hangzhou"),
        HandStart(dealer=2),
        *(deals if told else []),
        Indicator(Tile("6s"), "fortune"),
        Win(2, 2, Tile("1s"), HAND),
    ]
    said = replay([Entry(event) for event in events]).announcements()
    payout = next(one for one in said if isinstance(one, Payout))
    assert "wild_eye" in [item.name for item in payout.items]
