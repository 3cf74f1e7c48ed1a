"""The record of a live table on disk, only ever added to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO

from engine.codec import entry_to_json
from engine.events import Entry
from service.errors import Refused


class RecordFile:
    """A new record; a line is on the disk before ``append`` returns."""

    def __init__(self, path: Path) -> None:
        """Raises ``Refused`` when the file is there already: no record is ever overwritten."""
        self.path = path
        try:
            self._file: IO[bytes] = path.open("xb", buffering=0)
        except FileExistsError:
            raise Refused(f"{path} is there already; name a new file with --record") from None
        except OSError as error:
            raise Refused(f"cannot write {path}: {error.strerror}") from error

    def append(self, entry: Entry) -> None:
        line = json.dumps(entry_to_json(entry), ensure_ascii=False) + "\n"
        self._file.write(line.encode())
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close it; a record without a line is removed."""
        empty = self._file.tell() == 0
        self._file.close()
        if empty:
            self.path.unlink(missing_ok=True)
