"""Keeps files from other users of this machine: games hold hands, and keys open pages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import typer

OTHERS: Final = 0o077
"""The rights of everybody but the owner."""
OWNER_ONLY: Final = 0o600

LineSink = Callable[[str], None]
"""Prints one line to the person at the keyboard."""


def to_stderr(line: str) -> None:
    typer.echo(line, err=True)


def keep_new_files_private() -> None:
    """Make new files and folders of this program readable by their owner only."""
    os.umask(OTHERS)


def keep_private(path: Path, say: LineSink = to_stderr) -> None:
    """Take other users' rights to a file or folder away, or say that this is not possible."""
    if sys.platform == "win32" or not path.exists():
        return  # there, a user's folders are closed to other users
    try:
        if path.stat().st_mode & OTHERS:
            path.chmod(path.stat().st_mode & ~OTHERS & 0o7777)
        refused = path.stat().st_mode & OTHERS
    except OSError:
        refused = OTHERS
    if refused:
        say(f"other users of this machine may read {path}, and that cannot be changed from here")
