"""The record of a live table on disk, only ever added to."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import IO

from engine.codec import BadRecord, entry_to_json, read_record
from engine.events import Entry
from service.errors import Refused

if sys.platform != "win32":
    import fcntl


class RecordFile:
    """A record that is begun or gone on with; a line is on the disk before ``append`` returns."""

    def __init__(self, path: Path) -> None:
        """Take up what the file holds already.

        A last line that is not whole was never acknowledged: it is cut off, and ``cut`` says so.
        Raises ``Refused`` for a file that is no record, cannot be written or is being written.
        """
        self.path = path
        self.entries: tuple[Entry, ...] = ()
        """What stood in the file when it was opened."""
        self.cut: str | None = None
        """One line for the person at the keyboard, where something was cut off."""
        try:
            # Unlike append mode, this lets a line that did not fit be taken back.
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            self._file: IO[bytes] = os.fdopen(descriptor, "r+b", buffering=0)
        except OSError as error:
            raise Refused(f"cannot write {path}: {error.strerror}") from error
        try:
            self._lock()
            self._size = self._take_up()
            _sync_folder(path)
        except BaseException:
            self._file.close()
            raise

    def append(self, entry: Entry) -> None:
        """Return once the line is on the disk; a line that does not fit leaves nothing behind."""
        line = (json.dumps(entry_to_json(entry), ensure_ascii=False) + "\n").encode()
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except BaseException:
            with contextlib.suppress(OSError):
                self._back_to(self._size)
            raise
        self._size += len(line)

    def close(self) -> None:
        """Close it; a record without a line is removed."""
        if not self._size:
            self.path.unlink(missing_ok=True)
        self._file.close()

    def _lock(self) -> None:
        if sys.platform == "win32":
            return  # there, no second program may write it anyway
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                f"{self.path} is being written by another tilesight; end that one, or name "
                "another file with --record"
            ) from None

    def _take_up(self) -> int:
        """Read what is there; answers its size in bytes without a torn last line."""
        written = self._file.read()
        whole = written[: written.rfind(b"\n") + 1]
        torn = written[len(whole) :]
        try:
            self.entries = tuple(read_record(whole.decode()))
        except BadRecord as error:
            raise Refused(
                f"{self.path}, {error}; it is not changed: name another with --record"
            ) from None
        except UnicodeDecodeError:
            raise Refused(f"{self.path} is not UTF-8 text; name another with --record") from None
        if _is_line(torn):
            return self._ended(torn)
        if torn and not self.entries and not torn.startswith(b"{"):
            raise Refused(f"{self.path} is not a record; name another with --record")
        self._back_to(len(whole))
        if torn:
            self.cut = (
                f"the last line of {self.path} was not whole: {len(torn)} bytes after event "
                f"{len(self.entries) - 1} are cut off"
            )
        return len(whole)

    def _ended(self, last: bytes) -> int:
        """Give a whole last line its end: an editor may have left it out."""
        self._file.write(b"\n")
        os.fsync(self._file.fileno())
        self.entries += tuple(read_record(last.decode()))
        return self._file.tell()

    def _back_to(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)
        os.fsync(self._file.fileno())


def _is_line(written: bytes) -> bool:
    try:
        return bool(read_record(written.decode()))
    except (BadRecord, UnicodeDecodeError):
        return False


def _sync_folder(path: Path) -> None:
    """A new file is there after a power cut only if its folder is on the disk too."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
