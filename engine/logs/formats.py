"""Forms of public riichi logs, how they are recognised and unpacked."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from engine.logs.mjai import read_mjai
from engine.logs.mjlog import read_mjlog
from engine.logs.record_writer import BadLog, RecordWriter
from engine.logs.tenhou6 import read_tenhou6

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
