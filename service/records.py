"""Records on disk, as the commands take them."""

from __future__ import annotations

from engine.codec import BadRecord, read_record
from engine.events import Entry
from service.commands.replay import name_of, read_text
from service.errors import Refused


def load_record(path_or_dash: str) -> list[Entry]:
    """Read a whole record; raises ``Refused`` that names the file and the line."""
    try:
        entries = read_record(read_text(path_or_dash))
    except BadRecord as error:
        raise Refused(f"{name_of(path_or_dash)}, {error}") from None
    if not entries:
        raise Refused(f"{name_of(path_or_dash)} holds no event; give a record with a game in it")
    return entries
