"""Pictures of the docs: ``python -m tests.support.docs_pictures [NAME...]``.

Each is a page that a served table or hall shows; they are written into ``docs``.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from engine.codec import entry_to_json, read_record
from engine.events import Entry, GameStart, Win
from engine.game import replay
from engine.highlights import best_wins
from engine.stories import tell_game
from engine.tiles import Tile
from service.app import create_app
from service.archive.films import ReadingSettings, films_at
from service.archive.ledger import Ledger
from service.archive.worker import Worker
from service.evening.story_pages import FilmOrPictures, piece_of
from service.hall.database import open_database
from service.machine.jpeg import decoded
from service.machine.weights import load_detector
from service.main import run
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.highlight_clip import Line, make_clip
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from service.table.pictures import OF_FILM, Pictures, TablePicture
from service.table.rehearsed_table import RehearsedTable
from service.web.keys import seat_address, table_address
from tests.support.archive_worker import read_all, reader_of
from tests.support.browsing import chromium, opened
from tests.support.detectors import Blind
from tests.support.films import still_film
from tests.support.golden import golden
from tests.support.halls import LINES, hall_at
from tests.support.highlights import SAMPLE, sample_game
from tests.support.keys import KEYS
from tests.support.live_table import KeptLines, frames
from tests.support.paths import FILM, ROOT, SAMPLES
from tests.support.patience import until
from tests.support.riichi_sample import ENTRIES, MIDDLE, evening_of_two, table_of
from tests.support.score_program import RULES, film_at
from tests.support.served import served, serving
from tests.support.setting_up import set_up_at
from tests.support.told_reader import ToldReader
from vision.arrays import Floats
from vision.camera.frames import Frames
from vision.camera.live import PacedFile
from vision.camera.pictures import Picture, read_picture
from vision.draw import jpeg, overlay, resized
from vision.seat_camera.row_reader import RowReader
from vision.tiles.classes import FACES, Side

WIDE: Final = {"width": 1100, "height": 640}
PHONE: Final = {"width": 390, "height": 844}
TALL: Final = {"width": 1000, "height": 1150}
LOW: Final = {"width": 1000, "height": 420}
SMALL: Final = {"width": 1120, "height": 700}
SCREEN: Final = {"width": 1000, "height": 672}
EITHER_S: Final = 4.0
"""Of the film around a win, on both sides."""
ALL_OF_IT: Final = {"width": 900, "height": 2600}
FOUR_ROWS_PX: Final = 710
HIGH: Final = {"width": 1000, "height": 850}
SET: Final = ("--sets", "2", "--seed", "11", "--styles", "japanese", "--laid", "1", "--tables", "0")
"""The second is a set of tiles on green felt."""
STANDING: Final = ROOT / "tests" / "vision" / "seat_camera" / "standing_hand.jpg"
FRAME_S: Final = 0.2
CLIP_AT_S: Final = 8.0
"""The hand lies open then."""
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


def keep(page: Page | Locator, name: str) -> None:
    """Write what the page, or a part of it, shows into the docs."""
    write_picture(name, decoded(page.screenshot(animations="disabled", type="jpeg", quality=100)))


def write_picture(name: str, picture: Picture) -> None:
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


def rehearse(browser: Browser) -> None:
    """The table's page with a card of a rehearsal."""
    table = table_of(ENTRIES[:MIDDLE])
    record = Path("rehearsal.jsonl")  # nothing is written before it is over
    table.rehearsed = RehearsedTable(record, "riichi", "camera 0", None, Blind)
    for card in range(1, 4):
        table.rehearsed.rehearsal.go_on(float(card))
    with served(table, KEYS) as server:
        server.wait_for_end()
        page = shown(browser, table_address(server.url, KEYS.control), WIDE)
        expect(page.locator("#rehearsal .now")).to_be_visible()
        expect(page.locator("#table svg").first).to_be_visible()
        keep(page, "rehearse")
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


def evening_chart(browser: Browser) -> None:
    """Two games of one evening on a phone-wide page: the chart alone."""
    with served(table_of(evening_of_two()), KEYS) as server:
        server.wait_for_end()
        page = shown(browser, f"{server.url}/game#{KEYS.control}", TALL, "light")
        chart = page.locator("#chart-section")
        expect(chart.locator("svg")).to_be_visible()
        keep(chart, "evening-chart")
        page.close()


def clip(browser: Browser) -> None:
    """A frame of the clip of the sample's evening."""
    assert browser.is_connected()
    best = best_wins(tell_game(replay(sample_game())), 1)
    film = PacedFile(SAMPLE)
    footage = FilmOrPictures(film, 0.0, Pictures())
    title = [Line("Friday", "Friday")]
    made = make_clip(title, [piece_of(one, "en") for one in best], footage.between)
    with av.open(BytesIO(made.data)) as container:
        every = container.decode(video=0)
        frame = next(one for one in every if one.time is not None and one.time >= CLIP_AT_S)
        picture = frame.to_ndarray(format="bgr24")
    write_picture("clip", resized(picture, 0.6))


def dispute(browser: Browser) -> None:
    """The moment of a win again, with what each tile is read as."""
    entries = read_record((SAMPLES / "open-hands.record.jsonl").read_text("utf-8"))
    won = next(one for one in entries if isinstance(one.event, Win))
    assert won.t is not None
    film = PacedFile(SAMPLES / "open-hands.mp4").between(won.t - EITHER_S, won.t + EITHER_S)
    shots = [
        TablePicture(number, frame.time_s, jpeg(frame.image_bgr))
        for number, frame in enumerate(film)
        if number % EACH_LINES == 0
    ]
    pictures = Pictures(OF_FILM, shots=shots)
    kept = ("game.mp4", Options(), "friday.jsonl", entries)
    settings = TableSettings("riichi-2016", *kept, pictures=pictures)
    table = LiveTable(ToldReader([]), frames(2), KeptLines(), settings)
    reader = load_detector()
    app = create_app(table, PageSettings(dispute=Dispute(pictures, lambda: reader)))
    with serving(app) as server:
        server.wait_for_end()
        page = shown(browser, server.url, SCREEN)
        page.get_by_role("button", name="Dispute it").click()
        page.get_by_role("slider", name="Show the pictures").press("End")
        expect(page.locator("#mend .read li").first).to_be_visible()
        keep(page, "dispute")
        page.close()


def seat_camera(browser: Browser) -> None:
    """A frame of a simulated film of a hidden hand, with what each tile is read as."""
    assert browser.is_connected()
    picture = read_picture(STANDING)
    row = RowReader(load_detector()).read(picture)
    assert row is not None
    read = [
        Read(Side.FACE, corners.astype(np.float32), Tile(FACES[int(shares.argmax())]))
        for corners, shares in zip(row.corners_px, row.probabilities, strict=True)
    ]
    write_picture("seat-camera", overlay(picture, read))


@dataclass(frozen=True, eq=False)
class Read:
    """A tile that is drawn over a picture."""

    side: Side
    corners_px: Floats
    """(4, 2), clockwise from the tile's own top left."""
    tile: Tile


@contextlib.contextmanager
def set_laid_out() -> Iterator[Path]:
    """A rendered picture of a whole set that is laid out."""
    with tempfile.TemporaryDirectory() as folder:
        given = [sys.executable, str(ROOT / "datasets" / "render.py"), "sets", "--out", folder]
        subprocess.run([*given, *SET], check=True, cwd=ROOT)
        yield next((Path(folder) / "1" / "laid").glob("*.jpg"))


def enroll_page(browser: Browser) -> None:
    """The own set on the set-up page: each tile with its name."""
    with set_laid_out() as laid, tempfile.TemporaryDirectory() as name:
        still_film(laid, Path(name) / "laid.mp4")
        with set_up_at(Path(name)) as setting:
            page = shown(browser, f"{setting.server.url}/setup", ALL_OF_IT)
            page.get_by_text("Something else", exact=True).click()
            page.get_by_role("button", name="laid.mp4").click()
            page.get_by_role("button", name="2 Table").click()
            page.get_by_text("Your own set of tiles").click()
            page.get_by_role("button", name="Take the picture").click()
            expect(page.locator("#set-told")).to_contain_text("Look through the names")
            part = page.locator("#own-set").screenshot(type="jpeg", quality=100)
            write_picture("enroll-page", decoded(part)[:FOUR_ROWS_PX])
            page.close()


def enroll(browser: Browser) -> None:
    """What is asked of the tiles of a game, with one of the questions answered."""
    with tempfile.TemporaryDirectory() as name:
        profile = Path(name) / "my-set.tiles"
        table = ["--table", str(SAMPLES / "table.toml")]
        assert run(["enroll", str(FILM), *table, "--set", str(profile)]) == 0
        address = profile.with_name("my-set-questions.html").as_uri()
        page = shown(browser, address, HIGH, "light")
        page.locator(".question button").first.click()
        keep(page, "enroll")
        page.close()


MADE: Final[dict[str, Callable[[Browser], None]]] = {
    made.__name__: made
    for made in (
        hall,
        league,
        rehearse,
        seat,
        setup,
        playing,
        report,
        archive,
        evening_chart,
        clip,
        dispute,
        seat_camera,
        enroll_page,
        enroll,
    )
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*MADE, []], metavar="NAME")
    with chromium() as browser:
        for name in parser.parse_args(arguments).names or MADE:
            MADE[name](browser)


if __name__ == "__main__":
    main()
