"""Moments that are hard to follow: scripted, and read from labels with and without errors."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from games.scripted import READERS, ScriptLabels

from studio.play.scripts import read_script

CASES: Final = {
    "begins-after-win": READERS,
    "begins-dealt": READERS,
    "begins-dealt-dice": READERS,
    "begins-empty": READERS,
    "begins-first-discard": READERS,
    "begins-in-deal": READERS,
    "begins-mid-hand": READERS[::2],
    "chow-ready": READERS[:1],
    "covered-discard": READERS[:2],
    "float": READERS[::2],
    "hand-down-and-up": READERS,
    "liability": READERS,
    "pung-over-draw": READERS,
    "pung-over-touch": READERS,
    "pung-ready": READERS,
    "quick-discards": READERS,
    "ready-taken-back": READERS[::2],
    "riichi-then-win": READERS,
    "robbed-kong": READERS,
    "robbed-kong-harbin": READERS[:2],
    "set-taken-back": READERS[::2],
    "unseen-claims": READERS,
    "unseen-kong": READERS,
    "unseen-two": READERS[:2],
}
"""The scripts, and the simulated detectors through which each is read without a mistake. The tests
take the last of them; the benchmark of the laboratory takes all."""


@cache
def labels(name: str) -> ScriptLabels:
    return ScriptLabels.of(read_script(name))


@pytest.mark.parametrize(
    ("name", "errors", "seed"),
    [(name, errors, seed) for name, readers in CASES.items() for errors, seed in readers[-1:]],
)
def test_a_hard_moment_is_told_and_paid(name: str, errors: str, seed: int) -> None:
    report = labels(name).read(errors, seed)
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)
    assert report.ready_right == report.ready_all
