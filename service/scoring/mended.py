"""A scored folder whose record is put right on the table's page: sheet and report follow."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64decode
from collections.abc import Sequence
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, Final

from engine.events import Correct, Entry
from engine.log import standing
from service.background import Job
from service.errors import Refused
from service.files import write_whole
from service.records import load_record, read_text
from service.report.gaps import Gap
from service.report.report import to_report
from service.report.sheet import to_csv
from service.report.story import tell
from service.scoring.checkpoint import UNFINISHED
from service.scoring.film import QUESTIONS, REPORT
from service.scoring.score_folder import EVIDENCE, RECORD, SHEET
from service.table.gallery import Gallery
from service.table.live_table import LiveTable

LOOK_S: Final = 0.5
"""How soon sheet and report follow."""
_SHOWN: Final = re.compile(
    r'id="e(\d+)">\s*<button[^>]*><img[^>]*src="data:image/jpeg;base64,([^"]+)"'
)
_MADE: Final = re.compile(r'<script type="application/json" id="made">(.*?)</script>', re.S)


def put_right_by_person(lines: Sequence[Entry]) -> set[int]:
    """The lines that people have corrected or confirmed."""
    return {
        line.event.of
        for line in lines
        if line.source == "person" and isinstance(line.event, Correct)
    }


class MendedFolder:
    def __init__(self, folder: Path) -> None:
        """Read what `tilesight score` wrote; raises ``Refused``, ``OSError``."""
        self._folder = folder
        self.record = folder / RECORD
        if not self.record.is_file() or not (folder / REPORT).is_file():
            raise Refused(f"{folder} is no folder of tilesight score: it has no record and report")
        if (folder / UNFINISHED).is_dir():
            raise Refused(f"{folder} is not read to its end; score the film again to go on first")
        lines = load_record(str(self.record))
        report = read_text(str(folder / REPORT))
        found = _MADE.search(report)
        if found is None:
            raise Refused(f"{folder} was scored by an older tilesight; score the film again first")
        self._made: dict[str, Any] = json.loads(unescape(found[1]))
        self.title = str(self._made["title"])
        stood = _in_force(lines)
        shown = {int(number): b64decode(data) for number, data in _SHOWN.findall(report)}
        self._parts = {
            entry.evidence: shown[number] for number, entry in enumerate(stood) if number in shown
        }
        """The picture of each event in the report, by its evidence."""
        self.pictures = Gallery(folder / EVIDENCE)
        pictured = ((entry.t, folder / str(entry.evidence)) for entry in stood if entry.evidence)
        self.pictures.show([(t, path) for t, path in pictured if t is not None and path.is_file()])
        self._written = len(lines)

    def job(self, table: LiveTable) -> Job:
        """Write sheet and report whenever somebody has put the record right."""
        follow = partial(self._follow, table)
        return Job("the report", follow, LOOK_S, at_end=follow)

    async def _follow(self, table: LiveTable) -> None:
        lines = table.game.entries
        if len(lines) != self._written:
            await asyncio.to_thread(self._write, lines)
            self._written = len(lines)

    def _write(self, lines: Sequence[Entry]) -> None:
        stood = _in_force(lines)
        pictures = {
            number: self._parts[entry.evidence]
            for number, entry in enumerate(stood)
            if entry.evidence in self._parts
        }
        asked, tiles = self._asked(put_right_by_person(lines))
        report = to_report(
            stood,
            pictures,
            self.title,
            self._made["lang"],
            asked,
            gaps=[Gap(*one) for one in self._made["gaps"]],
            again=self._made["again"],
            tiles=tiles,
        )
        write_whole(self._folder / SHEET, to_csv(tell(stood)))
        write_whole(self._folder / REPORT, report)

    def _asked(self, settled: set[int]) -> tuple[dict[str, Any] | None, dict[str, bytes]]:
        """The questions about events that nobody has put right, and the pictures of their tiles."""
        if not (self._folder / QUESTIONS).is_file():
            return None, {}
        asked: dict[str, Any] = json.loads(read_text(str(self._folder / QUESTIONS)))
        asked["questions"] = [one for one in asked["questions"] if one["number"] not in settled]
        paths = {
            one["id"]: self._folder / one["tiles"] for one in asked["questions"] if one.get("tiles")
        }
        return asked, {name: path.read_bytes() for name, path in paths.items() if path.is_file()}


def _in_force(lines: Sequence[Entry]) -> list[Entry]:
    every = (one.entry for one in standing(lines))
    return [entry for entry in every if not isinstance(entry.event, Correct)]
