"""What is doubtful stays so until it is decided: by look-ahead, by the rules, by a person."""

from __future__ import annotations

import pytest

from engine.events import (
    Discard,
    HandStart,
    Indicator,
    Win,
)
from engine.tiles import Tile, parse
from tests.support.seen import Seen
from tests.support.tables import chow, discards, pung, shares, won
from vision.tiles.classes import Side


def test_a_claimed_tile_that_is_misread_twice_is_told_by_how_it_lies(seen: Seen) -> None:
    """Neither the discard nor the sideways tile is likeliest what both may be."""
    tile = seen.discard(0, "1s", sure=0.6, other="2s")
    turned, *_ = seen.claim(tile, 1, "313s", lasts_s=0.0)
    seen.stage.change(turned, probabilities=shares("3s", 0.5, "2s"))
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("2s")), chow(1, 0, "2s", "13s")]


@pytest.mark.parametrize(
    ("counts", "dealer"), [((13, 13, 14, 13), 2), ((13, 14, 12, 13), 1), ((12, 13, 12, 14), 3)]
)
def test_fourteen_standing_tiles_make_the_dealer(counts: tuple[int, ...], dealer: int) -> None:
    table = Seen()
    for seat, count in enumerate(counts):
        table.stage.stand(seat, count)
    table.show(2.0)
    start = table.told[-1]
    assert start.event == HandStart(dealer=dealer)
    assert (start.confidence or 0.0) > 0.95
    assert table.decoder.questions() == []


def test_a_face_far_from_an_open_hand_is_no_tile_of_it(seen: Seen) -> None:
    seen.discard(0, "9s")
    seen.stage.stand(1, 0)
    seen.stage.lay(1, "234m 123s 777p 88p 56m 7m", -170, apart_mm=15)
    seen.stage.put(1, -345, 345, "4s")
    seen.show(6.0)
    win = seen.events[-1]
    assert isinstance(win, Win)
    assert (win.tile, len(win.hand or ())) == ("7m", 13)


def test_a_set_shows_that_a_discard_long_before_it_was_misread(seen: Seen) -> None:
    """Its tiles would be a fifth copy: the one of them that was doubtful was something else."""
    seen.discard(0, "7m")
    seen.discard(1, "7m", 1, sure=0.8, other="8m")
    seen.discard(2, "9p", 2)
    tile = seen.discard(3, "7m", 3)
    assert seen.events[1] == Discard(1, Tile("7m"))
    seen.claim(tile, 1, "777m", turned=1)
    assert seen.events[1] == Discard(1, Tile("8m"))
    assert seen.events[-1] == pung(1, 3, "7m")


@pytest.mark.parametrize(("score", "told"), [(0.4, 0), (0.93, 1)])
def test_a_thing_on_the_wall_is_no_indicator(score: float, told: int) -> None:
    table = Seen("harbin-treasure")
    table.deal()
    back = table.stage.put(0, 0, 240)
    table.discard(0, "1m")
    table.show(2.4)
    table.stage.change(back, side=Side.FACE, probabilities=shares("9m", 0.6, "6m"), score=score)
    table.stage.change(back, first_s=table.stage.time_s)
    table.show(2.4)
    assert sum(isinstance(event, Indicator) for event in table.events) == told


@pytest.mark.parametrize(("stack", "told"), [(11, True), (2, False)])
def test_indicators_lie_side_by_side(stack: int, told: bool) -> None:
    """A face far from them, as one may be read where a stack has just gone, is none of them."""
    table = Seen("riichi")
    wall = [table.stage.put(2, 31 * place - 250, 270) for place in range(17)]
    table.deal()
    for seat, (back, face) in enumerate(((wall[12], "3p"), (wall[stack], "3s"))):
        table.stage.change(back, side=Side.FACE, probabilities=shares(face, 0.95, "7s"))
        table.stage.change(back, first_s=table.stage.time_s)
        table.show(2.0)
        table.discard(seat, "1m", seat)
    assert (Indicator(Tile("3s"), "kan_dora") in table.events) == told


def test_an_indicator_is_turned_up_where_a_back_was_taken_for_a_face() -> None:
    table = Seen("harbin-hlr")
    wall = [table.stage.put(0, 31 * place, 270) for place in range(4)]
    table.deal()
    table.show(3.0)
    unsure = shares("5p", 0.3, "7s") * 0.4 + 0.6 / 38
    table.stage.change(wall[1], side=Side.FACE, probabilities=unsure, score=0.8)
    table.show(1.2)
    table.discard(0, "1m")
    table.stage.stand(2, 0)
    table.stage.lay(2, "23456m 234789p 55s", -170)
    table.show(5.0)
    table.stage.take(wall[1])
    table.stage.put(0, 31, 270, "7z")
    table.show(2.4)
    turned_up = [event for event in table.events if isinstance(event, Indicator)]
    assert turned_up == [Indicator(Tile("7z"), "dora")]


def test_a_hand_rather_holds_three_faces_than_three_copies_of_one() -> None:
    """Both win, and the faces alone speak a little for 222 rather than 123."""
    seen = Seen("wsom")
    seen.deal()
    seen.discard(0, "4p")
    seen.stage.stand(2, 0)
    row = seen.stage.lay(2, "223456m 23789p 55s", -170)
    seen.stage.change(row[0], probabilities=shares("2m", 0.85, "1m"))
    seen.stage.change(row[2], probabilities=shares("3m", 0.8, "2m"))
    seen.show(6.0)
    win = seen.events[-1]
    assert isinstance(win, Win)
    assert (win.hand or ())[:3] == parse("123m")


def test_a_thing_beside_a_set_makes_no_kong_of_it(seen: Seen) -> None:
    seen.stage.take(seen.discard(0, "9m"))
    seen.stage.stand(1, 11)
    _, _, thing, _ = seen.stage.set_down(1, "9929m", turned=0)
    seen.stage.change(thing, probabilities=shares("2m", 0.7, "1m"), score=0.4)
    seen.show(1.6)
    assert seen.events[-1] == pung(1, 0, "9m")


@pytest.mark.parametrize(
    ("far_mm", "sure", "face", "same"),
    [(8, 0.9, "5m", True), (8, 0.9999, "4m", True), (45, 0.9, "5m", False)],
)
def test_a_face_in_the_place_of_a_discard_that_is_gone_is_that_discard(
    seen: Seen, far_mm: float, sure: float, face: str, same: bool
) -> None:
    """A sleeve pushed it, and it is read otherwise there; elsewhere another tile was put down."""
    seen.discard(0, "1m")
    pushed = seen.discard(1, "4m", 1, sure=sure, other="5m")
    seen.discard(2, "9p", 2)
    seen.stage.take(pushed)
    seen.stage.put(1, -45 + far_mm, 90, "5m", sure=0.9)
    seen.show(1.2)
    seen.discard(3, "2s", 3)
    thrown = discards((0, "1m"), (1, face), (2, "9p"), (3, "2s"))
    assert (seen.events == thrown) == same


# --- the copies that lie elsewhere, and later looks ---


def test_a_better_look_changes_what_was_told(seen: Seen) -> None:
    tile = seen.stage.put(0, -90, 90, "7s")
    seen.stage.change(tile, probabilities=shares("7s", 0.55, other="8s"))
    seen.show()
    assert seen.events == discards((0, "7s"))
    seen.stage.change(tile, probabilities=shares("8s", 0.8, other="7s"))
    seen.show()
    assert seen.events == discards((0, "8s"))


@pytest.mark.parametrize(
    ("doubtful", "sure", "count"),
    [(0, 0.6, 5), (3, 0.55, 4), (4, 0.8, 5)],
    ids=["four others come later", "three lie there", "four lie there, and it looks like them"],
)
def test_copies_that_lie_elsewhere_speak_against_a_face(
    seen: Seen, doubtful: int, sure: float, count: int
) -> None:
    for turn in range(count):
        seen.discard(turn % 4, "7s", turn, sure if turn == doubtful else 0.97, "8s")
    faces = ["8s" if turn == doubtful else "7s" for turn in range(count)]
    assert seen.events == discards(*((turn % 4, face) for turn, face in enumerate(faces)))


def test_the_sideways_tile_of_a_set_is_the_claimed_one(seen: Seen) -> None:
    """The discard looked a little more like another tile of the same run."""
    seen.claim(seen.discard(0, "5m", sure=0.7, other="6m"), 1, "657m")
    assert seen.events == [Discard(0, Tile("6m")), chow(1, 0, "6m", "57m")]


def test_the_rules_tell_a_tile_of_the_winning_hand_that_was_not_found() -> None:
    table = Seen("riichi")
    table.deal()
    table.stage.busy = frozenset({0})
    table.show(0.4)
    table.stage.busy = frozenset()
    table.stage.stand(0, 0)
    row = table.stage.lay(0, "123m 456p 789s 234s 9p 9p", -220, apart_mm=20)
    table.stage.take(row[7])
    table.show(6.0)
    win = table.events[-1]
    assert won(win) == (0, 0, "9p")
    assert isinstance(win, Win)
    assert sorted(win.hand or ()) == sorted(parse("123m 456p 789s 234s 9p"))
