"""A copy of the source, to build from: a build leaves things behind, and takes what it finds."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from tests.support.paths import ROOT

PACKAGES: Final = ("engine", "vision", "service")
START: Final = "tilesight.py"


def source_copy(folder: Path) -> Path:
    """In a new folder; also what does not belong into a wheel."""
    leave = shutil.ignore_patterns("__pycache__")
    for name in (*PACKAGES, "models", "datasets", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    for name in ("pyproject.toml", "README.md", "LICENSE", START):
        shutil.copy(ROOT / name, folder)
    return folder
