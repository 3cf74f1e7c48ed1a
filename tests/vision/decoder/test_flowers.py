"""Flowers and seasons that players lay open, as the camera sees them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from games.recorded import RecordedDecoder

from engine.events import Entry, Flower, GameStart, Position
from engine.tiles import UNKNOWN
from studio.play.settled_tables import SettledGame, observations, planned
from studio.play.truth import seen_entries
from vision.compare import compare
from vision.tracking.observe import Observation

START: Final = Entry(GameStart("hong-kong", {"flowers": True, "minimum_faan": 0}))


@cache
def played(seed: int) -> tuple[SettledGame, Sequence[Observation]]:
    assert isinstance(START.event, GameStart), "the game begins"
    game = planned("hong-kong", seed, options=dict(START.event.options))
    return game, tuple(observations(game))


def read(game: SettledGame, seen: Sequence[Observation], before: Sequence[Entry]) -> list[Entry]:
    decoder = RecordedDecoder("hong-kong", game.place.view, before=before)
    for one in seen:
        decoder.observe(one)
    decoder.close()
    return list(decoder.entries)


def laid(entries: Sequence[Entry]) -> list[Flower]:
    return [entry.event for entry in entries if isinstance(entry.event, Flower)]


@pytest.mark.parametrize("seed", [1, 5])
def test_a_hand_with_flowers_is_read_as_it_was_played_and_paid(seed: int) -> None:
    game, seen = played(seed)
    told = read(game, seen, [START])
    report = compare(seen_entries(game.entries, (), "hong-kong"), told)
    assert (report.missing, report.extra) == ((), ())
    assert all(hand.right for hand in report.hands)
    assert len(laid(told)) == len(laid(game.entries)) > 1


def test_which_flower_it_is_nobody_guesses() -> None:
    game, seen = played(1)
    assert {flower.tile for flower in laid(read(game, seen, [START]))} == {UNKNOWN}


def test_where_none_are_played_no_flower_is_told() -> None:
    game, seen = played(1)
    told = read(game, seen, [Entry(GameStart("hong-kong", {"minimum_faan": 0}))])
    assert laid(told) == []


def test_a_hand_that_is_joined_counts_the_flowers_that_lie_there() -> None:
    game, seen = played(5)
    told = read(game, seen[len(seen) // 2 :], [START])
    (table,) = [entry.event for entry in told if isinstance(entry.event, Position)]
    assert table.flowers is not None
    in_all = sum(map(len, table.flowers)) + len(laid(told))
    assert in_all == len(laid(game.entries))


def test_flowers_laid_while_nobody_looked_are_told_when_the_table_is_seen_again() -> None:
    game, seen = played(5)
    first = read(game, seen[: len(seen) // 4], [START])
    told = read(game, seen[len(seen) // 2 :], first)
    assert len(laid(told)) == len(laid(game.entries)) > len(laid(first))
