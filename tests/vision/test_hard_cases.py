"""Moments that are hard to follow: scripted, and read from labels with and without errors."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from games.scripted import READERS, ScriptLabels

from studio.play.scripts import read_script

CASES: Final = {
    "begins-after-win": READERS,
    "begins-empty": READERS,
    "begins-in-deal": READERS[::2],
    "begins-mid-hand": READERS[:1],
    "chow-ready": READERS[:1],
    "covered-discard": READERS[:1],
    "float": READERS[::2],
    "liability": READERS,
    "pung-over-draw": READERS,
    "pung-over-touch": READERS,
    "pung-ready": READERS,
    "quick-discards": READERS,
    "riichi-then-win": READERS,
    "robbed-kong": READERS[:2],
    "robbed-kong-harbin": READERS[:2],
    "set-taken-back": READERS[::2],
}
"""The scripts, and the simulated detectors through which each is read without a mistake."""


@cache
def labels(name: str) -> ScriptLabels:
    return ScriptLabels.of(read_script(name))


@pytest.mark.parametrize(
    ("name", "errors", "seed"),
    [(name, errors, seed) for name, readers in CASES.items() for errors, seed in readers],
)
def test_a_hard_moment_is_told_and_paid(name: str, errors: str, seed: int) -> None:
    report = labels(name).read(errors, seed)
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)
    assert report.ready_right == report.ready_all
