"""A record of a long evening is opened beside everything else, and once."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import uvicorn
from websockets.exceptions import InvalidStatus

from engine import game
from engine.codec import MOST_LINES, write_record
from engine.errors import Refused
from engine.events import Correct, Discard, Entry, GameEnd, GameStart, HandStart
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import Tile
from service.app import TableApp, create_set_up
from service.commands import serve as serving
from service.commands import serving as program
from service.commands.score import house_rules
from service.commands.serving import PagesServer, listen
from service.evening import open_table as opening
from service.evening.open_table import Abandoned, Opening, TableRequest, open_table
from service.evening.opening_page import OpeningPage
from service.evening.session import SetUpSession
from service.evening.wire import StartRequest
from service.machine import records
from service.machine.records import state_in_the_middle, unfinished_by
from service.pages.network_door import NetworkDoor
from service.pages.settings import LOCAL_HOSTS, OpenTable, PageSettings
from service.report.public import Json
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from service.web.grants import Filming, Grant, mark_as_phone
from service.web.keys import TableKeys
from tests.support.detectors import Blind
from tests.support.harbin_game import ENTRIES, RECORD
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served
from tests.support.served import serving as serving_app

GAMES = 12
NO_BEAT_S = 20.0
"""A loop that waits for whoever waits for it would never answer."""
EVENING = [entry for _ in range(GAMES) for entry in (*ENTRIES, Entry(GameEnd()))]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the events that are played, in order."""
    numbers: list[int] = []
    play = game.Game._play

    def noted(self: Any, event: Any, *rest: Any) -> Any:
        numbers.append(event.number)
        return play(self, event, *rest)

    monkeypatch.setattr(game.Game, "_play", noted)
    return numbers


def requested(record: Path) -> TableRequest:
    return TableRequest(EmptySource("x"), EmptyReader, GameStart("harbin-hlr"), record)


def test_a_record_is_replayed_once_when_it_is_opened(tmp_path: Path, played: list[int]) -> None:
    record = tmp_path / "long.jsonl"
    record.write_text(write_record([*EVENING, *ENTRIES]))
    request = requested(record)
    with open_table(request) as opened:
        assert len(opened.table.game.played) == len(EVENING) + len(ENTRIES)
    assert played == list(range(len(EVENING) + len(ENTRIES)))
    assert (request.opening.events, request.opening.of) == (len(played), len(played))


def test_only_the_last_game_is_replayed_to_know_whether_it_goes_on(
    tmp_path: Path, played: list[int]
) -> None:
    lines = [*EVENING, *ENTRIES]
    assert unfinished_by(state_in_the_middle(lines), GameStart("riichi")) == "harbin-hlr"
    assert unfinished_by(state_in_the_middle(EVENING), GameStart("riichi")) is None
    assert played == list(range(len(EVENING), len(lines)))
    played.clear()
    record = tmp_path / "long.jsonl"
    record.write_text(write_record(lines))
    session = SetUpSession(lambda: None, tmp_path, Options(record=record))  # type: ignore[arg-type, return-value]
    assert session.goes_on
    asked = StartRequest.model_validate({"open": "long.jsonl"})
    assert session.begin(asked).start.rules == "harbin-hlr"
    assert len(played) == len(ENTRIES)


def test_a_game_in_the_middle_goes_on_under_its_own_house_rules_alone() -> None:
    begun = GameStart("harbin-hlr", options={"clamp_waits": "edges"})
    state = replay([begun, HandStart()]).state
    same, others = {"clamp_waits": "edges"}, {"clamp_waits": "middle"}
    broken = "harbin-hlr --option clamp_waits=edges"
    for options, broken_off in ((same, None), ({}, None), (others, broken)):
        assert unfinished_by(state, GameStart("harbin-hlr", options=options)) == broken_off
    assert unfinished_by(replay([begun]).state, GameStart("harbin-hlr", options=others))
    done = replay([begun, GameEnd()]).state
    assert unfinished_by(done, GameStart("harbin-hlr", options=others)) is None


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        ("harbin-hlr", "clamp_waits=edges"),
        ("riichi", "closed_kong_robbed=false"),
        ("riichi", "uma=20,10,-10,-20"),
        ("sichuan", "most_times=32"),
    ],
)
def test_the_house_rules_of_a_game_in_the_middle_are_named_as_they_are_typed(
    rules: str, option: str
) -> None:
    typed = house_rules(rules, [option])
    state = replay([Entry(GameStart(rules, typed)), Entry(HandStart())]).state
    usual = GameStart(rules, RULE_SETS[rules].all_options())
    assert unfinished_by(state, usual) == f"{rules} --option {option}"


@pytest.mark.parametrize("of", [3, len(ENTRIES) + 4, 5 * (len(ENTRIES) + 1) + 2])
def test_a_correction_replays_its_own_game_alone(played: list[int], of: int) -> None:
    whole = replay([*EVENING, *ENTRIES])
    played.clear()
    line = Entry(Correct(of, (Entry(Discard(0, Tile("8m"))),)), source="person")
    corrected = whole.with_lines(line)
    assert len(played) <= len(ENTRIES) + 1
    fresh = replay([*EVENING, *ENTRIES, line])
    assert [one.event for one in corrected.played] == [one.event for one in fresh.played]
    assert [one.state for one in corrected.played] == [one.state for one in fresh.played]
    assert corrected.announcements() == fresh.announcements()
    undone = corrected.with_lines(Entry(Correct(len(EVENING) + len(ENTRIES), ())))
    assert undone.announcements() == whole.announcements()


def test_a_game_that_a_correction_begins_or_takes_away_changes_what_follows() -> None:
    start = len(ENTRIES) + 1
    for events in ((), (Entry(GameStart("riichi")),)):
        line = Entry(Correct(start, events))
        corrected = replay(EVENING).with_lines(line)
        assert corrected.announcements() == replay([*EVENING, line]).announcements()


class Held:
    """Holds a replay until it is let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

        def held(entries: Sequence[Entry], progress: Callable[[int, int], object]) -> Any:
            progress(5, len(entries))
            self.begun.set()
            assert self.go.wait(PATIENCE_S)
            return records.replayed(entries, progress)

        monkeypatch.setattr(opening, "replayed", held)


class UnknownPhone:
    def grant_of(self, key: str) -> Grant | None:
        return None


def test_pages_wait_for_a_table_that_is_opened_and_health_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "long.jsonl").write_text(RECORD)
    held = Held(monkeypatch)
    request = requested(tmp_path / "long.jsonl")

    @contextlib.contextmanager
    def opened(_: TableKeys | None) -> Iterator[OpenTable]:
        with open_table(request) as shown:
            yield OpenTable(shown.table, PageSettings(keys=shown.keys))

    async def show(_: TableRequest) -> str:
        return "/"

    session = SetUpSession(Blind, tmp_path)
    session.opening = request.opening
    logged: list[Json] = []
    pages = create_set_up(session, show, LOCAL_HOSTS, lambda _, fields: logged.append(fields))
    clock_s = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock_s[0])

    async def asked(path: str, phone: Filming | None = None) -> bytes:
        sent: list[bytes] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        scope = {
            "type": "http", "path": path, "raw_path": path.encode(), "method": "GET",
            "headers": [(b"host", b"localhost")], "query_string": b"", "scheme": "http",
            "server": ("localhost", 80), "client": ("127.0.0.1", 1), "root_path": "",
            "http_version": "1.1",
        }  # fmt: skip
        if phone is not None:
            mark_as_phone(scope, phone)
        await pages.app(scope, receive, send)
        return b"".join(sent)

    async def evening() -> None:
        showing = asyncio.create_task(pages.show(opened, lambda: None))
        await asyncio.to_thread(held.begun.wait, PATIENCE_S)
        waits = asyncio.create_task(asked("/api/table"))
        # The loop is free: both are answered while the record is replayed.
        assert json.loads(await asked("/health"))["events"] == 5
        assert b"<html" in await asked("/setup")
        # A phone that films sends to no open table, and its listener may end before one is open.
        frame = asked("/frame", UnknownPhone())
        assert b"detail" in await asyncio.wait_for(frame, NO_BEAT_S)
        assert not waits.done()
        clock_s[0] += 1000.0
        held.go.set()
        await showing
        assert "points" in json.loads(await waits)
        (table,) = (one for one in logged if one["path"] == "/api/table")
        assert table["ms"] == 0.0, "the wait is no part of the answer"
        await pages.clear()

    asyncio.run(evening())


def test_an_address_is_printed_once_it_answers(tmp_path: Path) -> None:
    """Opening ends in a thread: who follows an address that is printed there is told to wait."""
    shown_then: list[OpenTable | None] = []
    request = requested(tmp_path / "one.jsonl")
    pages = TableApp(LOCAL_HOSTS, meanwhile=OpeningPage(request.opening))

    @contextlib.contextmanager
    def opened(_: TableKeys | None) -> Iterator[OpenTable]:
        with open_table(request) as shown:
            settings = PageSettings(
                keys=shown.keys, on_shown=lambda: shown_then.append(pages.shown)
            )
            yield OpenTable(shown.table, settings)

    async def evening() -> None:
        shown = await pages.show(opened, lambda: None)
        assert shown_then == [shown]
        await pages.clear()

    asyncio.run(evening())


def test_the_loop_goes_on_while_a_table_is_opened_and_closed(tmp_path: Path) -> None:
    """What a table holds may wait for the loop when it ends, as the page of a phone does."""
    beats: list[str] = []

    async def evening() -> None:
        loop = asyncio.get_running_loop()
        pages = create_set_up(SetUpSession(Blind, tmp_path), show, LOCAL_HOSTS)

        async def beat(said: str) -> None:
            beats.append(said)

        def beaten(said: str) -> None:
            asyncio.run_coroutine_threadsafe(beat(said), loop).result(NO_BEAT_S)

        @contextlib.contextmanager
        def opened(_: TableKeys | None) -> Iterator[OpenTable]:
            record = tmp_path / f"{len(beats)}.jsonl"
            with open_table(requested(record)) as shown:
                beaten("opened")
                yield OpenTable(shown.table, PageSettings(keys=shown.keys))
                beaten("closed")

        await pages.show(opened, lambda: beaten("let go"))
        await pages.show(opened, lambda: beaten("let go"))
        await pages.clear()

    async def show(_: TableRequest) -> str:
        return "/"

    asyncio.run(evening())
    assert beats == ["opened", "let go", "closed"] * 2


def test_a_table_that_nobody_waits_for_is_closed_once_it_is_open(tmp_path: Path) -> None:
    begun, go, closed = threading.Event(), threading.Event(), threading.Event()

    @contextlib.contextmanager
    def opened(_: TableKeys | None) -> Iterator[OpenTable]:
        begun.set()
        assert go.wait(PATIENCE_S)
        with open_table(requested(tmp_path / "one.jsonl")) as shown:
            yield OpenTable(shown.table, PageSettings(keys=shown.keys))
        closed.set()

    async def show(_: TableRequest) -> str:
        return "/"

    async def evening() -> None:
        pages = create_set_up(SetUpSession(Blind, tmp_path), show, LOCAL_HOSTS)
        showing = asyncio.create_task(pages.show(opened, lambda: None))
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        showing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await showing
        assert pages.shown is None

    asyncio.run(evening())
    go.set()
    assert closed.wait(PATIENCE_S)


def test_a_new_game_is_not_said_to_have_a_record() -> None:
    app = TableApp(LOCAL_HOSTS, meanwhile=OpeningPage(Opening())).app
    with serving_app(app) as server:
        page = server.get("/")
    assert page.status == 503
    assert "<p>Opening…</p>" in page.text
    assert 'name="viewport"' in page.text


@dataclass(frozen=True)
class WhileOpening:
    """A program whose table is being opened."""

    server: Served
    logged: list[tuple[str, Json]]
    """What it has noted, by kind."""

    def requests(self, count: int) -> list[tuple[object, object]]:
        """Path and status of each that is noted; an answer may come before its note."""
        until(lambda: len(self.logged) >= count)
        return [(fields["path"], fields["status"]) for _, fields in self.logged]


@pytest.fixture
def opening_long() -> Iterator[WhileOpening]:
    logged: list[tuple[str, Json]] = []
    waits = OpeningPage(Opening(events=5, of=9))
    app = TableApp(LOCAL_HOSTS, lambda *note: logged.append(note), meanwhile=waits).app
    with serving_app(app) as server:
        yield WhileOpening(server, logged)


@pytest.mark.parametrize("path", ["/", "/game", "/api/table", "/health", "/static/shared/enter.js"])
def test_another_host_is_refused_while_a_table_is_opened(
    path: str, opening_long: WhileOpening
) -> None:
    known, other = (opening_long.server.get(path, host) for host in (None, "pages.example"))
    assert known.status in (200, 503)
    assert other.status == 400
    assert "9" not in other.text


@pytest.mark.parametrize(
    ("path", "kept"), [("/game", "no-cache"), ("/api/table", "no-store"), ("/health", "no-store")]
)
def test_what_is_answered_while_a_table_is_opened_guards_the_browser(
    path: str, kept: str, opening_long: WhileOpening
) -> None:
    headers = opening_long.server.get(path).headers
    assert headers["cache-control"] == kept
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert ("retry-after" in headers) == (path != "/health")


def test_what_is_asked_while_a_table_is_opened_is_logged(opening_long: WhileOpening) -> None:
    server = opening_long.server
    server.get("/game")
    server.get("/health")
    server.get("/game", "pages.example")
    with pytest.raises(InvalidStatus):
        server.socket("/ws")
    asked = [("/game", 503), ("/health", 200), ("/game", 400), ("/ws", 403)]
    assert opening_long.requests(len(asked)) == asked


FROM_NETWORK: Final = {"X-Forwarded-For": "203.0.113.5"}


@pytest.mark.parametrize("headers", [{}, FROM_NETWORK])
def test_how_far_a_table_is_opened_is_told_to_everybody(
    headers: dict[str, str], opening_long: WhileOpening
) -> None:
    """The health and the page that waits say the same; what has nothing of a game is there."""
    server = opening_long.server
    page, health = (server.get(path, headers=headers) for path in ("/", "/health"))
    assert page.status == 503
    assert "event 5 of 9" in page.text
    assert json.loads(health.text) == {"status": "opening", "events": 5, "of": 9}
    assert server.get("/static/table/app.js", headers=headers).status == 200


@pytest.mark.parametrize("headers", [{}, FROM_NETWORK])
@pytest.mark.parametrize("path", ["/setup", "/api/setup"])
def test_what_sets_up_waits_where_nothing_sets_up(
    path: str, headers: dict[str, str], opening_long: WhileOpening
) -> None:
    answer = opening_long.server.get(path, headers=headers)
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")


def test_a_restart_is_answered_before_the_record_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "long.jsonl"
    record.write_text(RECORD)
    held = Held(monkeypatch)
    listening = listen("127.0.0.1", 0)
    servers: list[PagesServer] = []
    run = PagesServer.run

    def noted(server: PagesServer, sockets: list[socket.socket]) -> None:
        servers.append(server)
        run(server, sockets)

    monkeypatch.setattr(PagesServer, "run", noted)
    monkeypatch.setattr(serving, "listen", lambda *_: listening)
    monkeypatch.setattr(serving, "open_reconnecting", lambda *_: EmptySource("x"))
    settings = Options("harbin-hlr", "zh", record=record)
    thread = threading.Thread(target=serving.run, args=("0", EmptyReader, settings))
    thread.start()
    try:
        assert held.begun.wait(PATIENCE_S)
        server = Served(f"127.0.0.1:{listening.getsockname()[1]}")
        told = {"status": "opening", "events": 5, "of": len(ENTRIES)}
        assert server.json("/health") == told
        page = server.get("/")
        assert page.status == 503
        assert f"5/{len(ENTRIES)}个事件" in page.text
        assert 'http-equiv="refresh"' in page.text
        assert '<html lang="zh-Hans">' in page.text
        request = urllib.request.Request(server.url, headers={"Accept-Language": "ja"})
        with pytest.raises(urllib.error.HTTPError) as waits:
            urllib.request.urlopen(request, timeout=PATIENCE_S)
        with waits.value as answer:
            assert f"5/{len(ENTRIES)}件" in answer.read().decode()
        held.go.set()
        until(lambda: server.get("/api/table").status == 200)
        assert server.json("/health")["status"] in ("watching", "ended")
    finally:
        held.go.set()
        servers[0].should_exit = True
        thread.join()


def test_a_replay_that_nobody_waits_for_ends() -> None:
    opening = Opening()
    opening.abandon()
    with pytest.raises(Abandoned):
        replay(EVENING, progress=opening.progress)
    assert opening.events < len(EVENING)


def test_a_table_that_nobody_waits_for_is_opened_no_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = requested(tmp_path / "one.jsonl")
    looked: list[int] = []

    def abandoned(entries: Sequence[Entry], _: object) -> Any:
        request.opening.abandon()
        return replay(entries)

    monkeypatch.setattr(opening, "replayed", abandoned)
    monkeypatch.setattr(opening, "place_of_film", lambda *_: looked.append(1))
    with pytest.raises(Abandoned), open_table(request):
        pass
    assert not looked
    assert not request.record.exists()


@pytest.mark.parametrize("signals", [1, 2])
def test_a_program_ends_though_its_table_can_not_be_opened(
    signals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first Ctrl-C waits a little for a step that hangs, the second not at all."""
    monkeypatch.setattr(program, "ABANDON_S", 0.2 if signals == 1 else 1e9)
    begun, go = threading.Event(), threading.Event()
    servers: list[PagesServer] = []

    @contextlib.contextmanager
    def opened(_: TableKeys | None) -> Iterator[OpenTable]:
        begun.set()
        go.wait(PATIENCE_S)
        raise Abandoned
        yield

    pages = TableApp(LOCAL_HOSTS)
    door = NetworkDoor(0, named=False)
    door.listeners.app = pages.app
    run = PagesServer.run

    def noted(server: PagesServer, sockets: list[socket.socket]) -> None:
        servers.append(server)
        run(server, sockets)

    monkeypatch.setattr(PagesServer, "run", noted)
    first = program.First(lambda: pages.show(opened, lambda: None), lambda: None)
    config = uvicorn.Config(pages.app, log_level="warning", lifespan="on")
    with listen("127.0.0.1", 0) as listening:
        serves = threading.Thread(
            target=program.serve, args=(config, listening, door, first), daemon=True
        )
        serves.start()
        assert begun.wait(PATIENCE_S)
        for _ in range(signals):
            servers[0].handle_exit(signal.SIGINT, None)
        serves.join(PATIENCE_S)
        assert not serves.is_alive()
        go.set()


def test_a_record_that_is_too_long_for_one_evening_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "long.jsonl"
    line = write_record(ENTRIES[1:2])
    record.write_text(write_record(ENTRIES[:1]) + line * MOST_LINES)
    with (
        pytest.raises(Refused, match=f"more than {MOST_LINES} lines"),
        open_table(requested(record)),
    ):
        pass


def test_how_far_it_is_can_be_read_at_any_time() -> None:
    seen = Opening()
    replay(EVENING, progress=seen.progress)
    assert seen.events == seen.of == len(EVENING)
