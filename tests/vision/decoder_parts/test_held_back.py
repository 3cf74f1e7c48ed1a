"""How long a step is held back before it is told."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Literal, cast

import pytest

from engine.events import Chow, Discard, Event, Foul, HandStart, Indicator, Pung, Reveal, Win
from engine.rules.layout import TableLayout
from engine.tiles import Tile
from vision.decoder.changes import TilesBefore
from vision.decoder.explained import Explained
from vision.decoder.held_back import (
    GROWS_S,
    HELD_AT_MOST_S,
    HELD_S,
    LASTS_S,
    WAITED_S,
    HeldBack,
)
from vision.decoder.search import BeamSearch
from vision.decoder.segment import Segmenter

DISCARD = Discard(2, Tile("5m"))


STEP = Explained(5.0, 7, DISCARD, tile=1)


Sign = Literal["sideways", "laid", "none"]


def told(step: Explained, after_s: float, sign: Sign, looks: int, *, busy: bool = True) -> bool:
    """Whether a step is told so long after it happened, while its player's hands are there."""
    layout = SimpleNamespace(layout=TableLayout(ready_sign=sign))
    search = SimpleNamespace(
        best=SimpleNamespace(events=(step,)), change=lambda number: None, rules=layout
    )
    tile = SimpleNamespace(looks=looks, confidence=0.24 if looks < 4 else 0.97)
    table = SimpleNamespace(
        present={1}, tiles={1: tile}, busy_at=lambda seat, from_s, until_s: busy and seat == 2
    )
    held = HeldBack(cast(BeamSearch, search), cast(Segmenter, table))
    due = held.due(step.time_s + after_s)
    assert due is not None
    return due == (step,)


def test_a_persons_word_is_told_at_once() -> None:
    assert told(replace(STEP, by_person=True), 0.0, "sideways", 1)


@pytest.mark.parametrize("sign", ["sideways", "laid"])
def test_a_discard_waits_for_a_sign_until_hands_are_away(sign: Sign) -> None:
    """The tile may be turned sideways, or the hand laid down; but nobody waits for ever."""
    assert not told(STEP, HELD_S / 2, sign, 9, busy=False)
    assert told(STEP, 2 * HELD_S, sign, 9, busy=False)
    assert not told(STEP, 2 * HELD_S, sign, 9)
    assert told(STEP, HELD_AT_MOST_S + 0.1, sign, 9)


def test_where_no_sign_can_follow_nothing_is_waited_for() -> None:
    assert told(STEP, 2 * HELD_S, "none", 9)
    assert told(replace(STEP, event=replace(DISCARD, ready=True)), 2 * HELD_S, "laid", 9)


def test_a_face_under_a_hand_is_told_once_it_is_seen() -> None:
    """What was told at 24 % is not told again when it is sure."""
    turned = replace(STEP, event=Indicator(Tile("5m"), "dora"))
    assert not told(turned, 2 * HELD_S, "sideways", 3, busy=False)
    assert told(turned, 2 * HELD_S, "sideways", 4)
    assert told(turned, HELD_AT_MOST_S + 0.1, "sideways", 3)


def lies_before(step: Explained, after_s: float, *, busy: bool = True) -> bool:
    """Whether a step that tiles before its player explain is told so long after they came."""
    change = TilesBefore(7, step.time_s, 2, step.tiles, step.tiles, (), 0)
    search = SimpleNamespace(best=SimpleNamespace(events=(step,)), change=lambda number: change)
    table = SimpleNamespace(
        present=set(step.tiles),
        tiles={tile: SimpleNamespace(first_s=step.time_s) for tile in step.tiles},
        seats=[SimpleNamespace(pending=()) for _ in range(4)],
        busy_at=lambda seat, from_s, until_s: busy and seat == 2,
    )
    held = HeldBack(cast(BeamSearch, search), cast(Segmenter, table))
    held.due(step.time_s)
    return held.due(step.time_s + after_s) == (step,)


TAKEN = Tile("5m")
PUNG = Pung(2, 1, TAKEN, (TAKEN, TAKEN))
CHOW = Chow(2, 1, TAKEN, (Tile("6m"), Tile("7m")))


def test_a_pung_waits_for_the_fourth_tile_of_a_kong_while_hands_are_there() -> None:
    laid = replace(STEP, event=PUNG, tile=None, tiles=(1, 2, 3))
    assert not lies_before(laid, GROWS_S + 0.1)
    assert lies_before(laid, GROWS_S + 0.1, busy=False)
    assert lies_before(laid, WAITED_S + 0.1), "nobody waits for ever"
    assert lies_before(replace(laid, event=CHOW), GROWS_S + 0.1), "a chow has no fourth tile"


def test_nobody_is_accused_by_a_hand_of_which_tiles_may_be_unseen() -> None:
    eight = tuple(range(8))
    laid = replace(STEP, event=Reveal(2, (TAKEN,) * 8), tile=None, tiles=eight)
    assert lies_before(laid, GROWS_S, busy=False)
    short = replace(laid, charges={"wrong_tile_count": 1.0})
    assert not lies_before(short, GROWS_S, busy=False)
    assert lies_before(short, WAITED_S, busy=False)


class Readings:
    """Readings of one hand, one after the other; each look comes 0.2 s after the one before."""

    def __init__(self) -> None:
        self.begins = Explained(1.0, 1, HandStart(0))
        self.best = SimpleNamespace(events=(self.begins,), hand=())
        search = SimpleNamespace(
            best=self.best,
            change=lambda number: None,
            rules=SimpleNamespace(layout=TableLayout()),
            shares=lambda: [(self.best, 1.0)],
        )
        table = SimpleNamespace(present={1}, tiles={}, busy_at=lambda seat, from_s, until_s: False)
        self.held = HeldBack(cast(BeamSearch, search), cast(Segmenter, table))
        self.time_s = 20.0
        self.told: tuple[Explained, ...] = ()

    def read(self, *steps: Explained, lasts_s: float) -> list[Event | None]:
        """The steps are likeliest for so long; returns what is told in the end."""
        self.best.events = (self.begins, *steps)
        for _ in range(round(lasts_s / 0.2)):
            self.time_s = round(self.time_s + 0.2, 1)
            due = self.held.due(self.time_s)
            self.told = self.told if due is None else due
        return [step.event for step in self.told[1:]]


WIN = Explained(10.0, 8, Win(2, 2, TAKEN))
OTHER = replace(WIN, event=Win(2, 1, TAKEN))
FLAWED = replace(WIN, charges={"false_ready": 1.0})
FOUL = Explained(10.0, 9, Foul(1, "two_discards", (TAKEN,)))
LASTED_S = LASTS_S + 0.2


def test_a_win_that_breaks_no_rule_is_told_at_once() -> None:
    assert Readings().read(WIN, lasts_s=0.2) == [WIN.event]


@pytest.mark.parametrize("rival", [(), (OTHER,), (FLAWED,), (FOUL,)])
def test_a_payout_holds_until_another_reading_has_lasted(rival: tuple[Explained, ...]) -> None:
    hand = Readings()
    hand.read(WIN, lasts_s=0.2)
    assert hand.read(*rival, lasts_s=0.8) == [WIN.event]
    assert hand.held.holds, "time alone decides it"
    assert hand.read(WIN, lasts_s=0.8) == [WIN.event]
    assert hand.read(*rival, lasts_s=0.8) == [WIN.event], "it has not lasted in one piece"
    assert hand.read(*rival, lasts_s=LASTED_S) == [step.event for step in rival]
    assert all(one in rival for one in hand.told[1:])


@pytest.mark.parametrize("fault", [FOUL, FLAWED, replace(STEP, charges={"irregular": 1.0})])
def test_nobody_is_accused_by_a_reading_of_a_moment(fault: Explained) -> None:
    hand = Readings()
    assert hand.read(fault, lasts_s=0.8) == []
    assert hand.read(lasts_s=0.2) == []
    assert hand.read(fault, lasts_s=0.8) == []
    assert hand.read(fault, lasts_s=LASTED_S) == [fault.event]


def test_a_foul_holds_until_another_reading_has_lasted() -> None:
    hand = Readings()
    assert hand.read(FOUL, lasts_s=LASTED_S) == [FOUL.event]
    assert hand.read(lasts_s=0.8) == [FOUL.event]
    assert hand.read(lasts_s=LASTED_S) == []


def test_readings_that_change_all_the_time_hold_nothing_for_ever() -> None:
    hand = Readings()
    hand.read(WIN, lasts_s=0.2)
    for _ in range(round(WAITED_S / 1.6)):
        assert hand.read(OTHER, lasts_s=0.8) == [WIN.event]
        assert hand.read(lasts_s=0.6) == [WIN.event]
    assert hand.read(OTHER, lasts_s=1.2) == [OTHER.event]


def test_the_next_hand_takes_nothing_back_of_the_one_before() -> None:
    hand = Readings()
    hand.read(WIN, lasts_s=0.2)
    again = Explained(19.0, 20, HandStart(1))
    assert hand.read(WIN, again, lasts_s=0.2) == [WIN.event, again.event]
