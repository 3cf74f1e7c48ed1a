"""``tilesight import``: turns a public riichi log into a record."""

from __future__ import annotations

import sys

from engine.codec import write_record
from service.errors import Refused
from service.logs.formats import MOST_BYTES, READERS, form_of, unpacked
from service.logs.record_writer import BadLog
from service.records import name_of, read_bytes


def run(path_or_dash: str, form: str | None) -> int:
    """Write the record to standard output; raises ``Refused``."""
    try:
        text = unpacked(read_bytes(path_or_dash, MOST_BYTES))
        scribe = READERS[form or form_of(text)](text)
    except BadLog as error:
        raise Refused(f"{name_of(path_or_dash)}: {error}") from None
    sys.stdout.write(write_record(scribe.entries))
    return 0
