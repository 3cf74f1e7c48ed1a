"""Forms of records and logs: how those that are read are recognised, and those that are written."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.codec import write_record
from engine.events import Correct, Entry
from engine.game import replay
from engine.visibility import events_seen
from service.logs.mjai import read_mjai, write_mjai
from service.logs.mjlog import read_mjlog
from service.logs.record_writer import BadLog, RecordWriter
from service.logs.tenhou6 import read_tenhou6
from service.logs.tenhou6_write import write_tenhou6
from service.report.sheet import csv_file, to_csv, to_html
from service.report.story import tell

READERS: Final[Mapping[str, Callable[[str], RecordWriter]]] = {
    "mjai": read_mjai,
    "mjlog": read_mjlog,
    "tenhou6": read_tenhou6,
}

MOST_BYTES: Final = 32 * 1024 * 1024
"""Size limit of an unpacked log; a long game with a program's comments has about one million."""

_GZIP: Final = b"\x1f\x8b"


def unpacked(written: bytes, most: int = MOST_BYTES) -> str:
    """Return the text of a log, unpacked if needed (``.mjlog``, ``.gz``); raise ``BadLog``.

    ``most``: bytes that it may have then.
    """
    if written.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        try:
            written = unpacker.decompress(written, most + 1)
        except zlib.error:
            raise BadLog("the packed file is damaged") from None
        if len(written) <= most and not unpacker.eof:
            raise BadLog("the packed file is cut off")
    if len(written) > most:
        raise BadLog(f"larger than {most // 2**20} MiB, too large for the log of a game")
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise BadLog(
            f"line {line}: expected text in UTF-8, got byte 0x{written[error.start]:02x}"
        ) from None


def form_of(text: str) -> str:
    """Recognise the format by the text's beginning; raise ``BadLog`` for any other."""
    start = text.lstrip()
    if start.startswith("<"):
        return "mjlog"
    first = _object(start.split("\n", 1)[0])
    if "type" in first:
        if is_record(text):
            raise BadLog("that is a tilesight record already; it needs no import")
        return "mjai"
    if "log" in first or (start.startswith("{") and '"log"' in start):
        return "tenhou6"
    raise BadLog(f"not in any of the known formats {', '.join(READERS)}")


def is_record(text: str) -> bool:
    """Whether the text begins as a tilesight record does."""
    return _object(text.lstrip().split("\n", 1)[0]).get("type") == "game_start"


def _object(line: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True)
class DownloadFormat:
    suffix: str
    media_type: str
    write: Callable[[Sequence[Entry]], str]
    holds_hands: bool = False
    """It shows hidden hands, so only whoever runs the table may have it."""


DOWNLOAD_FORMATS: Final[Mapping[str, DownloadFormat]] = {
    "record": DownloadFormat(
        ".jsonl",
        "application/jsonl",
        lambda entries: write_record(tuple(entries)),
        holds_hands=True,
    ),
    "public": DownloadFormat(
        "-public.jsonl", "application/jsonl", lambda entries: write_record(public_record(entries))
    ),
    "csv": DownloadFormat(".csv", "text/csv", lambda entries: csv_file(to_csv(tell(entries)))),
    "html": DownloadFormat(".html", "text/html", lambda entries: to_html(tell(entries))),
    "mjai": DownloadFormat("-mjai.jsonl", "application/jsonl", write_mjai, holds_hands=True),
    "tenhou6": DownloadFormat("-tenhou6.json", "application/json", write_tenhou6, holds_hands=True),
}


def public_record(entries: Sequence[Entry]) -> list[Entry]:
    """The events in force as everybody saw them."""
    seen = (event.entry for event in events_seen(replay(entries)))
    return [entry for entry in seen if not isinstance(entry.event, Correct)]
