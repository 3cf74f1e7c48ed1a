"""Pages from ``static``, with shared parts from ``templates``."""

from __future__ import annotations

import re
from hashlib import blake2b
from importlib.resources import files
from typing import Final

from fastapi import Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

from service.words.pages import catalogue_script

_SERVICE: Final = files("service")
_CATALOGUE: Final = "words/catalogue.js"
_PART: Final = re.compile(r"<!-- part: (\w+) -->")


def html_of(name: str) -> str:
    """Return a page of ``static``; ``<!-- part: NAME -->`` includes that template."""
    text = (_SERVICE / "static" / name).read_text("utf-8")
    return _PART.sub(lambda found: _part(found[1]), text)


def html_page(name: str) -> Response:
    return Response(html_of(name), media_type="text/html")


def _part(name: str) -> str:
    return (_SERVICE / "templates" / f"{name}.html").read_text("utf-8").strip()


class PageFiles(StaticFiles):
    """What lies in ``static``, and the texts of every language as a script beside it."""

    def __init__(self) -> None:
        super().__init__(directory=str(_SERVICE / "static"))

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path != _CATALOGUE or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        script = catalogue_script().encode()
        tag = f'"{blake2b(script, digest_size=16).hexdigest()}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        found = Response(script, headers=headers, media_type="text/javascript")
        if self.is_not_modified(found.headers, Headers(scope=scope)):
            return NotModifiedResponse(found.headers)
        return found
