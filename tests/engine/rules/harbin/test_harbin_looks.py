"""Only players who have claimed ready learn what the dora or the treasure is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.announce import Announcement, Ready, seen_by
from engine.events import Entry, Indicator, Seat, Win
from engine.game import replay
from engine.tiles import UNKNOWN
from tests.support.properties import seeds, some
from tests.support.random_games import played

harbin = pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure"])


def before_the_win(rules: str, seed: int) -> list[Entry]:
    lines = list(played(rules, seed).entries)
    ends = [at for at, entry in enumerate(lines) if isinstance(entry.event, Win)]
    return lines[: ends[0]] if ends else lines


def heard(lines: list[Entry], viewer: Seat | None) -> list[Announcement]:
    said = replay(lines).announcements()
    return [one for each in said if (one := seen_by(each, viewer)) is not None]


def unread(entry: Entry) -> Entry:
    if isinstance(entry.event, Indicator):
        return Entry(Indicator(UNKNOWN, entry.event.kind))
    return entry


@harbin
@given(seed=seeds, viewer=st.none() | st.integers(0, 3))
@some
def test_others_hear_what_they_would_hear_if_nobody_had_told_it(
    rules: str, seed: int, viewer: Seat | None
) -> None:
    lines = before_the_win(rules, seed)
    ready = {getattr(entry.event, "seat", None) for entry in lines if _calls_ready(entry)}
    if viewer not in ready:
        assert heard(lines, viewer) == heard([unread(entry) for entry in lines], viewer)


def _calls_ready(entry: Entry) -> bool:
    return bool(getattr(entry.event, "ready", False))


@harbin
def test_who_is_ready_hears_it(rules: str) -> None:
    told: set[Seat | None] = set()
    for seed in range(12):
        for said in replay(before_the_win(rules, seed)).announcements():
            if isinstance(said, Ready) and said.on_draw:
                assert said.audience == said.seat
                told.add(said.audience)
    assert len(told) >= 2
