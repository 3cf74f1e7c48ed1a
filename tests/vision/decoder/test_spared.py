from __future__ import annotations

import pytest

from engine.events import Chow, Discard, Event, GameStart, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
from tests.support.recorded import Recorded
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import charges_now
from vision.decoder.search import KEPT, MAY_BE, distinct

FACES = [f"{rank}{suit}" for suit in "mp" for rank in range(1, 10)]


def discarded(seat: int, face: str, cost: float) -> Hypothesis:
    told: Hypothesis | None = Hypothesis(RULE_SETS["riichi"], State())
    events: list[Event] = [GameStart("riichi"), HandStart(dealer=seat), Discard(seat, Tile(face))]
    for change, event in enumerate(events):
        assert told is not None
        told = told.then(Explained(float(change), change, event))
    assert told is not None
    return told.costing(settled=told.settled + cost - told.cost)


def test_beside_the_best_few_another_act_is_kept_and_no_further_face() -> None:
    faces = [discarded(0, face, at / 10) for at, face in enumerate(FACES[: KEPT + 2])]
    other, hopeless = discarded(1, "9s", MAY_BE - 1), discarded(2, "9s", MAY_BE + 1)
    kept = distinct([*faces, other, hopeless])
    seats = [one.events[-1].event.seat for one in kept]  # type: ignore[union-attr]
    assert seats == [0] * KEPT + [1]


@pytest.mark.parametrize("by_person", [False, True])
def test_what_breaks_a_rule_costs_unless_a_person_said_it(by_person: bool) -> None:
    thrown = discarded(0, "5m", 0.0)
    across = Chow(2, 0, Tile("5m"), (Tile("4m"), Tile("6m")))
    after = thrown.then(Explained(3.0, 3, across, by_person=by_person))
    assert after is not None
    assert after.hand[-1].flawed is not by_person


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
