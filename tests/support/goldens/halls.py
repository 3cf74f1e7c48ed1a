"""What a hall and its archive answer and send."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from engine.game import Game
from service.archive.archive_pages import add_archive
from service.archive.films import ReadingSettings, films_at
from service.archive.ledger import Ledger
from service.archive.stored_names import StoredNames
from service.archive.worker import Worker
from service.hall.app import create_hall
from service.hall.database import open_database
from service.hall.hall import ALL_PAGES, Hall
from service.hall.remote_table import RemoteTable
from service.hall.webhooks import Message, messages_of
from tests.support.archive_worker import read_all, reader_of
from tests.support.goldens.asking import Asking, running
from tests.support.goldens.kept import Goldens
from tests.support.goldens.tables import body_of
from tests.support.halls import LINES
from tests.support.score_program import RULES, film_at

PER_POST: Final = 150
_RECORD: Final = "friday.jsonl"
_PAGES: Final = (
    *("/", "/watch", "/archive", "/tables/north", "/leagues/1", "/players", "/players/1"),
    *("/openapi.json", "/tiles.svg", "/static/hall/hall.js", "/nothing"),
)
_READ: Final = (
    *("tables", "tables/north", "tables/none", "tables/north/lines?record=friday.jsonl"),
    *("tables/north/records", "tables/north/record?record=friday.jsonl", "keys", "leagues"),
    *("leagues/1", "leagues/9", "leagues/1/csv", "rules", "players", "players?rules=riichi-tenhou"),
    *("players/csv", "players/1", "players/2", "players/99", "archive", "archive?state=done"),
    *("archive/hands", "archive/hands?player=Anna", "archive/hands/csv", "archive/players"),
    *("archive/questions", "archive/readings/1/files/record.jsonl"),
    *("archive/readings/1/files/none", "archive/readings/9/files/record.jsonl"),
)


async def hall(kept: Goldens, folder: Path) -> set[str]:
    """Keep the evening of a hall: a table posts a game, and administrators do what they may."""
    engine = open_database(str(folder / "hall.sqlite3"))
    try:
        _read_films(folder, Ledger(engine))
        hall = Hall(engine, jobs=[StoredNames(engine).job()], clock=lambda: 0.0)
        app = create_hall(hall, without_key=None, say=lambda _: None)
        add_archive(app, engine)
        async with running(app), AsyncExitStack() as stack:
            asking = Asking(app, kept, "hall")
            admin = hall.keys.make("admin")
            keys: dict[str, str | None] = {
                "admin": admin,
                "viewer": hall.keys.make("viewer"),
                "public": hall.keys.make("public"),
                "no key": None,
            }
            for body in (
                {"name": "north", "title": "North table"},
                {"name": "south"},
                {"name": "!"},
            ):
                told = await asking.change("POST", "/api/v1/tables", body, admin)
                if body == {"name": "north", "title": "North table"}:
                    keys["north"] = body_of(told)["key"]
            sockets = [
                await stack.enter_async_context(asking.socket(path, admin, "admin"))
                for path in ("/api/v1/listen", "/api/v1/watch", "/api/v1/tables/north/listen")
            ]
            for socket in sockets:
                await socket.heard(1)
            with hall.subscribed(None, None) as rows, hall.subscribed(ALL_PAGES, None) as pages:
                for method, path, sent in _posted():
                    await asking.change(method, f"/api/v1/{path}", sent, keys["north"])
                counts = (rows.messages.qsize(), pages.messages.qsize(), pages.messages.qsize())
                for socket, count in zip(sockets, counts, strict=True):
                    await socket.heard(1 + count)
            said = [[one.id, one.kind, one.data] for one in _messages(hall.find("north"))]
            kept.keep("hall/webhooks", said)
            for method, path, sent in _administered():
                await asking.change(method, f"/api/v1/{path}", sent, keys["public"])
                await asking.change(method, f"/api/v1/{path}", sent, admin)
            await asking.change("POST", "/api/enter", None, admin)
            asked = body_of(await asking.answer("GET", "/api/v1/archive/questions", admin))
            (film,) = asked
            given = {"answers": [{"id": film["questions"][0]["id"], "answer": 1}]}
            at = f"/api/v1/archive/readings/{film['reading']}/answers"
            for path in (*_PAGES, "/health", "/metrics", *(f"/api/v1/{path}" for path in _READ)):
                await asking.read(path, keys)
            await asking.change("POST", at, given, admin)
            for method, path, sent in _forgotten():
                await asking.change(method, f"/api/v1/{path}", sent, admin)
                told = await asking.answer("GET", "/api/v1/players", admin)
                kept.keep(f"hall/{asking.number:03}-then-players", told)
            return asking.missing()
    finally:
        engine.dispose()


def _messages(watched: RemoteTable) -> list[Message]:
    """What webhooks are told of a table, line by line."""
    record, number = watched.record or ("", 0)
    game, found = Game(), list[Message]()
    for entry in watched.game.entries:
        game.submit(entry)
        found += messages_of(number, record, watched.table, game, every=True)
    return found


def _read_films(folder: Path, ledger: Ledger) -> None:
    """A film that was read, and one that cannot be."""
    films = folder / "films"
    films.mkdir()
    film_at(films / "friday.mp4")
    (films / "broken.mp4").write_text("no film")
    for film in films_at(str(films)):
        ledger.add(film, ReadingSettings(RULES, str(folder / "results")))
    read_all(Worker(ledger, folder / "work", reader_of=reader_of))


def _posted() -> list[tuple[str, str, Any]]:
    """What a table sends, of a whole game."""
    at = "tables/north/lines"
    posts = [
        ("POST", at, {"record": _RECORD, "from": first, "lines": LINES[first : first + PER_POST]})
        for first in range(0, len(LINES), PER_POST)
    ]
    trouble = {"trouble": "no camera", "trouble_kind": "lost", "questions": 2}
    return [
        *posts,
        ("POST", at, {"record": _RECORD, "from": 3, "lines": LINES[:1]}),
        ("POST", at, {"record": _RECORD, "from": 99999, "lines": LINES[:1]}),
        ("POST", at, {"record": _RECORD, "from": 0, "lines": [{"type": "dance"}]}),
        ("POST", "tables/south/lines", {"record": _RECORD, "from": 0, "lines": LINES[:1]}),
        ("POST", "tables/north/condition", trouble),
        ("POST", "tables/north/condition", {"trouble": "no camera", "trouble_kind": None}),
        ("POST", "tables/north/condition", {}),
    ]


def _administered() -> list[tuple[str, str, Any]]:
    return [
        ("POST", "leagues", {"name": "Friday", "season": "2026", "rules": "riichi-tenhou"}),
        ("POST", "leagues", {"name": "Friday", "season": "2026", "rules": "whist"}),
        ("PUT", "tables/north", {"title": "By the window", "league": 1}),
        ("PUT", "tables/north/league", {"record": _RECORD, "league": 1}),
        ("PUT", "tables/north/league", {"record": _RECORD, "league": 9}),
        ("POST", "keys", {"role": "viewer", "label": "the screen"}),
        ("POST", "keys", {"role": "table", "table": "south", "label": "again"}),
        ("PUT", "players/1", {"name": "Anna the First"}),
        ("POST", "archive/readings/1/players", {"names": ["Anna", " Bo ", "", "Dana"]}),
        ("POST", "archive/readings/1/players", {"names": ["Anna"]}),
        ("POST", "archive/readings/1/answers", {"answers": [{"id": "none", "answer": 1}]}),
    ]


def _forgotten() -> list[tuple[str, str, Any]]:
    old = str(json.loads(json.dumps(LINES[0])).get("players", ["", "", "", ""])[0])
    return [
        ("POST", "players/1/join", {"other": 2}),
        ("POST", "players/1/part", {"name": old}),
        ("DELETE", "players/3", None),
        ("DELETE", "keys/2", None),
    ]
