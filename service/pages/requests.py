"""What requests may send, and how they are refused: in one line, with a status of its own.

Also what all WebSockets have in common.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Annotated, Any, Final, Literal, get_args
from urllib.parse import quote

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema
from typing_extensions import TypedDict

from engine.codec import entry_from_json, event_name
from engine.corrections import EditKind
from engine.errors import Conflict, Forbidden, Malformed, NotThere, Refused
from engine.events import Correct, Entry, Event
from engine.fields import Unreadable
from engine.hands.hand_key import MOST_SETS
from engine.options import check
from engine.rules import RULE_SETS
from engine.tiles import CODES
from service.report.public import LONGEST_NAME, Json
from service.table.view import REMEMBERED, Moment, newest, table_view
from service.web.background import MadeOnce
from service.web.grants import Grant, from_elsewhere, key_noted
from service.web.keys import LONGEST_DEVICE, SHORTEST_DEVICE
from service.web.plain_words import plainly
from service.web.short_codes import TooManyTries
from service.web.subscriber import Subscriber
from vision.camera.pictures import SourceError
from vision.errors import ProfileError, WeightsError

LONGEST_CODE: Final = 16
"""Letters of a code as it is typed, with spaces."""
LARGEST: Final = 64 * 1024
"""Bytes of a request: a whole hand of corrections is a tenth of it."""
JSON_KIND: Final = "application/json"
KEY: Final = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="A key as the program printed it; none is needed at the machine itself.",
)


class Refusal(BaseModel):
    """Why there is no answer, in one sentence."""

    detail: str


class DoneView(TypedDict):
    """It is done as asked; there is nothing to tell."""


class RecordLengthView(TypedDict):
    record: str
    lines: int
    """The number of the next line."""


Responses = dict[int | str, dict[str, Any]]
REFUSALS: Final[Responses] = {
    status: {"description": why, "model": Refusal}
    for status, why in (
        (400, "The request cannot be read."),
        (401, "It has no key, or one that opens nothing."),
        (403, "The key does not allow this."),
        (404, "What it is about is not there."),
        (409, "The record has changed meanwhile: look again."),
        (422, "It cannot be as it says."),
        (503, "What it needs does not answer: ask again."),
        (507, "The record cannot be written; nothing was changed."),
    )
}

OPEN: Final = "tilesight.open"
"""Where a request keeps the table that was open when it came in; None where none was."""
STATUS: Final[dict[type[Exception], int]] = {
    Malformed: 400,
    Forbidden: 403,
    NotThere: 404,
    Conflict: 409,
    TooManyTries: 429,
    Unreadable: 422,
    Refused: 422,
    SourceError: 422,
    ProfileError: 422,
    WeightsError: 422,
    OSError: 507,
}
"""The HTTP status of each refusal."""


class FileAnswer(TypedDict):
    response_class: type[Response]
    responses: Responses


def file_answer(*kinds: str, may_be_none: bool = False) -> FileAnswer:
    """The declaration of an address that answers with a file of one of these kinds."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
    responses: Responses = {200: {"description": "The file", "content": content}}
    if may_be_none:
        responses[204] = {"description": "There is none"}
    return {"response_class": Response, "responses": responses}


def file_of(name: str, text: str | bytes, kind: str) -> Response:
    """A text that is saved under this name."""
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(text, media_type=kind, headers={"Content-Disposition": disposition})


async def json_once(
    made: MadeOnce, what: Hashable, mark: object, make: Callable[[], object]
) -> Response:
    """What is worked out once a change, as JSON that is written once, too."""

    text = await made.once(what, mark, lambda: _written(make()))
    return Response(text, media_type=JSON_KIND)


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def file_or_none(data: bytes | None, kind: str) -> Response:
    """A file; 204 where there is none."""
    return Response(data, media_type=kind) if data else Response(status_code=204)


class RefusingRoute(APIRoute):
    """Answers refusals with their status, and lets our own pages alone change anything."""

    largest = LARGEST
    """Bytes of a body."""
    of_table = True
    """Whether it is about the table that was open when the request came in."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                if self.body_field is not None:
                    refuse_foreign(request)
                    request = _Received(request, await _json_bytes(request, self.largest))
                    if self.of_table:
                        _refuse_ended(request)
                elif request.method not in ("GET", "HEAD"):
                    refuse_foreign_page(request)
                return await handle(request)
            except tuple(STATUS) as refusal:
                return refused(refusal)

        return answer


class _Received(Request):
    """A request whose body has been read."""

    def __init__(self, request: Request, body: bytes) -> None:
        super().__init__(request.scope, request.receive)
        self._received = body

    async def body(self) -> bytes:
        return self._received


def use_refusals(app: FastAPI) -> None:
    """Answer refusals of all routes that are added from now on, and unreadable requests."""
    app.router.route_class = RefusingRoute

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        wrong = error.errors()[0]
        place, *inside = wrong["loc"]
        told = plainly(wrong["msg"])
        if place != "body":
            return JSONResponse({"detail": f'"{inside[-1]}" in the address: {told.lower()}'}, 422)
        name = f'"{".".join(map(str, inside))}": ' if inside else ""
        return JSONResponse({"detail": f"{name}{told}"}, 400)


def refused(refusal: Exception) -> JSONResponse:
    """One line that says why there is no answer."""
    told = str(refusal)
    if isinstance(refusal, OSError):
        told = f"nothing was changed: the record cannot be written: {refusal.strerror}"
    status = next(code for kind, code in STATUS.items() if isinstance(refusal, kind))
    waits = {"Retry-After": str(refusal.wait_s)} if isinstance(refusal, TooManyTries) else None
    return JSONResponse({"detail": " ".join(told.split())}, status, waits)


def _refuse_ended(request: Request) -> None:
    """Raise ``Forbidden`` where the key has ended while the body arrived, ``Conflict`` where the
    table was closed: a body may take half a minute, and be about who sits there by now."""
    served: Any = request.scope.get(OPEN)
    if served is None:
        return
    key = key_noted(request.scope)
    if key and not served.settings.keys.opens(key):
        raise Forbidden("this key has ended")
    if served.table.gone:
        raise Conflict("this table was closed meanwhile; look again")


def refuse_foreign(request: Request, kind: str = JSON_KIND) -> None:
    """Raise ``Forbidden`` for pages of other sites, ``Malformed`` for another kind of content.

    A foreign page can send plain forms from our visitor's browser, but nothing of this kind.
    """
    refuse_foreign_page(request)
    if request.headers.get("content-type", "").split(";")[0].strip() != kind:
        said = "JSON" if kind == JSON_KIND else kind
        raise Malformed(f"expected {said}; send it with content-type: {kind}")


def refuse_foreign_page(request: Request) -> None:
    """Raise ``Forbidden`` for pages of other sites."""
    if from_elsewhere(request):
        raise Forbidden("pages of other sites may not change the record")


async def _json_bytes(request: Request, most: int) -> bytes:
    """The body, which is a JSON object of at most ``most`` bytes; raises ``Malformed``."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Malformed(f"the request is too large; send at most {most} bytes")
    try:
        asked = json.loads(body)
        if b"\\u" in body:  # it can name half a character, which can be neither kept nor answered
            json.dumps(asked, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Malformed("the request is not JSON; send one object") from None
    if not isinstance(asked, dict):
        raise Malformed("expected a JSON object")
    return body


TOO_SLOW: Final = 1013
"""Close code "try again later": the page reconnects and begins anew."""


async def accepted(socket: WebSocket) -> bool:
    """Whether the page may listen, and is still there.

    Pages of other sites are refused: a browser sends them here with our visitor's rights.
    """
    if from_elsewhere(socket):
        await socket.close(1008, "pages of other sites may not listen")
        return False
    try:
        await socket.accept()
    except OSError:  # it has gone already
        return False
    return True


async def until_gone(
    socket: WebSocket, sending: Awaitable[None], heard: Callable[[str], None] | None = None
) -> None:
    """Send until the page closes; receiving is what detects that."""
    sender = asyncio.ensure_future(sending)
    listener = asyncio.ensure_future(_listen(socket, heard))
    _, left = await asyncio.wait((sender, listener), return_when=asyncio.FIRST_COMPLETED)
    for task in left:
        task.cancel()
    for task in (sender, listener):
        # The page may have closed just before a send.
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await task


async def relay(
    socket: WebSocket,
    first: object,
    subscriber: Subscriber[Any],
    grant: Grant,
    farewell: str = "too slow",
    most: int = REMEMBERED,
) -> None:
    """Send the first message and what follows, as long as the page keeps up.

    Of a table, ``most`` of the last events are listed. A page that lags is sent the newest moment
    of it, with all that was announced meanwhile.
    """
    messages = [first]
    while not subscriber.too_slow.is_set():
        message, *messages = messages or newest(await subscriber.waiting())
        if not subscriber.too_slow.is_set():
            await socket.send_text(await _sent(message, subscriber.lang, grant, most))
    await socket.close(TOO_SLOW, farewell)


async def _sent(message: object, lang: str, grant: Grant, most: int) -> str:
    """A message as this page is sent it: a table is written once for all who see the same."""
    if not isinstance(message, Moment):
        return _written(message)
    return await message.made.once(
        ("text", lang, grant.corrects, most),
        None,
        lambda: _written(table_view(message, lang, grant, most=most)),
    )


async def _listen(socket: WebSocket, heard: Callable[[str], None] | None) -> None:
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # bytes: our pages send none
            return
        if heard is not None:
            heard(text)


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


class GuestWish(RequestBody):
    device: Annotated[str, StringConstraints(min_length=SHORTEST_DEVICE, max_length=LONGEST_DEVICE)]
    """A random word that a browser keeps, to find its seat again."""
    seat: int | None = Field(default=None, ge=0, le=3)


class TypedCode(RequestBody):
    code: Annotated[str, StringConstraints(max_length=LONGEST_CODE)]
    """The letters that stand beside a code to scan."""


class LessonWish(RequestBody):
    topics: list[Annotated[str, StringConstraints(max_length=40)]] = Field(max_length=40)
    """What the host sets for the evening."""


class FirstHandWish(RequestBody):
    on: bool | None = None
    """Whether everybody is led through the hand."""
    at: Number | None = None
    """The step of the deal to show."""


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
