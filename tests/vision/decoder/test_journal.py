"""A record that is only added to stands for whatever is told last."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Correct, Discard, Entry
from engine.log import standing
from engine.tiles import Tile
from vision.decoder.explained import Explained
from vision.decoder.journal import Journal
from vision.decoder.words import Words


def steps(*tiles: str) -> list[Explained]:
    return [
        Explained(1.0 + place, place, Discard(place % 4, Tile(tile)))
        for place, tile in enumerate(tiles)
    ]


def write(step: Explained) -> Entry:
    assert step.event is not None
    return Entry(step.event, t=step.time_s, source="camera")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("1m", "2m"), ("1m", "2m", "3m")),
        (("1m", "2m"), ("1m", "9m")),
        (("1m", "2m"), ("1m",)),
        (("1m", "2m", "3m"), ("9s", "1m", "2m", "3m")),
        (("1m", "2m", "3m"), ("1m", "9s", "2m", "4m", "3m")),
        ((), ("1m",)),
        (("1m", "2m"), ()),
    ],
)
def test_the_record_stands_for_the_last_decoding(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    journal = Journal()
    lines = journal.tell(steps(*before), write) + journal.tell(steps(*after), write)
    assert [line.entry.event for line in standing(lines)] == [one.event for one in steps(*after)]


def test_what_is_decoded_again_adds_nothing() -> None:
    journal = Journal()
    journal.tell(steps("1m", "2m"), write)
    assert journal.tell(steps("1m", "2m"), write) == []


def test_one_other_reading_is_one_correction() -> None:
    journal = Journal()
    journal.tell(steps("1m", "2m", "3m"), write)
    (line,) = journal.tell(steps("1m", "7m", "3m"), write)
    assert isinstance(line.event, Correct)
    assert line.event.of == 1


@given(st.lists(st.lists(st.sampled_from(["1m", "2m", "3m"]), max_size=6), max_size=5))
def test_any_decodings_one_after_the_other(decodings: list[list[str]]) -> None:
    journal = Journal()
    lines: list[Entry] = []
    for tiles in decodings:
        lines += journal.tell(steps(*tiles), write)
        assert [line.entry.event for line in standing(lines)] == [
            one.event for one in steps(*tiles)
        ]


def said(of: int, *tiles: str) -> Entry:
    """A person replaces a discard of the seat that ``steps`` gives it."""
    entries = tuple(Entry(Discard(of % 4, Tile(tile)), source="person") for tile in tiles)
    return Entry(Correct(of, entries), source="person")


def tiles_of(lines: list[Entry]) -> list[str]:
    events = [one.entry.event for one in standing(lines)]
    return [str(event.tile) for event in events if isinstance(event, Discard)]


def test_what_a_person_wrote_is_never_corrected() -> None:
    journal = Journal()
    journal.tell(steps("1m", "2m", "3m"), write)
    assert journal.said(said(1, "9m")) == 3
    assert journal.tell(steps("1m", "9m", "3m"), write) == []
    journal.tell(steps("7m", "9m", "3m", "4m"), write)
    assert tiles_of(journal.entries) == ["7m", "9m", "3m", "4m"]
    for line in journal.tell(steps("7m", "3m"), write):
        assert not isinstance(line.event, Correct) or line.event.of != 1
    assert "9m" in tiles_of(journal.entries), "whatever the camera makes of it"


def with_two_changes_on_a_line() -> tuple[Journal, Entry]:
    """A person has named the second event of a line; the first belongs to change 5."""
    journal = Journal()
    first, second = steps("1m", "2m")
    seen_late = Explained(1.5, 5, Discard(0, Tile("9s")))
    journal.tell([first, second], write)
    journal.tell([first, seen_late, second], write)
    beside = next(one.entry for one in standing(journal.entries) if "9s" in repr(one.entry.event))
    named = Entry(Discard(1, Tile("9m")), source="person")
    journal.said(Entry(Correct(1, (beside, named)), source="person"))
    return journal, named


def test_only_changes_that_a_person_speaks_of_are_held() -> None:
    """A camera's event beside the corrected one on a line may still become another one."""
    journal, named = with_two_changes_on_a_line()
    assert journal.words() == {1: Words.of_person(named.event)}
    journal.said(Entry(Correct(1, (named,)), source="person"))
    assert journal.words() == {1: Words.of_person(named.event), 5: Words(())}


def test_words_hold_when_the_camera_explains_the_rest_of_their_line_anew() -> None:
    journal, named = with_two_changes_on_a_line()
    first, second = steps("1m", "2m")
    other = Explained(1.5, 5, Discard(0, Tile("8s")))
    journal.tell([first, other, replace(second, event=named.event)], write)
    assert tiles_of(journal.entries) == ["1m", "8s", "9m"]
    assert journal.words() == {1: Words.of_person(named.event)}


def test_lines_of_people_have_the_next_number() -> None:
    journal = Journal()
    journal.tell(steps("1m", "2m"), write)
    assert journal.said(Entry(Discard(2, Tile("5p")), source="person")) == 2
    assert journal.said(said(2)) == 3
    (line,) = journal.tell(steps("1m", "3m"), write)
    assert isinstance(line.event, Correct)
    assert line.event.of == 1
    assert journal.entries[4] == line


def test_a_removal_that_is_undone_leaves_the_line_to_the_camera() -> None:
    journal = Journal()
    journal.tell(steps("1m", "2m"), write)
    number = journal.said(said(1))
    assert tiles_of(journal.entries) == ["1m"]
    assert journal.is_by_person(1)
    journal.said(said(number))
    assert tiles_of(journal.entries) == ["1m", "2m"]
    assert not journal.is_by_person(1)
    journal.tell(steps("1m", "3m"), write)
    assert tiles_of(journal.entries) == ["1m", "3m"]


@given(
    st.lists(
        st.one_of(
            st.lists(st.sampled_from(["1m", "2m", "3m"]), max_size=6),
            st.tuples(st.integers(0, 8), st.lists(st.sampled_from(["8p", "9p"]), max_size=2)),
        ),
        max_size=8,
    )
)
def test_camera_and_people_in_any_order(
    said_and_seen: list[list[str] | tuple[int, list[str]]],
) -> None:
    journal = Journal()
    for one in said_and_seen:
        if isinstance(one, tuple):
            of, words = one
            if of < len(journal.entries):
                journal.said(said(of, *words))
            continue
        by_people = [at for at in range(len(journal.entries)) if journal.is_by_person(at)]
        for line in journal.tell(steps(*one), write):
            if isinstance(line.event, Correct):
                assert line.event.of not in by_people
        assert [tile for tile in tiles_of(journal.entries) if tile.endswith("m")] == list(one)
