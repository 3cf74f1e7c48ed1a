"""Somebody removes on the page what was no discard, and the camera reads the hand without it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from engine.events import Correct, Discard
from engine.log import standing
from engine.tiles import Tile
from service.pages.app import create_app
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.browsing import LAPTOP, opened
from tests.support.felt_film import Film
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, serving
from tests.support.tables import VIEW, read_at
from vision.camera.frames import Frames
from vision.pipeline import ReaderSettings, TableReader

MENDED_S = 8.0
"""The table waits then until somebody has removed the phantom."""
PLAYED = [
    Discard(0, Tile("3s")),
    Discard(1, Tile("9p")),
    Discard(2, Tile("2m")),
    Discard(3, Tile("4m")),
    Discard(0, Tile("6p")),
]
MISREAD = [
    PLAYED[0],
    Discard(1, Tile("7s")),
    *(replace(one, seat=(one.seat + 1) % 4) for one in PLAYED[1:]),
]
"""With the phantom, each discard seems to be that of the next seat."""


class Waiting(Film):
    """A chip that looks like a tile is laid down where the second discard will lie."""

    def __init__(self, mended: threading.Event) -> None:
        super().__init__(
            {
                3.0: read_at(0, 120, "3s"),
                5.0: read_at(120, 0, "7s"),
                10.0: read_at(120, -31, "9p"),
                12.0: read_at(0, -120, "2m"),
                14.0: read_at(-120, 0, "4m"),
                16.0: read_at(31, 120, "6p"),
            },
            19.0,
        )
        self._mended = mended

    def paced(self) -> Frames:
        for frame in self.frames():
            if frame.time_s >= MENDED_S:
                assert self._mended.wait(PATIENCE_S)
            yield frame


@pytest.fixture
def mended() -> threading.Event:
    return threading.Event()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


@pytest.fixture
def server(mended: threading.Event, path: Path) -> Iterator[Served]:
    film = Waiting(mended)
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    record = RecordFile(path)
    table = LiveTable(reader, film.paced(), record, TableSettings("harbin-hlr", "felt"))
    with serving(create_app(table)) as server:
        yield server
        mended.set()
    record.close()


def discards(path: Path) -> list[Discard]:
    events = (each.entry.event for each in standing(read_record(path.read_text())))
    return [event for event in events if isinstance(event, Discard)]


def test_after_a_phantom_is_removed_the_next_events_are_right(
    browser: Browser, server: Served, mended: threading.Event, path: Path
) -> None:
    complaints: list[str] = []
    page = opened(browser, server.url, LAPTOP, complaints)
    phantom = page.locator("#events .event", has_text="Seat 1 discards")
    phantom.click()
    page.get_by_role("button", name="It did not happen").click()
    page.get_by_role("button", name="Save").click()
    expect(phantom).to_have_count(0)
    mended.set()
    server.wait_for_end()
    assert discards(path) == PLAYED
    expect(page.locator("#said .problem")).to_have_count(0)
    corrections = [one for one in read_record(path.read_text()) if isinstance(one.event, Correct)]
    assert [one.source for one in corrections] == ["person"]
    # Taken back, it is a discard again, and the others belong to the next seats.
    also = page.locator("#also li")
    page.get_by_role("button", name="Undo").click()
    expect(also).to_have_count(len(PLAYED) - 1)
    assert discards(path) == MISREAD
    page.get_by_role("button", name="Redo").click()
    expect(also.first.locator("del")).to_contain_text("Seat 2")
    assert discards(path) == PLAYED
    assert complaints == []
    page.close()


def test_left_alone_it_is_a_discard(server: Served, mended: threading.Event, path: Path) -> None:
    mended.set()
    server.wait_for_end()
    assert discards(path) == MISREAD
