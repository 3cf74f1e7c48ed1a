"""Records and public logs that a browser sends: kept as records in the games' folder."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePath
from typing import Final

from engine.codec import BadRecord, read_lines, write_record
from engine.events import Entry
from engine.fields import Unreadable
from engine.options import check
from engine.rules import RULE_SETS
from service.atomic_files import write_whole
from service.errors import Refused
from service.logs.formats import READERS, form_of, is_record, unpacked
from service.logs.record_writer import MOST_EVENTS, BadLog
from service.setup.uploads import ROOM_LEFT

LONGEST_STEM: Final = 80
MOST_SENT: Final = 8 * 1024 * 1024
"""Bytes of a record: the games of a whole day have one million."""
_UNSAFE: Final = re.compile(r"[^\w .()-]+")


def keep_record(folder: Path, name: str, written: bytes) -> str:
    """Keep what was sent, and return the name of its record in ``folder``.

    The same record is kept once, and no other file is replaced. Raises ``Refused``.
    """
    data = _record(name, written).encode()
    # The name is a person's; nothing outside the folder is named by it.
    stem = _UNSAFE.sub("-", PurePath(name.replace("\\", "/")).name.split(".")[0]).strip(" .-")
    stem = stem[:LONGEST_STEM] or "game"
    path, more = folder / f"{stem}.jsonl", 1
    while path.exists():
        if path.stat().st_size == len(data) and path.read_bytes() == data:
            return path.name
        path, more = folder / f"{stem}-{more}.jsonl", more + 1
    if shutil.disk_usage(folder).free - len(data) < ROOM_LEFT:
        raise Refused("the disk has no room for this record; free some, and send it again")
    write_whole(path, data)
    return path.name


def _record(name: str, written: bytes) -> str:
    shown = PurePath(name).name[:LONGEST_STEM]
    try:
        text = unpacked(written, MOST_SENT)
        if text.count("\n") > MOST_EVENTS:
            raise BadLog(f"more than {MOST_EVENTS} lines, too many for one game")
        lines = read_lines(text) if is_record(text) else iter(READERS[form_of(text)](text).entries)
        # One line after the other: the events of a long record would fill hundreds of megabytes.
        kept = "".join(_kept(line) for line in lines)
    except (BadLog, BadRecord, Unreadable) as error:
        raise Refused(f"{shown}: {error}") from None
    if not kept:
        raise Refused(f"{shown} holds no event; send a record with a game in it")
    return kept


def _kept(line: Entry | BadRecord) -> str:
    if isinstance(line, BadRecord):
        raise line
    check(line, RULE_SETS)
    return write_record((line,))
