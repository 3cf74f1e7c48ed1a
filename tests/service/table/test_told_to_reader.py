"""What people say on the page reaches the real reader: answers, and what was no discard."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from engine.codec import read_record
from engine.events import Correct, Discard
from engine.log import in_force
from engine.tiles import Tile
from service.jpeg import decoded
from service.pages.app import create_app
from service.pages.settings import PageSettings
from service.table.dispute import Dispute
from service.table.gallery import Gallery
from service.table.live_table import LiveTable, TableSettings
from service.table.record_file import RecordFile
from tests.support.browsing import LAPTOP, PHONE, events, opened
from tests.support.discard_film import Looker
from tests.support.felt_film import Film
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, serving
from tests.support.tables import VIEW, Read, read_at, shares
from vision.camera.frames import Frames
from vision.pipeline import ReaderSettings, TableReader

ASKED_S = 8.0
"""The first question has been asked by then, and the table waits for what a person says."""


def doubtful(x: float, y: float, face: str, other: str) -> Read:
    """A tile that is hardly more likely the one than the other."""
    return replace(read_at(x, y, face), probabilities=shares(face, 0.55, other).astype(np.float32))


class Waiting(Film):
    """A film that stands still until somebody has answered."""

    def __init__(self, answered: threading.Event, tiles: dict[float, Read], seconds: float) -> None:
        super().__init__(tiles, seconds)
        self._answered = answered

    def paced(self) -> Frames:
        for frame in self.frames():
            if frame.time_s >= ASKED_S:
                assert self._answered.wait(PATIENCE_S)
            yield frame


@contextmanager
def watched(film: Waiting, path: Path, answered: threading.Event) -> Iterator[Served]:
    reader = TableReader(film, "harbin-hlr", ReaderSettings(VIEW))
    record = RecordFile(path)
    gallery = Gallery(path.with_name("pictures"))
    table = LiveTable(
        reader, film.paced(), record, TableSettings("harbin-hlr", "felt", gallery=gallery)
    )
    with serving(create_app(table, PageSettings(dispute=Dispute(gallery, Looker)))) as server:
        yield server
        answered.set()
    record.close()


@pytest.fixture
def answered() -> threading.Event:
    return threading.Event()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def discards_in_force(path: Path) -> list[Discard]:
    events = (each.entry.event for each in in_force(read_record(path.read_text())))
    return [event for event in events if isinstance(event, Discard)]


def test_one_tap_answers_the_reader_during_the_game_and_after_it(
    browser: Browser, answered: threading.Event, path: Path
) -> None:
    complaints: list[str] = []
    film = Waiting(
        answered,
        {
            3.0: read_at(0, 120, "3s"),
            5.0: doubtful(120, 0, "7s", "8s"),
            10.0: read_at(0, -120, "9p"),
            12.0: doubtful(-120, 0, "2m", "3m"),
        },
        15.0,
    )
    with watched(film, path, answered) as server:
        page = opened(browser, server.url, PHONE, complaints)
        question = page.locator("#questions .question")
        expect(question).to_have_count(1)
        expect(question).to_contain_text("at 0:05")
        marked = page.locator("#table .river .doubtful")
        expect(marked).to_have_count(1)
        image = question.locator(".upright img")
        expect(image).to_be_visible()
        seen = decoded(server.get_bytes(str(image.get_attribute("src"))))
        assert float((seen.min(axis=2) > 200).mean()) > 0.4, "the white of its face"
        question.get_by_role("button", name="Seat 1 discards").nth(1).click()
        expect(page.locator("#questions")).to_be_hidden()
        expect(marked).to_have_count(0)
        assert discards_in_force(path)[1] == Discard(1, Tile("8s"))
        answered.set()
        # The game goes on with it; what the reader would say of it itself adds nothing.
        server.wait_for_end()
        assert discards_in_force(path) == [
            Discard(0, Tile("3s")),
            Discard(1, Tile("8s")),
            Discard(2, Tile("9p")),
            Discard(3, Tile("2m")),
        ]
        corrections = [
            each for each in read_record(path.read_text()) if isinstance(each.event, Correct)
        ]
        assert [correction.source for correction in corrections] == ["person"]
        # What is asked last is answered when the pictures are over.
        expect(question).to_have_count(1)
        question.get_by_role("button", name="Seat 3 discards").nth(1).click()
        expect(page.locator("#questions")).to_be_hidden()
        assert discards_in_force(path)[3] == Discard(3, Tile("3m"))
        assert complaints == []
        page.close()


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
"""With a chip that looks like a tile, laid where the second discard will lie, each discard seems to
be that of the next seat."""


def test_after_a_phantom_is_removed_the_next_events_are_right(
    browser: Browser, answered: threading.Event, path: Path
) -> None:
    complaints: list[str] = []
    film = Waiting(
        answered,
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
    with watched(film, path, answered) as server:
        page = opened(browser, server.url, LAPTOP, complaints)
        phantom = page.locator("#events .event", has_text="Seat 1 discards")
        events(page)
        phantom.click()
        page.get_by_role("button", name="It did not happen").click()
        page.get_by_role("button", name="Save").click()
        expect(phantom).to_have_count(0)
        answered.set()
        server.wait_for_end()
        assert discards_in_force(path) == PLAYED
        expect(page.locator("#events .problem")).to_have_count(0)
        written = [one for one in read_record(path.read_text()) if isinstance(one.event, Correct)]
        assert [one.source for one in written] == ["person"]
        # Taken back, it is a discard again, and the others belong to the next seats.
        also = page.locator("#also li")
        page.get_by_role("button", name="Undo").click()
        expect(also).to_have_count(len(PLAYED) - 1)
        assert discards_in_force(path) == MISREAD
        page.get_by_role("button", name="Redo").click()
        expect(also.first.locator("del")).to_contain_text("Seat 2")
        assert discards_in_force(path) == PLAYED
        assert complaints == []
        page.close()
