"""Requests that put the record right: events that were missed, corrections, undo and redo."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from engine.announce import Announcement, Payout, Problem
from engine.codec import entry_from_json, entry_to_json
from engine.events import Correct, Entry, Foul
from engine.fields import Unreadable
from engine.game import Game
from engine.visibility import VisibleEvent, events_seen
from service.errors import Malformed, Refused
from service.pages.checks import answered, body_of, refuse_foreign, whole_number
from service.report.public import Json, names_of, public_announcements
from service.table.alternatives import problems, ways
from service.table.corrections import (
    HOWS,
    NotThere,
    at,
    correction,
    redone,
    refuse_stale,
    undone,
)
from service.table.live_table import Table
from service.table.page_messages import events_of, words
from service.words.announcements import sentence
from service.words.catalogue import LANGUAGES
from service.words.events import event_json, event_parts, parts_json

MOST_EVENTS: Final = 40
MOST_LINES: Final = 10**6


def add_mend_pages(app: FastAPI, table: Table) -> None:
    """Add what people put the record right with."""

    @app.get("/api/events")
    async def events() -> Json:
        """Events in force, in the order of play; ``lines`` is what a correction is based on."""
        return {"lines": len(table.game.entries), "events": events_of(table.game)}

    @app.get("/api/events/{number}/ways")
    async def likely(number: int, place: int = 0) -> JSONResponse:
        """Ways to mend one event, likely ones first."""
        return await answered(_ways(table, number, place))

    @app.get("/api/fouls")
    async def fouls() -> Json:
        """Fouls and what else is against the rules, with what it costs."""
        return {"lines": len(table.game.entries), "fouls": _fouls(table)}

    @app.post("/api/events")
    async def append(request: Request) -> JSONResponse:
        """Add one event at the end: ``{"event": {...}, "lines": N}``."""
        return await _changed(table, request, _append)

    @app.post("/api/corrections")
    async def correct(request: Request) -> JSONResponse:
        """``{"of": N, "place": 0, "do": "replace", "events": [...], "lines": N}``.

        Or ``insert`` before it, or ``remove`` it.
        """
        return await _changed(table, request, _correct)

    @app.post("/api/undo")
    async def undo(request: Request) -> JSONResponse:
        """Take back what a person did last: ``{"lines": N}``."""
        return await _changed(table, request, lambda table, _: undone(table.acts))

    @app.post("/api/redo")
    async def redo(request: Request) -> JSONResponse:
        """Bring back what was taken back last: ``{"lines": N}``."""
        return await _changed(table, request, lambda table, _: redone(table.acts))

    @app.post("/api/fouls")
    async def rule(request: Request) -> JSONResponse:
        """``{"of": N, "place": 0, "do": "confirm"|"cancel", "lines": N}``."""
        return await _changed(table, request, _ruled)


async def _changed(
    table: Table, request: Request, line: Callable[[Table, Json], Entry]
) -> JSONResponse:
    """Write one line that a person asked for; answers what it changed, or one line why not."""

    async def write() -> Json:
        refuse_foreign(request)
        asked = await body_of(request)
        async with table.writing:
            before = len(table.game.entries)
            refuse_stale(table.game.entries, whole_number(asked, "lines", MOST_LINES))
            entry = line(table, asked)
            said = await table.submit(entry)
        of = entry.event.of if isinstance(entry.event, Correct) else None
        return {
            "number": before,
            "lines": before + 1,
            "corrected": of,
            "said": words(said, table.game, table.lang),
        }

    return await answered(write())


async def _ways(table: Table, number: int, place: int) -> Json:
    game = table.game.with_lines()
    seen = await asyncio.to_thread(game.as_seen, number)
    found = await asyncio.to_thread(ways, seen, number, place)
    names = names_of(game.state)
    return {
        "lines": len(game.entries),
        "problems": problems(seen),
        "ways": [
            {
                "do": way.how,
                "problems": way.problems,
                "events": [entry_to_json(entry) for entry in way.entries],
                "parts": [parts_json(event_parts(entry.event, names)) for entry in way.entries],
                "told": [event_json(entry.event, names) for entry in way.entries],
            }
            for way in found
        ],
    }


def _append(table: Table, asked: Json) -> Entry:
    entry = _entry(asked.get("event"), "event")
    if isinstance(entry.event, Correct):
        raise Malformed("a correction is asked for at /api/corrections")
    # Only what everybody can see is refused. A line that a hidden hand alone shows to be wrong is
    # written and flagged: whoever tries what a hand holds leaves a line for everybody to read.
    for said in table.game.as_seen().preview([entry]).announcements:
        if isinstance(said, Problem) and said.impossible:
            text = sentence(said, table.lang, table.game.state.names)
            raise Refused(f"that cannot be: {text}")
    seconds = table.clock_s
    return replace(
        entry, t=None if seconds is None else round(seconds, 2), source="person", confidence=None
    )


def _correct(table: Table, asked: Json) -> Entry:
    how = next((how for how in HOWS if how == asked.get("do")), None)
    if how is None:
        raise Malformed(f'expected "do" to be one of {", ".join(HOWS)}')
    given = asked.get("events", [])
    if not isinstance(given, list) or len(given) > MOST_EVENTS:
        raise Malformed(f'expected "events" to be a list of at most {MOST_EVENTS}')
    if bool(given) is (how == "remove"):
        raise Malformed(f"expected {'no' if given else 'at least one'} event to {how}")
    entries = [_entry(value, f"events[{place}]") for place, value in enumerate(given)]
    if any(isinstance(entry.event, Correct) for entry in entries):
        raise Malformed("a correction inside a correction; correct the other event by itself")
    number, place = (
        whole_number(asked, "of", MOST_LINES),
        whole_number(asked, "place", MOST_LINES, 0),
    )
    return correction(table.game.entries, number, place, how, entries)


def _ruled(table: Table, asked: Json) -> Entry:
    """A referee's word: what was seen stands as a person's, or a foul did not happen."""
    entries = table.game.entries
    number, place = (
        whole_number(asked, "of", MOST_LINES),
        whole_number(asked, "place", MOST_LINES, 0),
    )
    _, old = at(entries, number, place)
    if not any(foul["number"] == number and foul["place"] == place for foul in _fouls(table)):
        raise NotThere(f"event {number} is no foul; list them and choose one")
    match asked.get("do"):
        case "confirm":
            return correction(entries, number, place, "replace", [old.entry])
        case "cancel" if isinstance(old.entry.event, Foul):
            return correction(entries, number, place, "remove", [])
        case "cancel":
            raise Refused(f"event {number} is a move; correct what happened there instead")
        case _:
            raise Malformed('expected "do" to be confirm or cancel')


def _fouls(table: Table) -> list[Json]:
    game = table.game
    events = events_seen(game)
    said, paid = _by_event(game)
    found: list[Json] = []
    for here, event in enumerate(events):
        why: list[Announcement] = [*said[event.number]]
        foul = isinstance(event.entry.event, Foul)
        if foul:
            why += paid[event.number]
        last = here + 1 == len(events) or events[here + 1].number != event.number
        # Of several events in the place of one, the last is the one that was there before.
        if foul or (why and last):
            found.append(_foul(table, event, foul, why))
    return found


def _by_event(
    game: Game,
) -> tuple[defaultdict[int, list[Problem]], defaultdict[int, list[Payout]]]:
    """What is irregular and what is paid, by the number of the event that it is of."""
    said: defaultdict[int, list[Problem]] = defaultdict(list)
    paid: defaultdict[int, list[Payout]] = defaultdict(list)
    for one in public_announcements(game.announcements()):
        if isinstance(one, Problem) and not one.impossible:
            said[one.of].append(one)
        elif isinstance(one, Payout):
            paid[one.of].append(one)
    return said, paid


def _foul(table: Table, event: VisibleEvent, foul: bool, why: Sequence[Announcement]) -> Json:
    state = table.game.state
    shown, names = event.entry.event, names_of(state)
    said = {lang: [sentence(one, lang, state.names) for one in why] for lang in LANGUAGES}
    return {
        "number": event.number,
        "place": event.place,
        "foul": foul,
        "confirmed": event.entry.source == "person",
        "parts": parts_json(event_parts(shown, names)),
        "told": event_json(shown, names),
        "texts": said[table.lang],
        "said": said,
    }


def _entry(value: object, place: str) -> Entry:
    try:
        return entry_from_json(value)
    except Unreadable as error:
        raise error.inside(place) from None
