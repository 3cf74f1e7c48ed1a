"""Reads records for the commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from engine.codec import BadRecord, read_record
from engine.events import Entry
from service.errors import Refused
from vision.given_files import MIB, read_bounded, read_given

MOST_BYTES: Final = 64 * MIB
"""Size limit of a record; one of a long evening has less than a hundredth."""


class NotAText(ValueError):
    """A file that should hold text does not."""


def load_record(path_or_dash: str) -> list[Entry]:
    """Read a whole record; raises ``Refused`` that names the file and the line."""
    try:
        entries = read_record(read_text(path_or_dash))
    except BadRecord as error:
        raise Refused(f"{name_of(path_or_dash)}, {error}") from None
    if not entries:
        raise no_event_in(path_or_dash)
    return entries


def no_event_in(path_or_dash: str) -> Refused:
    """The refusal of an empty record."""
    return Refused(f"{name_of(path_or_dash)} holds no event; give a record with a game in it")


def read_bytes(path_or_dash: str, most_bytes: int = MOST_BYTES) -> bytes:
    """Read a file, a pipe or standard input; raises ``OSError``."""
    if path_or_dash == "-":
        return read_bounded(sys.stdin.buffer, most_bytes, name_of(path_or_dash))
    return read_given(Path(path_or_dash), most_bytes, pipe=True)


def read_text(path_or_dash: str) -> str:
    """Read a file, a pipe or standard input; raises ``OSError``, ``NotAText``."""
    written = read_bytes(path_or_dash)
    try:
        return written.decode("utf-8-sig")  # some editors put a mark at the beginning
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise NotAText(
            f"{name_of(path_or_dash)}, line {line}: expected text in UTF-8, got byte "
            f"0x{written[error.start]:02x}; a record is a text of one event a line"
        ) from None


def name_of(path_or_dash: str) -> str:
    return "standard input" if path_or_dash == "-" else path_or_dash
