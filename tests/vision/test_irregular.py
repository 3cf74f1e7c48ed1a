"""What breaks the rules is told as what it was; what is no move is not told at all."""

from __future__ import annotations

from engine.announce import Problem
from engine.events import Chow, Discard, Entry
from engine.tiles import Tile
from tests.vision.seen import Seen
from tests.vision.tables import set_at_corner


def test_a_chow_from_across_is_told_and_flagged() -> None:
    seen = Seen("wsom")
    seen.deal()
    tile = seen.discard(0, "6s", 2)
    seen.stage.take(tile)
    seen.stage.stand(2, 11)
    set_at_corner(seen.stage, 2, ["5s", "6s", "7s"], turned=1)
    seen.show(2.0)
    chow = Chow(2, 0, Tile("6s"), (Tile("5s"), Tile("7s")))
    assert seen.events == [Discard(0, Tile("6s")), chow]
    best = seen.interpreter.best
    said = best.rules.apply(best.before[-1], Entry(chow), 99).announcements
    codes = [one.code for one in said if isinstance(one, Problem)]
    assert codes == ["not_left_neighbour"]


def test_a_sleeve_over_the_river_tells_nothing() -> None:
    seen = Seen()
    seen.deal()
    for seat in range(4):
        seen.stage.stand(seat, 13)
    tiles = [seen.discard(turn % 4, f"{turn + 1}m", turn) for turn in range(6)]
    before = seen.events
    covered = [seen.stage.take_up(tile) for tile in tiles[2:]]
    seen.stage.busy = frozenset({1})
    seen.show(4.0)
    for tile in covered:
        seen.stage.lay_again(tile)
    seen.stage.busy = frozenset()
    seen.show(2.0)
    assert seen.events == before


def test_a_phone_put_on_the_felt_tells_nothing() -> None:
    """It hides two discards and stays."""
    seen = Seen()
    seen.deal()
    for seat in range(4):
        seen.stage.stand(seat, 13)
    tiles = [seen.discard(turn % 4, f"{turn + 1}m", turn) for turn in range(4)]
    before = seen.events
    for tile in tiles[2:]:
        seen.stage.take_up(tile)
    seen.show(5.0)
    assert seen.events == before
    seen.discard(0, "9p", 5)
    assert seen.events == [*before, Discard(0, Tile("9p"))]


def test_somebody_who_points_tells_nothing() -> None:
    seen = Seen()
    seen.deal()
    seen.discard(0, "1m")
    for seat in (2, 3):
        seen.stage.busy = frozenset({seat})
        seen.show(1.5)
    seen.stage.busy = frozenset()
    seen.show(2.0)
    assert seen.events == [Discard(0, Tile("1m"))]
