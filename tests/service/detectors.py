"""Detectors that stand in where a test is about something else."""

from __future__ import annotations

from tests.vision.test_hand_rows import hands
from vision.camera.pictures import Picture
from vision.detect import Detection
from vision.table.view import TableView


class Blind:
    """Sees nothing."""

    def __init__(self) -> None:
        self.seen: list[Detection] = []

    def read(
        self,
        image_bgr: Picture,
        region: tuple[int, int, int, int] | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        return self.seen


class Hands(Blind):
    """Sees four hands that stand on this table, whatever the picture shows."""

    def __init__(self, view: TableView) -> None:
        self.seen = [
            Detection(one.side, one.corners_px, one.score, one.probabilities, 0.5)
            for one in hands(view)
        ]
