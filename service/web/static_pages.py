"""Pages and files of every slice as answers, and the headers of answers."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Final

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

from service.texts.pages import catalogue_script
from service.web.language import language_of
from service.web.page_files import CATALOGUE, CLUB, SERVICE, html_of, static_file
from service.web.rights import PAGES, Serves, row_of


def html_page(name: str, lang: str) -> Response:
    return Response(html_of(name, lang), media_type="text/html")


def add_pages(
    app: FastAPI,
    pages: Mapping[str, str],
    marks: Callable[[Request], Iterable[str]] = lambda _: (),
    serves: Callable[[HTTPConnection], Serves] | None = None,
) -> None:
    """Serve pages at their addresses, and the drawings of tiles; ``marks`` are classes of each.

    ``serves`` says what is served when a request comes in, where that may be something else.
    """
    tiles = static_file("shared/tiles.svg").read_bytes()
    app.add_route("/tiles.svg", partial(_tiles, Response(tiles, media_type="image/svg+xml")))
    for path, name in pages.items():
        app.add_route(path, partial(_page, name, marks, serves))


async def _tiles(tiles: Response, _: Request) -> Response:
    return tiles


def _page(
    name: str,
    marks: Callable[[Request], Iterable[str]],
    serves: Callable[[HTTPConnection], Serves] | None,
    request: Request,
) -> Response:
    if serves is not None:
        name = PAGES[serves(request)].get(request.url.path, name)
    html = html_of(name, language_of(request))
    if classes := " ".join(marks(request)):
        html = html.replace("<body", f'<body class="{classes}"')
    return Response(html, media_type="text/html")


class PageFiles(StaticFiles):
    """The files of every slice, and the texts of the language asked for as a module beside them."""

    def __init__(self) -> None:
        super().__init__(directory=str(SERVICE / "static"))
        club = {name: str(SERVICE / name / "static") for name in CLUB}
        self._of_club = {name: StaticFiles(directory=folder) for name, folder in club.items()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path != CATALOGUE or scope["method"] not in ("GET", "HEAD"):
            slice_, _, name = path.replace(os.sep, "/").partition("/")
            if slice_ in self._of_club:
                return await self._of_club[slice_].get_response(name, scope)
            return await super().get_response(path, scope)
        script = catalogue_script(language_of(HTTPConnection(scope))).encode()
        tag = f'"{blake2b(script, digest_size=16).hexdigest()}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
        found = Response(script, headers=headers, media_type="text/javascript")
        if self.is_not_modified(found.headers, Headers(scope=scope)):
            return NotModifiedResponse(found.headers)
        return found


_HEADERS: Final = {
    # Nothing from other hosts; our drawings carry inline styles.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob: data:; "
    "style-src 'self' 'unsafe-inline'; connect-src 'self'; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def add_headers(app: FastAPI) -> None:
    """Load nothing from other hosts, and send them no address."""

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=400)  # of a request that was broken off; nobody hears it

    @app.exception_handler(WebSocketDisconnect)
    async def left(_: WebSocket, __: WebSocketDisconnect) -> None:
        """The page was closed before it was answered."""

    @app.middleware("http")
    async def headers(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        if "\0" in request.scope["path"]:  # no file system takes it, and not all say so kindly
            return JSONResponse({"detail": "there is nothing at this address"}, 404)
        response = await call_next(request)
        kept = row_of(request.method, request.scope["path"]).may_be_kept
        response.headers.update(_HEADERS)
        response.headers["Cache-Control"] = "no-cache" if kept else "no-store"
        return response
