"""A tile that is covered for a while changes nothing of what was told: it is no sight of a tile."""

from __future__ import annotations

import pytest

from engine.events import Discard, Win
from tests.support.recorded import Recorded
from tests.support.tables import discards, shares, won

RULES = ("harbin-hlr", "hangzhou", "riichi")
FACES = ("1m", "9p", "3s", "7m", "2p", "8s", "4m", "6p")


def played(rules: str) -> tuple[Recorded, list[int]]:
    """Two discards of each seat, and their tiles."""
    table = Recorded(rules)
    table.deal()
    tiles = [table.discard(turn % 4, face, turn // 4) for turn, face in enumerate(FACES)]
    return table, tiles


@pytest.mark.parametrize("rules", ["riichi", "wsom", "hangzhou"])
@pytest.mark.parametrize("covered", [(7,), (6, 7), (0, 7)])
def test_a_win_by_own_draw_stays_one_when_the_discard_beside_it_is_covered(
    rules: str, covered: tuple[int, ...]
) -> None:
    """The hand was laid open seconds before, and a tile of it is read a little otherwise now."""
    table, tiles = played(rules)
    table.stage.stand(0, 0)
    row = table.stage.lay(0, "123m 234p 789s 45p 99m 6p", -190, apart_mm=20.0)
    table.show(6.0)
    told, lines = table.hand, len(table.lines)
    win = told[-1]
    assert isinstance(win, Win)
    assert win.from_seat == 0
    for place in covered:
        table.stage.take(tiles[place])
    table.show(3.0)
    table.stage.change(row[4], probabilities=shares("3p", 0.95, "8p"))
    table.show(3.0)
    assert table.hand == told
    assert table.lines[lines:] == []
    table.check()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("covered", [(7,), (6, 7), (5, 7)])
def test_a_discard_that_seemed_taken_back_is_the_same_once_it_is_seen_again(
    rules: str, covered: tuple[int, ...]
) -> None:
    """Its player's row was counted as if it held the tile again."""
    table, tiles = played(rules)
    lay = [table.stage.take_up(tiles[place]) for place in covered]
    table.stage.stand(3, 14)
    table.show(4.0)
    for tile in lay:
        table.stage.lay_again(tile)
    table.show(3.0)
    assert table.hand == discards(*((turn % 4, face) for turn, face in enumerate(FACES)))
    table.stage.stand(3, 13)
    table.plays((0, "5s"), (1, "5m"), place=2)
    assert table.hand[-2:] == discards((0, "5s"), (1, "5m"))
    assert all(event.tile.known for event in table.hand if isinstance(event, Discard))
    table.check()


@pytest.mark.parametrize("rules", ["riichi", "wsom"])
def test_a_discard_that_the_winner_takes_seconds_later_is_what_the_hand_won_with(
    rules: str,
) -> None:
    """A film of pictures shows it 2.6 s after the hand was laid open."""
    table, tiles = played(rules)
    before = table.hand
    table.stage.stand(0, 0)
    row = table.stage.lay(0, "123m 234p 789s 45p 99m", -190)
    table.show(2.6)
    table.stage.take(tiles[7])
    table.show(1.0)
    table.stage.change(row[4], probabilities=shares("3p", 0.9, "8p"))
    table.show(4.0)
    assert table.hand[: len(before)] == before
    assert won(table.hand[-1]) == (0, 3, "6p")
    table.check()
