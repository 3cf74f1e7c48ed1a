"""Other runtimes that ``speed_picture.py`` compares speed with."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.camera.pictures import Picture
from vision.detect import SHIPPED, Detector
from vision.tiles.classes import Side
from vision.tiles.finder import LEAST_SCORE, TILE_PX, WINDOW_PX, Finder
from vision.tiles.recogniser import Recogniser

RivalRuns = Callable[[], object] | str
"""The same task done the other way, or why it is not."""

CHECKPOINT: Final = Path(__file__).parent / "weights" / "finder.pt"
"""The finder's weights in PyTorch's own form."""
NOT_INSTALLED: Final = "not installed"
UNFIT: Final = "its torchvision is made for another torch"
STRIDE: Final = 32


def rivals() -> Sequence[OnnxRuntime | Library]:
    """Both runtimes, installed or not."""
    return (Library(), OnnxRuntime())


class OnnxRuntime:
    """The whole detector as it is, its nets computed by ONNX Runtime from the same files."""

    name = "ONNX Runtime"

    def __init__(self) -> None:
        try:
            import onnxruntime
        except ImportError:
            self._detector: Detector | None = None
            return
        found = Detector(Finder(SHIPPED / "finder.onnx"), Recogniser(SHIPPED / "recogniser.onnx"))
        finder = _Session(onnxruntime, SHIPPED / "finder.onnx")
        found.finder.net_of = lambda side_px: finder
        found.recogniser.net = _Session(onnxruntime, SHIPPED / "recogniser.onnx")
        self._detector = found

    def window(self, detector: Detector, window: Picture) -> RivalRuns:
        own = self._detector
        return NOT_INSTALLED if own is None else lambda: own.finder.find(window, TILE_PX)

    def tiles(self, detector: Detector, crops: NDArray[np.uint8]) -> RivalRuns:
        own = self._detector
        return NOT_INSTALLED if own is None else lambda: own.recogniser.read_crops(crops)

    def table(self, detector: Detector, image: Picture, tile_px: float) -> RivalRuns:
        own = self._detector
        return NOT_INSTALLED if own is None else lambda: own.read(image)


class _Session:
    """Called as the detector's own runtime is."""

    def __init__(self, onnxruntime: Any, path: Path) -> None:
        self._session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, tensor: NDArray[np.float32]) -> Any:
        return self._session.run(None, {self._input: tensor})


class Library:
    """The library's own prediction in PyTorch, for what it does: finding tiles."""

    name = "PyTorch (Ultralytics)"

    def __init__(self) -> None:
        self._missing, self._model = "", None
        quiet_library()
        try:
            self._model = _library_model()
        except ImportError:
            self._missing = NOT_INSTALLED
        except RuntimeError:
            self._missing = UNFIT
        except FileNotFoundError:
            self._missing = "no checkpoint"

    def window(self, detector: Detector, window: Picture) -> RivalRuns:
        return self._missing or (lambda: self.boxes(window, WINDOW_PX))

    def tiles(self, detector: Detector, crops: NDArray[np.uint8]) -> RivalRuns:
        return self._missing or "no such net"

    def table(self, detector: Detector, image: Picture, tile_px: float) -> RivalRuns:
        """Finding alone, at the right scale from the start."""
        longest = max(image.shape[:2]) * TILE_PX / tile_px
        side = max(STRIDE, round(longest / STRIDE) * STRIDE)
        return self._missing or (lambda: self.boxes(image, side))

    def boxes(self, image: Picture, side_px: int) -> int:
        """How many tiles it finds in a picture that is scaled to that side."""
        assert self._model is not None
        (found,) = self._model.predict(
            image, imgsz=side_px, conf=LEAST_SCORE, device="cpu", verbose=False, save=False
        )
        return len(found.obb)


def quiet_library() -> None:
    """No look-ups, no downloads, no settings file in the home folder; before it is imported."""
    place = f"{tempfile.gettempdir()}/tilesight-yolo"
    os.makedirs(os.environ.setdefault("YOLO_CONFIG_DIR", place), exist_ok=True)
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_VERBOSE", "False")


def _library_model() -> Any:
    """The finder as the library's own model.

    Raises ``ImportError``, ``FileNotFoundError``, and ``RuntimeError`` where torchvision, which it
    predicts with, is linked to another build of torch.
    """
    importlib.import_module("torchvision")
    import torch
    from ultralytics import YOLO
    from ultralytics.nn.tasks import OBBModel

    state = torch.load(CHECKPOINT, weights_only=True)
    net = OBBModel("yolo11n-obb.yaml", nc=len(Side), verbose=False)
    net.load_state_dict({name: value.float() for name, value in state["ema"].items()})
    net.names = dict(enumerate(side.value for side in Side))
    net.args = SimpleNamespace(task="obb", imgsz=WINDOW_PX)
    model = YOLO("yolo11n-obb.yaml", task="obb", verbose=False)
    model.model = net.eval()
    return model
