"""The programming interface for other programs: the pages' own, at addresses that stay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from fastapi import FastAPI, Response, Security
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute, APIWebSocketRoute
from fastapi.security import HTTPBearer

from service.pages.downloads import DOWNLOAD_FORMATS
from service.report.public import Json

OWN: Final = "/api/"
"""Prefix of the pages' own addresses, which change with the pages."""
VERSION: Final = "/api/v1/"
LISTEN: Final = f"{VERSION}listen"
KEY: Final = HTTPBearer(
    auto_error=False,
    scheme_name="key",
    description="A key as the program printed it; none is needed at the machine itself.",
)
_DETAIL: Final[Json] = {
    "type": "object",
    "required": ["detail"],
    "properties": {"detail": {"type": "string"}},
}
_REFUSALS: Final = {
    400: "The request cannot be read.",
    401: "It has no key, or one that opens nothing.",
    403: "The key does not allow this.",
    404: "What it is about is not there.",
    409: "The record has changed meanwhile: look again.",
    422: "It cannot be as it says.",
    507: "The record cannot be written; nothing was changed.",
}
UNREADABLE: Final[Json] = {"description": _REFUSALS[422]}
"""Replaces the framework's own description of an error that is never sent."""
FILES: Final[Mapping[str, Sequence[str]]] = {
    "download/{form}": sorted({form.media_type for form in DOWNLOAD_FORMATS.values()}),
    "events/{number}/clip": ("image/webp",),
    "events/{number}/crop": ("image/jpeg",),
    "pictures/{number}": ("image/jpeg",),
    "questions/{name}/picture": ("image/jpeg",),
    "questions/{name}/tiles": ("image/jpeg",),
}
"""Addresses that do not answer with JSON."""
MAY_BE_EMPTY: Final = (
    "events/{number}/clip",
    "events/{number}/crop",
    "questions/{name}/picture",
    "questions/{name}/tiles",
)
"""Addresses that answer 204 where there is nothing to show."""


def add_version(app: FastAPI) -> None:
    """Give everything at ``/api/`` and ``/ws`` a second address, and describe that one."""
    for route in list(app.routes):
        if isinstance(route, APIRoute) and route.path.startswith(OWN) and route.include_in_schema:
            route.include_in_schema = False
            (method,) = route.methods or {"GET"}
            name = route.path.removeprefix(OWN)
            files = FILES.get(name)
            app.add_api_route(
                VERSION + name,
                route.endpoint,
                methods=[method],
                name=f"{route.name} v1",
                response_class=JSONResponse if files is None else Response,
                responses={422: UNREADABLE},
                openapi_extra=described(
                    EXAMPLES.get((method, name)), files=files or (), empty=name in MAY_BE_EMPTY
                ),
                dependencies=[*route.dependencies, Security(KEY)],
            )
        if isinstance(route, APIWebSocketRoute) and route.path == "/ws":
            app.add_api_websocket_route(LISTEN, route.endpoint, "listen v1")


def described(
    example: Example | None,
    sent: Json | None = None,
    files: Sequence[str] = (),
    empty: bool = False,
) -> Json:
    """What the address takes and answers, by example, and how it refuses.

    ``sent`` is the schema of its request where FastAPI does not know it; ``files`` are the kinds
    of content that are not JSON; ``empty`` where it may have nothing to answer.
    """
    responses: Json = {
        str(status): {"description": why, "content": {"application/json": {"schema": _DETAIL}}}
        for status, why in _REFUSALS.items()
    }
    told: Json = {"responses": responses}
    if files:
        content = {kind: {"schema": {"type": "string"}} for kind in files}
        responses["200"] = {"description": "The file", "content": content}
    if empty:
        responses["204"] = {"description": "There is none"}
    if example is not None:
        shown = {"schema": {"type": "object"}, "example": example.answer}
        responses["200"] = {"description": "Done", "content": {"application/json": shown}}
        if example.asked is not None:
            body: Json = {"example": example.asked}
            if sent is not None:
                body["schema"] = sent
            told["requestBody"] = {"required": True, "content": {"application/json": body}}
    return told


@dataclass(frozen=True)
class Example:
    answer: Json
    asked: Json | None = None
    """None for requests without a body."""


def _examples() -> Mapping[tuple[str, str], Example]:
    written = (files("service") / "templates" / "api_examples.json").read_text("utf-8")
    rows = json.loads(written)
    return {(row["method"], row["path"]): Example(row["answer"], row.get("asked")) for row in rows}


EXAMPLES: Final = _examples()
"""By method and path."""
