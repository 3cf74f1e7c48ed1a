"""Of two tables that differ in one hidden tile everybody else gets the same, to the last byte.

Many more records with ``--hypothesis-profile=long``.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, Final

import pytest
from fastapi import FastAPI
from hypothesis import assume, given, settings

from engine.codec import event_to_json
from engine.events import (
    Correct,
    Discard,
    Draw,
    Entry,
    Event,
    GameEnd,
    HandEnd,
    HandStart,
    Kong,
    Pung,
    Win,
)
from engine.game import Game, replay
from engine.log import in_force
from engine.rules import GAMES, RULE_SETS
from engine.texts.files import LANGUAGES
from engine.tiles import Tile
from service.app import create_app
from service.commands.replay import lines as replayed
from service.hall.hall import LOOKS_ON
from service.hall.records import TableRow
from service.hall.remote_table import RemoteTable
from service.pages.settings import OpenTable, PageSettings
from service.report.downloads import DOWNLOAD_FORMATS
from service.report.public import Json
from service.seat.lessons import QUESTIONS
from service.table.live_table import LiveTable
from service.web.grants import Role
from service.web.rights import VERSION
from tests.support.in_process import Socket, asked, routes_of
from tests.support.keys import BY_ROLE, KEYS
from tests.support.live_table import resumed, seen, written
from tests.support.properties import seeds, some
from tests.support.worlds import STYLES, Worlds, alike, worlds

SAMPLED: Final = 2
"""Of the events, those whose own addresses are asked."""
ASKED: Final = 8
LIVE: Final = 2
"""Lines that come while everybody listens."""
TRIALS: Final = 4
"""Lines that a scorer tries to write."""

PAIRS: Final = [
    (rules, style)
    for row, rules in enumerate(RULE_SETS)
    for column, style in enumerate(STYLES)
    if some.max_examples > 100
    or (row + column) % 7 in ((0, 2, 4) if RULE_SETS[rules] in GAMES else (0,))
]
"""Every rule set and every kind of record; each with each where there is time, and other presets
of a game less often than the game itself."""


class Shown:
    """Stands for the table of an application; another one takes its place at any time."""

    instead: LiveTable

    def __getattr__(self, name: str) -> Any:
        return getattr(self.instead, name)


@cache
def application(world: int) -> tuple[FastAPI, Any]:
    """One for each of the two tables, whatever lies there."""
    shown: Any = Shown()
    shown.instead = resumed([])
    return create_app(shown, PageSettings(keys=KEYS, without_key=None)), shown


class Stage:
    """One of the two tables, and those who listen there."""

    def __init__(self, world: int, lines: list[Entry]) -> None:
        self.lines = lines
        self.sockets: dict[str, Socket] = {}
        self.table = resumed(lines, "riichi")
        self.app, shown = application(world)
        shown.instead = self.table
        self.app.state.served = OpenTable(shown, self.app.state.served.settings)

    async def listen(self, others: frozenset[int], lang: str) -> None:
        """Every page but those of who may know the tile; seats ask for hints all the time."""
        for each in LANGUAGES:
            self.sockets[f"viewer, {each}"] = Socket(self.app, f"/ws?lang={each}", KEYS.viewer)
        self.sockets["scorer"] = Socket(self.app, "/api/v1/listen", KEYS.scorer)
        for seat in others:
            page = Socket(self.app, f"/ws/seat?lang={lang}", KEYS.seats[seat])
            self.sockets[f"seat {seat}, {lang}"] = page
            page.say({"key": KEYS.seats[seat]})
            await page.heard(1)
            page.say({"teach": "always"})
            await page.heard(2)

    async def heard(self, count: int) -> dict[str, list[str]]:
        for name, socket in self.sockets.items():
            await socket.heard(count + 1 + name.startswith("seat"))
        return {name: socket.told for name, socket in self.sockets.items()}


def begins(entry: Entry) -> bool:
    return isinstance(entry.event, HandStart)


def addresses(stage: Stage, random: Random) -> list[str]:
    """Everything that can be asked for, of some events and steps."""
    number = len(stage.table.game.entries)
    some_of = sorted(random.sample(range(number), min(SAMPLED, number)))
    filled: dict[str, Sequence[object]] = {
        "number": some_of,
        "step": some_of,
        "first": [entry for entry, one in enumerate(stage.table.game.entries) if begins(one)],
        "name": ["1"],
        "form": list(DOWNLOAD_FORMATS),
        "question": QUESTIONS,
    }
    found = []
    for route in sorted(set(routes_of(stage.app))):
        method, path = route.split()
        # Those for others are the same ones (``test_api_v1``); the description has no table.
        if method != "GET" or path.startswith(("/static", VERSION, "/openapi")):
            continue
        gap = re.search(r"{(\w+)}", path)
        found += [path.replace(gap[0], str(one)) for one in filled[gap[1]]] if gap else [path]
    # Told to a seat by its own key alone; others are refused, whatever anybody holds.
    return [*found, *(f"/api/first-hand?seat={seat}" for seat in range(4))]


def askers(others: frozenset[int]) -> dict[str, str | None]:
    """Keys of everybody but of who runs the table and of who holds the tile."""
    keys = {str(role): key for role, key in BY_ROLE.items() if role not in (Role.ADMIN, Role.SEAT)}
    keys["teacher"] = KEYS.teacher  # with whom nobody shares; ``test_teacher`` has those who do
    return keys | {f"seat {seat}": KEYS.seats[seat] for seat in sorted(others)}


async def answered(stage: Stage, path: str, lang: str, key: str | None) -> tuple[int, bytes]:
    query = "&" if "?" in path else "?"
    status, told = await asked(stage.app, "GET", f"{path}{query}lang={lang}", key)
    if path == "/metrics":  # times and memory differ in any two runs
        own = re.findall(rb"^tilesight_(?:lines|questions|ended|failed).*$", told, re.MULTILINE)
        told = b"\n".join(own)
    return status, told


def beside(lines: Sequence[Entry], seats: frozenset[int]) -> dict[str, object]:
    """What a hall shows of the record, and what ``replay --seat`` prints of it."""
    watched = RemoteTable(TableRow(1, "north", "North", None), 0.0)
    game = replay(lines)
    watched.begin(("game.jsonl", 1), game, 0.0)
    told: dict[str, object] = {
        "hall": [
            (seen(watched.moment, lang, LOOKS_ON), watched.row(0.0, lang)) for lang in LANGUAGES
        ]
    }
    taught = list(game.taught())  # with the hints of every seat, which takes longest
    for seat in seats:
        told[f"replay {seat}"] = [*replayed(game.announcements(), "en", True, seat)]
        told[f"hints {seat}"] = [*replayed(taught, "en", True, seat)]
    return told


def next_events(pair: Worlds, random: Random) -> list[Entry]:
    """What may come next in both."""
    live: list[Entry] = []
    for _ in range(4 * LIVE):
        games = [replay([*lines, *live]) for lines in pair.lines]
        moves = [move for move in games[0].legal() if not isinstance(move, Win | GameEnd | HandEnd)]
        if len(live) == LIVE or not moves:
            break
        line = Entry(random.choice(moves), t=1000.0 + len(live))
        if alike(*(replay([*lines, *live, line]) for lines in pair.lines)):
            live.append(line)
    return live


def trial(game: Game, random: Random) -> Event:
    """What somebody may want to try a hand with."""
    tile = Tile(random.choice(sorted(RULE_SETS["riichi-2016"].wall)))
    seat, last = game.state.turn, game.state.last_discard
    own = Discard(seat, tile, random.random() < 0.2, random.choice((None, True, False)))
    tries: list[Event] = [own, own, Kong(seat, "closed", tile), Win(seat, seat, tile)]
    if last is not None:
        other = random.choice(game.state.claimant_seats)
        tries += [Pung(other, last.seat, last.tile, (last.tile, last.tile))]
        tries += [Win(other, last.seat, last.tile), Draw(seat, tile)]
    return random.choice(tries)


async def try_out(stages: Sequence[Stage], random: Random) -> str | None:
    """A scorer tries what a hand holds; answers what told it apart without a line in the record."""
    for _ in range(TRIALS):
        game = stages[0].table.game
        event = trial(game, random)
        body: Json = {"event": event_to_json(event), "lines": len(game.entries)}
        if tells := await preview_tells(stages, body, random):
            return tells
        told = [
            await asked(stage.app, "POST", "/api/events", KEYS.scorer, body) for stage in stages
        ]
        if told[0] != told[1]:
            written = [len(stage.table.game.entries) - len(game.entries) for stage in stages]
            return None if all(status == 200 for status, _ in told) else f"{body}: {told} {written}"
        if not alike(*(stage.table.game for stage in stages)):
            return None  # the line that tells it stands in both records
    return None


async def preview_tells(stages: Sequence[Stage], body: Json, random: Random) -> str | None:
    """What the previews of an event, in place of another or at the end, tell a scorer apart."""
    numbers = [event.number for event in in_force(stages[0].table.game.entries)]
    here = {"of": random.choice(numbers), "do": random.choice(("replace", "insert", "remove"))}
    events = [] if here["do"] == "remove" else [body["event"]]
    change = {**here, "events": events, "lines": body["lines"], "leftovers": True}
    for path, sent in (("events", body), ("corrections", change)):
        told = [
            await asked(stage.app, "POST", f"/api/{path}/preview", KEYS.scorer, sent)
            for stage in stages
        ]
        if told[0] != told[1]:
            return f"preview of {sent}: {differing(*told)}"
    return None


async def leaks(pair: Worlds, random: Random) -> list[str]:
    """Everything that somebody gets who may not know, and that is not the same in both."""
    stages = [Stage(world, lines) for world, lines in enumerate(pair.lines)]
    found = []
    for who, key in askers(pair.others).items():
        paths = addresses(stages[0], random)
        # Who watches asks for everything, the others for some of it: it is answered alike.
        for path in paths if key == KEYS.viewer else random.sample(paths, ASKED):
            lang = random.choice(LANGUAGES)
            one, other = [await answered(stage, path, lang, key) for stage in stages]
            if one != other:
                found.append(f"{who} GET {path} in {lang}: {differing(one, other)}")
    live = next_events(pair, random)
    lang = random.choice(LANGUAGES)
    for stage in stages:
        await stage.listen(pair.others, lang)
        for line in live:
            await written(stage.table, line)
        # A correction makes every page begin anew.
        again = in_force(stage.lines)[-1]
        correction = Correct(again.number, (again.entry,))
        await written(stage.table, Entry(correction, source="person"))
    heard = [await stage.heard(len(live) + 1) for stage in stages]
    for who in heard[0]:
        if heard[0][who] != heard[1][who]:
            found.append(f"{who} hears {differing(heard[0][who], heard[1][who])}")
    told = [beside(stage.table.game.entries, pair.others) for stage in stages]
    found += [
        f"{name}: {differing(told[0][name], told[1][name])}"
        for name in told[0]
        if told[0][name] != told[1][name]
    ]
    tried = await try_out(stages, random)
    for stage in stages:
        for socket in stage.sockets.values():
            await socket.close()
    return [*found, *([tried] if tried else [])]


def differing(one: object, other: object) -> str:
    """Where two answers part."""
    first, second = str(one), str(other)
    at = next(
        (at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(second)),
    )
    return f"...{first[max(0, at - 150) : at + 60]} | {second[max(0, at - 20) : at + 60]}"


@pytest.mark.parametrize(("rules", "style"), PAIRS)
@given(seed=seeds)
@settings(max_examples=max(1, some.max_examples // 8))
def test_nobody_else_can_tell_which_tile_is_hidden(rules: str, style: str, seed: int) -> None:
    pair = worlds(rules, style, seed)
    assume(pair is not None)
    assert pair is not None
    assert asyncio.run(leaks(pair, Random(seed))) == [], pair.what
