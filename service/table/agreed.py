"""What the people at a table agreed to: that clips of them are kept, and that others may watch."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from service.files import keep_private, write_whole
from vision.given_files import read_given

LARGEST: Final = 64 * 1024


class Agreed:
    """Nothing is agreed at first; clips need everybody who sits at the table now."""

    def __init__(self, record: Path | None = None) -> None:
        """What was agreed lies beside the record, as the clips do; without one nothing is kept."""
        self._record = record
        self.spectators = False
        """Whether whoever has the link of a shared result may watch."""
        self._people: frozenset[str] = frozenset()
        if record is not None:
            with contextlib.suppress(FileNotFoundError, ValueError, TypeError, KeyError):
                keep_private(agreed_file(record))
                kept = json.loads(read_given(agreed_file(record), LARGEST))
                self.spectators = kept["spectators"] is True
                self._people = frozenset(map(str, kept["clips_of"]))

    def to_clips(self, people: Collection[str]) -> bool:
        """Whether all of them agreed that clips are kept."""
        return self._people.issuperset(people)

    def change(
        self, people: Collection[str], clips: bool | None = None, spectators: bool | None = None
    ) -> None:
        """Keep what the people at the table agree to; None is as before. Raises ``OSError``.

        Where one of them does not agree, the clips that were kept are deleted.
        """
        before = self.spectators, self._people
        if clips is not None:
            self._people = self._people | frozenset(people) if clips else frozenset()
        if spectators is not None:
            self.spectators = spectators
        try:
            if self._record is not None:
                told = {"spectators": self.spectators, "clips_of": sorted(self._people)}
                write_whole(agreed_file(self._record), json.dumps(told))
        except OSError:
            self.spectators, self._people = before
            raise
        if clips is False and self._record is not None:
            shutil.rmtree(clips_folder(self._record), ignore_errors=True)

    def clip(self, name: str, make: Callable[[], bytes | None]) -> bytes | None:
        """A clip that is kept, or made now and kept."""
        kept = None if self._record is None else clips_folder(self._record) / name
        if kept is not None and kept.is_file():
            return kept.read_bytes()
        made = make()
        if kept is not None and made is not None:
            with contextlib.suppress(OSError):  # the disk is full: it is made again next time
                kept.parent.mkdir(0o700, exist_ok=True)
                write_whole(kept, made)
        return made


def agreed_file(record: Path) -> Path:
    return record.with_name(f".{record.name}.agreed")


def clips_folder(record: Path) -> Path:
    return record.with_name(f"{record.stem}-clips")
