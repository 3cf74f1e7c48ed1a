"""What the property tests of the engine draw from, and how often."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from tests.support.golden import WITH_GAME

every_rule_set = pytest.mark.parametrize("rules", WITH_GAME)
"""Presets that change values only have rows of cases instead."""

seeds = st.integers(0, settings().max_examples - 1)
"""Of random games. Several properties are tried on the same games: to play one takes longest."""

some = settings(max_examples=-(-settings().max_examples // len(WITH_GAME)))
"""For properties that hold of every rule set: the examples of a property are shared among them."""
