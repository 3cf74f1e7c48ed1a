"""Asks one application everything, and notes which of its addresses nobody has asked."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from fastapi import FastAPI
from starlette.routing import compile_path

from service.web.rights import ROWS, Serves
from tests.support.goldens.kept import Goldens, answer_text, file_name, with_askers
from tests.support.in_process import Socket, asked, routes_of

_LETTERS: Final = re.compile(rb'"code":"[A-Z]{4}"')
"""Codes to type, which are drawn anew."""
_OWN_NUMBERS: Final = re.compile(r"^(?!tilesight_(lines|questions|ended|failed|tables)).*\n?", re.M)
"""Metrics that are times and memory, which differ in any two runs."""


FOLLOWS_S: Final = 60.0
"""How long what follows from a request may take on a busy machine."""
_ROWS: Final[dict[Serves, list[tuple[str, str, Callable[[str], object]]]]] = {}
"""The addresses of what is served: with their method, and what tells a path that is one."""


@dataclass
class Asking:
    """Whoever asks one application."""

    app: FastAPI
    kept: Goldens
    under: str
    """Folder of these goldens."""
    asked: set[str] = field(default_factory=set)
    """Addresses, as ``METHOD /path/{name}``, of which there is a golden."""
    number: int = 0
    """Of the last request that changes something: their order counts."""

    async def answer(self, method: str, path: str, key: str | None, body: object = None) -> str:
        """What is answered to one request, as it is kept."""
        self.note(method, path)
        status, told = await asked(self.app, method, path, key, body)
        if path == "/metrics":
            told = _OWN_NUMBERS.sub("", told.decode()).encode()
        if path.endswith(("/links", "/seats")):
            told = _LETTERS.sub(b'"code":""', told)
        return answer_text(status, told)

    async def read(self, path: str, keys: Mapping[str, str | None]) -> None:
        """Keep what everybody gets who asks for this."""
        answers = {who: await self.answer("GET", path, key) for who, key in keys.items()}
        self.kept.keep(f"{self.under}/{file_name('GET', path)}", with_askers(answers))

    async def change(self, method: str, path: str, body: object, key: str | None) -> str:
        """Keep what is answered to a request that changes something; in the order of requests.

        What follows from it is over before the next one is sent.
        """
        self.number += 1
        before = asyncio.all_tasks()
        told = await self.answer(method, path, key, body)
        if follows := asyncio.all_tasks() - before:
            await asyncio.wait(follows, timeout=FOLLOWS_S)
        name = f"{self.under}/{self.number:03}-{file_name(method, path)}"
        self.kept.keep(name, f"{self.kept.plain(body)}\n{told}")
        return told

    @contextlib.asynccontextmanager
    async def socket(self, path: str, key: str | None, name: str) -> AsyncIterator[Socket]:
        """A socket; all that it was sent is kept when it closes."""
        self.note("WEBSOCKET", path)
        socket = Socket(self.app, path, key)
        try:
            yield socket
        finally:
            await socket.close()
            told = "\n".join(self.kept.plain(_message(message)) for message in socket.told)
            self.kept.keep(f"{self.under}/{file_name('SOCKET', path, name)}", told)

    def __post_init__(self) -> None:
        serves = self._serves()
        if serves not in _ROWS:  # to list them takes half a second
            _ROWS[serves] = [
                (row, *_pattern(row))
                for row in sorted(set(routes_of(self.app)))
                if (known := ROWS.get(row.replace("WEBSOCKET", "GET"))) is None
                or known.right(serves) is not None
            ]
        self._rows = _ROWS[serves]

    def _serves(self) -> Serves:
        """Of one application, what is asked here."""
        if self.app.title.endswith("hall"):
            return Serves.HALL
        return {"setup": Serves.SET_UP, "phone": Serves.PHONE}.get(self.under, Serves.TABLE)

    def note(self, method: str, path: str) -> None:
        """There is a golden of this address."""
        where = path.partition("?")[0]
        self.asked |= {row for row, its, route in self._rows if its == method and route(where)}

    def missing(self) -> set[str]:
        """The addresses that were never asked."""
        return {row for row, *_ in self._rows} - self.asked


def _pattern(row: str) -> tuple[str, Callable[[str], object]]:
    """The method of a route, and what tells whether a path is one of its."""
    method, route = row.split(maxsplit=1)
    if route.endswith("/") and route != "/":  # a folder of files
        return method, lambda path: path.startswith(route)
    return method, compile_path(route)[0].match


@contextlib.asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[FastAPI]:
    """Run what goes on beside the requests of an application."""
    async with app.router.lifespan_context(app):
        yield app


def first_and_last(count: int, wanted: int) -> Iterator[int]:
    """So many places among ``count``, evenly: the first and the last are among them."""
    wanted = min(wanted, count)
    yield from sorted({round(at * (count - 1) / max(1, wanted - 1)) for at in range(wanted)})


def _message(told: str) -> str | bytes:
    """What a socket was sent; a picture as its bytes, of which a digest is kept."""
    if not told.startswith("{'type': 'websocket.send'"):
        return told.encode()
    sent = ast.literal_eval(told)["bytes"]
    assert isinstance(sent, bytes)
    return sent
