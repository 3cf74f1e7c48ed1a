"""A film of several hands on plain felt, and a detector that knows tiles by their colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

from tests.support.felt_film import HANDS
from tests.support.films import QUICKLY
from tests.support.tables import SMALL_VIEW, Finds, Read, read_at, shares
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.table.view import from_seat

SIZE_PX: Final = SMALL_VIEW.picture_px
FPS: Final = 5
HAND_S: Final = 13.0
PENDING_S: Final = 4.0
"""Longer than the frames that are pending: a hand is told to be over while the film goes on."""
CLEAR_S: Final = 4.0
"""Nothing lies on the table for so long at the end of a hand."""
FIRST_S: Final = 3.0
APART_S: Final = 1.2
DISCARDS: Final = 5
FELT_BGR: Final = (60, 110, 70)
COLOURS_BGR: Final = ((235, 235, 235), (235, 235, 90), (235, 90, 235), (90, 235, 235))
"""Of the tiles that lie open in one hand after the other."""


@dataclass(frozen=True)
class Lies:
    """A tile that lies on the table for a while."""

    tile: Read
    from_s: float
    until_s: float
    colour: tuple[int, int, int] = COLOURS_BGR[0]


def evening(hands: int, seed: int = 1) -> list[Lies]:
    """Hands that are dealt, played for some discards, and cleared away."""
    rng = np.random.default_rng(seed)
    lies: list[Lies] = []
    for hand in range(hands):
        begin_s, end_s = hand * HAND_S, (hand + 1) * HAND_S - CLEAR_S
        lies += [Lies(tile.seen_in(SMALL_VIEW), begin_s + 0.6, end_s) for tile in HANDS]
        for turn in range(DISCARDS):
            x, y = from_seat(np.array([-60.0 + 60 * (turn // 4), 110.0]), turn % 4)
            face = f"{rng.integers(1, 10)}{rng.choice(list('mps'))}"
            tile = read_at(float(x), float(y), face)
            if rng.random() < 0.4:  # hardly more likely the one than the other
                doubtful = shares(face, 0.6, f"{rng.integers(1, 10)}s").astype(np.float32)
                tile = replace(tile, probabilities=doubtful)
            time_s = begin_s + FIRST_S + APART_S * turn + rng.uniform(0, 0.3)
            lies.append(
                Lies(tile.seen_in(SMALL_VIEW), time_s, end_s, COLOURS_BGR[hand % len(COLOURS_BGR)])
            )
    return lies


def write(path: Path, lies: list[Lies], lasts_s: float, **options: str) -> Path:
    """The video of it; every frame differs a little from the one before."""
    with av.open(str(path), "w", options=options) as container:
        given = QUICKLY | {"crf": "18", "g": "17"}
        stream = container.add_stream("libx264", rate=FPS, options=given)
        stream.width, stream.height, stream.pix_fmt = *SIZE_PX, "yuv420p"
        for picture in _pictures(lies, lasts_s):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return path


class ByColour(Finds):
    """Finds every tile that lies there at some time, where its colour is seen."""

    def __init__(self, lies: list[Lies]) -> None:
        self._tiles = [
            (one, tuple(int(each) for each in one.tile.corners_px.mean(axis=0))) for one in lies
        ]

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        x0, y0, x1, y1 = region
        seen: dict[tuple[int, ...], Read] = {}
        for one, (x, y) in self._tiles:
            inside = x0 <= x < x1 and y0 <= y < y1
            if inside and np.abs(image_bgr[y, x].astype(int) - one.colour).max() < 60:
                seen[x, y] = one.tile
        return [tile.detected() for tile in seen.values()]


def _pictures(lies: list[Lies], lasts_s: float) -> Iterator[Picture]:
    # Without something to hold on to, a camera that was moved could not be told from a sleeve.
    rough = np.random.default_rng(0).integers(0, 80, (SIZE_PX[1] // 6, SIZE_PX[0] // 6, 1))
    cloth = cv2.resize(rough.astype(np.uint8), SIZE_PX, interpolation=cv2.INTER_NEAREST)
    felt = (np.array(FELT_BGR) - 40 + cloth[..., None]).clip(0, 255).astype(np.uint8)
    for index in range(round(lasts_s * FPS)):
        picture = felt.copy()
        picture[:16, :16] = 40 + 20 * (index % 9)
        for one in lies:
            if one.from_s <= index / FPS < one.until_s:
                corners = np.rint(one.tile.corners_px).astype(np.int32)
                cv2.fillConvexPoly(picture, corners, one.colour)
        yield picture
