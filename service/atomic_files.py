"""Writes files and folders whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from service.errors import Refused

PARTS: Final = ".*-????????"
"""Pattern of files that were unfinished when the program was killed."""


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file under another name in the same folder, sync it, then give it its own name.

    Raises ``OSError`` that names ``path``.
    """
    folder = _folder_of(path)
    with _naming(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, which gets its name only when everything in it is there.

    Raises ``Refused`` when something is at ``path`` already: nothing is overwritten.
    """
    refuse_taken(path)
    with _naming(path):
        filling = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=_folder_of(path)))
    try:
        yield filling
        if path.is_dir():
            path.rmdir()
        filling.rename(path)
    except BaseException:
        shutil.rmtree(filling, ignore_errors=True)
        raise


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Have an ``OSError`` name ``path``, not a file that nobody has heard of."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def refuse_taken(path: Path) -> None:
    """Raise ``Refused`` unless a folder may be made at ``path``."""
    _folder_of(path)
    if path.is_dir() and not any(path.iterdir()):
        return
    if path.exists():
        raise Refused(f"{path} is there already; name a new folder with --out")


def _folder_of(path: Path) -> Path:
    folder = Path(os.path.realpath(path)).parent  # also of a link that leads to itself
    if not folder.is_dir():
        raise Refused(f"there is no folder {path.parent}; make it first")
    return folder
