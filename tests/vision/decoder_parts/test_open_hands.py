"""Which rows that lie open fill the steps of which hand."""

from __future__ import annotations

import pytest

from engine.events import Discard, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
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
