"""What a row that a seat has laid open may mean, and when the rules end a hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import (
    Discard,
    DrawnHand,
    Event,
    GameStart,
    HandStart,
    Reveal,
)
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import State
from engine.tiles import COPIES, UNKNOWN, Tile, parse
from tests.support.tables import Stage, shares
from vision.decoder.changes import RowShown
from vision.decoder.emission import evaluated
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.hands import LaidRow, opened
from vision.decoder.proposals.readings import apart_of
from vision.decoder.table_evidence import TableEvidence, in_play


def test_a_hand_that_waits_is_shown_when_the_wall_is_used_up() -> None:
    """As it is read it waits for nothing: a tile of it was misread, and nobody won."""
    rules = RULE_SETS["riichi"]
    hypothesis, stage = begun(rules), Stage()
    while hypothesis.drawn_out(0.0, 0) is None:
        first = not hypothesis.state.players[1].river
        face = Tile("7z") if first else UNKNOWN
        hypothesis = after(hypothesis, Discard(hypothesis.state.turn, face))
    thrown = hypothesis.hand[-1]
    assert isinstance(thrown.event, Discard)
    seat = (thrown.event.seat + 2) % 4
    row = stage.lay(0, "284567m 123456s 3p", -180)
    nine = replace(thrown, event=replace(thrown.event, tile=Tile("9p")))
    last = hypothesis.with_step(
        len(hypothesis.hand) - 1, replace(nine, tile=stage.put(2, 0, 100, "9p"))
    )
    assert last is not None
    stage.change(row[1], probabilities=shares("8m", 0.88, "3m"))
    best = read_as(last, stage, seat, row)
    shown = [type(step.event).__name__ for step in best.events[len(last.events) :]]
    assert shown == ["DrawnHand", "Reveal"]


def test_a_hand_that_is_shown_with_a_fifth_copy_shows_that_a_discard_was_misread() -> None:
    """It is told all the same: what it waits for is paid in this game."""
    hypothesis, stage = begun(RULE_SETS["sichuan"]), Stage()
    while hypothesis.drawn_out(0.0, 0) is None:
        thrown = sum(len(player.river) for player in hypothesis.state.players)
        face = Tile("9s") if thrown < COPIES else UNKNOWN
        hypothesis = after(hypothesis, Discard(hypothesis.state.turn, face))
    place, first = next(
        (at, step) for at, step in enumerate(hypothesis.hand) if isinstance(step.event, Discard)
    )
    seen = hypothesis.with_step(place, replace(first, tile=stage.put(2, 0, 100, "9s")))
    assert seen is not None
    seat = (hypothesis.state.turn + 1) % 4
    row = stage.lay(0, "234567m 234567p 9s", -180)
    told = [step.event for step in read_as(seen, stage, seat, row).events]
    assert isinstance(told[-1], Reveal)
    assert Tile("9s") in told[-1].tiles
    assert sum(isinstance(e, Discard) and e.tile == "9s" for e in told) == COPIES - 1


def begun(rules: RuleSet) -> Hypothesis:
    """A hand that has just been dealt, with seat 0 as its dealer."""
    return after(Hypothesis(rules, State()), GameStart(rules.id), HandStart(dealer=0))


def read_as(before: Hypothesis, stage: Stage, seat: int, row: list[int]) -> Hypothesis:
    """The likeliest of what a row that a seat has laid open may mean."""
    tiles = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    rules = before.rules
    evidence = TableEvidence(tiles, tiles.keys(), 30.0, in_play(rules, {}), rules.layout)
    context = Context(RowShown(2, 9.0, seat, tuple(row)), evidence)
    laid = LaidRow(seat, tuple(row), before.waiting(seat))
    ways = [evaluated(way, evidence) for way in opened(context, before, laid)]
    return min(ways, key=lambda way: way.cost)


def after(hypothesis: Hypothesis, *events: Event) -> Hypothesis:
    found = hypothesis.all([Explained(1.0, 1, event) for event in events])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("gap_mm", "across", "apart"), [(20, 4, 13), (20, 13, 13), (0, 4, 4), (0, None, None)]
)
def test_the_tile_that_lies_apart_won_however_others_seem_to_lie(
    gap_mm: float, across: int | None, apart: int | None
) -> None:
    stage = Stage()
    row = stage.lay(0, "1111111111111m 2m", -200, gap_mm)
    if across is not None:
        stage.change(row[across], turn_deg=90.0)
    tiles = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    evidence = TableEvidence(tiles, tiles.keys(), 30.0)
    assert apart_of(row, 0, evidence, whole=True) == apart


@pytest.mark.parametrize("likelier", ["1p", "1s", "6p"])
def test_a_hand_that_may_be_called_off_is_read_so_that_it_may(likelier: str) -> None:
    stage, faces = Stage(), "13m 179p 1149s 345z 66z"
    row = stage.lay(1, faces, -200)
    stage.change(row[2], probabilities=shares(likelier, 0.7, "1p"))
    best = read_as(after(begun(RULE_SETS["riichi"]), Discard(0, Tile("2z"))), stage, 1, row)
    drawn, shown = (step.event for step in best.events[-2:])
    assert drawn == DrawnHand("nine_terminals")
    assert shown == Reveal(1, parse(faces))


@pytest.mark.parametrize(
    ("thrown", "reason"),
    [
        ("4444", "four_winds"),
        ("44?4", "four_winds"),
        ("?4?4", "four_winds"),
        ("?4??", None),
        ("????", None),
        ("4434", None),
    ],
)
def test_first_discards_that_nobody_read_are_no_four_winds(thrown: str, reason: str | None) -> None:
    rules = RULE_SETS["riichi"]
    faces = [UNKNOWN if one == "?" else Tile(f"{one}z") for one in thrown]
    discards = [Discard(seat, face) for seat, face in enumerate(faces)]
    drawn = after(begun(rules), *discards).drawn_out(9.0, 2)
    last = None if drawn is None else drawn.hand[-1].event
    assert (last.reason if isinstance(last, DrawnHand) else None) == reason
