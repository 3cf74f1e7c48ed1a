"""A camera that is switched on in the middle of a hand: the record starts from what lies there."""

from __future__ import annotations

import pytest
from games.recorded import RecordedDecoder

from engine.events import Entry, GameEnd, GameStart, HandStart, Position, Pung, Win
from engine.log import in_force
from engine.state import EAST
from engine.tiles import Tile
from studio.play.settled_tables import SettledGame, observations, planned
from studio.play.truth import seen_entries
from tests.support.tables import VIEW, Stage, set_at_corner
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


def read_from(rules: str, game: SettledGame, share: float) -> list[Entry]:
    """What is told of the part of a hand that is left."""
    seen = list(observations(game))
    seen = seen[int(len(seen) * share) :]
    decoder = RecordedDecoder(rules, game.place.view)
    lines = [entry for one in seen for entry in decoder.observe(one)]
    return [*lines, *decoder.close()]


@pytest.mark.parametrize(("rules", "seed", "share"), HANDS)
def test_a_hand_is_joined_half_way_and_its_end_is_paid(rules: str, seed: int, share: float) -> None:
    game = planned(rules, seed)
    true = counted(seen_entries(game.entries, (), rules))
    lines = read_from(rules, game, share)
    told = counted([event.entry for event in in_force(lines)])
    start, position = (one.event for one in told[1:3])
    assert isinstance(start, HandStart)
    assert isinstance(position, Position)
    assert start.dealer == next(
        one.event.dealer for one in true if isinstance(one.event, HandStart)
    )
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
    game = planned("riichi", 26)
    seen = list(observations(game))
    decoder = RecordedDecoder("riichi", game.place.view, first_dealer=first_dealer)
    part = seen[int(len(seen) * share) : int(len(seen) * (share + 0.2))]
    lines = [entry for one in part for entry in decoder.observe(one)]
    begun, start = (event.entry.event for event in in_force(lines)[:2])
    assert begun == GameStart("riichi", first_dealer=first_dealer)
    assert isinstance(start, HandStart)
    assert (start.dealer, start.round) == (3, wind)


def counted(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if not isinstance(entry.event, NOT_COUNTED)]


def loose_heap() -> tuple[RecordedDecoder, list[Entry]]:
    """A decoder that has found four hands of thirteen and a heap of discards, and its lines."""
    stage, decoder = Stage(), RecordedDecoder("harbin-hlr", VIEW)
    for seat in range(4):
        stage.stand(seat, 13)
    for turn, face in enumerate(("1m", "5p", "9s", "3m", "7p")):
        stage.put(turn % 4, -60 + 45 * (turn // 4), 110, face)
    return decoder, [line for seen in stage.shown(3.0) for line in decoder.observe(seen)]


def test_who_dealt_is_asked_where_the_table_leaves_it_open() -> None:
    decoder, lines = loose_heap()
    (question,) = decoder.questions()
    dealers = [
        next(event.dealer for event in choice.events if isinstance(event, HandStart))
        for choice in question.choices
    ]
    assert len(set(dealers)) == len(dealers) >= 2
    lines += decoder.answer(Answer(question.place, question.choices[1].events))
    (start,) = (
        one.entry.event for one in in_force(lines) if isinstance(one.entry.event, HandStart)
    )
    assert start.dealer == dealers[1]
    assert not decoder.questions()


def test_a_discard_that_is_claimed_right_after_a_hand_was_joined_was_the_last() -> None:
    stage, decoder = Stage(), RecordedDecoder("harbin-hlr", VIEW)
    lines: list[Entry] = []
    for seat in range(4):
        stage.stand(seat, 13)
    faces = ("1m", "5p", "9s", "3m", "7p")
    heap = [
        stage.put(turn % 4, -60 + 45 * (turn // 4), 110, face) for turn, face in enumerate(faces)
    ]
    for seen in stage.shown(3.0):
        lines += decoder.observe(seen)
    stage.take(heap[1])
    stage.stand(3, 11)
    set_at_corner(stage, 3, ["5p", "5p", "5p"], turned=1)
    for seen in stage.shown(4.0):
        lines += decoder.observe(seen)
    position, pung = (event.entry.event for event in in_force(lines)[2:])
    assert isinstance(position, Position)
    assert position.rivers is not None
    assert position.rivers[1][-1].tile == "5p"
    assert pung == Pung(3, 1, Tile("5p"), (Tile("5p"), Tile("5p")))


@pytest.mark.parametrize(("rules", "seed"), [("riichi", 26), ("hangzhou", 19), ("wsom", 72)])
def test_of_a_hand_that_was_won_before_the_camera_came_nothing_is_told(
    rules: str, seed: int
) -> None:
    game = planned(rules, seed)
    times = list(dict.fromkeys(mark.t_s for mark in game.director.marks))
    won = next(mark.t_s for mark in game.director.marks if isinstance(mark.event, Win))
    shown = list(observations(game))
    after = shown[len(shown) * times.index(won) // len(times) :]
    assert after
    decoder = RecordedDecoder(rules, game.place.view)
    assert [line for seen in after for line in decoder.observe(seen)] == []
    assert decoder.decoder.found_over
    assert decoder.close() == []


def test_a_hand_that_is_seen_from_the_deal_on_was_not_over_when_the_camera_came() -> None:
    game = planned("riichi", 26)
    decoder = RecordedDecoder("riichi", game.place.view)
    shown = list(observations(game))
    for seen in shown[: len(shown) // 10]:
        decoder.observe(seen)
    assert not decoder.decoder.found_over
