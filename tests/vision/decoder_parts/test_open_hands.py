"""Which rows that lie open fill the steps of which hand."""

from __future__ import annotations

import pytest

from engine.events import Deal, Discard, Event, Flower, GameStart, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.rows import watched
from vision.decoder import open_hands
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.open_hands import OpenHands, Rows


def hand(change: int, tile: str) -> tuple[Explained, ...]:
    discard = Explained(change + 1.0, change + 1, Discard(0, Tile(tile)))
    return Explained(float(change), change, HandStart()), discard


def test_what_lies_open_now_is_no_row_of_an_old_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a person puts something right in that hand, which is filled in again."""
    asked: list[tuple[Explained, Rows]] = []

    def filled(steps: tuple[Explained, ...], *given: object) -> tuple[Explained, ...]:
        _, _, rows, _ = given
        assert isinstance(rows, dict)
        asked.append((steps[1], rows))
        return steps

    monkeypatch.setattr(open_hands, "_filled", filled)
    first, mended, second = hand(1, "5m"), hand(1, "6m"), hand(3, "7m")
    then: Rows = {0: ()}
    now: Rows = {1: ()}
    hands, rules = OpenHands(), RULE_SETS["riichi"]
    for steps, rows in ((first, then), ((*mended, *second), now)):
        hands.fill(steps, Hypothesis(rules, State(), steps, (State(),) * len(steps)), rows)
    assert asked == [(first[1], then), (mended[1], then), (second[1], now)]


def test_a_row_tells_which_tile_came_for_a_flower() -> None:
    told: list[tuple[float, Event]] = [
        (0.0, GameStart("hong-kong", {"flowers": True})),
        (1.0, HandStart(dealer=0)),
        (10.0, Discard(0, Tile("9m"))),
        (13.0, Flower(1, UNKNOWN)),
        (14.0, Discard(1, Tile("3z"))),
    ]
    best: Hypothesis | None = Hypothesis(RULE_SETS["hong-kong"], State())
    for number, (time_s, event) in enumerate(told):
        assert best is not None, "the events are possible"
        best = best.then(Explained(time_s, number, event))
    assert best is not None, "the events are possible"
    seen = watched((3, 12, "123m 456p 78s 55p 134z"), (15, 28, "1123m 456p 78s 55p 14z"))
    filled = [step.event for step in OpenHands().fill(best.events, best, {1: tuple(seen.stood)})]
    (deal,) = [event for event in filled if isinstance(event, Deal)]
    assert sorted(deal.tiles) == sorted(parse("123m 456p 78s 55p 134z"))
    assert Flower(1, UNKNOWN, Tile("1m")) in filled
    assert len([event for event in filled if isinstance(event, Flower)]) == 1
