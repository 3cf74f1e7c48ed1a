"""What every page that changes something asks of a request, and how it is refused."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Awaitable
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse

from engine.fields import Unreadable
from service.access.host_check import from_elsewhere, host_of
from service.errors import Forbidden, Malformed, Refused, plainly
from service.report.public import Json
from service.table.corrections import NotThere, Stale
from vision.camera.pictures import SourceError

LARGEST: Final = 64 * 1024
"""Bytes of a request: a whole hand of corrections is a tenth of it."""
JSON_KIND: Final = "application/json"
FORWARDED: Final = ("forwarded", "x-forwarded-for")


STATUS: Final[dict[type[Exception], int]] = {
    Malformed: 400,
    Forbidden: 403,
    NotThere: 404,
    Stale: 409,
    Unreadable: 422,
    Refused: 422,
    SourceError: 422,
    OSError: 507,
}
"""What each refusal is in HTTP."""


def answer_unreadable(app: FastAPI) -> None:
    """Say in one line what is wrong with an address."""

    @app.exception_handler(RequestValidationError)
    async def unreadable(_: Request, error: RequestValidationError) -> JSONResponse:
        wrong = error.errors()[0]
        told = f'"{wrong["loc"][-1]}" in the address: {plainly(wrong["msg"]).lower()}'
        return JSONResponse({"detail": told}, 422)


async def answered(asked: Awaitable[Json]) -> JSONResponse:
    """The answer, or one line that says why there is none."""
    try:
        return JSONResponse(await asked)
    except tuple(STATUS) as refusal:
        return refusal_answer(refusal)


def refusal_answer(refusal: Exception) -> JSONResponse:
    """One line that says why a request was refused."""
    if isinstance(refusal, OSError):
        told = f"nothing was changed: the record cannot be written: {refusal.strerror}"
    else:
        told = str(refusal)
    status = next(code for kind, code in STATUS.items() if isinstance(refusal, kind))
    return JSONResponse({"detail": " ".join(told.split())}, status)


def is_local(request: HTTPConnection) -> bool:
    """Whether it comes from this machine itself, and was sent to it by no foreign name.

    A foreign page can make its own name point to this machine, and then ask from its browser;
    a number is nobody's name. What a proxy passes on comes from somewhere else.
    """
    client = request.client.host if request.client else ""
    asked_for = host_of(request) or ""
    if any(name in request.headers for name in FORWARDED):
        return False
    try:
        if asked_for != "localhost":
            ipaddress.ip_address(asked_for)
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False


def refuse_foreign(request: Request, kind: str = JSON_KIND) -> None:
    """Raise ``Forbidden`` for pages of other sites, ``Malformed`` for another kind of content.

    A foreign page may send plain forms from our visitor's browser, but nothing of this kind.
    """
    refuse_foreign_page(request)
    if request.headers.get("content-type", "").split(";")[0].strip() != kind:
        said = "JSON" if kind == JSON_KIND else kind
        raise Malformed(f"expected {said}; send it with content-type: {kind}")


def refuse_foreign_page(request: Request) -> None:
    """Raise ``Forbidden`` for pages of other sites."""
    if from_elsewhere(request):
        raise Forbidden("pages of other sites may not change the record")


async def body_of(request: Request, most: int = LARGEST) -> Json:
    """The object that was sent, of at most so many bytes; raises ``Malformed``."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Malformed(f"the request is too large; send at most {most} bytes")
    try:
        asked = json.loads(body)
        if b"\\u" in body:  # half a character can be written so, but neither kept nor answered
            json.dumps(asked, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Malformed("the request is not JSON; send one object") from None
    if not isinstance(asked, dict):
        raise Malformed("expected a JSON object")
    return asked


def whole_number(asked: Json, name: str, most: int, default: int | None = None) -> int:
    """A whole number from 0 to ``most``; raises ``Malformed``."""
    value = asked.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise Malformed(f'expected "{name}" to be a whole number of 0 or more')
    return value
