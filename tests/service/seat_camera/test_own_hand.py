"""What a seat's own camera adds to the record, for that seat alone."""

from __future__ import annotations

import pytest

from engine.announce import Hint, Ready, seen_by
from engine.codec import read_record
from engine.events import Deal, Draw, Entry, GameStart, HandStart
from engine.game import replay
from engine.state import Phase
from engine.tiles import UNKNOWN, parse
from service.seat_camera.own_hand import _left, private_game, private_lines
from tests.support.rows import watched
from tests.support.seat_camera_game import RECORD, game
from vision.seat_camera.standing_hand import HandWatch

SEAT = 1
DEALT = "123m 456p 78s 55p 134z"
SECOND = "1123m 456p 78s 55p 14z"
"""A 1m came, the west went."""


def stood(*hands: tuple[float, float, str]) -> HandWatch:
    return watched(*hands)


def test_the_hand_that_is_seen_is_the_seat_s_own() -> None:
    seen = stood((3, 12, DEALT), (15, 28, SECOND), (31, 40, "1123m 456p 789s 55p 1z"))
    mine = private_game(game(), SEAT, seen.stood)
    assert mine.state.players[SEAT].hand == tuple(sorted_hand("1123m 456p 789s 55p 1z"))
    assert all(tile == UNKNOWN for tile in game().state.players[SEAT].hand)


def sorted_hand(tiles: str) -> list[str]:
    return sorted(map(str, parse(tiles)), key=lambda tile: (tile[1], tile[0]))


def test_draws_are_told_by_what_is_new_in_the_hand() -> None:
    seen = stood((3, 12, DEALT), (15, 28, SECOND), (31, 40, "1123m 456p 789s 55p 1z"))
    mine = private_game(game(), SEAT, seen.stood)
    drawn = [
        str(entry.event.tile)
        for _, entry in mine.state.history
        if isinstance(entry.event, Draw) and entry.event.seat == SEAT
    ]
    assert drawn == ["1m", "9s"]


def test_a_hand_that_is_ready_is_told_to_its_seat_and_to_nobody_else() -> None:
    seen = stood((31, 40, "123m 456p 78s 999p 11z"))
    mine = private_game(game(), SEAT, seen.stood)
    ready = [said for said in mine.announcements() if isinstance(said, Ready)]
    assert [str(wait.tile) for said in ready[-1:] for wait in said.waits] == ["6s", "9s"]
    assert [seen_by(said, SEAT) is not None for said in ready[-1:]] == [True]
    assert [seen_by(said, other) for said in ready for other in (None, 0, 2, 3)] == [None] * (
        4 * len(ready)
    )
    assert not [said for said in game().announcements() if isinstance(said, Ready)]


def test_a_tile_that_is_drawn_and_not_yet_put_down_can_be_advised_on() -> None:
    more = (
        '\n{"type":"discard","seat":2,"tile":"8s","t":34}'
        '\n{"type":"discard","seat":3,"tile":"8s","t":38}'
        '\n{"type":"discard","seat":0,"tile":"8s","t":42}'
    )
    seen = stood((31, 42, "123m 456p 78s 999p 11z"), (43, 50, "123m 456p 78s 999p 11z 2s"))
    mine = private_game(game(more), SEAT, seen.stood)
    assert mine.state.phase is Phase.TO_DISCARD
    hint = mine.hint(SEAT)
    assert isinstance(hint, Hint)
    assert str(hint.discards[0].tile) == "2s"
    assert game(more).state.phase is Phase.TO_DRAW


def test_claimed_sets_leave_the_hand() -> None:
    more = (
        '\n{"type":"discard","seat":2,"tile":"8p","t":34}'
        '\n{"type":"pung","seat":1,"from":2,"tile":"8p","own":["8p","8p"],"t":36}'
        '\n{"type":"discard","seat":1,"tile":"1z","t":40}'
    )
    seen = stood((31, 35, "1123m 456p 78s 88p 11z"), (42, 50, "1123m 456p 78s 1z"))
    mine = private_game(game(more), SEAT, seen.stood)
    assert [str(tile) for tile in mine.state.players[SEAT].hand] == sorted_hand("1123m 456p 78s 1z")


@pytest.mark.parametrize(
    ("tiles", "why"),
    [
        ("123m 456p 78s 55p 1z", "two tiles are missing"),
        ("123m 456p 789s 5555p 111z 2z", "three too many"),
    ],
)
def test_a_hand_of_another_size_adds_nothing(tiles: str, why: str) -> None:
    seen = stood((31, 40, tiles))
    assert private_lines(game(), SEAT, seen.stood) == [], why


def test_a_fifth_copy_is_never_in_a_hand() -> None:
    # All four 9m would lie on the table or stand here.
    seen = stood((31, 40, "9999m 456p 78s 55p 11z"))
    mine = private_game(game(), SEAT, seen.stood)
    hand = [str(tile) for tile in mine.state.players[SEAT].hand]
    assert hand.count("9m") <= 2
    assert mine.state.players[SEAT].river == game().state.players[SEAT].river


def test_lines_of_the_public_record_stay_as_they_are() -> None:
    public = game()
    seen = stood((3, 12, DEALT), (31, 40, "1123m 456p 789s 55p 1z"))
    before: tuple[Entry, ...] = tuple(public.entries)
    private_game(public, SEAT, seen.stood)
    assert tuple(public.entries) == before


def test_a_hand_that_lies_open_needs_no_camera() -> None:
    opened = RECORD.strip().splitlines()
    opened.insert(
        2,
        '{"type":"deal","seat":1,"tiles":["1m","2m","3m","4p","5p","6p","7s","8s",'
        '"5p","5p","1z","3z","4z"],"t":2}',
    )
    known = replay(read_record("\n".join(opened)))
    assert private_lines(known, SEAT, stood((31, 40, DEALT)).stood) == []


def test_what_another_seat_holds_limits_nothing_that_this_one_may_hold() -> None:
    left = []
    for hand in ("1112223334445m", "1112223334446m"):
        game = replay([Entry(GameStart("riichi")), Entry(HandStart()), Entry(Deal(1, parse(hand)))])
        left.append([_left(game, 0, over=False), _left(game, 1, over=False)])
    assert left[0] == left[1]
