"""Records on disk: how they are read, and which belong to one evening."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from engine.codec import BadRecord, read_record
from engine.events import Entry
from engine.game import replay
from engine.state import Phase
from service.errors import Refused
from vision.given_files import MIB, read_bounded, read_given

MOST_BYTES: Final = 64 * MIB
"""Size limit of a record; one of a long evening has less than a hundredth."""


_BEGUN: Final = "game-%Y%m%d-%H%M%S"
"""Name of a record that was not named by anybody; another of the same second has a number more."""
_STEM: Final = len("game-20261125-200000")
LATE: Final = timedelta(hours=6)
"""What is played so long after midnight belongs to the evening before."""


def unused(folder: Path, stem: str, suffix: str) -> Path:
    """A file of this time in the folder that does not exist yet."""
    name = time.strftime(_BEGUN.replace("game", stem, 1))
    path, more = folder / f"{name}{suffix}", 1
    while path.exists():
        path, more = folder / f"{name}-{more}{suffix}", more + 1
    return path


def evening_of(record: Path) -> date:
    """The evening on which a record was begun, or last written to if its name does not tell."""
    begun = _begun(record)
    if begun is None:
        written = datetime.now()
        with contextlib.suppress(OSError):
            written = datetime.fromtimestamp(record.stat().st_mtime)
        begun = written
    return (begun - LATE).date()


def of_this_evening(folder: Path) -> list[Path]:
    """The records in a folder that were begun this evening and not named by anybody, newest
    first."""
    tonight = (datetime.now() - LATE).date()
    paths = [path for path in folder.glob("game-*.jsonl") if _begun(path) is not None]
    return sorted((path for path in paths if evening_of(path) == tonight), reverse=True)


def in_the_middle(record: Path, others: str) -> Refused:
    """The refusal of a record whose game of ``others`` is not finished."""
    return Refused(
        f"{record} is in the middle of a game by {others}; "
        f"give --rules {others}, or another file with --record"
    )


def unfinished_by(entries: Sequence[Entry], rules: str) -> str | None:
    """The rules of a game in the middle, where they are others than ``rules``."""
    state = replay(entries).state
    over = state.phase in (Phase.BEFORE_GAME, Phase.AFTER_GAME)
    return None if over or state.rules == rules else state.rules


def _begun(record: Path) -> datetime | None:
    with contextlib.suppress(ValueError):
        return datetime.strptime(record.stem[:_STEM], _BEGUN)
    return None


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
