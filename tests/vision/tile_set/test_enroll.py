"""Enrol a set laid out once: name its tiles, and read its faces better from then on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import KINDS, Tile
from tests.support.paths import ROOT
from vision.arrays import Bytes, Floats
from vision.detect import Detection
from vision.errors import ProfileError
from vision.tile_set.agreement import agreeing
from vision.tile_set.enroll import laid_out, names_of, profile_of
from vision.tile_set.profile import Profile, patch_of
from vision.tile_set.set_corrector import fit
from vision.tiles.classes import FACE_INDEX, FACES, Side
from vision.tiles.recogniser import Recogniser

WEIGHTS = ROOT / "vision" / "weights" / "recogniser.onnx"
W, H = 48, 64
BLANK = np.full((800, 1000, 3), 90, np.uint8)

Image = NDArray[np.uint8]


@dataclass
class Told:
    """Stands in for the detector: tiles at known places with known probabilities."""

    tiles: list[Detection]

    def read(self, image_bgr: Image, *_: object) -> list[Detection]:
        return self.tiles

    def read_at(self, image_bgr: Image, corners_px: Floats, scores: Floats) -> list[Detection]:
        """Nothing is known better: each outline is read as the tile that was nearest to it."""
        middles = np.stack([tile.corners_px.mean(axis=0) for tile in self.tiles])
        return [
            replace(
                self.tiles[int(np.linalg.norm(middles - quad.mean(axis=0), axis=1).argmin())],
                corners_px=quad,
            )
            for quad in corners_px
        ]


def corners(x: float, y: float, turn_deg: float = 0.0, wide: float = W) -> NDArray[np.float32]:
    """The corners of a tile around (x, y), turned about (500, 400)."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    points = square * (wide, wide * H / W) + (x, y) - (500, 400)
    turn = np.deg2rad(turn_deg)
    points = points @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(points + np.array([500, 400]), np.float32)


def tile(place: NDArray[np.float32], **likely: float) -> Detection:
    """A face read with these probabilities; the rest is spread evenly."""
    rest = 1 - sum(likely.values())
    probabilities = np.full(len(FACES), rest / len(FACES), np.float32)
    for name, share in likely.items():
        probabilities[FACE_INDEX[name[1:]]] += share
    return Detection(Side.FACE, place, 0.9, probabilities, 0.5)


def grid(names: tuple[str, ...], turn_deg: float = 0.0, wide: float = W) -> list[Detection]:
    """Tiles in rows of seven, each read correctly."""
    return [
        tile(
            corners(200 + (i % 7) * 80 + 3 * (i % 2), 150 + i // 7 * 95, turn_deg, wide),
            **{f"_{name}": 0.9},
        )
        for i, name in enumerate(names)
    ]


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, -30.0])
def test_tiles_are_numbered_in_reading_order_whatever_way_the_rows_lean(turn_deg: float) -> None:
    tiles = grid(KINDS, turn_deg)
    shuffled = [tiles[i] for i in np.random.default_rng(1).permutation(len(tiles))]
    laid = laid_out(Told(shuffled), BLANK)
    assert names_of(laid.faces) == KINDS
    assert laid.doubtful == ()


def test_a_tile_read_as_another_gets_the_name_that_is_left_over() -> None:
    tiles = grid(KINDS)
    nine_of_bamboos = KINDS.index("9s")
    tiles[nine_of_bamboos] = tile(tiles[nine_of_bamboos].corners_px, _9p=0.8, _9s=0.1)
    laid = laid_out(Told(tiles), BLANK)
    assert names_of(laid.faces) == KINDS


def test_a_name_that_is_hardly_likely_is_shown_as_doubtful_until_it_is_told() -> None:
    tiles = grid(KINDS)
    tiles[3] = tile(tiles[3].corners_px, _9p=0.7)
    laid = laid_out(Told(tiles), BLANK)
    assert laid.doubtful == (3,)
    told = laid_out(Told(tiles), BLANK, {4: Tile("4m")})
    assert told.doubtful == ()
    assert names_of(told.faces) == KINDS


def test_what_is_told_holds_against_what_is_read() -> None:
    tiles = grid(KINDS)
    told = {1: Tile("2m"), 2: Tile("1m")}
    laid = laid_out(Told(tiles), BLANK, told)
    assert names_of(laid.faces)[:3] == ("2m", "1m", "3m")


@pytest.mark.parametrize(
    ("tiles", "says"),
    [
        (grid(KINDS[:10]), "only 10 tiles"),
        (grid((*KINDS, *KINDS)[:50]), "50 tiles were found"),
        (grid(KINDS, wide=15), "come nearer"),
    ],
)
def test_a_picture_that_makes_no_profile_is_refused(tiles: list[Detection], says: str) -> None:
    with pytest.raises(ProfileError, match=says):
        laid_out(Told(tiles), BLANK)


@pytest.mark.parametrize("turn_deg", [0.0, 25.0])
def test_an_outline_across_its_tile_or_around_a_part_of_it_is_cut_again(turn_deg: float) -> None:
    tiles = grid(KINDS, turn_deg)
    whole = [tile.corners_px.copy() for tile in tiles]
    across, half = 11, 20
    right = whole[half][1] - whole[half][0]
    # The long side of the first lies along its tile's upper edge.
    tiles[across] = replace(tiles[across], corners_px=np.roll(whole[across], 1, axis=0))
    part = whole[half] + np.array([[0], [-0.35], [-0.35], [0]], np.float32) * right
    tiles[half] = replace(tiles[half], corners_px=part)
    laid = laid_out(Told(tiles), BLANK)
    assert names_of(laid.faces) == KINDS
    assert laid.odd == ()
    for place in (across, half):
        edges = np.linalg.norm(np.diff(laid.tiles[place].corners_px, axis=0), axis=1)
        assert edges[:2] == pytest.approx([W, H], rel=0.03)
    upper = laid.tiles[across].corners_px[1] - laid.tiles[across].corners_px[0]
    assert abs(upper @ right) == pytest.approx(W * W, rel=0.03)


def test_what_is_no_tile_by_size_place_colour_or_overlap_is_left_out_until_it_is_named() -> None:
    picture = np.full((800, 1000, 3), 90, np.uint8)
    tiles = grid(KINDS)
    for one in tiles:
        cv2.fillConvexPoly(picture, one.corners_px.astype(np.int32), (215, 230, 235))
    blue, large, lonely = corners(690, 530), corners(800, 540, wide=90), corners(930, 740)
    for quad, colour in (
        (blue, (200, 80, 40)),
        (large, (215, 230, 235)),
        (lonely, (215, 230, 235)),
    ):
        cv2.fillConvexPoly(picture, quad.astype(np.int32), colour)
    twice = tile(tiles[9].corners_px + np.float32(0.3 * W), _5z=0.5)
    strange = [twice, *(tile(quad, _5z=0.99) for quad in (blue, large, lonely))]
    laid = laid_out(Told([*tiles, *strange]), picture)
    kept = [place for place in range(len(laid.tiles)) if place not in laid.odd]
    assert tuple(names_of(laid.faces)[place] for place in kept) == KINDS
    assert len(profile_of([(picture, laid)]).faces) == len(KINDS)
    named = laid_out(Told([*tiles, *strange]), picture, {laid.odd[-1] + 1: Tile("0p")})
    assert len(named.odd) == len(strange) - 1
    assert FACE_INDEX["0p"] in profile_of([(picture, named)]).faces


def test_a_number_that_no_tile_has_is_refused() -> None:
    with pytest.raises(ProfileError, match="there is no tile 35"):
        laid_out(Told(grid(KINDS)), BLANK, {35: Tile("1m")})


def test_a_doubtful_tile_is_left_out_where_another_picture_is_sure() -> None:
    tiles = grid(KINDS)
    doubtful = [*tiles[:3], tile(tiles[3].corners_px, _9p=0.7), *tiles[4:]]
    first = laid_out(Told(doubtful), BLANK)
    second = laid_out(Told(tiles), BLANK)
    kept = profile_of([(BLANK, first), (BLANK, second)]).faces
    assert list(kept).count(FACE_INDEX["4m"]) == 1
    assert len(profile_of([(BLANK, first)]).faces) == len(KINDS)


def test_squares_of_a_light_cloth_are_no_tiles_of_the_set() -> None:
    squares = [
        tile(
            np.array([1, 0.75], np.float32) * corners(700 + 50 * (i % 6), 150 + 90 * (i // 6)),
            _5z=0.3,
        )
        for i in range(24)
    ]
    laid = laid_out(Told([*grid(KINDS), *squares]), BLANK)
    assert len(laid.odd) == len(squares)
    assert len(profile_of([(BLANK, laid)]).faces) == len(KINDS)


@pytest.mark.parametrize("told", [set(), {3}])
def test_a_name_that_another_picture_refutes_is_doubted(told: set[int]) -> None:
    """In the first picture 4m and 9p have each other's names, and are read less surely."""
    pictures = []
    for swapped in (True, False):
        picture = BLANK.copy()
        tiles = grid(KINDS)
        for number, one in enumerate(tiles):
            colour = np.random.default_rng(number).integers(0, 255, 3).tolist()
            cv2.fillConvexPoly(picture, one.corners_px.astype(np.int32), colour)
        laid = laid_out(Told(tiles), BLANK)
        if swapped:
            faces = list(laid.faces)
            faces[3], faces[17] = faces[17], faces[3]
            weaker = tuple(
                replace(one, probabilities=one.probabilities * 0 + 1 / len(FACES))
                for one in laid.tiles
            )
            laid = replace(laid, faces=tuple(faces), tiles=weaker)
        pictures.append((picture, laid))

    def embed(crops: Bytes) -> Floats:
        return np.asarray(crops[:, 32, 24] - crops.mean(), np.float32)

    first, second = agreeing(pictures, embed, [told, set()])
    assert first[1].doubtful == tuple(sorted({3, 17} - told))
    assert second[1].doubtful == ()


# --- a set that no net was trained on ---

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZabdefghkmn"


def foreign(sign: str, light: float, seed: int) -> Image:
    """A picture of a tile of a set with letters for faces."""
    rng = np.random.default_rng(seed)
    picture = np.full((H + 60, W + 60, 3), (60, 110, 50), np.uint8)
    picture[30 : 30 + H, 30 : 30 + W] = (215, 230, 235)
    ink = (30, 30, 160) if ord(sign) % 2 else (110, 60, 20)
    cv2.putText(picture, sign, (37, 80), cv2.FONT_HERSHEY_TRIPLEX, 1.6, ink, 2, cv2.LINE_AA)
    seen = cv2.GaussianBlur(picture, (0, 0), 0.9).astype(np.float32) * light
    return np.asarray((seen + rng.normal(0, 4, seen.shape)).clip(0, 255), np.uint8)


PLACE = np.array([[30, 30], [30 + W, 30], [30 + W, 30 + H], [30, 30 + H]], np.float32)


ACROSS = np.array(
    [[30 + W, 40], [30 + W, 40 + W * W / H], [30, 40 + W * W / H], [30, 40]], np.float32
)
"""An outline that lies across a tile and shows three quarters of it."""


def named(
    recogniser: Recogniser, light: float, seed: int, turn: int = 0, outline: Floats = PLACE
) -> list[str]:
    """The names read for the letters, turned by ``turn`` quarters."""
    found = []
    for place, sign in enumerate(SIGNS):
        place_px = np.roll(outline, turn, axis=0)[None] + np.float32(1.0)
        read = recogniser.read(foreign(sign, light, seed + place), place_px)
        found.append(FACES[int(read.probabilities[0].argmax())])
    return found


@pytest.fixture(scope="module")
def letters() -> Profile:
    patches = [patch_of(foreign(sign, 1.0, 7), PLACE) for sign in SIGNS]
    return Profile(np.stack(patches), np.arange(len(KINDS)))


def test_a_set_that_cannot_be_read_is_read_once_it_is_enrolled(letters: Profile) -> None:
    recogniser = Recogniser(WEIGHTS, threads=1)
    plain = named(recogniser, 0.8, 100)
    fit(recogniser, letters)
    right = sum(name == kind for name, kind in zip(plain, KINDS, strict=True))
    assert right < 10, "the plain reading of letters is a guess"
    assert named(recogniser, 0.8, 100) == list(KINDS)
    assert named(recogniser, 1.05, 200, turn=2) == list(KINDS)
    across = named(recogniser, 1.0, 300, outline=ACROSS)
    assert sum(name == kind for name, kind in zip(across, KINDS, strict=True)) > 24
    crops = np.random.default_rng(1).integers(0, 255, (5, 64, 48, 3)).astype(np.uint8)
    probabilities, _ = recogniser.read_crops(crops)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-4)
    assert (probabilities >= 0).all()
