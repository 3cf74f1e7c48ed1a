"""Flowers and seasons that players lay open, as the camera sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
import pytest
from games.recorded import RecordedDecoder

from engine.events import Discard, Entry, Flower, GameEnd, GameStart, Position
from engine.tiles import UNKNOWN, Tile
from studio.play.settled_tables import PICTURE_PX, SettledGame, observations, planned
from studio.play.truth import seen_entries
from tests.support.detectors import Blind
from tests.support.rows import shares
from vision.camera.frames import Frame
from vision.compare import compare
from vision.decoder.kept_game import KeptGame, KeptHand
from vision.decoder.kept_looks import packed_looks
from vision.decoder.likelihood import LIMITS
from vision.decoder.proposals.sets import kinds_shown
from vision.decoder.table_evidence import TableEvidence
from vision.pipeline import ReaderSettings, TableReader
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
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


def reader_told(
    game: SettledGame,
    seen: Sequence[Observation],
    options: Mapping[str, object],
    before: Sequence[Entry],
) -> tuple[list[Entry], KeptHand]:
    """What a reader of a table tells of these looks, and what it keeps of them."""
    settings = ReaderSettings(game.place.view, options=options)
    reader = TableReader(Blind(), "hong-kong", settings)
    reader.resume(before)
    reader.keep_looks()
    width, height = PICTURE_PX
    frame = Frame(np.full((height, width, 3), 90, np.uint8), 0.0, 0)
    next(iter(reader.read([frame])))
    decoder = reader.decoder
    assert decoder is not None, "the table is read"
    assert decoder.given is not None, "the looks are kept"
    for one in seen:
        decoder.observe(one)
    told = list(decoder.close().told)
    return told, KeptHand(packed_looks(decoder.given), seen[-1].time_s)


def thrown(entries: Sequence[Entry]) -> list[Discard]:
    return [entry.event for entry in entries if isinstance(entry.event, Discard)]


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
    assert len(thrown(told)) >= len(thrown(game.entries)) // 2 > 0


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


@pytest.mark.parametrize("before", [[], [START, Entry(GameEnd())]], ids=["first", "second"])
def test_a_game_that_the_camera_sees_begin_is_read_with_the_options_of_its_table(
    before: Sequence[Entry],
) -> None:
    assert isinstance(START.event, GameStart), "the game begins"
    game, seen = played(1)
    told, kept = reader_told(game, seen, START.event.options, before)
    (start,) = [entry.event for entry in told if isinstance(entry.event, GameStart)]
    assert start.options == START.event.options
    assert len(laid(told)) == len(laid(game.entries)) > 1
    (*_, again) = [one for one in KeptGame([kept]).explain([]) if one is not None]
    assert [entry.event for entry in again.told] == [entry.event for entry in told]


def test_flowers_are_read_from_the_game_on_that_a_person_begins_with_them() -> None:
    game, seen = played(1)
    decoder = RecordedDecoder("hong-kong", game.place.view)
    decoder.write(replace(START, t=0.0, source="person"))
    for one in seen:
        decoder.observe(one)
    assert len(laid(decoder.entries)) == len(laid(game.entries)) > 1


def test_a_tile_that_is_read_as_a_flower_is_no_certain_flower() -> None:
    seen = PlacedTile(1, Side.FACE, shares(Tile("1f")), 0.0, 0.0, 0.0, 0.0, 9)
    table = TableEvidence({1: seen}, {1}, 26.0)
    assert table.candidate_faces(1, 1)[0][0] == table.name(1) == UNKNOWN


def test_four_flowers_side_by_side_are_no_kong() -> None:
    flower = shares(Tile("1f"))
    four = {at: PlacedTile(at, Side.FACE, flower, 26.0 * at, 0.0, 0.0, 0.0, 9) for at in range(4)}
    kinds = kinds_shown(tuple(four), TableEvidence(four, set(four), 26.0))
    assert min(cost for _, cost in kinds) > LIMITS["no_set"]
    assert all(kind.known for kind, _ in kinds)
