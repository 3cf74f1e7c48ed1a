"""What an archive reads, how and from where: a folder, or any address that fsspec knows."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Protocol
from urllib.parse import quote_from_bytes, unquote_to_bytes

from engine.errors import Refused
from engine.events import Seat
from service.evening.uploads import VIDEOS
from service.machine.files import fingerprint_of, write_whole
from service.table.options import Options
from service.table.reader_maker import ReaderMaker
from vision.camera.address import readable
from vision.camera.containers import HEAD_BYTES, is_picture


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

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        path = self._folder / name
        with _told(str(path)), path.open("rb") as file:
            yield file

    def names(self, below: str = "") -> list[str]:
        with _told(str(self._folder / below)):
            paths = (path for path in (self._folder / below).rglob("*") if path.is_file())
            return sorted(path.relative_to(self._folder).as_posix() for path in paths)

    def size(self, name: str) -> int:
        with _told(str(self._folder / name)):
            return (self._folder / name).stat().st_size

    def delete(self, below: str) -> None:
        path = self._folder / below
        with _told(str(path)):
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
    path = local_path(address)
    return RemoteStorage(address) if path is None else FolderStorage(path)


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


@dataclass(frozen=True)
class ReadingSettings:
    """What a person said about a film; equal settings read equally on every machine."""

    rules: str
    out: str
    """The address below which results are stored."""
    table: str | None = None
    """SHA-256 of the table file."""
    own_set: str | None = None
    """SHA-256 of the profile of the tile set."""
    seat0: str | None = None
    first_dealer: Seat | None = None
    mirrored: bool | None = None
    lang: str = "en"
    house_rules: tuple[tuple[str, object], ...] = ()
    """Options of the rules with their values, sorted by name."""

    def to_json(self) -> str:
        told = asdict(self)
        if not self.house_rules:
            del told["house_rules"]  # films that were added before there were any keep their hash
        return json.dumps(told, sort_keys=True)

    @property
    def hash(self) -> str:
        """The hash leaves out the language and the address of the results: they may differ, but a
        film is read only once."""
        return sha256(replace(self, lang="en", out="").to_json().encode()).hexdigest()

    @classmethod
    def of_json(cls, text: str) -> ReadingSettings:
        told = json.loads(text)
        rows = told.pop("house_rules", ())
        agreed = ((name, tuple(one) if isinstance(one, list) else one) for name, one in rows)
        return cls(**told, house_rules=tuple(agreed))

    def reader(self, file: Callable[[str], Path]) -> ReaderMaker:
        """What makes the reader; ``file`` returns where a stored file lies, by its hash.

        Raises ``SourceError`` or ``ProfileError`` for a file that cannot be used.
        """
        table = None if self.table is None else file(self.table)
        own_set = None if self.own_set is None else file(self.own_set)
        given = Options(
            self.rules,
            self.lang,
            table,
            self.seat0,
            own_set,
            self.first_dealer,
            self.mirrored,
            house_rules=dict(self.house_rules),
        )
        return ReaderMaker.of(given).of_recordings()


_PATTERN: Final = frozenset("*?[")
_NO_TEXT: Final = "file://"
"""Begins the address of a local file whose name is no text; RFC 8089 has its bytes quoted."""


@dataclass(frozen=True)
class FilmFile:
    """A film that was found."""

    address: str
    """Of the file: a path or an address, as text that a database can hold."""
    name: str
    fingerprint: str
    bytes: int


def films_at(source: str) -> Iterator[FilmFile]:
    """Yield the films that an address names, in order; raises ``Refused`` where there is none."""
    found = False
    for address in _remote(source) if is_remote(source) else _local(source):
        found = True
        yield film_at(address)
    if not found:
        kinds = ", ".join(sorted(VIDEOS))
        raise Refused(
            f"{source}: there is no film; expected a file, a folder or a pattern ({kinds})"
        )


def film_at(address: str) -> FilmFile:
    """Look at one film; raises ``StorageError``."""
    address = as_text(address)
    folder, name = parted(address)
    storage = storage_at(folder)
    size = storage.size(name)
    with storage.open(name) as file:
        if is_picture(file.read(HEAD_BYTES)):
            raise StorageError(
                f"{readable_address(address)}: this is a picture; add videos of games"
            )
        own_name = readable(PurePosixPath(name).name)
        return FilmFile(address, own_name, fingerprint_of(file, size), size)


def parted(address: str) -> tuple[str, str]:
    """The storage that a file lies in, and its name there."""
    path = local_path(address)
    if path is not None:
        return str(path.parent), path.name
    folder, _, name = address.rpartition("/")
    return folder, name


def local_path(address: str) -> Path | None:
    """Where a file of this machine lies; None for one that lies elsewhere."""
    if not is_remote(address):
        return Path(address)
    if address.startswith(_NO_TEXT):
        path = os.fsdecode(unquote_to_bytes(address.removeprefix(_NO_TEXT)))
        if readable(path) != path:  # else somebody else's address, which fsspec reads as it is
            return Path(path)
    return None


def readable_address(address: str) -> str:
    """An address for people: names that are no text are shown with replacements."""
    path = local_path(address)
    return address if path is None else readable(str(path))


def within(folder: str, name: str) -> str:
    """The address of what lies in a folder."""
    path = local_path(folder)
    return f"{folder.rstrip('/')}/{name}" if path is None else as_text(str(path / name))


def as_text(address: str) -> str:
    """The address as a database can hold it: names of files may be any bytes."""
    if readable(address) == address:
        return address
    return _NO_TEXT + quote_from_bytes(os.fsencode(address))


def _local(source: str) -> Iterator[str]:
    path = Path(source)
    if path.is_file():
        yield str(path.resolve())
        return
    if path.is_dir():
        below = (found for found in path.rglob("*") if found.is_file())
    elif _PATTERN & set(source):
        named = (Path(found) for found in glob.iglob(source, recursive=True))
        below = (found for found in named if found.is_file())
    else:
        raise StorageError(f"{source}: there is nothing; check the path")
    yield from sorted(str(found.resolve()) for found in below if _is_video(found.name))


def _remote(source: str) -> Iterator[str]:
    folder, name = parted(source)
    if _PATTERN & set(name):
        for found in storage_at(folder).names():
            if PurePosixPath(found).match(name) and _is_video(found):
                yield f"{folder}/{found}"
    elif _is_video(name):
        yield source
    else:
        below = source.rstrip("/")
        yield from (f"{below}/{found}" for found in storage_at(below).names() if _is_video(found))


def _is_video(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in VIDEOS
