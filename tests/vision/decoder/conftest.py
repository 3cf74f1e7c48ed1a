"""Dealt tables: one on which discards lie in a heap, and one on which they lie in rows."""

from __future__ import annotations

import pytest

from tests.support.recorded import Recorded
from tests.support.seen import Seen


@pytest.fixture(params=("harbin-hlr", "riichi"))
def table(request: pytest.FixtureRequest) -> Recorded:
    dealt = Recorded(request.param)
    dealt.deal()
    return dealt


@pytest.fixture
def seen() -> Seen:
    """Discards lie in a heap."""
    dealt = Seen()
    dealt.deal()
    return dealt
