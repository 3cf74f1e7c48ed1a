"""Discards that nobody saw, or that are seen late; and what lies open that is no such row."""

from __future__ import annotations

import pytest

from engine.events import Discard, HandStart
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import discards
from vision.decoder import open_hands
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.open_hands import OpenHands, Rows
from vision.tracking.falls import Falls


@pytest.mark.parametrize(("rules", "dealer"), [("harbin-hlr", 0), ("riichi", 3)])
def test_the_row_that_falls_tells_the_dealer_who_discarded(rules: str, dealer: int) -> None:
    table = Seen(rules)
    table.deal(dealer)
    table.stage.busy = frozenset({dealer})
    table.show(0.4)
    table.stage.stand(dealer, 13)
    fell_s = table.stage.time_s
    table.show(0.4)
    table.stage.busy = frozenset()
    table.show(1.2)
    following = (dealer + 1) % 4
    table.discard(following, "9s")
    start = table.best.events[1].event
    assert isinstance(start, HandStart)
    assert start.dealer == dealer
    assert table.events == discards((dealer, "?"), (following, "9s"))
    assert table.best.events[2].time_s == pytest.approx(fell_s, abs=0.3)


@pytest.mark.parametrize(
    ("counts", "fell"),
    [
        ([(14, 1.0), (13, 1.0)], True),
        ([(14, 1.0), (9, 0.6), (13, 1.0)], True),  # a sleeve hid some
        ([(14, 0.2), (13, 1.0)], False),  # counted once
        ([(14, 1.0), (13, 0.2)], False),
        ([(14, 1.0), (9, 6.0), (13, 1.0)], False),
        ([(14, 1.0), (12, 1.0)], False),
        ([(13, 1.0), (12, 1.0)], False),
    ],
)
def test_a_row_falls_when_both_numbers_of_tiles_have_stood(
    counts: list[tuple[int, float]], fell: bool
) -> None:
    falls, time_s = Falls(), 0.0
    for count, lasts_s in counts:
        for _ in range(round(lasts_s / 0.2)):
            falls.update((0, count, 0, 0), time_s)
            time_s += 0.2
    assert (falls.fell(1, 14, 0.0, time_s) is not None) == fell
    assert falls.fell(1, 14, time_s, 99.0) is None
    assert falls.fell(2, 14, 0.0, time_s) is None


@pytest.mark.parametrize("late_first", [True, False])
def test_a_discard_that_is_seen_late_is_told_by_its_place_in_the_row(late_first: bool) -> None:
    """Seat 2's first discard is found only once its second one lies there."""
    seen = Seen("wsom")
    seen.deal()

    def throw(seat: int, face: str, column: int) -> None:
        seen.stage.busy = frozenset({seat})
        seen.show(0.4)
        seen.stage.put(seat, (column - 2.5) * 31, 110, face)
        seen.show(0.4)
        seen.stage.busy = frozenset()
        seen.show(0.8)

    others = ((0, "1m", 0), (1, "9p", 0), (3, "3s", 0), (0, "2m", 1), (1, "8p", 1))
    for thrown in others:
        throw(*thrown)
    first, second = (2, "5s", 1), (2, "7z", 0)
    for thrown in (second, first) if late_first else (first, second):
        throw(*thrown)
    seat_2 = [event for event in seen.events if isinstance(event, Discard) and event.seat == 2]
    assert seat_2 == discards((2, "7z"), (2, "5s"))


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
