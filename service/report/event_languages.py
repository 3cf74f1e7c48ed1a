"""What happened at the table, told in every language at once: each page chooses its own."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import Event
from engine.tiles import Tile
from service.report.event_messages import MESSAGES
from service.report.event_words import Part, event_parts


def told(event: Event, names: Sequence[str]) -> dict[str, tuple[Part, ...]]:
    """One event as a row of words and tiles in every language, seats by their ``names``."""
    return {lang: event_parts(event, names, lang) for lang in MESSAGES}


def drawn(event: Event, names: Sequence[str]) -> dict[str, list[object]]:
    """The same as JSON."""
    return {lang: drawable(parts) for lang, parts in told(event, names).items()}


def drawable(parts: Sequence[Part]) -> list[object]:
    """Parts as JSON: words as they are, tiles as ``{"tile": CODE}``."""
    return [{"tile": str(part)} if isinstance(part, Tile) else part for part in parts]
