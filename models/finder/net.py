"""The finder's net, and settings that keep the training library offline."""

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
    """Return a YOLO11 nano with oriented boxes and random weights."""
    _keep_to_itself()
    _mend_torchvision()
    # The library reads its settings on import.
    from ultralytics.nn.tasks import OBBModel

    return OBBModel(ARCHITECTURE, nc=len(CLASSES), verbose=False)


def _keep_to_itself() -> None:
    """Forbid look-ups, downloads and a settings file in the home folder."""
    place = os.environ.setdefault("YOLO_CONFIG_DIR", f"{tempfile.gettempdir()}/tilesight-yolo")
    Path(place).mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "False")


@cache
def _mend_torchvision() -> object | None:
    """Declare the operators that torchvision expects beside a CPU build of torch.

    Its wheel is linked to CUDA and fails to import otherwise; none of them is called here.
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
