"""A record of many hands: what pages are told of it costs no more than of a short one."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np
import pytest

from engine.announce import Announcement, Turn
from engine.corrections import refuse_stale
from engine.events import Correct, Entry, Foul, GameEnd
from engine.game import Game, replay
from engine.news import new_to_all
from engine.stories import happened_in
from service.hall.records import TableRow
from service.hall.remote_table import RemoteTable
from service.pages.settings import StoryCache
from service.report.public import Json, public_announcements
from service.table import view
from service.table.live_table import LiveTable, TableSettings
from service.table.reader import EmptyReader
from service.table.seat_view import SeatViews
from service.table.view import REMEMBERED, announced
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import moment_of, seen, written
from vision.camera.frames import Frame, Frames

HAND = ENTRIES
EVENING = HAND * 80
ONE_GAME = [HAND[0], *HAND[1:10] * 80]
"""The start of a game, and eighty times its first hand."""


@pytest.fixture(scope="module")
def evening() -> Game:
    return replay(EVENING)


def test_pages_are_told_what_was_said_last_in_this_game(evening: Game) -> None:
    game = replay(ONE_GAME)
    spoken = announced(game.announcements(), game, "en")
    assert len(spoken) > 2 * REMEMBERED
    assert seen(moment_of(game))["announced"] == spoken[-REMEMBERED:]
    first = len(EVENING) - len(HAND)
    told = [one for one in announced(evening.announcements(), evening, "en") if one["of"] >= first]
    assert 0 < len(told) < REMEMBERED
    assert seen(moment_of(evening))["announced"] == told


def test_only_what_is_told_is_put_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = replay(ONE_GAME)
    worded: list[int] = []

    def counted(
        said: Iterable[Announcement], lang: str, names: Sequence[str], you: None, rules: str
    ) -> list[Json]:
        worded.append(len([one for one in said if not isinstance(one, Turn)]))
        return []

    monkeypatch.setattr(view, "worded", counted)
    seen(moment_of(evening))
    assert sum(worded) == REMEMBERED


def test_a_record_is_told_again_without_being_played_again(evening: Game) -> None:
    retold = StoryCache()
    before = happened_in(retold.games(evening))
    longer = evening.with_lines(EVENING[0])
    after = happened_in(retold.games(longer))
    assert len(after) == len(before) + 1
    assert all(one.state is played.state for one, played in zip(after, longer.played, strict=True))
    assert all(one.state is other.state for one, other in zip(before, after, strict=False))


class Kept:
    """A record that keeps nothing."""

    def append(self, entry: Entry) -> None:
        pass


def of_games(games: int) -> list[Entry]:
    """So many evenings, the last one in the middle of a hand."""
    return EVENING[: len(HAND) * games - 3]


def table_of(games: int) -> LiveTable:
    frames: Frames = (frame for frame in [Frame(np.zeros((9, 16, 3), np.uint8), 0.0, 0)])
    before = of_games(games)
    return LiveTable(
        EmptyReader(), frames, Kept(), TableSettings("harbin-hlr", "camera", before=before)
    )


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python are run, also in threads: what a processor's speed cannot change."""
    count = 0

    def seen(_: FrameType, event: str, __: object) -> object:
        nonlocal count
        count += event == "line"
        return seen

    before = sys.gettrace()
    tracing: Any = seen
    sys.settrace(tracing)
    threading.settrace(tracing)
    try:
        work()
    finally:
        sys.settrace(before)
        threading.settrace(before)
    return count


def submitted(table: LiveTable, entry: Entry) -> Callable[[], object]:
    """One line, as a page's request or the camera adds it, while a page is open."""

    async def work() -> None:
        with table.subscribed() as page:
            refuse_stale(table.game.entries, len(table.game.entries))
            await written(table, entry)
            moment = page.messages.get_nowait()
            await SeatViews(table, 0).view(moment, "en", lambda game: False)
            json.dumps(seen(moment))

    return lambda: asyncio.run(work())


def mended(games: int) -> list[Entry]:
    """The next line, a correction of the one before it, and that taken back."""
    lines = len(of_games(games))
    again = replace(HAND[-3], source="person")
    return [
        HAND[-3],
        Entry(Correct(lines, (again,)), source="person"),
        Entry(Correct(lines + 1, ()), source="person"),
        Entry(Correct(lines, ()), source="camera"),
    ]


def test_a_line_costs_a_table_no_more_late_in_the_evening() -> None:
    early, late = (
        [lines_run(submitted(table, line)) for line in mended(games)]
        for games in (20, 80)
        for table in [table_of(games)]
    )
    assert all(after < 1.1 * before for before, after in zip(early, late, strict=True))


def test_a_line_costs_a_hall_no_more_late_in_the_evening() -> None:
    def cost(watched: RemoteTable, line: Entry) -> int:
        def post() -> None:
            assert not watched.add([line], 1.0)  # results of the games before stay as they are
            watched.row(1.0, "en")
            seen(watched.moment)

        return lines_run(post)

    costs = []
    for games in (20, 80):
        watched = RemoteTable(TableRow(1, "north", "North", None), 0.0)
        watched.begin(("a.jsonl", 1), replay(of_games(games)), 0.0)
        costs.append([cost(watched, line) for line in mended(games)])
    assert all(after < 1.1 * before for before, after in zip(*costs, strict=True))


@pytest.mark.parametrize("step", range(5))
def test_fouls_that_are_counted_as_lines_come_are_those_of_the_whole_record(step: int) -> None:
    lines = [*mended(3), Entry(Correct(2, (Entry(Foul(1, "chombo")),)))][: step + 1]
    growing, whole = (RemoteTable(TableRow(1, "north", "North", None), 0.0) for _ in range(2))
    growing.begin(("a.jsonl", 1), replay(of_games(3)), 0.0)
    for line in lines:
        growing.add([line], 0.0)
    whole.begin(("a.jsonl", 1), replay(of_games(3) + lines), 0.0)
    assert growing.needs(0.0) == whole.needs(0.0)
    assert step < 4 or any(need["what"] == "fouls" for need in whole.needs(0.0))


def test_a_result_is_read_again_only_where_it_may_have_changed() -> None:
    watched = RemoteTable(TableRow(1, "north", "North", None), 0.0)
    over = [*of_games(2), Entry(GameEnd())]
    watched.begin(("a.jsonl", 1), replay(over), 0.0)
    assert not watched.add(HAND[:5], 0.0)
    assert not watched.add([Entry(Correct(len(over) + 3, ()))], 0.0)
    assert watched.add([Entry(Correct(3, ()))], 0.0)
    assert watched.add([Entry(GameEnd())], 0.0)
    back = len(watched.game.entries) - 1
    assert watched.add([Entry(Correct(back, ()))], 0.0)


def test_what_a_correction_changes_is_told_whatever_was_said_before(evening: Game) -> None:
    game = evening.with_lines()
    before = game.announcements()
    said = game.submit(Entry(Correct(len(EVENING) - 3, ()), source="person"))
    expected = [one for one in said if _shown(one) not in map(_shown, before)]
    assert new_to_all(said, before) == expected


def _shown(one: Announcement) -> str:
    return repr(next(iter(public_announcements([one])), one))
