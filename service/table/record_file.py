"""The record of a live table on disk; lines are only added."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import IO, Final

from engine.codec import entry_to_json
from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.seal import sealed, sealed_lines
from service.machine.files import OWNER_ONLY, LineSink, keep_private, locked, to_stderr, write_whole
from service.machine.records import MOST_BYTES, of_this_evening, parse_record
from service.table.reader_maker import made_by
from vision.given_files import AT_ONCE, check_given

NEW_LINE: Final = b"\n"


def last_of_evening(folder: Path, say: LineSink = lambda line: None) -> Path | None:
    """The newest of this evening's records in a folder that no other program is writing.

    ``say`` is told of each record that another program is writing.
    """
    for record in of_this_evening(folder):
        # A network folder locks no file that is opened only for reading.
        with contextlib.suppress(OSError), record.open("r+b") as file:
            if locked(file, record):
                return record
            say(f"another tilesight writes {record}: this table's evening is another one beside it")
    return None


@dataclass(frozen=True)
class Chain:
    """How far the seals of a record go."""

    seal: str = ""
    """That of the last line."""
    made_by: Mapping[str, object] | None = None
    """The program that wrote the last line."""
    changed: int | None = None
    """The first event whose seal does not fit."""

    @classmethod
    def after(cls, written: bytes) -> Chain:
        """The chain after these lines of a record."""
        chain = cls()
        for number, line in enumerate(sealed_lines(written.decode("utf-8-sig", "replace"))):
            changed = number if chain.changed is None and line.changed else chain.changed
            chain = cls(line.seal or line.follows, line.made_by or chain.made_by, changed)
        return chain

    def add(self, entry: Entry) -> tuple[str, Chain]:
        """The text of the next line, and the chain after it.

        The first line of a game, or by another program, says which program writes it.
        """
        line, maker = entry_to_json(entry), made_by()
        if isinstance(entry.event, GameStart) or maker != self.made_by:
            line["made_by"] = maker
        text, seal = sealed(self.seal, line)
        return text, replace(self, seal=seal, made_by=maker)


def sealed_record(entries: Iterable[Entry]) -> str:
    """The text of a whole record, whose lines are sealed now."""
    chain, lines = Chain(), []
    for entry in entries:
        line, chain = chain.add(entry)
        lines.append(line + "\n")
    return "".join(lines)


class RecordFile:
    """Appends lines to a new or existing record; ``append`` returns when a line is on the disk."""

    def __init__(self, path: Path, say: LineSink = to_stderr, option: str = "--record") -> None:
        """Read the existing lines; ``say`` reports to whoever sits at the machine.

        ``option`` is the one with which another place can be named.

        A last line that is not whole was never acknowledged: it is moved to a file beside the
        record, and ``cut`` says so. Raises ``Refused`` for a file that is no record, cannot be
        written or is being written; such a file is not touched.
        """
        self.path = path
        self._place = Path(os.path.realpath(path))
        """Where the file is: a link to it stays a link."""
        self.entries: tuple[Entry, ...] = ()
        """The lines in the file when it was opened."""
        self.cut: str | None = None
        """One line for the person at the keyboard, if a torn line was cut off."""
        self._say, self._option = say, option
        self._chain = Chain()
        self._written = bytearray()
        """What the file should hold: it may be deleted while it is open."""
        self._made = not path.exists()
        try:
            self._file = _opened(path)
        except OSError as error:
            raise Refused(f"cannot write {path}: {error.strerror}") from error
        try:
            self._lock()
            self._read_existing()
            keep_private(path, say)
            _sync_folder(self._place)
        except BaseException:
            self._file.close()
            raise

    @property
    def remarks(self) -> list[str]:
        """Lines for the person at the keyboard: what was cut off, what others have changed."""
        said = [] if self.cut is None else [self.cut]
        if self._chain.changed is not None:
            said.append(
                f"the seal of event {self._chain.changed} of {self.path} does not fit, so it or "
                f"something before it was changed: tilesight verify {self.path} says more"
            )
        return said

    def append(self, entry: Entry) -> None:
        """Return when the line is on the disk; a line that does not fit leaves nothing behind.

        A file that was deleted, replaced or cut meanwhile is written again whole. Raises
        ``OSError`` where that cannot be done, too.
        """
        text, chain = self._chain.add(entry)
        line = (text + "\n").encode()
        before = len(self._written)
        self._written += line
        try:
            if self._is_unchanged(before):
                self._write(line)
            if not self._is_unchanged(len(self._written)):
                self._write_anew()
        except BaseException:
            del self._written[before:]
            with contextlib.suppress(OSError):
                if os.fstat(self._file.fileno()).st_size > before:
                    self._back_to(before)
            raise
        self._chain = chain

    def hold(self, entries: Sequence[Entry]) -> None:
        """Keep these lines, and drop whatever else the file held when it was opened."""
        begins_so = self.entries[: len(entries)] == tuple(entries)
        if begins_so:
            kept = _first_lines(bytes(self._written), len(entries))
            self._back_to(len(kept))
        else:
            kept = sealed_record(entries).encode()
            if self._written:
                self._keep_beside(bytes(self._written))
            self._back_to(0)
            self._write(kept)
        self._written[:] = kept
        self._chain = Chain.after(kept)
        self.entries = tuple(entries)

    def close(self) -> None:
        """Close the file; delete a record that was made here and has no line."""
        unchanged = self._is_unchanged(len(self._written))
        if self._written and not unchanged:
            with contextlib.suppress(OSError):  # the folder is gone, too
                self._write_anew()
        if self._made and unchanged and not self._written:
            self._place.unlink()
        self._file.close()

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())

    def _is_unchanged(self, size: int) -> bool:
        """Whether the file is still the one at its path, and of this size."""
        return _same(self._file, self._place) and os.fstat(self._file.fileno()).st_size == size

    def _write_anew(self) -> None:
        """Write the whole record again; another file in its place is renamed."""
        part = self._place.with_name(f".{self._place.name}.part")
        old, self._file = self._file, _opened(part, os.O_TRUNC)
        try:
            self._write(bytes(self._written))
            locked(self._file, self.path)
            aside = self._put_aside(old)
            part.rename(self._place)
        except BaseException:
            self._file.close()
            self._file = old
            part.unlink(missing_ok=True)
            raise
        old.close()
        _sync_folder(self._place)
        found = f"; what stood there is now {aside}" if aside else ""
        self._say(
            f"{self.path} was deleted or changed by another program: it is written again "
            f"whole, with all its {self._written.count(NEW_LINE)} lines{found}"
        )

    def _put_aside(self, old: IO[bytes]) -> Path | None:
        """Rename a file in the record's place; raises ``OSError`` for one that another program
        writes."""
        try:
            found = self._place.open("r+b")
        except FileNotFoundError:
            return None
        with found:
            if not _same(old, self._place) and not locked(found, self.path):
                raise OSError(errno.EBUSY, f"another tilesight writes {self.path}")
            if not os.fstat(found.fileno()).st_size:
                self._place.unlink()
                return None
            aside = self._beside("other")
            self._place.rename(aside)
        keep_private(aside, self._say)
        return aside

    def _lock(self) -> None:
        if not locked(self._file, self.path):
            raise Refused(
                f"{self.path} is being written by another tilesight; end that one, or name "
                f"another place with {self._option}"
            )

    def _read_existing(self) -> None:
        """Read the existing lines, and move a torn last line to a file beside the record."""
        try:
            found = parse_record(self._file.read(), str(self.path))
        except Refused as error:
            raise Refused(f"{error}; it is not changed: name another with {self._option}") from None
        self.entries = found.entries
        self._written += found.whole
        self._chain = Chain.after(found.whole)
        if found.torn:
            self.cut = f"{found.cut(str(self.path))}, and kept in {self._keep_beside(found.torn)}"
            self._back_to(len(found.whole))
        elif found.whole.strip() and not found.whole.endswith(NEW_LINE):
            self._write(NEW_LINE)  # an editor may have removed it
            self._written += NEW_LINE

    def _beside(self, what: str) -> Path:
        """The path of a new file beside the record."""
        names = (self._place.with_name(f"{self._place.name}.{what}-{n}") for n in count(1))
        return next(name for name in names if not os.path.lexists(name))

    def _keep_beside(self, cut: bytes) -> Path:
        """Keep what is about to be cut off; raises ``Refused`` where it cannot be kept."""
        kept = self._beside("cut")
        try:
            write_whole(kept, cut)
        except OSError as error:
            raise Refused(f"cannot write {kept}: {error.strerror}") from error
        return kept

    def _back_to(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)
        os.fsync(self._file.fileno())


def _first_lines(written: bytes, count: int) -> bytes:
    """The bytes of so many lines that are not empty."""
    end = 0
    for _ in range(count):
        while True:
            start, end = end, written.find(NEW_LINE, end) + 1 or len(written)
            if written[start:end].strip():
                break
    return written[:end]


def _opened(path: Path, how: int = 0) -> IO[bytes]:
    # Append mode would not allow a line that did not fit to be removed.
    opened = os.open(path, os.O_RDWR | os.O_CREAT | AT_ONCE | how, OWNER_ONLY)
    file = os.fdopen(opened, "r+b", buffering=0)
    try:
        check_given(file, path, MOST_BYTES)
    except BaseException:
        file.close()
        raise
    return file


def _same(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _sync_folder(path: Path) -> None:
    """Sync the folder: without that, a new file may be gone after a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
