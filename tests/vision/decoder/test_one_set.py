"""Tiles of one game are of one set: those that read alike are of one kind, up to its copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from engine.events import Discard
from engine.rules import RULE_SETS
from engine.tiles import KINDS, Tile
from tests.support.seen import Seen
from vision.arrays import Doubles
from vision.decoder.one_set import OneSet
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import FACE_INDEX, FACES, Side

FOUR_AS_SIX = {"6s": 0.9, "4s": 0.05}
SIX = {"6s": 0.95}


def read_as(shares: Mapping[str, float]) -> Doubles:
    faces = np.full(len(FACES), (1 - sum(shares.values())) / len(FACES))
    for face, share in shares.items():
        faces[FACE_INDEX[face]] += share
    return faces


def lying(readings: Sequence[Mapping[str, float]]) -> dict[int, PlacedTile]:
    return {
        number: PlacedTile(number, Side.FACE, read_as(shares), 0.0, 0.0, 0.0, 0.0)
        for number, shares in enumerate(readings)
    }


def told(one_set: OneSet, tiles: Mapping[int, PlacedTile]) -> Doubles:
    """(n, 38) shares of the faces after the other tiles have spoken."""
    by_others = one_set.says(tiles, tiles.keys())
    shares = np.stack([tile.probabilities * by_others.get(at, 1.0) for at, tile in tiles.items()])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


@pytest.fixture
def riichi() -> OneSet:
    return OneSet(RULE_SETS["riichi"].wall)


@pytest.mark.parametrize(
    ("four", "six"),
    [
        (FOUR_AS_SIX, SIX),
        (FOUR_AS_SIX, {"6s": 0.93, "4s": 0.04}),
        ({"6s": 0.92, "4s": 0.015}, {"6s": 0.95, "4s": 0.02}),
    ],
    ids=["alike", "one 6s looks like a 4s", "one 4s looks less like a 4s than one 6s"],
)
def test_a_kind_that_is_read_as_another_one_in_all_copies_is_told_right(
    four: dict[str, float], six: dict[str, float]
) -> None:
    discards = (
        ("4s", FOUR_AS_SIX), ("6s", SIX), ("4s", FOUR_AS_SIX), ("6s", six),
        ("6s", SIX), ("4s", four), ("6s", SIX), ("4s", FOUR_AS_SIX),
    )  # fmt: skip
    seen = Seen()
    seen.deal()
    for turn, (_, shares) in enumerate(discards):
        tile = seen.discard(turn % 4, "6s", turn)
        seen.stage.change(tile, probabilities=read_as(shares))
        seen.show()
    assert seen.events == [Discard(at % 4, Tile(face)) for at, (face, _) in enumerate(discards)]


def test_a_single_misread_tile_stays_as_it_is_read(riichi: OneSet) -> None:
    tiles = lying([*[{kind: 0.97} for kind in KINDS for _ in range(3)], FOUR_AS_SIX])
    assert riichi.says(tiles, tiles.keys()) == {}


def test_copies_that_have_left_the_table_take_no_place(riichi: OneSet) -> None:
    """A claimed discard is another track in its set, and the hand before had all copies."""
    tiles = lying([*[SIX] * 4, *[FOUR_AS_SIX] * 4])
    assert riichi.says(tiles, tiles.keys()).keys() == tiles.keys()
    assert OneSet(RULE_SETS["riichi"].wall).says(tiles, {4, 5, 6, 7}) == {}


def test_red_fives_and_flowers_are_not_swallowed_by_a_crowded_kind() -> None:
    flowers = {Tile(f"{number}f"): 1 for number in range(1, 9)}
    one_set = OneSet({**RULE_SETS["riichi"].wall, **flowers})
    readings: Sequence[Mapping[str, float]] = [{"5p": 0.9, "0p": 0.05}] * 4 + [{"7p": 0.95}] * 4
    tiles = lying([*readings, {"0p": 0.6, "5p": 0.38}, {"1f": 0.5, "7p": 0.45}])
    assert len(one_set.says(tiles, tiles.keys())) == len(tiles)
    red, flower = told(one_set, tiles)[-2:]
    assert red[FACE_INDEX["0p"]] / red[FACE_INDEX["5p"]] == pytest.approx(0.6 / 0.38, rel=0.01)
    assert flower[FACE_INDEX["1f"]] / flower[FACE_INDEX["7p"]] == pytest.approx(
        0.5 / 0.45, rel=0.01
    )


def test_what_is_not_read_stays_unknown(riichi: OneSet) -> None:
    tiles = lying([*[FOUR_AS_SIX] * 4, *[SIX] * 4, {"6s": 0.03}, {"4s": 0.1, "6s": 0.12}])
    shares = told(riichi, tiles)
    assert shares[-2].max() < 0.3
    assert shares[-1].max() < 0.5


def test_a_game_without_faces_says_nothing(riichi: OneSet) -> None:
    assert riichi.says({}, ()) == {}
