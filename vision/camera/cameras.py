"""List the cameras of this computer, and find one by its name."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2

SYSTEM: Final = Path("/sys/class/video4linux")
"""Where Linux lists cameras with their names."""
TRIED: Final = 4
"""Camera numbers that are tried where the system has no such list."""
INTERFACES: Final = {
    "darwin": (cv2.CAP_AVFOUNDATION,),
    "win32": (cv2.CAP_MSMF, cv2.CAP_DSHOW),
}
"""By which interfaces OpenCV opens cameras: first the one that a bare number means."""


@dataclass(frozen=True)
class FoundCamera:
    number: int
    """What OpenCV opens it by."""
    name: str


def find_cameras(system: Path = SYSTEM) -> tuple[FoundCamera, ...]:
    """Cameras by number; a camera in use is found only where the system lists it."""
    if system.is_dir():
        return tuple(sorted(_listed(system), key=lambda camera: camera.number))
    if Path("/proc").is_dir():  # a Linux without any camera
        return ()
    return tuple(_enumerated() or _tried())


def cameras_named(name: str) -> list[FoundCamera]:
    """The cameras with this name, in capitals or not: two of one make have the same."""
    wanted = name.strip().casefold()
    return [camera for camera in find_cameras() if camera.name.casefold() == wanted]


def listed(cameras: Sequence[FoundCamera]) -> str:
    """What a person chooses from, such as ``0 (HD Webcam), 2 (Document camera)``."""
    return ", ".join(f"{camera.number} ({camera.name})" for camera in cameras) or "none"


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


def _enumerated() -> list[FoundCamera]:
    """What Windows or macOS lists; nothing where it cannot be asked."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras  # not installed on Linux
    except (ImportError, OSError):
        return []
    first, *others = INTERFACES[sys.platform]
    found = [FoundCamera(camera.index, camera.name) for camera in enumerate_cameras(first)]
    for interface in others:
        # Most are listed again; what is new is opened through this interface.
        known = {camera.name for camera in found}
        found += (
            FoundCamera(interface + camera.index, camera.name)
            for camera in enumerate_cameras(interface)
            if camera.name not in known
        )
    return found


def _tried() -> list[FoundCamera]:
    found = []
    for number in range(TRIED):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            found.append(FoundCamera(number, f"camera {number}"))
        capture.release()
    return found
