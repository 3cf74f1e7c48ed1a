from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.announce import Payout, Problem, Turn
from engine.events import (
    Correct,
    Discard,
    Draw,
    Entry,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Win,
)
from engine.fields import Unreadable
from engine.game import Game, replay
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from tests.support.events_of_all_kinds import records
from tests.support.tiny_rules import TINY, Tiny, tiny

M = Tile("1m")
START = GameStart("tiny")


def discard(seat: int) -> Discard:
    return Discard(seat, M)


def game(*events: Event) -> Game:
    return replay(map(Entry, events), TINY)


def correct(of: int, *events: Event) -> Entry:
    return Entry(Correct(of, tuple(map(Entry, events))))


def test_a_regular_event_answers_what_it_announces() -> None:
    table = game(START)
    assert table.submit(Entry(discard(0))) == (Turn(1, 1, of=1),)
    assert table.submit(Entry(discard(1))) == (Turn(2, 2, of=2),)
    assert table.announcements() == (Turn(1, 1, of=1), Turn(2, 2, of=2))


def test_an_impossible_event_keeps_its_number_and_changes_nothing() -> None:
    table = game(START, discard(0))
    before = table.state
    (problem,) = table.submit(Entry(discard(3)))
    assert isinstance(problem, Problem)
    assert (problem.of, problem.impossible) == (2, True)
    assert table.state == before
    assert table.submit(Entry(discard(1))) == (Turn(2, 2, of=3),)


def test_before_a_game_starts_nothing_can_happen() -> None:
    (problem,) = Game(TINY).submit(Entry(discard(0)))
    assert isinstance(problem, Problem)
    assert problem.code == "no_game"
    assert replay([Entry(discard(0))], TINY).state == State()


@pytest.mark.parametrize(
    "start",
    [GameStart("chess"), GameStart("tiny", {"x": 1}), GameStart("tiny", {"stake": 3})],
    ids=["rules", "option", "value"],
)
def test_a_game_that_cannot_be_played_is_refused_and_nothing_is_kept(start: GameStart) -> None:
    table = game(START)
    before = table.entries
    for entry in (Entry(start), correct(0, start)):
        with pytest.raises(Unreadable):
            table.submit(entry)
        with pytest.raises(Unreadable):
            table.preview([entry])
    assert table.entries == before


def test_a_correction_answers_only_what_changed() -> None:
    table = game(START, discard(0), discard(1), discard(2))
    # One discard fewer: the turns that follow are others now, what went before was said.
    assert [said.of for said in table.submit(correct(2))] == [3]
    problem = table.announcements()[-1]
    assert isinstance(problem, Problem)
    assert problem.seat == 2


def test_a_correction_of_no_consequence_announces_nothing() -> None:
    table = game(START, discard(0), discard(1))
    assert table.submit(correct(1, Discard(0, Tile("9s")))) == ()
    assert table.state.turn == 2


def test_an_event_put_in_carries_the_number_of_its_place() -> None:
    table = game(START, discard(1))
    said = table.submit(correct(1, discard(0), discard(1)))
    assert said == (Turn(1, 1, of=1), Turn(2, 2, of=1))


def test_a_withdrawn_win_takes_its_payment_with_it() -> None:
    table = game(START, Win(0, 1, M))
    assert table.state.points == (3, -1, -1, -1)
    assert table.submit(correct(1)) == ()
    assert table.state.points == (0, 0, 0, 0)
    assert not any(isinstance(said, Payout) for said in table.announcements())


def test_a_correction_of_nothing_is_a_problem_of_its_own_line() -> None:
    table = game(START, discard(0))
    before = table.state
    (problem,) = table.submit(correct(9, discard(1)))
    assert isinstance(problem, Problem)
    assert (problem.code, problem.impossible, problem.of) == ("no_such_event", True, 2)
    assert table.state == before
    assert table.submit(correct(2)) == ()
    assert not any(isinstance(said, Problem) for said in table.announcements())


def test_a_second_game_begins_anew() -> None:
    table = game(START, discard(0), Win(0, 1, M), START)
    assert table.state.points == (0, 0, 0, 0)
    assert table.state.turn == 0
    assert len(table.announcements()) == 2


def test_entries_are_kept_with_their_corrections() -> None:
    lines = (Entry(START), Entry(discard(0), t=1.0), correct(1))
    assert replay(lines, TINY).entries == lines


def test_a_preview_keeps_nothing() -> None:
    table = game(START, discard(0))
    state, said, lines = table.state, table.announcements(), table.entries
    preview = table.preview([Entry(discard(1)), Entry(discard(2))])
    assert preview.announcements == (Turn(2, 2, of=2), Turn(3, 3, of=3))
    assert preview.state.turn == 3
    corrected = table.preview([correct(1), Entry(discard(0))])
    assert corrected.announcements == (Turn(1, 1, of=3),)
    assert (table.state, table.announcements(), table.entries) == (state, said, lines)


def test_what_may_come_next_is_asked_of_the_rules() -> None:
    assert Game(TINY).legal() == (START,)
    assert game(START, discard(0)).legal() == (Draw(1, Tile("?")),)
    assert Game(TINY).state.phase is Phase.BEFORE_GAME


def test_what_one_seat_may_do_is_asked_apart_and_due_indicators_are_told() -> None:
    table = replay([GameStart("riichi"), HandStart()])
    assert {getattr(event, "seat", None) for event in table.legal(2)} == {2}
    assert Indicator(UNKNOWN, "dora") in table.legal()
    table.submit(Indicator(Tile("1m"), "dora"))
    assert not any(isinstance(event, Indicator) for event in table.legal())


class Counting(Tiny):
    """Counts how often the rules are asked."""

    calls = 0

    def apply(self, *args: Any) -> Any:
        Counting.calls += 1
        return super().apply(*args)


def test_a_line_costs_one_step_and_a_correction_only_what_follows() -> None:
    table = Game({"tiny": tiny(Counting)})
    played: list[Event] = [START, *(discard(place % 4) for place in range(200))]
    for event in played:
        table.submit(Entry(event))
    Counting.calls = 0
    table.submit(Entry(discard(0)))
    assert Counting.calls == 1
    table.preview([Entry(discard(1))])
    assert Counting.calls == 2
    table.submit(correct(191, Discard(2, Tile("2m"))))
    assert Counting.calls == 2 + 11
    assert table.first_lines(200).state.turn == 3
    assert Counting.calls == 2 + 11 + 9, "what the correction has changed is played as it was"
    assert table.first_lines(191).state.turn == 2
    assert Counting.calls == 2 + 11 + 9


@given(records("tiny"))
@settings(max_examples=150, deadline=None)
def test_live_play_and_replay_agree(record: list[Entry]) -> None:
    live = Game(TINY)
    for entry in record:
        preview = live.preview([entry])
        said = live.submit(entry)
        assert preview.state == live.state
        assert preview.announcements == said
    again = replay(record, TINY)
    assert again.state == live.state
    assert again.announcements() == live.announcements()
    assert again.entries == live.entries == tuple(record)


@given(records("tiny", 12), st.data())
@settings(max_examples=100, deadline=None)
def test_a_withdrawn_correction_restores_every_announcement(
    record: list[Entry], data: st.DataObject
) -> None:
    live = replay([Entry(START), *record], TINY)
    state, said = live.state, live.announcements()
    of = data.draw(st.integers(0, len(record)))
    live.submit(correct(of, *data.draw(st.lists(st.just(discard(0)), max_size=2))))
    live.submit(correct(len(record) + 1))
    assert (live.state, live.announcements()) == (state, said)


@given(records("tiny"), st.data())
@settings(max_examples=100, deadline=None)
def test_the_first_lines_tell_what_they_told_before_the_others_came(
    record: list[Entry], data: st.DataObject
) -> None:
    whole = replay(record, TINY)
    count = data.draw(st.integers(0, len(record)))
    first, alone = whole.first_lines(count), replay(record[:count], TINY)
    assert (first.entries, first.played) == (alone.entries, alone.played)
    assert whole.entries == tuple(record)
