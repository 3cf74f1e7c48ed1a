"""The programming interface of a hall: tables post their lines, administrators run the hall."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import FastAPI, Query, Request, Response, WebSocket

from engine.codec import write_record
from engine.rules import RULE_SETS
from service.errors import NotThere
from service.hall import request_bodies as bodies
from service.hall.access import hall_key_of, in_database, refuse_other_table
from service.hall.hall import ALL_PAGES, Hall
from service.hall.people import people_csv
from service.hall.request_bodies import read_body
from service.hall.routes import Routes, file_of
from service.pages.api_bodies import Number
from service.pages.api_v1 import VERSION
from service.pages.requests import (
    TOO_SLOW,
    accepted,
    body_of,
    refuse_foreign,
    refuse_foreign_page,
    until_gone,
)
from service.report.public import Json
from service.table.page_messages import Subscriber
from service.words.catalogue import rules_titles

NO_TABLE: Final = 1008
"""WebSocket close code for a table that does not exist."""
InRecord = Annotated[bodies.RecordName, Query()]


def add_api(app: FastAPI, hall: Hall) -> None:
    """Add every address that pages and programs use."""
    route = Routes(app)
    _tables(route, hall)
    _posting(route, hall)
    _records(route, hall)
    _keys(route, hall)
    _leagues(route, hall)
    add_players(route, hall)
    _listening(app, hall)


def _tables(route: Routes, hall: Hall) -> None:
    @route("GET", "tables")
    async def tables() -> Json:
        """List all tables, a row each, with the reasons why somebody should go there."""
        return hall.all_rows()

    @route("POST", "tables", admin=True)
    async def add(new: bodies.NewTable) -> Json:
        """Add a table; the answer has the key with which it posts, which is shown only now."""
        return {"name": new.name, "key": await hall.add_table(new.name, new.title or new.name)}

    @route("GET", "tables/{name}")
    async def table(name: str) -> Json:
        """Show one table as everybody may see it."""
        return hall.find(name).page()

    @route("PUT", "tables/{name}", admin=True)
    async def change(name: str, change: bodies.HallTableChange) -> Json:
        """Change a table's title, or the league that its next records count in."""
        own = hall.find(name).table
        league = change.league if "league" in change.model_fields_set else own.league_id
        await hall.change_table(name, change.title or own.title, league)
        return {"name": name}


def _posting(route: Routes, hall: Hall) -> None:
    def own_table(request: Request, name: str) -> int:
        """The id of the table that the request's key may post for; raise ``Forbidden``."""
        number = hall.find(name).table.id
        refuse_other_table(request, number)
        return number

    @route("GET", "tables/{name}/lines")
    async def stands(request: Request, name: str, record: InRecord) -> Json:
        """Count the lines of a record that the hall holds: the number of the next line."""
        number = own_table(request, name)
        return {
            "record": record,
            "lines": await in_database(hall.records.line_count, number, record),
        }

    @route("POST", "tables/{name}/lines", bodies.Post)
    async def post(request: Request, name: str) -> Json:
        """Add lines to a record, from number ``from`` on; lines held already may be repeated."""
        refuse_foreign(request)
        own_table(request, name)
        post = read_body(bodies.Post, await body_of(request, bodies.LARGEST))
        entries = await asyncio.to_thread(post.entries)
        lines = await hall.post(name, post.record, post.first, entries)
        return {"record": post.record, "lines": lines}

    @route("POST", "tables/{name}/condition")
    async def hear(request: Request, name: str, condition: bodies.TableCondition) -> Json:
        """Report that a table is there, what is wrong at it, and its open questions."""
        own_table(request, name)
        hall.hear(name, condition)
        return {"name": name}


def _records(route: Routes, hall: Hall) -> None:
    @route("GET", "tables/{name}/records", admin=True)
    async def records(name: str) -> Json:
        """List a table's records; for administrators."""
        return {"records": await in_database(hall.records.listed, hall.find(name).table.id)}

    @route("GET", "tables/{name}/record", admin=True)
    async def download(name: str, record: InRecord) -> Response:
        """Download one record as the table has it, hands included; for administrators."""
        own = hall.find(name).table.id
        known = await in_database(hall.records.find, own, record)
        text = await asyncio.to_thread(lambda: write_record(hall.records.entries(known.record_id)))
        return file_of(record, text, "application/jsonl")

    @route("PUT", "tables/{name}/league", admin=True)
    async def assign(name: str, asked: bodies.LeagueOfRecord) -> Json:
        """Let the games of one record count in a league; null: in none."""
        own = hall.find(name).table.id
        known = await in_database(hall.records.find, own, asked.record)
        if asked.league is not None:
            await in_database(hall.leagues.find, asked.league)
        await in_database(hall.leagues.assign, known.record_id, asked.league)
        return {"record": asked.record, "league": asked.league}


def _keys(route: Routes, hall: Hall) -> None:
    @route("GET", "keys", admin=True)
    async def keys() -> Json:
        """List the keys without their secrets; for administrators."""
        return {"keys": await in_database(hall.keys.listed)}

    @route("POST", "keys", admin=True)
    async def make(new: bodies.NewKey) -> Json:
        """Make a key, which is shown only now: ``public``, ``viewer``, ``admin``, or ``table``
        with the table's name."""
        own = None if new.table is None else hall.find(new.table).table.id
        key = await in_database(hall.keys.make, new.role, own, new.label)
        return {"role": new.role, "key": key}

    @route("DELETE", "keys/{number}", admin=True)
    async def revoke(request: Request, number: Number) -> Json:
        """Revoke a key and close the pages that it opened."""
        refuse_foreign_page(request)
        await in_database(hall.keys.revoke, number)
        hall.close_pages(number)
        return {"id": number}


def _leagues(route: Routes, hall: Hall) -> None:
    @route("GET", "leagues")
    async def leagues() -> Json:
        """List the seasons of all leagues, the newest first."""
        rows = await in_database(hall.leagues.listed)
        return {"leagues": [row.json() for row in rows]}

    @route("GET", "rules")
    async def rules() -> Json:
        """List the rule sets that a league can be played by."""
        return {"rules": list(RULE_SETS), "titles": [rules_titles(one) for one in RULE_SETS]}

    @route("POST", "leagues", admin=True)
    async def add(new: bodies.NewLeague) -> Json:
        """Begin a season; games by other rules than its own do not count in it."""
        return (await in_database(hall.leagues.add, new.name, new.season, new.rules)).json()

    @route("GET", "leagues/{number}")
    async def league(number: Number) -> Json:
        """Show the standings of a season, and its games."""

        def told() -> Json:
            found = hall.leagues.find(number)
            return {
                "league": found.json(),
                "people": [row.json() for row in hall.leagues.standings(found)],
                "games": [game.json() for game in hall.leagues.games(found)],
            }

        return await in_database(told)

    @route("GET", "leagues/{number}/csv")
    async def download(number: Number) -> Response:
        """Download the standings as comma-separated values."""
        found = await in_database(hall.leagues.find, number)
        text = await in_database(hall.leagues.csv, found)
        return file_of(f"{found.name} {found.season}.csv", text, "text/csv")


def _listening(app: FastAPI, hall: Hall) -> None:
    @app.websocket(f"{VERSION}listen")
    async def listen(socket: WebSocket) -> None:
        if await accepted(socket):
            with hall.subscribed(None, _number(socket)) as subscriber:
                await until_gone(socket, _send(socket, hall.all_rows(), subscriber))

    @app.websocket(f"{VERSION}watch")
    async def watch(socket: WebSocket) -> None:
        if await accepted(socket):
            with hall.subscribed(ALL_PAGES, _number(socket)) as subscriber:
                await until_gone(socket, _send(socket, hall.all_pages(), subscriber))

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
    key = hall_key_of(socket)
    return None if key is None else key.id


async def _send(socket: WebSocket, first: Json, subscriber: Subscriber) -> None:
    await socket.send_json(first)
    while not subscriber.too_slow.is_set():
        message = await subscriber.messages.get()
        if not subscriber.too_slow.is_set():
            await socket.send_json(message)
    await socket.close(TOO_SLOW, "begin anew")


OfRules = Annotated[bodies.RulesId | None, Query()]


def add_players(route: Routes, hall: Hall) -> None:
    @route("GET", "players")
    async def players(rules: OfRules = None) -> Json:
        """List everybody with a finished game, the best rating first; ``rules``: by these alone."""
        people = await in_database(hall.people.listed, rules)
        played = await in_database(hall.people.rules)
        return {
            "people": [one.json() for one in people],
            "rules": [{"rules": one, "rules_titles": rules_titles(one)} for one in played],
        }

    @route("GET", "players/csv")
    async def download(rules: OfRules = None) -> Response:
        """Download the same as comma-separated values."""
        text = await in_database(lambda: people_csv(hall.people.listed(rules)))
        return file_of("players.csv", text, "text/csv")

    @route("GET", "players/{number}")
    async def player(number: Number) -> Json:
        """Show everything that is kept of a person: totals, names, and each finished game."""

        def told() -> Json:
            found = hall.people.find(number)
            games = [game.json() for game in reversed(found.games)]
            return {"person": found.json(), "names": hall.people.names(number), "games": games}

        return await in_database(told)

    _changes(route, hall)


def _changes(route: Routes, hall: Hall) -> None:
    @route("PUT", "players/{number}", admin=True)
    async def rename(number: Number, asked: bodies.NameOfPlayer) -> Json:
        """Show a person under this name; games under the earlier names stay theirs."""
        await in_database(hall.player_names.rename, number, asked.name)
        return {"id": number}

    @route("POST", "players/{number}/join", admin=True)
    async def join(number: Number, asked: bodies.OtherPlayer) -> Json:
        """Two people are one: the other's names and games become this person's."""
        await in_database(hall.player_names.join, number, asked.other)
        return {"id": number}

    @route("POST", "players/{number}/part", admin=True)
    async def part(number: Number, asked: bodies.NameOfPlayer) -> Json:
        """One of a person's names is somebody else: their games count apart from now on."""
        await hall.part(number, asked.name)
        return {"id": number}

    @route("DELETE", "players/{number}", admin=True)
    async def forget(request: Request, number: Number) -> Json:
        """Forget a person: their names are taken out of every record; the games stay."""
        refuse_foreign_page(request)
        await hall.forget(number)
        return {"id": number}
