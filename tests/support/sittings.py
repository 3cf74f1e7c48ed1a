"""An evening of people who sit down, move on and leave: what they do, and what must hold then."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from hypothesis import strategies as st

from engine.codec import event_to_json, write_record
from engine.events import GameStart, Seat
from service.app import create_app
from service.evening.open_table import OpenRecord, TableRequest, open_table
from service.pages.settings import OpenTable, PageSettings
from service.table.live_table import LiveTable
from service.table.reader import EmptyReader, EmptySource
from service.web.keys import TableKeys
from tests.support.in_process import Socket, asked
from tests.support.live_table import resumed
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES

ENDED: Final = next(at for at, one in enumerate(ENTRIES) if type(one.event).__name__ == "HandEnd")
DEVICES: Final = tuple(f"the phone number {number}" for number in range(3))
PEOPLE: Final = (
    ("Anna", "Bo", "Chie", "Dan"),
    ("Bo", "Anna", "Chie", "Dan"),
    ("Anna", "Bo", "Chie", "Eve"),
    ("Anna", "", "Chie", ""),
)
seats = st.integers(0, 3)
devices = st.sampled_from(DEVICES)
ACTS: Final = st.one_of(
    st.tuples(st.just("look"), devices),
    st.tuples(st.just("take"), devices, seats),
    st.tuples(st.just("scan"), devices, seats),
    st.tuples(st.just("scan without a word"), seats),
    st.tuples(st.just("names"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("next game"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("new code"), seats),
    st.tuples(st.just("new codes")),
    st.tuples(st.just("restart")),
    st.tuples(st.just("another record")),
    st.tuples(st.just("the first record")),
)
Act = tuple[Any, ...]
ALL_SEATS: Final = [("take", DEVICES[0], seat) for seat in range(4)]
"""One device asks for one seat after the other."""


@dataclass
class Walk:
    """What has been handed out so far, to whom, and what has ended."""

    by_card: list[tuple[str, str]] = field(default_factory=list)
    """Devices, and keys that the guest's card gave them."""
    codes: set[str] = field(default_factory=set)
    dead: set[str] = field(default_factory=set)
    sits: dict[str, Seat] = field(default_factory=dict)
    """Where each device sits by what it was told last."""

    def given(self, device: str, seat: Seat | None, key: str | None) -> None:
        if seat is None or key is None:
            self.sits.pop(device, None)
            return
        self.sits[device] = seat
        self.by_card.append((device, key))

    @property
    def known(self) -> list[str]:
        return [*{key for _, key in self.by_card}, *self.codes]


class Shown:
    """Stands for what is shown, as another one takes its place: to build an application takes
    half a second."""

    instead: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.instead, name)


class KeysShown(Shown):
    def __init__(self) -> None:
        self.on_ended: list[Callable[[Collection[Seat]], None]] = []


@cache
def application() -> tuple[FastAPI, Any, Any]:
    table: Any = Shown()
    keys: Any = KeysShown()
    table.instead, keys.instead = resumed([]), TableKeys.new()
    return create_app(table, PageSettings(keys=keys, without_key=None)), table, keys


class Evening:
    """The records of one evening, and the table that is shown."""

    def __init__(self, folder: Path, whole: bool) -> None:
        self.folder = folder
        self.whole = whole
        """Whether each table gets an application of its own, as the program does it."""
        self.shown: OpenRecord | None = None
        self.first = folder / "first.jsonl"
        self.first.write_text(write_record(ENTRIES[: ENDED + 1]))
        self.open(self.first)

    def open(self, record: Path, restart: bool = False) -> None:
        last = None if self.shown is None or restart else self.shown.keys
        self.close()
        source = EmptySource("none")
        request = TableRequest(source, EmptyReader, GameStart("riichi-tenhou"), record)
        self.opened = open_table(request, last)
        self.shown = self.opened.__enter__()
        self.record = record
        pages = PageSettings(keys=self.keys, without_key=None, agreed=self.shown.agreed)
        if self.whole:
            self.app = create_app(self.table, pages)
            return
        self.app, table, keys = application()
        table.instead, keys.instead, self.keys.on_ended = self.table, self.keys, keys.on_ended
        self.table.on_names = self.keys.seated
        self.app.state.served = OpenTable(table, pages)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.table.leave()
            self.opened.__exit__(None, None, None)

    def another(self) -> Path:
        count = len(list(self.folder.glob("*.jsonl")))
        record = self.folder / f"other-{count}.jsonl"
        record.write_text(write_record(ENTRIES[: ENDED + 1]))
        return record

    @property
    def table(self) -> LiveTable:
        assert self.shown is not None
        return self.shown.table

    @property
    def keys(self) -> TableKeys:
        assert self.shown is not None
        return self.shown.keys

    async def ask(self, method: str, path: str, key: str, body: object = None) -> tuple[int, Any]:
        status, told = await asked(self.app, method, path, key, body)
        lines = (line for line in told.split(b"\n") if line.startswith((b"{", b"[")))
        return status, json.loads(next(lines, b"null"))

    async def change(self, path: str, body: dict[str, object]) -> int:
        lines = {"lines": len(self.table.game.entries)}
        status, _ = await self.ask("POST", f"/api/v1/{path}", self.keys.scorer, body | lines)
        return status


@contextmanager
def evening(whole: bool = False) -> Iterator[Evening]:
    with tempfile.TemporaryDirectory() as folder:
        here = Evening(Path(folder), whole)
        try:
            yield here
        finally:
            here.close()


async def act(here: Evening, walk: Walk, what: Act) -> None:
    match what:
        case ("look", device) | ("take", device, _):
            seat = what[2] if len(what) > 2 else None
            wish = {"device": device, "seat": seat}
            status, told = await here.ask("POST", "/api/guest", here.keys.guest, wish)
            assert status in (200, 409)
            if status == 200:
                walk.given(device, told["seat"], told["key"])
                assert told["key"] not in here.keys.seats, "the code is the sitting player's"
        case ("scan", device, seat):
            await sat_down(here, here.keys.seats[seat], device)
        case ("scan without a word", seat):
            await sat_down(here, here.keys.seats[seat], None)
        case ("names", names):
            start = next(one.event for one in here.table.game.entries)
            named = event_to_json(start) | {"players": list(names)}
            change: dict[str, object] = {"of": 0, "do": "replace", "events": [named]}
            assert await here.change("corrections", change) == 200
        case ("next game", names):
            await here.change("next", {"names": list(names)})  # refused before a hand is played
        case ("undo",):
            await here.change("undo", {})
        case ("new code", seat):
            wish = {"renew": True, "seat": seat}
            assert (await here.ask("POST", "/api/keys", here.keys.control, wish))[0] == 200
        case ("new codes",):
            wish = {"renew": True}
            assert (await here.ask("POST", "/api/keys", here.keys.control, wish))[0] == 200
        case ("restart",):
            here.open(here.record, restart=True)
        case ("another record",):
            here.open(here.another())
        case ("the first record",):
            here.open(here.first)


async def sat_down(here: Evening, code: str, device: str | None) -> None:
    socket = Socket(here.app, "/ws/seat", here.keys.viewer)
    socket.say({"key": code} | ({} if device is None else {"device": device}))
    await socket.heard(1)
    assert '"type":"table"' in socket.told[0]
    await socket.close()


async def opens(here: Evening, key: str) -> set[Seat]:
    """The seats whose hands a key opens, by page and by socket alike."""
    found = set()
    for seat in range(4):
        if (await here.ask("GET", f"/api/teach/hand?seat={seat}", key))[0] == 200:
            found.add(seat)
    socket = Socket(here.app, "/ws/seat", here.keys.viewer)
    socket.say({"key": key})
    await socket.heard(1)
    first = socket.told[0]
    by_socket = {json.loads(first)["mine"]["seat"]} if first.startswith('{"') else set()
    await socket.close()
    assert by_socket == found, (by_socket, found)
    return found


async def check(here: Evening, walk: Walk, names: tuple[str, ...], codes: tuple[str, ...]) -> None:
    """No device has more than its own seat, and what has ended has ended for good."""
    keys = here.keys
    for device in DEVICES:
        own = {keys.seat_of(key) for holder, key in walk.by_card if holder == device} - {None}
        assert len(own) <= 1, (device, own)
        sitting = {seat for seat, one in keys.taken.items() if one.device == device}
        assert own <= sitting
    for key in walk.known:
        if keys.seat_of(key) is None:
            walk.dead.add(key)
        else:
            assert key not in walk.dead, "a key that had ended opens again"
    left = [at for at in range(4) if here.table.names and names[at] != here.table.names[at]]
    assert not {codes[at] for at in left} & set(keys.seats)
    walk.codes.update(keys.seats)


async def takes(here: Evening, seat: Seat | None, device: str = DEVICES[0]) -> tuple[int, Any]:
    wish = {"device": device, "seat": seat}
    return await here.ask("POST", "/api/guest", here.keys.guest, wish)


async def seat_page(here: Evening, key: str) -> Socket:
    socket = Socket(here.app, "/ws/seat", here.keys.viewer)
    socket.say({"key": key})
    await socket.heard(1)
    return socket


async def ended(socket: Socket) -> bool:
    """Whether the server closes a page that its own side leaves open."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while "websocket.close" not in "".join(socket.told):
                await socket.heard(len(socket.told) + 1)
    except TimeoutError:
        return False
    return True
