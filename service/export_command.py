"""``tilesight export``: a record as other programs and people read it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from service.records import load_record
from service.sheet import to_csv, to_html
from service.story import GameStory, tell

FORMATS: Final[Mapping[str, Callable[[Sequence[GameStory]], str]]] = {
    "csv": to_csv,
    "html": to_html,
}


def run(record: str, form: str) -> int:
    """Write the record in another form to standard output; raises ``Refused``."""
    sys.stdout.write(FORMATS[form](tell(load_record(record))))
    return 0
