"""Names and the stored results of an archive: none is stored, and what is downloaded has them."""

from __future__ import annotations

import html
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from sqlalchemy import select, update

from engine.codec import write_record
from engine.events import Entry, GameStart
from engine.game import replay
from service.archive.films import ReadingSettings, Storage, storage_at
from service.film.film import QUESTIONS, REPORT
from service.film.score_folder import RECORD, SHEET
from service.film.seat_recordings import FourNames, with_players
from service.hall.access import database_trouble
from service.hall.database import AWAY, Store
from service.hall.database_schema import READINGS
from service.machine.records import MOST_BYTES, parse_record, tell
from service.report.questions import worded
from service.report.sheet import csv_file, to_csv
from service.texts.catalogue import texts_of
from service.texts.events import named
from service.web.background import Job, StepFailed
from service.web.outgoing import unawaited
from vision.given_files import read_bounded

LOOK_S: Final = 2.0
"""How often to look what is left to do."""
REMOVED: Final = "its report named people and was removed; have the film read again for a new one"
_ESCAPED: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'`$"}
"""Signs that end a text of a script, or the script."""
_SCRIPT: Final = re.compile(r"(<script\b.*?</script>)", re.DOTALL)


def made_of(name: str) -> str:
    """The stored file of which a download is made: a sheet is made of the record."""
    return RECORD if name == SHEET else name


def with_names(name: str, stored: bytes, players: FourNames | None, lang: str) -> bytes:
    """A file as it is downloaded: with the players that its film has now.

    ``stored``: the content of ``made_of(name)``. Raise ``Refused`` for a damaged record.
    """
    if name in (RECORD, SHEET):
        lines = parse_record(stored, RECORD).entries
        kept = [with_players(line, players) for line in _without(lines)]
        if name == RECORD and kept == list(lines):
            return stored  # with its seals
        text = write_record(kept) if name == RECORD else csv_file(to_csv(tell(kept)))
        return text.encode()
    if name == REPORT and players is not None and any(players):
        return _report_with(stored.decode(), players, lang).encode()
    return stored


def _report_with(report: str, players: FourNames, lang: str) -> str:
    """A report that calls people by their names, not by their seats."""
    numbered = [texts_of(lang)["seat.title"].format(seat=seat) for seat in range(4)]
    called = zip((*numbered, *named([""] * 4, lang)), (*players, *players), strict=True)
    pairs = [pair for pair in called if pair[1]]  # earlier reports have numbers of seats
    in_text = {seat: html.escape(name) for seat, name in pairs}
    in_script = {seat: _in_script(name) for seat, name in pairs}
    seats = re.compile("|".join(rf"(?<!\d){re.escape(seat)}(?!\d)" for seat, _ in pairs))
    parts = _SCRIPT.split(report)
    for at, part in enumerate(parts):
        names = in_script if at % 2 else in_text
        parts[at] = seats.sub(lambda found, names=names: names[found[0]], part)
    return "".join(parts)


def _in_script(name: str) -> str:
    return json.dumps(name)[1:-1].translate(_ESCAPED)


class StoredNames(Store):
    """Takes names out of what earlier versions stored; the database remembers what is left."""

    def job(self) -> Job:
        return Job("names in stored results", self._step, LOOK_S)

    async def _step(self) -> None:
        with database_trouble():
            await unawaited(self.rewrite)  # a storage may never answer: nothing else waits for it

    def rewrite(self) -> None:
        """Rewrite what may name somebody; raise ``StepFailed`` where some cannot be."""
        asked = select(READINGS.c.id, READINGS.c.result, READINGS.c.settings)
        failed: list[int] = []
        for row in self._rows(asked.where(READINGS.c.names_stale).order_by(READINGS.c.id)):
            try:
                self._rewrite(row.id, row.result, ReadingSettings.of_json(row.settings).lang)
            except AWAY:
                raise
            except Exception:  # whatever is stored there: the others are rewritten
                failed.append(row.id)
        if failed:  # anybody may read this: it names no address
            more = f" and {len(failed) - 1} more" if failed[1:] else ""
            raise StepFailed(
                f"the stored files of reading {failed[0]}{more} cannot be read and written; "
                "they may have a forgotten name"
            )

    def _rewrite(self, reading_id: int, result: str, lang: str) -> None:
        own = update(READINGS).where(READINGS.c.id == reading_id)
        storage = storage_at(result)
        lines = parse_record(_read(storage, RECORD), RECORD).entries
        nameless = _without(lines)
        if nameless != list(lines):
            with self._engine.begin() as connection:
                connection.execute(own.values(error=REMOVED))
            _store(storage, nameless, lang)
        with self._engine.begin() as connection:
            connection.execute(own.values(names_stale=False))


def _without(lines: Sequence[Entry]) -> list[Entry]:
    return [
        replace(line, event=replace(line.event, players=None))
        if isinstance(line.event, GameStart)
        else line
        for line in lines
    ]


def _store(storage: Storage, kept: Sequence[Entry], lang: str) -> None:
    """Write a folder of results anew from its record.

    The report goes: its pictures are nowhere else. The record comes last,
    so that what was interrupted begins anew.
    """
    there = storage.names()
    if REPORT in there:
        storage.delete(REPORT)
    if QUESTIONS in there:
        asked, state = json.loads(_read(storage, QUESTIONS)), replay(kept).state
        rows = [worded(one, state.names, lang, state.rules) for one in asked["questions"]]
        new = json.dumps({**asked, "questions": rows}, ensure_ascii=False, indent=1)
        _put(storage, QUESTIONS, new + "\n")
    _put(storage, SHEET, csv_file(to_csv(tell(kept))))
    _put(storage, RECORD, write_record(kept))


def _read(storage: Storage, name: str) -> bytes:
    with storage.open(name) as file:
        return read_bounded(file, MOST_BYTES, name)


def _put(storage: Storage, name: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, "utf-8", newline="")
        storage.put(path, name)
