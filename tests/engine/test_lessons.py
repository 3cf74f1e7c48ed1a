"""What a lesson asks next, and in which forms, in every game."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.announce import Payout
from engine.codec import read_record
from engine.game import replay
from engine.lessons import (
    BETWEEN,
    TOPICS,
    VALUES,
    YES_OR_NO,
    Answered,
    Lesson,
    form_after,
    lesson,
    next_topic,
    tries_of,
)
from engine.played import PlayedEvent
from engine.rules import GAMES
from service.seat.lessons import played_game

BESIDE = ("base", "fu", "note")
"""Units of a payout in which no pattern counts."""
GAME_IDS = [game.id for game in GAMES]
every_game = pytest.mark.parametrize("game", GAME_IDS)
ORDER = ("set", "kind", "distance", "useful", "discard")


@cache
def events_of(game: str) -> tuple[PlayedEvent, ...]:
    return tuple(replay(read_record(played_game(game).decode())).played)


@cache
def told(game: str) -> Lesson:
    return lesson(events_of(game))


def given(*told: str) -> list[Answered]:
    """``set-`` is wrong, ``set+`` right, ``set?`` passed over."""
    results = {"-": "wrong", "+": "right", "?": "passed"}
    return [Answered(one[:-1], results[one[-1]]) for one in told]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "following"),
    [
        ((), "set"),
        (("set+",), "kind"),
        (("set?",), "kind"),
        (("set-",), "kind"),
        (("set-", "kind+"), "distance"),
        (("set-", "kind+", "distance+"), "set"),  # after two others
        (("set-", "kind-", "distance+"), "set"),  # the one that was missed first
        (("set-", "kind-", "distance+", "set+"), "kind"),
        (("set-", "kind+", "distance+", "set-"), "useful"),  # missed again, so later again
        (("set-", "kind+", "distance+", "set?"), "useful"),
        (("set+", "kind+", "distance+", "useful+", "discard-"), "discard"),  # no other is left
        (("set+", "kind+", "distance+", "useful-", "discard-"), "useful"),
        (("set+", "kind+", "distance+", "useful?", "discard+"), None),
        (("unheard_of-",), "set"),
    ],
)
def test_what_was_missed_comes_again_after_others(
    before: tuple[str, ...], following: str | None
) -> None:
    assert BETWEEN == 2
    assert next_topic(ORDER, given(*before)) == following


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_each_topic_is_asked_until_it_is_answered_rightly(game: str, seed: int) -> None:
    forms, chance = told(game), Random(seed)
    answers: list[Answered] = []
    asked = []
    while (topic := next_topic(tuple(forms), answers)) is not None:
        exercise = form_after(forms[topic], tries_of(topic, answers))
        asked.append(exercise)
        before = [one for one in asked[:-1] if one.topic == topic]
        assert not before or before[-1] != exercise
        chosen = chance.choice([choice.name for choice in exercise.choices])
        answers.append(Answered(topic, "right" if chosen in exercise.right else "wrong"))
        assert len(answers) < 500
    last = {answer.topic: answer.result for answer in answers}
    assert last == dict.fromkeys(forms, "right")
    assert [answer.result for answer in answers].count("right") == len(forms)


@every_game
def test_each_topic_has_another_hand_or_another_form(game: str) -> None:
    for topic, forms in told(game).items():
        assert 2 <= len(forms) <= 4
        *chosen, judged = forms
        assert len({(one.shown, one.right) for one in chosen}) == len(chosen)
        assert all(one.topic == topic and one.said is None for one in chosen)
        assert judged.choices == YES_OR_NO
        assert judged.said is not None
        of = chosen[-1]
        assert (judged.at, judged.seat, judged.shown) == (of.at, of.seat, of.shown)
        assert judged.right == ("yes" if judged.said.name in of.right else "no",)
    assert list(told(game)) == [topic for topic, _, _ in TOPICS if topic in told(game)]


def test_an_answer_to_judge_is_right_about_as_often_as_wrong() -> None:
    right = [forms[-1].right[0] for game in GAME_IDS for forms in told(game).values()]
    assert 0.3 < right.count("yes") / len(right) < 0.7


@every_game
def test_a_lesson_is_the_same_each_time(game: str) -> None:
    assert lesson(events_of(game)) == told(game)


@every_game
def test_what_a_hand_counts_is_asked_in_the_unit_of_its_patterns(game: str) -> None:
    """Deposits and counters are paid beside a hand: no hand counts them."""
    paid = [
        item
        for event in events_of(game)
        for announcement in event.announcements
        if isinstance(announcement, Payout) and announcement.seat is not None
        for item in announcement.items
    ]
    units = {item.unit for item in paid}
    assert units <= {*VALUES, *BESIDE}, "a unit that no lesson asks for"
    for exercise in told(game).get("pattern", ())[:-1]:
        asked = {
            item.unit
            for announcement in events_of(game)[exercise.at].announcements
            if isinstance(announcement, Payout) and announcement.seat == exercise.seat
            for item in announcement.items
            if item.name in exercise.right
        }
        if units & {"han", "faan", "tai"}:
            assert "points" not in asked, exercise.right
