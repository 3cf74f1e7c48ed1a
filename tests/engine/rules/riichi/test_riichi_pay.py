"""Payments of riichi, case by case with the source of each figure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import Payout
from engine.events import (
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    Foul,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Win,
)
from engine.game import replay
from engine.rules.riichi.pay import (
    FinalPlaces,
    Liable,
    Won,
    nagashi_mangan,
    noten_payments,
    pays_win,
    placement,
    reverse_mangan,
)
from engine.tiles import Tile, parse
from tests.support.riichi_sample import ENTRIES

EAST, SOUTH, WEST, NORTH = range(4)
MANGAN, YAKUMAN = 2000, 8000
UMA_2008 = (9000, 3000, -3000, -9000)
UMA_2016 = (15000, 5000, -5000, -15000)


@pytest.mark.parametrize(
    ("winner", "loser", "base", "deltas", "point"),
    [
        (SOUTH, WEST, 240, (0, 1000, -1000, 0), "1 fan 30 fu: 960 is rounded up"),
        (SOUTH, EAST, 240, (-1000, 1000, 0, 0), "a dealer who discards pays no more"),
        (EAST, WEST, 240, (1500, 0, -1500, 0), "the dealer gets half as much again"),
        (SOUTH, SOUTH, 240, (-500, 1100, -300, -300), "drawn: each payment is rounded up"),
        (EAST, EAST, 240, (1500, -500, -500, -500), "drawn by the dealer"),
        (NORTH, NORTH, 320, (-700, -400, -400, 1500), "1 fan 40 fu drawn pays more than ron"),
        (SOUTH, NORTH, MANGAN, (0, 8000, 0, -8000), "mangan"),
        (EAST, EAST, MANGAN, (12000, -4000, -4000, -4000), "mangan drawn by the dealer"),
        (SOUTH, SOUTH, YAKUMAN, (-16000, 32000, -8000, -8000), "yakuman"),
    ],
)
def test_a_win_pays(
    winner: int, loser: int, base: int, deltas: tuple[int, ...], point: str
) -> None:
    paid = pays_win([Won(winner, loser, base)], EAST, 0, 0, True)
    assert (paid.deltas, paid.pot) == (deltas, 0), point


def test_a_counter_is_300_from_the_discarder_and_100_from_each_otherwise() -> None:
    # 004, 3.4.10.
    discarded = pays_win([Won(SOUTH, WEST, MANGAN)], EAST, 2, 0, True)
    assert discarded.deltas == (0, 8600, -8600, 0)
    drawn = pays_win([Won(SOUTH, SOUTH, MANGAN)], EAST, 2, 0, True)
    assert drawn.deltas == (-4200, 8600, -2200, -2200)


def test_the_winner_takes_the_deposits() -> None:
    # 004, 3.3.12.
    paid = pays_win([Won(SOUTH, WEST, MANGAN)], EAST, 0, 3000, True)
    assert (paid.deltas, paid.pot) == ((0, 11000, -8000, 0), -3000)


@pytest.mark.parametrize("order", [(EAST, NORTH), (NORTH, EAST)])
def test_of_two_winners_the_nearest_after_the_discarder_takes_the_deposits(
    order: tuple[int, int],
) -> None:
    # 004, 3.4.4 and 3.4.10: West discards, North is nearer than East.
    wins = [Won(seat, WEST, MANGAN) for seat in order]
    paid = pays_win(wins, EAST, 1, 2000, True)
    assert paid.deltas == (12300, 0, -20600, 10300)
    assert paid.pot == -2000


def test_counters_go_to_the_nearest_alone_where_the_table_says_so() -> None:
    # Tenhou.
    wins = [Won(EAST, WEST, MANGAN), Won(NORTH, WEST, MANGAN)]
    paid = pays_win(wins, EAST, 1, 2000, counters_to_each=False)
    assert paid.deltas == (12000, 0, -20300, 10300)


def test_three_winners_are_each_paid_in_full() -> None:
    # 004, 3.4.9.
    wins = [Won(seat, WEST, 240) for seat in (EAST, SOUTH, NORTH)]
    assert pays_win(wins, EAST, 0, 1000, True).deltas == (1500, 1000, -3500, 2000)


@pytest.mark.parametrize(
    ("win", "counters", "deltas", "point"),
    [
        (
            Won(SOUTH, SOUTH, YAKUMAN, (Liable(WEST),)),
            1,
            (0, 32300, -32300, 0),
            "drawn: the feeder pays alone, counters too",
        ),
        (
            Won(SOUTH, NORTH, YAKUMAN, (Liable(WEST),)),
            1,
            (0, 32300, -16000, -16300),
            "another's discard: half and half, the discarder pays the counters",
        ),
        (
            Won(SOUTH, WEST, YAKUMAN, (Liable(WEST),)),
            1,
            (0, 32300, -32300, 0),
            "the feeder's own discard is an ordinary one",
        ),
        (Won(EAST, EAST, YAKUMAN, (Liable(NORTH),)), 0, (48000, 0, 0, -48000), "the dealer's win"),
        (
            Won(SOUTH, SOUTH, 2 * YAKUMAN, (Liable(WEST, 2),)),
            0,
            (0, 64000, -64000, 0),
            "a double yakuman that is certain",
        ),
        (
            Won(SOUTH, SOUTH, 2 * YAKUMAN, (Liable(WEST),)),
            1,
            (-16100, 64300, -40100, -8100),
            "a second yakuman is drawn from all three",
        ),
        (
            Won(SOUTH, NORTH, 2 * YAKUMAN, (Liable(WEST),)),
            0,
            (0, 64000, -16000, -48000),
            "a second yakuman is the discarder's",
        ),
    ],
)
def test_who_feeds_the_set_that_makes_a_yakuman_certain_answers_for_it(
    win: Won, counters: int, deltas: tuple[int, ...], point: str
) -> None:
    # 004, 3.3.6.
    assert pays_win([win], EAST, counters, 0, True).deltas == deltas, point


@pytest.mark.parametrize(
    ("tenpai", "deltas"),
    [
        ((), (0, 0, 0, 0)),
        ((SOUTH,), (-1000, 3000, -1000, -1000)),
        ((EAST, WEST), (1500, -1500, 1500, -1500)),
        ((EAST, SOUTH, WEST), (1000, 1000, 1000, -3000)),
        ((EAST, SOUTH, WEST, NORTH), (0, 0, 0, 0)),
    ],
)
def test_3000_pass_to_the_players_who_are_tenpai(
    tenpai: tuple[int, ...], deltas: tuple[int, ...]
) -> None:
    # 004, 3.4.2.
    assert noten_payments(tenpai) == deltas


def test_nagashi_mangan_is_paid_like_a_drawn_mangan() -> None:
    # EMA 2008, nagashi mangan; each of several is paid.
    assert nagashi_mangan([], EAST) == (0, 0, 0, 0)
    assert nagashi_mangan([SOUTH], EAST) == (-4000, 8000, -2000, -2000)
    assert nagashi_mangan([EAST], EAST) == (12000, -4000, -4000, -4000)
    assert nagashi_mangan([EAST, SOUTH], EAST) == (8000, 4000, -6000, -6000)


def test_chombo_is_a_mangan_turned_round() -> None:
    # 004, 3.4.6.
    assert reverse_mangan(EAST, EAST) == (-12000, 4000, 4000, 4000)
    assert reverse_mangan(WEST, EAST) == (4000, 2000, -8000, 2000)


def test_a_foul_of_a_winner_who_is_paid_announces_no_second_payment() -> None:
    end = next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
    played = replay(ENTRIES[: end + 1])
    winner = played.state.winners[0]
    points = played.state.points
    played.submit(Entry(Foul(winner, "false_win"), source="person"))
    said = [one for one in played.announcements() if isinstance(one, Payout)]
    assert len(said) == 1
    assert played.state.points == points


@pytest.mark.parametrize(
    ("points", "uma", "final", "places", "point"),
    [
        (
            (40000, 35000, 25000, 20000),
            UMA_2008,
            (49000, 38000, 22000, 11000),
            (1, 2, 3, 4),
            "004, 3.6.1",
        ),
        (
            (20000, 25000, 35000, 40000),
            UMA_2016,
            (5000, 20000, 40000, 55000),
            (4, 3, 2, 1),
            "EMA 2016",
        ),
        (
            (35000, 35000, 30000, 20000),
            UMA_2008,
            (41000, 41000, 27000, 11000),
            (1, 1, 3, 4),
            "level winners get 6000 each: 004, 3.6.1",
        ),
        (
            (40000, 30000, 30000, 20000),
            UMA_2016,
            (55000, 30000, 30000, 5000),
            (1, 2, 2, 4),
            "level in the middle: 5000 and -5000 cancel",
        ),
        (
            (45000, 25000, 25000, 25000),
            UMA_2008,
            (54000, 22000, 22000, 22000),
            (1, 2, 2, 2),
            "three level",
        ),
        (
            (30000, 30000, 30000, 30000),
            UMA_2008,
            (30000, 30000, 30000, 30000),
            (1, 1, 1, 1),
            "all level",
        ),
    ],
)
def test_places_bring_their_bonus(
    points: tuple[int, ...],
    uma: tuple[int, ...],
    final: tuple[int, ...],
    places: tuple[int, ...],
    point: str,
) -> None:
    assert placement(points, 0, uma) == FinalPlaces(_four(final), _four(places)), point


def test_no_bonus_when_time_ran_out() -> None:
    # 004, 3.6.1, note.
    placed = placement((40000, 35000, 25000, 20000), 0, UMA_2008, time_ran_out=True)
    assert placed.points == (40000, 35000, 25000, 20000)


def test_deposits_left_over_go_to_the_winner() -> None:
    # 004, 3.6.
    placed = placement((20000, 40000, 35000, 23000), 2000, (0, 0, 0, 0))
    assert placed.points == (20000, 42000, 35000, 23000)


def test_level_winners_share_deposits_left_over() -> None:
    placed = placement((35000, 35000, 30000, 19000), 1000, (0, 0, 0, 0))
    assert placed.points == (35500, 35500, 30000, 19000)


def test_odd_points_of_a_share_stay_with_the_earlier_seats() -> None:
    placed = placement((33000, 33000, 33000, 20000), 1000, (0, 0, 0, 0))
    assert placed.points == (33334, 33333, 33333, 20000)


def test_the_earlier_seat_may_be_first_where_points_are_level() -> None:
    # Tenhou.
    points = (25000, 30000, 30000, 13000)
    placed = placement(points, 2000, UMA_2016, first_of_level=0)
    assert placed == FinalPlaces((20000, 47000, 35000, -2000), (3, 1, 2, 4))
    placed = placement(points, 2000, UMA_2016, first_of_level=2)
    assert placed == FinalPlaces((20000, 35000, 47000, -2000), (3, 2, 1, 4))


def test_penalties_come_after_the_bonus_and_leave_the_places() -> None:
    # EMA 2016: a chombo costs 20,000 after the bonus.
    placed = placement((40000, 35000, 25000, 20000), 0, UMA_2016, penalties=(-20000, 0, 0, 0))
    assert placed == FinalPlaces((35000, 40000, 20000, 5000), (1, 2, 3, 4))


BASES = st.sampled_from([240, 320, 400, 640, 960, 1920, 2000, 3000, 8000, 16000])
SEATS = st.integers(0, 3)


@given(
    st.sets(SEATS, min_size=1, max_size=3),
    SEATS,
    BASES,
    SEATS,
    st.integers(0, 9),
    st.integers(0, 9),
    st.booleans(),
    st.booleans(),
)
def test_points_and_pot_sum_to_zero(
    seats: set[int],
    loser: int,
    base: int,
    dealer: int,
    counters: int,
    deposits: int,
    each: bool,
    fed: bool,
) -> None:
    liable = (Liable((loser + 1) % 4),) if fed and base >= YAKUMAN else ()
    winners = seats - {loser} or {loser}
    if winners == {loser}:
        wins = [Won(loser, loser, base, liable)]
    else:
        wins = [Won(seat, loser, base, liable) for seat in sorted(winners)]
    paid = pays_win(wins, dealer, counters, 1000 * deposits, each)
    assert sum(paid.deltas) + paid.pot == 0
    assert paid.pot == -1000 * deposits
    assert all(paid.deltas[win.seat] > 0 for win in wins)


@given(
    st.lists(st.integers(-300, 900), min_size=4, max_size=4),
    st.integers(0, 5),
    st.sampled_from([UMA_2008, UMA_2016, (0, 0, 0, 0)]),
    st.booleans(),
    st.sampled_from([None, 0, 1, 2, 3]),
)
def test_bonuses_move_points_only_between_the_four(
    hundreds: list[int], deposits: int, uma: tuple[int, ...], time: bool, first: int | None
) -> None:
    points = [100 * count for count in hundreds]
    placed = placement(points, 1000 * deposits, uma, time, first_of_level=first)
    assert sum(placed.points) == sum(points) + 1000 * deposits
    assert sorted(placed.places)[0] == 1


def _four(values: tuple[int, ...]) -> tuple[int, int, int, int]:
    first, second, third, fourth = values
    return first, second, third, fourth


def test_the_end_of_the_hand_pays_two_wins_whenever_ura_dora_are_seen() -> None:
    tile = Tile("5p")
    played: list[Event] = [
        GameStart("riichi"),
        HandStart(),
        Deal(SOUTH, parse("123m 456m 789m 46p 99s")),
        Deal(WEST, parse("123s 456s 789s 46p 88s")),
        *(Draw(EAST, Tile("9m")), Discard(EAST, Tile("9m"))),
        *(Draw(SOUTH, Tile("1z")), Discard(SOUTH, Tile("1z"), ready=True)),
        *(Draw(WEST, Tile("2z")), Discard(WEST, Tile("2z"), ready=True)),
        *(Draw(NORTH, tile), Discard(NORTH, tile)),
        *(Win(SOUTH, NORTH, tile), Win(WEST, NORTH, tile)),
        Indicator(Tile("8s"), "ura_dora"),
    ]
    before = replay([Entry(event) for event in played])
    whole = replay([*(Entry(event) for event in played), Entry(HandEnd())])
    late = [each for each in whole.announcements() if each not in before.announcements()]
    paid = [each for each in before.announcements() if isinstance(each, Payout)]
    assert paid[-1].items[0].name == "taken_back", "until then the second win is not paid"
    assert sum(isinstance(each, Payout) for each in late) == 1
