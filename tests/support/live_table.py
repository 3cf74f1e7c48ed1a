"""The parts of a live table that tests put together: frames, and a record in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from threading import Event
from typing import Any, ParamSpec

import numpy as np

from engine.announce import Announcement
from engine.events import Entry
from engine.game import Game
from engine.news import NOTHING_NEW, New
from service.report.public import names_of, public_table
from service.table.live_table import LiveTable, Record, TableSettings
from service.table.view import Moment, StatusView, table_view
from service.web.grants import Grant, Role
from tests.support.harbin_game import ENTRIES
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames

P = ParamSpec("P")


def in_loop(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """A test that awaits what happens at a table."""

    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        asyncio.run(test(*given, **named))

    return run


def frames(count: int = 15) -> Frames:
    for index in range(count):
        yield Frame(np.full((36, 64, 3), index, np.uint8), index / 10, index)


class KeptLines:
    """A record in memory; can be told to fail."""

    def __init__(self, room: int = 1000) -> None:
        self.entries: list[Entry] = []
        self.room = room
        self.refused = 0

    def append(self, entry: Entry) -> None:
        if len(self.entries) == self.room:
            self.refused += 1
            raise OSError(28, "No space left on device")
        self.entries.append(entry)


SCORER = Grant(Role.SCORER)


def seen(moment: Moment, lang: str = "en", grant: Grant = SCORER) -> Any:
    """What whoever has this grant is sent of a table."""
    return table_view(moment, lang, grant)


def moment_of(game: Game, new: New = NOTHING_NEW, **more: Any) -> Moment:
    """A table with this game."""
    state = game.state
    status: StatusView = {"ended": False, "problem": None, "trouble_kind": None}
    table = public_table(state, names_of(state))
    return Moment(
        game=game, table=table, status=status, rules=state.rules, title="game.mp4", new=new, **more
    )


async def written(table: LiveTable, *lines: Entry) -> tuple[Announcement, ...]:
    """What is announced anew after a person has written these lines."""
    async with table.writing:
        return await table.submit(*lines)


def played(
    entries: Sequence[Entry],
    rules: str = "harbin-hlr",
    record: Record | None = None,
    go: Event | None = None,
) -> LiveTable:
    """A table whose camera tells these lines, as soon as ``go`` is set."""
    settings = TableSettings(rules, "game.mp4")
    return LiveTable(ToldReader(entries, go=go), frames(), record or KeptLines(), settings)


def resumed(
    before: Sequence[Entry], rules: str = "harbin-hlr", record: Record | None = None
) -> LiveTable:
    """A table that goes on with a record; its camera tells nothing more."""
    settings = TableSettings(rules, "game.mp4", before=before)
    return LiveTable(ToldReader([]), frames(2), record or KeptLines(), settings)


def table_of_a_game() -> LiveTable:
    return resumed(ENTRIES)
