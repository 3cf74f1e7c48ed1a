"""The people of a hall, for pages and programs; administrators join, part and forget them."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request, Response

from service.hall import request_bodies as bodies
from service.hall.deadlines import in_database
from service.hall.hall import Hall
from service.hall.people import people_csv
from service.hall.routes import Routes, file_of
from service.pages.api_bodies import Number
from service.pages.requests import refuse_foreign_page
from service.report.public import Json
from service.words.catalogue import rules_titles

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
