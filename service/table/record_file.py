"""The record of a live table on disk; lines are only added."""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import IO, Final

from engine.codec import BadRecord, entry_to_json, read_record, write_record
from engine.events import Entry
from service.errors import Refused
from service.files import OWNER_ONLY, LineSink, keep_private, locked, to_stderr
from service.records import MOST_BYTES, of_this_evening
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


class RecordFile:
    """Appends lines to a new or existing record; ``append`` returns when a line is on the disk."""

    def __init__(self, path: Path, say: LineSink = to_stderr, option: str = "--record") -> None:
        """Read the existing lines; ``say`` reports to whoever sits at the machine.

        ``option`` is the one with which another place can be named.

        A last line that is not whole was never acknowledged: it is cut off, and ``cut`` says so.
        Raises ``Refused`` for a file that is no record, cannot be written or is being written.
        """
        self.path = path
        self.entries: tuple[Entry, ...] = ()
        """The lines in the file when it was opened."""
        self.cut: str | None = None
        """One line for the person at the keyboard, if a torn line was cut off."""
        self._say, self._option = say, option
        self._written = bytearray()
        """What the file should hold: it may be deleted while it is open."""
        self._made = not path.exists()
        try:
            self._file = _opened(path)
        except OSError as error:
            raise Refused(f"cannot write {path}: {error.strerror}") from error
        try:
            self._lock()
            keep_private(path, say)
            self._read_existing()
            _sync_folder(path)
        except BaseException:
            self._file.close()
            raise

    def append(self, entry: Entry) -> None:
        """Return when the line is on the disk; a line that does not fit leaves nothing behind.

        A file that was deleted, replaced or cut meanwhile is written again whole. Raises
        ``OSError`` where that cannot be done, too.
        """
        line = (json.dumps(entry_to_json(entry), ensure_ascii=False) + "\n").encode()
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

    def hold(self, entries: Sequence[Entry]) -> None:
        """Keep these lines, and drop whatever else the file holds."""
        kept = write_record(tuple(entries)).encode()
        begins_so = self._written.startswith(kept)
        self._back_to(len(kept) if begins_so else 0)
        if not begins_so:
            self._write(kept)
        self._written[:] = kept
        self.entries = tuple(entries)

    def close(self) -> None:
        """Close the file; delete a record that was made here and has no line."""
        unchanged = self._is_unchanged(len(self._written))
        if self._written and not unchanged:
            with contextlib.suppress(OSError):  # the folder is gone, too
                self._write_anew()
        if self._made and unchanged and not self._written:
            self.path.unlink()
        self._file.close()

    def _write(self, line: bytes) -> None:
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) :]
        os.fsync(self._file.fileno())

    def _is_unchanged(self, size: int) -> bool:
        """Whether the file is still the one at its path, and of this size."""
        return _same(self._file, self.path) and os.fstat(self._file.fileno()).st_size == size

    def _write_anew(self) -> None:
        """Write the whole record again; another file in its place is renamed."""
        part = self.path.with_name(f".{self.path.name}.part")
        old, self._file = self._file, _opened(part, os.O_TRUNC)
        try:
            self._write(bytes(self._written))
            locked(self._file, self.path)
            aside = self._put_aside(old)
            part.rename(self.path)
        except BaseException:
            self._file.close()
            self._file = old
            part.unlink(missing_ok=True)
            raise
        old.close()
        _sync_folder(self.path)
        found = f"; what stood there is now {aside}" if aside else ""
        self._say(
            f"{self.path} was deleted or changed by another program: it is written again "
            f"whole, with all its {self._written.count(NEW_LINE)} lines{found}"
        )

    def _put_aside(self, old: IO[bytes]) -> Path | None:
        """Rename a file in the record's place; raises ``OSError`` for one that another program
        writes."""
        try:
            found = self.path.open("r+b")
        except FileNotFoundError:
            return None
        with found:
            if not _same(old, self.path) and not locked(found, self.path):
                raise OSError(errno.EBUSY, f"another tilesight writes {self.path}")
            if not os.fstat(found.fileno()).st_size:
                self.path.unlink()
                return None
            names = (self.path.with_name(f"{self.path.name}.other-{n}") for n in count(1))
            aside = next(name for name in names if not name.exists())
            self.path.rename(aside)
        keep_private(aside, self._say)
        return aside

    def _lock(self) -> None:
        if not locked(self._file, self.path):
            raise Refused(
                f"{self.path} is being written by another tilesight; end that one, or name "
                f"another place with {self._option}"
            )

    def _read_existing(self) -> None:
        """Read the existing lines, and cut off a torn last line."""
        written = self._file.read()
        whole = written[: written.rfind(b"\n") + 1]
        torn = written[len(whole) :]
        try:
            self.entries = tuple(read_record(whole.decode()))
        except BadRecord as error:
            raise Refused(
                f"{self.path}, {error}; it is not changed: name another with {self._option}"
            ) from None
        except UnicodeDecodeError:
            raise Refused(
                f"{self.path} is not UTF-8 text; name another with {self._option}"
            ) from None
        self._written += whole
        if _is_line(torn):
            self._end(torn)
            return
        if torn and not self.entries and not torn.startswith(b"{"):
            raise Refused(f"{self.path} is not a record; name another with {self._option}")
        self._back_to(len(whole))
        if torn:
            self.cut = (
                f"the last line of {self.path} was not whole: {len(torn)} bytes after event "
                f"{len(self.entries) - 1} are cut off"
            )

    def _end(self, last: bytes) -> None:
        """Complete a last line without a line end: an editor may have removed it."""
        self._write(NEW_LINE)
        self._written += last + NEW_LINE
        self.entries += tuple(read_record(last.decode()))

    def _back_to(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)
        os.fsync(self._file.fileno())


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


def _is_line(written: bytes) -> bool:
    try:
        return bool(read_record(written.decode()))
    except (BadRecord, UnicodeDecodeError):
        return False


def _sync_folder(path: Path) -> None:
    """Sync the folder: without that, a new file may be gone after a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
