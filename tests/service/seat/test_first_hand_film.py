"""A filmed first hand with ten planted mistakes: each is told once, and nothing else."""

from __future__ import annotations

from typing import Final

import pytest

from studio.play.scripts import read_script
from tests.support.first_hand_film import CASE, by_labels, clean, told

pytestmark = pytest.mark.film

MISTAKES: Final = (
    ("The wall of Teal is too short: 16 of 17 stacks.", "Look for tiles"),
    ("Teal has 14 tiles; 13 are right.", "Count together."),
    ("Purple discarded two tiles.", "take the second one back."),
    ("Teal has 12 tiles; 13 are right. Was the tile from the wall forgotten?", "Count together."),
    ("Purple has 14 tiles; 13 are right.", "Count together."),
    ("Purple claimed a chow from somebody who is not on the left (004, 3.3.4).", "Give the tile"),
    ("Brown discarded out of turn.", "turns go to the right"),
    ("The set of Brown came from Purple, so the tile on the middle lies", "Turn it round"),
    ("Blue may not declare a kong now (004, 3.3.7 to 3.3.9).", "Wait for the next turn."),
    ("The hand of Teal is not complete (004, 3.4.6).", "look which set or pair is missing"),
)
"""What was planted, in its order: how its sentence begins, and what it advises."""


def test_each_planted_mistake_is_told_once_by_its_rule_and_nothing_else() -> None:
    script = read_script(CASE)
    found = [one.text for one in told(by_labels(script), script.rules)]
    assert len(found) == len(MISTAKES)
    for text, (begins, advises) in zip(found, MISTAKES, strict=True):
        assert text.startswith(begins)
        assert advises in text


def test_a_hand_without_mistakes_is_told_nothing() -> None:
    script = clean(read_script(CASE))
    assert told(by_labels(script), script.rules) == []
