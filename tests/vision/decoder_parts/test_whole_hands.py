"""A hand of which several tiles are misread is read as the whole hand that fits them best."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from engine.tiles import Tile, parse
from vision.arrays import Doubles
from vision.decoder.proposals.whole_hands import prepare, ways_to_part, whole_hands
from vision.tiles.classes import FACE_INDEX, FACES

READ, MISREAD, NEVER = 0.1, 3.0, 8.0
"""Nats: the face that was read, the true face of a misread tile, and every other face."""


def costs_of(tiles: str, misread: dict[int, str]) -> Doubles:
    """(n, 38): tiles of which some, by their places, were read as other faces."""
    costs = np.full((len(parse(tiles)), len(FACES)), NEVER)
    for place, tile in enumerate(parse(tiles)):
        costs[place, FACE_INDEX[str(tile)]] = MISREAD if place in misread else READ
        if place in misread:
            costs[place, FACE_INDEX[misread[place]]] = READ
    return costs


@pytest.mark.parametrize(
    ("tiles", "misread"),
    [
        ("11p66p77p99p11s44s77s", {8: "2p", 10: "5m", 13: "0s"}),  # seven pairs
        ("123m456m789p11z234s", {0: "9s", 4: "8s", 8: "1z"}),
        ("111m234p555z66s", {1: "3m", 7: "6z"}),  # beside a set
        ("99s", {0: "6s"}),  # beside four sets
        ("406m11z", {1: "5m"}),  # a red five that was taken for a plain one
    ],
)
def test_the_hand_that_fits_best_is_found(tiles: str, misread: dict[int, str]) -> None:
    costs = costs_of(tiles, misread)
    (faces, cost), *others = whole_hands(costs)
    kinds = [face.kind for face in faces]
    assert kinds == [tile.kind for tile in parse(tiles)]
    shown = sum(costs[at, FACE_INDEX[str(face)]] for at, face in enumerate(faces))
    assert cost == pytest.approx(shown)
    assert all(other >= cost for _, other in others)


def test_what_is_found_is_the_cheapest_of_all_whole_hands() -> None:
    costs = np.random.default_rng(3).uniform(0, 5, (5, len(FACES)))
    costs[:, [at for at, face in enumerate(FACES) if face not in ("1m", "2m", "3m", "4m")]] = NEVER
    every = {
        sum(costs[at, FACE_INDEX[face]] for at, face in enumerate(faces))
        for faces in product(("1m", "2m", "3m", "4m"), repeat=5)
        if is_whole(Counter(map(Tile, faces)))
    }
    assert whole_hands(costs)[0][1] == pytest.approx(min(every))


def is_whole(tiles: Counter[Tile]) -> bool:
    """Whether five tiles are a set and a pair."""
    sets = [Counter({Tile(f"{rank}m"): 3}) for rank in range(1, 5)]
    sets += [Counter(Tile(f"{low + step}m") for step in range(3)) for low in (1, 2)]
    return any(tiles >= one and set((tiles - one).values()) == {2} for one in sets)


@pytest.mark.parametrize("count", [3, 4, 13])
def test_so_many_tiles_are_no_whole_hand(count: int) -> None:
    assert whole_hands(np.zeros((count, len(FACES)))) == []


@pytest.mark.parametrize("size", [13, 16])
def test_nothing_is_left_to_compute_when_the_first_hand_lies_open(size: int) -> None:
    """Of seventeen tiles it takes a second, in which no look is read."""
    ways_to_part.cache_clear()
    prepare(size)
    computed = ways_to_part.cache_info().misses
    assert whole_hands(np.zeros((size + 1, len(FACES))))
    assert ways_to_part.cache_info().misses == computed
