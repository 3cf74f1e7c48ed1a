"""Which changes of the table are noticed."""

from __future__ import annotations

import pytest

from tests.support.recorded import Recorded
from tests.support.seen_inside import SeenInside
from tests.support.tables import discards, shares
from vision.decoder.changes import Cleared, HandsStand

THROWN = ((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))


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


@pytest.mark.parametrize(("gone", "standing", "cleared"), [(5, 13, 0), (5, 8, 1), (7, 13, 1)])
def test_a_hand_is_cleared_away_when_most_is_gone_and_the_hands_or_when_all_is(
    seen: SeenInside, gone: int, standing: int, cleared: int
) -> None:
    """A deal follows the clearing before it however soon it comes."""
    seen.stage.stand(0, 13)
    thrown = [seen.discard(turn % 4, f"{turn + 1}m", turn) for turn in range(7)]
    seen.stage.take(*thrown[:gone])
    for seat in range(4):
        seen.stage.stand(seat, standing)
    looks = seen.stage.shown(3.0)
    changes = [change for look in looks for change in seen.decoder.segmenter.update(look)]
    found = [change for change in changes if isinstance(change, Cleared)]
    assert len(found) == cleared
    if gone == len(thrown):
        dealt = changes[-1]
        assert (changes[:-1], type(dealt)) == (found, HandsStand)
        assert dealt.time_s >= found[0].time_s


def test_a_thing_that_is_hidden_while_the_table_is_taken_in_is_the_same_thing_later() -> None:
    """It does not appear for a second time: a hand lay over it."""
    table = Recorded("harbin-hlr")
    thing = table.stage.put(3, -60, 60, "9s")
    table.stage.change(thing, probabilities=shares("9s", 0.3, "5s"), score=0.55, looks=20)
    table.deal()
    table.plays(*THROWN)
    table.stage.time_s += 8.0
    there = table.stage.take_up(thing)
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    table.show(6.0)
    table.stage.lay_again(there)
    table.show(3.0)
    changes = [node.change for node in table.decoder.decoder.search.nodes]
    assert sum(change.tiles == (thing,) for change in changes) == 1
    assert table.hand == discards(*THROWN, (0, "5p"), (1, "6p"))
