"""The plain way: the same weights on every whole frame, and the library's own tracker after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.benchmark.rivals import quiet_library
from vision.camera.pictures import Picture
from vision.detect import Detection
from vision.tiles.classes import SIDES

SEEN_TWICE: Final = 2
"""Frames in which that tracker must have seen a tile before it says so."""

Follows = Callable[[Sequence[Detection], Picture], object]
"""What is done with the tiles of one whole frame."""


def library_tracker() -> tuple[str, Follows | None]:
    """BoT-SORT as the library sets it up, and its name; none where it is not installed."""
    quiet_library()
    try:
        from ultralytics.trackers.bot_sort import BOTSORT
        from ultralytics.utils import YAML
        from ultralytics.utils.checks import check_yaml
    except ImportError:
        return "no tracker: Ultralytics is not installed", None
    settings = SimpleNamespace(**YAML.load(check_yaml("botsort.yaml")))
    tracker: Any = BOTSORT(settings)

    def follow(tiles: Sequence[Detection], image_bgr: Picture) -> object:
        return tracker.update(_Found.of(tiles), image_bgr)

    return "BoT-SORT of Ultralytics", follow


@dataclass(frozen=True, eq=False)
class _Found:
    """Oriented boxes as the library's trackers take them."""

    xywhr: NDArray[np.float32]
    conf: NDArray[np.float32]
    cls: NDArray[np.float32]

    @classmethod
    def of(cls, tiles: Sequence[Detection]) -> _Found:
        corners = np.array([tile.corners_px for tile in tiles], np.float32).reshape(-1, 4, 2)
        top, side = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
        boxes = np.column_stack(
            [
                corners.mean(axis=1),
                np.linalg.norm(top, axis=1),
                np.linalg.norm(side, axis=1),
                np.arctan2(top[:, 1], top[:, 0]),
            ]
        )
        return cls(
            boxes.astype(np.float32),
            np.array([tile.score for tile in tiles], np.float32),
            np.array([SIDES.index(tile.side) for tile in tiles], np.float32),
        )

    @property
    def xywh(self) -> NDArray[np.float32]:
        return self.xywhr[:, :4]

    def __len__(self) -> int:
        return len(self.conf)

    def __getitem__(self, rows: NDArray[np.bool_]) -> _Found:
        return _Found(self.xywhr[rows], self.conf[rows], self.cls[rows])
