"""The finder's net, and the settings that keep the training library to itself."""

from __future__ import annotations

import importlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Final

from finder.data import CLASSES

ARCHITECTURE: Final = "yolo11n-obb.yaml"


def build() -> Any:
    """A YOLO11 nano with oriented boxes and random weights."""
    _keep_to_itself()
    _mend_torchvision()
    # Only now: the library reads its settings while it is imported.
    from ultralytics.nn.tasks import OBBModel

    return OBBModel(ARCHITECTURE, nc=len(CLASSES), verbose=False)


def _keep_to_itself() -> None:
    """No look-ups, no downloads, no settings file in the home folder."""
    place = os.environ.setdefault("YOLO_CONFIG_DIR", f"{tempfile.gettempdir()}/tilesight-yolo")
    Path(place).mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "False")


@cache
def _mend_torchvision() -> object | None:
    """Declare the operators that torchvision asks for beside a CPU build of torch.

    Its wheel is linked to CUDA and fails to import otherwise; none of them is ever called here.
    """
    try:
        importlib.import_module("torchvision")
    except (ImportError, RuntimeError):
        from torch.library import Library

        library = Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return library
    return None
