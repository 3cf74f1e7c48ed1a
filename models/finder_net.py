"""The finder's net, and the settings that keep the training library to itself."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

# Before Ultralytics is imported: no look-ups, no downloads, no settings file in the home folder.
_CONFIG = Path(os.environ.setdefault("YOLO_CONFIG_DIR", f"{tempfile.gettempdir()}/tilesight-yolo"))
_CONFIG.mkdir(parents=True, exist_ok=True)
os.environ.setdefault("YOLO_OFFLINE", "1")
os.environ.setdefault("YOLO_AUTOINSTALL", "False")

import torch  # noqa: E402


def _mend_torchvision() -> object | None:
    """Declare the operators that torchvision asks for beside a CPU build of torch.

    Its wheel is linked to CUDA and fails to import otherwise; none of them is ever called here.
    """
    try:
        import torchvision  # noqa: F401

        return None
    except (ImportError, RuntimeError):
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        return library


_LIBRARY = _mend_torchvision()

from ultralytics.nn.tasks import OBBModel  # noqa: E402

CLASSES: Final = ("face", "back", "standing")
ARCHITECTURE: Final = "yolo11n-obb.yaml"


def build() -> Any:
    """A YOLO11 nano with oriented boxes and random weights."""
    return OBBModel(ARCHITECTURE, nc=len(CLASSES), verbose=False)
