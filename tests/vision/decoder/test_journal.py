"""A record that is only added to stands for whatever is told last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Correct, Discard, Entry
from engine.log import standing
from engine.tiles import Tile
from vision.decoder.hypothesis import Explained
from vision.decoder.journal import Journal


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
