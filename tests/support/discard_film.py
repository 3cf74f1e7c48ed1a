"""A film in which one discard comes to lie, and a detector that doubts what it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from tests.support.placed_tiles import PlainLookResult
from tests.support.tables import Finds
from tests.support.told_reader import AskingTold
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.tiles.classes import FACES, Side


def filmed() -> Frames:
    for index in range(14):
        picture = np.full((360, 640, 3), (50, 100, 40), np.uint8)
        if index >= 2:
            picture[200:240, 300:330] = 255
        yield Frame(picture, float(index), index)


class Looker(Finds):
    """Reads the white patch as the nine of characters, or perhaps the eight."""

    def __init__(self) -> None:
        self.reads = 0
        self.doubts = "8m"

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        self.reads += 1
        if image_bgr[220, 315].min() < 200:
            return []
        corners = np.array([[300, 200], [330, 200], [330, 240], [300, 240]], np.float32)
        probabilities = np.zeros(len(FACES), np.float32)
        probabilities[FACES.index("9m")], probabilities[FACES.index(self.doubts)] = 0.81, 0.15
        return [Detection(Side.FACE, corners, 0.9, probabilities, 0.5)]


class SeeingTold(AskingTold):
    """Tells a record, and sees the tile come to lie."""

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        looker = Looker()
        for result in super().read(frames):
            yield replace(result, detections=tuple(looker.read(result.frame.image_bgr)))
