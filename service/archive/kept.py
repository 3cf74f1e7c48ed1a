"""Unfinished results in an archive's storage, for any machine to go on with; fetched films."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from service.archive.films import (
    Storage,
    StorageAway,
    StorageError,
    fetch,
    local_path,
    parted,
    storage_at,
)
from service.archive.leases import Lease
from service.film.film import QUESTIONS
from service.film.kept_looks import ABOUT, LOOKS, looks_about
from service.film.score_folder import RECORD, SHEET, STATE, UNFINISHED
from service.machine.files import locked
from service.table.picture_files import CROPS, EVIDENCE

_LASTING = (EVIDENCE, LOOKS, UNFINISHED)
"""Folders whose files never change once they are written."""
_OWN: Final = re.compile(
    rf"{re.escape(RECORD)}|({EVIDENCE}|{UNFINISHED})/[0-9-]+\.jpg|{LOOKS}/[0-9]+", re.ASCII
)
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
            if path.name in (STATE, SHEET):  # a sheet is made of the record
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


_EXPLAINS: Final = re.compile(
    rf"{re.escape(RECORD)}|{re.escape(QUESTIONS)}|{LOOKS}/([0-9]+|{re.escape(ABOUT)})"
    rf"|({EVIDENCE}|{CROPS})/[0-9a-z-]+\.jpg",
    re.ASCII,
)
"""The files of a result by which its film is explained again."""


def fetch_result(storage: Storage, name: str, folder: Path, heard: Callable[[], None]) -> None:
    """Copy what explains a film again out of a result.

    Raises ``StorageError``, and ``NoLooks`` before the large files where this program can make
    nothing of them.
    """
    explains = [one for one in storage.names(name) if _EXPLAINS.fullmatch(_short(one, name))]
    about = [one for one in explains if _short(one, name) == f"{LOOKS}/{ABOUT}"]
    left = _fetch_all(storage, name, about, folder, heard, MOST_BYTES)
    looks_about(folder)
    rest = [one for one in explains if one not in about]
    _fetch_all(storage, name, rest, folder, heard, left)


def _short(there: str, name: str) -> str:
    return there.removeprefix(f"{name}/")


def _fetch_all(
    storage: Storage, name: str, wanted: Sequence[str], folder: Path,
    heard: Callable[[], None], left: int,
) -> int:  # fmt: skip
    """Copy these files of a result; returns how many bytes are left to others."""
    for there in wanted:
        path, done = folder / _short(there, name), 0
        path.parent.mkdir(exist_ok=True)
        for done in fetch(storage, there, path):
            if done > left:
                raise StorageError(f"{name} holds more than any film does")
            heard()
        left -= done
    return left


def publish(
    storage: Storage, folder: Path, name: str, heard: Callable[[], None] = lambda: None
) -> None:
    """Store a finished folder; it counts once the ledger names it.

    ``heard`` is called after each file.
    """
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            storage.put(path, f"{name}/{path.relative_to(folder).as_posix()}")
            heard()


def result_name(lease: Lease, attempt: int) -> str:
    """The folder of a result; no other attempt writes there."""
    again = "" if attempt == 1 else f".{attempt}"
    return f"{PurePosixPath(lease.name).stem}.{lease.reading_id}{again}"


def _state(checkpoint: int) -> str:
    return f"{STATE}-{checkpoint}"


PART = ".part"


class FilmCache:
    """Several workers of one machine may share the folder."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    @contextlib.contextmanager
    def held(self, address: str, fingerprint: str, heard: Callable[[], None]) -> Iterator[Path]:
        """Where the film lies on this machine; it stays there while it is held.

        ``heard`` is called now and then while it is fetched. Raises ``StorageError``.
        """
        local = local_path(address)
        if local is not None:
            yield local
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        folder, name = parted(address)
        path = self._folder / f"{fingerprint}{PurePosixPath(name).suffix.lower()}"
        with path.with_suffix(".lock").open("wb") as lock:
            # Others read the same film at the same time, but only one fetches it.
            locked(lock, path, wait=True)
            if not path.is_file():
                size = storage_at(folder).size(name)
                self._make_room(size)
                self._fetch(folder, name, path, size, heard)
            locked(lock, path, shared=True, wait=True)
            os.utime(path)
            yield path

    def _fetch(
        self, folder: str, name: str, path: Path, size: int, heard: Callable[[], None]
    ) -> None:
        part = path.with_suffix(PART)
        try:
            for done in fetch(storage_at(folder), name, part):
                if done > size:
                    raise StorageError(f"{folder}/{name} does not end after its {size} bytes")
                heard()
            part.replace(path)
        except OSError as error:
            raise StorageAway(f"{path}: {error.strerror}; the cache needs room") from error
        finally:
            part.unlink(missing_ok=True)

    def _make_room(self, size: int) -> None:
        """Drop the films that were used the longest ago, but none that is held."""
        if size > self._most_bytes:
            raise StorageError(
                f"a film of {size} bytes is larger than the cache; raise --cache-gib"
            )
        for part in self._folder.glob(f"*{PART}"):  # of a worker that was killed
            with part.with_suffix(".lock").open("wb") as lock:
                if locked(lock, part):
                    part.unlink()
        films = [path for path in self._folder.iterdir() if path.suffix not in (PART, ".lock")]
        films.sort(key=lambda path: path.stat().st_mtime)
        used = sum(path.stat().st_size for path in films)
        for path in films:
            if used + size <= self._most_bytes:
                return
            with path.with_suffix(".lock").open("wb") as lock:
                if locked(lock, path):
                    used -= path.stat().st_size
                    path.unlink()
