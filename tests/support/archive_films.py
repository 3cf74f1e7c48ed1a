"""Films and results of the tests of archives."""

from __future__ import annotations

import shutil
from pathlib import Path


def copies(film: Path, folder: Path, count: int) -> Path:
    """A folder of films of one content each, because equal films are one film."""
    folder.mkdir()
    for number in range(count):
        path = folder / f"table-{number}.mp4"
        shutil.copy(film, path)
        with path.open("ab") as file:  # players pass over what follows the last box
            file.write(b"\0\0\0\x09free" + bytes([number]))
    return folder
