"""When a game that goes on for want of points is over (004, 3.6; tenhou)."""

from __future__ import annotations

import pytest

from engine.rules import RULE_SETS
from engine.rules.riichi.next_hand import is_over
from engine.state import State
from engine.tiles import Tile

LEVEL, WON = (25_000,) * 4, (31_000, 23_000, 23_000, 23_000)


@pytest.mark.parametrize(
    ("wind", "dealer", "points", "over"),
    [
        ("2z", 3, WON, False),  # the south round is played to its end
        ("3z", 0, WON, True),
        ("3z", 0, LEVEL, False),
        ("3z", 3, LEVEL, False),
        ("3z", 3, WON, True),
        ("4z", 0, LEVEL, True),  # nobody has enough, and the west round is over too
    ],
)
def test_a_west_round_is_played_until_somebody_has_enough(
    wind: str, dealer: int, points: tuple[int, int, int, int], over: bool
) -> None:
    options = {option.name: option.default for option in RULE_SETS["riichi-tenhou"].options}
    next_hand = State(
        options=options, hand_number=9, dealer=dealer, round=Tile(wind), points=points, staying=1
    )
    assert is_over(next_hand) is over
