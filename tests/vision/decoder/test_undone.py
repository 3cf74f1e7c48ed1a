"""Players put tiles back, or seem to: the record returns to how the game stood before."""

from __future__ import annotations

import pytest

from engine.events import Chow, Correct, Discard, Pung
from tests.support.recorded import Recorded
from tests.support.seen import Seen
from tests.support.tables import discards


@pytest.fixture
def seen(seen: Seen) -> Seen:
    """The dealer's row is counted as if one tile had been discarded."""
    seen.stage.stand(0, 13)
    return seen


@pytest.mark.parametrize("restarted", [False, True])
def test_a_discard_put_back_is_taken_back_with_a_reason(table: Recorded, restarted: bool) -> None:
    """Also one that was told before the program began again."""
    tile = table.discard(0, "1m")
    number = table.number(table.hand[-1])
    if restarted:
        table.restart()
        table.show(3.0)
    table.stage.take(tile)
    table.stage.stand(0, 14)
    table.show(6.0)
    assert table.hand == []
    assert table.lines[-1].event == Correct(number, (), "put_back")
    table.plays((0, "9p"), (1, "2p"), place=1)
    assert table.hand == discards((0, "9p"), (1, "2p"))
    table.check()


def test_a_discard_that_is_taken_for_a_claim_is_not_taken_back_in_between(table: Recorded) -> None:
    """Its player's row is miscounted meanwhile: it seems to hold the tile again."""
    tile = table.discard(0, "1m")
    table.stage.take(tile)
    table.stage.stand(0, 14)
    table.show(2.0)
    assert table.hand == discards((0, "1m"))
    table.stage.stand(0, 13)
    table.claim(None, 1, "111m", lasts_s=4.0)
    assert [type(event) for event in table.hand] == [Discard, Pung]
    assert not any(isinstance(line.event, Correct) for line in table.lines)
    table.check()


def test_a_hand_that_is_laid_down_has_no_standing_tiles_however_many_seem_to_stand() -> None:
    """After two sets seven tiles are the whole hand."""
    table = Recorded()
    table.deal()
    for row, (tiles, held) in enumerate((("111m", 11), ("222p", 8))):
        table.stage.take(table.discard(0, tiles[0] + tiles[-1]))
        table.stage.stand(1, held)
        table.stage.set_down(1, tiles, turned=0, row=row)
        table.show(4.0)
        table.discard(1, f"{row + 3}s", row)
        table.plays((2, f"{row + 5}s"), (3, f"{row + 5}s"), place=row)
    table.stage.stand(1, 4)
    for place in range(7):
        table.stage.put(1, 30 + 29 * place, 345)
    table.show(4.0)
    claim = next(event for event in table.hand if isinstance(event, Pung) and event.tile == "2p")
    assert claim.ready


def test_a_thing_that_lay_there_for_a_while_was_no_discard(seen: Seen) -> None:
    """It was taken for one, and the discard of the same seat for a second one."""
    seen.discard(0, "1m")
    thing = seen.discard(1, "7s", 1, sure=0.2, other="6s")
    seen.stage.change(thing, score=0.8, looks=3)
    seen.show(0.6)
    seen.discard(1, "9p", 2)
    seen.stage.take(thing)
    seen.show(3.0)
    seen.plays((2, "2p"), (3, "3p"), (0, "4p"), place=3)
    assert seen.events == discards((0, "1m"), (1, "9p"), (2, "2p"), (3, "3p"), (0, "4p"))


def test_tiles_of_a_hand_that_are_knocked_over_and_put_right_are_no_set(seen: Seen) -> None:
    seen.discard(0, "1m")
    seen.stage.stand(1, 10)
    fallen = seen.stage.set_down(1, "123p", turned=-1)
    seen.show(1.6)
    seen.stage.take(*fallen)
    seen.stage.stand(1, 13)
    seen.discard(1, "9p", 2)
    seen.show(3.0)
    seen.discard(2, "2p", 3)
    assert seen.events == discards((0, "1m"), (1, "9p"), (2, "2p"))


def test_two_tiles_of_a_hand_that_lay_open_for_a_while_and_stand_again_were_no_set() -> None:
    """The hypothesis in which they were a chow, of a discard that nobody saw, is given up."""
    seen = Seen("wsom")
    seen.deal()
    seen.discard(0, "1m")
    seen.stage.take(seen.discard(1, "7m", 1))
    seen.stage.stand(2, 11)
    fallen = seen.stage.lay(2, "24p", 100, out_mm=328)
    seen.show(3.0)
    (claim,) = (event for event in seen.events if isinstance(event, Chow))
    assert claim.seat == 2
    seen.discard(2, "8m", 2)
    seen.stage.take(*fallen)
    seen.stage.stand(2, 13)
    seen.show(3.0)
    assert not any(isinstance(event, Chow) for event in seen.events)


def test_a_claim_that_is_put_back_leaves_the_discard(seen: Seen) -> None:
    claimed = seen.claim(seen.discard(0, "5p"), 2, "555p", 1, 2.0)
    assert isinstance(seen.events[-1], Pung)
    seen.stage.take(*claimed)
    seen.stage.stand(2, 13)
    seen.stage.put(0, -88, 92, "5p")
    seen.show(4.0)
    assert seen.events == discards((0, "5p"))
    seen.discard(1, "9p", 2)
    assert seen.events == discards((0, "5p"), (1, "9p"))
