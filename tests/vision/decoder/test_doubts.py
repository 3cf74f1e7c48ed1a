"""What is doubtful stays so until it is decided: by look-ahead, by the rules, by a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import (
    Chow,
    Discard,
    DrawnHand,
    Event,
    GameStart,
    HandStart,
    Indicator,
    Pung,
    Reveal,
    Win,
)
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.state import State
from engine.tiles import UNKNOWN, Tile
from tests.support.seen import Seen
from tests.support.tables import Stage, set_at_corner, shares
from vision.decoder.changes import RowShown
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import evaluated
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.hands import LaidRow, opened
from vision.decoder.proposals.readings import apart_of
from vision.decoder.table_evidence import TableEvidence, in_play
from vision.tiles.classes import Side


@pytest.fixture
def seen() -> Seen:
    table = Seen()
    table.deal()
    return table


def test_a_claimed_tile_that_is_misread_twice_is_told_by_how_it_lies(seen: Seen) -> None:
    """Neither the discard nor the sideways tile is likeliest what both may be."""
    tile = seen.discard(0, "1s", sure=0.6, other="2s")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    before = seen.stage.known
    set_at_corner(seen.stage, 1, ["3s", "1s", "3s"], turned=0)
    turned = min(seen.stage.known - before)
    seen.stage.change(turned, probabilities=shares("3s", 0.5, "2s"))
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("2s")), Chow(1, 0, Tile("2s"), (Tile("1s"), Tile("3s")))]


@pytest.mark.parametrize(
    ("counts", "dealer"), [((13, 13, 14, 13), 2), ((13, 14, 12, 13), 1), ((12, 13, 12, 14), 3)]
)
def test_fourteen_standing_tiles_make_the_dealer(counts: tuple[int, ...], dealer: int) -> None:
    table = Seen()
    for seat, count in enumerate(counts):
        table.stage.stand(seat, count)
    table.show(2.0)
    first, second = table.decoder.search.hypotheses[:2]
    start = first.events[-1].event
    assert isinstance(start, HandStart)
    assert start.dealer == dealer
    assert second.cost > 3.0


def test_a_face_far_from_an_open_hand_is_no_tile_of_it(seen: Seen) -> None:
    seen.discard(0, "9s")
    seen.stage.stand(1, 0)
    hand = ("2m", "3m", "4m", "1s", "2s", "3s", "7p", "7p", "7p", "8p", "8p", "5m", "6m")
    for place, face in enumerate(hand):
        seen.stage.put(1, -170 + 30 * place, 345, face)
    seen.stage.put(1, -345, 345, "4s")
    drawn = seen.stage.put(1, -170 + 30 * 13 + 15, 345, "7m")
    assert drawn in seen.stage.known
    seen.show(6.0)
    won = seen.events[-1]
    assert isinstance(won, Win)
    assert (won.tile, len(won.hand or ())) == ("7m", 13)


def test_what_the_finder_is_unsure_of_is_likelier_nothing(seen: Seen) -> None:
    tile = seen.discard(0, "9s")
    placed = seen.segmenter.tiles[tile]
    scored = [replace(placed, score=score) for score in (0.3, 0.6, 0.8, 0.95)]
    costs = [replace(seen.table, tiles={tile: one}).clutter(tile) for one in scored]
    assert costs == sorted(costs)
    assert costs[0] < 4.0
    assert costs[-1] > 8.0


def test_a_set_shows_that_a_discard_long_before_it_was_misread(seen: Seen) -> None:
    """Its tiles would be a fifth copy: the one of them that was doubtful was something else."""
    seen.discard(0, "7m")
    seen.discard(1, "7m", 1, sure=0.8, other="8m")
    seen.discard(2, "9p", 2)
    tile = seen.discard(3, "7m", 3)
    assert seen.events[1] == Discard(1, Tile("7m"))
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    set_at_corner(seen.stage, 1, ["7m", "7m", "7m"], turned=1)
    seen.show(1.6)
    assert seen.events[1] == Discard(1, Tile("8m"))
    assert seen.events[-1] == Pung(1, 3, Tile("7m"), (Tile("7m"), Tile("7m")))


@pytest.mark.parametrize(("score", "told"), [(0.4, 0), (0.93, 1)])
def test_a_thing_on_the_wall_is_no_indicator(score: float, told: int) -> None:
    table = Seen("harbin-treasure")
    table.deal()
    back = table.stage.put(0, 0, 240)
    table.discard(0, "1m")
    table.show(2.4)
    table.stage.change(back, side=Side.FACE, probabilities=shares("9m", 0.6, "6m"), score=score)
    table.stage.change(back, first_s=table.stage.time_s)
    table.show(1.2)
    assert sum(isinstance(event, Indicator) for event in table.events) == told


def test_an_indicator_is_turned_up_where_a_back_was_taken_for_a_face() -> None:
    table = Seen("harbin-hlr")
    wall = [table.stage.put(0, 31 * place, 270) for place in range(4)]
    table.deal()
    table.show(3.0)
    unsure = shares("5p", 0.3, "7s") * 0.4 + 0.6 / 38
    table.stage.change(wall[1], side=Side.FACE, probabilities=unsure, score=0.8)
    table.show(1.2)
    table.discard(0, "1m")
    table.stage.stand(2, 0)
    hand = ("2m", "3m", "4m", "5m", "6m", "2p", "3p", "4p", "7p", "8p", "9p", "5s", "5s")
    for place, face in enumerate(hand):
        table.stage.put(2, -170 + 30 * place, 345, face)
    table.show(5.0)
    table.stage.take(wall[1])
    shown = table.stage.put(0, 31, 270, "7z")
    table.show(2.0)
    assert table.best.turned_up() == [shown]


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
    faces = ("2m", "8m", "4m", "5m", "6m", "7m", "1s", "2s", "3s", "4s", "5s", "6s", "3p")
    row = [stage.put(0, -180 + 30 * place, 345, face) for place, face in enumerate(faces)]
    nine = replace(thrown, event=replace(thrown.event, tile=Tile("9p")))
    last = hypothesis.with_step(
        len(hypothesis.hand) - 1, replace(nine, tile=stage.put(2, 0, 100, "9p"))
    )
    assert last is not None
    stage.change(row[1], probabilities=shares("8m", 0.88, "3m"))
    tiles = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    evidence = TableEvidence(tiles, tiles.keys(), 30.0, in_play(rules), rules.layout)
    context = Context(RowShown(2, 9.0, seat, tuple(row)), evidence)
    ways = [evaluated(way, evidence) for way in opened(context, last, LaidRow(seat, tuple(row)))]
    best = min(ways, key=lambda way: way.cost)
    shown = [type(step.event).__name__ for step in best.events[len(last.events) :]]
    assert shown == ["DrawnHand", "Reveal"]


def test_a_hand_rather_holds_three_faces_than_three_copies_of_one() -> None:
    """Both win, and the faces alone speak a little for 222 rather than 123."""
    seen = Seen("wsom")
    seen.deal()
    seen.discard(0, "4p")
    seen.stage.stand(2, 0)
    faces = ("2m", "2m", "3m", "4m", "5m", "6m", "2p", "3p", "7p", "8p", "9p", "5s", "5s")
    row = [seen.stage.put(2, -170 + 30 * place, 345, face) for place, face in enumerate(faces)]
    seen.stage.change(row[0], probabilities=shares("2m", 0.85, "1m"))
    seen.stage.change(row[2], probabilities=shares("3m", 0.8, "2m"))
    seen.show(6.0)
    won = seen.events[-1]
    assert isinstance(won, Win)
    assert won.hand is not None
    assert [str(tile) for tile in won.hand[:3]] == ["1m", "2m", "3m"]


def begun(rules: RuleSet) -> Hypothesis:
    """A hand that has just been dealt, with seat 0 as its dealer."""
    return after(Hypothesis(rules, State()), GameStart(rules.id), HandStart(dealer=0))


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
    row = [stage.put(0, -200 + 30 * place, 345, "1m") for place in range(13)]
    row.append(stage.put(0, -200 + 30 * 13 + gap_mm, 345, "2m"))
    if across is not None:
        stage.change(row[across], turn_deg=90.0)
    tiles = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    evidence = TableEvidence(tiles, tiles.keys(), 30.0)
    assert apart_of(row, 0, evidence, whole=True) == apart


def test_a_thing_beside_a_set_makes_no_kong_of_it(seen: Seen) -> None:
    tile = seen.discard(0, "9m")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    before = seen.stage.known
    set_at_corner(seen.stage, 1, ["9m", "9m", "2m", "9m"], turned=0)
    thing = sorted(seen.stage.known - before)[2]
    seen.stage.change(thing, probabilities=shares("2m", 0.7, "1m"), score=0.4)
    seen.show(1.6)
    assert seen.events[-1] == Pung(1, 0, Tile("9m"), (Tile("9m"), Tile("9m")))


@pytest.mark.parametrize("likelier", ["1p", "1s", "6p"])
def test_a_hand_that_may_be_called_off_is_read_so_that_it_may(likelier: str) -> None:
    rules, stage = RULE_SETS["riichi"], Stage()
    first = after(begun(rules), Discard(0, Tile("2z")))
    faces = ["1m", "3m", "1p", "7p", "9p", "1s", "1s", "4s", "9s", "3z", "4z", "5z", "6z", "6z"]
    row = [stage.put(1, -200 + 30 * place, 345, face) for place, face in enumerate(faces)]
    stage.change(row[2], probabilities=shares(likelier, 0.7, "1p"))
    tiles = {tile.id: tile for tile in stage.shown(0.2)[0].placed}
    evidence = TableEvidence(tiles, tiles.keys(), 30.0, in_play(rules), rules.layout)
    context = Context(RowShown(2, 9.0, 1, tuple(row)), evidence)
    ways = [evaluated(way, evidence) for way in opened(context, first, LaidRow(1, tuple(row)))]
    best = min(ways, key=lambda way: way.cost)
    drawn, shown = (step.event for step in best.events[-2:])
    assert drawn == DrawnHand("nine_terminals")
    assert shown == Reveal(1, tuple(map(Tile, faces)))


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


@pytest.mark.parametrize(
    ("far_mm", "sure", "face", "same"),
    [(8, 0.9, "5m", True), (8, 0.9999, "4m", True), (45, 0.9, "5m", False)],
)
def test_a_face_in_the_place_of_a_discard_that_is_gone_is_that_discard(
    seen: Seen, far_mm: float, sure: float, face: str, same: bool
) -> None:
    """A sleeve pushed it, and it is read otherwise there; elsewhere another tile was put down."""
    seen.discard(0, "1m")
    pushed = seen.discard(1, "4m", 1, sure=sure, other="5m")
    seen.discard(2, "9p", 2)
    seen.stage.take(pushed)
    seen.stage.put(1, -45 + far_mm, 90, "5m", sure=0.9)
    seen.show(1.2)
    seen.discard(3, "2s", 3)
    thrown = [Discard(0, Tile("1m")), Discard(1, Tile(face)), Discard(2, Tile("9p"))]
    assert (seen.events == [*thrown, Discard(3, Tile("2s"))]) == same
