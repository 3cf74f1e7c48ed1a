"""Where films are and results go: a folder, or any address that fsspec knows."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Protocol

from service.errors import Refused
from service.files import write_whole


class StorageError(Refused):
    """Films or results cannot be reached: a bucket is gone, rights are missing."""


class StorageAway(StorageError):
    """A storage does not answer or is full, which is not the film's fault and may pass."""


COPY_BYTES: Final = 1 << 20


class Storage(Protocol):
    """Files below one address; names have slashes. Raises ``StorageError``."""

    def put(self, path: Path, name: str) -> None:
        """Store a file; it is there whole or not at all."""

    def open(self, name: str) -> contextlib.AbstractContextManager[IO[bytes]]:
        """Open a file for reading, with ``seek``."""

    def names(self, below: str = "") -> list[str]:
        """All files below a folder, sorted."""

    def size(self, name: str) -> int:
        """Bytes of a file."""

    def delete(self, below: str) -> None:
        """Remove a folder or a file, if it is there."""


class FolderStorage:
    """A folder of this machine, or one that several machines share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, path: Path, name: str) -> None:
        there = self._folder / name
        with _told(str(there)):
            there.parent.mkdir(parents=True, exist_ok=True)
            write_whole(there, path.read_bytes())

    def open(self, name: str) -> contextlib.AbstractContextManager[IO[bytes]]:
        with _told(str(self._folder / name)):
            return (self._folder / name).open("rb")

    def names(self, below: str = "") -> list[str]:
        paths = (path for path in (self._folder / below).rglob("*") if path.is_file())
        return sorted(path.relative_to(self._folder).as_posix() for path in paths)

    def size(self, name: str) -> int:
        with _told(str(self._folder / name)):
            return (self._folder / name).stat().st_size

    def delete(self, below: str) -> None:
        path = self._folder / below
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


class RemoteStorage:
    """An address that fsspec knows: ``s3://bucket/folder``, ``gs://...``, ``https://...``."""

    def __init__(self, address: str) -> None:
        self._address = address
        with _told(address):
            self._files, self._root = _fsspec(address)

    def put(self, path: Path, name: str) -> None:
        with _told(f"{self._address}/{name}"):
            self._files.put_file(str(path), self._at(name))

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        with _told(f"{self._address}/{name}"), self._files.open(self._at(name), "rb") as file:
            yield file

    def names(self, below: str = "") -> list[str]:
        with _told(f"{self._address}/{below}"):
            self._files.invalidate_cache()
            try:
                found = self._files.find(self._at(below))
            except FileNotFoundError:
                if not below:  # the bucket itself
                    raise
                return []
        root = PurePosixPath(self._root)
        return sorted(str(PurePosixPath(path).relative_to(root)) for path in found)

    def size(self, name: str) -> int:
        with _told(f"{self._address}/{name}"):
            return int(self._files.size(self._at(name)))

    def delete(self, below: str) -> None:
        with _told(f"{self._address}/{below}"), contextlib.suppress(FileNotFoundError):
            self._files.rm(self._at(below), recursive=True)

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root


def storage_at(address: str) -> Storage:
    """The storage below an address; raises ``StorageError``."""
    return RemoteStorage(address) if is_remote(address) else FolderStorage(Path(address))


def is_remote(address: str) -> bool:
    return "://" in address


def fetch(storage: Storage, name: str, path: Path) -> Iterator[int]:
    """Copy a file here; yields the bytes so far, so that long copies can be heard of."""
    done = 0
    with storage.open(name) as source, path.open("wb") as file:
        while part := source.read(COPY_BYTES):
            file.write(part)
            done += len(part)
            yield done


def _fsspec(address: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise StorageError(
            f"{address}: addresses need the extra archive: pip install 'tilesight[archive]'"
        ) from None
    files, root = fsspec.core.url_to_fs(address)
    return files, str(root).rstrip("/")


@contextlib.contextmanager
def _told(address: str) -> Iterator[None]:
    """Name the address in the errors of any storage, in one line."""
    try:
        yield
    except StorageError:
        raise
    except PermissionError:
        raise StorageError(f"{address}: no permission; check its keys and rights") from None
    except FileNotFoundError:
        raise StorageError(f"{address}: there is nothing; check the address") from None
    except Exception as error:  # every storage has errors of its own
        said = " ".join(str(error).split()) or type(error).__name__
        raise StorageAway(f"{address}: {said}") from error
