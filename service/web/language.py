"""In which language a request or a socket is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from fastapi import Depends
from fastapi.requests import HTTPConnection

from engine.texts.files import LANGUAGES

CHOSEN: Final = "tilesight-language"
"""The cookie in which a page keeps the language that a person chose."""
PLAIN: Final = "en"
"""What browsers ask for when nobody has set them: no choice, the program's own goes before it."""


def language_of(connection: HTTPConnection) -> str:
    """What ``?lang=`` asks for, else what was chosen on a page, else what the browser is set to.

    Where none of them says anything, it is the language that the program was started with.
    """
    own = str(getattr(connection.app.state, "lang", PLAIN))
    named = (connection.query_params.get("lang"), connection.cookies.get(CHOSEN))
    if (chosen := next((lang for lang in named if lang in LANGUAGES), None)) is not None:
        return chosen
    accepted = next((lang for lang in _accepted(connection) if lang in LANGUAGES), PLAIN)
    return own if accepted == PLAIN else accepted


def _accepted(connection: HTTPConnection) -> Iterator[str]:
    """The languages of ``Accept-Language``, the most welcome first, without their countries."""
    wishes = connection.headers.get("accept-language", "").split(",")
    for wish in sorted(wishes, key=_welcome, reverse=True):
        yield wish.partition(";")[0].strip().partition("-")[0].lower()


def _welcome(wish: str) -> float:
    _, _, weight = wish.partition("q=")
    try:
        return float(weight or 1)
    except ValueError:
        return 0.0


async def _asked(connection: HTTPConnection) -> str:
    return language_of(connection)


Language = Annotated[str, Depends(_asked)]
"""Of the request that is answered."""
