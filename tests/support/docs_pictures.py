"""Pictures of the docs: ``python -m tests.support.docs_pictures [NAME...]``.

Each is a page that a served table or hall shows; they are written into ``docs``.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from engine.codec import entry_to_json, read_record
from engine.events import Entry, GameStart
from service.archive.films import ReadingSettings, films_at
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.hall.database import open_database
from service.main import run
from service.table.live_table import LiveTable, TableSettings
from service.web.keys import seat_address, table_address
from tests.support.archive_worker import read_all, reader_of
from tests.support.browsing import chromium, opened
from tests.support.golden import golden
from tests.support.halls import LINES, hall_at
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames
from tests.support.paths import FILM, ROOT, SAMPLES
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES, MIDDLE, table_of
from tests.support.score_program import RULES, film_at
from tests.support.served import served
from tests.support.setting_up import set_up_at
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frames

WIDE: Final = {"width": 1100, "height": 640}
PHONE: Final = {"width": 390, "height": 844}
TALL: Final = {"width": 1000, "height": 1150}
LOW: Final = {"width": 1000, "height": 420}
SMALL: Final = {"width": 1120, "height": 700}
FRAME_S: Final = 0.2
AFTER_S: Final = 600.0
"""The sample takes 70 s."""
FIRST_LINES: Final = 10
"""Of the sample's record: the first hand is dealt."""
EACH_LINES: Final = 3
STEP_MS: Final = 700
LAST_MS: Final = 4000
JPEG_QUALITY: Final = 88
FOUR_TABLES: Final = {
    "north": ("North table", ("Chiyo", "Fumi", "Dan", "Aki")),
    "east": ("East room", ("Li", "Wang", "Zhao", "Sun")),
    "garden": ("Garden", ("Wu", "Lin", "Xu", "Hua")),
    "window": ("By the window", ("Ben", "Aki", "Fumi", "Dan")),
}
GROUPS: Final = (("Chiyo", "Fumi", "Ben", "Eve"), ("Aki", "Dan", "Eve", "Ben"))
"""Who played the games of the season, by seat."""


def keep(page: Page, name: str) -> None:
    """Write what the page shows into the docs."""
    shot = np.frombuffer(page.screenshot(animations="disabled"), np.uint8)
    picture = cv2.imdecode(shot, cv2.IMREAD_COLOR)
    assert picture is not None
    path = ROOT / "docs" / f"{name}.jpg"
    cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    print(f"{path.name}: {path.stat().st_size // 1000} KB")


def shown(browser: Browser, url: str, size: dict[str, int], scheme: Any = "dark") -> Page:
    page = opened(browser, url, size, [])
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    return page


def named(lines: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """A game as other people played it."""
    return [
        line | {"players": [*names]} if line["type"] == "game_start" else line for line in lines
    ]


def lines_of(rules: str) -> list[dict[str, Any]]:
    entries = golden(rules)
    return [entry_to_json(Entry(entry.event)) for entry in entries]


def hall(browser: Browser) -> None:
    """Four tables, two of which need somebody."""
    with tempfile.TemporaryDirectory() as folder, hall_at(f"{folder}/hall.sqlite3") as home:
        keys = {name: home.add(name, title=title) for name, (title, _) in FOUR_TABLES.items()}
        games = {"north": LINES, "east": lines_of("harbin-hlr")[:60]}
        games |= {"garden": LINES[:30], "window": LINES[:25]}
        for name, lines in games.items():
            home.post(name, named(lines, FOUR_TABLES[name][1]), key=keys[name])
        asked = {"questions": 2, "trouble": "no picture comes", "trouble_kind": "gone"}
        home.told("POST", "tables/garden/condition", asked, keys["garden"])
        page = shown(browser, home.server.url, WIDE)
        expect(page.locator(".card")).to_have_count(len(FOUR_TABLES))
        expect(page.locator(".card").get_by_text("Trouble")).to_be_visible()
        keep(page, "hall")
        page.close()


def league(browser: Browser) -> None:
    """The standings of a season."""
    with tempfile.TemporaryDirectory() as folder, hall_at(f"{folder}/hall.sqlite3") as home:
        key = home.add("north", title="North table")
        page = shown(browser, f"{home.server.url}/leagues", WIDE)
        begin_a_season(page)
        for number, names in enumerate(GROUPS):
            home.post("north", named(LINES, names), key=key, record=f"{number}.jsonl")
        page.reload()
        page.locator("#seasons a").click()
        expect(page.locator("#people li")).to_have_count(len({*GROUPS[0], *GROUPS[1]}))
        keep(page, "league")
        page.close()


def begin_a_season(page: Page) -> None:
    page.get_by_role("textbox", name="League").fill("Club league")
    page.get_by_role("textbox", name="Season").fill("2026 autumn")
    page.get_by_label("Rules").select_option(value="riichi-tenhou")
    page.get_by_role("button", name="Begin a season").click()
    expect(page.locator("#seasons a")).to_be_visible()
    with page.expect_response("**/tables/north?*"):
        page.get_by_label("North table plays in").select_option("1")


def seat(browser: Browser) -> None:
    """A phone: the own hand, a hint, the table."""
    start, *rest = ENTRIES
    assert isinstance(start.event, GameStart)
    people = replace(start.event, players=("Anna", "Bo", "Chie", "Dan"))
    table = table_of([replace(start, event=people), *rest[: MIDDLE - 1]])
    with served(table, KEYS) as server:
        server.wait_for_end()
        whose = table.game.state.turn
        page = shown(browser, seat_address(server.url, KEYS.seats[whose]), PHONE, "light")
        expect(page.locator("#table svg").first).to_be_visible()
        page.locator("#hint").click()
        expect(page.locator("#advice li").first).to_be_visible()
        keep(page, "seat")
        page.close()


def setup(browser: Browser) -> None:
    """The second step of setting up: the picture with the table's corners."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(FILM, folder / "friday.mp4")
        with set_up_at(folder) as setting:
            page = shown(browser, f"{setting.server.url}/setup", {"width": 1280, "height": 700})
            page.get_by_text("Something else", exact=True).click()
            page.get_by_role("button", name="friday.mp4").click()
            page.get_by_role("button", name="2 Table").click()
            expect(page.locator("#verdict")).not_to_be_empty()
            keep(page, "setup")
            page.close()


def has_lines(table: LiveTable, lines: int) -> bool:
    return len(table.game.entries) == lines


def watching() -> Frames:
    """Of a camera that goes on, after all that was played."""
    (still,) = frames(1)
    for index in count():
        yield replace(still, time_s=AFTER_S + index * FRAME_S, index=index)
        time.sleep(FRAME_S)


def playing(browser: Browser) -> None:
    """The page of a table while the sample is played: a moving picture."""
    entries = read_record((SAMPLES / "harbin.seen.jsonl").read_text("utf-8"))
    pictures = []
    for lines in range(FIRST_LINES, len(entries) + 1, EACH_LINES):
        settings = TableSettings("harbin-hlr", "camera 0")
        table = LiveTable(ToldReader(entries[:lines]), watching(), KeptLines(), settings)
        with served(table, KEYS) as server:
            until(partial(has_lines, table, lines))
            page = shown(browser, table_address(server.url, KEYS.control), SMALL, "light")
            expect(page.locator("#table svg").first).to_be_visible()
            shot = page.screenshot(animations="disabled")
            pictures.append(Image.open(BytesIO(shot)).convert("RGB"))
            page.close()
    path = ROOT / "docs" / "playing.webp"
    times_ms = [STEP_MS] * (len(pictures) - 1) + [LAST_MS]
    first, *others = pictures
    first.save(path, save_all=True, append_images=others, duration=times_ms, loop=0, quality=60)
    print(f"{path.name}: {len(pictures)} pictures, {path.stat().st_size // 1000} KB")


def report(browser: Browser) -> None:
    """What scoring the sample writes: places, a question, the result."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        assert run(["score", str(FILM), "--rules", "harbin-hlr", "--out", str(out)]) == 0
        page = shown(browser, (out / "report.html").as_uri(), TALL, "light")
        expect(page.locator("fieldset").first).to_be_visible()
        keep(page, "report")
        page.close()


def archive(browser: Browser) -> None:
    """The hands of films, with winners and points."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "films").mkdir()
        for number, day in enumerate(("thursday", "friday")):
            film = folder / "films" / f"{day}.mp4"
            film_at(film)
            with film.open("ab") as file:  # equal films are one film
                file.write(b"\0\0\0\x09free" + bytes([number]))
        database = str(folder / "hall.sqlite3")
        engine = open_database(database)
        ledger = Ledger(engine)
        for film_found in films_at(str(folder / "films")):
            ledger.add(film_found, ReadingSettings(RULES, str(folder / "results")))
        read_all(Worker(ledger, folder / "work", reader_of=reader_of))
        for number in (1, 2):
            ledger.name_players(number, ("Anna", "Bo", "Chie", "Dan"))
        engine.dispose()
        with hall_at(database) as home:
            page = shown(browser, f"{home.server.url}/archive", LOW, "light")
            expect(page.locator("#hands li").first).to_be_visible()
            keep(page, "archive")
            page.close()


MADE: Final[dict[str, Callable[[Browser], None]]] = {
    made.__name__: made for made in (hall, league, seat, setup, playing, report, archive)
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MADE, []], metavar="NAME")
    with chromium() as browser:
        for name in parser.parse_args(arguments).names or MADE:
            MADE[name](browser)


if __name__ == "__main__":
    main()
