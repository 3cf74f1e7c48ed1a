"""A record that is only added to stands for whatever is told last, and for what people wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.corrections import redone, undone
from engine.events import Correct, Discard, Entry, Event, Indicator
from engine.log import in_force
from engine.tiles import Tile
from engine.updates import Believed, CameraRecord, Pinned, pinned

Record = CameraRecord[Pinned]


def told(*tiles: str) -> list[Entry]:
    """A discard for each change; the camera may leave one out by an empty word."""
    return [
        Entry(Discard(at % 4, Tile(tile)), t=1.0 + at, source="camera", change=f"put@{at}")
        for at, tile in enumerate(tiles)
        if tile
    ]


def by_person(tile: str, change: str | None = None, seat: int = 1) -> Entry:
    return Entry(Discard(seat, Tile(tile)), source="person", change=change)


def correct(of: int, *entries: Entry) -> Entry:
    return Entry(Correct(of, entries), source="person")


def empty() -> Record:
    return CameraRecord(Pinned())


def take(record: Record, told: Sequence[Entry], **how: Any) -> list[Entry]:
    """The camera tells something."""
    return record.take(Believed(tuple(told), **how))


def write(record: Record, line: Entry) -> list[Entry]:
    """A person writes a line; returns those that go with it."""
    also = record.write(line)
    for other in also:
        assert record.write(other) == []
    record.pin()
    return also


def events_of(record: Record) -> list[Event]:
    return [event.entry.event for event in in_force(record.entries)]


def tiles_of(record: Record) -> list[str]:
    return [str(event.tile) for event in events_of(record) if isinstance(event, Discard)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("1m", "2m"), ("1m", "2m", "3m")),
        (("1m", "2m"), ("1m", "9m")),
        (("1m", "2m"), ("1m",)),
        (("", "1m", "2m", "3m"), ("9s", "1m", "2m", "3m")),
        (("1m", "", "2m", "", "3m"), ("1m", "9s", "2m", "4m", "3m")),
        ((), ("1m",)),
        (("1m", "2m"), ()),
    ],
)
def test_the_record_stands_for_what_is_told_last(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    record = empty()
    take(record, told(*before))
    take(record, told(*after))
    assert events_of(record) == [one.event for one in told(*after)]
    assert take(record, told(*after)) == []


def test_a_change_that_is_explained_otherwise_is_one_correction_of_its_line() -> None:
    record = empty()
    take(record, told("1m", "2m", "3m"))
    other = [*told("1m"), Entry(Discard(2, Tile("7m")), change="put@1"), *told("", "", "3m")]
    (line,) = take(record, other)
    assert isinstance(line.event, Correct)
    assert line.event.of == 1
    assert (line.event.reason, [event.change for event in line.event.events]) == (
        "reread",
        ["put@1"],
    )


def test_changes_that_trade_places_are_told_in_their_new_order() -> None:
    record = empty()
    first, second, third = told("1m", "2m", "3m")
    take(record, [first, second, third])
    take(record, [first, third, second])
    assert tiles_of(record) == ["1m", "3m", "2m"]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ({"answered": frozenset({"put@1"})}, "answer"),
        ({"put_back": True}, "put_back"),
        ({}, "reread"),
    ],
)
def test_why_a_line_is_corrected_stands_in_it(how: dict[str, Any], reason: str) -> None:
    record = empty()
    take(record, told("1m", "2m"))
    (line,) = take(record, told("1m", "7m"), **how)
    assert isinstance(line.event, Correct)
    assert line.event.reason == reason


def test_what_a_person_wrote_is_never_corrected() -> None:
    record = empty()
    take(record, told("1m", "2m", "3m"))
    mended = by_person("9m", "put@1")
    write(record, correct(1, mended))
    first, _, third, fourth = told("7m", "2m", "3m", "4m")
    take(record, [first, mended, third, fourth])
    assert tiles_of(record) == ["7m", "9m", "3m", "4m"]
    take(record, [first, third])
    assert tiles_of(record) == ["7m", "9m", "3m"], "whatever the camera makes of it"


def test_what_no_camera_told_is_left_where_it_stands() -> None:
    record = empty()
    take(record, told("1m", "2m"))
    own = by_person("5p")
    write(record, own)
    take(record, told("1m", "2m", "3m"))
    assert tiles_of(record) == ["1m", "2m", "5p", "3m"]
    assert pinned(record.entries).in_force[2].change == "line@2"


def test_the_camera_explains_the_rest_of_a_persons_line_anew_and_one_undo_takes_both_back() -> None:
    record = empty()
    first, second = told("1m", "2m")
    take(record, [first, second])
    write(record, correct(1, by_person("9m", "put@1")))
    seen_late = Entry(Discard(0, Tile("9s")), change="put@5", source="camera")
    mended = pinned(record.entries).in_force[1]
    take(record, [first, seen_late, mended])
    assert tiles_of(record) == ["1m", "9s", "9m"]
    write(record, correct(2))
    assert tiles_of(record) == ["1m", "2m"]


@pytest.mark.parametrize("late_at_once", [False, True])
@pytest.mark.parametrize("said", [(), ("9m",)])
def test_a_redo_takes_nothing_away_that_the_camera_has_seen_meanwhile(
    said: tuple[str, ...], late_at_once: bool
) -> None:
    """It stands on the line that the person corrected, before or after the undo."""
    record = empty()
    first, second = told("1m", "2m")
    late = Entry(Discard(0, Tile("9s")), change="put@5", source="camera")
    take(record, [first, second])
    write(record, correct(1, *(by_person(tile, "put@1") for tile in said)))
    mended = pinned(record.entries).in_force[1:]
    if late_at_once:
        take(record, [first, late, *mended])
    for line in undone(record.history):
        write(record, line)
    take(record, [first, late, second])
    for line in redone(record.history, record.entries):
        write(record, line)
    assert tiles_of(record) == ["1m", "9s", *said]
    assert "put@5" not in removed_by(record)
    for line in undone(record.history):
        write(record, line)
    assert tiles_of(record) == ["1m", "9s", "2m"]


def test_what_followed_from_a_persons_word_goes_with_it() -> None:
    record = empty()
    first, second, third = told("1m", "2m", "3m")
    take(record, [first, second, third])
    write(record, correct(1, by_person("9m", "put@1")))
    take(record, [first, pinned(record.entries).in_force[1], *told("", "", "8m")])
    assert tiles_of(record) == ["1m", "9m", "8m"]
    assert [line.event for line in write(record, correct(3))] == [Correct(4, (), "reread")]
    assert tiles_of(record) == ["1m", "2m", "3m"]


def test_what_is_told_later_by_the_same_word_goes_with_it_too() -> None:
    record = empty()
    first, second, third = told("1m", "2m", "3m")
    take(record, [first, second, third])
    write(record, correct(0, by_person("9m", "put@0", seat=0)))
    mended = pinned(record.entries).in_force[0]
    take(record, [mended, *told("", "7m", "3m")], more=True)
    take(record, [mended, *told("", "7m", "8m")])
    take(record, [mended, *told("", "7m", "8m", "4m")])
    take(record, [mended, *told("", "7m", "8m", "5m")])
    assert tiles_of(record) == ["9m", "7m", "8m", "5m"]
    write(record, correct(3))
    assert tiles_of(record) == ["1m", "2m", "3m", "5m"]


def test_pins_name_the_changes_of_which_people_wrote() -> None:
    record = empty()
    take(record, told("1m", "2m", "3m"))
    assert removed_by(record) == set()
    write(record, correct(1, by_person("9m", "put@1")))
    write(record, correct(2))
    now = pinned(record.entries)
    assert [one.change for one in now.in_force if one.source == "person"] == ["put@1"]
    assert removed_by(record) == {"put@2"}
    write(record, correct(4))
    assert removed_by(record) == set()


CAMERA = st.lists(st.sampled_from(["1m", "2m", "3m", ""]), max_size=6)
PERSON = st.tuples(st.integers(0, 8), st.lists(st.sampled_from(["8p", "9p"]), max_size=2))


@settings(max_examples=100)
@given(st.lists(st.one_of(CAMERA, PERSON), max_size=8))
def test_camera_and_people_in_any_order(
    said_and_seen: list[list[str] | tuple[int, list[str]]],
) -> None:
    """The camera's events stand as told last but for what people fixed; people's always stand."""
    record = empty()
    for one in said_and_seen:
        if isinstance(one, tuple):
            of, tiles = one
            if of < len(record.entries):
                write(record, correct(of, *(by_person(tile, seat=of % 4) for tile in tiles)))
            continue
        people = [tile for tile in tiles_of(record) if tile.endswith("p")]
        fixed = of_people(record) | removed_by(record)
        seen = [entry for entry in told(*one) if entry.change not in fixed]
        take(record, seen)
        assert [tile for tile in tiles_of(record) if tile.endswith("p")] == people
        now = [entry for entry in pinned(record.entries).in_force if entry.source != "person"]
        own = of_people(record)
        assert [entry.event for entry in now if entry.change not in own] == [
            entry.event for entry in seen
        ]


def test_what_a_person_wrote_in_the_place_of_a_correction_stays() -> None:
    record = empty()
    take(record, told("1m"))
    write(record, correct(0))
    write(record, correct(1, by_person("8p")))
    assert tiles_of(record) == ["1m", "8p"]
    take(record, [])
    assert tiles_of(record) == ["8p"]


def removed_by(record: Record) -> set[str | None]:
    """The changes of which a person took away an act."""
    return {one.change for one in pinned(record.entries).removed}


def of_people(record: Record) -> set[str | None]:
    """The changes of which a person wrote something that stands."""
    return {one.change for one in pinned(record.entries).in_force if one.source == "person"}


def test_what_a_person_removed_stays_removed_when_the_rest_of_its_line_is_corrected() -> None:
    record = empty()
    first, second = told("1m", "2m")
    late = Entry(Discard(1, Tile("9s")), change="put@5", source="camera")
    take(record, [first, second])
    take(record, [first, late, second])
    assert tiles_of(record) == ["1m", "9s", "2m"]
    write(record, correct(1, second))
    assert removed_by(record) == {"put@5"}
    write(record, correct(1, by_person("7m", "put@1")))
    assert removed_by(record) == {"put@5"}


def test_one_of_two_like_acts_of_a_line_is_removed() -> None:
    record = empty()
    first = told("1m")[0]
    two = [
        Entry(Indicator(Tile(face), "ura_dora"), change="put@1", source="camera")
        for face in ("2m", "3m")
    ]
    take(record, [first, Entry(Discard(1, Tile("9m")), change="put@1", source="camera")])
    take(record, [first, *two])
    write(record, correct(1, two[0]))
    assert [one.event for one in pinned(record.entries).removed] == [two[1].event]


def test_what_the_camera_takes_back_was_removed_by_nobody() -> None:
    record = empty()
    first, second = told("1m", "2m")
    late = Entry(Discard(1, Tile("9s")), change="put@5", source="camera")
    take(record, [first, second])
    take(record, [first, late, second])
    mended = by_person("7m", "put@1")
    write(record, correct(1, late, mended))
    take(record, [first, mended])
    assert tiles_of(record) == ["1m", "7m"]
    assert removed_by(record) == set()


def test_an_undo_takes_back_corrections_alone_and_no_new_events() -> None:
    record = empty()
    first, second = told("1m", "2m")
    take(record, [first, second])
    write(record, correct(0, by_person("9m", "put@0", seat=0)))
    mended = pinned(record.entries).in_force[0]
    take(record, [mended, *told("", "7m", "3m")])
    write(record, correct(2))
    assert tiles_of(record) == ["1m", "2m", "3m"]


def test_what_the_rules_refuse_beside_a_persons_word_is_left_where_it_stands() -> None:
    record = empty()
    first, second, third = told("1m", "2m", "3m")
    take(record, [first, second, third])
    write(record, correct(0, by_person("9m", "put@0", seat=0)))
    mended = pinned(record.entries).in_force[0]
    assert take(record, [mended, third], left=frozenset({"put@1"})) == []
    assert tiles_of(record) == ["9m", "2m", "3m"]
