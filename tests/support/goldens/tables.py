"""What a table answers and sends: a golden game read in every language, and played to its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.events import Correct, Discard, Entry
from engine.log import in_force
from engine.texts.files import LANGUAGES
from service.app import create_app
from service.pages.settings import PageSettings
from service.report.downloads import DOWNLOAD_FORMATS
from service.seat.lessons import QUESTIONS
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from service.web.keys import TableKeys
from service.web.rights import VERSION
from tests.support.goldens.asking import Asking, first_and_last, running
from tests.support.goldens.kept import Goldens, file_name, with_askers
from tests.support.live_table import KeptLines, frames
from tests.support.told_reader import ToldReader

EVENTS: Final = 6
"""Events of a game whose own addresses are asked."""
LIVE: Final = 24
"""Lines of a game that come while everybody listens."""
RECORD: Final = "game-2026-05-01-2000.jsonl"
"""A record of a known evening."""
NUMBERED: Final = ("clip", "crop", "pictures")
STATIC: Final = (
    "table/app.js",
    "shared/style.css",
    "words/catalogue.js",
    "shared/manifest.json",
    "shared/icon-192.png",
)


def body_of(answer: str) -> Any:
    """The JSON of an answer."""
    return json.loads(answer.split("\n\n", 1)[1])


def new_keys() -> TableKeys:
    return TableKeys("control-key", ("key-0", "key-1", "key-2", "key-3"))


def roles(keys: TableKeys) -> dict[str, str | None]:
    """The key of each role; the page of a seat brings its own."""
    return {
        "admin": keys.control,
        "scorer": keys.scorer,
        "seat 0": keys.seats[0],
        "viewer": keys.viewer,
        "no key": None,
    }


def table_of(entries: Sequence[Entry], lang: str, rules: str) -> LiveTable:
    """A table that goes on with a record; its camera tells nothing more."""
    settings = TableSettings(rules, "game.mp4", Options(lang=lang), RECORD, before=entries)
    return LiveTable(ToldReader([]), frames(2), KeptLines(), settings)


async def until_ended(table: LiveTable) -> None:
    """Wait until the film is over: what is said from then on comes in one order."""
    with table.subscribed() as subscriber:
        while not table.ended:
            await asyncio.wait_for(subscriber.messages.get(), 60)


def quick(lines: int, steps: int) -> list[str]:
    """What can be asked for without an effect, of some events and steps."""
    numbers, places = [*first_and_last(lines, EVENTS)], [*first_and_last(steps, EVENTS)]
    return [
        *("table", "events", "fouls", "hands", "standings", "replay", "questions", "agreed"),
        *(
            "games",
            "seats",
            "links",
            "stream",
            "shadow",
            "drill",
            "drill?seat=2",
            "replay/99999",
            "agreed?of=3",
        ),
        *("first-hand", "first-hand?seat=0", "first-hand?seat=2", "sharing", "rehearsal"),
        *("hands/1/story", "hands/2/story", "highlights", "highlights/film", "highlights/captions"),
        *("download/nothing", "pictures/0", *(f"download/{form}" for form in DOWNLOAD_FORMATS)),
        *(f"teach/{question}" for question in QUESTIONS),
        *(f"events/{number}/{what}" for number in numbers for what in NUMBERED),
        *(f"replay/{step}" for step in places),
    ]


def slow(lines: int) -> list[str]:
    """What takes a second each, and says the same in whichever language a table speaks."""
    return [
        *("learn", "learn?rules=riichi", "lessons", "lessons?rules=riichi"),
        *("drill/mistakes", "drill/review"),
        *("drill/mistakes?seat=2", "drill/review?seat=2"),
        *(f"events/{number}/ways" for number in first_and_last(lines, 3)),
    ]


async def read_game(kept: Goldens, name: str, entries: Sequence[Entry], rules: str) -> set[str]:
    """Keep all that a table with this game answers; returns the addresses nobody asked."""
    found: dict[str, dict[str, str]] = {}
    asking: Asking | None = None
    for lang in LANGUAGES:
        keys, table = new_keys(), table_of(entries, lang, rules)
        app = create_app(table, PageSettings(keys=keys, without_key=None))
        async with running(app):
            await until_ended(table)
            asking = Asking(app, kept, f"tables/{name}", asking.asked if asking else set())
            paths = quick(len(entries), len(table.game.played))
            paths += await _decisions(asking, keys)
            paths += slow(len(entries)) if lang == "en" else []
            for path in (f"/api/{path}" for path in paths):
                asked = found.setdefault(path, {})
                for who, key in roles(keys).items():
                    if who == "admin" or lang == "en":
                        asked[f"{who}, {lang}"] = await asking.answer("GET", path, key)
    assert asking is not None
    for path, answers in found.items():
        kept.keep(f"{asking.under}/{file_name('GET', path)}", with_askers(answers))
    return asking.missing()


async def _decisions(asking: Asking, keys: TableKeys) -> list[str]:
    """Addresses of the drill: some decisions of a seat, asked and judged."""
    found: list[str] = []
    decisions = body_of(await asking.answer("GET", "/api/drill", keys.control))["decisions"]
    for place in first_and_last(len(decisions), 3):
        path = f"drill/{decisions[place]['step']}"
        shown = body_of(await asking.answer("GET", f"/api/{path}", keys.control))
        found += [path, f"{path}?tile={shown['hand'][0]}", f"{path}?offer=pass"]
        found.append(f"teach/hand?step={decisions[place]['step']}")
    return found


async def same_for_others(kept: Goldens, entries: Sequence[Entry], rules: str) -> set[str]:
    """Keep the pages, and the addresses for other programs, of one game."""
    keys, table = new_keys(), table_of(entries, "en", rules)
    app = create_app(table, PageSettings(keys=keys, without_key=None))
    async with running(app):
        await until_ended(table)
        asking = Asking(app, kept, "tables/pages")
        pages = (
            "/",
            "/game",
            "/drill",
            "/learn",
            "/lessons",
            "/seat",
            "/stream",
            "/shadow",
            "/practice",
            "/teacher",
        )
        files = (
            "/health",
            "/metrics",
            "/openapi.json",
            "/tiles.svg",
            *(f"/static/{name}" for name in STATIC),
        )
        for path in (*pages, *files, "/nothing"):
            await asking.read(path, roles(keys))
        paths = quick(len(entries), len(table.game.played)) + slow(len(entries))
        for path in (*paths, *await _decisions(asking, keys)):
            await asking.read(f"{VERSION}/{path}", {"admin": keys.control})
        return asking.missing()


async def play_game(kept: Goldens, name: str, entries: Sequence[Entry], rules: str) -> set[str]:
    """Keep all that pages are sent while the last lines of a game come, one is corrected, and the
    correction is taken back; in every language."""
    missing: set[str] = set()
    for lang in LANGUAGES:
        before = [replace(entry) for entry in entries[:-LIVE]]
        keys, table = new_keys(), table_of(before, lang, rules)
        app = create_app(table, PageSettings(keys=keys, without_key=None))
        async with running(app), AsyncExitStack() as stack:
            await until_ended(table)
            asking = Asking(app, kept, f"tables/{name}/live-{lang}")
            open_to = {"viewer": ("/ws", keys.viewer)}
            if lang == "en":
                open_to["scorer"] = ("/ws", keys.scorer)
                open_to["program"] = (f"{VERSION}/listen", keys.viewer)
            sockets = [
                (await stack.enter_async_context(asking.socket(path, key, who)), 1)
                for who, (path, key) in open_to.items()
            ]
            for seat in range(4) if lang == "en" else (0,):
                key = keys.seats[seat]
                page = await stack.enter_async_context(
                    asking.socket("/ws/seat", key, f"seat-{seat}")
                )
                page.say({"key": key})
                await page.heard(1)
                if seat in (0, 1):
                    page.say({"teach": "always" if seat == 0 else "now"})
                    await page.heard(2)
                sockets.append((page, 2 if seat in (0, 1) else 1))
            told = 0
            for line in (*entries[-LIVE:], *_second_thoughts(entries)):
                told += await _submitted(table, line)
                for socket, first in sockets:
                    await socket.heard(first + told)
        missing = asking.missing()
    return missing


def _second_thoughts(entries: Sequence[Entry]) -> list[Entry]:
    """A discard was another tile; no, it was not."""
    discards = [one for one in in_force(entries) if isinstance(one.entry.event, Discard)]
    last = discards[-1]
    assert isinstance(last.entry.event, Discard)
    other = next(
        one.entry.event.tile
        for one in reversed(discards)
        if isinstance(one.entry.event, Discard) and one.entry.event.tile != last.entry.event.tile
    )
    wrong = replace(last.entry, event=replace(last.entry.event, tile=other), source="person")
    return [
        Entry(Correct(last.number, (wrong,)), source="person"),
        Entry(Correct(len(entries), ()), source="person"),
    ]


async def _submitted(table: LiveTable, line: Entry) -> int:
    """Write a line, wait for what follows from it, and return how many messages were sent."""
    with table.subscribed() as subscriber:
        before = asyncio.all_tasks()
        async with table.writing:
            await table.submit(line)
        if follows := asyncio.all_tasks() - before:
            await asyncio.wait(follows, timeout=60)
        return subscriber.messages.qsize()


def golden_games(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
