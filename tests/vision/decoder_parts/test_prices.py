"""What speaks against an explanation, in nats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from engine.tiles import Tile
from tests.support.recorded import Recorded, in_rows, with_rivers
from tests.support.seen_inside import SeenInside
from tests.support.tables import won
from vision.decoder.emission import charges_now, clutter_cost
from vision.decoder.prices import of_discard


def test_what_the_finder_is_unsure_of_is_likelier_nothing(seen: SeenInside) -> None:
    tile = seen.discard(0, "9s")
    placed = seen.table.tiles[tile]
    scored = [replace(placed, score=score) for score in (0.3, 0.6, 0.8, 0.95)]
    costs = [replace(seen.table, tiles={tile: one}).clutter(tile) for one in scored]
    assert costs == sorted(costs)
    assert costs[0] < 4.0
    assert costs[-1] > 8.0


def test_a_face_costs_as_much_after_the_end_as_it_would_in_play(seen: SeenInside) -> None:
    seen.claim(seen.discard(0, "5p"), 1, "555p")
    seen.discard(1, "9s")
    seen.stage.stand(1, 0)
    ready = seen.stage.lay(1, "?" * 10, -170)
    seen.show(1.6)
    seen.stage.take(*ready, seen.discard(2, "4m", 2))
    seen.stage.lay(1, "23m 123s 777p 99m 4m", -190, 20)
    seen.show(6.0)
    before = charges_now(seen.best, seen.table)["face"]
    late = seen.discard(3, "6p", 3)
    assert won(seen.events[-1]) == (1, 2, "4m")
    paid = charges_now(seen.best, seen.table)["face"] - before
    assert paid == pytest.approx(seen.table.face_cost(late, Tile("6p")), rel=0.1)


@pytest.mark.parametrize("claims", [0, 2])
def test_only_who_has_not_claimed_ready_makes_no_sideways_discard_without_it(claims: int) -> None:
    """After the claim a tile lies sideways where the sign itself was taken."""
    table = in_rows()
    for seat, face in enumerate(("1z", "2z", "3z", "4z")):
        table.discard(seat, face, sure=0.995)
        if seat == claims:
            table.stage.sticks = frozenset({claims})
            table.show(1.0)
    table.discard(0, "6z", place=1, sure=0.995)
    tile = table.put(0, "5z", place=2)
    table.stage.change(tile, turn_deg=90.0)
    table.show(0.4)
    decoder = table.decoder.decoder
    seen, before = decoder.evidence(), decoder.search.best
    cost = of_discard(seen, before, tile, 0, 0.0, table.stage.time_s, ready=False)
    assert cost["sign_ignored"] == (claims != 0)


def test_a_discard_that_is_gone_and_that_nobody_claimed_costs() -> None:
    table = Recorded()
    table.deal()
    tile = table.discard(0, "9s")
    decoder = table.decoder.decoder

    def absent() -> float:
        return charges_now(decoder.search.best, decoder.evidence())["absent"]

    assert absent() == 0
    table.stage.take(tile)
    table.show(0.2)
    assert absent() == 1


def things(table: Recorded, tiles: Iterable[int]) -> list[float]:
    """What it costs that each of these is no tile of the game."""
    evidence = table.decoder.decoder.evidence()
    return [clutter_cost(tile, evidence) for tile in tiles]


def test_a_discard_that_is_washed_away_is_not_taken_for_a_thing() -> None:
    table, tiles = with_rivers()
    before, hand = things(table, tiles), table.hand
    assert min(before) > 5.0
    table.shake(tiles[:5])
    assert things(table, tiles) == before
    table.show(3.0)
    assert things(table, tiles) == before, "five were moved together: nobody took one of them back"
    assert table.hand == hand


def test_nor_is_it_once_the_next_hand_is_dealt() -> None:
    table, tiles = with_rivers()
    before, hand = things(table, tiles), table.hand
    table.shake(tiles)
    table.clear()
    assert things(table, tiles) == before
    told = len(table.lines)
    table.deal(dealer=1)
    assert things(table, tiles) == before
    assert table.events[1 : 1 + len(hand)] == hand
    assert len(table.lines) > told


def test_a_single_discard_that_is_gone_after_a_bump_may_have_been_a_thing() -> None:
    table, tiles = with_rivers()
    before = things(table, tiles)
    table.shake(tiles[-1:])
    assert things(table, tiles) == before
    table.show(3.0)
    assert things(table, tiles[-1:])[0] < before[-1]
