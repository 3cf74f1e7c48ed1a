"""Records and public logs that a browser sends: kept as records in the games' folder."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Final

from engine.codec import BadRecord, read_record, write_record
from engine.events import Entry
from engine.fields import Unreadable
from engine.options import check
from engine.rules import RULE_SETS
from service.atomic_files import write_whole
from service.errors import Refused
from service.logs.formats import READERS, form_of, is_record, unpacked
from service.logs.record_writer import BadLog

LONGEST_STEM: Final = 80
_UNSAFE: Final = re.compile(r"[^\w .()-]+")


def keep_record(folder: Path, name: str, written: bytes) -> str:
    """Keep what was sent, and return the name of its record in ``folder``.

    The same record is kept once, and no other file is replaced. Raises ``Refused``.
    """
    text = write_record(_entries(name, written))
    # The name is a person's; nothing outside the folder is named by it.
    stem = _UNSAFE.sub("-", PurePath(name.replace("\\", "/")).name.split(".")[0]).strip(" .-")
    stem = stem[:LONGEST_STEM] or "game"
    path, more = folder / f"{stem}.jsonl", 1
    while path.exists():
        if path.read_bytes() == text.encode():
            return path.name
        path, more = folder / f"{stem}-{more}.jsonl", more + 1
    write_whole(path, text)
    return path.name


def _entries(name: str, written: bytes) -> list[Entry]:
    shown = PurePath(name).name[:LONGEST_STEM]
    try:
        text = unpacked(written)
        entries = read_record(text) if is_record(text) else READERS[form_of(text)](text).entries
        for entry in entries:
            check(entry, RULE_SETS)
    except (BadLog, BadRecord, Unreadable) as error:
        raise Refused(f"{shown}: {error}") from None
    if not entries:
        raise Refused(f"{shown} holds no event; send a record with a game in it")
    return list(entries)
