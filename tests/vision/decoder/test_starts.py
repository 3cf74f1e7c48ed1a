"""What is told of a table that is first seen at any moment of an evening."""

from __future__ import annotations

import pytest

from engine.events import HandStart, Indicator, Position
from tests.support.recorded import Recorded
from tests.support.tables import discards, shares, won
from vision.tiles.classes import FACES, Side

RULES = ("harbin-hlr", "hangzhou", "riichi")
THROWN = ((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))


def stand(table: Recorded, *counts: int) -> None:
    for seat, count in enumerate(counts):
        table.stage.stand(seat, count)


def dice(table: Recorded) -> list[int]:
    """Two things in the middle that are read as fives of dots, smaller than a tile."""
    found = []
    for u, face in ((-40.0, "5p"), (40.0, "0p")):
        tile = table.stage.put(0, u, 10.0, face, turn=30.0)
        table.stage.change(tile, off_size=0.4, score=0.8)
        found.append(tile)
    return found


def goes_on(table: Recorded) -> None:
    """The first four discards follow, and the record has them and nothing else."""
    before = table.hand
    table.plays(*THROWN, place=1)
    assert table.hand == [*before, *discards(*THROWN)]
    table.check()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("dealt", [(), (4, 8, 12)])
def test_a_dealt_table_is_a_deal_whenever_it_is_seen(rules: str, dealt: tuple[int, ...]) -> None:
    table = Recorded(rules)
    for count in dealt:
        stand(table, count, count, count, count)
        table.show(0.8)
    stand(table, 14, 13, 13, 13)
    table.show(6.0)
    assert table.events == [HandStart(dealer=0)]
    goes_on(table)
    assert not table.decoder.decoder.found_over


@pytest.mark.parametrize(("rules", "dealer"), list(zip(RULES, (1, 2, 3), strict=True)))
def test_who_dealt_is_known_by_the_first_discard(rules: str, dealer: int) -> None:
    table = Recorded(rules)
    stand(table, 13, 13, 13, 13)
    table.show(6.0)
    thrown = [((dealer + turn) % 4, face) for turn, (_, face) in enumerate(THROWN)]
    table.plays(*thrown, place=1)
    assert table.events == [HandStart(dealer=dealer), *discards(*thrown)]
    table.check()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("first", [False, True])
def test_dice_beside_a_dealt_table_are_no_discards(rules: str, first: bool) -> None:
    """They lie there when the camera is switched on, or are thrown before tiles are dealt."""
    table = Recorded(rules)
    if not first:
        table.show(3.0)
    thrown = dice(table)
    if not first:
        table.show(1.0)
    stand(table, 14, 13, 13, 13)
    table.show(14.0)
    assert table.events == [HandStart(dealer=0)]
    goes_on(table)
    table.stage.take(*thrown)
    table.show(4.0)
    assert table.hand == discards(*THROWN)


def walls(table: Recorded) -> list[int]:
    """Four walls of backs before the hands, one after the other."""
    return [
        table.stage.put(seat, -255 + 31 * place, 290) for seat in range(4) for place in range(17)
    ]


def taken_for_a_face(table: Recorded, back: int) -> None:
    unsure = shares("5p", 0.3, "7s") * 0.4 + 0.6 / len(FACES)
    table.stage.change(back, side=Side.FACE, probabilities=unsure, score=0.8)


@pytest.mark.parametrize("rules", ["riichi", "hangzhou"])
def test_the_indicator_of_a_dealt_table_is_told_with_the_deal(rules: str) -> None:
    table = Recorded(rules)
    shown = walls(table)[20]
    table.stage.change(shown, side=Side.FACE, probabilities=shares("1s"))
    stand(table, 14, 13, 13, 13)
    table.show(14.0)
    start, indicator = table.events
    assert start == HandStart(dealer=0)
    assert isinstance(indicator, Indicator)
    assert indicator.tile == "1s"
    goes_on(table)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("count", [1, 12])
def test_backs_taken_for_faces_are_no_discards_nor_indicators(rules: str, count: int) -> None:
    table = Recorded(rules)
    table.show(2.0)
    wall = walls(table)
    for back in wall[: 5 * count : 5]:
        taken_for_a_face(table, back)
    stand(table, 14, 13, 13, 13)
    table.show(4.0)
    assert table.events == [HandStart(dealer=0)]
    goes_on(table)
    taken_for_a_face(table, wall[-2])
    table.show(4.0)
    assert table.hand == discards(*THROWN)


@pytest.mark.parametrize("rules", RULES)
def test_tiles_of_a_hand_that_seem_to_lie_are_no_set(rules: str) -> None:
    """The finder takes four of a standing row for backs, and one of them for a face later."""
    table = Recorded(rules)
    table.deal()
    row = table.stage.stand(1, 13)
    for tile in row[4:8]:
        table.stage.change(tile, side=Side.BACK)
    table.show(3.0)
    table.stage.change(row[6], side=Side.FACE, probabilities=shares("9p", 0.5, "4s"))
    table.show(3.0)
    assert table.events == [HandStart(dealer=0)]


def test_a_hand_that_lies_backs_up_beside_its_sets_holds_no_kong() -> None:
    table = Recorded("harbin-hlr")
    stand(table, 13, 13, 0, 13)
    table.stage.lay(2, "?" * 7, -60)
    for row, tiles in enumerate(("123s", "999s")):
        table.stage.set_down(2, tiles, turned=-1, row=row)
    for seat, face in THROWN:
        table.put(seat, face)
    table.show(14.0)
    position = table.events[-1]
    assert isinstance(position, Position)
    assert position.ready == (2,)
    assert sorted(type(one).__name__ for one in (position.sets or ())[2]) == ["Chow", "Pung"]


@pytest.mark.parametrize("rules", RULES)
def test_two_tiles_of_a_hand_that_are_taken_for_unsure_faces_are_no_set(rules: str) -> None:
    """The claim of a discard that was read well would need another face of it."""
    table = Recorded(rules)
    table.deal()
    table.plays(*THROWN[:3])
    row = table.stage.stand(3, 13)
    ghost = table.stage.put(3, 200, 350, "7p")
    for tile in (row[-1], ghost):
        unsure = shares("2s", 0.4, "7s") * 0.4 + 0.6 / len(FACES)
        table.stage.change(tile, side=Side.FACE, probabilities=unsure, score=0.6)
    table.show(3.0)
    assert table.hand == discards(*THROWN[:3])


DEALT = [(rules, (at + 2 * half) % 4) for at, rules in enumerate(RULES) for half in range(2)]
"""Every seat deals by some rules."""


@pytest.mark.parametrize(("rules", "dealer"), DEALT)
@pytest.mark.parametrize("drawn", [False, True])
def test_one_discard_that_lies_there_tells_who_dealt(rules: str, dealer: int, drawn: bool) -> None:
    """Whether the next player has drawn or not; nobody else can have discarded it."""
    table = Recorded(rules)
    counts = [13, 13, 13, 13]
    counts[(dealer + 1) % 4] += drawn
    stand(table, *counts)
    table.put(dealer, "1m")
    table.show(14.0)
    start, position = table.events
    assert start == HandStart(dealer=dealer)
    assert isinstance(position, Position)
    assert position.turn == (dealer + 1) % 4


@pytest.mark.parametrize(("rules", "dealer"), DEALT)
def test_who_held_fourteen_before_the_first_discard_dealt(rules: str, dealer: int) -> None:
    """The next player has drawn before the table has rested for long enough."""
    table = Recorded(rules)
    counts = [13, 13, 13, 13]
    counts[dealer] += 1
    stand(table, *counts)
    table.show(0.4)
    table.put(dealer, "1m")
    table.stage.stand(dealer, 13)
    table.show(0.3)
    table.stage.stand((dealer + 1) % 4, 14)
    table.show(3.0)
    assert table.events == [HandStart(dealer=dealer), *discards((dealer, "1m"))]
    table.check()


def test_who_dealt_is_asked_where_a_thing_may_be_a_discard() -> None:
    """Two faces: the dealer's and the next player's discard, or one of them is a marker."""
    table = Recorded("harbin-hlr")
    stand(table, 13, 13, 13, 13)
    table.put(0, "1m")
    marker = table.put(1, "1z", 1)
    table.stage.change(marker, score=0.68)
    table.show(14.0)
    (question,) = table.decoder.questions()
    dealers = {
        event.dealer
        for choice in question.choices
        for event in choice.events
        if isinstance(event, HandStart)
    }
    assert len(dealers) > 1
    assert question.tiles


def test_a_discard_that_was_taken_as_the_frames_end_stands() -> None:
    """A hand took it a moment before: for a set or a win that no picture shows."""
    table = Recorded()
    table.deal()
    for turn, (seat, face) in enumerate(THROWN):
        tile = table.discard(seat, face, turn)
    told = table.hand
    table.stage.take(tile)
    table.show(0.6)
    table.stage.held = True
    table.show(8.0)
    assert set(table.decoder.decoder.segmenter.taken) == {tile}
    table.lines += table.decoder.close()
    assert table.hand[: len(told)] == told == discards(*THROWN)


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_under_way_is_joined_and_goes_on(rules: str) -> None:
    table = Recorded(rules)
    stand(table, 13, 13, 13, 13)
    for place in range(3):
        for seat in range(4):
            table.put(seat, f"{1 + place * 3 + seat % 3}{'mpsm'[seat]}", place)
    table.show(14.0)
    start, position = table.events
    assert isinstance(start, HandStart)
    assert isinstance(position, Position)
    assert [len(river) for river in position.rivers or ()] == [3, 3, 3, 3]
    turn = position.turn
    assert turn is not None
    if rules != "harbin-hlr":  # in a heap nobody knows who is to act
        assert start.dealer == turn
    thrown = [((turn + at) % 4, face) for at, face in enumerate(("8m", "9p", "9s", "2p"))]
    table.plays(*thrown, place=3)
    assert table.hand[1:] == discards(*thrown)
    table.check()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("ends", [False, True])
def test_after_a_win_nothing_is_told_until_the_next_deal(rules: str, ends: bool) -> None:
    table = Recorded(rules)
    stand(table, 0, 13, 13, 13)
    table.stage.lay(0, "123m 456p 789s 222s 99p", -170)
    for seat in range(4):
        for place in range(3):
            table.put(seat, f"{1 + place + seat}{'mps'[place]}", place)
    table.show(14.0)
    assert table.lines == []
    assert table.decoder.decoder.found_over
    if ends:
        assert table.decoder.close() == []
        return
    table.clear()
    assert table.lines == []
    table.deal()
    assert table.events == [HandStart(dealer=0)]
    goes_on(table)


def test_a_win_before_any_discard_was_seen_is_asked_about() -> None:
    """The picture stood still: hardly ever is a hand won as it was dealt."""
    table = Recorded("harbin-hlr")
    stand(table, 13, 13, 13, 13)
    table.show(3.0)
    table.stage.stand(1, 0)
    table.stage.lay(1, "222345678p 111s 99p", -210, apart_mm=20)
    table.show(8.0)
    seat, giver, _ = won(table.hand[-1])
    assert seat != giver
    assert table.decoder.questions() != []


def test_a_win_ends_a_hand_that_was_joined() -> None:
    table = Recorded("riichi")
    stand(table, 13, 10, 13, 13)
    table.stage.set_down(1, "777z", turned=0)
    for place in range(3):
        for seat in range(4):
            table.put(seat, f"{1 + place * 3 + seat % 3}{'msms'[seat]}", place)
    table.show(14.0)
    assert isinstance(table.hand[0], Position)
    turn = table.hand[0].turn
    assert turn is not None
    for at in range((1 - turn) % 4):
        table.discard((turn + at) % 4, f"{7 + at}p", 3)
    table.stage.stand(1, 0)
    table.stage.lay(1, "22234678p 99p 5p", -190, apart_mm=20)
    table.show(8.0)
    win = table.hand[-1]
    assert won(win) == (1, 1, "5p")
    assert len(getattr(win, "hand", ())) == 10, "the set that lay there is no part of it"
    table.check()


@pytest.mark.parametrize(("thrown", "told"), [(62, 2), (64, 0)])
def test_a_hand_whose_wall_is_used_up_is_not_joined(thrown: int, told: int) -> None:
    """Twenty tiles of the wall are never drawn by these rules."""
    table = Recorded("hangzhou")
    stand(table, 13, 13, 13, 13)
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
    for number in range(thrown):
        table.put(number % 4, kinds[number % len(kinds)], number // 4)
    table.show(14.0)
    assert len(table.events) == told
