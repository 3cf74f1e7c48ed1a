"""What comparing the tiles of a game is worth: the same faces counted before and after."""

from __future__ import annotations

import measure_alike
import numpy as np
from numpy.typing import NDArray

from engine.tiles import KINDS
from tests.models.test_alike import COPIES, copies_of, game, misread
from vision.tiles.classes import FACE_INDEX


def counted(seen: int | None) -> NDArray[np.float64]:
    """The columns after the width, of a set that has one face misread and one unknown tile."""
    tiles = misread(game(), "9p", "9s", by=0.6)
    faces = np.array([FACE_INDEX[kind] for kind in KINDS for _ in range(COPIES)], np.int64)
    faces[copies_of("1m").start] = -1
    one = measure_alike.Seen(tiles, tiles, faces, np.full(len(tiles), 30.0))
    return measure_alike._rows(one, seen, np.random.default_rng(1))[:, 1:]


def test_a_misread_face_counts_as_wrong_before_and_as_right_after() -> None:
    rows = counted(None)
    nats, nats_after, wrong, wrong_after = rows.sum(axis=0)[:4]
    assert len(rows) == len(KINDS) * COPIES - 1
    assert (wrong, wrong_after) == (COPIES, 0)
    assert nats_after < nats


def test_of_a_few_tiles_the_same_is_counted_twice() -> None:
    nats, nats_after, wrong, wrong_after, sure, sure_after = counted(25).T
    assert wrong.any()
    for before, after in ((nats, nats_after), (wrong, wrong_after), (sure, sure_after)):
        np.testing.assert_array_equal(before, after)
