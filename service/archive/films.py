"""What an archive reads: the films at an address, and how each is to be read."""

from __future__ import annotations

import glob
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from engine.events import Seat
from service.archive.storage import StorageError, is_remote, storage_at
from service.errors import Refused
from service.files import fingerprint_of
from service.setup.reader_maker import ReaderMaker
from service.setup.uploads import VIDEOS


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

    def to_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def hash(self) -> str:
        """The same in every language: terminals differ in theirs, and a film is read once."""
        return sha256(replace(self, lang="en").to_json().encode()).hexdigest()

    @classmethod
    def of_json(cls, text: str) -> ReadingSettings:
        return cls(**json.loads(text))

    def reader(self, file: Callable[[str], Path]) -> ReaderMaker:
        """What makes the reader; ``file`` returns where a stored file lies, by its hash.

        Raises ``SourceError`` or ``ProfileError`` for a file that cannot be used.
        """
        table = None if self.table is None else file(self.table)
        own_set = None if self.own_set is None else file(self.own_set)
        given = ReaderMaker.of(self.rules, table, self.seat0, own_set, self.mirrored)
        return replace(given.of_recordings(), first_dealer=self.first_dealer)


_PATTERN: Final = frozenset("*?[")


@dataclass(frozen=True)
class FilmFile:
    """A film that was found."""

    address: str
    """Of the file: a path or an address."""
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
    if not _is_text(address):
        raise StorageError(f"{address!r}: the name is not in UTF-8; rename the file")
    folder, name = parted(address)
    storage = storage_at(folder)
    size = storage.size(name)
    with storage.open(name) as file:
        return FilmFile(address, PurePosixPath(name).name, fingerprint_of(file, size), size)


def parted(address: str) -> tuple[str, str]:
    """The storage that a file lies in, and its name there."""
    if not is_remote(address):
        path = Path(address)
        return str(path.parent), path.name
    folder, _, name = address.rpartition("/")
    return folder, name


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


def _is_text(address: str) -> bool:
    """Whether a database can hold it; names of files may be any bytes."""
    try:
        address.encode()
    except UnicodeEncodeError:
        return False
    return True
