"""The web application of a hall: its pages and its programming interface.

Tables post their lines, administrators run the hall."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response, Security, WebSocket
from fastapi.responses import JSONResponse
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import TypedDict

from engine.codec import write_record
from engine.errors import NotThere
from engine.rules import RULE_SETS
from service.hall.access import (
    AT_ONCE,
    NO_ANSWER,
    NO_DATABASE,
    RETRY,
    KeyRow,
    entrance,
    hall_key_of,
    in_database,
    refuse_other_table,
)
from service.hall.hall import ALL_PAGES, LOOKS_ON, Hall
from service.hall.league import LeagueGame, LeagueRow
from service.hall.people import Person, PersonPage, people_csv
from service.hall.records import RecordRow
from service.hall.remote_table import RemoteTable
from service.hall.wire import (
    LARGEST,
    HallTableChange,
    HallView,
    LeagueChange,
    LeagueOfRecord,
    MadeKeyView,
    NameOfPlayer,
    NewKey,
    NewLeague,
    NewTable,
    OtherPlayer,
    Post,
    RecordName,
    RulesId,
    TableCondition,
)
from service.machine.files import LineSink, to_stderr
from service.pages.bodies import Number
from service.pages.request_log import LogSink, add_addresses, guarded_app, of_app
from service.pages.requests import (
    KEY,
    REFUSALS,
    DoneView,
    RecordLengthView,
    RefusingRoute,
    accepted,
    file_answer,
    file_of,
    relay,
    until_gone,
)
from service.report.player_standings import StandingView
from service.table.view import TableView, shown
from service.web.background import Background, JobFailing
from service.web.gate import add_enter, in_english
from service.web.grants import Role, granted
from service.web.language import Language
from service.web.rights import PAGES, VERSION, Serves
from service.web.static_pages import add_pages

NO_TABLE: Final = 1008
"""WebSocket close code for a table that does not exist."""
ANEW: Final = "begin anew"


TheHall = Annotated[Hall, of_app("hall")]
InRecord = Annotated[RecordName, Query()]
OfRules = Annotated[RulesId | None, Query()]


async def named_table(name: str, hall: TheHall) -> RemoteTable:
    return hall.find(name)


AskedTable = Annotated[RemoteTable, Depends(named_table)]


async def own_table(request: Request, table: AskedTable) -> RemoteTable:
    """The table, if the request's key may post for it; raise ``Forbidden``."""
    refuse_other_table(request, table.table.id)
    return table


OwnTable = Annotated[RemoteTable, Depends(own_table)]


class PostRoute(RefusingRoute):
    largest = LARGEST


def interface(route: type[RefusingRoute] = RefusingRoute) -> APIRouter:
    """Addresses for other programs."""
    return APIRouter(
        prefix=VERSION, route_class=route, responses=REFUSALS, dependencies=[Security(KEY)]
    )


api, posts, sockets = interface(), interface(PostRoute), APIRouter(prefix=VERSION)


@api.get("/tables")
async def tables(hall: TheHall, lang: Language) -> HallView:
    """List all tables, a row each, with the reasons why somebody should go there."""
    return hall.all_rows(lang)


@api.post("/tables")
async def add_table(new: NewTable, hall: TheHall) -> MadeKeyView:
    """Add a table; the answer has the key with which it posts, which is shown only now."""
    key = await hall.add_table(new.name, new.title or new.name)
    return {"role": "table", "table": new.name, "key": key}


@api.get("/tables/{name}")
async def table_page(table: AskedTable, lang: Language) -> TableView:
    """Show one table as everybody may see it."""
    return await shown(table.moment, lang, LOOKS_ON)


@api.put("/tables/{name}")
async def change_table(table: AskedTable, change: HallTableChange, hall: TheHall) -> DoneView:
    """Change a table's title, or the league that its next records count in."""
    own = table.table
    league = change.league if "league" in change.model_fields_set else own.league_id
    await hall.change_table(own.name, change.title or own.title, league)
    return {}


@api.get("/tables/{name}/lines")
async def line_count(table: OwnTable, record: InRecord, hall: TheHall) -> RecordLengthView:
    """Count the lines of a record that the hall holds: the number of the next line."""
    lines = await in_database(hall.records.line_count, table.table.id, record)
    return {"record": record, "lines": lines}


@posts.post("/tables/{name}/lines")
async def post_lines(table: OwnTable, post: Post, hall: TheHall) -> RecordLengthView:
    """Add lines to a record, from number ``from`` on; lines held already may be repeated."""
    entries = await asyncio.to_thread(post.entries)
    lines = await hall.post(table.table.name, post.record, post.first, entries)
    return {"record": post.record, "lines": lines}


@api.post("/tables/{name}/condition")
async def hear(table: OwnTable, condition: TableCondition, hall: TheHall) -> DoneView:
    """Report that a table is there, what is wrong at it, and its open questions."""
    hall.hear(table.table.name, condition)
    return {}


@api.get("/tables/{name}/records")
async def records(table: AskedTable, hall: TheHall) -> list[RecordRow]:
    """List a table's records; for administrators."""
    return await in_database(hall.records.listed, table.table.id)


@api.get("/tables/{name}/record", **file_answer("application/jsonl"))
async def download_record(table: AskedTable, record: InRecord, hall: TheHall) -> Response:
    """Download one record as the table has it, hands included; for administrators."""
    known = await in_database(hall.records.find, table.table.id, record)
    text = await asyncio.to_thread(lambda: write_record(hall.records.entries(known.record_id)))
    return file_of(record, text, "application/jsonl")


@api.put("/tables/{name}/league")
async def assign(table: AskedTable, asked: LeagueOfRecord, hall: TheHall) -> DoneView:
    """Let the games of one record count in a league; null: in none."""
    known = await in_database(hall.records.find, table.table.id, asked.record)
    if asked.league is not None:
        await in_database(hall.leagues.find, asked.league)
    await in_database(hall.leagues.assign, known.record_id, asked.league)
    return {}


@api.get("/keys")
async def keys(hall: TheHall) -> list[KeyRow]:
    """List the keys without their secrets; for administrators."""
    return await in_database(hall.keys.listed)


@api.post("/keys")
async def make_key(new: NewKey, hall: TheHall) -> MadeKeyView:
    """Make a key, which is shown only now: ``public``, ``viewer``, ``admin``, or ``table``
    with the table's name."""
    own = None if new.table is None else hall.find(new.table).table.id
    key = await in_database(hall.keys.make, new.role, own, new.label)
    return {"role": new.role, "table": new.table, "key": key}


@api.delete("/keys/{number}")
async def revoke(number: Number, hall: TheHall) -> DoneView:
    """Revoke a key and close the pages that it opened."""
    await in_database(hall.keys.revoke, number)
    hall.close_pages(number)
    return {}


@api.get("/leagues")
async def leagues(hall: TheHall) -> list[LeagueRow]:
    """List the seasons of all leagues, the newest first."""
    return await in_database(hall.leagues.listed)


@api.get("/rules")
async def rules() -> list[str]:
    """List the rule sets that a league can be played by."""
    return list(RULE_SETS)


@api.post("/leagues")
async def add_league(new: NewLeague, hall: TheHall) -> LeagueRow:
    """Begin a season; games by other rules than its own do not count in it."""
    return await in_database(hall.leagues.add, new.name, new.season, new.rules, new.films)


@api.put("/leagues/{number}")
async def change_league(number: Number, asked: LeagueChange, hall: TheHall) -> DoneView:
    """Let games of an archive's films count in a season: those in no other, and those to come."""
    await in_database(hall.leagues.find, number)
    await in_database(hall.leagues.take_films, number, asked.films)
    return {}


class LeaguePage(TypedDict):
    league: LeagueRow
    people: list[StandingView]
    games: list[LeagueGame]


@api.get("/leagues/{number}")
async def league_page(number: Number, hall: TheHall) -> LeaguePage:
    """Show the standings of a season, and its games."""

    def shown() -> LeaguePage:
        league, leagues = hall.leagues.find(number), hall.leagues
        people, games = leagues.standings(league), leagues.games(league)
        return {"league": league, "people": people, "games": games}

    return await in_database(shown)


@api.get("/leagues/{number}/csv", **file_answer("text/csv"))
async def download_league(number: Number, hall: TheHall) -> Response:
    """Download the standings as comma-separated values."""
    league = await in_database(hall.leagues.find, number)
    text = await in_database(hall.leagues.csv, league)
    return file_of(f"{league.name} {league.season}.csv", text, "text/csv")


class PeopleRated(TypedDict):
    people: list[Person]
    rules: list[str]


@api.get("/players")
async def players(request: Request, hall: TheHall, rules: OfRules = None) -> PeopleRated:
    """List everybody with a finished game, the best rating first; ``rules``: by these.

    The admin's list has everybody who is named, also who has only ruled.
    """
    people = await in_database(hall.people.listed, rules, _sees_everybody(request))
    return {"people": people, "rules": await in_database(hall.people.rules)}


@api.get("/players/csv", **file_answer("text/csv"))
async def download_players(request: Request, hall: TheHall, rules: OfRules = None) -> Response:
    """Download the same as comma-separated values."""
    everybody = _sees_everybody(request)
    text = await in_database(lambda: people_csv(hall.people.listed(rules, everybody)))
    return file_of("players.csv", text, "text/csv")


@api.get("/players/{number}")
async def player(request: Request, number: Number, hall: TheHall) -> PersonPage:
    """Show everything that is kept of a person who is listed: totals, names, finished games."""
    return await in_database(hall.people.find, number, _sees_everybody(request))


def _sees_everybody(request: Request) -> bool:
    """Whether people without a finished game are shown: they may be nobody's players."""
    grant = granted(request)
    return grant is not None and grant.admin


@api.put("/players/{number}")
async def rename(number: Number, asked: NameOfPlayer, hall: TheHall) -> DoneView:
    """Show a person under this name; games under the earlier names stay theirs."""
    await in_database(hall.player_names.rename, number, asked.name)
    return {}


@api.post("/players/{number}/join")
async def join(number: Number, asked: OtherPlayer, hall: TheHall) -> DoneView:
    """Two people are one: the other's names and games become this person's."""
    await in_database(hall.player_names.join, number, asked.other)
    return {}


@api.post("/players/{number}/part")
async def part(number: Number, asked: NameOfPlayer, hall: TheHall) -> DoneView:
    """One of a person's names is somebody else: their games count apart from now on."""
    await in_database(hall.player_names.part, number, asked.name)
    return {}


@api.delete("/players/{number}")
async def forget(number: Number, hall: TheHall) -> DoneView:
    """Forget a person: their names are deleted; the games stay."""
    await hall.forget(number)
    return {}


@sockets.websocket("/listen")
async def listen(socket: WebSocket, hall: TheHall, lang: Language) -> None:
    """A row for each table, then each row that changes."""
    if await accepted(socket):
        with hall.subscribed(None, _key_number(socket), lang) as subscriber:
            await until_gone(socket, relay(socket, hall.all_rows(lang), subscriber, LOOKS_ON, ANEW))


@sockets.websocket("/watch")
async def watch(socket: WebSocket, hall: TheHall, lang: Language) -> None:
    """Every table with its last event and announcement, then each on which something happens."""
    if await accepted(socket):
        with hall.subscribed(ALL_PAGES, _key_number(socket), lang) as subscriber:
            first = await hall.all_pages(lang)
            sending = relay(socket, first, subscriber, LOOKS_ON, ANEW, most=1)
            await until_gone(socket, sending)


@sockets.websocket("/tables/{name}/listen")
async def listen_to_table(socket: WebSocket, name: str, hall: TheHall, lang: Language) -> None:
    """One table's page, again whenever something happens there."""
    if not await accepted(socket):
        return
    try:
        first = hall.find(name).moment
    except NotThere as refusal:
        await socket.close(NO_TABLE, str(refusal))
        return
    with hall.subscribed(name, _key_number(socket), lang) as subscriber:
        await until_gone(socket, relay(socket, first, subscriber, LOOKS_ON, ANEW))


def _key_number(socket: WebSocket) -> int | None:
    key = hall_key_of(socket)
    return None if key is None else key.id


LOCAL_HOSTS: Final = ("localhost", "127.0.0.1")


def create_hall(
    hall: Hall,
    hosts: Sequence[str] = LOCAL_HOSTS,
    without_key: Role | None = Role.ADMIN,
    tell: LogSink | None = None,
    say: LineSink = to_stderr,
) -> FastAPI:
    """Make the web application.

    ``hosts``: host names that browsers may use; ``*`` is any. ``without_key``: the role of requests
    without a key; None refuses them. ``tell`` is called for each request, without secrets. ``say``
    informs the person at the machine.
    """
    background = Background(say)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))
        async with background.running(hall.jobs()):
            yield
            hall.close_pages()

    let_in = entrance(hall.keys, without_key)
    app = guarded_app("tilesight hall", let_in, hosts, tell, _Numbers(hall), lifespan=lifespan)
    _answer_without_database(app)
    add_pages(app, PAGES[Serves.HALL])
    _add_health(app, hall, background)
    add_enter(app, let_in)
    app.state.hall = hall
    add_addresses(app, api, posts, sockets)
    return app


class _Numbers(Collector):
    """The hall's own metrics, collected on request."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        rows = self._hall.rows("en")
        needing = sum(bool(row["needs"]) for row in rows)
        yield GaugeMetricFamily("tilesight_tables", "Tables of the hall.", value=len(rows))
        yield GaugeMetricFamily(
            "tilesight_tables_in_need", "Tables at which somebody is needed.", value=needing
        )


def _answer_without_database(app: FastAPI) -> None:
    async def gone(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse({"detail": in_english(NO_DATABASE)}, 503, RETRY)

    for kind in NO_ANSWER:
        app.add_exception_handler(kind, gone)


class HallHealth(TypedDict):
    status: Literal["open", "failed"]
    problem: str | None
    background: list[JobFailing]


def _add_health(app: FastAPI, hall: Hall, background: Background) -> None:
    @app.get("/health")
    async def health(response: Response) -> HallHealth:
        """Report whether the hall can take lines, and what fails in the background.

        503 while its database does not answer.
        """
        failing = background.told()
        try:
            await in_database(hall.records.touch)
        except NO_ANSWER:
            response.status_code = 503
            response.headers.update(RETRY)
            return {"status": "failed", "problem": in_english(NO_DATABASE), "background": failing}
        return {"status": "open", "problem": None, "background": failing}
