"""The reader of a real table: detector, tracker and rules put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from service.reading import Reader
from service.weights import load_detector
from vision.detect import Detection
from vision.table import TableView

Region = tuple[int, int, int, int]


class Reads(Protocol):
    """What a reader asks of a detector."""

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]: ...


MakeReader = Callable[[], Reader]
"""Loads the weights, so it is called when everything else is known to be in order."""


@dataclass(frozen=True)
class ReaderMaker:
    """What a person gave about the table, checked."""

    rules: str
    view: TableView | None
    """None: the table is looked for in the first pictures."""
    seat0: str | None

    @classmethod
    def of(cls, rules: str, table: Path | None, seat0: str | None) -> ReaderMaker:
        """Raises ``SourceError`` for a table file that cannot be used."""
        return cls(rules, None if table is None else TableView.load(table, seat0), seat0)

    def __call__(self, detector: Reads | None = None) -> Reader:
        """A new reader, with the shipped detector or another; raises ``WeightsError``."""
        from vision.pipeline import TableReader

        return TableReader(detector or load_detector(), self.rules, self.view, self.seat0)
