"""What lies in a folder, also while a program writes there."""

from __future__ import annotations

import contextlib
from pathlib import Path


def files(folder: Path) -> dict[str, bytes]:
    """The files below a folder, by their names; a file that goes meanwhile is left out.

    A program writes a file under another name first, and a data base removes its own: between
    seeing a name and reading it, it may be gone.
    """
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):
            if path.is_file():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found
