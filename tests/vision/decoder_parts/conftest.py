"""A dealt table on which discards lie in a heap."""

from __future__ import annotations

import pytest

from tests.support.seen_inside import SeenInside


@pytest.fixture
def seen() -> SeenInside:
    dealt = SeenInside()
    dealt.deal()
    return dealt
