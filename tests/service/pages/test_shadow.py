"""A table in the shadow of a score keeper: the pad alone is served until the evening is over."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, expect

from engine.codec import write_record
from engine.errors import Conflict, Refused
from engine.events import (
    Correct,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Win,
)
from service.app import create_app
from service.commands.serve import study, told_addresses
from service.evening.open_table import OpenRecord, TableRequest, open_table
from service.evening.session import SetUpSession
from service.machine.records import load_record, unused
from service.pages.settings import OpenTable, PageSettings
from service.table.live_table import LiveTable
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from service.table.score_pad import MOST_ROWS, ScorePad, counted_in, hides, pad_file
from service.texts.catalogue import texts_of
from service.web import rights
from service.web.rights import Serves
from tests.support.detectors import Blind
from tests.support.harbin_game import ENTRIES
from tests.support.in_process import asked
from tests.support.keys import KEYS
from tests.support.live_table import in_loop, resumed, table_of_a_game, written
from tests.support.paths import GAMES
from tests.support.rights_table import filled
from tests.support.screens import in_every_language
from tests.support.served import serving
from vision.camera.frames import Frames, FrameSource
from vision.notice import Notice

IN_THE_SHADOW = {
    "GET /",
    "GET /shadow",
    "GET /static/{file:path}",
    "GET /health",
    "POST /api/enter",
    "POST /api/keys",
    "POST /api/network",
    *(f"{method} {at}/shadow" for method in ("GET", "POST") for at in ("/api", "/api/v1")),
}
"""What is served then, besides the entrance's files and what sets the next table up."""
WHOLE: Mapping[str, Any] = {
    "rows": [],
    "over": True,
    "judged": {},
    "hands": 0,
    "right": 0,
    "first": 0,
    "last": 0,
    "names": [],
}
"""A pad as its file holds it."""
CANNOT_WRITE = "nothing was changed: the record cannot be written: No space left on device"


class Watched:
    """A camera that shows nothing."""

    name = "camera"

    def frames(self, step_s: float = 0.0) -> Frames:
        yield from ()


WRONG: Sequence[Mapping[str, Any]] = (
    {"rows": [[1, 2]]},
    {"rows": [[1e400, 0, 0, 0]]},
    {"rows": [[10**30, 0, 0, 0]]},
    {"over": 1},
    {"hands": 1, "right": 2},
    {"hands": 10**9, "right": 2},
    {"hands": 1e400},
    {"judged": []},
    {"names": ["Ann"]},
    {"last": -1},
)
"""What no pad holds."""
Ask = Callable[..., Awaitable[Any]]


def table_in_shadow(folder: Path) -> tuple[FastAPI, ScorePad]:
    record = folder / "game.jsonl"
    record.write_text(write_record(ENTRIES), "utf-8")
    pad = ScorePad.of(record, shadow=True)
    assert pad is not None
    settings = PageSettings(keys=KEYS, without_key=None, pad=pad, records=folder)
    return create_app(table_of_a_game(), settings), pad


def asking(app: FastAPI) -> Ask:
    async def ask(method: str, path: str, body: object = None, key: str = KEYS.scorer) -> Any:
        status, told = await asked(app, method, path, key, body)
        return status, json.loads(told.splitlines()[-1])

    return ask


def test_the_table_of_rights_serves_the_pad_and_nothing_of_the_table() -> None:
    served = {row for row, asks in rights.ROWS.items() if asks.right(Serves.SHADOW)}
    beside = {row for row, asks in rights.ROWS.items() if asks.here_alone}
    assert served - beside - {*rights.ENTRANCE} == IN_THE_SHADOW


@in_loop
async def test_nothing_that_tells_of_the_game_is_answered(tmp_path: Path) -> None:
    app, _ = table_in_shadow(tmp_path)
    for row, asks in rights.ROWS.items():
        method, path = row.split()
        if asks.table is None or row in IN_THE_SHADOW or row in rights.ENTRANCE or asks.here_alone:
            continue
        for key in (KEYS.control, KEYS.scorer, KEYS.seats[1], KEYS.viewer, None):
            status, told = await asked(
                app, method, filled(path), key, {} if method != "GET" else None
            )
            assert status in (401, 403, 404, 405), row
            assert b"9m" not in told, row


@in_loop
async def test_a_pad_is_kept_compared_and_judged(tmp_path: Path) -> None:
    app, pad = table_in_shadow(tmp_path)
    ask = asking(app)
    assert (await ask("POST", "/api/shadow", {"moved": [9, -3, -3, -3]}))[1]["rows"] == [
        [9, -3, -3, -3]
    ]
    told = (await ask("GET", "/api/shadow"))[1]
    assert not told["over"]
    assert told["hands"] == []
    assert told["tonight"] is None
    assert (await ask("POST", "/api/shadow", {"hand": "hand 1.1", "right": "read"}))[0] == 422
    told = (await ask("POST", "/api/shadow", {"over": True}))[1]
    assert told["over"]
    first = told["hands"][0]
    assert first["written"] == [9, -3, -3, -3]
    assert (await ask("POST", "/api/shadow", {"moved": [1, -1, 0, 0]}))[0] == 422
    assert (await ask("GET", "/api/table"))[0] == 200
    wrong = sum(not one["agree"] for one in told["hands"])
    assert told["tonight"]["right"] == len(told["hands"]) - wrong
    name = next(one["name"] for one in told["hands"] if not one["agree"])
    told = (await ask("POST", "/api/shadow", {"hand": name, "right": "read"}))[1]
    assert told["tonight"]["right"] == len(told["hands"]) - wrong + 1
    assert told["evenings"] == told["tonight"]
    assert counted_in(tmp_path) == (told["tonight"]["right"], told["tonight"]["of"])
    assert (await ask("POST", "/api/shadow", {"hand": "hand 9.9", "right": "read"}))[0] == 404
    assert pad.judged == {name: "read"}


@in_loop
async def test_who_may_write(tmp_path: Path) -> None:
    app, _ = table_in_shadow(tmp_path)
    ask = asking(app)
    row = {"moved": [9, -3, -3, -3]}
    for key, status in ((KEYS.viewer, 403), (KEYS.seats[0], 403), (KEYS.scorer, 200)):
        assert (await ask("POST", "/api/shadow", row, key))[0] == status
    for body in ({}, {"moved": [1, 2, 3]}, {**row, "removed": 0}, {"over": False}, {"moved": "x"}):
        assert (await ask("POST", "/api/shadow", body))[0] in (400, 422), body
    gone = {"removed": 0, "was": [9, -3, -3, -3]}
    for other in ({"removed": 0}, {**gone, "was": [9, -9, 0, 0]}, {**gone, "removed": 1}):
        assert (await ask("POST", "/api/shadow", other))[0] == 409
    assert (await ask("POST", "/api/shadow", gone))[1]["rows"] == []
    assert (await ask("POST", "/api/shadow", gone))[0] == 409


@in_loop
async def test_without_a_pad_there_is_none() -> None:
    app = create_app(table_of_a_game(), PageSettings(keys=KEYS, without_key=None))
    ask = asking(app)
    assert (await ask("GET", "/api/shadow"))[0] == 404
    assert (await ask("POST", "/api/shadow", {"over": True}))[0] == 404
    assert (await ask("GET", "/api/table"))[0] == 200


def by_camera(*events: Event) -> list[Entry]:
    return [Entry(event, source="camera") for event in events]


def shadowed(
    folder: Path, pad: ScorePad, before: Sequence[Entry] = ENTRIES
) -> tuple[LiveTable, Ask]:
    table = resumed(before)
    settings = PageSettings(keys=KEYS, without_key=None, pad=pad, records=folder)
    return table, asking(create_app(table, settings))


@in_loop
async def test_what_people_put_right_afterwards_was_not_read_right(tmp_path: Path) -> None:
    pad = ScorePad(tmp_path / "game.jsonl")
    pad.add([9, -3, -3, -3])
    table, ask = shadowed(tmp_path, pad)
    before = (await ask("POST", "/api/shadow", {"over": True}))[1]
    assert before["tonight"]["of"] == 1
    assert before["tonight"]["right"] == 0
    name = before["hands"][0]["name"]
    await ask("POST", "/api/shadow", {"hand": name, "right": "written"})
    # Somebody takes the win back, and the players go on without a pad.
    win = next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
    await written(table, Entry(Correct(win, ()), source="person"))
    await written(table, *by_camera(DrawnHand("exhausted"), HandEnd(), HandStart()))
    after = (await ask("GET", "/api/shadow"))[1]
    assert after["hands"] == [{**before["hands"][0], "judged": "written"}]
    assert after["tonight"] == before["tonight"]


@in_loop
async def test_hands_before_and_after_the_pad_are_not_compared(tmp_path: Path) -> None:
    late = ScorePad(tmp_path / "late.jsonl", len(ENTRIES))
    table, ask = shadowed(tmp_path, late)
    await written(table, *by_camera(DrawnHand("exhausted"), HandEnd(), HandStart()))
    assert [
        hand["hand"] for hand in (await ask("POST", "/api/shadow", {"over": True}))[1]["hands"]
    ] == [2]
    await written(table, *by_camera(DrawnHand("exhausted"), HandEnd(), HandStart()))
    told = (await ask("GET", "/api/shadow"))[1]
    assert [hand["hand"] for hand in told["hands"]] == [2], "the third was not over"
    assert told["tonight"]["of"] == 0, "nobody wrote down a hand that moved nothing"


@pytest.mark.parametrize("row", [[-3, -1, 5, -1], None])
@in_loop
async def test_the_last_hand_may_end_after_the_evening(
    tmp_path: Path, row: list[int] | None
) -> None:
    pad = ScorePad(tmp_path / "game.jsonl")
    if row is not None:
        pad.add(row)
    win = next(at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win))
    table, ask = shadowed(tmp_path, pad, ENTRIES[:win])
    told = (await ask("POST", "/api/shadow", {"over": True}))[1]
    assert [hand["hand"] for hand in told["hands"]] == ([] if row is None else [None])
    await written(table, *ENTRIES[win:])
    told = (await ask("GET", "/api/shadow"))[1]
    # Without a row nobody says how it ended, and the next one was not played yet.
    assert [(hand["hand"], hand["agree"]) for hand in told["hands"]] == (
        [] if row is None else [(1, True)]
    )


@in_loop
async def test_a_row_of_no_hand_is_none(tmp_path: Path) -> None:
    pad = ScorePad(tmp_path / "game.jsonl")
    _, ask = shadowed(tmp_path, pad)
    pad.add([1, -1, 0, 0])
    pad.add([2, -2, 0, 0])
    told = (await ask("POST", "/api/shadow", {"over": True}))[1]
    assert told["tonight"]["of"] == 2
    (name,) = (hand["name"] for hand in told["hands"] if hand["read"] is None)
    told = (await ask("POST", "/api/shadow", {"hand": name, "right": "read"}))[1]
    assert (told["tonight"]["right"], told["tonight"]["of"]) == (0, 1)


@in_loop
async def test_a_full_disk_hides_nothing_that_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pad = ScorePad(tmp_path / "game.jsonl")
    _, ask = shadowed(tmp_path, pad)
    await ask("POST", "/api/shadow", {"moved": [1, -1, 0, 0]})
    pad.end(len(ENTRIES))

    def full(path: Path, data: str) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("service.table.score_pad.write_whole", full)
    status, told = await ask("GET", "/api/shadow")
    assert status == 200
    assert told["tonight"]["of"] == 1
    status, told = await ask(
        "POST", "/api/shadow", {"hand": told["hands"][0]["name"], "right": "read"}
    )
    assert (status, told) == (507, {"detail": CANNOT_WRITE})
    assert not pad.judged


@in_loop
async def test_who_sat_there_is_told_also_when_others_sit_there_now(tmp_path: Path) -> None:
    table, ask = shadowed(tmp_path, ScorePad(tmp_path / "game.jsonl"))
    names = (await ask("POST", "/api/shadow", {"over": True}))[1]["names"]
    others = GameStart("harbin-hlr", players=("E", "F", "G", "H"))
    await written(table, *by_camera(DrawnHand("exhausted"), HandEnd(), GameEnd(), others))
    assert [*table.names] == ["E", "F", "G", "H"]
    assert (await ask("GET", "/api/shadow"))[1]["names"] == names


@in_loop
async def test_how_much_was_read_is_not_told(tmp_path: Path) -> None:
    app, pad = table_in_shadow(tmp_path)
    ask = asking(app)
    assert (await ask("GET", "/health"))[1]["events"] == 0
    pad.end(len(ENTRIES))
    assert (await ask("GET", "/health"))[1]["events"] == len(ENTRIES)


def test_another_table_of_the_folder_tells_nothing_either(tmp_path: Path) -> None:
    """Its standings are those of all records, and the set-up page lists the evening's games."""
    record = unused(tmp_path, "game", ".jsonl")
    whole = GAMES / "wsom.jsonl"
    record.write_text(whole.read_text("utf-8"), "utf-8")
    settings = PageSettings(records=tmp_path)
    others = OpenTable(table_of_a_game(), settings).others
    assert others is not None
    assert others.results()
    session = SetUpSession(Blind, tmp_path)
    games = session.evening()
    assert games is not None
    assert games["games"][0]["hands"] == 5
    pad = ScorePad(record)
    assert hides(record)
    assert not others.results()
    games = session.evening()
    assert games is not None
    assert [(game["hands"], game["over"]) for game in games["games"]] == [(0, False)]
    pad.end()
    assert others.results()
    pad_file(record).write_text("{", "utf-8")
    assert not others.results()


def opened(record: Path, source: FrameSource, shadow: bool = True) -> OpenRecord:
    request = TableRequest(source, EmptyReader, GameStart("wsom"), record, Options(shadow=shadow))
    with open_table(request) as shown:
        return shown


def test_only_what_is_watched_comes_into_the_shadow(tmp_path: Path) -> None:
    studied = tmp_path / "studied.jsonl"
    studied.write_text((GAMES / "wsom.jsonl").read_text("utf-8"), "utf-8")
    assert opened(studied, EmptySource("studied")).pad is None
    ScorePad(studied)
    again = opened(studied, EmptySource("studied"), shadow=False).pad
    assert again is not None
    assert not again.over


def test_the_shadow_begins_before_the_first_row(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text((GAMES / "wsom.jsonl").read_text("utf-8"), "utf-8")
    lines = len(load_record(str(record)))
    watched = Watched()
    first = opened(record, watched).pad
    assert first is not None
    assert first.first == lines
    again = opened(record, watched, shadow=False).pad
    assert again is not None
    assert (again.first, again.over) == (lines, False)
    assert opened(tmp_path / "nothing.jsonl", watched).pad is not None
    assert not pad_file(tmp_path / "nothing.jsonl").exists(), "nothing was recorded"


def test_a_record_in_the_shadow_is_not_studied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record = tmp_path / "game.jsonl"
    record.write_text((GAMES / "wsom.jsonl").read_text("utf-8"), "utf-8")
    ScorePad(record)
    with pytest.raises(Refused, match="is in the shadow; end its evening first"):
        study([record], Options())
    assert [*tmp_path.glob("study/*")] == []


def test_the_terminal_has_the_address_of_the_pad_alone(tmp_path: Path) -> None:
    shown = opened(tmp_path / "game.jsonl", Watched())
    place: Any = SimpleNamespace(shown="http://here", is_local=True)
    texts, keys = texts_of("en"), shown.keys
    for base, addresses in ((None, 1), ("http://table.local", 2)):
        door: Any = SimpleNamespace(base=base)
        told = [*told_addresses(place, door, shown, texts)]
        assert len(told) == addresses
        assert all(line.startswith("the score pad") for line in told)
        assert keys.control in told[-1]
    assert shown.pad is not None
    shown.pad.end()
    lines = " ".join(told_addresses(place, door, shown, texts))
    assert all(key in lines for key in (*keys.seats, keys.viewer, keys.scorer, keys.control))


def test_no_notice_says_how_a_hand_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = opened(tmp_path / "game.jsonl", Watched())
    logged: list[str] = []
    shown.table.on_notice = lambda notice: logged.append(notice.text)
    ended = Notice("unseen", 1.0, "a hand ended and nobody saw how", lasts=False)
    camera = Notice("moved", 2.0, "the camera moved", lasts=False)
    assert shown.pad is not None
    for notice in (ended, camera):
        shown.table._noticed(notice)
    assert logged == [camera.text]
    shown.pad.end()
    shown.table._noticed(ended)
    assert logged == [camera.text, ended.text]


def test_a_restart_goes_on_in_the_shadow(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    assert ScorePad.of(record, shadow=False) is None
    first = ScorePad(record)
    first.add([8, -8, 0, 0])
    again = ScorePad.of(record, shadow=False)
    assert again is not None
    assert not again.over
    assert [*again.rows] == [(8, -8, 0, 0)]
    again.end()
    again.judge("row 1", "neither")
    with pytest.raises(Refused, match="is over: leave --shadow out to look at it"):
        ScorePad.of(record, shadow=True)
    last = ScorePad.of(record, shadow=False)
    assert last is not None
    assert last.over
    assert last.judged == {"row 1": "neither"}


def test_what_a_pad_refuses(tmp_path: Path) -> None:
    pad = ScorePad(tmp_path / "game.jsonl")
    with pytest.raises(Conflict, match="this row is gone"):
        pad.remove(0, [0, 0, 0, 0])
    with pytest.raises(Refused, match="end the evening first"):
        pad.judge("hand 1.1", "read")
    for _ in range(MOST_ROWS):
        pad.add([0, 0, 0, 0])
    with pytest.raises(Refused, match=f"the pad has {MOST_ROWS} hands"):
        pad.add([0, 0, 0, 0])
    pad.end()
    with pytest.raises(Refused, match="the evening is over"):
        pad.remove(0, [0, 0, 0, 0])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        *(json.dumps({**WHOLE, **wrong}) for wrong in WRONG),
    ],
)
def test_a_file_that_is_no_pad_is_named(tmp_path: Path, text: str) -> None:
    file = pad_file(tmp_path / "game.jsonl")
    file.write_text(text, "utf-8")
    with pytest.raises(Refused, match="is no score pad; move it away, or mend it"):
        ScorePad.of(tmp_path / "game.jsonl", shadow=False)
    assert counted_in(tmp_path) == (0, 0)


def test_the_page_keeps_the_score_and_then_puts_both_beside_each_other(
    tmp_path: Path, browser: Browser
) -> None:
    app, pad = table_in_shadow(tmp_path)
    with serving(app) as server:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.goto(f"{server.url}/#{KEYS.control}")
        expect(page.locator("#pad")).to_be_visible()
        for seat, points in enumerate((-1_250_000, 1_250_000, 0, 0)):
            page.locator(f"#players [data-seat='{seat}']").fill(str(points))
        page.locator("#row [type=submit]").click()
        expect(page.locator("#rows li")).to_have_count(1)
        expect(page.locator("#players [data-seat='0']")).to_have_value("")
        in_every_language(page, "pad")
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("#over").click()
        expect(page.locator("#beside")).to_be_visible()
        expect(page).to_have_url(f"{server.url}/shadow#{KEYS.control}")
        tap = page.locator("#differ li").first.locator("[role=group] button").nth(1)
        tap.click()
        expect(tap).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#read-tonight")).not_to_be_empty()
        in_every_language(page, "pad-over")
        page.locator("#beside a").click()
        page.locator("#more").click()
        page.locator("#to-shadow").click()
        expect(page.locator("#beside")).to_be_visible()
        assert [*pad.judged.values()] == ["written"]
        page.close()


def test_who_is_typing_goes_on_while_another_writes(tmp_path: Path, browser: Browser) -> None:
    app, pad = table_in_shadow(tmp_path)
    pad.add([1, -1, 0, 0])
    pad.add([2, -2, 0, 0])
    with serving(app) as server:
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.goto(f"{server.url}/#{KEYS.control}")
        expect(page.locator("#rows li")).to_have_count(2)
        field = page.locator("#players [data-seat='0']")
        field.focus()
        page.keyboard.type("-")
        pad.remove(0, [1, -1, 0, 0])
        pad.add([3, -3, 0, 0])
        expect(page.locator("#rows li").first).to_contain_text("+3")
        page.keyboard.type("8")
        expect(field).to_have_value("-8")
        # Its page has not asked since, so that it takes away a row by an old place.
        pad.remove(0, [2, -2, 0, 0])
        page.locator("#rows li").first.locator("button").click()
        expect(page.locator("#problem")).to_contain_text("this row is gone")
        assert [*pad.rows] == [(3, -3, 0, 0)]
        page.close()
