"""What requests bring: their bodies, and how much each of them may hold."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema

from engine.codec import entry_from_json, event_name
from engine.corrections import EditKind
from engine.events import Correct, Entry, Event
from engine.fields import Unreadable
from engine.hands.hand_key import MOST_SETS
from engine.options import check
from engine.rules import RULE_SETS
from engine.tiles import CODES
from service.report.public import LONGEST_NAME, Json
from service.table.score_pad import MOST_POINTS, Verdict
from service.web.keys import LONGEST_DEVICE, SHORTEST_DEVICE

LONGEST_CODE: Final = 16
"""Letters of a code as it is typed, with spaces."""
MOST_EVENTS: Final = 40
MOST_CHOICES: Final = 9
MOST_LINES: Final = 10**6
LONGEST_TEXT: Final = 300
"""Letters of a text in an event that is sent, such as a name."""
MOST_DICE: Final = 12
MOST_HELD: Final = 3 * MOST_SETS + 2
"""Tiles of the largest hand."""
MOST_PARTS: Final = 500
"""Parts of a list in an event that is sent; the camera corrects a whole hand in one line."""


def object_of(needed: Json, others: Json | None = None) -> Json:
    """The schema of an object with fields that it needs, and others that it may have."""
    return {"type": "object", "properties": {**needed, **(others or {})}, "required": list(needed)}


_SEAT: Final[Json] = {"type": "integer", "minimum": 0, "maximum": 3}
_TILE: Final[Json] = {"type": "string", "enum": [*CODES, "?"]}
_COUNT: Final[Json] = {"type": "integer", "minimum": 0}
_TILES: Final[Json] = {"type": "array", "items": _TILE, "maxItems": MOST_HELD}
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


class TableCorners(RequestBody):
    corners: list[Annotated[list[Share], Field(min_length=2, max_length=2)]] = Field(
        min_length=4, max_length=4
    )
    """x and y of each in shares of the picture, clockwise from its top left."""


Device = Annotated[str, StringConstraints(min_length=SHORTEST_DEVICE, max_length=LONGEST_DEVICE)]
"""A random word that a browser keeps."""


class GuestWish(RequestBody):
    device: Device
    """To find its seat again."""
    seat: int | None = Field(default=None, ge=0, le=3)


class TypedCode(RequestBody):
    code: Annotated[str, StringConstraints(max_length=LONGEST_CODE)]
    """The letters that stand beside a code to scan."""


class LessonWish(RequestBody):
    topics: list[Annotated[str, StringConstraints(max_length=40)]] = Field(max_length=40)
    """What the host sets for the evening."""


class PadChange(RequestBody):
    """One of these."""

    moved: list[Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]] | None = Field(
        None, min_length=4, max_length=4
    )
    """What a hand moved for each seat: a new row."""
    removed: Number | None = None
    """The row to take away, from 0, ..."""
    was: list[int] | None = Field(None, min_length=4, max_length=4)
    """... and what it says: somebody else may have taken away one before it meanwhile."""
    over: Literal[True] | None = None
    """Shows everything from now on."""
    hand: Annotated[str, StringConstraints(max_length=40)] | None = None
    """The compared hand that is judged, ..."""
    right: Verdict | None = None
    """... and who was right; None takes that back."""


Word = Annotated[str, StringConstraints(max_length=40)]


class LearntGame(RequestBody):
    """What a browser keeps of one game: pages that were read, topics that were solved."""

    rules: Word
    read: list[Word] = Field(default=[], max_length=40)
    solved: list[Word] = Field(default=[], max_length=40)


class WrongAnswer(RequestBody):
    """A wrong answer of a lesson: how many times the topic had been answered wrongly before."""

    rules: Word
    topic: Word
    tries: int = Field(ge=0, le=1000)
    chosen: Word


class Progress(RequestBody):
    """What the browser of a player keeps of lessons; it is shared while the player agrees."""

    games: list[LearntGame] = Field(default=[], max_length=40)
    wrong: list[WrongAnswer] = Field(default=[], max_length=10)
    """The newest first."""


class SharingWish(RequestBody):
    on: bool | None = None
    """Whether the player shares with the teacher; null says nothing of it."""
    progress: Progress | None = None
    """Kept only while the player shares."""


class TeacherWish(RequestBody):
    device: Device
    """Of the browser that asks: one that sits at the table is shown no hand."""


class PracticeWish(RequestBody):
    """What the learner does in a hand against simple players."""

    rules: Word = ""
    hand: Word = ""
    """Which hand, as it was told; empty begins a new one."""
    do: Word = ""
    """The name of a choice that is offered; empty only asks."""


class FirstHandWish(RequestBody):
    on: bool | None = None
    """Whether everybody is led through the hand."""
    at: Number | None = None
    """The step of the deal to show."""


class RehearsalWish(RequestBody):
    done: Number | None = None
    """The card that is done, by its number; 0 for the set that is laid out."""
    stop: bool = False
    """The rehearsal ends here."""


class AgreedChange(RequestBody):
    clips: bool | None = None
    of: Number | None = None
    place: Number = 0
    spectators: bool | None = None


class NetworkWish(RequestBody):
    serve: Literal[True]


class Renewal(RequestBody):
    renew: Literal[True]
    seat: int | None = Field(default=None, ge=0, le=3)
    """Whose code alone is made new; by default all keys are."""
