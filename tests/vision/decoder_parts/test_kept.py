"""Which hypotheses are kept, and what a broken rule costs them."""

from __future__ import annotations

import pytest

from engine.events import Discard, Event, GameStart, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
from tests.support.tables import chow, discards
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import WORST, distinct


def discarded(seat: int, face: str, cost: float, tile: int = 7) -> Hypothesis:
    told: Hypothesis | None = Hypothesis(RULE_SETS["riichi"], State())
    events: list[Event] = [GameStart("riichi"), HandStart(dealer=seat), Discard(seat, Tile(face))]
    for change, event in enumerate(events):
        assert told is not None
        told = told.then(Explained(float(change), change, event, tile if change == 2 else None))
    assert told is not None
    return told.costing(settled=told.settled + cost - told.cost)


def test_of_one_future_two_are_carried_on_and_of_others_too() -> None:
    """Which face lies there changes nothing that comes later; who put it there does."""
    faces = [discarded(0, face, at / 10) for at, face in enumerate(("1m", "2m", "3m"))]
    same, other = discarded(0, "1m", 0.05), discarded(1, "9s", 9.0)
    hopeless = discarded(2, "9s", WORST + 1.0)
    kept = distinct([faces[0], same, *faces[1:], other, hopeless])
    thrown = [one.events[-1].event for one in kept]
    assert thrown == discards((0, "1m"), (0, "2m"), (1, "9s"))


@pytest.mark.parametrize("by_person", [False, True])
def test_what_breaks_a_rule_costs_unless_a_person_said_it(by_person: bool) -> None:
    thrown = discarded(0, "5m", 0.0)
    across = chow(2, 0, "5m", "46m")
    after = thrown.then(Explained(3.0, 3, across, by_person=by_person))
    assert after is not None
    assert after.hand[-1].flawed is not by_person
