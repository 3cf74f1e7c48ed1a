"""Loads what the benchmark is compared with: a source checkout has it, the package does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol

import numpy as np
import typer
from numpy.typing import NDArray

from vision.camera.pictures import Picture
from vision.detect import Detection, Detector

MODELS: Final = Path(__file__).parents[2] / "models"
ONLY_IN_SOURCE: Final = "not compared with other runtimes: models/rivals.py is in the source only"
NO_TRACKER: Final = "no tracker: it is in the source only"

Runs = Callable[[], object] | str
"""The same task done by another runtime, or why it is not."""
WholeFrameTracker = Callable[[Sequence[Detection], Picture], object]
"""Takes the tiles of one whole frame."""


class Rival(Protocol):
    """Another runtime that does what the detector does."""

    name: str

    def window(self, detector: Detector, window: Picture) -> Runs: ...

    def tiles(self, detector: Detector, crops: NDArray[np.uint8]) -> Runs: ...

    def table(self, detector: Detector, image: Picture, tile_px: float) -> Runs: ...


def rivals() -> Sequence[Rival]:
    """Other runtimes, installed or not; none, and a line that says so, without the source."""
    module = _module()
    if module is None:
        typer.echo(ONLY_IN_SOURCE, err=True)
        return ()
    found: Sequence[Rival] = module.rivals()
    return found


def library_tracker() -> tuple[str, WholeFrameTracker | None]:
    """The tracker of the detector's library and its name; None where there is none."""
    module = _module()
    if module is None:
        return NO_TRACKER, None
    found: tuple[str, WholeFrameTracker | None] = module.library_tracker()
    return found


def _module() -> ModuleType | None:
    if not (MODELS / "rivals.py").is_file():
        return None
    if str(MODELS) not in sys.path:
        sys.path.append(str(MODELS))
    return import_module("rivals")
