"""Names in the stored results of an archive: those that a film no longer has are taken out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import select, update

from engine.codec import write_record
from engine.events import Entry
from engine.game import replay
from service.archive.films import ReadingSettings, Storage, storage_at
from service.film.film import QUESTIONS, REPORT
from service.film.score_folder import RECORD, SHEET
from service.hall.access import database_trouble
from service.hall.database import AWAY, Store
from service.hall.database_schema import FILMS, READINGS
from service.hall.records import names_in, one_line, without
from service.machine.records import MOST_BYTES, parse_record, tell
from service.report.questions import worded
from service.report.sheet import csv_file, to_csv
from service.web.background import Job, StepFailed
from service.web.outgoing import unawaited
from vision.given_files import read_bounded

LOOK_S: Final = 2.0
"""How often to look what is left to do."""
REMOVED: Final = "its report was removed with the name of somebody who was forgotten"


class StoredNames(Store):
    """Rewrites what is stored; the database remembers what is left to do."""

    def job(self) -> Job:
        return Job("names in stored results", self._step, LOOK_S)

    async def _step(self) -> None:
        with database_trouble():
            await unawaited(self.rewrite)  # a storage may never answer: nothing else waits for it

    def rewrite(self) -> None:
        """Rewrite what may have a forgotten name; raise ``StepFailed`` where some cannot be."""
        asked = select(READINGS.c.id).where(READINGS.c.names_stale).order_by(READINGS.c.id)
        failed: list[int] = []
        for row in self._rows(asked):
            try:
                self._rewrite(row.id)
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

    def _rewrite(self, reading_id: int) -> None:
        asked = select(READINGS, FILMS.c.players).join(FILMS, FILMS.c.id == READINGS.c.film_id)
        asked = asked.where(READINGS.c.id == reading_id)
        (row,) = self._rows(asked)
        settings = ReadingSettings.of_json(row.settings)
        own = update(READINGS).where(READINGS.c.id == reading_id)
        storage = storage_at(row.result)
        lines = parse_record(_read(storage, RECORD), RECORD).entries
        gone = set[str]().union(*map(names_in, lines)) - set(map(one_line, json.loads(row.players)))
        if gone:
            with self._engine.begin() as connection:
                connection.execute(own.values(error=REMOVED))
            _store(storage, [without(line, gone) for line in lines], settings.lang)
        with self._engine.begin() as connection:
            film = select(FILMS.c.players).where(FILMS.c.id == row.film_id).with_for_update()
            # Somebody else may be forgotten meanwhile: then it is looked at once more.
            stale = connection.execute(film).scalar_one() != row.players
            connection.execute(own.values(names_stale=stale))


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
