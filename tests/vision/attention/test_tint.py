"""Coloured light: known by the bodies of tiles, told, and taken out before tiles are read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.support.films import QUICKLY, film
from tests.support.tables import read_at
from vision.arrays import Doubles
from vision.attention.pending import LookReader
from vision.attention.tint import EVERY_S, KEPT, TintWatch, whitened
from vision.camera.decoded import UPRIGHT, DecodedFrame
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.detect import Detection
from vision.tiles.classes import FACE_INDEX

TILES = [read_at(60 * place, 40, "5p").detected() for place in range(4)]
WHITE, ORANGE, DIM = (1.0, 1.0, 1.0), (0.6, 1.0, 1.4), (0.5, 0.5, 0.5)


Light = tuple[float, float, float]


@cache
def table(light: Light, bodies: Light = WHITE) -> Picture:
    """Ivory tiles with blue prints on green felt, in this light; or bodies of another colour."""
    picture = np.full((1080, 1920, 3), (70, 110, 60), np.uint8)
    picture[:, :460] = picture[:, 1460:] = 120  # a floor
    body = tuple(round(min(255, a * b)) for a, b in zip((165, 175, 180), bodies, strict=True))
    for tile in TILES:
        cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), body)
        x, y = np.rint(tile.corners_px.mean(axis=0)).astype(int).tolist()
        cv2.circle(picture, (x, y), 6, (160, 60, 40), -1)
    return np.asarray(np.clip(picture * np.array(light), 0, 255), np.uint8)


def seen(watch: TintWatch, light: Light, since_s: float = 0.0, bodies: Light = WHITE) -> list[str]:
    """What is told of this light, until it alone counts."""
    told: list[str] = []
    for step in range(KEPT):
        frame = Frame(table(light, bodies), since_s + step * EVERY_S, step)
        watch.take(frame, TILES)
        told += [notice.text for notice in watch.notices(frame.time_s)]
    return told


@pytest.mark.parametrize(
    ("light", "bodies"), [(WHITE, WHITE), (DIM, WHITE), (WHITE, ORANGE), (WHITE, (1.5, 1.0, 0.7))]
)
def test_white_light_is_left_as_it_is_whatever_the_bodies(light: Light, bodies: Light) -> None:
    watch = TintWatch()
    assert seen(watch, light, bodies=bodies) == []
    assert watch.whitening is None
    assert [finding.grade for finding in watch.findings()] == ["good"]


def test_coloured_light_is_told_once_and_taken_out_until_it_ends() -> None:
    watch = TintWatch()
    (told,) = seen(watch, ORANGE)
    assert told.startswith("the light is strongly coloured")
    assert [finding.grade for finding in watch.findings()] == ["poor"]
    x, y = TILES[0].corners_px.mean(axis=0).astype(int).tolist()
    part = (x - 30, y - 30, x + 30, y + 30)
    white = whitened(table(ORANGE), [part], watch.whitening)[y - 30 : y + 30, x - 30 : x + 30]
    off = white.astype(int) - table(WHITE)[y - 30 : y + 30, x - 30 : x + 30]
    assert np.abs(off).mean() < 20 < np.abs(table(ORANGE).astype(int) - table(WHITE)).max()
    assert seen(watch, WHITE, since_s=500.0) == ["the light is no longer so coloured"]
    assert watch.whitening is None


def test_pictures_look_otherwise_only_when_the_correction_changes() -> None:
    watch = TintWatch()
    frames = [Frame(table(ORANGE), EVERY_S * step, step) for step in range(4)]
    assert [watch.take(frame, TILES) for frame in frames] == [True, False, False, False]


def test_one_tile_tells_nothing_of_the_light() -> None:
    watch = TintWatch()
    assert not watch.take(Frame(table(ORANGE), 0.0, 0), TILES[:1])
    assert (watch.tint, watch.findings()) == (None, ())


class Seen:
    """A reader that finds nothing and keeps the pictures that it is given."""

    def __init__(self) -> None:
        self.pictures: list[Picture] = []

    def read(self, image_bgr: Picture, *_: object) -> list[Detection]:
        self.pictures.append(image_bgr)
        return []


@pytest.mark.parametrize("shift", [None, np.array([[1, 0, 8], [0, 1, 4], [0, 0, 1]], np.float64)])
def test_tiles_beside_what_is_read_have_their_colours(
    tmp_path: Path, shift: Doubles | None
) -> None:
    with av.open(str(film(tmp_path / "game.mp4", frames=1))) as container:
        pixels = DecodedFrame(next(container.decode(video=0)), UPRIGHT)
    outline = np.array([[40, 40], [60, 40], [60, 70], [40, 70]], np.float32)
    known = [replace(TILES[0], corners_px=outline)]
    reader = Seen()
    looks = LookReader(reader, TintWatch(), NoiseWatch())
    looks.start(Frame(pixels, 0.0, 0, shift=shift), [(200, 100, 260, 160)], 20.0, known).tiles(
        known
    )
    by_px = (0, 0) if shift is None else (8, 4)
    here = slice(40 + by_px[1], 70 + by_px[1]), slice(40 + by_px[0], 60 + by_px[0])
    (picture,) = reader.pictures
    assert np.abs(picture[here].astype(int) - pixels.bgr()[here]).max() <= 6


# --- no colours at all ---


def grey_of(picture: Picture) -> Picture:
    return cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)  # type: ignore[return-value]


def in_file(
    path: Path, pictures: list[Picture], pix_fmt: str = "yuv420p", codec: str = "libx264"
) -> list[Frame]:
    with av.open(str(path), "w") as container:
        options = QUICKLY | {"crf": "28"} if codec == "libx264" else {}
        stream = container.add_stream(codec, rate=10, options=options)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = pix_fmt
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return list(VideoFile(path).frames())


@pytest.mark.parametrize("pix_fmt", ["yuv420p", "yuv444p", "yuvj420p", "gray"])
def test_a_picture_without_colours_is_known_in_every_format(tmp_path: Path, pix_fmt: str) -> None:
    noise = np.random.default_rng(1).integers(0, 9, (1080, 1920, 1), np.uint8)
    night = np.asarray(grey_of(table(WHITE)) + noise, np.uint8)
    frames = in_file(tmp_path / "game.mp4", [night, table(DIM)], pix_fmt)
    assert [frame.colourless for frame in frames] == [True, pix_fmt == "gray"]
    assert Frame(night, 0.0, 0).colourless
    assert not Frame(table(WHITE), 0.0, 0).colourless
    assert not Frame(table(DIM), 0.0, 0).colourless


@pytest.mark.parametrize("light", [WHITE, DIM, (0.6, 0.9, 1.0), (1.0, 0.9, 0.6)])
@pytest.mark.parametrize(
    ("left", "colourless"), [(0.0, True), (0.05, True), (0.1, True), (0.5, False), (1.0, False)]
)
def test_colours_that_are_nearly_gone_are_none_whatever_the_light(
    left: float, colourless: bool, light: Light, tmp_path: Path
) -> None:
    noise = np.random.default_rng(1).integers(0, 9, (1080, 1920, 1), np.uint8)
    grey, coloured = grey_of(table(WHITE)), table(WHITE)
    faded = np.asarray(grey + left * (coloured.astype(np.float64) - grey) + noise, np.float64)
    picture = np.asarray(np.clip(faded * np.array(light), 0, 255), np.uint8)
    assert Frame(picture, 0.0, 0).colourless is colourless
    (frame,) = in_file(tmp_path / "game.mp4", [picture])
    assert frame.colourless is colourless


@pytest.mark.parametrize(("height", "width"), [(1079, 1919), (719, 640), (480, 639), (7, 15)])
def test_a_picture_may_have_any_size(tmp_path: Path, height: int, width: int) -> None:
    pictures = [table(WHITE)[:height, :width], grey_of(table(WHITE))[:height, :width]]
    frames = in_file(tmp_path / "game.mkv", pictures, codec="ffv1")
    coloured = height > 400
    assert [frame.colourless for frame in frames] == [False, coloured]
    assert [Frame(one, 0.0, 0).colourless for one in pictures] == [False, coloured]


@pytest.mark.parametrize("level", [0, 25, 50])
def test_nobody_can_say_in_the_dark(level: int) -> None:
    assert not Frame(np.full((1080, 1920, 3), level, np.uint8), 0.0, 0).colourless


def test_the_clock_that_a_camera_writes_is_no_colour() -> None:
    night = grey_of(table(WHITE))
    night[20:50, 20:140] = (0, 220, 220)
    assert Frame(night, 0.0, 0).colourless


def test_a_film_that_turns_grey_is_told_once_and_when_it_is_over() -> None:
    watch = TintWatch()
    told: list[tuple[str, bool]] = []
    for step in range(40):
        night = 10 <= step < 30 or step == 35
        picture = grey_of(table(WHITE)) if night else table(WHITE)
        frame = Frame(picture, step / 2, step)
        watch.see(frame)
        assert watch.grey is night
        told += [(notice.kind, notice.lasts) for notice in watch.notices(frame.time_s)]
    assert told == [("grey", True), ("grey", False)]
    assert [one.name for one in watch.findings()] == []
    assert [one.name for one in watch.findings(ever=True)] == ["grey"]


@pytest.mark.parametrize("grey", [False, True])
@pytest.mark.parametrize("face", ["5p", "0p", "6p"])
def test_without_colours_a_five_may_be_a_red_one(face: str, grey: bool) -> None:
    tile = replace(read_at(60, 40, face).detected(), trust=0.97)
    picture = grey_of(table(WHITE)) if grey else table(WHITE)

    class Reader:
        def read(self, *_: object) -> list[Detection]:
            return [tile]

    watch = TintWatch()
    frame = Frame(picture, 0.0, 0)
    watch.see(frame)
    looks = LookReader(Reader(), watch, NoiseWatch())
    ((found,),) = looks.start(frame, [(0, 0, 1920, 1080)], 40.0, ()).tiles(())
    red, plain = FACE_INDEX["0p"], FACE_INDEX["5p"]
    if grey and face != "6p":
        assert found.probabilities[red] == found.probabilities[plain] > 0.3
        assert not found.tile.known
    else:
        assert np.array_equal(found.probabilities, tile.probabilities)
    assert found.probabilities.sum() == pytest.approx(tile.probabilities.sum())
