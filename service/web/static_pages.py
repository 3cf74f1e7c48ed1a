"""Pages from ``static``, with shared parts from ``templates``, and the headers of every answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import blake2b
from importlib.resources import files
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

_SERVICE: Final = files("service")
_CATALOGUE: Final = "words/catalogue.js"
_PART: Final = re.compile(r"<!-- part: (\w+) -->")
_ABOUT: Final = re.compile(r"<!-- (title|only|styles|scripts): ([^>]*?) -->\n")
_CONTROLS: Final = re.compile(r"<(?:button|form|input|select)\b")
_ON_EVERY_PAGE: Final = ("words/catalogue", "words", "elements")


def html_of(name: str) -> str:
    """Return a page of ``static``; ``<!-- part: NAME -->`` includes that template.

    The first lines name its styles and scripts. With controls it stands still until a script
    says that it listens: a tap on what has no script yet would be lost without a word.
    """
    text = (_SERVICE / "static" / name).read_text("utf-8")
    about = dict(_ABOUT.findall(text))
    body = _PART.sub(lambda found: _part(found[1]), _ABOUT.sub("", text)).strip()
    scripts = (*_ON_EVERY_PAGE, *about["scripts"].split())
    styles = ("style", *about.get("styles", "").split())
    return _part("page").format(
        root=f' data-only="{about["only"]}"' if "only" in about else "",
        title=about.get("title", "tilesight"),
        styles="\n".join(f'<link rel="stylesheet" href="/static/{style}.css">' for style in styles),
        inert=" inert" if _CONTROLS.search(body) else "",
        body=body,
        scripts="\n".join(f'<script src="/static/{script}.js"></script>' for script in scripts),
    )


def html_page(name: str) -> Response:
    return Response(html_of(name), media_type="text/html")


def add_pages(app: FastAPI, pages: Mapping[str, str], mark: str = "") -> None:
    """Serve pages at their addresses, and the drawings of tiles; ``mark`` is a class of each."""
    tiles = (_SERVICE / "static" / "tiles.svg").read_bytes()
    app.add_route("/tiles.svg", partial(_page, Response(tiles, media_type="image/svg+xml")))
    for path, name in pages.items():
        html = html_of(name).replace("<body", f'<body class="{mark}"' if mark else "<body")
        app.add_route(path, partial(_page, Response(html, media_type="text/html")))


async def _page(page: Response, _: Request) -> Response:
    return page


def _part(name: str) -> str:
    return (_SERVICE / "templates" / f"{name}.html").read_text("utf-8").strip()


class PageFiles(StaticFiles):
    """What lies in ``static``, and the texts of the language asked for as a script beside it."""

    def __init__(self) -> None:
        super().__init__(directory=str(_SERVICE / "static"))

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path != _CATALOGUE or scope["method"] not in ("GET", "HEAD"):
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
_OF_THE_GAME: Final = ("/api/", "/health", "/metrics")
"""Answers that no browser or proxy may keep; pages and pictures without it may be kept."""


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
        private = request.scope["path"].startswith(_OF_THE_GAME)
        response.headers.update(_HEADERS)
        response.headers["Cache-Control"] = "no-store" if private else "no-cache"
        return response
