"""Records that the set-up page opens: those that a browser sends, and the sample."""

from __future__ import annotations

import re
import shutil
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Final

from engine.codec import MOST_LINES, BadRecord, read_lines, read_record, write_record
from engine.errors import Refused
from engine.events import Entry, GameStart
from engine.fields import Unreadable
from engine.logs.formats import READERS, form_of, is_record, unpacked
from engine.logs.record_writer import BadLog
from engine.options import check
from engine.rules import RULE_SETS
from service.evening.uploads import ROOM_LEFT
from service.evening.wire import GameOfferedView
from service.machine.files import write_whole

LONGEST_STEM: Final = 80
MOST_SENT: Final = 8 * 1024 * 1024
"""Bytes of a record: the games of a whole day have one million."""
_UNSAFE: Final = re.compile(r"[^\w .()-]+")
_DEVICE: Final = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]", re.IGNORECASE)
"""What Windows takes for a device, whatever follows after a dot."""


def keep_record(folder: Path, name: str, written: bytes) -> str:
    """Keep what was sent, and return the name of its record in ``folder``.

    The same record is kept once, and no other file is replaced. Raises ``Refused``.
    """
    data = _record(name, written).encode()
    # The name is a person's; nothing outside the folder is named by it.
    stem = _UNSAFE.sub("-", PurePath(name.replace("\\", "/")).name.split(".")[0]).strip(" .-")
    stem = stem[:LONGEST_STEM].rstrip(" .") or "game"
    if _DEVICE.fullmatch(stem):
        stem = f"game-{stem}"
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
        if text.count("\n") > MOST_LINES:
            raise BadLog(f"more than {MOST_LINES} lines, too many for one evening")
        lines = read_lines(text) if is_record(text) else iter(READERS[form_of(text)](text).entries)
        # One line after the other: the events of a long record would fill hundreds of megabytes.
        kept = "".join(_kept(line) for line in lines)
    except (BadLog, BadRecord, Unreadable) as error:
        raise Refused(f"{shown} cannot be read: {error}") from None
    if not kept:
        raise Refused(f"{shown} holds no event; send a record with a game in it")
    return kept


def _kept(line: Entry | BadRecord) -> str:
    if isinstance(line, BadRecord):
        raise line
    check(line, RULE_SETS)
    return write_record((line,))


SAMPLE: Final = files("service") / "sample.mp4"
SAMPLE_RECORD: Final = files("service") / "sample.jsonl"


def sample_file() -> Path:
    """Return the film; raises ``Refused`` where it was not installed."""
    path = Path(str(SAMPLE))
    if not path.is_file():
        raise Refused("this installation has no sample; choose a camera or a recording")
    return path


def sample_start() -> GameStart:
    start = read_record(SAMPLE_RECORD.read_text("utf-8"))[0].event
    assert isinstance(start, GameStart), "a record begins with the game"
    return start


def offered_sample() -> GameOfferedView | None:
    """Rules, house rules and names of the sample."""
    try:
        sample_file()
    except Refused:
        return None
    start = sample_start()
    options, names = dict(start.options), list(start.players or ())
    return {"rules": start.rules, "options": options, "names": names}
