"""A simulated learner plays by the rules of the lessons that it has had."""

from __future__ import annotations

import pytest
from games.learner import LEARNER, LESSONS, LearnersTable, Learnt, learn
from score import main

from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Entry,
    GameStart,
    HandStart,
    Indicator,
    Pung,
)
from engine.game import replay
from engine.lessons import TOPICS
from engine.tiles import UNKNOWN, Tile, parse


def test_each_lesson_is_a_topic_of_the_lessons() -> None:
    assert set(LESSONS) <= {topic for topic, _, _ in TOPICS}


def test_the_same_walls_are_played_with_other_lessons() -> None:
    first, again = (learn("wsom", 3, ("set",)) for _ in range(2))
    assert first == again
    assert [one.lesson for one in first] == ["", "set"]
    assert all(len(one.points) == 3 for one in first)


def test_whoever_has_learnt_nothing_claims_nothing() -> None:
    table = LearnersTable("wsom", "5", frozenset())
    for _ in range(3):
        hand = table.hand()
        claims = (event for event in hand.events if isinstance(event, Chow | Pung))
        assert all(claim.seat != LEARNER for claim in claims)


def test_who_plays_alike_has_the_same_hand() -> None:
    """A rule that says nothing in this game changes nothing: chance is not drawn anew for it."""
    nothing, safe = learn("wsom", 2, ("safe",))
    assert nothing.points == safe.points


def test_what_nobody_wins_on_goes_first_while_somebody_is_ready() -> None:
    hand = parse("1z 1m4m7m 2p5p8p 3s6s9s 5z6z7z")
    lines = [Entry(GameStart("riichi")), Entry(HandStart(dealer=3)), Entry(Deal(0, hand))]
    lines.append(Entry(Indicator(Tile("9s"), "dora")))
    before = [Entry(Draw(3, UNKNOWN)), Entry(Discard(3, Tile("1z")))]
    table = LearnersTable("riichi", "7", frozenset(("safe",)))
    for ready in (False, True):
        last = Entry(Discard(3, Tile("1z"), ready=True)) if ready else before[1]
        state = replay([*lines, before[0], last, Entry(Draw(0, Tile("9m")))]).state
        every = sorted(set(state.players[0].hand))
        chosen = table._safest(state, every, every)
        assert chosen == ([Tile("1z")] if ready else every)


def test_gains_are_compared_hand_by_hand() -> None:
    before, after = Learnt("", (0.0, 10.0)), Learnt("set", (1.0, 11.0))
    assert after.gain(before) == (1.0, 0.0)
    assert before.half_interval > 0


def test_the_program_prints_each_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    main(["learner", "--rules", "wsom", "--hands", "2"])
    assert "claim:" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="two hands"):
        main(["learner", "--rules", "wsom", "--hands", "1"])
