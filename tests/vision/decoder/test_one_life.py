"""A tile explains one discard, and what was told is not told anew when it is seen again."""

from __future__ import annotations

import pytest

from engine.events import Correct
from tests.support.recorded import Recorded
from tests.support.tables import discards

RULES = ("harbin-hlr", "riichi")
THROWN = ((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))
AFTER = ((0, "2p"), (1, "8s"))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("which", [1, 3])
@pytest.mark.parametrize("later", [0, 2])
def test_a_discard_that_was_covered_and_is_seen_again_is_the_same_one(
    rules: str, which: int, later: int
) -> None:
    """It was missed for so long that it was taken to be gone, while others played on."""
    table = Recorded(rules)
    table.deal()
    tiles = [table.discard(seat, face) for seat, face in THROWN]
    table.stage.stand(0, 13)
    covered = table.stage.take_up(tiles[which])
    table.show(3.0)
    table.plays(*AFTER[:later], place=1)
    table.stage.lay_again(covered)
    table.show(3.0)
    assert table.hand == discards(*THROWN, *AFTER[:later])
    table.plays(*AFTER[later:], place=1)
    assert table.hand == discards(*THROWN, *AFTER)
    assert not any(isinstance(line.event, Correct) for line in table.lines)
    table.check()


def test_a_discard_in_the_place_of_one_that_was_claimed_is_another_one() -> None:
    table = Recorded("riichi")
    table.deal()
    tile = table.discard(0, "5p")
    lay = table.stage.take_up(tile)
    table.stage.stand(3, 11)
    table.stage.set_down(3, "555p", turned=2)
    table.show(2.0)
    table.discard(3, "1m")
    again = table.put(0, "7s")
    table.stage.change(again, x_mm=lay.x_mm, y_mm=lay.y_mm)
    table.show(3.0)
    assert table.hand[-2:] == discards((3, "1m"), (0, "7s"))
