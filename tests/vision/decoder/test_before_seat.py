"""Who put a tile down, and what tiles mean that come to lie before one player."""

from __future__ import annotations

import pytest

from engine.events import Chow, Discard, Kong, Pung, Win
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import TILE_MM, chow, pung

STRIP_MM = 345.0
"""How far from the middle of the table hands stand and sets lie."""


@pytest.mark.parametrize(
    ("came_s", "cut", "why"),
    [
        ((0.0,) * 3 + (0.2,) * 3, 3, "two pungs"),
        ((0.0,) * 3 + (0.2,) * 4, 3, "a pung and a kong"),
        ((0.0,) * 4 + (0.2,) * 3, 4, "a kong and a pung"),
        ((0.0,) * 4 + (0.2,) * 4, 4, "two kongs"),
        ((0.0,) * 4 + (0.1,) + (0.2,) * 3, 4, "two kongs, a tile of one seen before the others"),
        ((0.0,) * 4 + (0.1,) + (0.3,) * 3, 4, "the same, and much before: no set has five tiles"),
    ],
)
def test_two_sets_that_lie_side_by_side_are_told_apart_by_when_they_came(
    came_s: tuple[float, ...], cut: int, why: str
) -> None:
    seen = Seen()
    seen.deal(dealer=0 if cut == 4 else 3)
    if cut == 3:
        seen.stage.take(seen.discard(3, "1m"))
        seen.stage.stand(3, 13)
    seen.stage.stand(0, 7)
    now_s = seen.stage.time_s
    for place, after_s in enumerate(came_s):
        first, size = (0, cut) if place < cut else (cut, len(came_s) - cut)
        outer = size == 4 and place in (first, first + 3)
        face = "" if outer else "1m" if place < cut else "9p"
        tile = seen.stage.put(0, 390.0 - TILE_MM * place, STRIP_MM, face)
        seen.stage.change(tile, first_s=now_s + after_s)
    seen.show(2.0)
    laid = [event for event in seen.events if isinstance(event, Pung | Kong)]
    kinds = [Pung if size == 3 else Kong for size in (cut, len(came_s) - cut)]
    assert [(type(one), one.tile) for one in laid] == [*zip(kinds, ("1m", "9p"), strict=True)], why


@pytest.mark.parametrize(("faces", "what"), [("3333s", Kong), ("333s 9p", Win), ("234s 9p", Win)])
def test_four_of_a_kind_beside_the_last_standing_tile_are_a_kong(faces: str, what: type) -> None:
    """Other four are a hand of which one tile seems to stand."""
    seen = Seen("wsom")
    seen.deal(dealer=2)
    thrown = seen.discard(2, "1m")
    for row, tiles in enumerate(("111m", "888p", "777z")):
        seen.stage.take(thrown)
        seen.stage.stand(0, 11 - 3 * row)
        seen.stage.set_down(0, tiles, turned=1, row=row)
        seen.show(2.0)
        seen.discard(0, f"{row + 1}s", row)
        seen.stage.stand(0, 10 - 3 * row)
        seen.discard(1, f"{row + 5}m", row)
        thrown = seen.discard(2, ("8p", "7z", "6s")[row], row + 1)
    seen.discard(3, "9p", 4)
    assert len(seen.state.players[0].melds) == 3
    seen.stage.stand(0, 1)
    seen.stage.lay(0, faces, -150)
    seen.show(6.0)
    assert type(seen.events[-1]) is what
    assert sum(isinstance(event, Kong) for event in seen.events) == (what is Kong)


def test_what_a_hand_lays_down_one_tile_after_the_other_is_one_set(seen: Seen) -> None:
    seen.stage.take(seen.discard(0, "6s"))
    seen.stage.stand(1, 11)
    for place, face in enumerate(("6s", "5s", "7s")):
        turn = 90.0 if place == 0 else 0.0
        seen.stage.put(1, 274.0 + 31 * place, 370, face, turn)
        seen.show(0.6)
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("6s")), chow(1, 0, "6s", "57s")]


def test_a_set_is_laid_beside_a_hand_of_which_few_tiles_are_found(seen: Seen) -> None:
    seen.stage.take(seen.discard(0, "6s"))
    seen.stage.stand(1, 2)
    seen.stage.set_down(1, "666s", turned=1)
    seen.show(2.0)
    assert seen.events == [Discard(0, Tile("6s")), pung(1, 0, "6s")]


def test_faces_of_a_hand_that_stands_are_no_set_beside_one_that_is_laid() -> None:
    seen = Seen("riichi")
    seen.deal()
    seen.stage.take(seen.discard(0, "2p"))
    seen.stage.stand(1, 9)
    seen.stage.set_down(1, "132p", turned=2)
    seen.stage.lay(1, "40m", 180)
    seen.show(2.0)
    laid = [event for event in seen.events if isinstance(event, Chow)]
    assert laid == [chow(1, 0, "2p", "13p")]
