"""Pages and files of every slice, with parts from ``templates``, and the headers of answers."""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import blake2b
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final
from urllib.parse import urljoin

from fastapi import FastAPI, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.requests import HTTPConnection
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

from service.texts.catalogue import texts_of
from service.texts.pages import catalogue_script
from service.web.language import PLAIN, language_of

_SERVICE: Final = files("service")
_CATALOGUE: Final = "words/catalogue.js"
_PART: Final = re.compile(r"<!-- part: (\w+) -->")
_ABOUT: Final = re.compile(r"<!-- (title|only|styles|script): ([^>]*?) -->\n")
_IMPORT: Final = re.compile(r'^import [^"]*"([^"]+)";$', re.MULTILINE)
_CONTROLS: Final = re.compile(r"<(?:button|form|input|select)\b")
_CLUB: Final = ("hall", "archive")
"""Slices whose files lie in their own folders; those of the others lie in ``static``."""


def folder_of(address: str) -> tuple[Traversable, str]:
    """The folder of a file below ``/static/``, and the file's path in it."""
    slice_, _, name = address.partition("/")
    if slice_ in _CLUB:
        return _SERVICE / slice_ / "static", name
    return _SERVICE / "static", address


def static_file(address: str) -> Traversable:
    folder, name = folder_of(address)
    return folder / name


def html_of(address: str, lang: str = PLAIN) -> str:
    """Return a page by its address below ``/static/``; ``<!-- part: NAME -->`` includes a template.

    The first lines name its styles and its script. With controls it stands still until the script
    says that it listens: a tap on what has no script yet would be lost without a word.

    It is read anew each time, as its scripts are: so they fit where the program's files are
    replaced while it runs.
    """
    text = static_file(address).read_text("utf-8")
    about = dict(_ABOUT.findall(text))
    body = _PART.sub(lambda found: _part(found[1]), _ABOUT.sub("", text)).strip()
    first, *others = modules_of(f"{about['script']}.js")
    styles = ("shared/style", *about.get("styles", "").split())
    texts = texts_of(lang)
    return _part("page").format(
        lang=texts["language.tag"],
        failed=escape(texts["page.not_loaded"]),
        again=escape(texts["page.refused.again"]),
        root=f' data-only="{about["only"]}"' if "only" in about else "",
        title=about.get("title", "tilesight"),
        styles="\n".join(f'<link rel="stylesheet" href="/static/{style}.css">' for style in styles),
        inert=" inert" if _CONTROLS.search(body) else "",
        body=body,
        # All at once: each module is known to the browser only once another was read.
        preloads="\n".join(f'<link rel="modulepreload" href="/static/{name}">' for name in others),
        script=f'<script type="module" src="/static/{first}"></script>',
    )


def modules_of(address: str) -> tuple[str, ...]:
    """A script of a page and all that it imports, by their addresses below ``/static/``."""
    known = [address]
    for name in known:  # grows meanwhile
        if name != _CATALOGUE:
            text = static_file(name).read_text("utf-8")
            base = f"/static/{name}"
            found = (urljoin(base, each).removeprefix("/static/") for each in _IMPORT.findall(text))
            known.extend(dict.fromkeys(each for each in found if each not in known))
    return tuple(known)


def html_page(name: str, lang: str) -> Response:
    return Response(html_of(name, lang), media_type="text/html")


def add_pages(app: FastAPI, pages: Mapping[str, str], mark: str = "") -> None:
    """Serve pages at their addresses, and the drawings of tiles; ``mark`` is a class of each."""
    tiles = static_file("shared/tiles.svg").read_bytes()
    app.add_route("/tiles.svg", partial(_tiles, Response(tiles, media_type="image/svg+xml")))
    for path, name in pages.items():
        app.add_route(path, partial(_page, name, mark))


async def _tiles(tiles: Response, _: Request) -> Response:
    return tiles


def _page(name: str, mark: str, request: Request) -> Response:
    html = html_of(name, language_of(request))
    html = html.replace("<body", f'<body class="{mark}"' if mark else "<body")
    return Response(html, media_type="text/html")


def _part(name: str) -> str:
    return (_SERVICE / "templates" / f"{name}.html").read_text("utf-8").strip()


class PageFiles(StaticFiles):
    """The files of every slice, and the texts of the language asked for as a module beside them."""

    def __init__(self) -> None:
        super().__init__(directory=str(_SERVICE / "static"))
        club = {name: str(_SERVICE / name / "static") for name in _CLUB}
        self._of_club = {name: StaticFiles(directory=folder) for name, folder in club.items()}

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path != _CATALOGUE or scope["method"] not in ("GET", "HEAD"):
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
