"""The programming interface of a hall: tables post their lines, people run the hall."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import FastAPI, Path, Query, Request, Response, Security, WebSocket
from fastapi.responses import JSONResponse

from engine.codec import write_record
from engine.rules import RULE_SETS
from service.access.roles import granted
from service.hall import request_bodies as read
from service.hall.access import NO_DATABASE, key_of, refuse_all_but_admin, refuse_other_table
from service.hall.deadlines import in_database
from service.hall.examples import EXAMPLES
from service.hall.hall import Hall
from service.hall.schemas import BODIES, FILES
from service.pages.api_v1 import KEY, UNREADABLE, VERSION, described
from service.pages.checks import answered, body_of, refuse_foreign, refuse_foreign_page
from service.pages.sockets import TOO_SLOW, accepted, until_gone
from service.report.public import Json
from service.table.mending import NotThere
from service.table.subscriber import Subscriber

NO_TABLE: Final = 1008
"""Close code: what was asked for is not there."""
Number = Annotated[int, Path(ge=0, le=read.MOST)]
RecordName = Annotated[str, Query(min_length=1, max_length=read.RECORD_LETTERS)]
Handler = Callable[..., Any]
AdminChange = Callable[[Json], Awaitable[Json]]


class Routes:
    """Adds addresses with their examples to an application."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def __call__(self, method: str, path: str) -> Callable[[Handler], Handler]:
        files = [FILES[path]] if path in FILES else []
        return self._app.api_route(
            VERSION + path,
            methods=[method],
            response_class=Response if files else JSONResponse,
            responses={422: UNREADABLE, 503: {"description": NO_DATABASE}},
            openapi_extra=described(
                EXAMPLES.get((method, path)), BODIES.get((method, path)), files
            ),
            dependencies=[Security(KEY)],
        )


def add_api(app: FastAPI, hall: Hall) -> None:
    """Add everything that pages and programs ask a hall for."""
    route = Routes(app)
    _tables(route, hall)
    _posting(route, hall)
    _records(route, hall)
    _keys(route, hall)
    _leagues(route, hall)
    _listening(app, hall)


def _tables(route: Routes, hall: Hall) -> None:
    @route("GET", "tables")
    async def tables() -> Json:
        """All tables, each in one line, with the reasons why somebody should go there."""
        return hall.all_rows()

    @route("POST", "tables")
    async def add(request: Request) -> JSONResponse:
        """Add a table; the answer has the key with which it posts, which is shown only now."""

        async def added(asked: Json) -> Json:
            name = read.table_name(asked)
            title = read.words(asked, "title", default="") or name
            return {"name": name, "key": await hall.add_table(name, title)}

        return await _by_admin(request, added)

    @route("GET", "tables/{name}")
    async def table(name: str) -> JSONResponse:
        """One table as everybody may see it."""

        async def shown() -> Json:
            return hall.find(name).page()

        return await answered(shown())

    @route("PUT", "tables/{name}")
    async def change(request: Request, name: str) -> JSONResponse:
        """Give a table another title, or the league that what begins there is played in."""

        async def changed(asked: Json) -> Json:
            own = hall.find(name).table
            title = read.words(asked, "title", default=own.title) or own.title
            league = read.league_number(asked) if "league" in asked else own.league_id
            await hall.change_table(name, title, league)
            return {"name": name}

        return await _by_admin(request, changed)


def _posting(route: Routes, hall: Hall) -> None:
    @route("GET", "tables/{name}/lines")
    async def stands(request: Request, name: str, record: RecordName) -> JSONResponse:
        """How many lines of a record the hall holds: the number of the line to go on with."""

        async def found() -> Json:
            own = hall.find(name).table.id
            refuse_other_table(request, granted(request), own)
            known = read.record_name(record)
            return {
                "record": known,
                "lines": await in_database(hall.records.stands, own, known),
            }

        return await answered(found())

    @route("POST", "tables/{name}/lines")
    async def post(request: Request, name: str) -> JSONResponse:
        """Add lines to a record, from number ``from`` on; what is there already may come again."""

        async def posted() -> Json:
            refuse_foreign(request)
            refuse_other_table(request, granted(request), hall.find(name).table.id)
            record, first, entries = read.lines(await body_of(request, read.LARGEST))
            return {"record": record, "lines": await hall.post(name, record, first, entries)}

        return await answered(posted())

    @route("POST", "tables/{name}/condition")
    async def hear(request: Request, name: str) -> JSONResponse:
        """Say that a table is there, what is wrong at it, and how many questions wait."""

        async def heard() -> Json:
            refuse_foreign(request)
            refuse_other_table(request, granted(request), hall.find(name).table.id)
            hall.hear(name, read.condition(await body_of(request)))
            return {"name": name}

        return await answered(heard())


def _records(route: Routes, hall: Hall) -> None:
    @route("GET", "tables/{name}/records")
    async def records(request: Request, name: str) -> JSONResponse:
        """What a table has posted so far; for who runs the hall."""

        async def listed() -> Json:
            refuse_all_but_admin(granted(request))
            own = hall.find(name).table.id
            return {"records": await in_database(hall.records.listed, own)}

        return await answered(listed())

    @route("GET", "tables/{name}/record")
    async def download(request: Request, name: str, record: RecordName) -> Response:
        """One record as the table has it, hands included; for who runs the hall."""
        text: list[str] = []

        async def read_out() -> Json:
            refuse_all_but_admin(granted(request))
            own = hall.find(name).table.id
            known = await in_database(hall.records.find, own, read.record_name(record))
            entries = await asyncio.to_thread(hall.records.entries, known.record_id)
            text.append(write_record(entries))
            return {}

        refusal = await answered(read_out())
        if not text:
            return refusal
        disposition = f"attachment; filename*=UTF-8''{quote(record, safe='')}"
        headers = {"Content-Disposition": disposition}
        return Response(text[0], media_type="application/jsonl", headers=headers)

    @route("PUT", "tables/{name}/league")
    async def assign(request: Request, name: str) -> JSONResponse:
        """Let the games of one record count in a league; null: in none."""

        async def assigned(asked: Json) -> Json:
            record = read.record_name(asked.get("record"))
            league = read.league_number(asked)
            own = hall.find(name).table.id
            known = await in_database(hall.records.find, own, record)
            if league is not None:
                await in_database(hall.leagues.find, league)
            await in_database(hall.leagues.assign, known.record_id, league)
            return {"record": record, "league": league}

        return await _by_admin(request, assigned)


def _keys(route: Routes, hall: Hall) -> None:
    @route("GET", "keys")
    async def keys(request: Request) -> JSONResponse:
        """Keys that were made, without what they are; for who runs the hall."""

        async def listed() -> Json:
            refuse_all_but_admin(granted(request))
            return {"keys": await in_database(hall.keys.listed)}

        return await answered(listed())

    @route("POST", "keys")
    async def make(request: Request) -> JSONResponse:
        """A new key: ``viewer``, ``admin``, or ``table`` with the table's name; shown only now."""

        async def made(asked: Json) -> Json:
            role = read.role(asked)
            table = None if asked.get("table") is None else read.words(asked, "table")
            own = None if table is None else hall.find(table).table.id
            label = read.words(asked, "label", default="")
            key = await in_database(hall.keys.make, role, own, label)
            return {"role": role, "key": key}

        return await _by_admin(request, made)

    @route("DELETE", "keys/{number}")
    async def revoke(request: Request, number: Number) -> JSONResponse:
        """Let a key open nothing from now on; the pages that it opened are closed."""

        async def revoked() -> Json:
            refuse_foreign_page(request)
            refuse_all_but_admin(granted(request))
            await in_database(hall.keys.revoke, number)
            hall.send_away(number)
            return {"id": number}

        return await answered(revoked())


def _leagues(route: Routes, hall: Hall) -> None:
    @route("GET", "leagues")
    async def leagues() -> Json:
        """Seasons of leagues, the newest first."""
        rows = await in_database(hall.leagues.listed)
        return {"leagues": [row.json() for row in rows]}

    @route("GET", "rules")
    async def rules() -> Json:
        """Rule sets that a league can be played by."""
        return {"rules": list(RULE_SETS)}

    @route("POST", "leagues")
    async def add(request: Request) -> JSONResponse:
        """Begin a season; games by other rules than its own do not count in it."""

        async def added(asked: Json) -> Json:
            given = (read.words(asked, "name"), read.words(asked, "season"), read.rules(asked))
            return (await in_database(hall.leagues.add, *given)).json()

        return await _by_admin(request, added)

    @route("GET", "leagues/{number}")
    async def league(number: Number) -> JSONResponse:
        """The standings of a season, and its games."""

        def told() -> Json:
            found = hall.leagues.find(number)
            return {
                "league": found.json(),
                "people": [row.json() for row in hall.leagues.standings(found)],
                "games": [game.json() for game in hall.leagues.games(found)],
            }

        return await answered(in_database(told))

    @route("GET", "leagues/{number}/csv")
    async def download(number: Number) -> Response:
        """The standings as comma-separated values."""
        try:
            found = await in_database(hall.leagues.find, number)
        except NotThere as refusal:
            return JSONResponse({"detail": str(refusal)}, 404)
        text = await in_database(hall.leagues.csv, found)
        name = quote(f"{found.name} {found.season}.csv", safe="")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(text, media_type="text/csv", headers=headers)


async def _by_admin(request: Request, change: AdminChange) -> JSONResponse:
    async def done() -> Json:
        refuse_foreign(request)
        refuse_all_but_admin(granted(request))
        return await change(await body_of(request))

    return await answered(done())


def _listening(app: FastAPI, hall: Hall) -> None:
    @app.websocket(f"{VERSION}listen")
    async def listen(socket: WebSocket) -> None:
        if await accepted(socket):
            with hall.subscribed(None, _number(socket)) as subscriber:
                await until_gone(socket, _send(socket, hall.all_rows(), subscriber))

    @app.websocket(VERSION + "tables/{name}/listen")
    async def listen_to_one(socket: WebSocket, name: str) -> None:
        if not await accepted(socket):
            return
        try:
            first = hall.page(name)
        except NotThere as refusal:
            await socket.close(NO_TABLE, str(refusal))
            return
        with hall.subscribed(name, _number(socket)) as subscriber:
            await until_gone(socket, _send(socket, first, subscriber))


def _number(socket: WebSocket) -> int | None:
    key = key_of(socket)
    return None if key is None else key.id


async def _send(socket: WebSocket, first: Json, subscriber: Subscriber) -> None:
    await socket.send_json(first)
    while not subscriber.too_slow.is_set():
        message = await subscriber.messages.get()
        if not subscriber.too_slow.is_set():
            await socket.send_json(message)
    await socket.close(TOO_SLOW, "begin anew")
