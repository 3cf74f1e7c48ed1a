"""Detectors that stand in where a test is about something else."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from tests.support.drawn_tables import hands
from tests.support.tables import Finds
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.table.view import TableView
from vision.tiles.classes import DetectedTile


class Blind(Finds):
    """Sees nothing."""

    def __init__(self) -> None:
        self.seen: list[Detection] = []

    def found(self, image_bgr: Picture, region: Region) -> list[Detection]:
        return self.seen

    def handed(self, image_bgr: Picture, tiles: Sequence[DetectedTile]) -> Mapping[str, float]:
        """No face says whether the picture is mirrored."""
        return {}


class LeftDark(Blind):
    """Takes a picture for mirrored whose left side is brighter than its right."""

    def handed(self, image_bgr: Picture, tiles: Sequence[DetectedTile]) -> Mapping[str, float]:
        middle = image_bgr.shape[1] // 2
        left, right = image_bgr[:, :middle].mean(), image_bgr[:, middle:].mean()
        return dict.fromkeys(("1m", "2m", "7m"), -2.0 if left > right else 2.0)


class Hands(Blind):
    """Sees four hands that stand on this table, whatever the picture shows."""

    def __init__(self, view: TableView) -> None:
        self.seen = [hand.detected() for hand in hands(view)]


@dataclass
class Still:
    """A camera whose picture stays what it is until it is given another one."""

    picture: Picture
    name: str = "camera"

    def frames(self, step_s: float = 0.0) -> Frames:
        for index in count():
            yield Frame(self.picture, 0.02 * index, index)
            time.sleep(0.02)
