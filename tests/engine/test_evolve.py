from __future__ import annotations

from dataclasses import replace

import pytest

from engine.evolve import evolve
from engine.state import Phase, State


def test_a_copy_has_the_changes_and_the_rest_as_it_was() -> None:
    state = State(turn=2, points=(1, 2, 3, 4))
    changed = evolve(state, turn=3, phase=Phase.TO_DRAW)
    assert changed == replace(state, turn=3, phase=Phase.TO_DRAW)
    assert hash(changed.players) == hash(state.players)
    assert state == State(turn=2, points=(1, 2, 3, 4))


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="State has no field 'seat'"):
        evolve(State(), seat=1)
