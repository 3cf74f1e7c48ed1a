"""Hands of which a share of the tiles is overlooked, as in weak light."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from engine.events import HandStart, Position
from engine.rules import RULE_SETS
from tests.support.recorded import Recorded
from tests.support.tables import TILE_MM, discards
from vision.tiles.classes import Side

LACK = ((1, 4, 5, 10), (2, 3, 7, 8, 11), (0, 4, 6, 9, 12), (1, 5, 6, 7, 9, 12))
"""Places of the tiles that are overlooked in the row of each seat, from its player's left."""
THROWN = ((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))


def stand(table: Recorded, seat: int, count: int, lack: Iterable[int]) -> None:
    row = table.stage.stand(seat, count)
    table.stage.take(*(row[place] for place in lack if place < count))


def deal(table: Recorded, dealer: int = 0, *, unseen: tuple[int, ...] = ()) -> None:
    """Hands of which hardly two thirds are seen; of some seats nothing but a tile."""
    for seat, lack in enumerate(LACK):
        count = table.hand_size + (seat == dealer)
        stand(table, seat, count, range(1, count) if seat in unseen else lack)


def faces_of(table: Recorded) -> list[int]:
    """The tiles that lie open."""
    seen = table.decoder.decoder.observation
    assert seen is not None
    return [tile.id for tile in seen.placed if tile.tile.known]


def begun(table: Recorded) -> bool:
    """Who deals is told with the first discard: the hands are not counted surely."""
    return table.decoder.decoder.segmenter.playing


def plays(table: Recorded, *thrown: tuple[int, str], place: int = 0) -> None:
    """Discards; no more is seen of the hands after them."""
    for seat, face in thrown:
        table.stage.busy = frozenset({seat})
        table.show(0.4)
        table.put(seat, face, place)
        table.show(0.4)
        table.stage.busy = frozenset()
        table.show(3.0)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_hand_of_which_a_third_is_overlooked_is_dealt(rules: str) -> None:
    table = Recorded(rules)
    table.show(2.0)
    deal(table)
    table.show(2.0)
    assert begun(table)
    plays(table, *THROWN)
    assert table.events == [HandStart(dealer=0), *discards(*THROWN)]


def test_the_next_hand_is_dealt_too_and_not_before_the_last_one_was_mixed() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table)
    table.show(2.0)
    for turn in range(8):
        plays(table, (turn % 4, f"{turn + 1}m"), place=turn // 4)
    # What lay open is swept together while the hands stand as they stood.
    table.stage.take(*faces_of(table))
    table.show(6.0)
    assert not begun(table)
    table.clear()
    deal(table, 1)
    table.show(2.0)
    plays(table, (1, "9p"), (2, "3s"))
    assert len([event for event in table.events if isinstance(event, HandStart)]) == 2
    assert table.hand == discards((1, "9p"), (2, "3s"))


def test_a_hand_begins_though_nothing_is_seen_of_one_row() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table, unseen=(2,))
    table.show(4.0)
    assert begun(table)
    plays(table, *THROWN)
    assert table.hand == discards(*THROWN)


def test_discards_begin_a_hand_of_which_two_rows_are_not_seen() -> None:
    """It begins late, with all that was discarded before."""
    table = Recorded()
    table.show(2.0)
    deal(table, unseen=(2, 3))
    table.show(6.0)
    assert not begun(table)
    plays(table, *THROWN)
    assert table.events[0] == HandStart(dealer=0)
    assert table.hand == discards(*THROWN)


def test_a_set_laid_before_such_a_hand_begins_is_told() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table, unseen=(2, 3))
    table.show(4.0)
    plays(table, (0, "1m"))
    thrown = table.put(1, "9p")
    table.show(2.0)
    table.stage.take(thrown)
    table.stage.set_down(2, "999p", 2)
    table.show(3.0)
    plays(table, (2, "3s"), (3, "7m"))
    assert [type(event).__name__ for event in table.hand] == [
        "Discard", "Discard", "Pung", "Discard", "Discard",
    ]  # fmt: skip


@pytest.mark.parametrize("rules", ["harbin-hlr", "taiwan"])
def test_rows_that_are_longer_than_hands_are_walls(rules: str) -> None:
    table = Recorded(rules)
    table.show(2.0)
    for seat in range(4):
        stand(table, seat, 18, range(1, 18, 2))
    table.show(6.0)
    assert not begun(table)


def wall(table: Recorded, seat: int, *standing: int) -> None:
    """A wall before a player, of which the tiles in these places seem to stand."""
    backs = [table.stage.put(seat, TILE_MM * (place - 8), 345) for place in range(17)]
    for place in standing:
        table.stage.change(backs[place], side=Side.STANDING)


def test_walls_of_which_some_tiles_seem_to_stand_are_no_hands() -> None:
    table = Recorded()
    table.show(2.0)
    for seat in range(4):
        wall(table, seat, 3, 6, 9, 12, 14)
    table.show(6.0)
    assert not begun(table)


def test_two_such_walls_and_a_face_now_and_then_are_no_hand_that_is_played() -> None:
    table = Recorded()
    table.show(2.0)
    for seat in range(2):
        wall(table, seat, 3, 5, 6, 8, 9, 11, 12, 14)
    table.show(4.0)
    for place in range(3):
        table.put(0, f"{place + 1}m", place)
        table.show(2.0)
    assert not begun(table)


def test_only_the_dealer_holds_a_tile_more() -> None:
    """Walls of 112 tiles are as long as the dealer's hand."""
    table = Recorded()
    table.show(2.0)
    for seat in range(4):
        stand(table, seat, table.hand_size + 1, range(1, table.hand_size, 2))
    table.show(6.0)
    assert not begun(table)


def test_tiles_that_are_mixed_before_standing_rows_begin_no_hand() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table, unseen=(2, 3))
    table.show(2.0)
    for place in range(3):
        for seat in range(2):
            table.put(seat, f"{place + 1 + 4 * seat}m", place)
    table.show(6.0)
    assert not begun(table)


@pytest.mark.parametrize("overlooked", [True, False])
@pytest.mark.parametrize(
    ("rules", "count"), [("harbin-hlr", 4), ("harbin-hlr", 8), ("taiwan", 8), ("taiwan", 12)]
)
def test_a_deal_by_fours_has_not_ended(rules: str, count: int, overlooked: bool) -> None:
    table = Recorded(rules)
    table.show(2.0)
    for seat, lack in enumerate(LACK):
        stand(table, seat, count, lack if overlooked else ())
    table.show(6.0)
    assert not begun(table)


def test_such_a_hand_is_found_under_way() -> None:
    table = Recorded()
    deal(table)
    for turn, (seat, face) in enumerate(THROWN * 2):
        table.put(seat, face if turn < 4 else f"{turn}s", turn // 4)
    table.show(4.0)
    assert [type(event) for event in table.events] == [HandStart, Position]
    plays(table, (0, "8p"), place=2)
    assert table.hand[-1:] == discards((0, "8p"))


def test_three_things_that_stand_far_apart_are_no_hand_under_way() -> None:
    table = Recorded()
    for seat in range(4):
        stand(table, seat, 13, {*range(13)} - {0, 5, 12})
    for turn, (seat, face) in enumerate(THROWN * 2):
        table.put(seat, face if turn < 4 else f"{turn}s", turn // 4)
    table.show(6.0)
    assert not begun(table)


def test_hands_that_stand_beside_an_open_one_are_of_a_hand_that_is_over() -> None:
    """The table is seen first when somebody has won; then the discards are mixed."""
    table = Recorded()
    for seat in range(1, 4):
        table.stage.stand(seat, 13)
    table.stage.lay(0, "123m 456p 789s 11s 999s", -190)
    thrown = [table.put(seat, f"{n + 1}m", n) for seat in range(4) for n in range(3)]
    table.show(4.0)
    assert table.decoder.decoder.found_over
    table.stage.take(*thrown)
    table.show(3.0)
    for seat, face in ((0, "1p"), (1, "2p")):
        table.put(seat, face)
        table.show(2.0)
    assert not begun(table)
    table.clear()
    deal(table)
    table.show(2.0)
    assert begun(table)


def test_a_row_that_an_arm_hides_after_a_hand_is_not_dealt_anew() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table, unseen=(2, 3))
    table.show(2.0)
    for turn in range(8):
        plays(table, (turn % 4, f"{turn + 1}m"), place=turn // 4)
    table.stage.take(*faces_of(table))
    table.show(4.0)
    assert not begun(table)
    seen = table.decoder.decoder.observation
    assert seen is not None
    hidden = [tile.id for tile in seen.placed if tile.own_places[0][1] > 300]
    covered = [table.stage.take_up(tile) for tile in hidden]
    table.show(0.6)
    for tile in covered:
        table.stage.lay_again(tile)
    table.show(2.0)
    for place in range(3):
        table.put(place % 2, f"{place + 1}p", place)
        table.show(2.0)
    assert not begun(table)


def test_a_hand_that_was_dealt_while_nobody_looked_begins() -> None:
    table = Recorded()
    table.show(2.0)
    deal(table)
    table.show(2.0)
    for turn in range(8):
        plays(table, (turn % 4, f"{turn + 1}m"), place=turn // 4)
    table.stage.time_s += 90.0
    table.stage.clear()
    deal(table, 1)
    table.show(4.0)
    plays(table, (1, "9p"), (2, "3s"))
    assert table.hand == discards((1, "9p"), (2, "3s"))


def test_rows_that_stood_for_a_moment_and_are_gone_are_no_hand_at_the_first_face() -> None:
    """As walls that are built when the table is seen first."""
    table = Recorded()
    deal(table)
    table.show(0.8)
    table.stage.clear()
    for seat in range(4):
        stand(table, seat, 5, ())
    table.show(0.4)
    table.put(0, "1m")
    table.show(1.0)
    assert not begun(table)
