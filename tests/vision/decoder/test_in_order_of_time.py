"""What is told is told in the order of play: no event has an earlier time than the one before."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.events import Discard
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import chow, discards, won
from vision.decoder.decoder import Decoder


def back_in_time(decoder: Decoder) -> list[tuple[object, object]]:
    """Neighbours that are told with times against their order."""
    told = [entry for entry in decoder.decoding().told if entry.t is not None]
    return [
        (one.event, two.event) for one, two in pairwise(told) if (two.t or 0.0) < (one.t or 0.0)
    ]


@pytest.mark.parametrize("rules", ["harbin-hlr", "riichi", "wsom"])
@pytest.mark.parametrize("winner", [1, 2])
@pytest.mark.parametrize("late_s", [0.4, 1.6, 4.0])
def test_a_win_is_told_after_the_discard_that_was_seen_after_it(
    rules: str, winner: int, late_s: float
) -> None:
    seen = Seen(rules)
    seen.deal()
    thrown = [(turn % 4, face) for turn, face in enumerate(("1z", "2z", "3z", "9s", "8s", "1p"))]
    giver = (winner + 2) % 4
    while thrown[-1][0] != (giver - 1) % 4:
        thrown.append(((thrown[-1][0] + 1) % 4, f"{len(thrown)}s"))
    for place, (seat, face) in enumerate(thrown):
        seen.discard(seat, face, place // 4)
    seen.stage.stand(winner, 0)
    seen.stage.lay(winner, "234m 456p 678s 999m 4p", -190, apart_mm=0.0)
    seen.stage.busy = frozenset({giver})
    seen.show(late_s)
    seen.stage.busy = frozenset()
    seen.stage.put(giver, 60, 110, "4p")
    seen.show(6.0)
    assert won(seen.events[-1])[:2] == (winner, giver)
    assert seen.events[-2] == Discard(giver, Tile("4p"))
    assert back_in_time(seen.decoder) == []


@pytest.mark.parametrize("others", [1, 2, 3])
def test_a_claim_of_readiness_that_is_seen_late_stays_before_what_others_played(
    others: int,
) -> None:
    """The discard of who lays the hand down has lain there for a while."""
    seen = Seen("harbin-hlr")
    seen.deal()
    seen.claim(seen.discard(0, "5p"), 1, "555p")
    for place, (seat, face) in enumerate(((1, "9s"), (2, "9s"), (3, "9m"), (0, "1p"))):
        seen.discard(seat, face, place)
    seen.discard(1, "2s", 4)
    for turn in range(others):
        seen.discard((2 + turn) % 4, f"{turn + 4}m", 5 + turn)
    seen.stage.stand(1, 0)
    seen.stage.lay(1, "?" * 10, -170)
    seen.show(3.0)
    assert Discard(1, Tile("2s"), ready=True) in seen.events
    assert back_in_time(seen.decoder) == []


@pytest.mark.parametrize("shown_s", [0.2, 0.4])
def test_a_discard_that_nobody_saw_comes_after_what_was_seen_before(shown_s: float) -> None:
    """It was taken at once: two discards and a set within a moment."""
    seen = Seen("wsom")
    seen.deal()
    seen.discard(0, "1m")
    seen.stage.put(1, 0, 110, "9p")
    seen.show(shown_s)
    seen.claim(None, 3, "435p", 0, 2.5)
    assert seen.events == [*discards((0, "1m"), (1, "9p"), (2, "4p")), chow(3, 2, "4p", "35p")]
    assert back_in_time(seen.decoder) == []
