"""What programs and pages send to change the record."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from engine.codec import entry_from_json, event_name
from engine.events import Correct, Entry, Event
from engine.fields import Unreadable
from engine.options import check
from engine.rules import RULE_SETS
from engine.tiles import CODES
from service.report.public import LONGEST_NAME, Json
from service.table.corrections import EditKind

MOST_EVENTS: Final = 40
MOST_CHOICES: Final = 9
MOST_LINES: Final = 10**6
LONGEST_TEXT: Final = 300
"""Letters of a text in an event that is sent, such as a name."""
MOST_DICE: Final = 12
MOST_PARTS: Final = 500
"""Parts of a list in an event that is sent; the camera corrects a whole hand in one line."""


def object_of(needed: Json, others: Json | None = None) -> Json:
    """The schema of an object with fields that it needs, and others that it may have."""
    return {"type": "object", "properties": {**needed, **(others or {})}, "required": list(needed)}


_SEAT: Final[Json] = {"type": "integer", "minimum": 0, "maximum": 3}
_TILE: Final[Json] = {"type": "string", "enum": [*CODES, "?"]}
_COUNT: Final[Json] = {"type": "integer", "minimum": 0}
_TILES: Final[Json] = {"type": "array", "items": _TILE, "maxItems": 14}
_NAMES: Final = [event_name(event) for event in get_args(Event) if event is not Correct]
EVENT: Final[Json] = object_of(
    {"type": {"type": "string", "enum": _NAMES}},
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
        "dealer": _SEAT,
        "round": {"type": "string", "enum": ["1z", "2z", "3z", "4z"]},
        "honba": _COUNT,
        "deposits": _COUNT,
        "staying": _COUNT,
        "values": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 6}},
    },
)
"""An event of the record; the record's documentation tells which fields go with which type."""

RecordEvent = Annotated[dict[str, object], WithJsonSchema(EVENT)]
Number = Annotated[int, Field(ge=0, le=MOST_LINES)]

PlayerName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME)]
RefereeName = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
]


def sent_entry(value: object, place: str) -> Entry:
    """Parse an event that was sent; one in a file may be longer. Raise ``Unreadable``."""
    try:
        entry = entry_from_json(value)
        _refuse_long(value, MOST_PARTS)
        check(entry, RULE_SETS)
    except Unreadable as error:
        raise error.inside(place) from None
    return entry


def _refuse_long(value: object, most: int) -> None:
    match value:
        case str() if len(value) > LONGEST_TEXT:
            raise Unreadable(f"at most {LONGEST_TEXT} letters", str(len(value)))
        case list() | dict() if len(value) > most:
            raise Unreadable(f"at most {most} values", str(len(value)))
        case list():
            for part in value:
                _refuse_long(part, MOST_PARTS)
        case dict():
            for key, part in value.items():
                try:
                    _refuse_long(part, MOST_DICE if key in ("values", "dice") else MOST_PARTS)
                except Unreadable as error:
                    raise error.inside(key) from None


class RequestBody(BaseModel):
    model_config = ConfigDict(strict=True)


class Change(RequestBody):
    """A change is meant for the record that the sender saw, which had so many lines."""

    lines: Number
    ruled_by: RefereeName = ""
    """Who rules, where the change is a ruling; it stands in the record."""


class NextGame(Change):
    names: list[PlayerName] | None = Field(default=None, min_length=4, max_length=4)
    """Who sits where from now on; by default as before."""


class NewEvent(Change):
    event: RecordEvent


class OneEvent(RequestBody):
    """An event in force: number of its line, and place among those that replace that line."""

    of: Number
    place: Number = 0


class Correction(Change, OneEvent):
    do: EditKind
    events: list[RecordEvent] = Field(default=[], max_length=MOST_EVENTS)
    leftovers: bool = False
    """Whether the end of the hand and of the game go too where they would contradict the rest."""


class FoulRuling(Change, OneEvent):
    do: Literal["confirm", "cancel"]


class ChosenAnswer(RequestBody):
    id: str
    choice: int = Field(ge=0, le=MOST_CHOICES)


Share = Annotated[float, Field(ge=0, le=1)]


class TableShown(RequestBody):
    corners: list[Annotated[list[Share], Field(min_length=2, max_length=2)]] = Field(
        min_length=4, max_length=4
    )
    """x and y of each in shares of the picture, clockwise from its top left."""


class GuestWish(RequestBody):
    device: Annotated[str, StringConstraints(min_length=16, max_length=64)]
    """A random word that a browser keeps, to find its seat again."""
    seat: int | None = Field(default=None, ge=0, le=3)


class LessonWish(RequestBody):
    topics: list[Annotated[str, StringConstraints(max_length=40)]] = Field(max_length=40)
    """What the host sets for the evening."""


class AgreedChange(RequestBody):
    clips: bool | None = None
    spectators: bool | None = None


class NetworkWish(RequestBody):
    serve: Literal[True]


class Renewal(RequestBody):
    renew: Literal[True]
