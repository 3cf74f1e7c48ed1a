"""What a log can tell is kept on the way there and back, whichever form it takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.announce import Payout
from engine.events import Entry, Event, GameStart
from engine.game import replay
from service.logs.mjai import read_mjai, write_mjai
from service.logs.mjlog import read_mjlog
from service.logs.record_writer import RecordWriter
from service.logs.tenhou6 import read_tenhou6
from service.logs.tenhou6_write import write_tenhou6
from tests.support.mjlog_of import mjlog_of
from tests.support.riichi_sample import ENTRIES, told


def test_mjai_and_back() -> None:
    assert told(read_mjai(write_mjai(ENTRIES)).entries) == told(ENTRIES)


def test_tenhou6_and_back() -> None:
    assert told(read_tenhou6(write_tenhou6(ENTRIES)).entries) == told(ENTRIES)


def test_mjlog_and_back() -> None:
    assert told(read_mjlog(mjlog_of(ENTRIES)).entries) == told(ENTRIES)


@pytest.mark.parametrize("first", [1, 3])
@pytest.mark.parametrize(
    ("write", "read"), [(write_mjai, read_mjai), (write_tenhou6, read_tenhou6)]
)
def test_a_game_that_another_seat_dealt_first_is_written_from_that_seat_on(
    write: Callable[[Sequence[Entry]], str], read: Callable[[str], RecordWriter], first: int
) -> None:
    turned = [replace(entry, event=seated_on(entry.event, first)) for entry in ENTRIES]
    paid = [said.deltas for said in replay(ENTRIES).announcements() if isinstance(said, Payout)]
    moved = [said.deltas for said in replay(turned).announcements() if isinstance(said, Payout)]
    assert moved == [(*deltas[-first:], *deltas[:-first]) for deltas in paid]
    assert write(turned) == write(ENTRIES)
    assert told(read(write(turned)).entries) == told(ENTRIES)


def seated_on(event: Event, by: int) -> Event:
    """The event with every seat so much farther on, and seat ``by`` as the first dealer."""
    if isinstance(event, GameStart):
        assert event.players is not None
        names, points = event.players, event.points
        return replace(
            event,
            players=(*names[-by:], *names[:-by]),
            points=None if points is None else (*points[-by:], *points[:-by]),
            first_dealer=by,
        )
    seats = [name for name in ("seat", "from_seat", "dealer") if hasattr(event, name)]
    known = {name: getattr(event, name) for name in seats}
    farther = {name: (at + by) % 4 for name, at in known.items() if at is not None}
    changed: dict[str, Any] = farther
    return replace(event, **changed)


def test_a_log_may_call_another_seat_than_the_first_the_first_dealer() -> None:
    lines = [json.loads(line) for line in write_mjai(ENTRIES).splitlines()]
    hand = next(line for line in lines if line["type"] == "start_kyoku")
    hand["kyoku"] = 3
    (start, *_) = read_mjai("\n".join(map(json.dumps, lines))).entries
    assert isinstance(start.event, GameStart)
    assert start.event.first_dealer == (hand["oya"] - 2) % 4
    xml = mjlog_of(ENTRIES).replace('seed="0,', 'seed="1,', 1)
    (start, *_) = read_mjlog(xml).entries
    assert isinstance(start.event, GameStart)
    assert start.event.first_dealer == 3


def test_the_sample_has_every_kind_of_set() -> None:
    kinds = {getattr(entry.event, "kind", type(entry.event).__name__) for entry in ENTRIES}
    assert {"Chow", "Pung", "open", "closed", "added", "kan_dora", "ura_dora"} <= kinds
