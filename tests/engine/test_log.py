from __future__ import annotations

import pytest

from engine.events import Correct, Dice, Entry
from engine.log import by_people, in_force


def line(value: int) -> Entry:
    """An event that can be told from others by its number."""
    return Entry(Dice((value,)))


def correct(of: int, *entries: Entry) -> Entry:
    return Entry(Correct(of, entries))


A, B, C, X, Y = (line(value) for value in (1, 2, 3, 4, 5))

CASES = [
    ("no correction", [A, B, C], [(0, A), (1, B), (2, C)]),
    ("[] removes", [A, B, C, correct(1)], [(0, A), (2, C)]),
    ("[e] replaces", [A, B, C, correct(1, X)], [(0, A), (1, X), (2, C)]),
    ("[x, e] inserts before", [A, B, correct(1, X, B)], [(0, A), (1, X), (1, B)]),
    ("[e, x] inserts after", [A, B, correct(0, A, X)], [(0, A), (0, X), (1, B)]),
    ("play goes on after a correction", [A, correct(0, X), B], [(0, X), (2, B)]),
    ("the last one of a number holds", [A, correct(0, X), B, correct(0, Y)], [(0, Y), (2, B)]),
    ("an event is restored", [A, B, correct(1), correct(1, B)], [(0, A), (1, B)]),
    ("a correction is withdrawn", [A, correct(0, X), correct(1)], [(0, A)]),
    ("the one before it holds again", [A, correct(0, X), correct(0, Y), correct(2)], [(0, X)]),
    ("a withdrawal is withdrawn", [A, correct(0, X), correct(1), correct(2)], [(0, X)]),
    ("a correction is corrected", [A, correct(0, X), correct(1, correct(0, Y))], [(0, Y)]),
    (
        "an event takes a correction's place",
        [A, correct(0), B, correct(1, X)],
        [(0, A), (1, X), (2, B)],
    ),
    ("a correction takes an event's place", [A, B, correct(1, correct(0, X))], [(0, X)]),
    ("nothing to correct yet", [A, correct(7, X)], [(0, A), (1, correct(7, X))]),
    ("itself", [correct(0, X)], [(0, correct(0, X))]),
    (
        "inside an event that came before",
        [A, B, correct(0, correct(1, X))],
        [(0, correct(1, X)), (1, B)],
    ),
    ("a bad one may be corrected away", [A, correct(7, X), correct(1)], [(0, A)]),
]


@pytest.mark.parametrize(
    ("lines", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_what_stands_after_corrections(
    lines: list[Entry], expected: list[tuple[int, Entry]]
) -> None:
    assert [(event.number, event.entry) for event in in_force(lines)] == expected


def test_a_long_record_is_read_once_a_line() -> None:
    lines = [A] * 2000 + [correct(place, X) for place in range(2000)]
    assert [event.entry for event in in_force(lines)] == [X] * 2000


MEND = Entry(Correct(1, (X,)), source="person")
SAID = Entry(Dice((6,)), source="person")


@pytest.mark.parametrize(
    ("lines", "holds"),
    [
        ([A, B], False),
        ([A, SAID], True),
        ([A, B, MEND], True),
        ([A, B, correct(1, Y)], False),
        ([A, B, MEND, correct(2)], False),
        ([A, B, MEND, correct(2), correct(3)], True),
    ],
    ids=["nobody", "a person's line", "mended", "by the camera", "taken back", "brought back"],
)
def test_a_persons_word_about_a_line_holds_until_it_is_taken_back(
    lines: list[Entry], holds: bool
) -> None:
    assert (1 in by_people(lines)) is holds
