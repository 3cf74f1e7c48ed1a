"""A camera that is switched on in the middle of a hand: the record starts from what lies there."""

from __future__ import annotations

import numpy as np
import pytest
from games.joined import NotPlain, check_plain, read_joined
from games.labels import ERRORS, planned_game
from games.outcome import GameCase
from games.recorded import RecordedDecoder
from score import main

from engine.events import (
    Discard,
    Entry,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Position,
    Win,
)
from engine.log import in_force
from engine.rules import GAMES, RULE_SETS
from engine.state import EAST
from engine.tiles import Tile
from studio.play.truth import seen_entries
from tests.support.recorded import Recorded
from tests.support.settled_hands import played, read_hand
from tests.support.tables import pung, shares
from vision.compare import NOT_COUNTED, compare
from vision.decoder.question import Answer

HANDS = (
    ("harbin-hlr", 13, 0.3),  # closed kongs, laid down with a claim
    ("harbin-treasure", 132, 0.5),  # won by a rush
    ("hangzhou", 19, 0.5),  # a fortune in the wall, a closed kong of four backs
    ("wsom", 72, 0.3),  # two closed kongs, a pung to come
    ("riichi", 26, 0.5),  # a turned discard, a kan dora beside the dora
    ("riichi-2016", 19, 0.3),
    ("riichi-tenhou", 150, 0.5),  # two win on one discard
)


def read_from(rules: str, seed: int, share: float) -> list[Entry]:
    """What is told of the part of a hand that is left."""
    game, seen = played(rules, seed)
    decoder = RecordedDecoder(rules, game.place.view)
    return read_hand(decoder, seen[int(len(seen) * share) :])


@pytest.mark.parametrize(("rules", "seed", "share"), HANDS)
def test_a_hand_is_joined_half_way_and_its_end_is_paid(rules: str, seed: int, share: float) -> None:
    true = counted(seen_entries(played(rules, seed)[0].entries, (), rules))
    lines = read_from(rules, seed, share)
    told = counted([event.entry for event in in_force(lines)])
    start, position = (one.event for one in told[1:3])
    assert isinstance(start, HandStart)
    assert isinstance(position, Position)
    assert start.dealer == next(
        one.event.dealer for one in true if isinstance(one.event, HandStart)
    )
    if rules == "riichi":
        turned = [one.ready for river in position.rivers or () for one in river]
        assert any(turned), "the tile that was turned for riichi says so"
    after = [one for one in told[3:] if not isinstance(one.event, GameEnd)]
    true = [one for one in true if not isinstance(one.event, GameEnd)]
    report = compare(true[-len(after) :], after)
    assert (report.missing, report.extra) == ((), ())
    (paid,) = compare(true, lines).hands
    assert paid.read is not None
    # Sticks that lay there when the record began were paid before it.
    assert sum(paid.read) - sum(paid.true) in (0, *(1000 for _ in position.ready or ()))
    losses = [(read, truly) for read, truly in zip(paid.read, paid.true, strict=True) if truly < 0]
    assert all(read == truly for read, truly in losses)


@pytest.mark.parametrize(
    ("share", "first_dealer", "wind"),
    [(0.5, None, None), (0.5, 3, None), (0.5, 0, EAST), (0, 1, EAST)],
)
def test_who_dealt_first_is_told_of_a_game_whose_beginning_nobody_saw(
    share: float, first_dealer: int | None, wind: Tile | None
) -> None:
    game, seen = played("riichi", 26)
    decoder = RecordedDecoder("riichi", game.place.view, first_dealer=first_dealer)
    part = seen[int(len(seen) * share) : int(len(seen) * (share + 0.2))]
    lines = [entry for one in part for entry in decoder.observe(one)]
    begun, start = (event.entry.event for event in in_force(lines)[:2])
    assert begun == GameStart("riichi", first_dealer=first_dealer)
    assert isinstance(start, HandStart)
    assert (start.dealer, start.round) == (3, wind)


def counted(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if not isinstance(entry.event, NOT_COUNTED)]


@pytest.fixture
def heap() -> tuple[Recorded, list[int]]:
    """A camera has found four hands of thirteen and a heap of discards; their ids."""
    table = Recorded("harbin-hlr")
    for seat in range(4):
        table.stage.stand(seat, 13)
    tiles = [
        table.stage.put(turn % 4, -60 + 45 * (turn // 4), 110, face)
        for turn, face in enumerate(("1m", "5p", "9s", "3m", "7p"))
    ]
    table.show(3.0)
    return table, tiles


def test_who_dealt_is_asked_where_it_is_open(heap: tuple[Recorded, list[int]]) -> None:
    table, _ = heap
    (question,) = table.decoder.questions()
    dealers = [
        next(event.dealer for event in choice.events if isinstance(event, HandStart))
        for choice in question.choices
    ]
    assert len(set(dealers)) == len(dealers) >= 2
    table.lines += table.decoder.answer(Answer(question.place, question.choices[1].events))
    (start,) = (event for event in table.events if isinstance(event, HandStart))
    assert start.dealer == dealers[1]
    assert not table.decoder.questions()


def test_a_discard_that_is_claimed_right_after_a_hand_was_joined_was_the_last(
    heap: tuple[Recorded, list[int]],
) -> None:
    table, tiles = heap
    table.claim(tiles[1], 3, "555p", 1, 4.0)
    position, claimed = table.hand
    assert isinstance(position, Position)
    assert position.rivers is not None
    assert position.rivers[1][-1].tile == "5p"
    assert claimed == pung(3, 1, "5p")


def test_a_face_of_a_joined_table_was_misread_where_a_set_shows_too_many() -> None:
    table = Recorded("harbin-hlr")
    for seat in range(4):
        table.stage.stand(seat, 13)
    for turn, face in enumerate(("9s", "9s", "1m", "5p")):
        tile = table.stage.put(turn, -60, 110, face)
        table.stage.change(tile, probabilities=shares(face, 0.8 if turn else 0.97, "9p"))
    table.show(3.0)
    table.claim(table.discard(0, "9s", 7), 3, "999s", 0, 4.0)
    position, thrown, claimed = table.hand
    assert isinstance(position, Position)
    faces = sorted(one.tile for river in position.rivers or () for one in river)
    assert faces == ["1m", "5p", "9p", "9s"]
    assert (thrown, claimed) == (Discard(0, Tile("9s")), pung(3, 0, "9s"))


# --- at any moment, as looks at labelled tables tell it: no exception of any kind ---

GRADES = tuple(ERRORS)


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_a_game_is_joined_in_the_middle_of_a_hand(rules: str) -> None:
    seed = list(RULE_SETS).index(rules)
    case = GameCase(GRADES[seed % len(GRADES)], rules, seed)
    planned = planned_game(case)
    marks, most = planned.director.marks, RULE_SETS[rules].payment.wins_to_end or 1
    wins_s = [mark.t_s for mark in marks if isinstance(mark.event, Win)][most - 1 :]
    over_s = min((*wins_s, *(mark.t_s for mark in marks if isinstance(mark.event, HandEnd))))
    begins_s = min(planned.director.now * (0.3 + 0.05 * (seed % 14)), over_s - 1.0)
    lines = read_joined(case, planned, begins_s, 9.0)
    assert any(isinstance(line.event, Position) for line in lines)


def test_what_is_not_plain_is_found_wherever_it_stands() -> None:
    with pytest.raises(NotPlain, match=r"Entry\.t is np\.float64"):
        check_plain([Entry(Discard(0, Tile("1m")), t=np.float64(1.0))])


def test_the_program_joins_at_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "joined --rules hangzhou --grades clean --seeds 1 --every 60 --seconds 2"
    assert main(["games", *asked.split()]) == 0
    assert capsys.readouterr().out.startswith("clean-hangzhou-1: joined 2 times, ")
