"""From what lies on the table to the record: hands played on a hand-made table."""

from __future__ import annotations

import gc

import pytest
from games.recorded import RecordedDecoder

from engine.events import Chow, Discard, DrawnHand, GameStart, HandEnd, HandStart, Kong, Pung, Win
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import VIEW, Stage, set_at_corner, shares
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.questions import SURE
from vision.decoder.search import KEPT, SPARE


@pytest.fixture
def seen() -> Seen:
    table = Seen()
    table.deal()
    return table


def test_a_hand_is_dealt_and_the_seat_with_most_tiles_is_the_dealer() -> None:
    table = Seen()
    table.deal(dealer=2)
    start = table.best.events[-1].event
    assert isinstance(start, HandStart)
    assert start.dealer == 2


def test_discards_go_round_the_table(seen: Seen) -> None:
    for seat, face in enumerate(("1m", "9p", "7z", "3s")):
        seen.discard(seat, face)
    assert seen.events == [
        Discard(0, Tile("1m")),
        Discard(1, Tile("9p")),
        Discard(2, Tile("7z")),
        Discard(3, Tile("3s")),
    ]


def test_a_hand_that_passes_over_the_table_tells_nothing(seen: Seen) -> None:
    seen.discard(0, "1m")
    seen.stage.busy = frozenset({2})
    seen.show(2.0)
    assert seen.events == [Discard(0, Tile("1m"))]


def test_a_pung_takes_the_turn_from_those_between(seen: Seen) -> None:
    tile = seen.discard(0, "5p")
    seen.stage.take(tile)
    seen.stage.stand(2, 11)
    set_at_corner(seen.stage, 2, ["5p", "5p", "5p"], turned=1)
    seen.show(1.6)
    seen.discard(2, "9s")
    assert seen.events == [
        Discard(0, Tile("5p")),
        Pung(2, 0, Tile("5p"), (Tile("5p"), Tile("5p"))),
        Discard(2, Tile("9s")),
    ]


def test_a_chow_is_told_with_the_tiles_from_the_hand(seen: Seen) -> None:
    tile = seen.discard(0, "6s")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    set_at_corner(seen.stage, 1, ["6s", "5s", "7s"], turned=0)
    seen.show(1.6)
    assert seen.events[-1] == Chow(1, 0, Tile("6s"), (Tile("5s"), Tile("7s")))


def test_a_set_shows_that_the_discard_was_misread(seen: Seen) -> None:
    tile = seen.discard(0, "2p")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    set_at_corner(seen.stage, 1, ["4p", "4p", "4p"], turned=0)
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("4p")), Pung(1, 0, Tile("4p"), (Tile("4p"), Tile("4p")))]


def test_two_backs_and_two_faces_are_a_closed_kong(seen: Seen) -> None:
    seen.stage.stand(0, 10)
    set_at_corner(seen.stage, 0, ["", "8m", "8m", ""], turned=-1)
    seen.show(1.6)
    assert seen.events == [Kong(0, "closed", Tile("8m"), own=(Tile("8m"),) * 4)]


@pytest.mark.parametrize(
    ("early", "backs", "stand", "ready", "sure"),
    [
        (0, 10, 0, True, True),
        (0, 4, 0, True, False),
        (0, 12, 10, False, True),
        (7, 10, 0, False, True),
    ],
    ids=["all of it", "few, as under an arm", "read twice where it stands", "misread by and by"],
)
def test_a_hand_laid_down_after_a_discard_claims_ready(
    seen: Seen, early: int, backs: int, stand: int, ready: bool, sure: bool
) -> None:
    tile = seen.discard(0, "5p")
    seen.stage.take(tile)
    seen.stage.stand(1, 11)
    set_at_corner(seen.stage, 1, ["5p", "5p", "5p"], turned=0)
    seen.show(1.6)
    seen.discard(1, "9s")
    seen.discard(2, "9s", 1)
    seen.discard(3, "9m", 2)
    seen.discard(0, "1p", 3)
    for place in range(early):
        seen.stage.put(1, -170 + 30 * place, 385)
    seen.show(6.0)
    seen.discard(1, "2s", 4)
    seen.stage.stand(1, stand)
    for place in range(early, backs):
        seen.stage.put(1, -170 + 30 * place, 385)
    seen.show(1.6)
    told = seen.decoder.decoding().told[-1]
    assert told.event == Discard(1, Tile("2s"), ready=ready)
    assert ((told.confidence or 0.0) > SURE) is sure


def test_a_hand_laid_down_claims_nothing_where_the_rules_turn_a_discard_for_it() -> None:
    """Standing tiles were taken for backs under an arm, and the picture stood still over it."""
    table = Seen("riichi")
    table.deal()
    table.discard(0, "9p")
    table.stage.stand(0, 0)
    for place in range(4):
        table.stage.put(0, -170 + 30 * place, 345)
    table.show(1.6)
    assert table.events == [Discard(0, Tile("9p"))]


def test_a_face_that_is_seen_for_a_moment_only_is_forgotten(seen: Seen) -> None:
    seen.discard(0, "1m")
    ghost = seen.stage.put(1, 0, 120, "9p")
    seen.stage.change(ghost, looks=2)
    seen.show(0.4)
    seen.stage.take(ghost)
    seen.show(0.8)
    seen.discard(1, "4s", 1)
    assert seen.events == [Discard(0, Tile("1m")), Discard(1, Tile("4s"))]


def test_a_fifth_copy_is_read_as_the_next_likeliest_face(seen: Seen) -> None:
    for turn in range(4):
        seen.discard(turn, "7z", turn)
    tile = seen.stage.put(0, 30, 150, "7z")
    seen.stage.change(tile, probabilities=shares("7z", 0.8, other="1p"))
    seen.show()
    assert seen.events[-1] == Discard(0, Tile("1p"))


def test_a_wash_yields_nothing_but_the_end_of_the_hand(seen: Seen) -> None:
    for turn in range(8):
        seen.discard(turn % 4, f"{turn + 1}m", turn)
    before = seen.events
    seen.stage.clear()
    seen.show(2.0)
    told = seen.events
    assert told[: len(before)] == before
    assert [type(event) for event in told[len(before) :]] == [DrawnHand, HandEnd]


def with_seat_1_ready() -> tuple[Seen, list[int]]:
    """A table on which seat 1 has a pung and its ready hand laid down, and the ids of its tiles."""
    table = Seen()
    table.deal()
    tile = table.discard(0, "5p")
    table.stage.take(tile)
    table.stage.stand(1, 11)
    set_at_corner(table.stage, 1, ["5p", "5p", "5p"], turned=0)
    table.show(1.6)
    table.discard(1, "9s")
    table.stage.stand(1, 0)
    row = [table.stage.put(1, -170 + 30 * place, 345) for place in range(10)]
    table.show(1.6)
    return table, row


def lay_open(table: Seen, gap_mm: float, shown_s: float = 2.0, without: int | None = None) -> None:
    """Seat 1's hand with the tile that it wins with, which lies apart by so much."""
    hand = ("2m", "3m", "1s", "2s", "3s", "7p", "7p", "7p", "9m", "9m", "4m")
    for place, face in enumerate(hand):
        if place == without:
            continue
        table.stage.put(1, -190 + 30 * place + (gap_mm if place == 10 else 0), 345, face)
    table.show(shown_s)


@pytest.mark.parametrize("backs", [0, 4])
def test_a_ready_hand_laid_open_with_the_discard_wins(backs: int) -> None:
    """Also where noise leaves backs beside a whole hand: nobody holds more than that."""
    table, row = with_seat_1_ready()
    last = table.discard(2, "4m", 1)
    table.stage.take(last, *row[backs:])
    lay_open(table, 20)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (1, 2, "4m")
    assert any(
        event == Pung(1, 0, Tile("5p"), (Tile("5p"), Tile("5p")), ready=True)
        for event in table.events
    )


def test_a_discard_that_is_gone_was_claimed_by_the_next_seat_and_not_drawn_by_it() -> None:
    table, row = with_seat_1_ready()
    for seat, face in ((2, "9p"), (3, "1s"), (0, "4m")):
        last = table.discard(seat, face, 2)
    table.stage.take(last, *row)
    lay_open(table, 20)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (1, 0, "4m")
    asked = table.decoder.questions()
    assert all(question.place.what != "opened" for question in asked)


def test_a_whole_hand_beside_the_last_discard_was_drawn() -> None:
    table, row = with_seat_1_ready()
    for seat, face in ((2, "9p"), (3, "1s"), (0, "4m")):
        table.discard(seat, face, 2)
    table.stage.take(*row)
    lay_open(table, 20)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (1, 1, "4m")


def test_a_hand_may_be_opened_before_the_discard_that_it_wins_with_is_seen() -> None:
    table, row = with_seat_1_ready()
    for place, (seat, face) in enumerate(((2, "9p"), (3, "4m"), (0, "8s"), (1, "1p"), (2, "6p"))):
        table.discard(seat, face, place)
    table.stage.take(*row)
    lay_open(table, 20, shown_s=0.0, without=10)
    table.show(0.8)
    table.stage.put(3, 60, 90, "4m")
    table.show(2.0)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert table.events[-2] == Discard(3, Tile("4m"))
    assert (won.seat, won.from_seat, won.tile) == (1, 3, "4m")


def test_a_hand_with_several_doubtful_tiles_is_read_as_the_rules_have_it() -> None:
    """The one that was misread is surer than others: a dozen readings are likelier."""
    table, row = with_seat_1_ready()
    last = table.discard(2, "4m", 1)
    table.stage.take(last, *row)
    before = table.stage.known
    lay_open(table, 20, shown_s=0.0)
    tiles = sorted(table.stage.known - before)
    for tile, face, other in ((5, "7p", "8p"), (6, "7p", "6p"), (7, "7p", "9p"), (2, "1s", "7s")):
        table.stage.change(tiles[tile], probabilities=shares(face, 0.6, other))
    table.stage.change(tiles[3], probabilities=shares("8s", 0.9, "2s"))
    table.show(2.0)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert won.hand is not None
    assert [str(tile) for tile in won.hand if tile.suit == "s"] == ["1s", "2s", "3s"]


def test_a_hand_that_wins_by_no_rule_was_misread_where_several_tiles_are_doubtful() -> None:
    """None of them is likelier another one: which tile was misread cannot be said."""
    table, row = with_seat_1_ready()
    last = table.discard(2, "4m", 1)
    table.stage.take(last, *row)
    before = table.stage.known
    lay_open(table, 20, shown_s=0.0)
    for tile, face in zip(sorted(table.stage.known - before)[:3], ("1m", "5m", "9s"), strict=True):
        table.stage.change(tile, probabilities=shares(face, 0.8, "7z"))
    table.show(2.0)
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.hand) == (1, 2, None)
    # What it pays nobody knows: it is asked.
    asked = table.decoder.questions()
    assert won in [question.choices[0].events[-1] for question in asked]


@pytest.mark.parametrize(
    "gap_mm",
    [20, 45, 0],
    ids=["apart", "so far apart that a tile may be missing between", "in the row"],
)
def test_a_winning_discard_that_nobody_saw_was_thrown_by_whose_turn_it_was(gap_mm: float) -> None:
    table, row = with_seat_1_ready()
    table.stage.take(*row)
    lay_open(table, gap_mm)
    assert table.events[-2:-1] == [Discard(2, Tile("4m"))]
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (1, 2, "4m")


def test_discards_in_orderly_rows_of_six_are_read_as_well(seen: Seen) -> None:
    """Rivers as riichi lays them: from the player's left, a new row nearer to the player."""
    faces = ["1m", "9p", "3s", "7z", "2m", "8p", "4s", "6m"]
    expected = []
    for number in range(7 * 4):
        seat, turn = number % 4, number // 4
        face = faces[(turn * 3 + seat) % len(faces)]
        seen.stage.busy = frozenset({seat})
        seen.show(0.4)
        line, column = divmod(turn, 6)
        seen.stage.put(seat, (column - 2.5) * 31, 110 + 41 * line, face)
        seen.show(0.4)
        seen.stage.busy = frozenset()
        seen.show(0.8)
        expected.append(Discard(seat, Tile(face)))
    assert [event for event in seen.events if isinstance(event, Discard)] == expected


CHANGES = 16
"""In one hand of twelve discards, its beginning and its end."""


def hypotheses_kept() -> int:
    gc.collect()
    return sum(type(one) is Hypothesis for one in gc.get_objects())


def test_what_might_have_been_in_hands_long_over_is_forgotten() -> None:
    of_others = hypotheses_kept()
    table = Seen()
    kept = []
    for _ in range(4):
        table.deal()
        for turn in range(12):
            table.discard(turn % 4, f"{1 + turn % 9}p", place=turn // 4)
        table.stage.clear()
        table.show(2.0)
        kept.append(hypotheses_kept() - of_others)
    assert sum(type(step.event) is HandEnd for step in table.best.events) >= 3
    # Each holds the whole game until then: kept for ever they would fill the memory.
    assert kept[3] <= CHANGES * (KEPT + SPARE)


def test_the_start_of_a_game_is_sure() -> None:
    decoder, stage = RecordedDecoder("harbin-hlr", VIEW), Stage()
    for seat in range(4):
        stage.stand(seat, 14 if seat == 0 else 13)
    lines = [line for seen in stage.shown(2.0) for line in decoder.observe(seen)]
    assert [type(line.event) for line in lines] == [GameStart, HandStart]
    assert lines[0].confidence == 1.0
    assert lines[1].confidence is not None
    assert 0.9 < lines[1].confidence <= 1.0
