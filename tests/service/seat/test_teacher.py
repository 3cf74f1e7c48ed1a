"""The teacher's page: what each player shares, and that nothing else is ever told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from fastapi import FastAPI
from hypothesis import assume, given, settings
from playwright.sync_api import Browser, expect

from engine.events import Entry
from engine.texts.files import LANGUAGES
from service.app import create_app
from service.pages.settings import OpenTable, PageSettings
from service.seat import teacher
from service.seat.evening_report import next_lesson
from service.seat.lessons import lesson_of
from service.table.live_table import LiveTable
from service.table.sharing import LOOKS_S, Learnt, LearntGame, Sharing
from service.web.keys import TableKeys, keys_file, seat_address, teacher_address
from tests.support.browsing import LAPTOP, PHONE, opened
from tests.support.in_process import asked
from tests.support.live_table import in_loop, resumed, written
from tests.support.properties import seeds, some
from tests.support.riichi_sample import ENTRIES
from tests.support.screens import MY_TURN
from tests.support.served import serving
from tests.support.worlds import STYLES, Worlds, worlds

TEACHER: Final = "the-laptop-of-the-teacher"
PHONE_OF_A_PLAYER: Final = "the-phone-of-a-player"
OPEN: Final = 0
"""A seat whose hand lies open in the sample."""
WISH: Final = {"device": TEACHER}


@dataclass
class Clock:
    now_s: float = 0.0
    evening: date = date(2026, 5, 1)


@dataclass
class Table:
    """A table, its keys, and what its players and its teacher ask."""

    lines: list[Entry]
    keys: TableKeys = field(default_factory=TableKeys.new)
    clock: Clock = field(default_factory=Clock)
    table: LiveTable = field(init=False)
    app: FastAPI = field(init=False)

    def __post_init__(self) -> None:
        self.table = resumed(self.lines, "riichi")
        self.app = create_app(self.table, PageSettings(keys=self.keys, without_key=None))
        served: OpenTable = self.app.state.served
        sharing = Sharing(lambda: self.clock.now_s, lambda: self.clock.evening)
        self.keys.on_ended.append(sharing.stop)
        served.sharing = sharing

    async def ask(
        self, method: str, path: str, key: str | None, body: object = None
    ) -> tuple[int, Any]:
        status, told = await asked(self.app, method, path, key, body)
        return status, json.loads(told.strip().rpartition(b"\n")[2])

    async def share(self, seat: int, on: bool | None = True, **more: object) -> tuple[int, Any]:
        return await self.ask("POST", "/api/sharing", self.keys.seats[seat], {"on": on, **more})

    async def view(self, key: str | None = None, device: str = TEACHER, lang: str = "en") -> Any:
        address = f"/api/teacher?lang={lang}"
        key = self.keys.teacher if key is None else key
        status, told = await self.ask("POST", address, key, {"device": device})
        assert status == 200, told
        return told

    async def report(self, device: str = TEACHER, lang: str = "en") -> tuple[int, Any]:
        address = f"/api/teacher/report?lang={lang}"
        return await self.ask("POST", address, self.keys.teacher, {"device": device})


def sample(lines: int = MY_TURN) -> Table:
    return Table(ENTRIES[:lines])


def known(told: Any) -> list[int]:
    """The seats of which the teacher is shown anything."""
    return [
        learner["seat"]
        for learner in told["learners"]
        if learner["shares"] or learner["hand"] or learner["learnt"] or learner["wrong"]
    ]


@in_loop
async def test_nothing_is_shared_before_the_player_says_so() -> None:
    at = sample()
    assert known(await at.view()) == []
    assert (await at.report()) == (200, [])
    assert (await at.ask("GET", "/api/sharing", at.keys.seats[OPEN]))[1] == {"on": False}


@in_loop
async def test_a_player_shares_the_own_hand_alone_and_one_tap_ends_it() -> None:
    at = sample()
    assert await at.share(OPEN) == (200, {"on": True})
    told = await at.view()
    assert known(told) == [OPEN]
    hand = told["learners"][OPEN]["hand"]
    assert hand["hand"] == [str(tile) for tile in at.table.game.state.players[OPEN].hand]
    assert await at.share(OPEN, on=False) == (200, {"on": False})
    assert known(await at.view()) == []


@in_loop
async def test_only_the_key_of_the_seat_shares_it() -> None:
    at, body = sample(), {"on": True}
    keys = at.keys
    for key in (None, "wrong", keys.viewer, keys.guest, keys.scorer, keys.teacher, keys.control):
        assert (await at.ask("POST", "/api/sharing", key, body))[0] in (401, 403)
        assert (await at.ask("GET", "/api/sharing", key))[0] in (401, 403)
    assert known(await at.view()) == []


@in_loop
async def test_only_the_teacher_and_whoever_runs_the_table_see_what_is_shared() -> None:
    at, keys = sample(), TableKeys.new()
    at = Table(ENTRIES[:MY_TURN], keys)
    await at.share(OPEN)
    for key in (None, "wrong", keys.viewer, keys.guest, keys.scorer, *keys.seats):
        for path in ("/api/teacher", "/api/teacher/report"):
            assert (await at.ask("POST", path, key, WISH))[0] in (401, 403)
    assert known(await at.view(keys.control)) == [OPEN]


@in_loop
async def test_no_hand_goes_to_a_browser_that_sits_at_the_table() -> None:
    at = sample()
    for seat in range(4):
        await at.share(seat)
    at.keys.scanned(at.keys.seats[2], PHONE_OF_A_PLAYER)
    told = await at.view(device=PHONE_OF_A_PLAYER)
    assert told["plays"] is True
    assert [learner["hand"] for learner in told["learners"]] == [None] * 4
    assert (await at.report(PHONE_OF_A_PLAYER))[0] == 403
    assert (await at.view())["learners"][OPEN]["hand"] is not None
    # It plays from now on: what it was shown before is not shown again.
    at.keys.scanned(at.keys.seats[3], TEACHER)
    assert [learner["hand"] for learner in (await at.view())["learners"]] == [None] * 4


@in_loop
async def test_no_hand_goes_to_a_browser_that_has_kept_the_key_of_a_seat() -> None:
    at = sample()
    await at.share(OPEN)
    app, key = at.app, at.keys.seats[1]

    async def with_cookie(scope: Any, receive: Any, send: Any) -> None:
        scope["headers"] = [*scope["headers"], (b"cookie", f"tilesight-8000={key}".encode())]
        await app(scope, receive, send)

    at.app = with_cookie  # type: ignore[assignment]
    told = await at.view()
    assert told["plays"] is True
    assert told["learners"][OPEN]["hand"] is None
    assert (await at.report())[0] == 403


@in_loop
async def test_a_cookie_alone_shows_nothing_and_shares_nothing() -> None:
    at = sample()
    await at.share(OPEN)
    app = at.app
    for key in (at.keys.teacher, at.keys.control, at.keys.seats[1]):

        async def with_cookie(scope: Any, receive: Any, send: Any, key: str = key) -> None:
            scope["headers"] = [*scope["headers"], (b"cookie", f"tilesight-8000={key}".encode())]
            await app(scope, receive, send)

        at.app = with_cookie  # type: ignore[assignment]
        for path, body in (("teacher", WISH), ("teacher/report", WISH), ("sharing", {"on": True})):
            assert (await at.ask("POST", f"/api/{path}", None, body))[0] in (401, 403)


@pytest.mark.parametrize("how", ["name", "new phone", "new codes", "evening", "other seat"])
def test_consent_ends_with_who_gave_it(how: str, tmp_path: Path) -> None:
    @in_loop
    async def run() -> None:
        at = Table(ENTRIES[:MY_TURN], TableKeys.kept_beside(tmp_path / "game.jsonl"))
        served: OpenTable = at.app.state.served
        await at.share(OPEN)
        assert known(await at.view()) == [OPEN]
        names = at.table.names
        match how:
            case "name":
                at.keys.people = names
                at.keys.seated(["Zoe", *names[1:]], len(at.table.game.entries))
            case "new phone":
                at.keys.new_code(OPEN)
            case "new codes":
                at.keys.renew()
            case "evening":
                at.clock.evening = date(2026, 5, 2)
            case "other seat":
                at.keys.scanned(at.keys.seats[OPEN], PHONE_OF_A_PLAYER)
                at.keys.taken[OPEN] = at.keys.taken[OPEN].__class__(
                    PHONE_OF_A_PLAYER, "k" * 24, by_code=True
                )
                at.keys.scanned(at.keys.seats[1], PHONE_OF_A_PLAYER)
        assert served.share_of(OPEN) is None
        assert known(await at.view()) == []
        assert (await at.report()) == (200, [])

    run()
    assert keys_file(tmp_path / "game.jsonl").exists()


def test_consent_under_one_name_is_not_that_of_another() -> None:
    sharing = Sharing()
    sharing.start(1, "Anna", 0)
    assert sharing.of(1, "Bo") is None
    assert sharing.of(1, "Anna") is None, "what has ended does not come back"


def test_what_a_browser_sends_is_not_kept_of_who_does_not_share() -> None:
    sharing = Sharing()
    sharing.note(1, Learnt())
    sharing.start(1, "Anna", 0)
    sharing.stop((1,))
    sharing.note(1, Learnt())
    assert sharing.of(1, "Anna") is None


def progress() -> dict[str, object]:
    exercise = lesson_of("riichi", "en")["waits"][0]
    wrong = next(one["name"] for one in exercise["choices"] if one["name"] not in exercise["right"])
    answer = {"rules": "riichi", "topic": "waits", "tries": 0, "chosen": wrong}
    nonsense = [
        {"rules": "<b>", "topic": "waits", "tries": 0, "chosen": wrong},
        {"rules": "riichi", "topic": "<b>", "tries": 0, "chosen": wrong},
        {"rules": "riichi", "topic": "waits", "tries": 999, "chosen": "<b>"},
    ]
    games = [
        {"rules": "riichi", "read": ["aim", "<b>", "sets"], "solved": ["set", "<b>"]},
        {"rules": "<b>", "read": ["aim"], "solved": []},
    ]
    return {"games": games, "wrong": [answer, *nonsense]}


@in_loop
async def test_progress_stays_on_the_phone_until_its_player_shares() -> None:
    at = sample()
    assert await at.share(OPEN, on=None, progress=progress()) == (200, {"on": False})
    await at.share(OPEN)
    assert (await at.view())["learners"][OPEN]["learnt"] == []
    await at.share(OPEN, on=None, progress=progress())
    learner = (await at.view())["learners"][OPEN]
    (game,) = learner["learnt"]
    assert (game["rules"], game["read"], game["solved"]) == ("riichi", 2, ["set"])
    assert game["of"] == len(lesson_of("riichi", "en"))
    (wrong,) = learner["wrong"]
    exercise = lesson_of("riichi", "en")["waits"][0]
    right = [one for one in exercise["choices"] if one["name"] in exercise["right"]]
    assert wrong["topic"] == "waits"
    assert wrong["right"] == [one["tile"] or one["text"] for one in right]
    assert wrong["chosen"] not in wrong["right"]
    await at.share(OPEN, on=False)
    await at.share(OPEN)
    assert (await at.view())["learners"][OPEN]["learnt"] == [], "what was shared is forgotten"


@in_loop
async def test_lessons_for_the_evening_are_set_by_the_teacher(tmp_path: Path) -> None:
    keys = TableKeys.new()
    table = resumed(ENTRIES[:MY_TURN], "riichi")
    settings = PageSettings(keys=keys, without_key=None, records=tmp_path)
    at = sample()
    at.app, at.keys = create_app(table, settings), keys
    for key in (keys.viewer, keys.scorer, keys.guest, keys.seats[1]):
        assert (await at.ask("POST", "/api/lessons", key, {"topics": ["waits"]}))[0] in (401, 403)
    wish = {"topics": ["waits", "nonsense"]}
    assert await at.ask("POST", "/api/lessons", keys.teacher, wish) == (200, ["waits"])
    for path in ("lessons", "learn"):
        assert (await at.ask("GET", f"/api/{path}", keys.seats[1]))[1]["set"] == ["waits"]
    assert (await at.view())["set"] == ["waits"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_evening_is_told_in_three_lines(lang: str) -> None:
    @in_loop
    async def run() -> None:
        at = Table(ENTRIES)
        await at.share(OPEN)
        status, reports = await at.report(lang=lang)
        assert status == 200
        (report,) = reports
        assert report["seat"] == OPEN
        assert report["topic"] in lesson_of("riichi", lang)
        for line in ("well", "cost", "practise"):
            assert report[line]
            assert not {"{", "}", "_"} & set(report[line]), report[line]
        drill = await at.ask("GET", f"/api/drill/mistakes?seat={OPEN}", at.keys.seats[OPEN])
        counts = {one["kind"]: one["count"] for one in report["kinds"]}
        assert sum(counts.values()) == len(drill[1])
        for kind, count in counts.items():
            assert count == sum(one["behind"]["in"] == kind for one in drill[1])
        review = await at.ask("GET", f"/api/drill/review?seat={OPEN}", at.keys.seats[OPEN])
        dearest = review[1]["costliest"][0]
        assert str(round(dearest["cost"])) in report["cost"]

    run()


@in_loop
async def test_the_report_follows_the_record() -> None:
    at = Table(ENTRIES[:60])
    await at.share(OPEN)
    (before,) = (await at.report())[1]
    for line in ENTRIES[60:120]:
        await written(at.table, line)
    (after,) = (await at.report())[1]
    fresh = Table(ENTRIES[:120])
    await fresh.share(OPEN)
    assert after == (await fresh.report())[1][0]
    assert before != after


def test_a_page_that_asks_no_more_is_closed() -> None:
    clock = Clock()
    sharing = Sharing(lambda: clock.now_s)
    assert sharing.watched is False
    assert sharing.look(TEACHER) is True
    assert sharing.look(TEACHER) is False
    clock.now_s += LOOKS_S + 1
    assert sharing.watched is False


# --- what ends while an answer is worked out, and browsers that had a seat ---


@pytest.mark.parametrize("path", ["teacher", "teacher/report"])
@pytest.mark.parametrize("how", ["stops", "stops and shares again", "sits down", "new codes"])
def test_what_ends_while_an_answer_is_made_is_not_told(
    path: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = sample()
    served: OpenTable = at.app.state.served

    def ends() -> None:
        match how:
            case "stops":
                served.sharing.stop((OPEN,))
            case "stops and shares again":
                served.sharing.stop((OPEN,))
                served.sharing.start(OPEN, at.table.names[OPEN], len(at.table.game.entries))
            case "sits down":
                at.keys.scanned(at.keys.seats[1], TEACHER)
            case "new codes":
                at.keys.renew()

    def meanwhile(*_: object) -> dict[str, object]:
        ends()
        return {"seat": OPEN}

    @in_loop
    async def run() -> None:
        await at.share(OPEN)
        # The last thing that both answers ask for.
        monkeypatch.setattr(teacher, "lesson_of", meanwhile)
        monkeypatch.setattr(teacher, "report_of", meanwhile)
        key = at.keys.teacher
        status, told = await at.ask("POST", f"/api/{path}", key, WISH)
        if how == "new codes" or (how == "sits down" and path == "teacher/report"):
            assert status == 403
        elif path == "teacher/report":
            assert (status, told) == (200, [])
        elif how == "sits down":
            assert told["plays"] is True
            assert [learner["hand"] for learner in told["learners"]] == [None] * 4
        else:
            assert known(told) == []

    run()


def seat_code_of_another(keys: TableKeys) -> None:
    keys.scanned(keys.seats[2], PHONE_OF_A_PLAYER)
    keys.scanned(keys.seats[2], TEACHER)


def new_phone(keys: TableKeys) -> None:
    keys.scanned(keys.seats[2], TEACHER)
    keys.new_code(2)


def name_put_right(keys: TableKeys) -> None:
    keys.scanned(keys.seats[2], TEACHER)
    keys.people = ("A", "B", "C", "D")
    keys.seated(("A", "B", "Zoe", "D"), 20)


def guest_who_moved(keys: TableKeys) -> None:
    keys.choose(TEACHER, 2)
    keys.choose(PHONE_OF_A_PLAYER, 3)
    keys.new_code(2)
    keys.scanned(keys.seats[2], PHONE_OF_A_PLAYER)


@pytest.mark.parametrize("sat", [seat_code_of_another, new_phone, name_put_right, guest_who_moved])
def test_no_hand_goes_to_a_browser_that_had_a_seat(
    sat: Callable[[TableKeys], None], tmp_path: Path
) -> None:
    @in_loop
    async def run() -> None:
        record = tmp_path / "game.jsonl"
        keys = TableKeys.kept_beside(record)
        sat(keys)
        for again in (keys, TableKeys.kept_beside(record)):  # also after a restart
            at = Table(ENTRIES[:MY_TURN], again)
            await at.share(OPEN)
            told = await at.view()
            assert told["plays"] is True
            assert [learner["hand"] for learner in told["learners"]] == [None] * 4
            assert (await at.report())[0] == 403
        keys.renew()
        assert not keys.has_sat(TEACHER), "new codes begin anew"

    run()


@in_loop
async def test_the_phones_say_so_whichever_page_of_the_teacher_asks() -> None:
    at = sample()
    served: OpenTable = at.app.state.served
    await at.report()
    assert served.sharing.watched


@in_loop
async def test_a_report_before_the_first_game_tells_nothing_wrong() -> None:
    at = Table([])
    await at.share(OPEN)
    status, reports = await at.report()
    assert status == 200
    assert [one["kinds"] for one in reports] == [[]]


def test_lessons_of_a_game_count_for_its_variants() -> None:
    learnt = Learnt((LearntGame("riichi", (), ("set", "kind")),))
    assert next_lesson((), "riichi", learnt, ("set", "kind", "waits")) == "waits"
    variant = Learnt((LearntGame("riichi-m-league", (), ("set", "kind")),))
    assert next_lesson((), "riichi", variant, ("set", "kind", "waits")) == "waits"


# --- of two tables that differ in one hidden tile, the teacher hears the same ---


async def told_of(pair: Worlds, lines: list[Entry], lang: str) -> list[object]:
    """All that the teacher can ask for, where everybody shares who may not know the tile."""
    at = Table(lines, TableKeys("control-key", ("key-0", "key-1", "key-2", "key-3")))
    found: list[object] = [await at.view(lang=lang), await at.report(lang=lang)]
    for seat in sorted(pair.others):
        await at.share(seat)
    found += [await at.view(lang=lang), await at.report(lang=lang)]
    for path in ("/api/table", "/api/events", "/api/replay", "/api/learn", "/api/lessons"):
        found.append(await asked(at.app, "GET", f"{path}?lang={lang}", at.keys.teacher))
    for seat in range(4):
        for path in ("drill", "drill/mistakes", "drill/review", "teach/hand", "first-hand"):
            address = f"/api/{path}?seat={seat}&lang={lang}"
            status, told = await asked(at.app, "GET", address, at.keys.teacher)
            assert status == 403, (path, told)
    return found


@pytest.mark.parametrize(
    ("rules", "style"),
    [("riichi", style) for style in STYLES]
    + [(rules, next(iter(STYLES))) for rules in ("harbin-hlr", "hong-kong", "sichuan", "wsom")],
)
@given(seed=seeds)
@settings(max_examples=max(1, some.max_examples // 8))
def test_no_teacher_can_tell_a_tile_of_who_does_not_share(
    rules: str, style: str, seed: int
) -> None:
    pair = worlds(rules, style, seed)
    assume(pair is not None)
    assert pair is not None
    lang = LANGUAGES[seed % len(LANGUAGES)]
    one, other = (asyncio.run(told_of(pair, lines, lang)) for lines in pair.lines)
    assert one == other, pair.what


def test_whose_tile_it_is_decides_who_must_share_it() -> None:
    """The trial itself: what is compared does differ once the right player shares."""
    differs: set[int] = set()
    for seed in range(40):
        pair = worlds("riichi", next(iter(STYLES)), seed)
        if pair is None:
            continue
        (owner,) = set(range(4)) - pair.others if len(pair.others) == 3 else (None,)
        if owner is None:
            continue

        async def told(lines: list[Entry], seat: int) -> object:
            at = Table(lines)
            await at.share(seat)
            return await at.view(), await at.report()

        one, other = (asyncio.run(told(lines, owner)) for lines in pair.lines)
        if one != other:
            differs.add(owner)
        if len(differs) > 1:
            return
    raise AssertionError("no pair was told apart by the teacher of its owner")


# --- the pages ---


@contextmanager
def pages_of(lines: int, folder: Path) -> Iterator[tuple[str, TableKeys]]:
    keys = TableKeys.new()
    app = create_app(resumed(ENTRIES[:lines], "riichi"), PageSettings(keys=keys, records=folder))
    with serving(app) as server:
        yield server.url, keys


def test_a_player_is_asked_says_yes_and_ends_it_with_one_tap(
    browser: Browser, tmp_path: Path
) -> None:
    complaints: list[str] = []
    with pages_of(MY_TURN, tmp_path) as (url, keys):
        phone = opened(browser, seat_address(url, keys.seats[OPEN]), PHONE, complaints)
        expect(phone.locator("#table svg")).to_be_visible()
        expect(phone.locator("#share-asked")).to_be_hidden()
        felt = phone.locator("#table svg").bounding_box()
        context = browser.new_context(viewport=LAPTOP)  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(teacher_address(url, keys.teacher))
        learner = page.locator(".learner").nth(OPEN)
        expect(learner).to_contain_text("Shares nothing")
        expect(phone.locator("#share-asked")).to_be_visible()
        phone.locator("#share-yes").click()
        expect(phone.locator("#taught")).to_be_visible()
        expect(phone.locator("#share-asked")).to_be_hidden()
        assert phone.locator("#table svg").bounding_box() == felt, "the board stands still"
        expect(learner.locator(".hand .tile").first).to_be_visible()
        expect(page.locator(".learner .hand")).to_have_count(1)
        phone.locator("#stop-sharing").click()
        expect(phone.locator("#taught")).to_be_hidden()
        expect(phone.locator("#share-asked")).to_be_hidden()
        expect(learner).to_contain_text("Shares nothing")
        page.locator("#topics button").nth(5).click()
        expect(page.locator("#topics button").nth(5)).to_contain_text("★")
        context.close()
        phone.close()
    assert complaints == []
