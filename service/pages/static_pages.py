"""Pages as they lie in ``static``, with the parts that many of them have."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

from fastapi import Response

_SERVICE: Final = files("service")
_PART: Final = re.compile(r"<!-- part: (\w+) -->")


def html_of(name: str) -> str:
    """A page of ``static``; ``<!-- part: NAME -->`` is what stands in that template."""
    text = (_SERVICE / "static" / name).read_text("utf-8")
    return _PART.sub(lambda found: _part(found[1]), text)


def html_page(name: str) -> Response:
    """The same as an answer to a browser."""
    return Response(html_of(name), media_type="text/html")


def _part(name: str) -> str:
    return (_SERVICE / "templates" / f"{name}.html").read_text("utf-8").strip()
