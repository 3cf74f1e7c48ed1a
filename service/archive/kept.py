"""Unfinished results in the storage of an archive, so that any machine can go on with them."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Final

from service.archive.errors import StorageError
from service.archive.leases import Lease
from service.archive.storage import Storage, fetch
from service.scoring.checkpoint import STATE, UNFINISHED
from service.scoring.score_folder import EVIDENCE, RECORD, SHEET

_LASTING = (EVIDENCE, UNFINISHED)
"""Folders whose files never change once they are written."""
_OWN: Final = re.compile(rf"{re.escape(RECORD)}|({EVIDENCE}|{UNFINISHED})/[0-9-]+\.jpg", re.ASCII)
"""The files of an unfinished folder; others, with names that may lead anywhere, are passed over."""
MOST_BYTES: Final = 8 << 30
"""Of a whole folder: a day of play has 4 GB of pictures."""


class KeptFolder:
    """The copy of one unfinished folder; files of equal name are equal, whoever wrote them."""

    def __init__(self, storage: Storage, lease: Lease) -> None:
        self._storage = storage
        self._below = f"unfinished.{lease.reading_id}"
        self._there: set[str] = set()

    def restore(self, folder: Path, checkpoint: int) -> None:
        """Make the folder as it was at a checkpoint; raises ``StorageError``."""
        state, left = f"{self._below}/{_state(checkpoint)}", MOST_BYTES
        for name in self._storage.names(self._below):
            short = name.removeprefix(f"{self._below}/")
            if name == state:
                short = f"{UNFINISHED}/{STATE}"
            elif not _OWN.fullmatch(short):
                continue
            path = folder / short
            path.parent.mkdir(exist_ok=True)
            done = 0
            for done in fetch(self._storage, name, path):
                if done > left:
                    raise StorageError(f"{self._below} holds more than any unfinished film does")
            left -= done
            self._there.add(short)

    def keep(self, folder: Path, checkpoint: int) -> None:
        """Store what is new; a checkpoint counts once the ledger names it."""
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or path.name.startswith("."):
                continue
            if path.name in (STATE, SHEET):  # a sheet names people, and is made of the record
                continue
            if name in self._there and name.split("/")[0] in _LASTING:
                continue
            self._storage.put(path, f"{self._below}/{name}")
            self._there.add(name)
        state = folder / UNFINISHED / STATE
        self._storage.put(state, f"{self._below}/{_state(checkpoint)}")
        self._storage.delete(f"{self._below}/{_state(checkpoint - 2)}")

    def drop(self) -> None:
        self._storage.delete(self._below)


def publish(storage: Storage, folder: Path, name: str) -> None:
    """Store a finished folder; it counts once the ledger names it."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            storage.put(path, f"{name}/{path.relative_to(folder).as_posix()}")


def result_name(lease: Lease, token: int) -> str:
    """The folder of a result; no other worker writes there."""
    again = "" if token == 1 else f".{token}"
    return f"{PurePosixPath(lease.name).stem}.{lease.reading_id}{again}"


def _state(checkpoint: int) -> str:
    return f"{STATE}-{checkpoint}"
