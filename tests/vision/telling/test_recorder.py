"""A record that is only added to stands for whatever is told last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Correct, Discard, Entry
from engine.log import standing
from engine.tiles import Tile
from vision.telling.recorder import Recorder
from vision.telling.story import Told


def told(*tiles: str) -> list[Told]:
    return [
        Told(Discard(place % 4, Tile(tile)), 1.0 + place, place) for place, tile in enumerate(tiles)
    ]


def write(event: Told) -> Entry:
    return Entry(event.event, t=event.time_s)


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
def test_the_record_stands_for_the_last_telling(
    before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    recorder = Recorder()
    lines = recorder.tell(told(*before), write) + recorder.tell(told(*after), write)
    assert [line.entry.event for line in standing(lines)] == [t.event for t in told(*after)]


def test_what_is_told_again_adds_nothing() -> None:
    recorder = Recorder()
    recorder.tell(told("1m", "2m"), write)
    assert recorder.tell(told("1m", "2m"), write) == []


def test_one_other_reading_is_one_correction() -> None:
    recorder = Recorder()
    recorder.tell(told("1m", "2m", "3m"), write)
    (line,) = recorder.tell(told("1m", "7m", "3m"), write)
    assert isinstance(line.event, Correct)
    assert line.event.of == 1


@given(st.lists(st.lists(st.sampled_from(["1m", "2m", "3m"]), max_size=6), max_size=5))
def test_any_tellings_one_after_the_other(tellings: list[list[str]]) -> None:
    recorder = Recorder()
    lines: list[Entry] = []
    for tiles in tellings:
        lines += recorder.tell(told(*tiles), write)
        assert [line.entry.event for line in standing(lines)] == [t.event for t in told(*tiles)]
