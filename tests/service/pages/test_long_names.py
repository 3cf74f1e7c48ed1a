"""Names without a space, as long as a file system allows, widen no page; figures stay whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from engine.codec import entry_to_json, read_record, write_record
from engine.events import Entry, GameStart, Win
from service.report.downloads import DOWNLOAD_FORMATS
from service.report.report import to_report
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from tests.support.halls import LINES as HALL_LINES
from tests.support.halls import hall_at
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames
from tests.support.paths import GAMES
from tests.support.riichi_sample import ENTRIES
from tests.support.screens import HALL_PAGES, LINES, PAGES, WIDTHS, stands, stands_here, touched
from tests.support.served import Served, served
from tests.support.setting_up import set_up_at
from tests.support.told_reader import ToldReader

LONG: Final = "N" * 229
NAMES: Final[dict[str, tuple[str, str, str, str]]] = {
    "latin": ("A", "Maximilian W", "W" * 40, "Wolfgang Amadeus Theophilus Mozart the Y"),
    "cjk": ("王", "東海林太郎左衛門尉正宗", "欧陽司馬上官諸葛" * 5, "さくらももこ"),
    "other": (
        "م",
        "عبد الرحمن ال",
        "عبد الرحمن بن محمد بن عبد الله الخوارزم",
        "👩‍👩‍👧‍👦🀄🇯🇵🎉" * 10,
    ),
}
"""Of one letter, of twelve and of forty, in several scripts."""
LARGE: Final = (1_250_000, -125_000, 999_999, -1_250_000)
LAST_WIN: Final = [at for at, one in enumerate(ENTRIES) if isinstance(one.event, Win)][4]
TOUCHING: Final = """() => [...document.querySelectorAll("#bar li")].flatMap((cell) =>
  [...cell.children].filter((each) => each.className !== "who"
    && each.scrollWidth > each.getBoundingClientRect().width + 1).map((each) => each.outerHTML))"""
"""What does not stand whole in the cell of a player."""


def called(entries: list[Entry], name: str = LONG) -> list[Entry]:
    """The same record by four people of such names."""
    first, second, third, fourth = (f"{seat}{name}" for seat in range(4))
    return played_by(entries, (first, second, third, fourth))


def played_by(entries: list[Entry], names: tuple[str, str, str, str]) -> list[Entry]:
    return [
        replace(entry, event=replace(entry.event, players=names))
        if isinstance(entry.event, GameStart)
        else entry
        for entry in entries
    ]


MUCH: Final = (1_250_000, 1_250_000, 1_250_000, -1_250_000)


def rich(entries: list[Entry], points: tuple[int, int, int, int] = MUCH) -> list[Entry]:
    """The same record by people who play for a thousand times as much."""
    return [
        replace(entry, event=replace(entry.event, points=points))
        if isinstance(entry.event, GameStart)
        else entry
        for entry in entries
    ]


def table_of(entries: list[Entry]) -> LiveTable:
    kept = (f"{LONG}.mp4", Options(), f"{LONG}.jsonl", entries)
    settings = TableSettings("riichi-tenhou", *kept)
    return LiveTable(ToldReader([]), frames(2), KeptLines(), settings)


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with served(table_of(called(ENTRIES[:LINES])), KEYS) as server:
        server.wait_for_end()
        yield server


@pytest.mark.parametrize("name", PAGES)
def test_long_names_widen_no_page_of_a_table(browser: Browser, server: Served, name: str) -> None:
    screen = PAGES[name]
    page = touched(browser, server.url + screen.address, [], WIDTHS[-1])
    screen.come(page)
    stands(page, name, contrast=not screen.is_over_picture)
    if name == "game":
        for room in ("replay", "files"):
            page.locator(f"#rooms [data-room={room}]").click()
            stands(page, room)
    page.close()


def test_two_games_with_large_figures_are_whole_on_a_phone(browser: Browser) -> None:
    game = read_record((GAMES / "riichi-tenhou.jsonl").read_text())
    with served(table_of(called(rich([*game, *game]))), KEYS) as server:
        server.wait_for_end()
        for name in ("game", "table"):
            page = touched(browser, server.url + PAGES[name].address, [], WIDTHS[-1])
            PAGES[name].come(page)
            # The table's page has the points beside the names, the game's below the result.
            expect(page.locator("#result .ledger, #chosen .deltas").first).to_be_visible()
            stands(page, name)
            assert page.evaluate(TOUCHING) == []
            page.close()


@pytest.mark.parametrize("script", NAMES)
def test_names_of_any_script_and_large_figures_fit(
    browser: Browser, tmp_path: Path, script: str
) -> None:
    played = rich(played_by(ENTRIES[: LAST_WIN + 2], NAMES[script]), LARGE)
    with served(table_of(played), KEYS) as server:
        server.wait_for_end()
        for name in ("table", "seat", "game", "stream", "drill"):
            page = touched(browser, server.url + PAGES[name].address, [], WIDTHS[-1])
            PAGES[name].come(page)
            stands(page, f"{script}-{name}", (1920, *WIDTHS), contrast=False)
            page.close()
        television = PAGES["table"].address.replace("/#", "/?tv#")
        page = touched(browser, server.url + television, [], 1920)
        page.set_viewport_size({"width": 1920, "height": 1080})
        expect(page.locator("#result .sum")).to_be_in_viewport(ratio=1)  # nobody can draw it up
        stands_here(page, f"{script}-tv")
        page.close()
    game = read_record((GAMES / "riichi-tenhou.jsonl").read_text())
    file = tmp_path / "report.html"
    file.write_text(to_report(rich(played_by(game, NAMES[script]), LARGE), {}, "x.mp4"), "utf-8")
    page = touched(browser, file.as_uri(), [], WIDTHS[-1])
    page.locator("#sheet").evaluate("(sheet) => { sheet.open = true; }")
    stands(page, f"{script}-report", contrast=False)
    for row in page.locator(".places-of-seats li").all():
        expect(row.locator(".who")).not_to_have_css("width", "0px")
    page.close()


def test_long_names_widen_no_page_of_a_hall(browser: Browser, tmp_path: Path) -> None:
    lines = [
        entry_to_json(one) for one in called(read_record("\n".join(map(json.dumps, HALL_LINES))))
    ]
    with hall_at(str(tmp_path / "hall.sqlite3")) as hall:
        league = {"name": LONG[:60], "season": LONG[:60], "rules": "riichi-tenhou"}
        number = hall.told("POST", "leagues", league)["id"]
        key = hall.add("north", title=LONG[:60])
        hall.told("PUT", "tables/north", {"title": LONG[:60], "league": number})
        assert hall.post("north", lines, key=key).status == 200
        for address, shown in HALL_PAGES.items():
            page = touched(browser, f"{hall.server.url}/{address}", [], WIDTHS[-1])
            expect(page.locator(shown).first).to_be_visible()
            stands(page, address)
            page.close()


def test_long_names_widen_no_step_of_setting_up(browser: Browser, tmp_path: Path) -> None:
    stem = LONG[:200]
    (tmp_path / f"{stem}.jsonl").write_text(write_record(called(ENTRIES[:LINES], LONG[:39])))
    (tmp_path / f"game-20261127-200000-{stem}.jsonl").write_text(write_record(called(ENTRIES)))
    with set_up_at(tmp_path) as setting:
        page = touched(browser, setting.server.url, [], WIDTHS[-1])
        expect(page.locator("#sources button").first).to_be_visible()
        for number, step in enumerate(page.locator("#steps button").all()):
            step.tap()
            stands(page, str(number))
        page.close()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_long_names_widen_no_report(browser: Browser, tmp_path: Path, lang: str) -> None:
    entries = called(ENTRIES[:LINES])
    again = f"tilesight score {LONG}.mp4 --rules riichi --answers answers.json --out {LONG}"
    for name, text in (
        ("report", to_report(entries, {}, f"{LONG}.mp4", lang, again=again)),
        ("sheet", DOWNLOAD_FORMATS["html"].write(entries, "en", None)),
    ):
        file = tmp_path / f"{name}.html"
        file.write_text(text, "utf-8")
        page = touched(browser, file.as_uri(), [], WIDTHS[-1])
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        stands(page, name)
        page.close()
