"""``tilesight export``: writes a record in the form of other programs."""

from __future__ import annotations

import sys

from service.errors import Refused
from service.logs.formats import DOWNLOAD_FORMATS
from service.records import load_record, name_of


def run(record: str, form: str) -> int:
    """Write the record in another form to standard output; raises ``Refused``."""
    entries = load_record(record)
    try:
        written = DOWNLOAD_FORMATS[form].write(entries)
    except Refused as error:
        raise Refused(f"{name_of(record)}: {error}") from None
    sys.stdout.write(written)
    return 0
