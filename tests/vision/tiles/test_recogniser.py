"""The recogniser with the shipped weights, and how sure a reading is."""

from __future__ import annotations

import locale
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import KINDS
from studio.faces import FaceSet, draw_faces
from tests.support.paths import ROOT
from vision.arrays import Bytes, Floats
from vision.errors import WeightsError
from vision.tiles.classes import FACES
from vision.tiles.confidence import FEATURES, Confidence, features
from vision.tiles.own_colours import misjudged, of_no_back
from vision.tiles.recogniser import Recogniser
from vision.tiles.rectify import rectify
from vision.tiles.shared_net import runtime

WEIGHTS = ROOT / "vision" / "weights" / "recogniser.onnx"
Image = NDArray[np.uint8]
W, H = 60, 80


@pytest.fixture(scope="module")
def recogniser(precise: bool) -> Recogniser:
    return Recogniser(WEIGHTS, threads=1, precise=precise)


@cache
def _drawn(seed: int) -> FaceSet:
    return draw_faces(seed)


def _table(faces: list[str], seed: int) -> tuple[Image, NDArray[np.float32]]:
    """A green cloth with a row of drawn tiles on it, and their corners."""
    images = _drawn(seed).images
    picture = np.full((H + 80, len(faces) * (W + 20) + 20, 3), (60, 110, 50), np.uint8)
    corners = []
    for place, face in enumerate(faces):
        x, y = 20 + place * (W + 20), 40
        picture[y : y + H, x : x + W] = (215, 230, 235)
        drawn = cv2.resize(images[face], (W - 6, H - 8), interpolation=cv2.INTER_AREA)
        share = drawn[:, :, 3:].astype(np.float32) / 255
        there = picture[y + 4 : y + H - 4, x + 3 : x + W - 3]
        there[:] = (there * (1 - share) + drawn[:, :, 2::-1] * share).astype(np.uint8)
        corners.append([[x, y], [x + W, y], [x + W, y + H], [x, y + H]])
    return picture, np.array(corners, np.float32)


def _named(recogniser: Recogniser, picture: Image, corners: NDArray[np.float32]) -> list[str]:
    probabilities = recogniser.read(picture, corners).probabilities
    return [FACES[int(place)] for place in probabilities.argmax(axis=1)]


def test_drawn_faces_are_named_and_named_surely(recogniser: Recogniser) -> None:
    picture, corners = _table(list(KINDS), seed=9001)
    probabilities = recogniser.read(picture, corners).probabilities
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-4)
    assert (probabilities >= 0).all()
    right = [
        FACES[int(row.argmax())] == face for row, face in zip(probabilities, KINDS, strict=True)
    ]
    assert sum(right) >= 32
    assert np.median(probabilities.max(axis=1)) >= recogniser.threshold


@pytest.mark.parametrize("turn", [0, 2])
def test_the_tiles_own_top_is_found_when_the_corners_start_at_the_other_end(
    recogniser: Recogniser, turn: int
) -> None:
    faces = ["1m", "6m", "7z", "6z", "7s", "1z", "7p", "6p"]
    picture, corners = _table(faces, seed=9001)
    first = recogniser.read(picture, np.roll(corners, turn, axis=1)).first
    # Corner number ``turn`` of the outline given is the one at the tile's top left.
    assert (first == turn).sum() >= 7


def test_a_tile_is_read_alike_whichever_way_up_it_lies(recogniser: Recogniser) -> None:
    # Each of them has a top: a nine of bamboos looks the same from both sides.
    picture, corners = _table(["1m", "7s", "6z", "7p", "1z"], seed=9002)
    loose = corners + np.random.default_rng(3).uniform(-4, 4, corners.shape).astype(np.float32)
    crops = np.stack([rectify(picture, outline) for outline in loose])
    plain, first = recogniser.read_crops(crops)
    turned, first_turned = recogniser.read_crops(crops[:, ::-1, ::-1])
    np.testing.assert_allclose(plain, turned, atol=1e-3)
    assert first.tolist() == ((first_turned + 2) % 4).tolist()
    put_right = recogniser.read(picture, loose).corners_px
    put_right_turned = recogniser.read(picture, np.roll(loose, 2, axis=1)).corners_px
    apart_px = (put_right - np.roll(put_right_turned, 2, axis=1)).mean(axis=(0, 1))
    assert np.abs(apart_px).max() < 1


def test_noise_and_plain_cloth_are_not_believed(recogniser: Recogniser) -> None:
    rng = np.random.default_rng(4)
    noise = rng.integers(0, 256, (12, 64, 48, 3)).astype(np.uint8)
    cloth = np.full((1, 64, 48, 3), (60, 110, 50), np.uint8)
    probabilities, _ = recogniser.read_crops(np.concatenate([noise, cloth]))
    assert (probabilities.max(axis=1) < recogniser.threshold).all()


def test_half_of_two_tiles_is_not_believed(recogniser: Recogniser) -> None:
    picture, corners = _table(["5m", "3s", "8p", "2m", "6s", "9p"], seed=9002)
    between = corners[:-1] + np.array([(W + 20) / 2, 0], np.float32)
    probabilities = recogniser.read(picture, between).probabilities
    assert (probabilities.max(axis=1) < recogniser.threshold).sum() >= 4


def test_a_red_five_is_told_from_a_plain_one(recogniser: Recogniser) -> None:
    picture, corners = _table(["0m", "5m", "0p", "5p", "0s", "5s"], seed=9001)
    assert _named(recogniser, picture, corners) == ["0m", "5m", "0p", "5p", "0s", "5s"]


def test_letters_and_cards_are_told_from_tiles(recogniser: Recogniser) -> None:
    rng = np.random.default_rng(5)
    things = np.full((64, 48 * 30, 3), (60, 110, 50), np.uint8)
    for place in range(30):
        ink, paper = rng.integers(0, 90, 3).tolist(), rng.integers(150, 255, 3).tolist()
        x, letter = 48 * place, "ABDEGHKMQRSTWXYZ"[int(rng.integers(16))]
        things[6:58, x + 4 : x + 44] = paper
        cv2.putText(things, letter, (x + 10, 46), cv2.FONT_HERSHEY_DUPLEX, 1.2, ink, 3)
    corners = [[(x, 2), (x + 44, 2), (x + 44, 62), (x, 62)] for x in range(2, 1440, 48)]
    letters = recogniser.read(things, np.array(corners, np.float32)).tiles
    tiles = recogniser.read(*_table(list(KINDS), seed=9001)).tiles
    assert np.median(letters) < -0.5
    assert np.median(tiles) > 0.2


def test_no_tiles_are_no_readings(recogniser: Recogniser) -> None:
    blank = np.zeros((50, 50, 3), np.uint8)
    named = recogniser.read(blank, np.zeros((0, 4, 2), np.float32))
    assert named.probabilities.shape == (0, 38)
    assert named.first.shape == (0,)


def test_readings_do_not_depend_on_how_many_tiles_are_read_together(recogniser: Recogniser) -> None:
    picture, corners = _table([*KINDS[:18]], seed=9001)
    together = recogniser.read(picture, corners).probabilities
    alone = recogniser.read(picture, corners[17:]).probabilities
    np.testing.assert_allclose(together[17:], alone, atol=0.02)


def test_short_floats_name_the_same_faces_as_long_ones(recogniser: Recogniser) -> None:
    long = Recogniser(WEIGHTS, threads=1, precise=True)
    picture, corners = _table(list(KINDS), seed=9002)
    ours = recogniser.read(picture, corners).probabilities
    theirs = long.read(picture, corners).probabilities
    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).sum() >= 33


@pytest.mark.parametrize("damage", ["missing", "cut", "no metadata", "no numbers"])
def test_weights_that_do_not_load_are_one_clear_line(tmp_path: Path, damage: str) -> None:
    weights = tmp_path / "recogniser.onnx"
    if damage != "missing":
        shutil.copy(WEIGHTS, weights)
        shutil.copy(WEIGHTS.with_suffix(".json"), weights.with_suffix(".json"))
    if damage == "cut":
        weights.write_bytes(WEIGHTS.read_bytes()[:3000])
    elif damage == "no metadata":
        weights.with_suffix(".json").unlink()
    elif damage == "no numbers":
        weights.with_suffix(".json").write_text('{"threshold": null}')
    with pytest.raises(WeightsError, match="cannot load the weights") as caught:
        Recogniser(weights)
    assert "\n" not in str(caught.value)


# --- confidence ---


CURVE_WEIGHTS = {"constant": -2.0, "odds": 0.8, "margin": 0.1, "size": 0.5, "outline": 0.7}
MORE_WEIGHTS = {"odds_of_small": 0.3, "axis": 0.8, "no_tile": -3.0}
MORE_WEIGHTS |= {"odds_of_outline": 0.2, "odds_of_no_tile": -0.5}
CURVE = Confidence.read(CURVE_WEIGHTS | MORE_WEIGHTS)


def reading(best: float, second: float = 0.0) -> NDArray[np.float32]:
    row = np.full(len(FACES), (1 - best - second) / (len(FACES) - 2), np.float32)
    row[:2] = best, second or row[2]
    return np.asarray(row / row.sum(), np.float32)


def sure(
    best: float,
    second: float = 0.0,
    width_px: float = 30,
    score: float = 0.9,
    axis: float = 8.0,
    tile: float = 3.0,
) -> float:
    one = (np.array([value], np.float32) for value in (width_px, score, axis, tile))
    return float(CURVE.of(features(reading(best, second)[None], *one))[0])


def test_what_is_seen_well_and_is_surely_a_tile_is_trusted_more() -> None:
    assert sure(0.99) > sure(0.9) > sure(0.5)
    assert sure(0.9, width_px=40) > sure(0.9, width_px=25) > sure(0.9, width_px=14)
    assert sure(0.9, score=0.9) > sure(0.9, score=0.4)
    assert sure(0.9, axis=9.0) > sure(0.9, axis=0.5)
    assert sure(0.9, tile=3.0) > sure(0.9, tile=-1.0) > sure(0.9, tile=-3.0)
    assert sure(0.6, second=0.01) > sure(0.6, second=0.39)


def gain(score: float = 0.9, tile: float = 3.0) -> float:
    """Nats of confidence that a surer face brings."""
    told = np.array([sure(best, score=score, tile=tile) for best in (0.6, 0.95)])
    low, high = np.log(told / (1 - told))
    return float(high - low)


def test_a_surer_face_counts_for_more_where_outline_and_tile_are_sure() -> None:
    assert gain(score=0.9) > gain(score=0.4)
    assert gain(tile=3.0) > gain(tile=-4.0)


@pytest.mark.parametrize("best", [1.0, 1 / len(FACES), 0.9999999])
@pytest.mark.parametrize(
    ("width_px", "score", "axis", "tile"), [(0.0, 0.0, 0.0, -1e6), (1e6, 1.0, 1e6, 1e6)]
)
def test_the_ends_of_every_scale_give_a_confidence(
    best: float, width_px: float, score: float, axis: float, tile: float
) -> None:
    assert 0 < sure(best, width_px=width_px, score=score, axis=axis, tile=tile) < 1


def test_no_readings_have_no_confidence() -> None:
    none = np.zeros(0, np.float32)
    told = features(np.zeros((0, len(FACES))), none, none, none, none)
    assert told.shape == (0, len(FEATURES))
    assert CURVE.of(told).shape == (0,)


def test_weights_of_other_features_are_not_taken_for_these() -> None:
    with pytest.raises(KeyError, match="expected constant, odds"):
        Confidence.read(CURVE_WEIGHTS)


# --- faces and backs by the colours of the set ---


IVORY, GREEN, CREAM = (205, 225, 235), (80, 140, 40), (190, 218, 232)
PRINTED, BACKS = 4, 4


def table(back_bgr: tuple[int, int, int]) -> tuple[Bytes, Floats]:
    """Four printed faces, four backs, a blank face and a bare back, in light from the left."""
    picture = np.full((200, 420, 3), (60, 80, 50), np.uint8)
    corners = []
    for place in range(PRINTED + BACKS + 2):
        x, y = 10 + 80 * (place % 5), 20 + 90 * (place // 5)
        back = place in range(PRINTED, PRINTED + BACKS) or place == PRINTED + BACKS + 1
        picture[y : y + 64, x : x + 48] = back_bgr if back else IVORY
        if place < PRINTED:
            cv2.circle(picture, (x + 24, y + 32), 14, (40, 30, 150), -1)
        corners.append([[x, y], [x + 48, y], [x + 48, y + 64], [x, y + 64]])
    shade = np.linspace(1.0, 0.75, 420)[None, :, None]
    return (picture * shade).astype(np.uint8), np.array(corners, np.float32)


def judged(back_bgr: tuple[int, int, int], faces: int = PRINTED) -> tuple[list[int], list[int]]:
    """What is doubted where the blank face is told as a back, and the last back as a face."""
    picture, corners = table(back_bgr)
    index = np.arange(len(corners))
    backs = (index >= PRINTED) & (index <= PRINTED + BACKS)
    wrong = misjudged(picture, corners, index < faces, backs, index >= PRINTED)
    return wrong.as_backs, wrong.as_faces


def test_a_blank_face_and_a_bare_back_are_told_by_the_colours_of_the_others() -> None:
    assert judged(GREEN) == ([PRINTED + BACKS], [PRINTED + BACKS + 1])


def test_a_doubtful_face_without_print_is_bare_and_a_back_is_not() -> None:
    picture, corners = table(GREEN)
    index = np.arange(len(corners))
    backs = (index >= PRINTED) & (index < PRINTED + BACKS)
    wrong = misjudged(picture, corners, index < PRINTED, backs, index >= PRINTED)
    assert wrong.bare == [PRINTED + BACKS]
    assert wrong.as_faces == [PRINTED + BACKS + 1]


@pytest.mark.parametrize(("back_bgr", "faces"), [(CREAM, PRINTED), (GREEN, 2)])
def test_pale_backs_and_few_faces_tell_nothing(back_bgr: tuple[int, int, int], faces: int) -> None:
    assert judged(back_bgr, faces) == ([], [])


def test_tiles_that_reach_beyond_the_picture_are_judged_by_what_is_seen() -> None:
    picture, corners = table(GREEN)
    corners[-1] += np.float32(60)
    index = np.arange(len(corners))
    backs = (index >= PRINTED) & (index < len(corners) - 1)
    assert misjudged(picture, corners, index < PRINTED, backs, index >= PRINTED).as_backs


@pytest.mark.parametrize(
    ("score", "known", "gone"), [(0.4, BACKS, True), (0.65, BACKS, False), (0.4, 2, False)]
)
def test_a_doubtful_back_with_another_colour_than_the_backs_is_none(
    score: float, known: int, gone: bool
) -> None:
    picture, corners = table(GREEN)
    rim = np.array([[10, 186], [58, 186], [58, 198], [10, 198]], np.float32)
    backs = [*corners[PRINTED : PRINTED + known], corners[-1], rim]
    scores = np.array([0.8] * known + [0.3, score], np.float32)
    assert of_no_back(picture, np.stack(backs), scores).tolist() == [False] * (known + 1) + [gone]


# --- the runtime of the nets ---


@pytest.mark.parametrize(
    ("cause", "seen"), [("KeyboardInterrupt", KeyboardInterrupt), ("OSError", ImportError)]
)
def test_an_import_that_is_interrupted_ends_like_any_other_work(
    cause: str, seen: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What pybind11 does with an exception while a module is set up.
    (tmp_path / "openvino.py").write_text(f"raise ImportError('no') from {cause}()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "openvino", raising=False)
    with pytest.raises(seen):
        runtime()


def test_nets_load_where_no_folder_can_keep_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "file"))
    assert "CPU" in runtime().available_devices


@pytest.mark.usefixtures("plain_nets")
def test_nets_that_load_at_once_leave_the_locale_as_it_was() -> None:
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    except locale.Error:
        pytest.skip("this system has no such locale")
    try:
        with ThreadPoolExecutor(3) as pool:
            for _ in pool.map(Recogniser, [WEIGHTS] * 9):
                pass
        assert locale.setlocale(locale.LC_CTYPE) == "C.UTF-8"
    finally:
        locale.setlocale(locale.LC_ALL, before)


@pytest.mark.usefixtures("plain_nets")
@pytest.mark.skipif(sys.platform == "darwin", reason="its folder for caches has no other place")
def test_a_compiled_net_is_kept_and_one_that_is_damaged_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    Recogniser(WEIGHTS)
    (kept,) = (tmp_path / "tilesight" / "nets").iterdir()
    whole = kept.read_bytes()
    kept.chmod(0o600)
    kept.write_bytes(whole[: len(whole) // 2])
    Recogniser(WEIGHTS)
    assert len(kept.read_bytes()) > 0.9 * len(whole)


def test_two_sets_on_one_table_have_backs_of_two_colours() -> None:
    picture, corners = table(GREEN)
    others = corners[:3]  # cream
    rim = np.array([[10, 186], [58, 186], [58, 198], [10, 198]], np.float32)
    backs = [*corners[PRINTED : PRINTED + 3], *others, rim]
    scores = np.array([0.8] * 6 + [0.4], np.float32)
    assert not of_no_back(picture, np.stack(backs), scores).any()
