"""What people change in a record, and what can be undone, redone, or comes too late."""

from __future__ import annotations

import pytest

from engine.corrections import (
    EditHistory,
    correction,
    following,
    next_game,
    redone,
    refuse_stale,
    undone,
)
from engine.errors import Conflict, NotThere
from engine.events import (
    Correct,
    Discard,
    DrawnHand,
    Entry,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
)
from engine.game import replay
from engine.tiles import Tile

SEEN = [Entry(Discard(seat, Tile("5m")), source="camera") for seat in range(3)]


def corrected(of: int, *tiles: str) -> Entry:
    entries = tuple(Entry(Discard(of, Tile(tile))) for tile in tiles)
    return Entry(Correct(of, entries), source="person")


def test_after_a_new_change_nothing_can_be_redone() -> None:
    record = [*SEEN, corrected(0, "6m")]
    record += undone(EditHistory(record))
    assert redone(EditHistory(record), record)
    record.append(corrected(1, "7m"))
    with pytest.raises(NotThere, match="nothing to redo"):
        redone(EditHistory(record), record)


@pytest.mark.parametrize("between", [[], [Entry(Discard(3, Tile("6m")), source="camera")]])
def test_what_follows_right_after_a_change_is_undone_with_it(between: list[Entry]) -> None:
    record = [*SEEN, corrected(0, "6m"), *between, following(corrected(1, "7m"))]
    line = undone(EditHistory(record))
    of = [entry.event.of for entry in line if isinstance(entry.event, Correct)]
    assert of == ([5] if between else [3, 4])


@pytest.mark.parametrize(
    ("since", "late"),
    [
        (Entry(Discard(3, Tile("6m")), source="camera"), False),
        (Entry(Discard(3, Tile("6m")), source="person"), True),
        (Entry(Correct(0, ()), source="camera"), True),
        (corrected(1, "7m"), True),
    ],
)
def test_a_change_is_late_once_something_else_was_changed(since: Entry, late: bool) -> None:
    if late:
        with pytest.raises(Conflict, match="it had 3 lines and has 4"):
            refuse_stale([*SEEN, since], len(SEEN))
    else:
        refuse_stale([*SEEN, since], len(SEEN))


def test_a_missed_event_has_the_time_of_the_next_one_and_not_its_picture() -> None:
    seen = Entry(Discard(0, Tile("5m")), t=9.0, evidence="a.jpg", source="camera")
    line = correction([seen], 0, 0, "insert", [Entry(Discard(3, Tile("6m")))])
    assert isinstance(line.event, Correct)
    missed, stays = line.event.events
    assert (missed.t, missed.evidence, missed.source) == (9.0, None, "person")
    assert stays == seen


def test_who_deals_first_in_the_next_game_is_not_settled() -> None:
    start = GameStart("riichi", {"red_fives": 3}, ("Anna", "Bo", "Chie", "Dan"), first_dealer=2)
    played = start, HandStart(), DrawnHand("exhausted"), HandEnd()
    lines = next_game(replay(Entry(event) for event in played), ("Bo", "Anna", "", ""), 9.0)
    again = GameStart("riichi", {"red_fives": 3}, ("Bo", "Anna", "", ""))
    assert [line.event for line in lines] == [GameEnd(), again]
