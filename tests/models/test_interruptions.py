"""Evenings that are interrupted: what the camera sees of them, and what is true of their films."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from games.interruptions import EVENINGS, Interruption, hands_of, interrupted
from games.labels import planned_game
from games.outcome import GameCase
from games.simulated_detector import PERFECT, looks
from games.store.hands import CARRIED, DEALER, evening

from engine.events import Discard, DrawnHand, Entry, HandStart, Position, Win
from studio.film.director import Mark
from tests.support.tables import VIEW

SEED = 95002


@pytest.fixture(scope="module")
def marks() -> list[Mark]:
    return planned_game(GameCase("ordinary", "harbin-hlr", SEED, hands=3)).director.marks


@pytest.mark.parametrize("name", EVENINGS)
def test_an_evening_has_its_interruptions_inside_the_film(name: str, marks: list[Mark]) -> None:
    film = interrupted(name, marks, "harbin-hlr", SEED)
    assert film.interruptions
    assert len(film.interruptions) <= len(EVENINGS[name].interruptions)
    for one in film.interruptions:
        assert 0.0 < one.from_s < one.until_s <= marks[-1].t_s
        middle_s = film.start.film_s((one.from_s + one.until_s) / 2)
        assert film.at(one.kind, middle_s) == one


def test_a_hand_whose_deal_nobody_saw_is_told_as_it_lies_when_it_is_seen(
    marks: list[Mark],
) -> None:
    film = interrupted("covered-breaks", marks, "harbin-hlr", SEED)
    hands = hands_of(film.start.true)
    assert len(hands) == 3
    covered = [one for one in film.interruptions if one.kind == "covered"]
    for hand in hands[1:]:
        (joined,) = [entry for entry in hand if isinstance(entry.event, Position)]
        assert any(one.from_s < (joined.t or 0.0) < one.until_s + 3.0 for one in covered)
        first = next(entry for entry in hand if isinstance(entry.event, Discard))
        assert (first.t or 0.0) >= (joined.t or 0.0)
        assert any(isinstance(entry.event, Win | DrawnHand) for entry in hand)


def test_a_film_that_begins_late_and_stops_early_has_part_of_its_first_and_last_hand(
    marks: list[Mark],
) -> None:
    start = interrupted("late-and-early", marks, "harbin-hlr", SEED).start
    assert start.from_s > 0.0
    hands = hands_of(start.true)
    assert isinstance(hands[0][1].event, Position)
    assert isinstance(hands[-1][-1].event, Discard)
    assert all((entry.t or 0.0) <= start.until_s for entry in start.true)
    assert start.until_s < start.film_s(marks[-1].t_s)


def test_a_person_hides_what_is_below_and_is_gone_before_and_after() -> None:
    person = Interruption("leaning", 10.0, 20.0, seat=0, reach_mm=400.0)
    near, far = np.array([[0.0, 350.0]]), np.array([[0.0, -350.0]])
    assert person.hides(near, 15.0, 400.0).all()
    assert not person.hides(far, 15.0, 400.0).any()
    assert not person.hides(near, 9.0, 400.0).any()
    assert not person.hides(near, 21.0, 400.0).any()
    assert not replace(person, kind="dark").hides(near, 15.0, 400.0).any()


def test_after_a_pause_of_the_frames_the_whole_table_is_read_and_nothing_has_moved() -> None:
    tile = {"id": 1, "tile": "1m", "side": "face", "visible": 1.0}
    corners = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], float)
    lying = [tile | {"corners": (corners + 500).tolist()}]
    moved = [tile | {"corners": (corners + 700).tolist()}]
    frames = [*((at / 5, lying) for at in range(20)), *((10 + at / 5, moved) for at in range(3))]
    seen = [look for look in looks(frames, VIEW, PERFECT) if look.time_s >= 10.0]
    assert [len(look.readings) for look in seen] == [1, 1, 1]
    assert [look.unrest for look in seen] == [0.0] * 3
    assert all(look.clear(np.array([[715.0, 720.0]])).all() for look in seen)


@pytest.fixture(scope="module")
def true(marks: list[Mark]) -> tuple[Entry, ...]:
    """Three hands, each of which somebody wins."""
    return interrupted("covered-play", marks, "harbin-hlr", SEED).start.true


def test_what_hands_begin_with_is_compared_hand_by_hand(true: tuple[Entry, ...]) -> None:
    assert evening(true, true, []).wrong(DEALER) == 0
    starts = [at for at, entry in enumerate(true) if isinstance(entry.event, HandStart)]
    read = [*true[: starts[2]]]
    assert evening(true, read, []).wrong(DEALER) == 1, "the last hand is missing"
    begun = replace(true[starts[0]], event=HandStart(dealer=3))
    told = [*true[: starts[0]], begun, *true[starts[0] + 1 :]]
    assert evening(true, told, []).begun[0]["read"]["dealer"] == 3
    assert evening(true, told, []).wrong(DEALER) > 0


def test_a_payment_that_is_wrong_is_asked_about_in_its_own_hand(true: tuple[Entry, ...]) -> None:
    wins = [at for at, entry in enumerate(true) if isinstance(entry.event, Win)]
    lost, won_s = wins[0], true[wins[0]].t or 0.0
    read = [*true[:lost], *true[lost + 1 :]]
    read[lost:lost] = [Entry(DrawnHand("exhausted"), t=won_s)]
    told = evening(true, read, [])
    assert told.standing["true"] != told.standing["read"]
    assert told.wrong(CARRIED) > 0
    assert told.wrong_unasked == 1
    assert evening(true, read, [won_s + 100.0]).wrong_unasked == 1, "asked about another hand"
    assert evening(true, read, [won_s - 1.0]).wrong_unasked == 0
