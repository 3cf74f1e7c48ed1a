"""Moments that are hard to follow: scripted, and read from labels with and without errors."""

from __future__ import annotations

from typing import Final

import pytest
from games.scripted import READERS, ScriptLabels

from studio.play.scripts import read_script

pytestmark = pytest.mark.film

CASES: Final = {
    "begins-in-deal": READERS[2],
    "begins-mid-hand": READERS[0],
    "chow-ready": READERS[0],
    "covered-discard": READERS[1],
    "float": READERS[2],
    "liability": READERS[2],
    "pung-over-draw": READERS[2],
    "quick-discards": READERS[2],
    "ready-taken-back": READERS[2],
    "riichi-then-win": READERS[1],
    "robbed-kong-harbin": READERS[1],
    "unseen-claims": READERS[0],
    "unseen-kong": READERS[2],
    "unseen-two": READERS[1],
}
"""Scripts, and the simulated detector through which each is read without a mistake."""


@pytest.mark.parametrize("name", CASES)
def test_a_hard_moment_is_told_and_paid(name: str) -> None:
    report = ScriptLabels.of(read_script(name)).read(*CASES[name])
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)
    assert report.ready_right == report.ready_all
