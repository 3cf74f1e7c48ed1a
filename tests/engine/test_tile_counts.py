from __future__ import annotations

from engine.events import Indicator
from engine.state import State
from engine.tile_counts import seen_by
from engine.tiles import Tile


def test_an_indicator_that_the_rules_hide_is_not_seen() -> None:
    turned = (Indicator(Tile("1m"), "treasure"), Indicator(Tile("2m"), "dora"))
    state = State(indicators=turned)
    assert seen_by(state, None) == {Tile("1m"): 1, Tile("2m"): 1}
    assert seen_by(state, None, {"treasure"}) == {Tile("2m"): 1}
