"""Films that were fetched from elsewhere, in a folder of bounded size."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from service.archive.errors import StorageAway, StorageError
from service.archive.films import parted
from service.archive.storage import fetch, is_remote, storage_at

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
        if not is_remote(address):
            yield Path(address)
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        folder, name = parted(address)
        path = self._folder / f"{fingerprint}{PurePosixPath(name).suffix.lower()}"
        with path.with_suffix(".lock").open("w") as lock:
            # Others read the same film at the same time, but only one fetches it.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.is_file():
                size = storage_at(folder).size(name)
                self._make_room(size)
                self._fetch(folder, name, path, size, heard)
            fcntl.flock(lock, fcntl.LOCK_SH)
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
            with part.with_suffix(".lock").open("w") as lock, contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                part.unlink()
        films = [path for path in self._folder.iterdir() if path.suffix not in (PART, ".lock")]
        films.sort(key=lambda path: path.stat().st_mtime)
        used = sum(path.stat().st_size for path in films)
        for path in films:
            if used + size <= self._most_bytes:
                return
            with path.with_suffix(".lock").open("w") as lock, contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                used -= path.stat().st_size
                path.unlink()
