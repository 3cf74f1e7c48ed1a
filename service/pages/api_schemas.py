"""What requests look like, for programs that read the description of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, get_args

from engine.codec import event_name
from engine.events import Correct, Event
from engine.tiles import CODES
from service.report.public import Json
from service.table.corrections import HOWS


def object_of(needed: Json, others: Json | None = None) -> Json:
    """The schema of an object with fields that it needs, and others that it may have."""
    return {"type": "object", "properties": {**needed, **(others or {})}, "required": list(needed)}


_NUMBER: Final[Json] = {"type": "integer", "minimum": 0}
_SEAT: Final[Json] = {"type": "integer", "minimum": 0, "maximum": 3}
_TILE: Final[Json] = {"type": "string", "enum": [*CODES, "?"]}
_TILES: Final[Json] = {"type": "array", "items": _TILE, "maxItems": 14}
EVENT: Final[Json] = object_of(
    {
        "type": {
            "type": "string",
            "enum": [event_name(event) for event in get_args(Event) if event is not Correct],
        }
    },
    {
        "seat": _SEAT,
        "from": {"anyOf": [_SEAT, {"type": "string", "enum": ["wall", "tail"]}]},
        "tile": _TILE,
        "tiles": _TILES,
        "own": _TILES,
        "hand": _TILES,
        "ready": {"anyOf": [{"type": "boolean"}, {"type": "array", "items": _SEAT}]},
        "kind": {"type": "string"},
        "reason": {"type": "string"},
        "offence": {"type": "string"},
        "rules": {"type": "string"},
        "first_dealer": _SEAT,
        "values": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}},
    },
)
"""An event of the record; which fields go with which type is told in its documentation."""
_LINES: Final[Json] = {"lines": _NUMBER}
BODIES: Final[Mapping[str, Json]] = {
    "events": object_of({"event": EVENT, **_LINES}),
    "corrections": object_of(
        {"of": _NUMBER, "do": {"type": "string", "enum": list(HOWS)}, **_LINES},
        {"place": _NUMBER, "events": {"type": "array", "items": EVENT, "maxItems": 40}},
    ),
    "undo": object_of(_LINES),
    "redo": object_of(_LINES),
    "fouls": object_of(
        {"of": _NUMBER, "do": {"type": "string", "enum": ["confirm", "cancel"]}, **_LINES},
        {"place": _NUMBER},
    ),
    "answers": object_of({"id": {"type": "string"}, "choice": _NUMBER}),
    "reread": object_of({"of": _NUMBER}, {"place": _NUMBER}),
}
"""What is sent to each address that takes something."""
