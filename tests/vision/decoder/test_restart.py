"""A program that ends in mid-hand and begins again takes the record up where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from games.recorded import RecordedDecoder

from engine.events import (
    Discard,
    DrawnHand,
    Entry,
    Indicator,
    Kong,
)
from engine.log import in_force
from engine.tiles import Tile, parse
from engine.updates import pinned
from studio.play.truth import seen_entries
from tests.support.recorded import Recorded
from tests.support.settled_hands import played
from tests.support.tables import discards, shares
from vision.compare import compare
from vision.decoder.decoder import SUPPLIED
from vision.decoder.pin import Pins
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
    game, seen = played(rules, seed)
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
        lines += decoder.observe(later(one, began_s, 1))
    return [*lines, *decoder.close()]


def dealt(rules: str = "harbin-hlr") -> Recorded:
    table = Recorded(rules)
    table.deal()
    return table


def pause(table: Recorded) -> None:
    """No picture for half a minute."""
    table.stage.time_s += 30.0


def freeze(table: Recorded) -> None:
    """Pictures came, and all showed what had been before."""
    table.decoder.decoder.blinded()


def test_a_table_that_lies_as_it_lay_adds_nothing() -> None:
    table = dealt()
    table.plays((0, "1m"), (1, "2m"), (2, "3m"))
    before = list(table.lines)
    table.restart()
    table.show(6.0)
    assert table.lines == before
    assert not table.decoder.questions()
    table.discard(3, "9p")
    assert table.hand[-1:] == discards((3, "9p"))


def test_a_tile_that_is_covered_while_the_program_begins_is_no_new_discard() -> None:
    table = dealt()
    tiles = [table.discard(seat, f"{seat + 1}m") for seat in range(4)]
    before = table.hand
    covered = table.stage.take_up(tiles[1])
    table.restart()
    table.show(3.0)
    table.stage.lay_again(replace(covered, first_s=table.stage.time_s))
    table.show(3.0)
    assert table.hand == before
    table.discard(0, "9p", 1)
    assert table.hand == [*before, *discards((0, "9p"))]


@pytest.mark.parametrize("blind", [Recorded.restart, pause, freeze])
def test_what_can_only_have_been_so_is_supplied_and_said_to_be(
    blind: Callable[[Recorded], None],
) -> None:
    table = dealt()
    table.discard(0, "1m")
    count = len(table.lines)
    table.stage.stand(3, 10)
    table.stage.set_down(3, "555p", turned=1)
    table.put(3, "9s")
    blind(table)
    table.show(3.0)
    fresh = table.lines[count:]
    assert [type(line.event).__name__ for line in fresh] == ["Discard", "Pung", "Discard"]
    assert {line.evidence for line in fresh} == {SUPPLIED}
    assert [getattr(line.event, "seat", None) for line in fresh] == [1, 3, 3]


def test_a_hand_that_was_laid_down_meanwhile_claims_ready() -> None:
    table = dealt()
    table.claim(table.discard(0, "5p"), 1, "555p", lasts_s=3.0)
    table.restart()
    table.put(1, "9s", 3)
    table.stage.stand(1, 0)
    table.stage.lay(1, "?" * 10, -170)
    table.show(3.0)
    assert any(getattr(event, "ready", False) for event in table.hand)
    thrown = table.hand[-1]
    assert isinstance(thrown, Discard)
    assert (thrown.seat, thrown.tile) == (1, "9s")


def test_a_kong_and_its_indicator_that_nobody_saw_are_supplied() -> None:
    table = Recorded("riichi")
    stage = table.stage
    wall = stage.lay(2, "?" * 8, -200, out_mm=245)
    table.deal()
    stage.change(wall[3], side=Side.FACE, probabilities=shares("3p"), first_s=stage.time_s)
    table.show(3.0)
    table.discard(0, "1m")
    before = table.hand
    stage.stand(1, 10)
    stage.set_down(1, "9s??9s", turned=-1)
    stage.change(wall[4], side=Side.FACE, probabilities=shares("7s"), first_s=stage.time_s)
    table.put(1, "2m")
    table.restart()
    table.show(3.0)
    assert table.hand == [
        *before,
        Kong(1, "closed", Tile("9s"), own=parse("9999s")),
        Discard(1, Tile("2m")),
        Indicator(Tile("7s"), "kan_dora"),
    ]


def test_two_discards_in_a_heap_whose_order_nobody_saw_are_asked_about() -> None:
    table = dealt()
    table.discard(0, "1m")
    table.stage.put(1, 0, 20, "5p")
    table.stage.put(2, 40, 20, "9s")
    table.restart()
    table.show(3.0)
    assert sum(isinstance(event, Discard) for event in table.hand) == 3
    (question,) = table.decoder.questions()
    assert {len(choice.events) for choice in question.choices} == {2}


@pytest.mark.parametrize("blind", [Recorded.restart, pause])
@pytest.mark.parametrize("joined", [False, True])
def test_a_hand_that_ended_unseen_is_closed_and_another_one_begins_or_is_joined(
    blind: Callable[[Recorded], None], joined: bool
) -> None:
    table = dealt()
    table.plays((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))
    blind(table)
    table.stage.clear()
    for seat in range(4):
        table.stage.stand(seat, 13 if joined or seat != 1 else 14)
        if joined:
            table.put(seat, f"{seat + 1}s")
    table.show(6.0 if joined else 3.0)
    kinds = [type(event).__name__ for event in table.events[5:]]
    assert kinds == ["DrawnHand", "HandEnd", "HandStart", *(["Position"] if joined else [])]
    ended = next(line for line in table.lines if isinstance(line.event, DrawnHand))
    assert ended.confidence is not None
    assert ended.confidence < 0.5
    table.discard(3 if joined else 1, "9p", 1)
    assert isinstance(table.hand[-1], Discard)


def test_words_that_are_heard_only_in_the_next_hand_take_nothing_of_the_last_one_away() -> None:
    table = dealt()
    table.plays((0, "1s"), (1, "4p"), (2, "9s"))
    said = pinned(table.lines)
    corrected = tuple(
        replace(one, event=Discard(1, Tile("6p")), source="person")
        if one.event == Discard(1, Tile("4p"))
        else one
        for one in said.in_force
    )
    table.clear()
    table.deal(dealer=1)
    decoder = table.decoder.decoder
    before = [type(one.event) for one in decoder.decoding().told]
    decoder.hear(Pins(1, corrected, rests_on=decoder.decoding().number - 4))
    now = decoder.decoding().told
    assert [type(one.event) for one in now] == before
    assert Discard(1, Tile("6p")) in [one.event for one in now]


# --- a hand that goes on after a win ---


@pytest.mark.parametrize(
    ("seed", "shares", "unseen"),
    [
        (23, (0.3,), 24),  # the first has won
        (
            23,
            (0.3, 0.5, 0.85),
            0,
        ),  # and then so has the second
        (8, (0.6,), 24),  # the first is the dealer; the wall ends
        (12, (0.55,), 8),
    ],
)
def test_what_is_played_after_a_win_is_read_by_a_program_that_begins_again(
    seed: int, shares: tuple[float, ...], unseen: int
) -> None:
    """The winner's hand lies open, while the others play on."""
    game, seen = played("sichuan", seed)
    decoder = RecordedDecoder("sichuan", game.place.view)
    lines: list[Entry] = []
    began, at = 0.0, 0
    for number, share in enumerate((*shares, 1.0)):
        for one in seen[at : int(len(seen) * share)]:
            lines += decoder.observe(later(one, began, number))
        at = int(len(seen) * share) + unseen
        if share < 1.0:
            began = seen[at].time_s
            decoder = RecordedDecoder("sichuan", game.place.view, before=lines)
    lines += decoder.close()
    report = compare(seen_entries(game.entries, (), "sichuan"), lines)
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)


def later(one: Observation, began_s: float, program: int) -> Observation:
    """The observation of another program, whose clock and numbers of tiles begin anew."""
    placed = tuple(
        replace(tile, id=tile.id + program * OTHER_IDS, first_s=tile.first_s - began_s)
        for tile in one.placed
    )
    return replace(one, time_s=one.time_s - began_s, placed=placed)
