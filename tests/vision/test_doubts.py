"""What is doubtful stays so until it is decided: by look-ahead, by the rules, by a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import Chow, Discard, HandStart, Win
from engine.tiles import Tile
from tests.vision.seen import Seen
from tests.vision.tables import set_at_corner, shares
from vision.telling.scene import nothing_there


@pytest.fixture
def seen() -> Seen:
    table = Seen()
    table.deal()
    return table


def test_a_claimed_tile_that_is_misread_twice_is_told_by_how_it_lies(seen: Seen) -> None:
    """Neither the discard nor the sideways tile is likeliest what both may be."""
    tile = seen.discard(0, "1s", sure=0.6, other="2s")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    before = seen.stage.known
    set_at_corner(seen.stage, 1, ["3s", "1s", "3s"], turned=0)
    turned = min(seen.stage.known - before)
    seen.stage.change(turned, probabilities=shares("3s", 0.5, "2s"))
    seen.show(1.6)
    assert seen.events == [
        Discard(0, Tile("2s")),
        Chow(1, 0, Tile("2s"), (Tile("1s"), Tile("3s"))),
    ]


@pytest.mark.parametrize(
    ("counts", "dealer"), [((13, 13, 14, 13), 2), ((13, 14, 12, 13), 1), ((12, 13, 12, 14), 3)]
)
def test_fourteen_standing_tiles_make_the_dealer(counts: tuple[int, ...], dealer: int) -> None:
    table = Seen()
    for seat, count in enumerate(counts):
        table.stage.stand(seat, count)
    table.show(2.0)
    first, second = table.interpreter._stories()[:2]
    start = first.told[-1].event
    assert isinstance(start, HandStart)
    assert start.dealer == dealer
    assert second.cost > 3.0


def test_a_face_far_from_an_open_hand_is_no_tile_of_it(seen: Seen) -> None:
    seen.discard(0, "9s")
    seen.stage.stand(1, 0)
    hand = ("2m", "3m", "4m", "1s", "2s", "3s", "7p", "7p", "7p", "8p", "8p", "5m", "6m")
    for place, face in enumerate(hand):
        seen.stage.put(1, -170 + 30 * place, 345, face)
    seen.stage.put(1, -345, 345, "4s")
    drawn = seen.stage.put(1, -170 + 30 * 13 + 15, 345, "7m")
    assert drawn in seen.stage.known
    seen.show(6.0)
    won = seen.events[-1]
    assert isinstance(won, Win)
    assert (won.tile, len(won.hand or ())) == ("7m", 13)


def test_what_the_finder_is_unsure_of_is_likelier_nothing(seen: Seen) -> None:
    tile = seen.discard(0, "9s")
    placed = seen.watcher.tiles[tile]
    costs = [nothing_there(replace(placed, score=score)) for score in (0.3, 0.6, 0.8, 0.95)]
    assert costs == sorted(costs)
    assert costs[0] < 4.0
    assert costs[-1] > 8.0
