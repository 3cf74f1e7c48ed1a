"""A table whose best moments a film shows, and what is asked of its clip."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.codec import read_record
from engine.events import Entry, GameStart
from service.app import create_app
from service.pages.settings import OpenTable, PageSettings
from service.table.clip_maker import ClipMaker
from service.table.dispute import Agreed, signs_now
from service.table.live_table import LiveTable, TableSettings
from service.table.pictures import OF_FILM, Pictures, TablePicture
from tests.support.keys import KEYS, with_key
from tests.support.live_table import KeptLines, frames
from tests.support.paths import SAMPLES
from tests.support.patience import PATIENCE_S, until
from tests.support.served import Served, serving
from tests.support.told_reader import ToldReader
from vision.camera.live import PacedFile
from vision.draw import jpeg

NAMES: Final = ("Anna", "Bo", "李雷", "だいすけ")
FILM: Final = "film 0123456789abcdef"
"""What the record knows the film by."""
RECORD: Final = "game-20260501-200000.jsonl"
SAMPLE: Final = SAMPLES / "harbin.mp4"


def sample_game(evidence: str | None = FILM) -> list[Entry]:
    """The game that the film of the samples shows, as these people played it."""
    start, *rest = read_record((SAMPLES / "harbin.record.jsonl").read_text("utf-8"))
    assert isinstance(start.event, GameStart)
    return [replace(start, event=replace(start.event, players=NAMES), evidence=evidence), *rest]


def pictures_at(times_s: Sequence[float]) -> Pictures:
    """Kept pictures, each of another grey."""
    shots = [
        TablePicture(at, time_s, jpeg(np.full((90, 160, 3), 40 + 5 * at, np.uint8)))
        for at, time_s in enumerate(times_s)
    ]
    return Pictures(OF_FILM, shots=shots)


@dataclass(frozen=True)
class Evening:
    """A served table with a folder of its own."""

    served: Served
    table: LiveTable
    maker: ClipMaker
    agreed: Agreed
    folder: Path

    def ask(self, method: str, key: str = KEYS.control, path: str = "") -> tuple[int, Any]:
        """Status and answer: JSON, or the bytes of a file."""
        connection = HTTPConnection(self.served.host, timeout=PATIENCE_S)
        headers = with_key(key) | {"Content-Type": "application/json"}
        body = "{}" if method == "POST" else None
        connection.request(method, f"/api/highlights{path}", body, headers)
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        is_json = answer.getheader("Content-Type") == "application/json"
        return answer.status, json.loads(told) if is_json else told

    def state(self, key: str = KEYS.viewer) -> dict[str, Any]:
        status, told = self.ask("GET", key)
        assert status == 200, told
        return dict(told)

    def everybody_agrees(self) -> None:
        self.agreed.change(signs_now(self.table.game), clips=True)

    def made(self) -> dict[str, Any]:
        """Have one made, and wait until that has ended."""
        status, told = self.ask("POST")
        assert status == 200, told
        until(lambda: not self.maker.making)
        return self.state()


@contextmanager
def evening(
    folder: Path,
    entries: Sequence[Entry],
    pictures: Pictures | None = None,
    film: Path | None = None,
) -> Iterator[Evening]:
    settings = TableSettings(
        "harbin-hlr",
        "game.mp4",
        record_name=RECORD,
        before=entries,
        film=FILM,
        pictures=pictures or Pictures(),
    )
    table = LiveTable(ToldReader([]), frames(2), KeptLines(), settings)
    agreed = Agreed(folder / RECORD)
    watched = None if film is None else PacedFile(film)
    pages = PageSettings(keys=KEYS, agreed=agreed, film=watched)
    app = create_app(table, pages)
    with serving(app) as served:
        served.wait_for_end()
        opened: OpenTable = app.state.served
        yield Evening(served, table, opened.clip, agreed, folder)
