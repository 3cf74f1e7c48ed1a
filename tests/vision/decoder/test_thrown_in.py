"""A hand that nobody is seen to win ends with its tiles being mixed, and nothing more is told."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.events import Discard, DrawnHand, Event, Foul, HandEnd, HandStart, Win
from engine.tiles import Tile, parse
from tests.support.golden import WITH_GAME
from tests.support.recorded import Recorded
from tests.support.tables import discards
from vision.decoder.question import Answer

RULES = ("harbin-hlr", "hangzhou", "riichi")
FACES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
STEP_S = 0.4


def played(rules: str, discarded: int) -> tuple[Recorded, list[int]]:
    """A hand of so many discards, and their tiles."""
    table = Recorded(rules)
    table.deal()
    tiles = [
        table.discard(turn % 4, FACES[(turn * 7) % 27], turn // 4) for turn in range(discarded)
    ]
    return table, tiles


def mixed(table: Recorded, tiles: Sequence[int], at_once: int = 2, open_hand: bool = False) -> None:
    """Hands topple the rows and push the tiles about, a few in every moment; the lens sees it."""
    dice, river = random.Random(1), list(tiles)
    dice.shuffle(river)
    table.stage.busy = frozenset(range(4))
    standing = [4 if open_hand else 13] * 4
    while river:
        for seat in range(open_hand, 4):
            standing[seat] = max(0, standing[seat] - dice.randint(2, 5))
            table.stage.stand(seat, standing[seat])
        for tile in river[:at_once]:
            table.stage.take(tile)
        del river[:at_once]
        for _ in range(2 * at_once):
            place = dice.uniform(-370, 370), dice.uniform(-370, 370)
            face = dice.choice(FACES) if dice.random() < 0.7 else ""
            table.stage.put(0, *place, face, dice.uniform(0, 360))
        table.show(STEP_S)
    table.stage.clear()
    table.stage.busy = frozenset()
    table.show(4.0)


def ends(hand: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in hand]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("discarded", [8, 20])
def test_a_hand_that_is_thrown_in_tells_its_end_and_nothing_else(
    rules: str, discarded: int
) -> None:
    table, tiles = played(rules, discarded)
    before, lines = table.hand, len(table.lines)
    mixed(table, tiles)
    assert table.hand[: len(before)] == before, "true discards stay"
    assert ends(table.hand[len(before) :]) == ["DrawnHand", "HandEnd"]
    told = [line.event for line in table.lines[lines:]]
    assert ends(told) == ["DrawnHand", "HandEnd"], "nor is anything told meanwhile"
    table.deal(dealer=0)
    assert isinstance(table.events[-1], HandStart)
    table.check()


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_may_be_thrown_in_after_its_first_discard(rules: str) -> None:
    table, tiles = played(rules, 2)
    before = table.hand
    mixed(table, tiles, at_once=1)
    assert table.hand[: len(before)] == before
    assert ends(table.hand[len(before) :]) == ["DrawnHand", "HandEnd"]


def test_four_winds_end_the_hand_however_the_tiles_are_thrown_together() -> None:
    table = Recorded("riichi")
    table.deal()
    tiles = [table.discard(seat, "2z") for seat in range(4)]
    mixed(table, tiles, at_once=1)
    assert table.hand == [*discards(*((seat, "2z") for seat in range(4))),
                          DrawnHand("four_winds"), HandEnd()]  # fmt: skip


@pytest.mark.parametrize("rules", RULES)
def test_why_a_hand_is_over_is_asked_where_nobody_shows_it(rules: str) -> None:
    table, tiles = played(rules, 12)
    mixed(table, tiles)
    (question,) = table.decoder.questions()
    told = (DrawnHand("exhausted"), HandEnd())
    assert question.choices[0].events == told
    assert () in [choice.events for choice in question.choices]
    before = table.events
    table.lines += table.decoder.answer(Answer(question.place, told))
    assert table.events == before
    assert table.decoder.questions() == []
    table.check()


@pytest.mark.parametrize("after_s", [0.4, 1.2])
def test_a_hand_that_is_won_is_told_however_soon_the_others_throw_in_theirs(
    after_s: float,
) -> None:
    table, tiles = played("riichi", 12)
    before = table.hand
    table.stage.stand(0, 0)
    table.stage.lay(0, "123m 456p 789s 222s 99p", -170, apart_mm=20)
    table.show(after_s)
    win = Win(0, 0, Tile("9p"), parse("123m 4569p 222789s"))
    for seat in (1, 2, 3):
        table.stage.stand(seat, 4)
    table.show(0.4)
    mixed(table, tiles, open_hand=True)
    assert table.hand[: len(before)] == before
    assert ends(table.hand[len(before) :]) == ["Win", "HandEnd"]
    assert table.hand[-2] == win
    table.check()


def test_what_is_played_while_a_sleeve_covers_the_discards_is_told_after_that() -> None:
    table, tiles = played("hangzhou", 8)
    before = table.hand
    covered = [table.stage.take_up(tile) for tile in tiles[:4]]
    table.stage.busy = frozenset({0})
    table.put(0, "9p", 4)
    table.show(1.0)
    table.stage.busy = frozenset()
    for tile in covered:
        table.stage.lay_again(tile)
    table.show(3.0)
    assert table.hand == [*before, *discards((0, "9p"))]
    told = next(line for line in table.lines if line.event == Discard(0, Tile("9p")))
    assert told.t is not None
    assert table.stage.time_s - told.t > 3.0, "with the time at which it was put down"
    table.check()


@pytest.mark.parametrize("rules", [*RULES, "wsom"])
def test_a_hand_that_a_false_win_ends_is_over_without_a_draw(rules: str) -> None:
    """The hand that was laid open does not win: the others throw in theirs."""
    table, tiles = played(rules, 8)
    before = table.hand
    table.stage.stand(0, 0)
    table.stage.lay(0, "125m 46p 79s 227m 99p 1s 3z", -190, apart_mm=20.0)
    table.show(5.0)
    mixed(table, tiles, open_hand=True)
    assert table.hand[: len(before)] == before
    assert ends(table.hand[len(before) :]) == ["Win", "HandEnd"]
    table.deal(dealer=0)
    assert isinstance(table.events[-1], HandStart)


@pytest.mark.parametrize("rules", ["hangzhou", "riichi"])
def test_a_foul_after_which_the_tiles_are_thrown_in_has_ended_the_hand(rules: str) -> None:
    """Which is asked, with the draw that it may have been as well."""
    table, tiles = played(rules, 8)
    before = table.hand
    tiles.append(table.discard(2, "9p", 3))
    table.show(5.0)
    foul = Foul(2, "discard_out_of_turn", (Tile("9p"),))
    assert table.hand == [*before, foul]
    mixed(table, tiles)
    assert table.hand == [*before, foul, HandEnd()]
    (question,) = [one for one in table.decoder.questions() if one.place.what == "washed"]
    offered = [choice.events for choice in question.choices]
    assert offered[0] == (HandEnd(),)
    assert (DrawnHand("exhausted"), HandEnd()) in offered
    assert () in offered
    table.check()


@pytest.mark.parametrize("rules", WITH_GAME)
@pytest.mark.parametrize("taken_s", [0.4, 3.0])
def test_a_win_that_is_only_spoken_leaves_the_discards_as_they_were_told(
    rules: str, taken_s: float
) -> None:
    """The winner takes the last discard into a hand that nobody is shown."""
    table, tiles = played(rules, 12)
    before = table.hand
    table.stage.take(tiles.pop())
    table.show(taken_s)
    mixed(table, tiles)
    assert table.hand[: len(before)] == before
    assert ends(table.hand[len(before) :]) == ["DrawnHand", "HandEnd"]
    (question,) = table.decoder.questions()
    assert question.choices[0].events == (DrawnHand("exhausted"), HandEnd())
    assert () in [choice.events for choice in question.choices]
    table.check()


def thrown(table: Recorded, seat: int, step_s: float, stays_s: float) -> None:
    """A player throws a hand in: its faces lie about in the middle."""
    dice, left = random.Random(3), 13
    table.stage.busy = frozenset({seat})
    while left:
        came = min(left, 4)
        left -= came
        table.stage.stand(seat, left)
        for _ in range(came):
            u, v = dice.uniform(-150, 150), dice.uniform(60, 260)
            table.stage.put(seat, u, v, dice.choice(FACES), dice.uniform(0, 360))
        table.show(step_s)
    table.stage.busy = frozenset()
    table.show(stays_s)


@pytest.mark.parametrize("rules", [*RULES, "wsom"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("step_s", "stays_s"), [(0.2, 2.0), (0.4, 12.0)])
def test_a_hand_that_is_thrown_into_the_middle_is_no_row_of_discards(
    rules: str, seat: int, step_s: float, stays_s: float
) -> None:
    table, _ = played(rules, 12)
    before, lines = table.hand, len(table.lines)
    thrown(table, seat, step_s, stays_s)
    assert table.lines[lines:] == [], "nothing is told while it lies there"
    table.stage.busy = frozenset(range(4))
    for other in range(4):
        table.stage.stand(other, 0)
    table.clear()
    assert table.hand[: len(before)] == before
    assert ends(table.hand[len(before) :]) == ["DrawnHand", "HandEnd"]
    assert [one.place.what for one in table.decoder.questions()] == ["washed"]
    table.check()


@pytest.mark.parametrize("rules", RULES)
def test_discards_that_a_sleeve_hid_are_told_when_it_is_gone(rules: str) -> None:
    """Four came to be seen at once, and every hand stands."""
    table, _ = played(rules, 8)
    before = table.hand
    more = [(seat, face) for seat, face in enumerate(("9m", "8p", "7s", "6m"))]
    for seat, face in more:
        table.put(seat, face, 2)
    table.show(12.0)
    assert sorted(map(repr, table.hand[len(before) :])) == sorted(map(repr, discards(*more)))
    table.check()


def test_play_that_goes_on_after_a_win_is_drawn_where_the_tiles_are_cleared_away() -> None:
    """In Sichuan a win ends no hand: why this one is over nobody saw."""
    table = Recorded("sichuan")
    table.deal()
    for turn in range(4):
        table.discard(turn, FACES[(turn * 7) % 27])
    table.stage.stand(0, 0)
    table.stage.lay(0, "111234567888m 55s", -220)
    table.show(4.0)
    won = [event for event in table.hand if isinstance(event, Win)]
    table.clear()
    assert len(won) == 1
    assert [type(event) for event in table.hand[-2:]] == [DrawnHand, HandEnd]
