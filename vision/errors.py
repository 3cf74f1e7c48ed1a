"""Errors that the user can fix, each one clear line."""

from __future__ import annotations

from pathlib import Path


class WeightsError(ValueError):
    """The weights of a net are missing or cannot be read."""

    def __init__(self, path: Path, cause: object) -> None:
        reason = "there is no such file" if not path.exists() else "the file is damaged"
        super().__init__(
            f"cannot load the weights {path}: {reason}; install tilesight again to restore them"
        )
        self.cause = cause


class ProfileError(ValueError):
    """A profile of a set of tiles cannot be read, or pictures do not make one."""
