"""A simulated learner plays by the rules of the lessons that it has had."""

from __future__ import annotations

import random

import pytest
from games.learner import LEARNER, LESSONS, LearnersTable, Learnt, learn
from score import main

from engine.events import Chow, Pung
from engine.lessons import TOPICS


def test_each_lesson_is_a_topic_of_the_lessons() -> None:
    assert set(LESSONS) <= {topic for topic, _, _ in TOPICS}


def test_the_same_walls_are_played_with_other_lessons() -> None:
    first, again = (learn("wsom", 3, ("set",)) for _ in range(2))
    assert first == again
    assert [one.lesson for one in first] == ["", "set"]
    assert all(len(one.points) == 3 for one in first)


def test_whoever_has_learnt_nothing_claims_nothing() -> None:
    table = LearnersTable("wsom", random.Random(5), frozenset())
    for _ in range(3):
        hand = table.hand()
        claims = (event for event in hand.events if isinstance(event, Chow | Pung))
        assert all(claim.seat != LEARNER for claim in claims)


def test_gains_are_compared_hand_by_hand() -> None:
    before, after = Learnt("", (0.0, 10.0)), Learnt("set", (1.0, 11.0))
    assert after.gain(before) == (1.0, 0.0)
    assert before.half_interval > 0


def test_the_program_prints_each_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    main(["learner", "--rules", "wsom", "--hands", "2"])
    assert "claim:" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="two hands"):
        main(["learner", "--rules", "wsom", "--hands", "1"])
