"""Copies of a face are read alike, so that a tile that is read otherwise is another one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import KINDS
from tests.vision.tables import VIEW
from vision.decode import Decoder
from vision.own_set.alike import ALL_TILES, FROM_TILES, MOST_TILES, Alike
from vision.reading.classes import ANY_FLOWER, FACE_INDEX, FACES, Side
from vision.table.placed import Placed
from vision.tracking.observe import Observation

IN_PLAY = np.array([face in KINDS for face in FACES], float)
WITH_FLOWERS = np.ones(len(FACES))
COPIES = 3


def read_as(shows: str, rng: np.random.Generator, sure: float = 0.0) -> NDArray[np.float64]:
    """(38,) logits of a face: its own pattern over all faces, the same for all its copies."""
    own = np.random.default_rng(FACE_INDEX[shows]).normal(0, 2, len(FACES))
    own[FACE_INDEX[shows]] = 14.0 + sure
    return own + rng.normal(0, 0.4, len(FACES))


def taken_for(logits: NDArray[np.float64], face: str, by: float) -> NDArray[np.float64]:
    """The same, but with another face ahead of all by so much."""
    out = logits.copy()
    out[FACE_INDEX[face]] = logits.max() + by
    return out


def placed(number: int, logits: NDArray[np.float64], looks: int = 3) -> Placed:
    log = logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())
    return Placed(number, Side.FACE, np.exp(log), 30.0 * number, 0.0, 0.0, 0.0, looks, log_read=log)


def game(faces: tuple[str, ...] = KINDS, copies: int = COPIES) -> list[Placed]:
    """Tiles of a set that is well read."""
    rng = np.random.default_rng(1)
    shown = [face for face in faces for _ in range(copies)]
    return [placed(number, read_as(face, rng)) for number, face in enumerate(shown)]


def put_right(tiles: list[Placed], in_play: NDArray[np.float64] = IN_PLAY) -> list[Placed]:
    return list(Alike(in_play).put_right(Observation(1.0, tuple(tiles))).placed)


def number_of(face: str) -> int:
    return KINDS.index(face) * COPIES


def misread(tiles: list[Placed], shows: str, as_face: str, by: float) -> list[Placed]:
    """The tiles, all copies of one face of them read as another, as a set unknown to the net is."""
    rng = np.random.default_rng(2)
    first = number_of(shows)
    for number in range(first, first + COPIES):
        tiles[number] = placed(number, taken_for(read_as(shows, rng), as_face, by))
    return tiles


@pytest.mark.parametrize(("shows", "as_face"), [("9p", "9s"), ("5z", "1p"), ("2m", "3m")])
def test_copies_that_are_read_otherwise_than_the_sure_ones_of_that_face_are_another(
    shows: str, as_face: str
) -> None:
    before = misread(game(), shows, as_face, by=0.6)
    after = put_right(before)
    for number in range(number_of(shows), number_of(shows) + COPIES):
        assert before[number].tile == as_face
        assert after[number].tile == shows


def test_a_set_that_is_well_read_is_read_as_before() -> None:
    before = game()
    for tile, was in zip(put_right(before), before, strict=True):
        assert tile.tile == was.tile
        assert tile.confidence > 0.99
        assert tile.probabilities.sum() == pytest.approx(1.0)


def test_a_tile_that_is_surely_read_is_not_outvoted() -> None:
    tiles = misread(game(), "9p", "9s", by=14.0)
    assert {str(tile.tile) for tile in put_right(tiles)[number_of("9p") :][:COPIES]} == {"9s"}


@pytest.mark.parametrize(("kinds", "right"), [(FROM_TILES // COPIES, False), (34, True)])
def test_little_is_concluded_from_few_tiles(kinds: int, right: bool) -> None:
    few = ("9p", "9s", *(kind for kind in KINDS if kind not in ("9p", "9s")))[:kinds]
    tiles = game(few)
    rng = np.random.default_rng(3)
    tiles[0] = placed(0, taken_for(read_as("9p", rng), "9s", 0.6))
    assert (put_right(tiles)[0].tile == "9p") is right


def test_what_hands_before_showed_still_counts() -> None:
    learnt = Alike(IN_PLAY)
    learnt.put_right(Observation(1.0, tuple(game())))
    rng = np.random.default_rng(4)
    new = placed(500, taken_for(read_as("9p", rng), "9s", 0.6))
    (tile,) = learnt.put_right(Observation(60.0, (new,))).placed
    assert (str(new.tile), str(tile.tile)) == ("9s", "9p")


def test_what_was_taken_for_another_face_is_put_right_when_the_others_are_seen() -> None:
    learnt = Alike(IN_PLAY)
    tiles = misread(game(), "9p", "9s", by=0.6)
    doubted = number_of("9p")
    (early,) = learnt.put_right(Observation(1.0, (tiles[doubted],))).placed
    later = learnt.put_right(Observation(9.0, tuple(tiles))).placed
    assert (str(early.tile), str(later[doubted].tile)) == ("9s", "9p")


def test_flowers_are_drawn_unlike_one_another_and_take_no_tile_for_that() -> None:
    tiles = game((*KINDS, ANY_FLOWER))
    rng = np.random.default_rng(5)
    odd = rng.normal(0, 2, len(FACES))
    odd[[FACE_INDEX["3p"], FACE_INDEX[ANY_FLOWER]]] = 9.0, 7.0
    tiles.append(placed(900, odd))
    assert put_right(tiles, WITH_FLOWERS)[-1].tile == "3p"


def test_faces_that_the_game_does_not_have_keep_their_share() -> None:
    tiles = game()
    flower = placed(900, taken_for(read_as("1s", np.random.default_rng(6)), ANY_FLOWER, 2.0))
    after = put_right([*tiles, flower])[-1]
    place = FACE_INDEX[ANY_FLOWER]
    assert after.probabilities[place] == pytest.approx(flower.probabilities[place])
    assert after.probabilities.sum() == pytest.approx(1.0)


def test_backs_and_what_no_net_read_stay_as_they_are() -> None:
    back = Placed(900, Side.BACK, np.zeros(len(FACES)), 0.0, 0.0, 0.0, 0.0)
    told = replace(game()[0], id=901, log_read=None)
    assert put_right([*game(), back, told])[-2:] == [back, told]


def test_tiles_of_long_ago_are_forgotten() -> None:
    learnt = Alike(IN_PLAY)
    for hand in range(4):
        tiles = [replace(tile, id=tile.id + 1000 * hand) for tile in game()]
        learnt.put_right(Observation(100.0 * hand, tuple(tiles)))
    assert ALL_TILES < learnt.compared <= MOST_TILES


@pytest.mark.parametrize(("learns", "told"), [(True, "9p"), (False, "9s")])
def test_a_decoder_compares_tiles_where_it_is_asked_to(learns: bool, told: str) -> None:
    decoder = Decoder("harbin-hlr", VIEW, learns=learns)
    decoder.observe(Observation(1.0, tuple(misread(game(), "9p", "9s", by=0.6))))
    assert decoder.observation is not None
    assert decoder.observation.placed[number_of("9p")].tile == told
