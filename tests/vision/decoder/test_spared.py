from __future__ import annotations

from engine.events import Discard, Event, GameStart, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
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
