"""Whoever asks for pictures of a table is shown that table's, read when they were taken."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI

from engine.events import GameStart
from service.app import create_app
from service.evening.open_table import TableRequest, open_table
from service.pages.settings import PageSettings
from service.table.picture_files import pictures_folder
from service.table.reader import EmptyReader, EmptySource
from tests.support.discard_film import Looker, SeeingTold, filmed
from tests.support.goldens.asking import running
from tests.support.goldens.tables import until_ended
from tests.support.harbin_game import ENTRIES
from tests.support.in_process import asked
from tests.support.live_table import in_loop
from vision.camera.frames import Frames
from vision.decoder.question import AnswerChoice, EventPlace, Question, QuestionTile
from vision.table.view import TableView

DISCARD: Final = 3
"""Anna's 9m, which lies there from the third picture on."""
CROP: Final = f"/api/events/{DISCARD}/crop"
LINES: Final = [*ENTRIES[:DISCARD], replace(ENTRIES[DISCARD], t=2.0)]
VIEW: Final = TableView(
    ((100.0, 20.0), (540.0, 20.0), (540.0, 340.0), (100.0, 340.0)), (800, 800), (640, 360)
)
DOUBT: Final = Question(
    EventPlace("laid", 2.0, 200, 20),
    (AnswerChoice((ENTRIES[DISCARD].event,), 0.6), AnswerChoice((), 0.4)),
    3,
    (QuestionTile(((0.4, 0.4), (0.45, 0.4), (0.45, 0.52), (0.4, 0.52)), True, 0.0),),
)


class Filmed(EmptySource):
    def frames(self, step_s: float = 0.0) -> Frames:
        return filmed()


@asynccontextmanager
async def table(record: Path, looker: Looker, plays: bool = True) -> AsyncIterator[FastAPI]:
    """A table that sees the discard, or one that is opened again when nothing is shown."""
    request = TableRequest(
        Filmed("camera") if plays else EmptySource("none"),
        partial(SeeingTold, LINES, [DOUBT], VIEW) if plays else EmptyReader,
        GameStart("harbin-hlr"),
        record,
        load=lambda: looker,
    )
    with open_table(request) as shown:
        app = create_app(shown.table, PageSettings(dispute=shown.dispute))
        async with running(app):
            await until_ended(shown.table)
            yield app


async def got(app: FastAPI, path: str) -> tuple[int, bytes]:
    """Status, and the picture behind its first two bytes; empty where none is sent."""
    status, told = await asked(app, "GET", path, None)
    return status, told.partition(b"\xff\xd8")[2]


async def refused(app: FastAPI, path: str) -> tuple[int, Any]:
    status, told = await asked(app, "GET", path, None)
    return status, json.loads(told[told.index(b"{") :])["detail"]


@in_loop
async def test_a_close_up_shows_what_was_read_then_and_after_a_restart_what_is_read_anew(
    tmp_path: Path,
) -> None:
    record, looker = tmp_path / "game.jsonl", Looker()
    async with table(record, looker) as app:
        status, then = await got(app, CROP)
        assert (status, then != b"", looker.reads) == (200, True, 0)
        assert (await got(app, "/api/pictures/0"))[0] == 200
    async with table(record, looker, plays=False) as app:
        assert await got(app, CROP) == (200, then)
        assert looker.reads > 0
        assert (await got(app, "/api/pictures/0"))[0] == 200


@in_loop
async def test_another_table_of_the_evening_does_not_see_them(tmp_path: Path) -> None:
    looker = Looker()
    first, second = (tmp_path / name for name in ("one.jsonl", "two.jsonl"))
    async with table(first, looker) as one, table(second, looker, plays=False) as two:
        assert (await got(one, "/api/pictures/0"))[0] == 200
        assert await refused(two, "/api/pictures/0") == (404, "there is no picture 0")
    assert not pictures_folder(second).exists()


@in_loop
async def test_a_file_that_is_damaged_or_gone_is_not_found_and_said_in_one_line(
    tmp_path: Path,
) -> None:
    record = tmp_path / "game.jsonl"
    async with table(record, Looker()) as app:
        asking = [f"/api/questions/{DOUBT.id}/{what}" for what in ("picture", "tiles")]
        for path in asking:
            assert (await got(app, path))[0] == 200
        files = sorted(pictures_folder(record).iterdir())
        for file in files:
            file.write_bytes(file.read_bytes()[:-50])
        assert await refused(app, "/api/pictures/0") == (404, "picture 0 is damaged")
        for path in asking:
            status, told = await refused(app, path)
            assert (status, told.endswith("is damaged")) == (404, True)
        for file in files:
            file.unlink()
        gone = "picture 0 is gone: its file was deleted or cannot be read"
        assert await refused(app, "/api/pictures/0") == (404, gone)
        assert await got(app, CROP) == (204, b"")
        status, _ = await asked(app, "POST", "/api/reread", None, {"of": DISCARD})
        assert status == 422, "there is nothing to read"
