"""Declares the addresses of a hall's programming interface, with descriptions and examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

from fastapi import Depends, FastAPI, Request, Response, Security
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from service.access.gate import in_english
from service.hall.access import NO_DATABASE, refuse_all_but_admin
from service.hall.examples import EXAMPLES
from service.pages.api_examples import Example
from service.pages.api_v1 import KEY, UNREADABLE, VERSION, described

FILES: Final = {
    "tables/{name}/record": "application/jsonl",
    "leagues/{number}/csv": "text/csv",
    "players/csv": "text/csv",
    "archive/hands/csv": "text/csv",
    "archive/readings/{number}/files/{name:path}": "application/octet-stream",
}
"""Addresses that answer with a file instead of JSON, and its content type."""
Handler = Callable[..., Any]


async def _by_admin(request: Request) -> None:
    refuse_all_but_admin(request)


class Routes:
    """Adds addresses with their descriptions and examples to an application."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __call__(
        self,
        method: str,
        path: str,
        takes: type[BaseModel] | None = None,
        *,
        admin: bool = False,
        example: Example | None = None,
    ) -> Callable[[Handler], Handler]:
        """``takes``: the body of a route that reads it itself; ``example``: its own."""
        files = [FILES[path]] if path in FILES else []
        schema = None if takes is None else takes.model_json_schema()
        return self._app.api_route(
            VERSION + path,
            methods=[method],
            response_class=Response if files else JSONResponse,
            responses={422: UNREADABLE, 503: {"description": in_english(NO_DATABASE)}},
            openapi_extra=described(example or EXAMPLES.get((method, path)), schema, files),
            dependencies=[Security(KEY), *([Depends(_by_admin)] if admin else [])],
        )


def file_of(name: str, text: str, media_type: str) -> Response:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(text, media_type=media_type, headers={"Content-Disposition": disposition})
