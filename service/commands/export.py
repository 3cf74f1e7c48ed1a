"""``tilesight export``: writes a record in the form of other programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.events import Entry
from service.errors import Refused
from service.logs.mjai_write import write_mjai
from service.logs.tenhou6_write import write_tenhou6
from service.records import load_record, name_of
from service.report.sheet import to_csv, to_html
from service.report.story import tell

FORMATS: Final[Mapping[str, Callable[[Sequence[Entry]], str]]] = {
    "csv": lambda entries: to_csv(tell(entries)),
    "html": lambda entries: to_html(tell(entries)),
    "mjai": write_mjai,
    "tenhou6": write_tenhou6,
}


def run(record: str, form: str) -> int:
    """Write the record in another form to standard output; raises ``Refused``."""
    entries = load_record(record)
    try:
        written = FORMATS[form](entries)
    except Refused as error:
        raise Refused(f"{name_of(record)}: {error}") from None
    sys.stdout.write(written)
    return 0
