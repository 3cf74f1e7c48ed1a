"""A program that ends in mid-hand and begins again takes the record up where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from games.recorded import RecordedDecoder

from engine.events import (
    Correct,
    Discard,
    DrawnHand,
    Entry,
    Event,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
)
from engine.log import in_force
from engine.rules import RULE_SETS
from engine.tiles import Tile
from engine.updates import pinned
from studio.play.settled_tables import observations, planned
from studio.play.truth import seen_entries
from tests.support.recorded import Recorded
from tests.support.tables import VIEW, Stage, set_at_corner, shares
from vision.compare import compare
from vision.decoder.decoder import SUPPLIED
from vision.decoder.decoding import ChangeNames
from vision.decoder.pin import Pins
from vision.decoder.resumed import resume
from vision.tiles.classes import Side
from vision.tracking.observe import Observation

OTHER_IDS = 10_000

HANDS = (
    ("harbin-hlr", 13, 0.3, 48),  # eight discards and claims that nobody saw
    ("harbin-treasure", 132, 0.4, 8),
    ("hangzhou", 19, 0.4, 24),
    ("wsom", 72, 0.4, 24),
    ("riichi", 26, 0.3, 48),
    ("riichi-2016", 19, 0.4, 24),
    ("riichi-tenhou", 150, 0.4, 0),  # only what was held back when the program ended
)


@pytest.mark.parametrize(("rules", "seed", "share", "unseen"), HANDS)
def test_what_happened_while_nobody_looked_is_supplied(
    rules: str, seed: int, share: float, unseen: int
) -> None:
    game = planned(rules, seed)
    seen = list(observations(game))
    end = int(len(seen) * share)
    first = RecordedDecoder(rules, game.place.view)
    before = [line for one in seen[:end] for line in first.observe(one)]
    lines = [*before, *gone_on(rules, before, seen[end + unseen :], first)]
    report = compare(seen_entries(game.entries, (), rules), lines)
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)
    supplied = [event.entry for event in in_force(lines) if event.entry.evidence == SUPPLIED]
    assert len(supplied) >= unseen // 8


def gone_on(
    rules: str, before: list[Entry], seen: Iterable[Observation], first: RecordedDecoder
) -> list[Entry]:
    """What a new program adds, whose clock and numbers of tiles begin anew."""
    decoder = RecordedDecoder(rules, first.view, before=before)
    began_s: float | None = None
    lines: list[Entry] = []
    for one in seen:
        began_s = one.time_s if began_s is None else began_s
        placed = tuple(
            replace(tile, id=tile.id + OTHER_IDS, first_s=tile.first_s - began_s)
            for tile in one.placed
        )
        lines += decoder.observe(replace(one, time_s=one.time_s - began_s, placed=placed))
    return [*lines, *decoder.close()]


class Twice:
    """A stage that is read by one program and then by another."""

    def __init__(self, rules: str = "harbin-hlr") -> None:
        self.rules = rules
        self.stage = Stage()
        self.decoder = RecordedDecoder(rules, VIEW)
        self.lines: list[Entry] = []

    def show(self, lasts_s: float = 3.0) -> None:
        for seen in self.stage.shown(lasts_s):
            self.lines += self.decoder.observe(seen)

    def deal(self) -> None:
        for seat in range(4):
            self.stage.stand(seat, 14 if seat == 0 else 13)
        self.show()
        self.stage.stand(0, 13)

    def discard(self, seat: int, face: str, place: int) -> int:
        """A discard in a loose heap, where nobody looks unless it is shown."""
        return self.stage.put(seat, -90 + 45 * (place % 5), 90 + 45 * (place // 5), face)

    def restart(self) -> None:
        self.decoder = RecordedDecoder(self.rules, VIEW, before=self.lines)
        self.stage.time_s = 0.0

    def pause(self) -> None:
        """No picture for half a minute."""
        self.stage.time_s += 30.0

    def freeze(self) -> None:
        """Pictures came, and all showed what had been before."""
        self.decoder.decoder.blinded()

    @property
    def events(self) -> list[Event]:
        return [event.entry.event for event in in_force(self.lines)][2:]


def test_a_table_that_lies_as_it_lay_adds_nothing() -> None:
    table = Twice()
    table.deal()
    for turn in range(3):
        table.discard(turn, f"{turn + 1}m", turn)
        table.show()
    before = list(table.lines)
    table.restart()
    table.show(6.0)
    assert table.lines == before
    assert not table.decoder.questions()
    table.discard(3, "9p", 3)
    table.show()
    assert table.events[-1] == Discard(3, Tile("9p"))


def test_a_tile_that_is_covered_while_the_program_begins_is_no_new_discard() -> None:
    table = Twice()
    table.deal()
    tiles = [table.discard(turn, f"{turn + 1}m", turn) for turn in range(1)]
    table.show()
    for turn in range(1, 4):
        tiles.append(table.discard(turn, f"{turn + 1}m", turn))
        table.show()
    before = table.events
    covered = table.stage.take_up(tiles[1])
    table.restart()
    table.show()
    table.stage.lay_again(replace(covered, first_s=table.stage.time_s))
    table.show()
    assert table.events == before
    table.discard(0, "9p", 7)
    table.show()
    assert table.events == [*before, Discard(0, Tile("9p"))]


@pytest.mark.parametrize("blind", [Twice.restart, Twice.pause, Twice.freeze])
def test_what_can_only_have_been_so_is_supplied_and_said_to_be(
    blind: Callable[[Twice], None],
) -> None:
    table = Twice()
    table.deal()
    table.discard(0, "1m", 0)
    table.show()
    count = len(table.lines)
    table.stage.take(table.discard(1, "5p", 1))
    table.stage.stand(3, 10)
    set_at_corner(table.stage, 3, ["5p", "5p", "5p"], turned=1)
    table.discard(3, "9s", 2)
    blind(table)
    table.show()
    fresh = table.lines[count:]
    assert [type(line.event).__name__ for line in fresh] == ["Discard", "Pung", "Discard"]
    assert {line.evidence for line in fresh} == {SUPPLIED}
    assert [getattr(line.event, "seat", None) for line in fresh] == [1, 3, 3]


def test_a_hand_that_was_laid_down_meanwhile_claims_ready() -> None:
    table = Twice()
    table.deal()
    tile = table.discard(0, "5p", 0)
    table.show()
    table.stage.take(tile)
    table.stage.stand(1, 11)
    set_at_corner(table.stage, 1, ["5p", "5p", "5p"], turned=0)
    table.show()
    table.restart()
    table.discard(1, "9s", 3)
    table.stage.stand(1, 0)
    for place in range(10):
        table.stage.put(1, -170 + 30 * place, 345)
    table.show()
    assert any(getattr(event, "ready", False) for event in table.events)
    thrown = table.events[-1]
    assert isinstance(thrown, Discard)
    assert (thrown.seat, thrown.tile) == (1, "9s")


def test_a_kong_and_its_indicator_that_nobody_saw_are_supplied() -> None:
    table = Twice("riichi")
    stage = table.stage
    for seat in range(4):
        stage.stand(seat, 14 if seat == 0 else 13)
    wall = [stage.put(2, -200 + 30 * place, 245) for place in range(8)]
    table.show()
    stage.change(wall[3], side=Side.FACE, probabilities=shares("3p"), first_s=stage.time_s)
    table.show()
    stage.stand(0, 13)
    stage.put(0, 0, 110, "1m")
    table.show()
    before = table.events
    stage.stand(1, 10)
    set_at_corner(stage, 1, ["9s", "", "", "9s"], turned=-1)
    stage.change(wall[4], side=Side.FACE, probabilities=shares("7s"), first_s=stage.time_s)
    stage.put(1, 0, 110, "2m")
    table.restart()
    table.show()
    assert table.events == [
        *before,
        Kong(1, "closed", Tile("9s"), own=(Tile("9s"),) * 4),
        Discard(1, Tile("2m")),
        Indicator(Tile("7s"), "kan_dora"),
    ]


def test_two_discards_in_a_heap_whose_order_nobody_saw_are_asked_about() -> None:
    table = Twice()
    table.deal()
    table.discard(0, "1m", 0)
    table.show()
    table.stage.put(1, 0, 20, "5p")
    table.stage.put(2, 40, 20, "9s")
    table.restart()
    table.show()
    assert sum(isinstance(event, Discard) for event in table.events) == 3
    (question,) = table.decoder.questions()
    assert {len(choice.events) for choice in question.choices} == {2}


@pytest.mark.parametrize("blind", [Twice.restart, Twice.pause])
def test_a_hand_that_ended_unseen_is_closed_and_the_next_one_begins(
    blind: Callable[[Twice], None],
) -> None:
    table = Twice()
    table.deal()
    for turn in range(4):
        table.discard(turn, f"{turn + 1}m", turn)
        table.show()
    blind(table)
    table.stage.clear()
    for seat in range(4):
        table.stage.stand(seat, 14 if seat == 1 else 13)
    table.show()
    kinds = [type(event) for event in table.events]
    assert kinds[-3:] == [DrawnHand, HandEnd, HandStart]
    ended = next(line for line in table.lines if isinstance(line.event, DrawnHand))
    assert ended.confidence is not None
    assert ended.confidence < 0.5


def test_what_was_told_before_may_still_be_corrected() -> None:
    table = Twice()
    table.deal()
    tile = table.discard(0, "1m", 0)
    table.show()
    table.restart()
    table.show()
    count = len(table.lines)
    table.stage.take(tile)
    table.stage.stand(0, 14)
    table.show(6.0)
    number = next(at for at, line in enumerate(table.lines) if isinstance(line.event, Discard))
    assert [line.event for line in table.lines[count:]] == [Correct(number, (), "put_back")]


@pytest.mark.parametrize("blind", [Twice.restart, Twice.pause])
def test_another_hand_in_play_is_joined_after_the_old_one_is_closed(
    blind: Callable[[Twice], None],
) -> None:
    table = Twice()
    table.deal()
    for turn in range(8):
        table.discard(turn % 4, f"{turn + 1}m", turn)
        table.show()
    blind(table)
    table.stage.clear()
    for seat in range(4):
        table.stage.stand(seat, 13)
    for turn in range(6):
        table.discard(turn % 4, f"{turn + 1}s", turn)
    table.show(6.0)
    kinds = [type(event).__name__ for event in table.events]
    assert kinds == [*["Discard"] * 8, "DrawnHand", "HandEnd", "HandStart", "Position"]
    table.discard(3, "9p", 9)
    table.show()
    assert isinstance(table.events[-1], Discard)


def test_a_correction_made_before_a_restart_is_undone_after_it() -> None:
    table = Recorded()
    table.deal()
    table.discard(0, "3s")
    table.discard(1, "4p", 1)
    seen = table.hand
    table.correct(table.number(seen[0]), Discard(0, Tile("1s")))
    table.restart()
    table.show(4.0)
    assert table.hand == [Discard(0, Tile("1s")), seen[1]]
    table.undo()
    table.show(2.0)
    assert table.hand == seen


def test_words_that_are_heard_only_in_the_next_hand_take_nothing_of_the_last_one_away() -> None:
    table = Recorded()
    table.deal()
    for seat, face in enumerate(("1s", "4p", "9s")):
        table.discard(seat, face, seat)
    said = pinned(table.lines)
    corrected = tuple(
        replace(one, event=Discard(1, Tile("6p")), source="person")
        if one.event == Discard(1, Tile("4p"))
        else one
        for one in said.stands
    )
    table.clear()
    table.deal(dealer=1)
    decoder = table.decoder.decoder
    before = [type(one.event) for one in decoder.decoding().told]
    decoder.hear(Pins(1, corrected, rests_on=decoder.decoding().number - 4))
    now = decoder.decoding().told
    assert [type(one.event) for one in now] == before
    assert Discard(1, Tile("6p")) in [one.event for one in now]


def test_the_times_of_a_record_that_is_gone_on_with_lie_before_the_beginning() -> None:
    game: list[Event] = [GameStart("riichi"), HandStart()]
    events = [*game, Discard(0, Tile("5m")), Discard(1, Tile("6m"))]
    lines = [Entry(event, t=100.0 + 10 * at) for at, event in enumerate(events)]
    steps = resume(RULE_SETS["riichi"], lines, ChangeNames()).hypothesis.events
    shown = [(type(step.event), step.time_s) for step in steps if isinstance(step.event, Discard)]
    assert shown == [(Discard, -10.0), (Discard, 0.0)]
