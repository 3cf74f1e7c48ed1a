"""Why a hand was drawn, where a log does not say it: from what was played."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Chow, Discard, Draw, Entry, HandStart, Kong, Pung
from service.logs.record_writer import DrawnReason


def why_drawn(entries: Sequence[Entry]) -> DrawnReason:
    """The reason that the last hand of the record gives."""
    last = max(place for place, entry in enumerate(entries) if isinstance(entry.event, HandStart))
    played = [entry.event for entry in entries[last:]]
    discards = [event for event in played if isinstance(event, Discard)]
    claims = [event for event in played if isinstance(event, Chow | Pung | Kong)]
    kongs = [event for event in claims if isinstance(event, Kong)]
    if len({event.seat for event in discards if event.ready}) == 4:
        return "four_ready"
    if isinstance(played[-1], Draw):
        return "nine_terminals"
    winds = {event.tile for event in discards}
    if len(discards) == 4 and not claims and len(winds) == 1 and min(winds) in _WINDS:
        return "four_winds"
    if len(kongs) == 4 and len({kong.seat for kong in kongs}) > 1:
        return "four_kongs"
    return "exhausted"


_WINDS = ("1z", "2z", "3z", "4z")
