from __future__ import annotations

import pytest

from engine.events import Deal, Discard, Entry, Event
from engine.rules.hangzhou.score import acts_of
from engine.state import History, State
from engine.tiles import UNKNOWN, Tile


@pytest.mark.parametrize(
    ("dealt", "acts"), [(13, ["draw", "discard", "draw"]), (14, ["discard", "draw"])]
)
def test_draws_that_nobody_saw_are_among_the_acts_of_a_dealt_hand(
    dealt: int, acts: list[str]
) -> None:
    events: list[Event] = [Deal(1, (UNKNOWN,) * dealt), Discard(1, Tile("1m"))]
    history = History()
    for number, event in enumerate(events):
        history = history.followed_by(number, Entry(event))
    assert [act.kind for act in acts_of(State(dealer=1, history=history), 1)] == acts
