"""What was told of a hand does not change while its tiles are washed away."""

from __future__ import annotations

from engine.events import HandEnd, Win
from engine.tiles import Tile
from tests.support.recorded import with_rivers
from tests.support.tables import shares


def test_discards_that_are_washed_away_stay_as_they_were_told() -> None:
    """Five were moved together: nobody took one of them back."""
    table, tiles = with_rivers()
    hand = table.hand
    table.shake(tiles[:5])
    assert table.hand == hand
    table.show(3.0)
    assert table.hand == hand


def test_nor_do_they_change_once_the_next_hand_is_dealt() -> None:
    table, tiles = with_rivers()
    hand = table.hand
    table.shake(tiles)
    table.clear()
    told = len(table.lines)
    table.deal(dealer=1)
    assert table.events[1 : 1 + len(hand)] == hand
    assert len(table.lines) > told


def test_a_win_stays_as_it_was_told() -> None:
    table, tiles = with_rivers()
    tiles.append(table.discard(0, "9s", 2, sure=0.99))
    tiles.append(table.put(1, "2p", 2))
    table.stage.change(tiles[-1], probabilities=shares("2p", 0.3, "3p"), score=0.5)
    table.show(3.0)
    table.stage.stand(0, 0)
    table.stage.lay(0, "111m222p333s77m33p", -170, apart_mm=20)
    table.show(4.0)
    won, before = table.hand[-1], table.hand
    assert isinstance(won, Win)
    assert (won.from_seat, won.tile) == (1, Tile("3p"))
    table.shake(reversed(tiles))
    table.shake(sorted(table.stage.known)[:30], each_s=0.2)
    assert table.hand == before
    table.clear()
    assert table.hand == [*before, HandEnd()]
    table.check()
