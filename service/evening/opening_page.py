"""What is answered while a long record is opened: that pages shall wait, and how far it is."""

from __future__ import annotations

from typing import Final

from fastapi.requests import HTTPConnection
from fastapi.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from service.evening.open_table import Opening
from service.texts.catalogue import texts_of
from service.web.language import language_of

TRY_AGAIN: Final = 1013
"""Closes a socket whose page shall come again."""
AGAIN_S: Final = 1


class OpeningPage:
    """Answers what waits for the one table of a program while that is being opened."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": TRY_AGAIN})
        else:
            await self._please_wait(language_of(HTTPConnection(scope)))(scope, receive, send)

    def _please_wait(self, lang: str) -> HTMLResponse:
        texts, of = texts_of(lang), self.opening.of
        said = texts["page.setup.opening_record" if of else "page.setup.opening"]
        told = said.format(events=self.opening.events, of=of)
        return HTMLResponse(
            f'<!doctype html><html lang="{texts["language.tag"]}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<meta http-equiv="refresh" content="{AGAIN_S}"><title>tilesight</title><p>{told}</p>',
            503,
            {"Retry-After": str(AGAIN_S)},
        )
