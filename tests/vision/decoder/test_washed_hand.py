"""What was told of a hand does not change while its tiles are washed away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.events import HandEnd, Win
from engine.tiles import Tile
from tests.support.recorded import Recorded
from tests.support.tables import shares
from vision.decoder.emission import clutter_cost


def shake(table: Recorded, tiles: Iterable[int], each_s: float = 0.4) -> None:
    """So much moves that nothing is read; one of these tiles after the other is gone."""
    for tile in tiles:
        table.stage.take(tile)
        for seen in table.stage.shown(each_s):
            table.lines += table.decoder.observe(replace(seen, unrest=0.6))


@pytest.fixture
def rivers() -> tuple[Recorded, list[int]]:
    """A hand after eight discards, and these."""
    table = Recorded("hong-kong")
    table.deal()
    faces = ("9s", "1m", "9s", "9s", "2m", "5p", "8m", "6s")
    return table, [table.discard(at % 4, face, at // 4) for at, face in enumerate(faces)]


def things(table: Recorded, tiles: Iterable[int]) -> list[float]:
    """What it costs that each of these is no tile of the game."""
    evidence = table.decoder.decoder.evidence()
    return [clutter_cost(tile, evidence) for tile in tiles]


def test_a_discard_that_is_washed_away_is_not_taken_for_a_thing(
    rivers: tuple[Recorded, list[int]],
) -> None:
    table, tiles = rivers
    before, hand = things(table, tiles), table.hand
    assert min(before) > 5.0
    shake(table, tiles[:5])
    assert things(table, tiles) == before
    table.show(3.0)
    assert things(table, tiles) == before, "five were moved together: nobody took one of them back"
    assert table.hand == hand


def test_nor_is_it_once_the_next_hand_is_dealt(rivers: tuple[Recorded, list[int]]) -> None:
    table, tiles = rivers
    before, hand = things(table, tiles), table.hand
    shake(table, tiles)
    table.clear()
    assert things(table, tiles) == before
    told = len(table.lines)
    table.deal(dealer=1)
    assert things(table, tiles) == before
    assert table.events[1 : 1 + len(hand)] == hand
    assert len(table.lines) > told


def test_a_single_discard_that_is_gone_after_a_bump_may_have_been_a_thing(
    rivers: tuple[Recorded, list[int]],
) -> None:
    table, tiles = rivers
    before = things(table, tiles)
    shake(table, tiles[-1:])
    assert things(table, tiles) == before
    table.show(3.0)
    assert things(table, tiles[-1:])[0] < before[-1]


def test_a_win_stays_as_it_was_told(rivers: tuple[Recorded, list[int]]) -> None:
    table, tiles = rivers
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
    shake(table, reversed(tiles))
    shake(table, sorted(table.stage.known)[:30], each_s=0.2)
    assert table.hand == before
    table.clear()
    assert table.hand == [*before, HandEnd()]
    table.check()
