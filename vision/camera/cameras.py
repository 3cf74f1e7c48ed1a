"""List the cameras of this computer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

SYSTEM: Final = Path("/sys/class/video4linux")
"""Where Linux lists cameras with their names."""
TRIED: Final = 4
"""Camera numbers that are tried where the system has no such list."""


@dataclass(frozen=True)
class FoundCamera:
    number: int
    name: str


def find_cameras(system: Path = SYSTEM) -> tuple[FoundCamera, ...]:
    """Cameras by number; a camera in use is found only where the system lists it."""
    if system.is_dir():
        return tuple(sorted(_listed(system), key=lambda camera: camera.number))
    if Path("/proc").is_dir():  # a Linux without any camera
        return ()
    return tuple(_tried())


def _listed(system: Path) -> list[FoundCamera]:
    found = []
    for folder in system.iterdir():
        number = re.fullmatch(r"video(\d+)", folder.name)
        # A camera may have several entries; only the first gives pictures.
        if number is None or _line(folder / "index", "0") != "0":
            continue
        found.append(FoundCamera(int(number[1]), _line(folder / "name", folder.name)))
    return found


def _line(path: Path, otherwise: str) -> str:
    try:
        return path.read_text("utf-8", errors="replace").strip() or otherwise
    except OSError:
        return otherwise


def _tried() -> list[FoundCamera]:
    found = []
    for number in range(TRIED):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            found.append(FoundCamera(number, f"camera {number}"))
        capture.release()
    return found
