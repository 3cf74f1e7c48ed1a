"""How requests are answered and refused: in one line, with a status of its own.

Also what all WebSockets have in common.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel
from typing_extensions import TypedDict

from engine.errors import Conflict, Forbidden, Malformed, NotThere, Refused
from engine.fields import Unreadable
from service.table.view import REMEMBERED, Moment, newest, table_view
from service.texts.refusals import refusal_in
from service.web.background import MadeOnce
from service.web.grants import Grant, from_elsewhere, key_noted
from service.web.language import language_of
from service.web.plain_words import plainly
from service.web.short_codes import TooManyTries
from service.web.subscriber import Subscriber
from vision.camera.pictures import SourceError
from vision.errors import ProfileError, WeightsError

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
                return refused(refusal, language_of(request))

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
    async def unreadable(request: Request, error: RequestValidationError) -> JSONResponse:
        wrong = error.errors()[0]
        place, *inside = wrong["loc"]
        told = plainly(wrong["msg"])
        if place != "body":
            told, status = f'"{inside[-1]}" in the address: {told.lower()}', 422
        else:
            name = f'"{".".join(map(str, inside))}": ' if inside else ""
            told, status = f"{name}{told}", 400
        return JSONResponse({"detail": refusal_in(told, language_of(request), status)}, status)


def refused(refusal: Exception, lang: str) -> JSONResponse:
    """One line that says why there is no answer, in the language of whoever asked."""
    told = str(refusal)
    if isinstance(refusal, OSError):
        told = f"nothing was changed: the record cannot be written: {refusal.strerror}"
    status = next(code for kind, code in STATUS.items() if isinstance(refusal, kind))
    waits = {"Retry-After": str(refusal.wait_s)} if isinstance(refusal, TooManyTries) else None
    detail = refusal_in(" ".join(told.split()), lang, status)
    return JSONResponse({"detail": detail}, status, waits)


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
