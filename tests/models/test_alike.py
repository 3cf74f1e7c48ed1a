"""Copies of a face are read alike, so that a tile that is read otherwise is another one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from recogniser.alike import FROM_TILES, Shares, put_right

from engine.tiles import KINDS
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES

IN_PLAY = np.array([face in KINDS for face in FACES], float)
WITH_FLOWERS = np.ones(len(FACES))
COPIES = 3


def read_as(shows: str, rng: np.random.Generator) -> NDArray[np.float64]:
    """(38,) logits of a face: its own pattern over all faces, the same for all its copies."""
    own = np.random.default_rng(FACE_INDEX[shows]).normal(0, 2, len(FACES))
    own[FACE_INDEX[shows]] = 14.0
    return own + rng.normal(0, 0.4, len(FACES))


def taken_for(logits: NDArray[np.float64], face: str, by: float) -> NDArray[np.float64]:
    """The same, but with another face ahead of all by so much."""
    out = logits.copy()
    out[FACE_INDEX[face]] = logits.max() + by
    return out


def shares_of(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(logits - logits.max())
    return np.asarray(shares / shares.sum())


def game(faces: tuple[str, ...] = KINDS) -> Shares:
    """Tiles of a set that is well read."""
    rng = np.random.default_rng(1)
    return np.stack([shares_of(read_as(face, rng)) for face in faces for _ in range(COPIES)])


def together(tiles: Shares, in_play: NDArray[np.float64] = IN_PLAY) -> Shares:
    return put_right(tiles, tiles, in_play)


def named(tiles: Shares) -> list[str]:
    return [FACES[face] for face in tiles.argmax(axis=1)]


def copies_of(face: str) -> slice:
    """The places of a face's copies in a game."""
    first = KINDS.index(face) * COPIES
    return slice(first, first + COPIES)


def misread(tiles: Shares, shows: str, as_face: str, by: float) -> Shares:
    """The tiles, all copies of one face of them read as another, as a set unknown to the net is."""
    rng = np.random.default_rng(2)
    out = tiles.copy()
    out[copies_of(shows)] = [
        shares_of(taken_for(read_as(shows, rng), as_face, by)) for _ in range(COPIES)
    ]
    return out


@pytest.mark.parametrize(("shows", "as_face"), [("9p", "9s"), ("5z", "1p"), ("2m", "3m")])
def test_copies_that_are_read_otherwise_than_the_sure_ones_of_that_face_are_another(
    shows: str, as_face: str
) -> None:
    before = misread(game(), shows, as_face, by=0.6)
    assert named(before)[copies_of(shows)] == [as_face] * COPIES
    assert named(together(before))[copies_of(shows)] == [shows] * COPIES


def test_a_set_that_is_well_read_is_read_as_before() -> None:
    after = together(game())
    assert named(after) == named(game())
    assert after.max(axis=1).min() > 0.99
    assert after.sum(axis=1) == pytest.approx(1.0)


def test_a_tile_that_is_surely_read_is_not_outvoted() -> None:
    after = together(misread(game(), "9p", "9s", by=14.0))
    assert named(after)[copies_of("9p")] == ["9s"] * COPIES


@pytest.mark.parametrize(("kinds", "right"), [(FROM_TILES // COPIES, False), (34, True)])
def test_little_is_concluded_from_few_tiles(kinds: int, right: bool) -> None:
    few = ("9p", "9s", *(kind for kind in KINDS if kind not in ("9p", "9s")))[:kinds]
    tiles = game(few)
    tiles[0] = shares_of(taken_for(read_as("9p", np.random.default_rng(3)), "9s", 0.6))
    assert (named(together(tiles))[0] == "9p") is right


def test_flowers_are_drawn_unlike_one_another_and_take_no_tile_for_that() -> None:
    odd = np.random.default_rng(5).normal(0, 2, len(FACES))
    odd[[FACE_INDEX["3p"], FACE_INDEX[ANY_FLOWER]]] = 9.0, 7.0
    tiles = np.vstack([game((*KINDS, ANY_FLOWER)), shares_of(odd)])
    assert named(together(tiles, WITH_FLOWERS))[-1] == "3p"


def test_faces_that_the_game_does_not_have_keep_their_share() -> None:
    flower = shares_of(taken_for(read_as("1s", np.random.default_rng(6)), ANY_FLOWER, 2.0))
    after = together(np.vstack([game(), flower]))[-1]
    place = FACE_INDEX[ANY_FLOWER]
    assert after[place] == pytest.approx(flower[place])
    assert after.sum() == pytest.approx(1.0)
