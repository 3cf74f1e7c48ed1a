"""What all may ask for is worked out once a change, and what a seat is sent once for its pages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from engine.announce import Turn
from engine.game import replay
from engine.news import New
from engine.texts import files
from engine.texts.catalogue import read_all
from service.report import downloads, public
from service.table import seat_view
from service.table.view import REMEMBERED, table_view
from service.texts import catalogue
from service.web.background import MadeOnce
from service.web.grants import Grant, Role
from tests.support.harbin_game import ENTRIES as HARBIN
from tests.support.keys import KEYS, with_key
from tests.support.live_table import moment_of
from tests.support.patience import PATIENCE_S
from tests.support.riichi_sample import ENTRIES, table_of
from tests.support.served import served

ASKED = (
    ("events", "service.pages.correction_pages.events_of"),
    ("fouls", "service.pages.correction_pages.fouls_of"),
    ("hands", "service.evening.game_pages.games_json"),
    ("replay", "service.evening.game_pages.steps_of"),
    ("standings", "service.evening.game_pages.by_rules"),
    *((f"download/{form}", f"download {form}") for form in downloads.DOWNLOAD_FORMATS),
)
"""Addresses that look at the whole record, and what does the work."""
AT_ONCE = 8


class Watched:
    """How often each work is done, and how many at a time."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.most = 0
        self._at_work = 0
        self._lock = threading.Lock()

    def over(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            with self._lock:
                self.count[name] += 1
                self._at_work += 1
                self.most = max(self.most, self._at_work)
            try:
                return work(*given, **named)
            finally:
                with self._lock:
                    self._at_work -= 1

        return watched


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched()
    for path, work in ASKED:
        if path.startswith("download/"):
            form = path.removeprefix("download/")
            kind = downloads.DOWNLOAD_FORMATS[form]
            seen = replace(kind, write=watched.over(work, kind.write))
            monkeypatch.setitem(downloads.DOWNLOAD_FORMATS, form, seen)
        else:
            module, _, name = work.rpartition(".")
            owner = import_module(module)
            monkeypatch.setattr(owner, name, watched.over(work, getattr(owner, name)))
    return watched


def test_many_who_ask_cost_no_more_than_one(watched: Watched) -> None:
    with (
        served(table_of(ENTRIES), KEYS, without_key=None) as server,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        paths = [path for path, _ in ASKED for _ in range(AT_ONCE)]

        def asked(path: str) -> tuple[str, str]:
            answer = server.get(f"/api/{path}", key=KEYS.control)
            assert answer.status == 200, (path, answer.text)
            return path, answer.text

        answers = set(pool.map(asked, paths))
        assert len(answers) == len(ASKED), "all are told the same"
        assert watched.count == {work: 1 for _, work in ASKED}
        assert watched.most == 1
        # A change makes them anew, once.
        foul = {"event": {"type": "dice", "values": [1, 2]}, "lines": len(ENTRIES)}
        assert server.post("/api/events", foul, with_key(KEYS.control)).status == 200
        list(pool.map(asked, paths))
        changed = {work: 2 for path, work in ASKED if path != "standings"}
        assert {work: watched.count[work] for work in changed} == changed


def test_a_file_without_sentences_is_made_once_for_all_languages(watched: Watched) -> None:
    with served(table_of(ENTRIES), KEYS) as server:
        for form in downloads.DOWNLOAD_FORMATS:
            texts = {
                server.get(f"/api/download/{form}?lang={lang}", key=KEYS.control).text
                for lang in files.LANGUAGES
            }
            made = len(files.LANGUAGES) if form == "html" else 1
            assert (watched.count[f"download {form}"], len(texts)) == (made, made), form


def test_the_pages_of_a_seat_are_told_the_same_once(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()
    in_loop: list[str] = []
    seen: list[object] = []
    for name in ("_view", "_hint", "table_view"):
        work = getattr(seat_view, name)

        def aside(*given: Any, name: str = name, work: Any = work, **named: Any) -> Any:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop()
                in_loop.append(name)
            seen.extend(given[:1] if name == "table_view" else ())
            return work(*given, **named)

        monkeypatch.setattr(seat_view, name, watched.over(name, aside))
    lines = next(n for n in range(20, len(ENTRIES)) if open_hint(n))
    with served(table_of(ENTRIES[:lines]), KEYS) as server, contextlib.ExitStack() as opened:
        server.wait_for_end()
        seat = replay(ENTRIES[:lines]).state.turn
        pages = [opened.enter_context(server.socket("/ws/seat")) for _ in range(AT_ONCE)]
        for page in pages:
            page.send(json.dumps({"key": KEYS.seats[seat]}))
            assert json.loads(page.recv(PATIENCE_S))["type"] == "table"
        assert watched.count["_view"] == watched.count["table_view"] == 1
        for page in pages:
            page.send(json.dumps({"teach": "now"}))
        hints = {json.dumps(json.loads(page.recv(PATIENCE_S))["mine"]["hint"]) for page in pages}
        assert len(hints) == 1
        assert watched.count["_hint"] == watched.count["_view"] == 1
        before = len(seen)
        dice = {"event": {"type": "dice", "values": [1, 2]}, "lines": lines}
        assert server.post("/api/events", dice).status == 200
        for page in pages:
            while json.loads(page.recv(PATIENCE_S))["lines"] != lines + 1:
                pass
        assert watched.count["_view"] == 2
        # What is announced may come with a message of its own, when the reader has heard of it.
        moments = seen[before:]
        assert 1 <= len(moments) == len({id(moment) for moment in moments}) <= 2
        assert in_loop == []


def open_hint(lines: int) -> bool:
    """Whether who plays then can have a hint."""
    game = replay(ENTRIES[:lines])
    return seat_view.why_no_hint(game, game.state.turn) is None


def test_only_announcements_that_are_shown_are_put_into_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = replay([HARBIN[0], *HARBIN[1:10] * 80])
    # A line of long ago may stand among the newest.
    old = next(one for one in game.announcements() if not isinstance(one, Turn))
    moment = moment_of(game, New([old]))
    worded: list[object] = []
    work = public.worded_by

    def counted(*given: Any) -> Any:
        worded.append(given[0])
        return work(*given)

    monkeypatch.setattr(public, "worded_by", counted)
    table_view(moment, "en", Grant(Role.SEAT, 0), game)
    assert len(worded) == REMEMBERED + 1


def test_each_catalogue_is_parsed_once_and_only_those_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[str] = []
    work = files.entries

    def counted(text: str, name: str) -> Any:
        parsed.append(text)
        return work(text, name)

    monkeypatch.setattr(files, "entries", counted)
    for kept in (files.read_texts, read_all, catalogue.texts_of, catalogue.texts_for):
        kept.cache_clear()
    catalogue.texts_of("ja")
    one = len(parsed)
    for lang in files.LANGUAGES:
        catalogue.texts_of(lang)
    assert len(parsed) == len(set(parsed))
    assert one < len(parsed)


def test_what_fails_is_made_again_and_others_wait() -> None:
    made, begun, at_work, most = MadeOnce(), [], 0, 0

    def make() -> int:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        begun.append(1)
        at_work -= 1
        if len(begun) == 1:
            raise ValueError("not yet")
        return len(begun)

    async def asked() -> list[object]:
        asking = [made.once("a", 1, make) for _ in range(AT_ONCE)]
        return list(await asyncio.gather(*asking, return_exceptions=True))

    answers = asyncio.run(asked())
    assert str(answers[0]) == "not yet"
    assert answers[1:] == [2] * (AT_ONCE - 1)
    assert (len(begun), most) == (2, 1)


def test_who_goes_away_lets_nobody_begin_beside_what_is_being_made() -> None:
    """Pages of a seat may come and go faster than their view is worked out."""
    made, watched, begun, go_on = MadeOnce(), Watched(), threading.Event(), threading.Event()

    def make() -> int:
        begun.set()
        go_on.wait(PATIENCE_S)
        return 7

    work = watched.over("made", make)

    async def came_and_went() -> object:
        for _ in range(AT_ONCE):
            asking = asyncio.create_task(made.once("a", 1, work))
            await asyncio.to_thread(begun.wait, PATIENCE_S)
            asking.cancel()
            await asyncio.wait([asking])
        staying = asyncio.create_task(made.once("a", 1, work))
        await asyncio.sleep(0)
        go_on.set()
        return await staying

    assert asyncio.run(came_and_went()) == 7
    assert (watched.most, watched.count["made"]) == (1, 1)
